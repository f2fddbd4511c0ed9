"""Runs `testkit`'s bad network between a client and the server: it cuts, delays, duplicates and reorders."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from deputy import BUILT


class Chaos:
    """A running proxy: its port, and what it did, once it has ended."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.tally: dict[str, int] = {}


@contextmanager
def proxy(target: str, seed: int, **odds: float) -> Iterator[Chaos]:
    """Forwards connections to `target` (an address with a port) until the block ends."""
    words = [word for name, value in odds.items() for word in (f"--{name}", str(value))]
    command = [str(BUILT / "chaos-proxy"), "--to", target, "--seed", str(seed), *words]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    chaos = Chaos(int(process.stdout.readline().rsplit(":", 1)[1]))
    try:
        yield chaos
    finally:
        said, _ = process.communicate("")
        chaos.tally = json.loads(said)
