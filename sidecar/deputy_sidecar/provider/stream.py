"""Cuts a stream of bytes into the JSON texts in it: server-sent events, or one a line."""

from __future__ import annotations

from typing import Protocol

__all__ = ["EventParser", "LineParser", "Parser"]


class Parser(Protocol):
    """Takes bytes as they come, gives the texts that are whole."""

    def feed(self, chunk: bytes) -> list[bytes]:
        """The texts that `chunk` completes."""

    def finish(self) -> list[bytes]:
        """What is left at the end."""


class EventParser:
    """Cuts a stream of server-sent events, wherever it is split, into the data of its events."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._data: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        """The data of the events that `chunk` completes."""
        events: list[bytes] = []
        self._rest += chunk
        if b"\n" in chunk:
            # A bare CR, which the standard allows too, is used by nobody and would cut CR LF in two.
            *lines, self._rest = self._rest.split(b"\n")
            for line in lines:
                self._take(bytes(line).removesuffix(b"\r"), events)
        return events

    def finish(self) -> list[bytes]:
        """The data of a last event that no empty line follows; some servers leave it out."""
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
        # Comments (keep-alives), `event`, `id` and `retry` say nothing that we need.


class LineParser:
    """Cuts a stream of newline-delimited JSON into its lines."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that `chunk` completes."""
        self._rest += chunk
        if b"\n" not in chunk:
            return []
        *lines, self._rest = self._rest.split(b"\n")
        return [line for each in lines if (line := bytes(each).strip())]

    def finish(self) -> list[bytes]:
        """A last line without an end."""
        rest, self._rest = bytes(self._rest).strip(), bytearray()
        return [rest] if rest else []
