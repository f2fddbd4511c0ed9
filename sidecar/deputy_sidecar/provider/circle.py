"""Notices a model that says the same over and over, as small ones do, before it has filled its output limit."""

from __future__ import annotations

from typing import Final

__all__ = ["Circle"]

# Text that repeats one piece of at most this many characters, up to this length. Tables and rulers are shorter.
MOST_CHARS: Final = 6_000
LONGEST_PERIOD: Final = 300
# How much new text there is between two looks.
BETWEEN_CHARS: Final = 2_000


class Circle:
    """The end of a text that is still coming."""

    def __init__(self) -> None:
        self._end = ""
        self._new_chars = 0

    def closes(self, text: str) -> bool:
        """Adds a piece; whether the text goes in a circle by now."""
        self._end = (self._end + text)[-MOST_CHARS:]
        self._new_chars += len(text)
        if self._new_chars < BETWEEN_CHARS or len(self._end) < MOST_CHARS:
            return False
        self._new_chars = 0
        # All but one period of it is found again one period later.
        return self._end.find(self._end[: MOST_CHARS - LONGEST_PERIOD], 1) > 0
