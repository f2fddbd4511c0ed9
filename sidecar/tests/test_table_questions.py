"""What words of a question mean in a table, and what is never taken for an answer."""

from datetime import date

import pytest

from deputy_sidecar.offline.jobs.column_conditions import Against, Nothing, differences, fitting, measured
from deputy_sidecar.offline.jobs.question_parts import Asked
from deputy_sidecar.offline.jobs.question_reading import read_words

NAMES = ["item", "quantity", "minimum", "signed"]
ROWS = [["chair", "12", "5", "yes"], ["table", "2", "3", "no"], ["lamp", "0", "4", "no"]]


def read(question: str) -> Asked:
    return read_words(tuple(question.split()), NAMES, ROWS, "stock")


def test_one_column_is_held_against_another() -> None:
    asked = read("stock below minimum")
    assert asked.own == [Against("quantity", "<", "minimum")]
    assert asked.unused == []
    assert [row[0] for row in fitting(ROWS, NAMES, asked.own)] == ["table", "lamp"]


def test_a_cell_that_is_empty_or_zero_says_nothing() -> None:
    assert [row[0] for row in fitting(ROWS, NAMES, [Nothing("quantity")])] == ["lamp"]


def test_numbers_with_a_comma_are_compared_as_numbers() -> None:
    rows = [["a", "1.200,50", "900"], ["b", "9,50", "10"]]
    assert fitting(rows, ["x", "one", "two"], [Against("one", ">", "two")]) == [rows[0]]
    assert differences(rows, ["x", "one", "two"], "one", "two")[1][-1] == "300.5"


@pytest.mark.parametrize(("question", "value"), [("signed items", "yes"), ("unsigned items", "no")])
def test_a_column_of_yes_and_no_is_a_condition(question: str, value: str) -> None:
    assert {"column": "signed", "is": "=", "value": value} in read(question).conditions


def test_numbers_that_only_count_the_rows_are_not_added_up() -> None:
    rows = [["201", "1.5", "2024"], ["202", "2", "2025"], ["203", "4", "2023"]]
    assert measured(["ticket", "hours", "joined"], ["ticket", "hours", "joined"], rows) == ["hours"]


def test_how_many_of_a_value_is_what_the_row_says() -> None:
    # The answer had been 1: the number of rows.
    asked = read("how many chairs do we have")
    assert (asked.compute, asked.computed_by) == ("sum", "how many altogether")


def test_or_needs_two_values_of_one_column() -> None:
    assert read("chair or lamp").unused == []
    assert read("chair or signed").unused != []


DRUGS = ["drug", "stock", "minimum", "expires", "paid"]
IN_STOCK = [
    ["saline", "8", "15", "2026-12-15", "no"],
    ["heparin", "0", "5", "2026-10-01", "yes"],
    ["aspirin", "9", "5", "2027-08-01", "yes"],
]


def read_drugs(question: str) -> Asked:
    return read_words(tuple(question.split()), DRUGS, IN_STOCK, "drugs", date(2026, 11, 26))


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("expired drugs", {"column": "expires", "is": "<", "value": "2026-11-26"}),
        ("drugs that expire before March 2027", {"column": "expires", "is": "<", "value": "2027-03-01"}),
        ("drugs newer than the 1st of June 2026", {"column": "expires", "is": ">=", "value": "2026-06-02"}),
        ("which drugs do we owe", {"column": "paid", "is": "=", "value": "no"}),
    ],
)
def test_states_and_days_are_conditions(question: str, condition: dict[str, str]) -> None:
    asked = read_drugs(question)
    assert condition in asked.conditions
    assert asked.unused == []


def test_low_is_held_against_the_minimum() -> None:
    assert read_drugs("which drugs are low").own == [Against("stock", "<", "minimum")]


def test_a_state_that_no_column_says_stays_unread() -> None:
    assert "low" in read_words(("low", "chairs"), ["item", "price"], [["chair", "5"]], "items").unused


def test_a_year_behind_a_column_of_numbers_is_when() -> None:
    # The answer had been 0: the rows whose expense is 2026.
    rows = [["2026-01-02", "5", "3"], ["2026-02-02", "7", "1"]]
    asked = read_words(("income", "minus", "expenses", "2026"), ["date", "income", "expenses"], rows, "cash 2026")
    assert asked.conditions == [{"column": "date", "is": "contains", "value": "2026-"}]
    assert asked.columns == ["income", "expenses"]


def test_pieces_times_price_need_one_column_of_each() -> None:
    assert read("items worth in total").worth is None
    asked = read_words(("what", "is", "it", "worth"), ["item", "price", "count"], [["a", "2", "3"]], "stock")
    assert asked.worth == ("price", "count")
