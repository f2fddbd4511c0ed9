"""Right requests with words dropped, doubled and swapped: what is done stays what was meant, or nothing is."""

import os
from collections.abc import Callable
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from request_lists.runner import requests

from deputy_sidecar.offline.chore import Chore
from deputy_sidecar.offline.lexicon import language_of
from deputy_sidecar.offline.measuring import apart
from deputy_sidecar.offline.reading import read
from deputy_sidecar.offline.selector import filter_of
from deputy_sidecar.offline.tokens import tokens_of

TODAY = date(2026, 11, 23)
LISTS = Path(__file__).parents[2] / "tests/requests"


def seeded(test: Callable[..., None]) -> Callable[..., None]:
    """With `SEED` set, the same requests are changed at the same words again."""
    return seed(int(os.environ["SEED"]))(test) if os.environ.get("SEED") else test


def typed() -> list[str]:
    """The first requests of conversations in the lists that are played through the built program."""
    lines = [line for path in sorted(LISTS.glob("*.txt")) for line in path.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line.strip() and line[0] not in " #@&"]


@cache
def acts(text: str) -> list[tuple[Any, ...]] | None:
    """What would be changed, and by which selection; None where the request is asked about."""
    reading = read(text, TODAY)
    return [act(chore) for chore in reading.chores if chore.is_act] if reading.is_complete else None


def act(chore: Chore) -> tuple[Any, ...]:
    selector = chore.selector
    names = chore.names if chore.verb == "create" else ()
    measured, rest = apart(selector.condition)
    filters = filter_of(rest) | ({"measured": repr(measured)} if measured else {})
    narrowed = selector.places or selector.order or selector.is_duplicates
    # A condition that got lost would leave a change that nobody asked for.
    tested = (filter_of(chore.test.selector.condition), chore.test.least, chore.test.most) if chore.test else None
    return (chore.verb, chore.target, names, filters, selector.entries, narrowed, tested)


ACTS = [text for text in (*(request.text for request in requests()), *typed()) if acts(text)]
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
    "measured",
)


@seeded
@settings(deadline=None)
@given(st.sampled_from(ACTS), st.integers(0, 40))
def test_a_word_that_stands_twice_changes_nothing(text: str, at: int) -> None:
    words = text.split()
    at %= len(words)
    # Behind the end of a sentence or a comma it may be meant, and in quotes it makes another name.
    is_quoted = " ".join(words[: at + 1]).count('"') % 2 == 1
    if words[at][-1].isalnum() and not is_quoted:
        assert acts(" ".join([*words[: at + 1], *words[at:]])) in (None, [], acts(text))


@seeded
@settings(deadline=None)
@given(st.sampled_from(ACTS), st.integers(0, 40))
def test_a_word_that_is_lost_never_leaves_everything_to_the_trash(text: str, at: int) -> None:
    words = text.split()
    at %= len(words)
    for verb, _, _, filters, _, narrowed, _ in acts(" ".join([*words[:at], *words[at + 1 :]])) or []:
        assert verb != "trash" or narrowed or any(name in filters for name in NARROWING)


# Words that lead to what narrows a request or says where things go.
LEADS = set(
    "in from to into than with named called since before after except containing mention mentioning over under above "
    "below aus nach als mit im vom ins seit vor namens über unter außer ausser".split()
)


def dangling() -> list[tuple[str, str]]:
    """Requests that lost the word behind one of these, at a place where nothing else follows it."""
    found = []
    for text in ACTS:
        words = text.split()
        for at in range(1, len(words)):
            ends = at + 1 == len(words) or words[at + 1].strip(",.").lower() in {"and", "then", "und", "dann"}
            if words[at - 1].lower() in LEADS and ends:
                found.append((text, " ".join([*words[:at], *words[at + 1 :]])))
    return found


@pytest.mark.parametrize(("text", "lost"), dangling())
def test_what_a_word_leads_to_is_never_lost_without_a_question(text: str, lost: str) -> None:
    assert acts(lost) in (None, [], acts(text))


