"""What a request is read by: its language, the day it was made, and the names that are there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from deputy_sidecar.offline.known_names import KnownNames
from deputy_sidecar.offline.lexicon import Language

__all__ = ["SHORTEST", "Scene"]

# Shorter words are in too many names.
SHORTEST: Final = 4


@dataclass(frozen=True)
class Scene:
    """Where and when a request was made."""

    language: Language
    today: date
    # None where nobody has looked.
    known: KnownNames | None = None

    def is_there(self, word: str) -> bool:
        """Whether it is known that some name holds the word."""
        return len(word) >= SHORTEST and self.known is not None and self.known.is_there(word)
