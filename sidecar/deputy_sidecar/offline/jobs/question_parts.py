"""Maps words of a question to parts of a table: columns, cell values, numbers, years and bounds.

Most functions read the words from an index on and return the meaning with the number of words used.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from deputy_sidecar.offline.jobs.column_conditions import Against, Own
from deputy_sidecar.offline.jobs.question_words import (
    COLUMNS,
    COMPARED,
    HOW,
    MEANINGS,
    MONEY,
    OF_VERBS,
    PLAIN,
    PRICES,
    SAME_VALUES,
)
from deputy_sidecar.offline.jobs.tables import is_number
from deputy_sidecar.offline.lexicon import lexicon
from deputy_sidecar.offline.stems import stem_of, stems_of
from deputy_sidecar.offline.tokens import normal

__all__ = [
    "UNITS",
    "Asked",
    "bare",
    "bound_at",
    "by_verb",
    "column_at",
    "column_of_number",
    "compared",
    "dated_columns",
    "is_plain",
    "meaning_at",
    "number_of",
    "past_links",
    "time_at",
    "value_at",
]

_TENS: Final = {
    word: str(10 * number)
    for number, words in enumerate(
        "thirty dreissig|forty vierzig|fifty fuenfzig|sixty sechzig|seventy siebzig|eighty achtzig|ninety neunzig|hundred hundert".split(
            "|"
        ),
        3,
    )
    for word in words.split()
}
# How a year bounds days, which are compared as texts.
_OF_YEARS: Final = {
    "bound:<": ("<", "01-01"), "bound:>": (">", "12-31"), "bound:>=": (">=", "01-01"), "bound:<=": ("<=", "12-31"),
}  # fmt: skip
_LONGEST_VALUE: Final = 6
_SHORTEST_STEM: Final = 3
_LINKS: Final = frozenset("is of a an = equals the ist von with mit are als".split())


@dataclass
class Asked:
    """A question as read so far."""

    conditions: list[dict[str, str]] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    group: list[str] = field(default_factory=list)
    compute: str | None = None
    # The word that asked for it; `cheapest` implies a column.
    computed_by: str = ""
    is_distinct: bool = False
    asks_who: bool = False
    # The column to sort by, the direction, and how many rows to show.
    sort: str | None = None
    is_descending: bool = False
    limit: int | None = None
    # The column right after `how many`.
    counted: str | None = None
    unused: list[str] = field(default_factory=list)
    # The words as they are compared.
    forms: list[str] = field(default_factory=list)
    # What rows were called that the table has no word for: `which products`.
    passed: list[str] = field(default_factory=list)
    # Conditions that only the cells of a row answer.
    own: list[Own] = field(default_factory=list)
    # Whether a value stands right behind `how many`: `how many chairs`.
    counts_a_value: bool = False
    # Whether two columns are to be compared row by row.
    compares: bool = False
    # A word such as `or`, which needs two values of one column.
    alternative: str | None = None
    # The word that asks for the total of the first column minus the total of the second.
    minus: str = ""
    # The columns of price and pieces whose product is asked for, and the word that asks for it.
    worth: tuple[str, str] | None = None
    # Whether a word for a state, such as `owe`, selects the rows.
    is_by_state: bool = False
    # Whether to show the rows as well as their number: `how many, and which`.
    lists_too: bool = False
    # A word such as `whole` means all rows together.
    whole: str = ""


def number_of(form: str) -> int | None:
    """A number in digits or as a word."""
    if form.isdecimal():
        return int(form) or None
    meanings = {each for language in ("en", "de") for each in lexicon(language).phrases.get((form,), ())}
    found = next((each.removeprefix("number:") for each in meanings if each.startswith("number:")), "")
    return int(found) if found.isdecimal() and int(found) else None


def bare(word: str) -> str:
    """A word without the marks at its end, as it is compared."""
    form = normal(word).strip("?.!,:;")
    return form.removesuffix("'s")


def is_plain(form: str, subject: set[str]) -> bool:
    """Whether a word adds nothing to a question about `subject`."""
    if any(stem in {stem_of(each) for each in subject} for stem in stems_of(form)):
        # `Bestellungen` in `orders.csv`.
        return True
    if form in PLAIN or form in subject or f"{form}s" in subject or form.removesuffix("s") in subject or not form:
        return True
    return any("filler" in lexicon(language).phrases.get((form,), ()) for language in ("en", "de"))


def past_links(forms: list[str], at: int) -> int:
    """The index after linking words such as `is` and `of a`."""
    while at < len(forms) and forms[at] in _LINKS:
        at += 1
    return at


def meaning_at(forms: list[str], at: int) -> tuple[str | None, int]:
    """What the words from `at` on do to a question, such as adding up, and how many they are."""
    for length in (3, 2, 1):
        found = MEANINGS.get(tuple(forms[at : at + length]))
        if found is not None and at + length <= len(forms):
            return found, length
    return None, 0


def column_at(forms: list[str], at: int, names: list[str]) -> tuple[str | None, int]:
    """The column that the words from `at` on name, and how many they are."""
    asked = HOW.get(" ".join(forms[at : at + 2]))
    meant = [name for name in names if asked is not None and normal(name) in asked]
    if len(meant) == 1:
        return meant[0], 2
    for length in (3, 2, 1):
        said = " ".join(forms[at : at + length])
        for name in names:
            known = re.sub(r"[_-]+", " ", normal(name))
            if at + length > len(forms):
                continue
            if said in {known, f"{known}s", f"{known}en", f"{known}n", f"{known}es"} or (
                length == 1 and len(said) > 3 and stem_of(said) == stem_of(known)
            ):
                return name, length
    # `Die Summe der Beträge` adds up, and is no column of that name.
    said_so = at < len(forms) and (forms[at],) not in MEANINGS
    groups = [group for group in COLUMNS if said_so and forms[at] in group]
    alike = [name for name in names if any(normal(name) in group for group in groups)]
    if not alike and said_so and at < len(forms) and len(forms[at]) > _SHORTEST_STEM:
        # `Hours` means `weekly hours` if only that column ends with the word.
        words = {forms[at]}.union(*groups)
        alike = [
            name for name in names if " " in (said := re.sub(r"[_-]+", " ", normal(name))) and said.split()[-1] in words
        ]
    return (alike[0], 1) if len(alike) == 1 else (None, 0)


Value = tuple[str, str, str]


def value_at(
    words: tuple[str, ...], forms: list[str], at: int, cells: list[list[str]], names: list[str], only: str | None = None
) -> tuple[Value | None, int]:
    """A value of a cell, how it is compared, and its column; a number only behind its column."""
    for length in range(min(_LONGEST_VALUE, len(forms) - at), 0, -1):
        said = " ".join(forms[at : at + length])
        if not said:
            continue
        exact = _columns_of(cells, names, only, lambda cell, said=said: normal(cell) == said)  # type: ignore[misc]
        if len(exact) == 1 and (only is not None or not is_number(said)):
            column, cell = next(iter(exact.items()))
            return (cell, "=", column), length
        if only is not None and length == 1 and is_number(said):
            is_year = _YEAR.fullmatch(said) is not None and only in dated_columns(names, cells)
            return (f"{said}-" if is_year else said, "contains" if is_year else "=", only), 1
        if length == 1 and len(said) > 2 and not is_number(said):
            part = _columns_of(cells, names, only, lambda cell, said=said: said in normal(cell).split())  # type: ignore[misc]
            group = next((group for group in SAME_VALUES if said in group), frozenset[str]())
            same = _columns_of(cells, names, only, lambda cell, group=group: normal(cell) in group)  # type: ignore[misc]
            if not part and len(same) == 1:
                # `Offen`, where the cells say `open`.
                return (next(iter(same.values())), "=", next(iter(same))), 1
            if not part and len(said) > _SHORTEST_STEM:
                # `Tenors` or `Stühle`, where the cells say `tenor` and `chair`.
                said_stems = set(stems_of(said))
                same = _columns_of(cells, names, only, lambda cell, stems=said_stems: stem_of(cell) in stems)  # type: ignore[misc]
                if len(same) == 1:
                    return (next(iter(same.values())), "=", next(iter(same))), 1
            if len(part) == 1:
                return (
                    words[at].strip("?.!,:;").removesuffix("'s").removesuffix("’s"),
                    "contains",
                    next(iter(part)),
                ), 1
    return None, 0


_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_DAY: Final = re.compile(r"(\d{4})-(\d\d)(?:-\d\d)?")
# Months whose names are also other words.
_WRITTEN_LARGE: Final = frozenset("may march mar sep dec jan".split())
_LEADS_TO_A_MONTH: Final = frozenset("in of im or oder and und".split())


def dated_columns(names: list[str], cells: list[list[str]]) -> list[str]:
    """The columns of days or months."""
    return [
        name
        for at, name in enumerate(names)
        if cells and all(_DAY.fullmatch(row[at]) for row in cells if at < len(row) and row[at])
    ]


def time_at(
    words: tuple[str, ...], forms: list[str], at: int, names: list[str], cells: list[list[str]]
) -> tuple[dict[str, str], int] | None:
    """`In March`, `March 2026`, `in 2025`, where one column has days or months."""
    columns = dated_columns(names, cells)
    if len(columns) != 1:
        return None
    condition = {"column": columns[0], "is": "contains"}
    column = names.index(columns[0])
    days = [found for row in cells if column < len(row) and (found := _DAY.fullmatch(row[column]))]
    if _YEAR.fullmatch(forms[at]):
        if not any(found[1] == forms[at] for found in days):
            # No day of the table is in that year: the word is about something else.
            return None
        return condition | {"value": f"{forms[at]}-"}, 1
    is_led = at > 0 and forms[at - 1] in _LEADS_TO_A_MONTH
    if forms[at] in _WRITTEN_LARGE and not words[at][:1].isupper() and not is_led:
        return None
    meanings = {each for language in ("en", "de") for each in lexicon(language).phrases.get((forms[at],), ())}
    month = next((int(each.removeprefix("month:")) for each in meanings if each.startswith("month:")), None)
    if month is None:
        return None
    if at + 1 < len(forms) and _YEAR.fullmatch(forms[at + 1]):
        return condition | {"value": f"{forms[at + 1]}-{month:02}"}, 2
    years = sorted({found[1] for found in days if int(found[2]) == month})
    # With several years it is unclear which one is meant.
    return (condition | {"value": f"{years[0]}-{month:02}"}, 1) if len(years) == 1 else None


def by_verb(forms: list[str], columns: list[str]) -> str | None:
    """The one column that a verb is about: who `pays less than 60` has a fee below that."""
    meant = {name for form in forms for name in OF_VERBS.get(form, ())}
    found = [name for name in columns if normal(name) in meant]
    return found[0] if len(found) == 1 else None


def _columns_of(
    cells: list[list[str]], names: list[str], only: str | None, fits: Callable[[str], bool]
) -> dict[str, str]:
    found: dict[str, str] = {}
    for row in cells:
        for at, cell in enumerate(row[: len(names)]):
            if (only is None or names[at] == only) and names[at] not in found and fits(cell):
                found[names[at]] = cell
    return found


def compared(forms: list[str], at: int, numeric: list[str]) -> str | None:
    """Returns the only column of numbers that fits the comparative before `at`: `faster than`."""
    columns = COMPARED.get(forms[at - 2], frozenset()) if at > 1 else frozenset()
    found = [name for name in numeric if normal(name) in columns]
    return found[0] if len(found) == 1 else None


def bound_at(
    meaning: str,
    forms: list[str],
    words: tuple[str, ...],
    at: int,
    names: list[str],
    numeric: list[str],
    last: str | None,
    asked: Asked,
    dated: list[str],
) -> int:
    """`Above 100`, of the column before it, behind it, or the only one of numbers; `before 2026` of the one of days."""
    said = forms[at] if at < len(forms) else ""
    number = said if is_number(said) else str(number_of(said) or _TENS.get(said, ""))
    if not number and (end := _against(meaning, forms, at, names, numeric, last, asked)) is not None:
        return end
    if not number:
        asked.unused.append(words[at - 1])
        return at
    end = at + 1
    if _YEAR.fullmatch(said) and len(dated) == 1 and last not in numeric and meaning in _OF_YEARS:
        sign, day = _OF_YEARS[meaning]
        asked.conditions.append({"column": dated[0], "is": sign, "value": f"{said}-{day}"})
        return end
    behind = past_links(forms, end) if end < len(forms) and forms[end] in {"in", "of", "for"} else end
    column, taken = column_at(forms, behind + (behind < len(forms) and forms[behind] in {"in", "for"}), names)
    if (of_word := compared(forms, at, numeric)) is not None and column is None:
        # `Faster than 100` with a column `tempo`.
        column = of_word
        end += end < len(forms) and forms[end] in UNITS
    elif last in numeric and last in asked.columns:
        asked.columns.remove(last)
        column = last
        end += end < len(forms) and forms[end] in UNITS and column_at(forms, end, names)[0] is None
    elif column in numeric:
        end = behind + taken
    else:
        rest = [name for name in numeric if normal(name) not in {"id", "nr"}]
        if end < len(forms) and forms[end] in MONEY:
            rest = [name for name in rest if normal(name) in PRICES]
            end += 1
        column = rest[0] if len(rest) == 1 else by_verb(forms, rest)
    if column is None:
        asked.unused.append(words[at])
        return end
    if end < len(forms) and forms[end] in MONEY and normal(column) in PRICES:
        end += 1
    asked.conditions.append({"column": column, "is": meaning.removeprefix("bound:"), "value": number})
    return end


# Units of a number that its column already names.
UNITS: Final = frozenset(
    "days day hours hour minutes minute min years year pieces points times kg km pages percent tage tagen tag stunden stunde "
    "minuten jahre jahren stueck punkte mal seiten prozent bpm".split()
)
# Words between `less than` and the column that it is held against.
_TO_A_COLUMN: Final = frozenset(
    "the a our my their its we i they you it to for of what was is be being had have has been der die das den dem wir ich sie fuer als".split()
)


def _against(
    meaning: str, forms: list[str], at: int, names: list[str], numeric: list[str], last: str | None, asked: Asked
) -> int | None:
    """`Less than the minimum`: another column of numbers in place of a number; the words up to its end."""
    while at < len(forms) and forms[at] in _TO_A_COLUMN:
        at += 1
    other, taken = column_at(forms, at, names) if at < len(forms) else (None, 0)
    if other is None or other not in numeric:
        return None
    rest = [name for name in numeric if name != other]
    column = last if last in rest else rest[0] if len(rest) == 1 else by_verb(forms, rest)
    if column is None:
        return None
    if column in asked.columns:
        asked.columns.remove(column)
    asked.own.append(Against(column, meaning.removeprefix("bound:"), other))
    return at + taken


def column_of_number(forms: list[str], at: int, numeric: list[str]) -> str | None:
    """The column of a number that stands alone: of the verb, as in `who pays 60`, or of an amount of money."""
    if not is_number(forms[at]):
        return None
    if at + 1 < len(forms) and forms[at + 1] in MONEY:
        found = [name for name in numeric if normal(name) in PRICES]
        return found[0] if len(found) == 1 else by_verb(forms, numeric)
    return by_verb(forms, numeric)
