"""Conditions that a table's own cells answer: one column against another, and cells that say nothing.

`Items where quantity is below minimum`, `articles that sell for less than we buy them`, `who has no phone`. The tool that
reads tables compares cells with values only, so these are held against the rows that were read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from deputy_sidecar.offline.jobs.tables import is_number
from deputy_sidecar.offline.tokens import normal
from deputy_sidecar.offline.words.say import in_language as say

__all__ = ["Against", "Nothing", "Own", "differences", "fitting", "in_words", "measured", "value_of"]

# What a cell holds that says no.
_NOTHING: Final = frozenset(["", "-", "no", "nein", "n/a", "none", "false", "nan"])
# Numbers that tell rows apart, or when they are from.
_KEYS: Final = frozenset(
    "id nr no number nummer ticket day tag year jahr month monat week woche zip plz postcode phone telefon".split()
)
_SHORTEST_COUNT: Final = 3
_YEARS: Final = range(1700, 2101)


@dataclass(frozen=True)
class Against:
    """One column's number against another's in the same row."""

    column: str
    sign: str
    other: str


@dataclass(frozen=True)
class Nothing:
    """A cell that is empty, 0, or says no."""

    column: str


Own = Against | Nothing


def value_of(cell: str) -> float | None:
    """Parses the number in a cell, with a decimal point or a decimal comma."""
    plain = cell.strip()
    if not is_number(plain):
        return None
    if re.fullmatch(r"[+-]?\d+,\d{1,2}|[+-]?[\d.]+,\d{1,2}", plain):
        # `9,50` and `1.200,50`.
        plain = plain.replace(".", "").replace(",", ".")
    try:
        return float(plain.replace(",", ""))
    except ValueError:
        return None


def fitting(rows: list[list[str]], names: list[str], own: list[Own]) -> list[list[str]]:
    """The rows for which all of these hold."""
    return [row for row in rows if len(row) >= len(names) and all(_holds(row, names, each) for each in own)]


def _holds(row: list[str], names: list[str], own: Own) -> bool:
    cell = row[names.index(own.column)]
    if isinstance(own, Nothing):
        return normal(cell.strip()) in _NOTHING or value_of(cell) == 0
    one, other = value_of(cell), value_of(row[names.index(own.other)])
    if one is None or other is None:
        return False
    return {"<": one < other, ">": one > other, "<=": one <= other, ">=": one >= other}[own.sign]


def in_words(own: Own, language: str) -> str:
    """The condition as it was understood."""
    if isinstance(own, Nothing):
        return say(language, f"{own.column} empty or 0", f"{own.column} leer oder 0")
    return f"{own.column} {own.sign} {own.other}"


def differences(rows: list[list[str]], names: list[str], one: str, other: str) -> list[list[str]]:
    """The rows with a column for the first number less the second."""
    out = [[*names, f"{one} - {other}"]]
    for row in rows:
        left, right = value_of(row[names.index(one)]), value_of(row[names.index(other)])
        out.append([*row, "" if left is None or right is None else f"{round(left - right, 6):g}"])
    return out


def measured(names: list[str], numeric: list[str], cells: list[list[str]]) -> list[str]:
    """The columns of numbers that measure something: none that only number the rows, or say a year."""
    return [
        name
        for name in numeric
        if not _is_key(name, [row[names.index(name)] for row in cells if len(row) >= len(names)])
    ]


def _is_key(name: str, cells: list[str]) -> bool:
    if normal(name) in _KEYS:
        return True
    numbers = [int(cell) for cell in cells if cell.isdecimal()]
    if len(numbers) < len(cells) or len(numbers) < _SHORTEST_COUNT:
        return False
    counts = all(behind - before == 1 for before, behind in pairwise(numbers))
    return counts or all(number in _YEARS for number in numbers)
