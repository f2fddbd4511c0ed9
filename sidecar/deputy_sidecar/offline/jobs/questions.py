"""Questions to a table in a person's own words: `how many orders did Baker place in orders.csv`.

What the words mean is looked up in the table: its columns, the values in its cells, and words for sums, numbers and bounds.
As everywhere, a word that is none of these stops the question.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

from deputy_sidecar.offline.job import Steps
from deputy_sidecar.offline.jobs.column_conditions import Nothing, differences, fitting, in_words, measured
from deputy_sidecar.offline.jobs.question_parts import (
    Asked,
    bare,
    bound_at,
    by_verb,
    column_at,
    column_of_number,
    dated_columns,
    is_plain,
    meaning_at,
    number_of,
    past_links,
    time_at,
    value_at,
)
from deputy_sidecar.offline.jobs.question_words import HINTS, MEANINGS, MONEY, OF_DAYS, OF_VERBS, PLAIN, PRICES
from deputy_sidecar.offline.jobs.tables import MOST_LOOKED_AT, MOST_ROWS, is_number, shown
from deputy_sidecar.offline.known_names import KnownNames
from deputy_sidecar.offline.looking import checked, one, path_of
from deputy_sidecar.offline.phrasing import quoted
from deputy_sidecar.offline.results import listing
from deputy_sidecar.offline.stems import stem_of
from deputy_sidecar.offline.steps import Call, NotPossibleError
from deputy_sidecar.offline.tokens import Token, normal
from deputy_sidecar.offline.words.say import in_language as say

__all__ = ["TableQuestion", "ranked_rows", "table_in", "table_named"]

ENDINGS: Final = (".csv", ".tsv")
MOST_COLUMNS: Final = 6
_ROWS: Final = frozenset("row rows record records entry entries zeile zeilen eintrag eintraege datensaetze".split())


def table_named(tokens: list[Token], known: KnownNames | None) -> tuple[Token, str] | None:
    """The one word that is a table's name without its ending: `the orders above 100`, where `orders.csv` is."""
    found: dict[str, Token] = {}
    for token in tokens:
        for path in known.paths.get(normal(token.text), ()) if known and token.sort in {"word", "path"} else ():
            if path.lower().endswith(ENDINGS):
                found[path] = token
    return next(((token, path) for path, token in found.items()), None) if len(found) == 1 else None


def ranked_rows(tokens: list[Token], known: KnownNames | None) -> tuple[Token, str] | None:
    """`The youngest member`, where `members.csv` is: a row of that table, unless other names have the word."""
    for before, token in pairwise(tokens):
        meaning = MEANINGS.get((before.form,), "")
        if known is None or token.sort != "word" or meaning not in {"compute:max", "compute:min"}:
            continue
        paths = {path for tail in ("s", "es", "n", "en", "er") for path in known.paths.get(f"{token.form}{tail}", ())}
        # `The newest invoice`, where `invoice 12.pdf` is: a file.
        is_one = token.form in known.pieces
        tables = {path for path in paths if path.lower().endswith(ENDINGS)}
        path = next(iter(tables), "")
        if len(tables) == 1 and not is_one:
            return token, path
    return None


