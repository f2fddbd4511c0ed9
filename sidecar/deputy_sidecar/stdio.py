"""Standard input and output: reserves them for the protocol, and reads and writes whole lines."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from typing import NamedTuple

from deputy_sidecar.redaction import RedactingStream, Redactor

__all__ = ["MAX_LINE_BYTES", "LineReader", "LineWriter", "Stdio", "take_over_stdio"]

# The core sends at most a conversation of a few hundred kilobytes. A sender of more is broken.
MAX_LINE_BYTES = 32 * 1024 * 1024


class Stdio(NamedTuple):
    """The protocol's own descriptors, and the log that all other output is redirected to."""

    input_fd: int
    output_fd: int
    log: RedactingStream
    redactor: Redactor


def take_over_stdio() -> Stdio:
    """Moves descriptors 0 and 1 to new numbers, and puts `/dev/null` and the log in their place.

    This way neither a stray `print` or `input` in a backend, nor a C library or a child process that writes to
    descriptor 1, can corrupt the protocol.
    """
    input_fd, output_fd = os.dup(0), os.dup(1)
    null_fd = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null_fd, 0)
    os.close(null_fd)
    os.dup2(2, 1)
    redactor = Redactor()
    log = RedactingStream(sys.stderr, redactor)
    # These are not full text streams, but they have what `print`, `logging` and `traceback` call.
    sys.stdout = sys.stderr = log
    # The fallback of some libraries.
    sys.__stdout__ = sys.__stderr__ = log  # type: ignore[assignment,misc]
    return Stdio(input_fd, output_fd, log, redactor)


class LineReader(asyncio.Protocol):
    """Splits input into lines. A line over the limit is reported once and skipped without buffering it."""

    def __init__(
        self, on_line: Callable[[bytes], None], on_too_long: Callable[[], None], on_end: Callable[[], None]
    ) -> None:
        self._on_line = on_line
        self._on_too_long = on_too_long
        self._on_end = on_end
        self._pending = bytearray()
        self._is_skipping = False

    def data_received(self, data: bytes) -> None:
        """Passes on each line that `data` completes."""
        *lines, rest = data.split(b"\n")
        for line in lines:
            if self._is_skipping:
                self._is_skipping = False
            elif self._pending:
                self._pending += line
                whole = bytes(self._pending)
                self._pending = bytearray()
                self._on_line(whole)
            else:
                self._on_line(line)
        if rest and not self._is_skipping:
            self._pending += rest
            if len(self._pending) > MAX_LINE_BYTES:
                self._pending = bytearray()
                self._is_skipping = True
                self._on_too_long()

    def connection_lost(self, exc: Exception | None) -> None:
        """Passes on a last line without a line end, then reports the end."""
        if self._pending and not self._is_skipping:
            self._on_line(bytes(self._pending))
        self._on_end()


class LineWriter(asyncio.Protocol):
    """Writes lines in order without blocking the loop, unless the output is a plain file."""

    def __init__(self, output_fd: int, on_lost: Callable[[], None]) -> None:
        self._fd = output_fd
        self._on_lost = on_lost
        self._transport: asyncio.WriteTransport | None = None
        self._drained = asyncio.Event()
        self._drained.set()

    async def open(self) -> None:
        """Connects to the descriptor."""
        loop = asyncio.get_running_loop()
        try:
            self._transport, _ = await loop.connect_write_pipe(lambda: self, os.fdopen(self._fd, "wb", 0))
            self._transport.set_write_buffer_limits(high=0)
        except ValueError:
            # asyncio refuses plain files, but writing to them does not block anyway.
            self._fd = os.dup(self._fd)

    def write(self, line: bytes) -> None:
        """Queues `line`, which must end with a line feed."""
        if self._transport is not None:
            self._transport.write(line)
            return
        try:
            while line:
                line = line[os.write(self._fd, line) :]
        except OSError:
            self._on_lost()

    async def drain(self) -> None:
        """Waits until everything has been passed to the operating system."""
        await self._drained.wait()

    def pause_writing(self) -> None:
        """The reader is slower than the writer."""
        self._drained.clear()

    def resume_writing(self) -> None:
        """Everything has been written."""
        self._drained.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """The reader is gone, so replies cannot be delivered."""
        self._drained.set()
        self._on_lost()
