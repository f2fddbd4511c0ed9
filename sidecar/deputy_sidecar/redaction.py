"""Removes keys from everything that the sidecar outputs: errors, log lines and the prints of backends."""

from __future__ import annotations

import json
import re
import threading
from typing import TextIO

__all__ = ["RedactingStream", "Redactor"]

MARK = "[redacted]"
# Shorter values are ordinary words (`none`, `local`) that servers without real keys are configured with. Replacing them
# would garble messages and protect nothing.
SHORTEST_SECRET = 6
# Longer lines are written in pieces.
LONGEST_LINE_CHARS = 64 * 1024
# The shapes of well-known keys, for keys that this process does not have, e.g. quoted by a provider.
SHAPES = re.compile(r"\b(?:(?:sk|pk|rk|gsk|xai|hf|ghp)[-_]|AIza)[\w*-]{16,}|(?<=Bearer )[^\s\"',]{6,}")


class Redactor:
    """Knows the secrets of this process and removes them from texts."""

    def __init__(self) -> None:
        self._secrets: set[str] = set()
        self._pattern: re.Pattern[str] | None = None

    def add(self, secret: str) -> None:
        """Adds a secret to remove from all texts, including its JSON-escaped form."""
        for form in (secret, secret.strip(), json.dumps(secret)[1:-1]):
            if len(form) >= SHORTEST_SECRET and form not in self._secrets:
                self._secrets.add(form)
                # The longest first, so that a secret that starts like another is removed completely.
                longest_first = sorted(self._secrets, key=len, reverse=True)
                self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    def clean(self, text: str) -> str:
        """Returns `text` without secrets."""
        if self._pattern is not None:
            text = self._pattern.sub(MARK, text)
        return SHAPES.sub(MARK, text)


class RedactingStream:
    """A text stream that removes secrets line by line, so that a secret split between two writes is found."""

    def __init__(self, stream: TextIO, redactor: Redactor) -> None:
        self._stream = stream
        self._redactor = redactor
        self._pending = ""
        # Backends print from their own threads.
        self._lock = threading.Lock()

    def write(self, text: str) -> int:
        """Writes complete lines. Buffers the rest until its line ends or `finish` is called."""
        with self._lock:
            self._pending += text
            lines, end, rest = self._pending.rpartition("\n")
            if len(rest) > LONGEST_LINE_CHARS:
                lines, end, rest = self._pending, "", ""
            self._pending = rest
            self._put(lines + end)
        return len(text)

    def flush(self) -> None:
        """Flushes the complete lines to the operating system."""
        self._stream.flush()

    def finish(self) -> None:
        """Writes what is left, at the end of the process."""
        with self._lock:
            self._put(self._pending)
            self._pending = ""

    def _put(self, text: str) -> None:
        if not text:
            return
        try:
            self._stream.write(self._redactor.clean(text))
            self._stream.flush()
        except (OSError, ValueError):
            # The log has no reader any more, but that must not fail a request.
            pass

    def isatty(self) -> bool:
        """Returns False: colors are for terminals, and this is a log."""
        return False

    def fileno(self) -> int:
        """Returns the underlying descriptor, for libraries that require it."""
        return self._stream.fileno()

    @property
    def encoding(self) -> str:
        """The encoding of the underlying stream."""
        return self._stream.encoding
