"""Questions to a table in a person's own words: `how many orders did Baker place in orders.csv`.

What the words mean is looked up in the table: its columns, the values in its cells, and words for sums, numbers and bounds.
As everywhere, a word that is none of these stops the question.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from deputy_sidecar.offline.job import Steps
from deputy_sidecar.offline.jobs.question_words import COLUMNS, HINTS, MEANINGS, MONEY, PLAIN, PRICES
from deputy_sidecar.offline.jobs.tables import MOST_LOOKED_AT, MOST_ROWS, is_number, shown
from deputy_sidecar.offline.known_names import KnownNames
from deputy_sidecar.offline.lexicon import lexicon
from deputy_sidecar.offline.looking import checked, one, path_of
from deputy_sidecar.offline.results import listing
from deputy_sidecar.offline.stems import stem_of, stems_of
from deputy_sidecar.offline.steps import Call, NotPossibleError
from deputy_sidecar.offline.tokens import Token, normal
from deputy_sidecar.offline.words.say import in_language as say

__all__ = ["TableQuestion", "table_in", "table_named"]

ENDINGS: Final = (".csv", ".tsv")
MOST_COLUMNS: Final = 6
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


def table_named(tokens: list[Token], known: KnownNames | None) -> tuple[Token, str] | None:
    """The one word that is a table's name without its ending: `the orders above 100`, where `orders.csv` is."""
    found: dict[str, Token] = {}
    for token in tokens:
        for path in known.paths.get(normal(token.text), ()) if known and token.sort in {"word", "path"} else ():
            if path.lower().endswith(ENDINGS):
                found[path] = token
    return next(((token, path) for path, token in found.items()), None) if len(found) == 1 else None


def table_in(tokens: list[Token]) -> Token | None:
    """The one table that a request names."""
    found = [token for token in tokens if token.sort in {"file", "path"} and token.text.lower().endswith(ENDINGS)]
    return found[0] if len(found) == 1 else None