def table_in(tokens: list[Token]) -> Token | None:
    """The one table that a request names."""
    found = [token for token in tokens if token.sort in {"file", "path"} and token.text.lower().endswith(ENDINGS)]
    return found[0] if len(found) == 1 else None


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
        says_something = asked.conditions or asked.columns or asked.compute or asked.group or asked.sort or asked.own
        if asked.unused or not says_something:
            words = quoted(asked.unused, language) or say(language, "it", "die Frage")
            known = ", ".join(names)
            raise NotPossibleError(
                say(
                    language,
                    f"I could not find {words} in {path}; its columns are: {known}.",
                    f"In {path} finde ich {words} nicht; die Spalten sind: {known}.",
                )
            )
        answers = ""
        for each in _value_by_value(asked) or [asked]:
            answer = yield from self._answer(each, path, names, cells, language)
            answers += f"\n\n{answer}" if answers else answer
        return answers

    def told_by(self, rows: list[list[str]], *, is_named: bool = False) -> int:
        """How many of its words are conditions and columns of this table, if each word has a meaning there; else 0.

        `is_named` says that the request is about this table, so that its rows alone can be counted.
        """
        names, cells = rows[0], rows[1:]
        stem = posixpath.basename(self.file).rpartition(".")[0]
        asked = _read(self.words, names, cells, stem)
        if asked.unused or asked.passed:
            return 0
        if is_named and asked.compute == "count" and any(bare(word) in _ROWS for word in self.words):
            return 1
        said = len(asked.conditions) + len(asked.columns) + len(asked.group) + len(asked.own)
        is_about_it = _is_about(asked.forms, stem)
        if is_about_it and (asked.group or (asked.compute is not None and asked.compute != "count")):
            # `Repairs by customer`, `most expensive repair`.
            return said + 1
        ranks = HINTS.get(asked.computed_by, frozenset[str]()) if asked.compute in {"max", "min"} else frozenset[str]()
        if not said and sum(normal(name) in ranks for name in names) == 1:
            # `Who is the oldest`, where there is a column `age`.
            return 1
        if not said or not (asked.conditions or asked.own or asked.compute or asked.sort or asked.compares):
            return 0
        return said

    def _asked(self, path: str, language: str, **more: Any) -> Steps:
        what = self.phrase(language)
        result = yield from one(what, Call("table", {"path": path} | more))
        return [line.split("\t") for line in listing(checked(result, language, what)).lines]

    def _answer(self, asked: Asked, path: str, names: list[str], cells: list[list[str]], language: str) -> Steps:
        numeric = _numeric(names, cells)
        if asked.own or asked.compares:
            return (yield from self._of_rows(asked, path, names, numeric, language))
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
            column = _one_number(asked, numeric, path, names, cells, language)
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
            if asked.group:
                return above + shown(rows)
            if where and not (yield from self._is_any(path, language, where)):
                # A total of no rows would be 0, which looks like an answer.
                return say(language, "No such row.", "Keine solche Zeile.") + said
            return f"{rows[1][-1]} ({column}).{said}"
        columns = [*dict.fromkeys([*asked.columns, *(each["column"] for each in asked.conditions)])]
        # `Who has the number 0151-24`: the answer is the row's other columns.
        only = {"columns": columns} if asked.columns and not (asked.asks_who and len(names) <= MOST_COLUMNS) else {}
        sort = {"sort": asked.sort, "descending": asked.is_descending} if asked.sort is not None else {}
        limit = min(asked.limit or MOST_ROWS, MOST_ROWS)
        rows = yield from self._asked(path, language, limit=limit, **only, **where, **sort)
        if len(rows) < 2:
            return say(language, "No such row.", "Keine solche Zeile.") + said
        return above + shown(rows)

    def _is_any(self, path: str, language: str, where: dict[str, Any]) -> Steps:
        """Whether a row fits."""
        return len((yield from self._asked(path, language, limit=1, **where))) > 1

    def _of_rows(self, asked: Asked, path: str, names: list[str], numeric: list[str], language: str) -> Steps:
        """What only the cells of each row answer: one column against another, or that a cell says nothing."""
        where: dict[str, Any] = {"where": asked.conditions} if asked.conditions else {}
        rows = (yield from self._asked(path, language, limit=MOST_LOOKED_AT, **where))[1:]
        if len(rows) >= MOST_LOOKED_AT or asked.group or asked.sort or asked.compute not in {None, "count"}:
            raise NotPossibleError(
                say(
                    language,
                    f"I can only list or count the rows of {path} by that. Nothing was done.",
                    f"Danach kann ich die Zeilen von {path} nur auflisten oder zählen. Nichts wurde getan.",
                )
            )
        kept = fitting(rows, names, asked.own)
        said = _in_words(asked, language)
        if asked.compute == "count":
            return f"{len(kept)}.{said}" + (f"\n\n{shown([names, *kept[:MOST_ROWS]])}" if kept else "")
        if not kept:
            return say(language, "No such row.", "Keine solche Zeile.") + said
        above = said.strip(" ()") + ":\n\n" if said else ""
        if asked.compares:
            both = [name for name in asked.columns if name in numeric]
            return above + shown(differences(kept[:MOST_ROWS], names, both[0], both[1]))
        return above + shown([names, *kept[:MOST_ROWS]])


