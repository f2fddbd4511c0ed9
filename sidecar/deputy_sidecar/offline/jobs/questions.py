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
from deputy_sidecar.offline.jobs.column_conditions import differences, fitting, in_words, measured
from deputy_sidecar.offline.jobs.question_parts import (
    Asked,
    bare,
    by_verb,
    dated_columns,
)
from deputy_sidecar.offline.jobs.question_reading import ROWS, numeric_columns, read_words
from deputy_sidecar.offline.jobs.question_sums import difference, is_of_several, several, totals, worth
from deputy_sidecar.offline.jobs.question_words import HINTS, MEANINGS, OF_DAYS, OF_VERBS, PRICES
from deputy_sidecar.offline.jobs.tables import MOST_LOOKED_AT, MOST_ROWS, shown
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
_TOGETHER: Final = frozenset("together altogether zusammen insgesamt".split())
_BETTER: Final = frozenset("best worst strongest weakest".split())


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
        asked = read_words(self.words, names, cells, posixpath.basename(path).rpartition(".")[0])
        said = (asked.conditions, asked.columns, asked.compute, asked.group, asked.sort, asked.own, asked.worth)
        if asked.unused or not any(said):
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
        several_values = _value_by_value(asked)
        if several_values and asked.compute == "sum" and not asked.group and _TOGETHER & set(asked.forms):
            # `How many minutes are Harbor and Lanterns together`: of both, and not of each.
            return (yield from self._of_all(asked, several_values, path, names, cells, language))
        for each in several_values or [asked]:
            answer = yield from self._answer(each, path, names, cells, language)
            answers += f"\n\n{answer}" if answers else answer
        return answers

    def told_by(self, rows: list[list[str]], *, is_named: bool = False) -> int:
        """How many of its words are conditions and columns of this table, if each word has a meaning there; else 0.

        `is_named` says that the request is about this table, so that its rows alone can be counted.
        """
        names, cells = rows[0], rows[1:]
        stem = posixpath.basename(self.file).rpartition(".")[0]
        asked = read_words(self.words, names, cells, stem)
        if asked.unused or asked.passed:
            return 0
        if is_named and asked.compute == "count" and any(bare(word) in ROWS for word in self.words):
            return 1
        said = len(asked.conditions) + len(asked.columns) + len(asked.group) + len(asked.own) + 2 * bool(asked.worth)
        is_about_it = _is_about(asked.forms, stem)
        counts_rows = asked.compute == "count" and not said
        if is_about_it and (asked.group or counts_rows or (asked.compute is not None and asked.compute != "count")):
            # `Repairs by customer`, `most expensive repair`.
            return said + 1
        ranks = HINTS.get(asked.computed_by, frozenset[str]()) if asked.compute in {"max", "min"} else frozenset[str]()
        said += bool(said) and any(normal(name) in OF_VERBS.get(form, ()) for form in asked.forms for name in names)
        if not said and sum(normal(name) in ranks for name in names) == 1:
            # `Who is the oldest`, where there is a column `age`.
            return 1
        computes = asked.compute or asked.sort or asked.compares or asked.minus or asked.worth
        if not said or not (asked.conditions or asked.own or computes):
            return 0
        return said

    def _asked(self, path: str, language: str, **more: Any) -> Steps:
        what = self.phrase(language)
        result = yield from one(what, Call("table", {"path": path} | more))
        return [line.split("\t") for line in listing(checked(result, language, what)).lines]

    def _answer(self, asked: Asked, path: str, names: list[str], cells: list[list[str]], language: str) -> Steps:
        numeric = numeric_columns(names, cells)
        if asked.own or asked.compares or asked.minus or asked.worth:
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
            if asked.group:
                return above + shown(rows)
            number = rows[1][-1]
            noun = say(language, "row", "Zeile") if number == "1" else say(language, "rows", "Zeilen")
            counted = f"{number} {noun}.{said}"
            if not asked.lists_too or number == "0":
                return counted
            return f"{counted}\n\n" + shown((yield from self._asked(path, language, limit=MOST_ROWS, **where)))
        if (columns := is_of_several(asked, numeric)) and asked.compute is not None:
            compute = [{"of": asked.compute, "column": column} for column in columns]
            rows = yield from self._asked(path, language, group=asked.group, compute=compute, **where)
            if asked.group:
                return above + shown(rows)
            if where and not (yield from self._is_any(path, language, where)):
                return say(language, "No such row.", "Keine solche Zeile.") + said
            return several(columns, rows[1][-len(columns) :]) + f".{said}"
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
        is_whole = asked.asks_who or not _says_more_than_rows(asked, path)
        only = {"columns": columns} if asked.columns and not (is_whole and len(names) <= MOST_COLUMNS) else {}
        sort = {"sort": asked.sort, "descending": asked.is_descending} if asked.sort is not None else {}
        limit = min(asked.limit or MOST_ROWS, MOST_ROWS)
        rows = yield from self._asked(path, language, limit=limit, **only, **where, **sort)
        if len(rows) < 2:
            return say(language, "No such row.", "Keine solche Zeile.") + said
        answer = above + shown(rows)
        if asked.is_by_state and not only and len(prices := [name for name in numeric if normal(name) in PRICES]) == 1:
            # What is owed, row by row: and what it comes to.
            answer += (
                "\n\n"
                + say(language, "Together", "Zusammen")
                + f": {totals(rows[1:], names, prices[0]):.10g} ({prices[0]})."
            )
        return answer

    def _of_all(
        self, asked: Asked, each: list[Asked], path: str, names: list[str], cells: list[list[str]], language: str
    ) -> Steps:
        """The total of the rows that have one of several values."""
        column = _one_number(asked, numeric_columns(names, cells), path, names, cells, language)
        found: list[float] = []
        for one_value in each:
            where = {"where": one_value.conditions}
            rows = (yield from self._asked(path, language, limit=MOST_LOOKED_AT, **where))[1:]
            if not rows or len(rows) >= MOST_LOOKED_AT:
                return say(language, "No such row.", "Keine solche Zeile.") + _in_words(one_value, language)
            found.append(totals(rows, names, column))
        return f"{round(sum(found), 6):.10g} ({column}: {' + '.join(f'{value:.10g}' for value in found)}).{_in_words(asked, language)}"

    def _is_any(self, path: str, language: str, where: dict[str, Any]) -> Steps:
        """Whether a row fits."""
        return len((yield from self._asked(path, language, limit=1, **where))) > 1

    def _of_rows(self, asked: Asked, path: str, names: list[str], numeric: list[str], language: str) -> Steps:
        """What only the cells of each row answer: one column against another, or that a cell says nothing."""
        where: dict[str, Any] = {"where": asked.conditions} if asked.conditions else {}
        rows = (yield from self._asked(path, language, limit=MOST_LOOKED_AT, **where))[1:]
        if (
            asked.worth
            and not asked.own
            and len(rows) < MOST_LOOKED_AT
            and asked.compute in {None, "sum"}
            and not asked.sort
        ):
            kept = [row for row in rows if len(row) >= len(names)]
            return worth(asked, kept, names, language) + _in_words(asked, language)
        if asked.minus and not asked.own and len(rows) < MOST_LOOKED_AT and not asked.group and not asked.sort:
            if not rows:
                return say(language, "No such row.", "Keine solche Zeile.") + _in_words(asked, language)
            one, other = list(dict.fromkeys(name for name in asked.columns if name in numeric))
            return difference(rows, names, one, other) + _in_words(asked, language)
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
            noun = say(language, "row", "Zeile") if len(kept) == 1 else say(language, "rows", "Zeilen")
            return f"{len(kept)} {noun}.{said}" + (f"\n\n{shown([names, *kept[:MOST_ROWS]])}" if kept else "")
        if not kept:
            return say(language, "No such row.", "Keine solche Zeile.") + said
        above = said.strip(" ()") + ":\n\n" if said else ""
        if asked.compares:
            both = [name for name in asked.columns if name in numeric]
            return above + shown(differences(kept[:MOST_ROWS], names, both[0], both[1]))
        return above + shown([names, *kept[:MOST_ROWS]])


def _says_more_than_rows(asked: Asked, path: str) -> bool:
    """Whether a column is asked for: in `what did Holm order`, `order` is what a row of `orders.csv` is."""
    pieces = re.split(r"[\s_-]+", normal(posixpath.basename(path).rpartition(".")[0]))
    stems = {stem_of(piece) for piece in pieces}
    return any(stem_of(name) not in stems for name in asked.columns)


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
    # `How many tickets altogether`: pieces, and no prices.
    is_ranked = is_ranked or asked.computed_by == "how many altogether"
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
    is_total = asked.compute == "sum" and asked.computed_by != "how many altogether"
    if len(found) > 1 and not asked.columns and is_total:
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
