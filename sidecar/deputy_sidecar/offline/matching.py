"""Which skill a request means: its words held against each skill's sample requests."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from deputy_sidecar.offline.language import concepts
from deputy_sidecar.offline.skills import SKILLS, Skill
from deputy_sidecar.offline.slots import folder_in, quoted_in

__all__ = ["best_skill"]

# Read off the tests' table of requests: below it, what matches is chance.
LEAST_LIKENESS: Final = 0.62

# Whoever asks how something is done wants to be told, which no skill can.
_HOW: Final = re.compile(r"\s*(?:how\s+(?:do|can|should|would|to)\b|wie\s+(?:kann|mache|finde)\b)", re.IGNORECASE)

Vector = dict[str, float]


class Matcher:
    """Samples as vectors of concepts, rare ones weighing more."""

    def __init__(self, skills: Sequence[Skill]) -> None:
        likely = [skill for skill in skills if not skill.only_surely]
        documents = [(skill, _words(sample)) for skill in likely for sample in skill.samples]
        seen_in = Counter(concept for _, words in documents for concept in set(words))
        self._weights = {c: 1.0 + math.log(len(documents) / count) for c, count in seen_in.items()}
        # A word that no sample has may be a name, or a sign that something else is meant: it weighs, but not most.
        self._unknown = 0.5 * (1.0 + math.log(len(documents)))
        self._samples = [(skill, self._vector(words)) for skill, words in documents]

    def best(self, request: str) -> tuple[Skill, float]:
        """The most alike skill and how alike it is, from 0 to 1."""
        # The place to look in is a name, whatever it means otherwise.
        folder = folder_in(request)
        vector = self._vector(_words(request.replace(folder, " ") if folder != "." else request))
        return max(((skill, _cosine(vector, sample)) for skill, sample in self._samples), key=lambda pair: pair[1])

    def _weight(self, word: str) -> float:
        if word == "change":
            # No skill changes files: what asks for that is never taken for something harmless that sounds alike.
            return 4.0 * self._unknown
        return self._weights.get(word, self._unknown)

    def _vector(self, words: Sequence[str]) -> Vector:
        vector: Vector = {word: self._weight(word) for word in words}
        length = math.sqrt(sum(weight * weight for weight in vector.values())) or 1.0
        return {word: weight / length for word, weight in vector.items()}


def _words(text: str) -> list[str]:
    """What the words are about; that something stands in quotes says something, too."""
    return concepts(text) + (["quoted"] if quoted_in(text) else [])


def _cosine(one: Vector, other: Vector) -> float:
    return sum(weight * other.get(word, 0.0) for word, weight in one.items())


_matcher = Matcher(SKILLS)


def best_skill(request: str) -> Skill | None:
    """The skill that is meant, or none where nothing is alike enough."""
    if _HOW.match(request):
        return None
    for skill in SKILLS:
        if skill.surely is not None and skill.surely.match(request):
            return skill
    skill, likeness = _matcher.best(request)
    return skill if likeness >= LEAST_LIKENESS else None
