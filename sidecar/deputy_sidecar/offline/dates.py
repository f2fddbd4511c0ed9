"""Times as people say them, held against the day of the request."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from deputy_sidecar.offline.amounts import number_of
from deputy_sidecar.offline.lexicon import Term
from deputy_sidecar.offline.tokens import normal

__all__ = ["FEASTS", "Days", "Span", "days_at", "span_at"]

EARLIEST_YEAR = 1970
LATEST_YEAR = 2100


@dataclass(frozen=True)
class Days:
    """Days from the first to before the end; None where it is open."""

    first: date | None
    end: date | None


@dataclass(frozen=True)
class Span:
    """So much time, such as two years."""

    number: float
    unit: str

    def before(self, today: date) -> date | None:
        """The day that is so long ago; None for less than a day, and beyond the calendar."""
        if self.unit in {"minute", "hour"}:
            return None
        try:
            if self.unit in {"day", "week"}:
                return today - timedelta(days=self.number * (7 if self.unit == "week" else 1))
            months = round(self.number * (12 if self.unit == "year" else 1))
            year, month = divmod(today.year * 12 + today.month - 1 - months, 12)
            return date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))
        except (ValueError, OverflowError):
            return None


def _named(term: Term, group: str) -> str | None:
    return next((each.removeprefix(group) for each in sorted(term.meanings) if each.startswith(group)), None)


def span_at(terms: list[Term], at: int) -> tuple[Span, int] | None:
    """A span such as `90 days`, `a year`, `zwei Wochen`."""
    if at >= len(terms):
        return None
    number, taken = number_of(terms[at]), 1
    if number is None:
        if terms[at].form not in {"a", "an", "einem", "einer", "ein", "eine", "the", "one"}:
            return None
        number = 1
    if at + taken >= len(terms):
        return None
    unit = _named(terms[at + taken], "unit:")
    return (Span(number, unit), taken + 1) if unit is not None and number > 0 else None


def days_at(terms: list[Term], at: int, today: date) -> tuple[Days, int] | None:
    """A day, a week, a month or a year that is named, and how many terms name it."""
    if at >= len(terms):
        return None
    term = terms[at]
    relative = _named(term, "time:")
    if relative is not None:
        back = {"today": 0, "yesterday": 1, "before_yesterday": 2}[relative]
        return _day(today - timedelta(days=back)), 1
    if term.token.sort == "date":
        day = _date(term.token.form)
        return (_day(day), 1) if day is not None else None
    part = _part_of_year(terms, at, today)
    if part is not None:
        return part
    if term.means("lastn", "this") and at + 1 < len(terms):
        found = _period(terms, at, today)
        if found is not None:
            return found
    return _feast(terms, at, today) or _weekday(terms, at, today) or _named_month(terms, at, today) or _year(term)


_NTH = {
    1: "first 1st erste ersten erstes", 2: "second 2nd zweite zweiten zweites", 3: "third 3rd dritte dritten drittes",
    4: "fourth 4th vierte vierten viertes last final letzte letzten letztes",
}  # fmt: skip
_PARTS = {
    **dict.fromkeys("quarter quarters quartal quartals quartale".split(), 3),
    **dict.fromkeys(("half", "half-year", "half year", "halbjahr", "halbjahres", "haelfte", "jahreshaelfte"), 6),
}


_YEARS = {"this": 0, "last": 1, "diesem": 0, "dieses": 0, "letzten": 1, "letztes": 1, "vergangenen": 1, "vorigen": 1}


def _part_of_year(terms: list[Term], at: int, today: date) -> tuple[Days, int] | None:
    """`Q3 2025`, `the third quarter of 2025`, `im 2. Quartal`, `the first half of 2026`, `last quarter`."""
    words = [(normal(token.text), place) for place, term in enumerate(terms[at : at + 7]) for token in term.tokens]
    words = [(word, place) for word, place in words if word not in {"the", "der", "des", "das", "dem", "im", "of", "."}]
    if not words:
        return None
    short = re.fullmatch(r"(?:([qh])([1-4])|([1-4])([qh]))", words[0][0])
    used = 1
    if short is not None:
        months = 3 if (short.group(1) or short.group(4)) == "q" else 6
        number = int(short.group(2) or short.group(3))
    else:
        months = _PARTS.get(words[1][0], 0) if len(words) > 1 else 0
        used = 2
        if not months:
            return None
        said = words[0][0]
        number = next((n for n, names in _NTH.items() if said in names.split()), int(said) if said in "1234" else 0)
        index = (today.month - 1) // months
        rolling = {"this": 0, "current": 0, "diesem": 0, "dieses": 0, "aktuellen": 0, "last": 1, "past": 1,
                   "previous": 1, "letzten": 1, "letztes": 1, "vergangenen": 1, "vorigen": 1}.get(said)  # fmt: skip
        has_year = len(words) > 2 and re.fullmatch(r"(?:19|20)\d\d", words[2][0])
        if rolling is not None and not has_year:
            first = today.year * 12 + (index - rolling) * months
            return _months(first, months), words[1][1] + 1
    if not 1 <= number <= 12 // months:
        return None
    year, taken = None, words[used - 1][1] + 1
    rest = [each for each in words[used:] if each[0] not in {"in", "von", "vom", "from"}]
    if len(rest) > 1 and rest[1][0] in {"year", "jahr", "jahres"} and rest[0][0] in _YEARS:
        year, taken = today.year - _YEARS[rest[0][0]], rest[1][1] + 1
    if rest and rest[0][0] in {"year", "jahr", "jahres"}:
        rest = rest[1:]
    if rest and re.fullmatch(r"(?:19|20)\d\d", rest[0][0]):
        year, taken = int(rest[0][0]), rest[0][1] + 1
    if year is None:
        # The latest one that has started.
        year = today.year if (number - 1) * months < today.month else today.year - 1
    return _months(year * 12 + (number - 1) * months, months), taken


def _months(first: int, number: int) -> Days:
    end = first + number
    return Days(date(first // 12, first % 12 + 1, 1), date(end // 12, end % 12 + 1, 1))


_FEASTS = {
    "christmas": "christmas", "xmas": "christmas", "weihnachten": "christmas", "easter": "easter", "ostern": "easter",
    "new year": "new_year", "silvester": "new_year", "neujahr": "new_year",
}  # fmt: skip
# From which month a season lasts three.
_SEASONS = {
    "spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12,
    "fruehling": 3, "fruehjahr": 3, "sommer": 6, "herbst": 9,
}  # fmt: skip


# Words that are days only with their year, and pieces of names as well.
FEASTS = frozenset((*_FEASTS, *_SEASONS))


def _feast(terms: list[Term], at: int, today: date) -> tuple[Days, int] | None:
    """`Christmas 2025`, `last summer`: needs a year or `last`, because these words alone are usually names."""
    if terms[at].means("lastn") and at + 1 < len(terms):
        # The latest one that has started.
        found = [_feast_of(normal(terms[at + 1].text), today.year - before) for before in (0, 1)]
        begun = next(
            (days for days in found if days is not None and days.first is not None and days.first <= today), None
        )
        return (begun, 2) if begun is not None else None
    form = normal(terms[at].text)
    year = _year(terms[at + 1]) if at + 1 < len(terms) else None
    if year is None or year[0].first is None:
        return None
    days = _feast_of(form, year[0].first.year)
    return (days, 2) if days is not None else None


def _feast_of(form: str, number: int) -> Days | None:
    """The days of a holiday or season in a year."""
    feast = _FEASTS.get(form)
    if feast == "christmas":
        return Days(date(number, 12, 24), date(number, 12, 27))
    if feast == "new_year":
        return Days(date(number, 1, 1), date(number, 1, 2))
    if feast == "easter":
        sunday = _easter(number)
        return Days(sunday - timedelta(days=2), sunday + timedelta(days=2))
    month = _SEASONS.get(form)
    if month is None:
        return None
    until = _month(number + (month == 12), (month + 1) % 12 + 1)
    return Days(date(number, month, 1), until.end)


def _easter(year: int) -> date:
    """Easter Sunday, by the anonymous Gregorian computus."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    rest = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * rest) // 451
    month, day = divmod(h + rest - 7 * m + 114, 31)
    return date(year, month, day + 1)