@dataclass
class _Asked:
    """What the words of a question came to."""

    conditions: list[dict[str, str]] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    group: list[str] = field(default_factory=list)
    compute: str | None = None
    # The word for it: `cheapest` says which column.
    computed_by: str = ""
    is_distinct: bool = False
    asks_who: bool = False
    # The column that rows are sorted by, which way, and how many of them are shown.
    sort: str | None = None
    is_descending: bool = False
    limit: int | None = None
    # The column right behind `how many`.
    counted: str | None = None
    unused: list[str] = field(default_factory=list)
    # What rows were called that the table has no word for: `which products`.
    passed: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class TableQuestion:
    """A question to one table."""

    file: str
    # The words of the request as they were typed, without the table's name.
    words: tuple[str, ...]
    is_act: bool = False

    def phrase(self, language: str) -> str:
        """The reading; what the words came to is in the answer."""
        said = " ".join(self.words)
        return say(language, f"ask {self.file}: “{said}”", f"{self.file} fragen: „{said}“")

    def run(self, language: str) -> Steps:
        """Looks at the table, reads the words by it, and asks."""
        path = yield from path_of(self.file, language)
        rows = yield from self._asked(path, language, limit=MOST_LOOKED_AT)
        names, cells = rows[0], rows[1:]
        asked = _read(self.words, names, cells, posixpath.basename(path).rpartition(".")[0])
        if asked.unused or not (asked.conditions or asked.columns or asked.compute or asked.group or asked.sort):
            words = ", ".join(f"“{word}”" for word in asked.unused) or say(language, "it", "die Frage")
            known = ", ".join(names)
            raise NotPossibleError(
                say(
                    language,
                    f"I do not know what {words} means in {path}; its columns are: {known}.",
                    f"Ich weiß nicht, was {words} in {path} bedeutet; die Spalten sind: {known}.",
                )
            )
        return (yield from self._answer(asked, path, names, cells, language))

    def is_answered_by(self, rows: list[list[str]]) -> bool:
        """Whether all words mean something in this table, which the request does not name."""
        names, cells = rows[0], rows[1:]
        stem = posixpath.basename(self.file).rpartition(".")[0]
        asked = _read(self.words, names, cells, stem)
        return (
            not (asked.unused or asked.passed)
            and bool(asked.conditions or asked.columns)
            and bool(asked.conditions or asked.compute or asked.sort)
        )

    def _asked(self, path: str, language: str, **more: Any) -> Steps:
        what = self.phrase(language)
        result = yield from one(what, Call("table", {"path": path} | more))
        return [line.split("\t") for line in listing(checked(result, language, what)).lines]

    def _answer(self, asked: _Asked, path: str, names: list[str], cells: list[list[str]], language: str) -> Steps:
        numeric = _numeric(names, cells)
        where: dict[str, Any] = {"where": asked.conditions} if asked.conditions else {}
        said = _in_words(asked, language)
        above = said.strip(" ()") + ":\n\n" if said else ""
        if asked.compute == "count" and asked.counted is not None and not asked.group:
            rows = yield from self._asked(
                path, language, group=[asked.counted], compute=[{"of": "count"}], limit=MOST_LOOKED_AT, **where
            )
            values = ", ".join(row[0] for row in rows[1:][:MOST_ROWS])
            return say(language, f"{len(rows) - 1} different", f"{len(rows) - 1} verschiedene") + f": {values}.{said}"
        if asked.compute == "count" or (asked.group and asked.compute is None):
            rows = yield from self._asked(path, language, group=asked.group, compute=[{"of": "count"}], **where)
            if asked.is_descending:
                rows = [rows[0], *sorted(rows[1:], key=lambda row: -int(row[-1]))]
            return above + shown(rows) if asked.group else f"{rows[1][-1]}.{said}"
        if asked.compute is not None:
            column = _one_number(asked, numeric, path, names, language)
            if asked.compute in {"max", "min"} and not asked.group:
                top = {"sort": column, "descending": asked.compute == "max", "limit": 1}
                rows = yield from self._asked(path, language, **top, **where)
                if len(rows) < 2:
                    return say(language, "No such row.", "Keine solche Zeile.") + said
                best = rows[1][names.index(column)]
                return f"{column}: {best}.{said}\n\n{shown(rows)}"
            rows = yield from self._asked(
                path, language, group=asked.group, compute=[{"of": asked.compute, "column": column}], **where
            )
            return above + shown(rows) if asked.group else f"{rows[1][-1]} ({column}).{said}"
        columns = [*dict.fromkeys([*asked.columns, *(each["column"] for each in asked.conditions)])]
        # `Who has the number 0151-24`: a row is told by its other columns.
        only = {"columns": columns} if asked.columns and not (asked.asks_who and len(names) <= MOST_COLUMNS) else {}
        sort = {"sort": asked.sort, "descending": asked.is_descending} if asked.sort is not None else {}
        limit = min(asked.limit or MOST_ROWS, MOST_ROWS)
        rows = yield from self._asked(path, language, limit=limit, **only, **where, **sort)
        if len(rows) < 2:
            return say(language, "No such row.", "Keine solche Zeile.") + said
        return above + shown(rows)


def _one_number(asked: _Asked, numeric: list[str], path: str, names: list[str], language: str) -> str:
    hinted = [name for name in numeric if normal(name) in HINTS.get(asked.computed_by, ())]
    found = (
        list(dict.fromkeys(name for name in asked.columns if name in numeric))
        or (hinted if len(hinted) == 1 else [])
        or [name for name in numeric if name not in {each["column"] for each in asked.conditions}]
    )
    if len(found) > 1 and not asked.columns:
        # Numbers that only count the rows are nothing to add up.
        found = [name for name in found if normal(name) not in {"id", "nr", "no", "number", "nummer"}]
    if len(found) != 1:
        known = ", ".join(names)
        raise NotPossibleError(
            say(
                language,
                f"Say which column of {path} is meant; its columns are: {known}.",
                f"Bitte sagen, welche Spalte von {path} gemeint ist; die Spalten sind: {known}.",
            )
        )
    return found[0]