def _is_about(forms: list[str], stem: str) -> bool:
    """Whether the question names the table by a word of its name."""
    pieces = {stem_of(piece) for piece in re.split(r"[\s_-]+", normal(stem)) if not piece.isdecimal()}
    return any(stem_of(form) in pieces for form in forms if form)


def _value_by_value(asked: Asked) -> list[Asked] | None:
    """`How many live in Jena and how many in Weimar`: two values of a column are two questions."""
    same = [each for each in asked.conditions if each["is"] == "=" or (asked.alternative and each["is"] == "contains")]
    columns = {each["column"] for each in same}
    twice = [column for column in columns if sum(each["column"] == column for each in same) > 1]
    if len(twice) != 1:
        return None
    own = [each for each in same if each["column"] == twice[0]]
    rest = [each for each in asked.conditions if each not in own]
    return [replace(asked, conditions=[each, *rest]) for each in own]


def _one_number(
    asked: Asked, numeric: list[str], path: str, names: list[str], cells: list[list[str]], language: str
) -> str:
    hints = HINTS.get(asked.computed_by)
    hinted = [name for name in numeric if normal(name) in (hints or ())]
    named = list(dict.fromkeys(name for name in asked.columns if name in numeric))
    dated = dated_columns(names, cells) if asked.computed_by in OF_DAYS else []
    is_ranked = asked.compute in {"max", "min"} and (hints is not None or asked.computed_by in OF_DAYS)
    if asked.computed_by in _BETTER and named and named != hinted:
        raise NotPossibleError(
            say(
                language,
                f"Say whether the highest or the lowest {named[0]} in {path} is meant.",
                f"Bitte sagen, ob {named[0]} in {path} am höchsten oder am niedrigsten sein soll.",
            )
        )
    found = (
        named
        or (hinted if len(hinted) == 1 else [])
        or (dated if len(dated) == 1 else [])
        # `The youngest`, `the cheapest`: by a column that says so, and by no other.
        or ([] if is_ranked and not hinted else hinted)
        or (
            [] if is_ranked else [name for name in numeric if name not in {each["column"] for each in asked.conditions}]
        )
    )
    if len(found) > 1 and (of_verb := by_verb(asked.forms, found)) is not None:
        # `How many chairs did Quick order`: of quantity and price, the first.
        return of_verb
    if len(found) > 1 and not asked.columns:
        # Numbers that only count the rows are nothing to add up.
        found = measured(names, found, cells)
    if len(found) > 1 and not asked.columns and asked.compute == "sum":
        # A total of hours and money is that of the money, unless there are pieces that it would be the price of.
        prices = [name for name in found if normal(name) in PRICES]
        is_per_piece = any(normal(name) in HINTS["how many altogether"] for name in found)
        found = prices if len(prices) == 1 and not is_per_piece else found
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


def _in_words(asked: Asked, language: str) -> str:
    """The conditions as they were understood."""
    if not asked.conditions and not asked.own:
        return ""
    signs = {"contains": say(language, "with", "mit")}
    parts = [f"{each['column']} {signs.get(each['is'], each['is'])} {each['value']}" for each in asked.conditions]
    return " (" + ", ".join([*parts, *(in_words(each, language) for each in asked.own)]) + ")"


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

# `Cost more to buy than to sell`.
_MORE_TO: Final = re.compile(r"\b(more|less) to (\w+) than to (\w+)", re.IGNORECASE)


