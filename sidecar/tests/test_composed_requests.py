"""The parts of composed requests: what files say of themselves, several questions, the sentence before an order."""

from datetime import date

import pytest

from deputy_sidecar.offline.antecedents import antecedents
from deputy_sidecar.offline.frames import as_order
from deputy_sidecar.offline.lexicon import terms_of
from deputy_sidecar.offline.measures import MeasuredTerm, with_measures
from deputy_sidecar.offline.parts import in_parts
from deputy_sidecar.offline.reading import read
from deputy_sidecar.offline.selector import All, Measured
from deputy_sidecar.offline.tokens import tokens_of

TODAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    ("said", "condition"),
    [
        ("wider than 500 pixels", Measured("width", least=501)),
        ("at least 800 pixels high", Measured("height", least=800)),
        ("with more than 10 pages", Measured("pages", least=11)),
        ("fewer than 3 lines", Measured("lines", most=2)),
        ("in landscape", Measured("landscape")),
        ("larger than 640x480", All((Measured("width", least=641), Measured("height", least=481)))),
    ],
)
def test_what_a_file_says_of_itself_is_one_condition(said: str, condition: object) -> None:
    (term,) = with_measures(terms_of(tokens_of(said), "en"))
    assert isinstance(term, MeasuredTerm)
    assert term.condition == condition


def test_a_size_in_bytes_is_no_number_of_pixels() -> None:
    terms = with_measures(terms_of(tokens_of("pictures larger than 500 kB"), "en"))
    assert not any(isinstance(term, MeasuredTerm) for term in terms)


@pytest.mark.parametrize(
    ("asked", "parts"),
    [
        ("how big is a.zip and who lives in Jena?", ["how big is a.zip", "who lives in Jena?"]),
        (
            "how many invoices has Baker received, and how many has Miller?",
            ["how many invoices has Baker received", "how many invoices has Miller received"],
        ),
        ("when was Uwe born, and what does he sing?", ["when was Uwe born", "what does Uwe sing?"]),
        ("which file mentions tax and which one is newest", ["which file mentions tax", "which file is newest"]),
    ],
)
def test_questions_are_cut_apart_and_borrow_what_they_lack(asked: str, parts: list[str]) -> None:
    assert next(in_parts(asked)) == parts


@pytest.mark.parametrize("asked", ["what is the difference between a and b", "alles, was Ivanov betrifft"])
def test_one_question_stays_one(asked: str) -> None:
    assert list(in_parts(asked)) == []


def test_only_a_whole_phrase_is_enough_to_lose_something() -> None:
    whole = next(antecedents("There are two tmp files in Downloads. Delete them."))
    cut = next(antecedents("The tmp files are full of errors. Delete them."))
    assert (whole.thing, whole.is_whole) == ("two tmp files in Downloads", True)
    assert (cut.thing, cut.is_whole) == ("The tmp files", False)


@pytest.mark.parametrize(
    ("asked", "least", "most"),
    [
        ("delete the logs unless there are more than 2 pdfs", 0, 2),
        ("delete the logs if there are more than 2 pdfs", 3, None),
        ("unless there is only one pdf, delete the logs", 2, None),
        ("check whether there are any pdfs, and if so, delete the logs", 1, None),
    ],
)
def test_a_condition_holds_for_any_order_in_front_or_behind(asked: str, least: int, most: int | None) -> None:
    reading = read(asked, TODAY)
    (chore,) = reading.chores
    assert reading.is_complete
    assert chore.test is not None
    assert (chore.test.least, chore.test.most) == (least, most)


@pytest.mark.parametrize(
    "asked",
    [
        "should the photos go into Archive",
        "my photos in the trash",
        "nothing into Archive",
        "scan.pdf is in the folder Old",
    ],
)
def test_where_things_are_is_no_order_to_put_them_there(asked: str) -> None:
    assert as_order(asked) == asked