def _in_words(asked: _Asked, language: str) -> str:
    """The conditions as they were understood."""
    if not asked.conditions:
        return ""
    signs = {"contains": say(language, "with", "mit")}
    parts = [f"{each['column']} {signs.get(each['is'], each['is'])} {each['value']}" for each in asked.conditions]
    return " (" + ", ".join(parts) + ")"


def _numeric(names: list[str], cells: list[list[str]]) -> list[str]:
    return [
        name
        for at, name in enumerate(names)
        if cells and all(is_number(row[at]) for row in cells if at < len(row) and row[at])
    ]


_OR_MORE: Final = re.compile(
    r"(\d[\d.,-]*) (?:or|and|oder|und) (?:(later|more|after|newer|above|up|higher|over|mehr|später|neuer|höher|darüber)|"
    r"(?:earlier|less|before|fewer|lower|below|under|weniger|früher|niedriger|darunter))\b",
    re.IGNORECASE,
)


def _with_bounds_ahead(words: tuple[str, ...]) -> tuple[str, ...]:
    """`2024 or later` as `at least 2024`."""
    said = _OR_MORE.sub(lambda found: f"at {'least' if found[2] else 'most'} {found[1]}", " ".join(words))
    return tuple(said.split(" "))


def _read(words: tuple[str, ...], names: list[str], cells: list[list[str]], stem: str) -> _Asked:
    """Reads the words by the table."""
    words = _with_bounds_ahead(words)
    asked = _Asked()
    forms = [_bare(word) for word in words]
    numeric = _numeric(names, cells)
    subject = {normal(piece) for piece in re.split(r"[\s_-]+", stem)}
    pending: str | None = None
    last: str | None = None
    is_not = False
    subject_at = -1
    at = 0
    while at < len(forms):
        meaning, taken = _meaning(forms, at)
        column, columns = _column_at(forms, at, names)
        if column is not None and meaning is not None and taken > columns:
            # `Ordered by` is not a column `order`.
            column = None
        if column is not None:
            after = at + columns
            value, values = _value_at(words, forms, _past(forms, after), cells, names, only=column)
            if pending in {"per", "sort"}:
                if pending == "per":
                    asked.group.append(column)
                else:
                    asked.sort = column
                pending = None
            elif value is not None:
                asked.conditions.append({"column": column, "is": "!=" if is_not else value[1], "value": value[0]})
                after, is_not = _past(forms, after) + values, False
            else:
                asked.columns.append(column)
                if asked.compute == "count" and asked.counted is None and not asked.conditions and at <= 3:
                    asked.counted = column
            last, at = column, after
        elif meaning is not None and meaning.startswith("bound:"):
            at = _bound(meaning, forms, words, at + taken, names, numeric, last, asked, _dated(names, cells))
        elif meaning is not None:
            if meaning.startswith("compute:"):
                is_vague = asked.computed_by in {"how much", "wie viel", "wieviel"} or " " in asked.computed_by
                is_vague = is_vague or (asked.compute == "count" and meaning == "compute:sum")
                if asked.compute not in {None, meaning.removeprefix("compute:")} and not is_vague:
                    # `The average and the highest`: one after the other.
                    asked.unused.append(words[at])
                is_of_many = asked.compute == "count" and meaning == "compute:sum"
                asked.compute = meaning.removeprefix("compute:")
                asked.computed_by = "how many altogether" if is_of_many else " ".join(forms[at : at + taken])
            elif meaning == "frequent":
                # `Which category has the most entries`.
                asked.compute, asked.is_descending = "count", True
                asked.group, asked.columns = asked.columns[-1:], asked.columns[:-1]
                if not asked.group:
                    asked.unused.append(words[at])
            elif meaning == "distinct":
                asked.is_distinct = True
            elif meaning == "who":
                if asked.compute is not None and at and forms[at - 1] in {"and", "und"}:
                    # A second question behind the first.
                    asked.unused.append(words[at])
                asked.asks_who = True
                # `Which products`: what a row is, whatever its column is called.
                subject_at = at + taken
            elif meaning == "not":
                is_not = True
            elif meaning in {"descending", "ascending"}:
                asked.is_descending = meaning == "descending"
                if asked.sort is None:
                    asked.unused.append(words[at])
            elif meaning == "first":
                number = _number(forms[at + taken]) if at + taken < len(forms) else None
                if number is None or asked.limit is not None or asked.compute is not None:
                    asked.unused.append(words[at])
                else:
                    asked.limit = number
                    # `The top two` of what is sorted are the highest.
                    asked.is_descending = asked.is_descending or (forms[at] == "top" and asked.sort is not None)
                    taken += 1
            elif pending != "sort" or meaning != "per":
                # `Sort by`, where `by` alone would be `for each`.
                pending = meaning
            at += taken
        else:
            time = _time_at(words, forms, at, names, cells)
            value, values = _value_at(words, forms, at, cells, names)
            if time is not None and not is_not:
                asked.conditions.append(time[0])
                last, at = time[0]["column"], at + time[1]
            elif value is not None and forms[at] not in PLAIN:
                asked.conditions.append({"column": value[2], "is": "!=" if is_not else value[1], "value": value[0]})
                is_not, last = False, value[2]
                at += values
            else:
                # A plural, or a German noun.
                is_subject = 0 < at == subject_at and (forms[at][-1:] in {"s", "n"} or words[at][:1].isupper())
                if not _is_plain(forms[at], subject):
                    (asked.passed if is_subject else asked.unused).append(words[at])
                at += 1
    if pending is not None or is_not:
        asked.unused.append(words[-1])
    if asked.is_distinct and asked.counted is None:
        asked.counted = asked.columns[0] if len(asked.columns) == 1 else None
        asked.compute = "count"
    return asked


