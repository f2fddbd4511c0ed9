"""Right requests with words dropped, doubled and swapped: what is done stays what was meant, or nothing is."""

from datetime import date
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from request_lists.runner import requests

from deputy_sidecar.offline.chore import Chore
from deputy_sidecar.offline.reading import read
from deputy_sidecar.offline.selector import filter_of

TODAY = date(2026, 11, 23)


def acts(text: str) -> list[tuple[Any, ...]] | None:
    """What would be changed, and by which selection; None where the request is asked about."""
    reading = read(text, TODAY)
    return [act(chore) for chore in reading.chores if chore.is_act] if reading.is_complete else None


def act(chore: Chore) -> tuple[Any, ...]:
    selector = chore.selector
    names = chore.names if chore.verb == "create" else ()
    filters = filter_of(selector.condition)
    narrowed = selector.places or selector.order or selector.is_duplicates
    return (chore.verb, chore.target, names, filters, selector.entries, narrowed)


ACTS = [request.text for request in requests() if acts(request.text)]
# What would be put into the trash has to be said in full: a name, a kind or a condition.
NARROWING = (
    "pattern",
    "extension",
    "min_bytes",
    "max_bytes",
    "newer_than",
    "older_than",
    "text",
    "empty",
    "any",
    "none",
)


@settings(deadline=None)
@given(st.sampled_from(ACTS), st.integers(0, 40))
def test_a_word_that_stands_twice_changes_nothing(text: str, at: int) -> None:
    words = text.split()
    at %= len(words)
    # Behind the end of a sentence or a comma it may be meant.
    if words[at][-1].isalnum():
        assert acts(" ".join([*words[: at + 1], *words[at:]])) in (None, [], acts(text))


@settings(deadline=None)
@given(st.sampled_from(ACTS), st.integers(0, 40))
def test_a_word_that_is_lost_never_leaves_everything_to_the_trash(text: str, at: int) -> None:
    words = text.split()
    at %= len(words)
    for verb, _, _, filters, _, narrowed in acts(" ".join([*words[:at], *words[at + 1 :]])) or []:
        assert verb != "trash" or narrowed or any(name in filters for name in NARROWING)


@settings(deadline=None)
@given(st.sampled_from(ACTS), st.integers(0, 40))
def test_swapped_words_never_turn_a_step_into_another(text: str, at: int) -> None:
    words = text.split()
    at %= max(1, len(words) - 1)
    words[at : at + 2] = reversed(words[at : at + 2])
    meant = {verb for verb, *_ in acts(text) or []}
    assert {verb for verb, *_ in acts(" ".join(words)) or []} <= meant