def _with_bounds_ahead(words: tuple[str, ...]) -> tuple[str, ...]:
    """`2024 or later` as `at least 2024`."""
    said = _OR_MORE.sub(lambda found: f"at {'least' if found[2] else 'most'} {found[1]}", " ".join(words))
    said = _MORE_TO.sub(r"\2 \1 than \3", said)
    return tuple(said.split(" "))


def _with_not_ahead(words: tuple[str, ...], names: list[str], cells: list[list[str]]) -> tuple[str, ...]:
    """`Unexcused` as `not excused`, where that is a column, and no cell says the word itself."""
    said = {normal(cell) for row in cells for cell in row}
    out: list[str] = []
    for word in words:
        form = bare(word)
        rest = form.removeprefix("un")
        is_column = rest != form and form not in said and column_at([rest], 0, names)[0] is not None
        out += ["not", rest] if is_column else [word]
    return tuple(out)


def _read(words: tuple[str, ...], names: list[str], cells: list[list[str]], stem: str) -> Asked:
    """Reads the words by the table."""
    words = _with_not_ahead(_with_bounds_ahead(words), names, cells)
    forms = [bare(word) for word in words]
    asked = Asked(forms=forms)
    numeric = _numeric(names, cells)
    subject = {normal(piece) for piece in re.split(r"[\s_-]+", stem)}
    pending: str | None = None
    last: str | None = None
    is_not = False
    subject_at = -1
    at = 0
    while at < len(forms):
        meaning, taken = meaning_at(forms, at)
        column, columns = column_at(forms, at, names)
        if column is not None and meaning is not None and taken > columns:
            # `Ordered by` is not a column `order`.
            column = None
        if column is not None:
            after = at + columns
            value, values = value_at(words, forms, past_links(forms, after), cells, names, only=column)
            if pending in {"per", "sort"}:
                if pending == "per":
                    asked.group.append(column)
                else:
                    asked.sort = column
                pending = None
            elif value is not None:
                asked.conditions.append({"column": column, "is": "!=" if is_not else value[1], "value": value[0]})
                after, is_not = past_links(forms, after) + values, False
            elif (said := _said_of(column, names, cells, is_not=is_not)) is not None and not _is_listed(forms, at):
                # `Excused absences`, where the column says yes or no.
                asked.conditions.append({"column": column, "is": "=", "value": said})
                is_not = False
            elif is_not and forms[at - 1] not in _LEAVE_OUT:
                # `Who has no phone`.
                asked.own.append(Nothing(column))
                is_not = False
            else:
                asked.columns.append(column)
                if asked.compute == "count" and asked.counted is None and not asked.conditions and at <= 3:
                    asked.counted = column
            last, at = column, after
        elif meaning is not None and meaning.startswith("bound:"):
            at = bound_at(meaning, forms, words, at + taken, names, numeric, last, asked, dated_columns(names, cells))
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
            elif meaning == "compare":
                asked.compares = True
            elif meaning == "or":
                asked.alternative = words[at]
            elif meaning in {"descending", "ascending"}:
                asked.is_descending = meaning == "descending"
                if asked.sort is None:
                    asked.unused.append(words[at])
            elif meaning == "first":
                number = number_of(forms[at + taken]) if at + taken < len(forms) else None
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
            time = time_at(words, forms, at, names, cells)
            value, values = value_at(words, forms, at, cells, names)
            if time is not None and not is_not:
                asked.conditions.append(time[0])
                last, at = time[0]["column"], at + time[1]
            elif value is not None and (forms[at] not in PLAIN or _is_a_state(value, forms[at], names, cells)):
                asked.conditions.append({"column": value[2], "is": "!=" if is_not else value[1], "value": value[0]})
                is_not, last = False, value[2]
                at += values
            elif is_not and (of_verb := _of_verb(forms[at], names)) is not None:
                # `Who has not paid`.
                asked.own.append(Nothing(of_verb))
                is_not = False
                at += 1
            elif (of_number := column_of_number(forms, at, numeric)) is not None and not is_not:
                asked.conditions.append({"column": of_number, "is": "=", "value": forms[at]})
                last = of_number
                at += 2 if at + 1 < len(forms) and forms[at + 1] in MONEY else 1
            else:
                # A plural, or a German noun.
                is_subject = 0 < at == subject_at and (forms[at][-1:] in {"s", "n"} or words[at][:1].isupper())
                if not is_plain(forms[at], subject):
                    (asked.passed if is_subject else asked.unused).append(words[at])
                at += 1
    if pending is not None or is_not:
        asked.unused.append(words[-1])
    _settle(asked, names, numeric, cells)
    if asked.is_distinct and asked.counted is None:
        asked.counted = asked.columns[0] if len(asked.columns) == 1 else None
        asked.compute = "count"
    return asked


