"""Server-sent events, as far as model providers use them: the `data` of each event."""

from __future__ import annotations

__all__ = ["EventParser"]


class EventParser:
    """Cuts a stream of bytes, wherever it is split, into the data of its events."""

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
