"""Keeps keys out of everything the sidecar says: errors, log lines and whatever a backend prints."""

from __future__ import annotations

import json
import re
import threading
from typing import TextIO

__all__ = ["RedactingStream", "Redactor"]

MARK = "[redacted]"
# Shorter values are ordinary words (`none`, `local`) that servers without real keys are given; replacing them
# everywhere would garble messages and protect nothing.
SHORTEST_SECRET = 6
# A line that never ends is written in pieces.
LONGEST_LINE_CHARS = 64 * 1024
# Keys of well-known shapes that are not ours to know, e.g. one that a provider quotes back from its own records.
SHAPES = re.compile(r"\b(?:(?:sk|pk|rk|gsk|xai|hf|ghp)[-_]|AIza)[\w*-]{16,}|(?<=Bearer )[^\s\"',]{6,}")


class Redactor:
    """Knows the secrets of this process and takes them out of texts."""

    def __init__(self) -> None:
        self._secrets: set[str] = set()
        self._pattern: re.Pattern[str] | None = None

    def add(self, secret: str) -> None:
        """From now on `secret` is taken out of every text, also where it stands escaped in JSON."""
        for form in (secret, secret.strip(), json.dumps(secret)[1:-1]):
            if len(form) >= SHORTEST_SECRET and form not in self._secrets:
                self._secrets.add(form)
                # The longest first, so that a secret that begins like another one leaves nothing behind.
                longest_first = sorted(self._secrets, key=len, reverse=True)
                self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    def clean(self, text: str) -> str:
        """`text` without secrets."""
        if self._pattern is not None:
            text = self._pattern.sub(MARK, text)
        return SHAPES.sub(MARK, text)


class RedactingStream:
    """A text stream that takes secrets out line by line, so that none slips through between two writes."""

    def __init__(self, stream: TextIO, redactor: Redactor) -> None:
        self._stream = stream
        self._redactor = redactor
        self._pending = ""
        # Backends print from threads of their own.
        self._lock = threading.Lock()

    def write(self, text: str) -> int:
        """Writes whole lines; keeps the rest until its line ends or `flush`."""
        with self._lock:
            self._pending += text
            lines, end, rest = self._pending.rpartition("\n")
            if len(rest) > LONGEST_LINE_CHARS:
                lines, end, rest = self._pending, "", ""
            self._pending = rest
            self._put(lines + end)
        return len(text)

    def flush(self) -> None:
        """Hands the lines that are whole to the operating system."""
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
            # Nobody reads the log any more. That is no reason to fail a request.
            pass

    def isatty(self) -> bool:
        """Colours are for people; this is a log."""
        return False

    def fileno(self) -> int:
        """The descriptor below, for libraries that insist on one."""
        return self._stream.fileno()

    @property
    def encoding(self) -> str:
        """As the stream below."""
        return self._stream.encoding
