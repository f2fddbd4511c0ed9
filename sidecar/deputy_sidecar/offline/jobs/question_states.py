"""Reads words for states that no cell contains (`expired`, `out of stock`, `low`, `owes`), and days that bound others.

Each is a condition on columns that the table has. Where it has no such column, the word stays unread.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Final

from deputy_sidecar.offline.dates import days_at
from deputy_sidecar.offline.jobs.column_conditions import Against, Nothing, Own
from deputy_sidecar.offline.jobs.question_words import AMOUNTS
from deputy_sidecar.offline.lexicon import terms_of
from deputy_sidecar.offline.tokens import normal, tokens_of

__all__ = ["State", "day_bound", "split_compounds", "state_at"]

# Conditions for the tool, and conditions that are checked on the returned rows.
State = tuple[list[dict[str, str]], list[Own]]

_STATES: Final = {
    phrase: state
    for state, phrases in {
        "gone": "out of stock|sold out|all gone|run out of|run out|ran out|ausverkauft|nicht auf lager|nicht mehr auf lager|nicht vorraetig|nicht mehr da",
        "low": "running low on|running low|low on|low in stock|low|running out|almost out|almost empty|nearly out|getting low|knapp|fast leer|fast alle",
        "expired": "out of date|past their date|expired|expire already|abgelaufen|abgelaufene|abgelaufenen|abgelaufenes",
        "overdue": "overdue|past due|too late|ueberfaellig|ueberfaellige|ueberfaelligen",
        "owed": "have to pay|still to pay|to be paid|zu zahlen|zu bezahlen|bezahlen muessen|zahlen muessen|owe|owes|owed|owing|outstanding|ausstehend|ausstehende|ausstehenden|schulden|schuldet|schuldig|offen|offene|offenen|open|unpaid",
    }.items()
    for phrase in phrases.split("|")
}
_LONGEST: Final = 4
_EXPIRES: Final = re.compile(
    r"expir\w*|valid.until|good.until|best.before|use.by|ablauf\w*|haltbar\w*|mhd|gueltig.bis|laeuft.ab"
)
_DUE: Final = re.compile(r"due|due.(?:date|on|by)|deadline|faellig\w*|frist|zahlbar.bis")
_PAID: Final = re.compile(r"paid|payed|settled|bezahlt|gezahlt|beglichen")
_LEAST: Final = re.compile(r"min|minimum|min.stock|reorder\w*|mindest\w*|soll")


def state_at(
    forms: list[str], at: int, names: list[str], cells: list[list[str]], today: date
) -> tuple[State, int] | None:
    """Returns the conditions that begin at the word `at`, and their number of words."""
    for length in range(min(_LONGEST, len(forms) - at), 0, -1):
        state = _STATES.get(" ".join(forms[at : at + length]))
        found = _as_conditions(state, names, cells, today) if state is not None else None
        if found is not None:
            return found, length
    return None


def _as_conditions(state: str, names: list[str], cells: list[list[str]], today: date) -> State | None:
    amount = _only(names, lambda name: name in AMOUNTS)
    if state == "gone":
        return ([], [Nothing(amount)]) if amount is not None else None
    if state == "low":
        least = _only(names, lambda name: _LEAST.fullmatch(name) is not None)
        amount = amount or (_only(names, lambda name: name in {"stock", "bestand", "lager", "vorrat"}))
        return ([], [Against(amount, "<", least)]) if amount is not None and least is not None else None
    unpaid = _unpaid(names, cells)
    if state == "owed":
        return ([unpaid], []) if unpaid is not None else None
    day = _only(names, lambda name: (_EXPIRES if state == "expired" else _DUE).fullmatch(name) is not None)
    if day is None:
        return None
    past = {"column": day, "is": "<", "value": today.isoformat()}
    return [past, *([unpaid] if state == "overdue" and unpaid is not None else [])], []


def _only(names: list[str], fits: Callable[[str], bool]) -> str | None:
    found = [name for name in names if fits(normal(name))]
    return found[0] if len(found) == 1 else None


def _unpaid(names: list[str], cells: list[list[str]]) -> dict[str, str] | None:
    """Returns the condition that a row is not paid, if a column says yes or no to that."""
    column = _only(names, lambda name: _PAID.fullmatch(name) is not None)
    if column is None:
        return None
    at = names.index(column)
    states = {row[at] for row in cells if at < len(row) and row[at]}
    if not states or not all(normal(state) in _YES | _NO for state in states):
        return None
    no = next((state for state in states if normal(state) in _NO), "no")
    return {"column": column, "is": "=", "value": no}


_YES: Final = frozenset("yes ja true x".split())
_NO: Final = frozenset("no nein false".split())

_FLIPPED: Final = frozenset({"older than", "aelter als", "younger than", "juenger als"})
_MOST_DAY_WORDS: Final = 6
_AHEAD: Final = frozenset("the dem den der am on".split())


def day_bound(
    meaning: str, said: str, words: tuple[str, ...], at: int, column: str, cells: list[str], today: date
) -> tuple[dict[str, str], int] | None:
    """Returns the condition of `before the 1st of June 2026` or `older than May`, and its number of words."""
    begin = at
    while begin < len(words) and normal(words[begin]) in _AHEAD:
        begin += 1
    text = " ".join(words[begin : begin + _MOST_DAY_WORDS])
    tokens = tokens_of(text)
    for language in ("en", "de"):
        terms = terms_of(tokens, language)
        found = days_at(terms, 0, today) if terms else None
        if found is None or found[0].first is None or found[0].end is None:
            continue
        days, taken = found
        end = terms[taken - 1].tokens[-1].end
        used = begin - at + len(text[:end].split())
        is_later = meaning in {"bound:>", "bound:<="}
        if said in _FLIPPED:
            is_later = not is_later
        day = days.end if is_later else days.first
        sign = {"bound:>": ">=", "bound:<": "<", "bound:>=": ">=", "bound:<=": "<"}[meaning]
        if said in _FLIPPED:
            sign = "<" if sign == ">=" else ">="
        value = day.isoformat() if day is not None else ""
        if all(len(cell) <= len("2026-06") for cell in cells if cell):
            if day is not None and day.day != 1:
                return None
            value = value[: len("2026-06")]
        return {"column": column, "is": sign, "value": value}, used
    return None


_COMPOUND: Final = re.compile(r"(\w{3,}?)(durchschnitt|schnitt|summe|gesamtsumme)", re.IGNORECASE)


def split_compounds(words: tuple[str, ...]) -> tuple[str, ...]:
    """Splits a compound: `Notendurchschnitt` becomes `durchschnitt noten`."""
    out: list[str] = []
    for word in words:
        found = _COMPOUND.fullmatch(word.strip("?.!,"))
        is_one = found is None or normal(found[1]) in {"durch", "gesamt", "aus", "ab", "ein", "zwischen", "im"}
        out += (
            [word]
            if is_one or found is None
            else ["durchschnitt" if "schnitt" in found[2].lower() else "summe", found[1]]
        )
    return tuple(out)