def _number(form: str) -> int | None:
    """A number in digits or as a word."""
    if form.isdecimal():
        return int(form) or None
    meanings = {each for language in ("en", "de") for each in lexicon(language).phrases.get((form,), ())}
    found = next((each.removeprefix("number:") for each in meanings if each.startswith("number:")), "")
    return int(found) if found.isdecimal() and int(found) else None


def _bare(word: str) -> str:
    form = normal(word).strip("?.!,:;")
    return form.removesuffix("'s")


def _is_plain(form: str, subject: set[str]) -> bool:
    if any(stem in {stem_of(each) for each in subject} for stem in stems_of(form)):
        # `Bestellungen` in `orders.csv`.
        return True
    if form in PLAIN or form in subject or f"{form}s" in subject or form.removesuffix("s") in subject or not form:
        return True
    return any("filler" in lexicon(language).phrases.get((form,), ()) for language in ("en", "de"))


def _past(forms: list[str], at: int) -> int:
    """Past `is`, `of a` and the like."""
    while at < len(forms) and forms[at] in {
        "is",
        "of",
        "a",
        "an",
        "=",
        "equals",
        "the",
        "ist",
        "von",
        "with",
        "mit",
        "are",
        "als",
    }:
        at += 1
    return at


def _meaning(forms: list[str], at: int) -> tuple[str | None, int]:
    for length in (3, 2, 1):
        found = MEANINGS.get(tuple(forms[at : at + length]))
        if found is not None and at + length <= len(forms):
            return found, length
    return None, 0


def _column_at(forms: list[str], at: int, names: list[str]) -> tuple[str | None, int]:
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
    return (alike[0], 1) if len(alike) == 1 else (None, 0)


Value = tuple[str, str, str]