_WEEKDAYS = (
    "monday montag", "tuesday dienstag", "wednesday mittwoch", "thursday donnerstag", "friday freitag",
    "saturday samstag sonnabend",
    "sunday sonntag",
)  # fmt: skip


def _weekday(terms: list[Term], at: int, today: date) -> tuple[Days, int] | None:
    """`On Monday`, `since last Friday`: the last one before today."""
    taken = 0
    if terms[at].means("lastn") and at + 1 < len(terms):
        taken = 1
    form = normal(terms[at + taken].text)
    number = next((number for number, names in enumerate(_WEEKDAYS) if form in names.split()), None)
    # `Fridays.txt` is a name, and so may be a bare weekday that nothing leads to.
    if number is None or (not taken and not (at and terms[at - 1].form in _BEFORE_DAYS)):
        return None
    return _day(today - timedelta(days=(today.weekday() - number - 1) % 7 + 1)), taken + 1


_BEFORE_DAYS = frozenset("on since from before after am seit vom vor nach until bis".split())


def _period(terms: list[Term], at: int, today: date) -> tuple[Days, int] | None:
    """`Last week`, `this year`, `the last 7 days`, `last July`."""
    is_last = terms[at].means("lastn")
    taken = 1
    if terms[at + taken].means("lastn", "this") and at + taken + 1 < len(terms):
        taken += 1
    span = span_at(terms, at + taken) if is_last else None
    # `The past week` rolls, `last week` is the week before this one.
    rolls = any(word in terms[at].form.split() for word in ("past", "vergangenen", "vergangene"))
    unit = _named(terms[at + taken], "unit:")
    if span is None and is_last and rolls and unit is not None:
        span = (Span(1, unit), 1)
    if span is not None:
        first = span[0].before(today)
        return (Days(first, None), taken + span[1]) if first is not None else None
    month = _named(terms[at + taken], "month:")
    if month is not None:
        number = int(month)
        year = today.year if number < today.month or (not is_last and number == today.month) else today.year - 1
        return (_month(year if is_last else today.year, number), taken + 1)
    if unit is None:
        return None
    back = 1 if is_last else 0
    if unit == "day":
        return None
    if unit == "week":
        first = today - timedelta(days=today.weekday() + 7 * back)
        return Days(first, first + timedelta(days=7)), taken + 1
    if unit == "month":
        year, index = divmod(today.year * 12 + today.month - 1 - back, 12)
        return _month(year, index + 1), taken + 1
    if unit == "year":
        return Days(date(today.year - back, 1, 1), date(today.year - back + 1, 1, 1)), taken + 1
    return None


