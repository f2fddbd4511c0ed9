"""What words of a question mean in a table, and what is never taken for an answer."""

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
