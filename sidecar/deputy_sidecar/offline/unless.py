"""Conditions behind an order: `unless it is already there`, `if there are errors in it`, `if it has 3 files`."""

from __future__ import annotations

import re
from typing import Final

from deputy_sidecar.offline.known_names import KnownNames
from deputy_sidecar.offline.lexicon import Term
from deputy_sidecar.offline.tokens import Token

__all__ = ["in_front", "is_unless_there", "text_in_it"]

_COMMA: Final = Term(",", frozenset(), (Token(",", ",", "mark", 0, 0),))
_IN: Final = Term("in", frozenset({"in"}), (Token("in", "in", "word", 0, 0),))
_HAS: Final = frozenset("has have contains contain holds hold hat haben enthaelt enthalten".split())
_INSIDE: Final = frozenset({"in it", "in there", "in them", "inside", "inside it", "darin", "drin", "there"})


def in_front(order: list[Term], condition: list[Term], known: KnownNames | None) -> list[Term]:
    """The request with its condition first; `it has` and `in it` become the one folder that the order names."""
    folders = [term for term in order if known is not None and term.text.rstrip("/") in known.folders]
    inside = list(condition)
    if len(folders) == 1 and len(inside) > 3:
        is_of_it = inside[1].means("pronoun") and inside[2].form in _HAS
        ends_in_it = inside[-1].form in _INSIDE
        if is_of_it or ends_in_it:
            inside = [inside[0], *(inside[3:] if is_of_it else inside[1:-1]), _IN, folders[0]]
    return [*inside, _COMMA, *order]


# `Unless it is already there`, by language, with the words that may be missing.
_UNLESS_THERE: Final = (
    (
        r"unless (?:it|they|it's|it is|they are|that)?(?: is| are)? ?(?:already )?(?:exists?|there|in there|in it)"
        r"(?: already| there)*"
    ),
    (
        r"if (?:it|they|it's|it is|they are)?(?: is| are)? ?(?:not|isn't|aren't|does not|doesn't|don't) "
        r"(?:yet |already )?(?:exist|there|in there)(?: yet| already| there)*"
    ),
    r"(?:es sei denn|ausser wenn) (?:es|sie|er) (?:ist|sind)? ?(?:schon|bereits) (?:da|dort|vorhanden)(?: ist| sind)?",
    r"(?:wenn|falls|sofern) (?:es|sie|er) (?:dort )?(?:noch )?nicht (?:schon )?(?:da|dort|vorhanden) (?:ist|sind)",
)


_IN_IT: Final = re.compile(
    r"(?:there (?:is|are)|it has|they have|it contains|they contain|it mentions|they mention)"
    r"(?: an?| any| the word| the text)? (?P<text>[\w-]+)(?: in it| in them| inside)?"
)


def text_in_it(tail: list[Term]) -> str | None:
    """The text of a condition such as `there are errors in it`, `it contains TODO`."""
    said = " ".join(term.text for term in tail if term.token.sort != "mark")
    found = _IN_IT.fullmatch(said)
    leads = said.startswith(("there", "it has", "they have"))
    return (
        found["text"] if found is not None and (not leads or said.endswith((" in it", " in them", " inside"))) else None
    )


def is_unless_there(tail: list[Term]) -> bool:
    """Whether a condition is that the target has no such file yet."""
    words = " ".join(term.form for term in tail)
    return any(re.fullmatch(pattern, words) for pattern in _UNLESS_THERE)