def _value_at(
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
            is_year = _YEAR.fullmatch(said) is not None and only in _dated(names, cells)
            return (f"{said}-" if is_year else said, "contains" if is_year else "=", only), 1
        if length == 1 and len(said) > 2 and not is_number(said):
            part = _columns_of(cells, names, only, lambda cell, said=said: said in normal(cell).split())  # type: ignore[misc]
            if not part and len(said) > _SHORTEST_STEM:
                # `Tenors`, where the cells say `tenor`.
                same = _columns_of(cells, names, only, lambda cell, said=said: stem_of(cell) == stem_of(said))  # type: ignore[misc]
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
# Months that are other words as well.
_WRITTEN_LARGE: Final = frozenset("may march mar sep dec jan".split())


def _dated(names: list[str], cells: list[list[str]]) -> list[str]:
    """The columns of days or months."""
    return [
        name
        for at, name in enumerate(names)
        if cells and all(_DAY.fullmatch(row[at]) for row in cells if at < len(row) and row[at])
    ]


def _time_at(
    words: tuple[str, ...], forms: list[str], at: int, names: list[str], cells: list[list[str]]
) -> tuple[dict[str, str], int] | None:
    """`In March`, `March 2026`, `in 2025`, where one column has days or months."""
    columns = _dated(names, cells)
    if len(columns) != 1:
        return None
    condition = {"column": columns[0], "is": "contains"}
    if _YEAR.fullmatch(forms[at]):
        return condition | {"value": f"{forms[at]}-"}, 1
    if forms[at] in _WRITTEN_LARGE and not words[at][:1].isupper():
        return None
    meanings = {each for language in ("en", "de") for each in lexicon(language).phrases.get((forms[at],), ())}
    month = next((int(each.removeprefix("month:")) for each in meanings if each.startswith("month:")), None)
    if month is None:
        return None
    if at + 1 < len(forms) and _YEAR.fullmatch(forms[at + 1]):
        return condition | {"value": f"{forms[at + 1]}-{month:02}"}, 2
    column = names.index(columns[0])
    days = [found for row in cells if column < len(row) and (found := _DAY.fullmatch(row[column]))]
    years = sorted({found[1] for found in days if int(found[2]) == month})
    # Of several years nobody knows which is meant.
    return (condition | {"value": f"{years[0]}-{month:02}"}, 1) if len(years) == 1 else None


def _columns_of(
    cells: list[list[str]], names: list[str], only: str | None, fits: Callable[[str], bool]
) -> dict[str, str]:
    found: dict[str, str] = {}
    for row in cells:
        for at, cell in enumerate(row[: len(names)]):
            if (only is None or names[at] == only) and names[at] not in found and fits(cell):
                found[names[at]] = cell
    return found


def _bound(
    meaning: str,
    forms: list[str],
    words: tuple[str, ...],
    at: int,
    names: list[str],
    numeric: list[str],
    last: str | None,
    asked: _Asked,
    dated: list[str],
) -> int:
    """`Above 100`, of the column before it, behind it, or the only one of numbers; `before 2026` of the one of days."""
    said = forms[at] if at < len(forms) else ""
    number = said if is_number(said) else str(_number(said) or _TENS.get(said, ""))
    if not number:
        asked.unused.append(words[at - 1])
        return at
    end = at + 1
    if _YEAR.fullmatch(said) and len(dated) == 1 and last not in numeric and meaning in _OF_YEARS:
        sign, day = _OF_YEARS[meaning]
        asked.conditions.append({"column": dated[0], "is": sign, "value": f"{said}-{day}"})
        return end
    behind = _past(forms, end) if end < len(forms) and forms[end] in {"in", "of", "for"} else end
    column, taken = _column_at(forms, behind + (behind < len(forms) and forms[behind] in {"in", "for"}), names)
    if last in numeric and last in asked.columns:
        asked.columns.remove(last)
        column = last
    elif column in numeric:
        end = behind + taken
    else:
        rest = [name for name in numeric if normal(name) not in {"id", "nr"}]
        if end < len(forms) and forms[end] in MONEY:
            rest = [name for name in rest if normal(name) in PRICES]
            end += 1
        column = rest[0] if len(rest) == 1 else None
    if column is None:
        asked.unused.append(words[at])
        return end
    if end < len(forms) and forms[end] in MONEY and normal(column) in PRICES:
        end += 1
    asked.conditions.append({"column": column, "is": meaning.removeprefix("bound:"), "value": number})
    return end
