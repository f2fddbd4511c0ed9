"""Reads a request that was not read as a whole: as several questions, or as an order about the sentence before it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from deputy_sidecar.offline.antecedents import antecedents
from deputy_sidecar.offline.chore import Chore, Reading
from deputy_sidecar.offline.courtesy import without_courtesies
from deputy_sidecar.offline.doubts import finds_nothing
from deputy_sidecar.offline.known_names import KnownNames
from deputy_sidecar.offline.lexicon import language_of
from deputy_sidecar.offline.parts import in_parts
from deputy_sidecar.offline.rewordings import other_words
from deputy_sidecar.offline.terminal import in_words
from deputy_sidecar.offline.tokens import tokens_of
from deputy_sidecar.offline.wordings import in_plain_words
from deputy_sidecar.offline.written import written_about

__all__ = ["one_by_one", "referring", "with_place_of"]

# `And what is his number`: of whom, only the part before says.
_OF_SOMEONE: Final = re.compile(r"\b(?:his|her|their|its|seine?|ihre?)\b", re.IGNORECASE)
_LOOKED_UP_WITH: Final = frozenset({"search", "table"})

# Reads a text once, given the chores that it may refer to.
Read = Callable[[str, tuple[Chore, ...]], Reading]


def one_by_one(said: str, earlier: tuple[Chore, ...], known: KnownNames | None, read: Read) -> Reading | None:
    """Several questions in one: each part that is read or can be looked up, where none changes anything."""
    for parts in in_parts(said):
        chores: list[Chore] = []
        for part in parts:
            again = _part(part, tuple(chores) or earlier, known, read)
            if any(chore.is_act for chore in again.chores):
                return None
            if again.is_complete and not finds_nothing(again, known):
                chores = [*(with_place_of(again.chores[-1], chore) for chore in chores), *again.chores]
            elif not _OF_SOMEONE.search(part) and (written := written_about(part, _LOOKED_UP_WITH)) is not None:
                chores.append(Chore("form", job=written))
            else:
                break
        else:
            return Reading(language_of(tokens_of(said)), tuple(chores))
    return None


def _part(part: str, before: tuple[Chore, ...], known: KnownNames | None, read: Read) -> Reading:
    reading = read(part, before)
    for other in other_words(part, known) if not reading.is_complete or finds_nothing(reading, known) else ():
        again = read(other.text, before)
        if again.is_complete and other.may_be(again.chores) and not finds_nothing(again, known):
            return again
    return reading


def with_place_of(last: Chore, chore: Chore) -> Chore:
    """`How many PDFs and how many videos are in Old`: the first as well, if it says no place and asks the same."""
    is_same = chore.job is None and last.job is None and chore.verb == last.verb == "count"
    if not is_same or chore.selector.places or not last.selector.places:
        return chore
    return replace(chore, selector=replace(chore.selector, places=last.selector.places))


def referring(said: str, known: KnownNames | None, read: Read) -> Reading | None:
    """`There are two tmp files in Downloads. Delete them.`: the order, with what the sentence before it is about."""
    for each in antecedents(said):
        first = read(in_plain_words(each.as_list), ())
        if not first.is_complete or any(chore.is_act for chore in first.chores) or finds_nothing(first, known):
            continue
        if first.chores[-1].selector.is_everything:
            continue
        order = in_plain_words(in_words(without_courtesies(each.order)))
        again = read(order, first.chores)
        if again.is_complete and each.may_be(again.chores):
            return again
    return None
