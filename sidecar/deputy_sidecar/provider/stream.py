"""Splits a byte stream into its JSON texts: server-sent events, or one per line."""

from __future__ import annotations

from typing import Protocol

__all__ = ["EventParser", "LineParser", "Parser"]


class Parser(Protocol):
    """A parser that takes bytes as they arrive, and returns the complete texts."""

    def feed(self, chunk: bytes) -> list[bytes]:
        """Returns the texts that `chunk` completes."""

    def finish(self) -> list[bytes]:
        """Returns what is left at the end."""


class EventParser:
    """Splits a stream of server-sent events into the data of its events, wherever the chunks are cut."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._data: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        """Returns the data of the events that `chunk` completes."""
        events: list[bytes] = []
        self._rest += chunk
        if b"\n" in chunk:
            # The standard also allows a bare CR. No server uses it, and it would split CR LF.
            *lines, self._rest = self._rest.split(b"\n")
            for line in lines:
                self._take(bytes(line).removesuffix(b"\r"), events)
        return events

    def finish(self) -> list[bytes]:
        """Returns the data of a last event without a closing empty line, which some servers omit."""
        events: list[bytes] = []
        self._take(bytes(self._rest).removesuffix(b"\r"), events)
        self._take(b"", events)
        self._rest = bytearray()
        return events

    def _take(self, line: bytes, events: list[bytes]) -> None:
        if not line:
            if self._data:
                events.append(b"\n".join(self._data))
                self._data = []
        elif line.startswith(b"data:"):
            self._data.append(line[5:].removeprefix(b" "))
        # Comments (keep-alives), `event`, `id` and `retry` are not needed.


class LineParser:
    """Splits a stream of newline-delimited JSON into its lines."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, chunk: bytes) -> list[bytes]:
        """Returns the lines that `chunk` completes."""
        self._rest += chunk
        if b"\n" not in chunk:
            return []
        *lines, self._rest = self._rest.split(b"\n")
        return [line for each in lines if (line := bytes(each).strip())]

    def finish(self) -> list[bytes]:
        """Returns a last line without a line end."""
        rest, self._rest = bytes(self._rest).strip(), bytearray()
        return [rest] if rest else []
