"""CSV and TSV files: rows, columns, conditions, order, sums."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from deputy_sidecar.offline.forms import Form, Slots
from deputy_sidecar.offline.job import Job, Steps
from deputy_sidecar.offline.lexicon import lexicon
from deputy_sidecar.offline.looking import checked, one, path_of
from deputy_sidecar.offline.results import listing
from deputy_sidecar.offline.steps import Call, NotPossibleError
from deputy_sidecar.offline.tokens import normal
from deputy_sidecar.offline.words.say import in_language as say

__all__ = ["FORMS", "MOST_LOOKED_AT", "MOST_ROWS", "Ask", "is_number", "shown"]

MOST_ROWS: Final = 60
# Rows that are looked at to find the column that a value is in.
MOST_LOOKED_AT: Final = 500


@dataclass(frozen=True)
class Ask:
    """A question to a table; columns as they were said, a value without one, a bound on the only column of numbers."""

    file: str
    what: str
    column: str = ""
    group: str = ""
    value: str = ""
    # `=`, `>`, `<` and so on, of `column`, or of the only column of numbers.
    compare: str = ""
    is_descending: bool = False
    rows: int = 0
    # Words that have to be a column or the table itself, so that none is passed by.
    subject: str = ""
    is_act: bool = field(default=False)

    def phrase(self, language: str) -> str:
        """The reading."""
        column, per = self.column, say(language, f" for each {self.group}", f" je {self.group}") if self.group else ""
        bound = f"{column} {self.compare} {self.value}".strip() if self.compare else f"“{self.value}”"
        said = {
            "columns": ("name the columns", "die Spalten nennen"),
            "count": (f"count the rows{per}", f"die Zeilen zählen{per}"),
            "rows": (f"show the first {self.rows} rows", f"die ersten {self.rows} Zeilen zeigen"),
            "where": (f"show the rows with {bound}", f"die Zeilen mit {bound} zeigen"),
            "sort": (
                f"show the rows by {column}, {'highest' if self.is_descending else 'lowest'} first",
                f"die Zeilen nach {column} zeigen, {'absteigend' if self.is_descending else 'aufsteigend'}",
            ),
            "sum": (f"add up {column or 'the numbers'}{per}", f"{column or 'die Zahlen'} zusammenzählen{per}"),
            "average": (f"take the average of {column}{per}", f"den Durchschnitt von {column} bilden{per}"),
            "max": (f"find the largest {column}{per}", f"das größte {column} finden{per}"),
            "min": (f"find the smallest {column}{per}", f"das kleinste {column} finden{per}"),
        }[self.what]
        return say(language, f"{said[0]} of {self.file}", f"{self.file}: {said[1]}")

    def run(self, language: str) -> Steps:
        """Asks it; the columns are looked at first."""
        path = yield from path_of(self.file, language)
        head = yield from self._asked(
            path, language, limit=MOST_LOOKED_AT if self.what == "where" or not self.column else 1
        )
        names, rows = head[0], head[1:]
        if self.what == "columns":
            return ", ".join(names) + "."
        if self.subject and normal(self.subject) not in {
            normal(path.rpartition("/")[2].rpartition(".")[0]),
            *map(normal, names),
        }:
            raise NotPossibleError(_no_column(path, self.subject, names, language))
        if self.what == "where" and not self.compare:
            return self._holding(path, names, rows, language)
        more: dict[str, Any] = {}
        if self.group:
            more["group"] = [_column(self.group, names, path, language)]
        if self.what in {"sum", "average", "min", "max"}:
            more["compute"] = [{"of": self.what, "column": self._numbers(names, rows, path, language)}]
        elif self.what == "count":
            more["compute"] = [{"of": "count"}]
        elif self.what == "where":
            condition = {"column": self._numbers(names, rows, path, language), "is": self.compare, "value": self.value}
            more |= {"where": [condition], "limit": MOST_ROWS}
        elif self.what == "sort":
            more |= {
                "sort": _column(self.column, names, path, language),
                "descending": self.is_descending,
                "limit": self.rows or MOST_ROWS,
            }
        else:
            more["limit"] = self.rows
        answer = yield from self._asked(path, language, **more)
        if not self.group and "compute" in more and len(answer) == 2:
            return f"{answer[1][-1]}"
        return shown(answer)

    def _asked(self, path: str, language: str, **more: Any) -> Steps:
        what = self.phrase(language)
        result = yield from one(what, Call("table", {"path": path} | more))
        return [line.split("\t") for line in listing(checked(result, language, what)).lines]

    def _numbers(self, names: list[str], rows: list[list[str]], path: str, language: str) -> str:
        """The column that was said, or the only one of numbers."""
        stem = normal(path.rpartition("/")[2].rpartition(".")[0]).split()
        if self.column and not (normal(self.column) in stem and normal(self.column) not in map(normal, names)):
            return _column(self.column, names, path, language)
        numeric = [
            name
            for at, name in enumerate(names)
            if rows and all(is_number(row[at]) for row in rows if at < len(row) and row[at])
        ]
        if len(numeric) != 1:
            raise NotPossibleError(_no_column(path, self.subject or "?", names, language))
        return numeric[0]

    def _holding(self, path: str, names: list[str], rows: list[list[str]], language: str) -> str:
        if len(rows) >= MOST_LOOKED_AT:
            raise NotPossibleError(
                say(
                    language,
                    f"{path} is too long for that; name the column.",
                    f"{path} ist dafür zu lang; bitte die Spalte nennen.",
                )
            )
        wanted = normal(self.value)
        found = [row for row in rows if any(normal(cell) == wanted for cell in row)] or _of_month(wanted, rows)
        if not found:
            return say(language, f"No row of {path} has “{self.value}”.", f"Keine Zeile von {path} hat „{self.value}“.")
        return shown([names, *found[:MOST_ROWS]])


def _of_month(word: str, rows: list[list[str]]) -> list[list[str]]:
    """Rows with a date in a month that was named."""
    meanings = {each for name in ("en", "de") for each in lexicon(name).phrases.get((word,), ())}
    month = next((int(each.removeprefix("month:")) for each in meanings if each.startswith("month:")), None)
    if month is None:
        return []
    date = re.compile(rf"\d{{4}}-{month:02d}(?:-\d\d)?|\d\d?\.0?{month}\.\d{{2,4}}")
    return [row for row in rows if any(date.fullmatch(cell.strip()) for cell in row)]


def is_number(cell: str) -> bool:
    """Whether a cell is a number."""
    return cell.strip().lstrip("+-").replace(".", "", 1).replace(",", "").isdecimal()


def _column(said: str, names: list[str], path: str, language: str) -> str:
    """A column by its name, whatever its case, singular or plural."""
    wanted = normal(said)
    found = [name for name in names if normal(name) == wanted] or [
        name for name in names if wanted in {f"{normal(name)}s", f"{normal(name)}en", normal(name).removesuffix("s")}
    ]
    if len(found) != 1:
        raise NotPossibleError(_no_column(path, said, names, language))
    return found[0]


def _no_column(path: str, said: str, names: list[str], language: str) -> str:
    known = ", ".join(names)
    return say(
        language,
        f"{path} has no column “{said}”; its columns are: {known}. Nothing was done.",
        f"{path} hat keine Spalte „{said}“; die Spalten sind: {known}. Nichts wurde getan.",
    )


def shown(rows: list[list[str]]) -> str:
    """Rows as a table in Markdown."""

    def line(row: list[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"

    return "\n".join([line(rows[0]), "|" + " --- |" * len(rows[0]), *map(line, rows[1:])])


def _is_table(slots: Slots) -> bool:
    return slots.get("file").lower().endswith((".csv", ".tsv"))


def _make(what: str, **fixed: Any) -> Any:
    def make(slots: Slots) -> Job | None:
        if not _is_table(slots):
            return None
        more: dict[str, Any] = {
            "column": slots.get("word"),
            "group": slots.get("word2"),
            "value": slots.get("text"),
            "subject": slots.get("word3"),
        }
        if slots.get("number"):
            more["rows"] = slots.number("number", 0)
        return Ask(slots.get("file"), what, **{**more, **fixed})

    return make


_IN: Final = "(in|of|from|von|aus) [file|table|datei|tabelle] {file}"
_HAVE: Final = "[(does|do|has|have|hat|are|is|sind|gibt es|there|are there|sind in|gibt es in)]"

FORMS: Final = (
    Form(
        f"[list|show|name] (which|what|welche) (columns|column names|spalten) {_HAVE} [in|of|hat|has] {{file}} [have|has|there]",
        _make("columns"),
    ),
    Form(
        "(columns|column names|list columns|show columns|name columns|spalten|list column names|spalten zeigen) (of|in|from|von|in) {file}",
        _make("columns"),
    ),
    Form(
        f"(how many|count|number of|wie viele|wieviele|zaehl|zaehle) (rows|records|zeilen|datensaetze) {_HAVE} [in|of] {{file}} [have|has|contain|contains|there]",
        _make("count"),
    ),
    Form(
        f"(how many|count|number of|wie viele) (rows|records|entries) (per|by|for each|pro|je) {{word2}} {_IN}",
        _make("count"),
    ),
    Form(f"[show|first] [first|ersten|erste|top] {{number}} (rows|records|zeilen|datensaetze) {_IN}", _make("rows")),
    Form(
        f"(sum|total|sum up|add up|summe|gesamtsumme|summiere|what is sum|what is total|whats total|what's total|whats sum) [of|up|von] [column|spalte] {{word}} [column|spalte|values|amounts] [(per|by|for each|pro|je|nach) {{word2}}] {_IN}",
        _make("sum"),
    ),
    Form(
        f"(sum|total|totals|summe) [of] {{word}} [column] {_IN} (per|by|for each|pro|je|nach) {{word2}}", _make("sum")
    ),
    Form(
        f"(average|mean|durchschnitt|what is average|whats average|what's average|durchschnittliche|durchschnittlicher|durchschnittliches|mittelwert) [of|von] [column|spalte] {{word}} [column|spalte] [(per|by|for each|pro|je|nach) {{word2}}] {_IN}",
        _make("average"),
    ),
    Form(
        f"(largest|biggest|highest|maximum|max|greatest|hoechste|hoechster|hoechstes|groesste|groesster|groesstes|maximale|what is largest|what is highest|whats highest|what's highest|what is biggest|what is maximum|was ist hoechste|was ist groesste) [of|von] {{word}} [(per|by|for each|pro|je) {{word2}}] {_IN}",
        _make("max"),
    ),
    Form(
        f"(smallest|lowest|minimum|min|least|kleinste|kleinster|kleinstes|niedrigste|minimale|what is smallest|what is lowest|whats lowest|what's lowest|what is minimum) [of|von] {{word}} [(per|by|for each|pro|je) {{word2}}] {_IN}",
        _make("min"),
    ),
    Form(
        "(sort|order|sortiere|sortier|show) [file|table] {file} [sorted|ordered] (by|nach) [column|spalte] {word}",
        _make("sort"),
    ),
    Form(
        "(sort|order|sortiere|sortier|show) [file|table] {file} [sorted|ordered] (by|nach) [column|spalte] {word} [in] (descending|oldest first|highest first|largest first|biggest first|descending order|absteigend|from high to low|hoechste zuerst|groesste zuerst)",
        _make("sort", is_descending=True),
    ),
    Form(
        "(sort|order|sortiere|sortier|show) [file|table] {file} [sorted|ordered] (by|nach) [column|spalte] {word} [in] (ascending|youngest first|lowest first|smallest first|ascending order|aufsteigend|from low to high)",
        _make("sort"),
    ),
    Form(
        f"[show|list|which|find] {{word3}} (over|above|more than|greater than|larger than|higher than|bigger than|ueber|groesser als) {{text}} {_IN}",
        _make("where", compare=">"),
    ),
    Form(
        f"[show|list|which|find] {{word3}} (under|below|less than|smaller than|lower than|unter|kleiner als) {{text}} {_IN}",
        _make("where", compare="<"),
    ),
    Form(
        f"[show|list|find] (rows|records|zeilen|entries) {_IN} (where|with|whose|mit|wo|in denen) [column|spalte] {{word}} [is|ist] (over|above|more than|greater than|larger than|higher than|ueber|groesser als) {{text}} [ist]",
        _make("where", compare=">"),
    ),
    Form(
        f"[show|list|find] (rows|records|zeilen|entries) {_IN} (where|with|whose|mit|wo|in denen) [column|spalte] {{word}} [is|ist] (under|below|less than|smaller than|lower than|unter|kleiner als) {{text}} [ist]",
        _make("where", compare="<"),
    ),
    Form(
        f"[show|list|find] (rows|records|zeilen|entries) {_IN} (where|with|whose|mit|wo|in denen) [column|spalte] {{word}} [is|equals|equal to|ist] {{text}} [ist]",
        _make("where", compare="="),
    ),
    Form(
        f"[show|list|find] (rows|records|zeilen|entries) (where|with|whose|mit) [column|spalte] {{word}} [is|equals|equal to|ist] {{text}} {_IN}",
        _make("where", compare="="),
    ),
    Form(
        f"(which|what|show|list|find|who|welche|zeig|wer) {{word3}} {_IN} (live|lives|are|is|come|comes|work|works|wohnen|wohnt|sind|kommen) [in|from|aus] {{text}}",
        _make("where"),
    ),
    Form(
        f"(which|show|list|find|who|welche|wer) {{word3}} [are|is|live|lives|come|sind|wohnen] (from|in|aus) {{text}} {_IN}",
        _make("where"),
    ),
)