_BETTER: Final = frozenset("best worst strongest weakest".split())
# What leaves out a column, and asks for none that are empty.
_LEAVE_OUT: Final = frozenset("except than ausser but".split())
_COLUMNS: Final = frozenset("column columns spalte spalten".split())
_MOST_STATES: Final = 6
_SHORTEST_STATE: Final = 4


def _settle(asked: Asked, names: list[str], numeric: list[str], cells: list[list[str]]) -> None:
    """What the whole question makes of a few words: `or`, `compare`, `how many days`."""
    of_one = {each["column"] for each in asked.conditions}
    values = [each["column"] for each in asked.conditions if each["is"] in {"=", "contains"}]
    if asked.alternative is not None and sum(values.count(column) > 1 for column in of_one) != 1:
        asked.unused.append(asked.alternative)
    if any(isinstance(each, Nothing) for each in asked.own) and _COLUMNS & set(asked.forms):
        # `All columns without email`.
        asked.unused.append(next(form for form in asked.forms if form in _COLUMNS))
    if asked.compares and sum(name in numeric for name in asked.columns) != 2:
        asked.unused.append(next(word for word in asked.forms if word))
    if asked.compute in {"sum", "average"} and not asked.group:
        # A column that is not added up, and says no more: it was not understood.
        asked.unused += [name for name in asked.columns if name not in numeric and name not in of_one]
    added_up = [name for name in asked.columns if name in measured(names, numeric, cells)]
    if asked.group and asked.compute is None and len(added_up) == 1:
        # `Hours per student`.
        asked.compute = "sum"
    counted = asked.counted
    is_measured = counted in measured(names, numeric, cells) and counted not in of_one
    if asked.compute == "count" and is_measured and not asked.is_distinct and asked.conditions and not asked.group:
        # `How many days was city 2 rented`: days to add up, and no rows.
        asked.compute = "sum"


_YES: Final = frozenset("yes ja true x".split())
_NO: Final = frozenset("no nein false".split())


def _said_of(column: str, names: list[str], cells: list[list[str]], *, is_not: bool) -> str | None:
    """What a column that only says yes or no holds where it is so, or where it is not."""
    at = names.index(column)
    states = {row[at] for row in cells if at < len(row) and row[at]}
    if not states or not all(normal(state) in _YES | _NO for state in states):
        return None
    return next((state for state in states if normal(state) in (_NO if is_not else _YES)), None)


def _is_listed(forms: list[str], at: int) -> bool:
    """Whether a column is what is asked for, as in `who and excused`, `show excused`."""
    return at > 0 and (forms[at - 1] in {"and", "und", "show", "list", "column", "spalte", "by", "per", "je"})


def _is_a_state(value: tuple[str, str, str], form: str, names: list[str], cells: list[list[str]]) -> bool:
    """Whether a word that else says nothing is one of a column's few values: `how many repairs are paid`."""
    at = names.index(value[2])
    states = {normal(row[at]) for row in cells if at < len(row)}
    return value[1] == "=" and len(form) >= _SHORTEST_STATE and len(states) <= _MOST_STATES


def _of_verb(form: str, names: list[str]) -> str | None:
    """The one column that a verb is about."""
    found = [name for name in names if normal(name) in OF_VERBS.get(form, ())]
    return found[0] if len(found) == 1 else None