# Words that turn a request around, or undo that it is meant now.
TURNS = {
    "en": ("don't", "never", "not", "tomorrow", "should I", "who", "why", "what if I", "pretend to", "every day"),
    "de": ("nicht", "soll ich", "morgen", "niemals", "warum", "jeden Tag"),
}
# Words that say more than can be read off.
MORE = {
    "en": ("blurry", "boring", "half of", "most of", "some of", "possibly-wrong"),
    "de": ("unscharfe", "langweilige", "unnötige", "vielleicht", "einige"),
}


def language(text: str) -> str:
    return language_of(tokens_of(text))


@seeded
@settings(deadline=None)
@given(st.sampled_from(ACTS), st.integers(0, 40))
def test_a_word_that_turns_a_request_around_stops_it(text: str, at: int) -> None:
    turns = TURNS[language(text)]
    turn = turns[at % len(turns)]
    assert acts(f"{turn} {text[:1].lower()}{text[1:]}") in (None, []), turn


@seeded
@settings(deadline=None)
@given(st.sampled_from(ACTS), st.integers(0, 40), st.integers(0, 40))
def test_a_word_that_says_more_than_can_be_read_stops_the_trash(text: str, at: int, which: int) -> None:
    words, more = text.split(), MORE[language(text)]
    # Within the first sentence: in the thanks behind it a word narrows nothing.
    ends = next((i for i, word in enumerate(words) if word[-1] in ".?!"), len(words) - 1)
    at = 1 + at % max(1, ends)
    said = " ".join([*words[:at], more[which % len(more)], *words[at:]])
    # Where things go, and in a name, a new word may be one.
    meant = [each for each in acts(text) or [] if each[0] == "trash"]
    assert [each for each in acts(said) or [] if each in meant] == [], said


@seeded
@settings(deadline=None)
@given(st.sampled_from(ACTS), st.integers(0, 40))
def test_swapped_words_never_turn_a_step_into_another(text: str, at: int) -> None:
    words = text.split()
    at %= max(1, len(words) - 1)
    words[at : at + 2] = reversed(words[at : at + 2])
    meant = {verb for verb, *_ in acts(text) or []}
    assert {verb for verb, *_ in acts(" ".join(words)) or []} <= meant


# Words that make a change depend on something.
CONDITIONS = {"if", "unless", "wenn", "falls"}


def without_conditions() -> list[tuple[str, str]]:
    """Requests with a condition, and the same with one word of it dropped."""
    found = []
    for text in ACTS:
        words = text.split()
        if any(each[-1] is not None for each in acts(text) or []):
            found += [(text, " ".join([*words[:at], *words[at + 1 :]])) for at in range(len(words))]
    return found


@pytest.mark.parametrize(("text", "lost"), without_conditions())
def test_a_condition_that_lost_a_word_is_still_one_or_is_asked_about(text: str, lost: str) -> None:
    dropped = [word for word in text.lower().replace(",", " ").split() if word in CONDITIONS]
    if all(word in lost.lower().replace(",", " ").split() for word in dropped):
        assert all(each[-1] is not None for each in (acts(lost) or [])[:1]), lost


# Sentences in front of an order that refers to what they are about, and say more of it than a list can.
NARROWED_BEFORE = (
    "My photos are full of duplicates. {}",
    "The tmp files are mostly old. {}",
    "The invoices are wrong in part. {}",
    "Some of my videos are boring, {}",
    "Die Belege sind teilweise falsch. {}",
    "Most of the pdf files are signed. {}",
    "Some of the logs are outdated. {}",
    "Some logs are useless, {}",
    "Einige der Bilder sind überflüssig. {}",
)


@pytest.mark.parametrize("before", NARROWED_BEFORE)
@pytest.mark.parametrize("order", ["Delete them.", "Move them to Old.", "Lösche sie.", "Trash it."])
def test_a_sentence_before_an_order_that_narrows_it_is_not_lost(before: str, order: str) -> None:
    assert acts(before.format(order)) in (None, [])
