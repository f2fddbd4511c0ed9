"""Figures from several columns of numbers: several totals, their difference, and pieces times price."""

from __future__ import annotations

from typing import Final

from deputy_sidecar.offline.jobs.column_conditions import value_of
from deputy_sidecar.offline.jobs.question_parts import Asked
from deputy_sidecar.offline.jobs.question_words import OF_VERBS
from deputy_sidecar.offline.jobs.tables import MOST_ROWS, shown
from deputy_sidecar.offline.tokens import normal
from deputy_sidecar.offline.words.say import in_language as say

__all__ = ["difference", "is_of_several", "several", "totals", "worth"]

_FEW: Final = 20


def is_of_several(asked: Asked, numeric: list[str]) -> list[str]:
    """Returns the columns to add up: those that are named, or one per verb (`earned`, `spent`)."""
    if asked.compute not in {"sum", "average"} or asked.minus or asked.worth:
        return []
    named = list(dict.fromkeys(name for name in asked.columns if name in numeric))
    if len(named) > 1:
        return named
    of_verbs: list[str] = []
    for form in asked.forms:
        found = [name for name in numeric if normal(name) in OF_VERBS.get(form, ())]
        of_verbs += found if len(found) == 1 else []
    several_verbs = list(dict.fromkeys([*named, *of_verbs]))
    return several_verbs if len(several_verbs) > 1 else []


def several(columns: list[str], values: list[str]) -> str:
    """Formats totals: `552.5 (income), 338.3 (spent)`."""
    return ", ".join(f"{value} ({column})" for column, value in zip(columns, values, strict=True))


def totals(rows: list[list[str]], names: list[str], column: str) -> float:
    """Returns the sum of a column over rows. Cells without a number are skipped."""
    at = names.index(column)
    return round(sum(value_of(row[at]) or 0 for row in rows if at < len(row)), 6)


def difference(rows: list[list[str]], names: list[str], one: str, other: str) -> str:
    """Returns the total of the first column minus the total of the second."""
    first, second = totals(rows, names, one), totals(rows, names, other)
    return f"{round(first - second, 6):.10g} ({one} − {other}: {first:.10g} − {second:.10g})."


def worth(asked: Asked, rows: list[list[str]], names: list[str], language: str) -> str:
    """Returns the pieces times the price of each row, in total or per value of a column."""
    assert asked.worth is not None
    price, pieces = asked.worth
    found: list[tuple[list[str], float]] = []
    for row in rows:
        one, many = value_of(row[names.index(price)]), value_of(row[names.index(pieces)])
        if one is not None and many is not None:
            found.append((row, one * many))
    of = f"{price} × {pieces}"
    if asked.group:
        sums: dict[tuple[str, ...], float] = {}
        for row, value in found:
            key = tuple(row[names.index(column)] for column in asked.group)
            sums[key] = sums.get(key, 0) + value
        return shown([[*asked.group, of], *([*key, _figure(value)] for key, value in sums.items())][: MOST_ROWS + 1])
    total = say(language, "Together", "Zusammen") + f": {_figure(sum(value for _, value in found))} ({of})."
    if len(found) > _FEW:
        return total
    return total + "\n\n" + shown([[*names, of], *([*row, _figure(value)] for row, value in found)])


def _figure(value: float) -> str:
    return f"{round(value, 2):.12g}"
