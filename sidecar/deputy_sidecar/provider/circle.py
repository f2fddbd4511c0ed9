"""Detects a model that repeats itself endlessly, as small models do, before it reaches its output limit."""

from __future__ import annotations

from typing import Final

__all__ = ["Circle"]

# The length of repeated text that counts, and the maximum length of the repeated piece. Tables and rulers are shorter.
MOST_CHARS: Final = 6_000
LONGEST_PERIOD: Final = 300
# The amount of new text between two checks.
BETWEEN_CHARS: Final = 2_000


class Circle:
    """The end of a streaming text."""

    def __init__(self) -> None:
        self._end = ""
        self._new_chars = 0

    def closes(self, text: str) -> bool:
        """Adds a piece. Returns whether the text repeats itself by now."""
        self._end = (self._end + text)[-MOST_CHARS:]
        self._new_chars += len(text)
        if self._new_chars < BETWEEN_CHARS or len(self._end) < MOST_CHARS:
            return False
        self._new_chars = 0
        # All but one period occurs again one period later.
        return self._end.find(self._end[: MOST_CHARS - LONGEST_PERIOD], 1) > 0
