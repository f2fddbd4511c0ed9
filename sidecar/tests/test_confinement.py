"""The walls around the process that embeds: what still works in it, and what does not."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

TRIES = """
import os, signal, socket, subprocess, sys, threading
sys.path.insert(0, sys.argv[1])
from deputy_sidecar.confinement import confine
confine()
secret, port = sys.argv[2], int(sys.argv[3])
def tries():
    for name, work in {
        "write": lambda: open("/tmp/deputy-confined", "w"),
        "append": lambda: open(secret, "a"),
        "remove": lambda: os.unlink(secret),
        "read": lambda: open(secret).read(),
        "list": lambda: os.listdir(os.path.dirname(secret)),
        "start": lambda: subprocess.run(["/bin/true"]),
        "connect": lambda: socket.create_connection(("127.0.0.1", port), 2),
        "datagram": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "unix": lambda: socket.socket(socket.AF_UNIX),
        "signal": lambda: os.kill(os.getppid(), 0),
    }.items():
        try:
            work()
            print("LEAK", name)
        except OSError:
            print("refused", name)
tries()
thread = threading.Thread(target=tries); thread.start(); thread.join()
import json, decimal
print(open("/etc/hostname").read() != "", socket.socketpair() is not None)
"""

EMBEDS = """
import asyncio, sys
sys.path.insert(0, sys.argv[1])
from deputy_sidecar.confinement import confine
confine()
from deputy_sidecar.backends.on_device import create
backend = create(); backend.configure({})
found = asyncio.run(backend.embed(["a word", "ein Wort"]))
print(len(found.vectors), len(found.vectors[0]))
"""


def run(script: str, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-I", "-c", script, str(ROOT), *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_nothing_is_written_started_reached_or_read_outside(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("word")
    with socket.create_server(("127.0.0.1", 0)) as server:
        lines = run(TRIES, str(secret), str(server.getsockname()[1])).splitlines()
    assert [line for line in lines if line.startswith("LEAK")] == []
    assert len([line for line in lines if line.startswith("refused")]) == 20
    assert lines[-1] == "True True"
    assert secret.read_text() == "word"


def test_texts_are_embedded_behind_the_walls() -> None:
    assert run(EMBEDS).split() == ["2", "384"]
