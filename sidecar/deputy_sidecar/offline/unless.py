"""The condition of a move or a copy that its target has no such file yet: `unless it is already there`."""

from __future__ import annotations

import re
from typing import Final

from deputy_sidecar.offline.lexicon import Term

__all__ = ["is_unless_there", "text_in_it"]

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
