"""Reads the words of a question to a table by its columns and cells: what is asked, what limits it, and what was not understood."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from deputy_sidecar.offline.jobs.column_conditions import Nothing, measured
from deputy_sidecar.offline.jobs.question_parts import (
    Asked,
    bare,
    bound_at,
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
from deputy_sidecar.offline.jobs.question_states import day_bound, split_compounds, state_at
from deputy_sidecar.offline.jobs.question_words import AMOUNTS, HINTS, IN_AND_OUT, MONEY, OF_VERBS, PLAIN, PRICES
from deputy_sidecar.offline.jobs.tables import is_number
from deputy_sidecar.offline.stems import stem_of
from deputy_sidecar.offline.tokens import normal

__all__ = ["ROWS", "numeric_columns", "read_words"]

ROWS: Final = frozenset("row rows record records entry entries zeile zeilen eintrag eintraege datensaetze".split())


def numeric_columns(names: list[str], cells: list[list[str]]) -> list[str]:
    """Returns the columns that contain only numbers and empty cells."""
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

_BETWEEN: Final = re.compile(r"\b(?:between|zwischen) (\d[\d.,]*) (?:and|und) (\d[\d.,]*)", re.IGNORECASE)
# `Cost more to buy than to sell`.
_MORE_TO: Final = re.compile(r"\b(more|less) to (\w+) than to (\w+)", re.IGNORECASE)


def _with_bounds_ahead(words: tuple[str, ...]) -> tuple[str, ...]:
    """Rewrites `2024 or later` as `at least 2024`."""
    said = _OR_MORE.sub(lambda found: f"at {'least' if found[2] else 'most'} {found[1]}", " ".join(words))
    said = _BETWEEN.sub(r"at least \1 at most \2", said)
    said = _MORE_TO.sub(r"\2 \1 than \3", said)
    return tuple(said.split(" "))


def _with_not_ahead(words: tuple[str, ...], names: list[str], cells: list[list[str]]) -> tuple[str, ...]:
    """Rewrites `unexcused` as `not excused` if that is a column and no cell contains the word itself."""
    said = {normal(cell) for row in cells for cell in row}
    out: list[str] = []
    for word in words:
        form = bare(word)
        rest = form.removeprefix("un")
        is_column = rest != form and form not in said and column_at([rest], 0, names)[0] is not None
        out += ["not", rest] if is_column else [word]
    return tuple(out)


def read_words(
    words: tuple[str, ...], names: list[str], cells: list[list[str]], stem: str, today: date | None = None
) -> Asked:
    """Reads the question with the columns and cells of the table."""
    today = today or date.today()  # noqa: DTZ011
    words = split_compounds(_with_not_ahead(_with_bounds_ahead(words), names, cells))
    forms = [bare(word) for word in words]
    asked = Asked(forms=forms)
    numeric = numeric_columns(names, cells)
    subject = {normal(piece) for piece in re.split(r"[\s_-]+", stem)}
    pending: str | None = None
    last: str | None = None
    is_not = False
    subject_at = counted_at = -1
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
            if value is not None and column in numeric and _is_year(value[0], subject, names, cells):
                # `Costs 2026` means the year of the rows, not an amount.
                value = None
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
                if (
                    asked.compute == "count"
                    and asked.counted is None
                    and not asked.conditions
                    and at <= 3
                    and forms[at] not in subject
                ):
                    asked.counted = column
            last, at = column, after
        elif (bound := _bound_of_day(meaning, forms, at, taken)) is not None and (
            day := _day_of(bound, forms, words, at, taken, last, names, cells, today)
        ) is not None:
            asked.conditions.append(day[0])
            last, at = day[0]["column"], at + taken + day[1]
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
                counted_at = at + taken if meaning == "compute:count" else counted_at
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
                    # A second question after the first is about the counted rows or something else.
                    asked.lists_too = asked.compute == "count" and _is_rest(forms, at + taken)
                    asked.unused += [] if asked.lists_too else [words[at]]
                asked.asks_who = True
                # `Which products`: what a row is, whatever its column is called.
                subject_at = at + taken
            elif meaning == "not":
                is_not = True
            elif meaning == "compare":
                asked.compares = True
            elif meaning == "or":
                asked.alternative = words[at]
            elif meaning in {"minus", "balance"}:
                asked.minus = words[at]
                asked.columns += _in_and_out(names, numeric) if meaning == "balance" else []
            elif meaning == "margin":
                asked.compares = True
                asked.columns += _price_and_cost(names, numeric)
            elif meaning == "worth":
                asked.worth = _price_and_pieces(names, numeric)
                asked.unused += [words[at]] if asked.worth is None else []
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
            elif value is None and (state := state_at(forms, at, names, cells, today)) is not None and not is_not:
                asked.conditions += state[0][0]
                asked.own += state[0][1]
                asked.is_by_state = True
                at += state[1]
            elif forms[at] in _WHOLE:
                asked.whole = words[at]
                at += 1
            elif forms[at] in _LEFT and asked.compute in {"count", "sum"}:
                # `How many prints do we have left` means the current stock.
                at += 1
            elif forms[at] in _MEASURES and _is_beside_a_column(forms, at, names):
                # `The math grade`.
                at += 1
            elif value is not None and (forms[at] not in PLAIN or _is_a_state(value, forms[at], names, cells)):
                asked.conditions.append({"column": value[2], "is": "!=" if is_not else value[1], "value": value[0]})
                asked.counts_a_value = asked.counts_a_value or (asked.compute == "count" and at == counted_at)
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
    if pending is not None or is_not or (forms and forms[-1] in _NEEDS):
        # `What does Kiosk need`: no column says it.
        asked.unused.append(words[-1])
    _settle(asked, names, numeric, cells, subject=subject)
    if asked.is_distinct and asked.counted is None:
        asked.counted = asked.columns[0] if len(asked.columns) == 1 else None
        asked.compute = "count"
    return asked


# What leaves out a column, and asks for none that are empty.
_LEAVE_OUT: Final = frozenset("except than ausser but".split())
_NEEDS: Final = frozenset("need needs want wants like likes do does braucht brauchen will wollen macht machen".split())
_COLUMNS: Final = frozenset("column columns spalte spalten".split())
_WHOLE: Final = frozenset("whole entire ganze ganzen ganzes gesamte gesamten".split())
_LEFT: Final = frozenset("left remaining remain uebrig".split())
# Nouns for what a column of numbers holds.
_MEASURES: Final = frozenset(
    "grade grades mark marks score scores result results wage wages pay rate fee note noten zensur punkte lohn".split()
)
_MOST_STATES: Final = 6
_SHORTEST_STATE: Final = 4


def _settle(asked: Asked, names: list[str], numeric: list[str], cells: list[list[str]], *, subject: set[str]) -> None:
    """Reads the words that concern the whole question: `or`, `compare`, `how many days`."""
    of_one = {each["column"] for each in asked.conditions}
    values = [each["column"] for each in asked.conditions if each["is"] in {"=", "contains"}]
    if asked.alternative is not None and sum(values.count(column) > 1 for column in of_one) != 1:
        asked.unused.append(asked.alternative)
    if any(isinstance(each, Nothing) for each in asked.own) and _COLUMNS & set(asked.forms):
        # `All columns without email`.
        asked.unused.append(next(form for form in asked.forms if form in _COLUMNS))
    if asked.compares and asked.group and len(asked.group) == 1:
        # `The margin per product`, if each row is a product.
        at = names.index(asked.group[0])
        held = [row[at] for row in cells if at < len(row)]
        asked.group = [] if len(set(held)) == len(held) else asked.group
    if asked.compares and sum(name in numeric for name in asked.columns) != 2:
        asked.unused.append(next(word for word in asked.forms if word))
    if asked.is_by_state and asked.compute == "sum" and not asked.group:
        # `How much do clients owe` means the total.
        asked.columns = [name for name in asked.columns if name in numeric]
    if asked.compute in {"sum", "average"} and not asked.group:
        # A column that is not added up, and says no more: it was not understood.
        stems = {stem_of(each) for each in subject}
        asked.unused += [
            name for name in asked.columns if name not in numeric and name not in of_one and stem_of(name) not in stems
        ]
    is_about_rows = any(
        form in ROWS or f"{form}s" in subject or (form in subject and form.endswith("s")) for form in asked.forms
    )
    pieces = [name for name in numeric if normal(name) in HINTS["how many altogether"]]
    if asked.compute == "count" and asked.counts_a_value and len(pieces) == 1 and not asked.group and not is_about_rows:
        # `How many chairs`, where a row says how many: those, and not the rows.
        asked.compute, asked.computed_by = "sum", "how many altogether"
        others = [name for name in asked.columns if name in numeric and name != pieces[0]]
        if others:
            # `And what is the minimum`: both, of the row.
            asked.compute, asked.columns = None, [pieces[0], *others]
    if asked.minus and (
        sum(name in numeric for name in dict.fromkeys(asked.columns)) != 2 or asked.compute not in {None, "sum"}
    ):
        asked.unused.append(asked.minus)
    if asked.whole:
        spans = [name for name in dict.fromkeys(asked.columns) if name in measured(names, numeric, cells)]
        if asked.compute is None and len(spans) == 1 and {"how", "wie"} & set(asked.forms):
            # `How long is the whole setlist`.
            asked.compute = "sum"
        elif asked.compute != "sum":
            asked.unused.append(asked.whole)
    added_up = [name for name in asked.columns if name in measured(names, numeric, cells)]
    if asked.group and asked.compute is None and len(added_up) == 1:
        # `Hours per student`.
        asked.compute = "sum"
    counted = asked.counted
    is_measured = counted in measured(names, numeric, cells) and counted not in of_one
    if asked.compute == "count" and is_measured and counted is not None and asked.group and not asked.is_distinct:
        # `How many hours did each nurse work`.
        asked.compute, asked.columns = "sum", [counted]
    if asked.compute == "count" and is_measured and not asked.is_distinct and asked.conditions and not asked.group:
        # `How many days was city 2 rented`: days to add up, and no rows.
        asked.compute = "sum"


def _is_year(value: str, subject: set[str], names: list[str], cells: list[list[str]]) -> bool:
    """Returns whether a number after a column is the year of the rows."""
    of_days = {names.index(name) for name in dated_columns(names, cells)}
    years = {row[at][:4] for row in cells for at in of_days if at < len(row)} | subject
    return value in years and not any(value == cell for row in cells for cell in row)


def _is_rest(forms: list[str], at: int) -> bool:
    """Returns whether the question ends after `and which`."""
    return all(form in _OF_THEM or not form for form in forms[at:])


_OF_THEM: Final = frozenset(
    "ones one are they is it these those them do does have has sind das die es sie welche denn from of von is're".split()
)


def _bound_of_day(meaning: str | None, forms: list[str], at: int, taken: int) -> str | None:
    """Returns the bound that a word sets for days, including German `nach`."""
    if meaning is not None and meaning.startswith("bound:"):
        return meaning
    if meaning == "per" and forms[at : at + taken] == ["nach"]:
        return "bound:>"
    return "bound:>" if forms[at : at + 2] in (["newer", "than"], ["neuer", "als"]) else None


def _day_of(
    bound: str,
    forms: list[str],
    words: tuple[str, ...],
    at: int,
    taken: int,
    last: str | None,
    names: list[str],
    cells: list[list[str]],
    today: date,
) -> tuple[dict[str, str], int] | None:
    """Returns the condition of a bound and a day or month, on the only column of days or the column just named."""
    if forms[at : at + 2] in (["newer", "than"], ["neuer", "als"]):
        taken = 2
    dated = dated_columns(names, cells)
    column = last if last in dated else dated[0] if len(dated) == 1 else None
    if column is None or at + taken >= len(forms):
        return None
    place = names.index(column)
    said = " ".join(forms[at : at + taken])
    held = [row[place] for row in cells if place < len(row)]
    found = day_bound(bound, said, words, at + taken, column, held, today)
    if found is None:
        return None
    is_year = found[1] == 1 and forms[at + taken].isdecimal()
    if is_year and last is not None and last in numeric_columns(names, cells):
        # `Costs over 2000`.
        return None
    # Skips all words of `nach` or `newer than`.
    return found[0], found[1] + (2 if forms[at] in {"newer", "neuer"} and meaning_at(forms, at)[1] == 0 else 0)


def _in_and_out(names: list[str], numeric: list[str]) -> list[str]:
    """Returns the columns of income and expenses."""
    found = [[name for name in names if normal(name) in group and name in numeric] for group in IN_AND_OUT]
    return [each[0] for each in found] if all(len(each) == 1 for each in found) else []


def _price_and_cost(names: list[str], numeric: list[str]) -> list[str]:
    """Returns the columns of the selling price and the cost."""
    groups = ({"price", "sell", "selling price", "preis", "vk"}, {"cost", "costs", "buy", "einkauf", "kosten", "ek"})
    found = [[name for name in names if normal(name) in group and name in numeric] for group in groups]
    return [each[0] for each in found] if all(len(each) == 1 for each in found) else []


def _price_and_pieces(names: list[str], numeric: list[str]) -> tuple[str, str] | None:
    """Returns the columns of the unit price and the number of pieces."""
    prices = [name for name in numeric if normal(name) in PRICES | _OF_A_PIECE]
    pieces = [name for name in numeric if normal(name) in AMOUNTS and name not in prices]
    return (prices[0], pieces[0]) if len(prices) == len(pieces) == 1 else None


_OF_A_PIECE: Final = frozenset({"unit price", "unit_price", "price each", "einzelpreis", "stueckpreis"})


def _is_beside_a_column(forms: list[str], at: int, names: list[str]) -> bool:
    return (at > 0 and column_at(forms, at - 1, names)[0] is not None) or (
        at + 1 < len(forms) and column_at(forms, at + 1, names)[0] is not None
    )


_YES: Final = frozenset("yes ja true x".split())
_NO: Final = frozenset("no nein false".split())


def _said_of(column: str, names: list[str], cells: list[list[str]], *, is_not: bool) -> str | None:
    """Returns the value of a yes-or-no column that means yes, or the one that means no."""
    at = names.index(column)
    states = {row[at] for row in cells if at < len(row) and row[at]}
    if not states or not all(normal(state) in _YES | _NO for state in states):
        return None
    return next((state for state in states if normal(state) in (_NO if is_not else _YES)), None)


def _is_listed(forms: list[str], at: int) -> bool:
    """Returns whether the question asks for a column, as in `who and excused` or `show excused`."""
    return at > 0 and (forms[at - 1] in {"and", "und", "show", "list", "column", "spalte", "by", "per", "je"})


def _is_a_state(value: tuple[str, str, str], form: str, names: list[str], cells: list[list[str]]) -> bool:
    """Returns whether a filler word is one of a column's few values: `how many repairs are paid`."""
    at = names.index(value[2])
    states = {normal(row[at]) for row in cells if at < len(row)}
    return value[1] == "=" and len(form) >= _SHORTEST_STATE and len(states) <= _MOST_STATES


def _of_verb(form: str, names: list[str]) -> str | None:
    """Returns the only column of payments, if the word is a form of `pay`."""
    if not form.startswith("pa") and "zahl" not in form:
        return None
    found = [name for name in names if normal(name) in OF_VERBS.get(form, ())]
    return found[0] if len(found) == 1 else None