_LEADS_TO_A_MONTH = frozenset("in from of since during until im seit aus bis last".split())


def _named_month(terms: list[Term], at: int, today: date) -> tuple[Days, int] | None:
    """`July 2024`, `1 January 2024`, `January 1st, 2024`, `July` alone: the last one that has begun."""
    term, number = terms[at], number_of(terms[at])
    if number is not None and 1 <= number <= 31 and at + 1 < len(terms):
        follows = at + 1
        if terms[follows].form in {".", "of"} and follows + 1 < len(terms):
            follows += 1
        month = _named(terms[follows], "month:")
        year = _year(terms[follows + 1]) if month is not None and follows + 1 < len(terms) else None
        if month is not None and (year is None or year[0].first is None) and term.token.sort == "number":
            # `24. Dezember` alone: the last one.
            this = _exact(today.year, int(month), int(number), follows + 1 - at)
            is_ahead = this is not None and this[0].first is not None and this[0].first > today
            return _exact(today.year - 1, int(month), int(number), follows + 1 - at) if is_ahead else this
        if month is None or year is None or year[0].first is None:
            return None
        return _exact(year[0].first.year, int(month), int(number), follows + 2 - at)
    month = _named(term, "month:")
    if month is None:
        return None
    if at + 1 < len(terms):
        year = _year(terms[at + 1])
        if year is not None and year[0].first is not None:
            return _month(year[0].first.year, int(month)), 2
        day = number_of(terms[at + 1])
        after = at + 2
        if after < len(terms) and terms[after].form == ",":
            after += 1
        year = _year(terms[after]) if after < len(terms) else None
        if day is not None and year is not None and year[0].first is not None:
            return _exact(year[0].first.year, int(month), int(day), after + 1 - at)
        if day is not None and day == int(day) and terms[at + 1].token.sort == "number" and 1 <= day <= 31:
            # `December 24` alone: the last one.
            this = _exact(today.year, int(month), int(day), 2)
            is_ahead = this is not None and this[0].first is not None and this[0].first > today
            return _exact(today.year - 1, int(month), int(day), 2) if is_ahead else this
        if day is not None:
            return None
    # `May` and `March` are other words as well, unless they are written as names.
    is_led = at > 0 and terms[at - 1].form in _LEADS_TO_A_MONTH
    if not term.text[:1].isupper() and term.form in {"may", "march", "mar", "sep", "dec", "jan"} and not is_led:
        return None
    return _month(today.year if int(month) <= today.month else today.year - 1, int(month)), 1


def _exact(year: int, month: int, day: int, taken: int) -> tuple[Days, int] | None:
    try:
        return _day(date(year, month, day)), taken
    except ValueError:
        return None


def _year(term: Term) -> tuple[Days, int] | None:
    if term.token.sort != "number" or not re.fullmatch(r"\d{4}", term.token.form):
        return None
    year = int(term.token.form)
    return (Days(date(year, 1, 1), date(year + 1, 1, 1)), 1) if EARLIEST_YEAR <= year < LATEST_YEAR else None


def _month(year: int, month: int) -> Days:
    return Days(date(year, month, 1), date(year + month // 12, month % 12 + 1, 1))


def _day(day: date) -> Days:
    return Days(day, day + timedelta(days=1))


def _date(text: str) -> date | None:
    """A date in figures; one that has two readings has none."""
    try:
        if "-" in text:
            return date.fromisoformat(text)
        if "." in text:
            day, month, year = map(int, text.split("."))
            return date(year + (2000 if year < 100 else 0), month, day)
        one, other, year = map(int, text.split("/"))
        if one > 12:
            return date(year, other, one)
        return date(year, one, other) if other > 12 or one == other else None
    except ValueError:
        return None
