"""A host in a home of its own, and someone who hands it requests over its socket and lets it change what it asks for."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from drive import BUILT, Json, said

__all__ = ["Host", "Told", "serving"]


@dataclass(frozen=True)
class Told:
    """How a task ended, or what it asked."""

    task: str
    #: `completed`, `needs_model`, ... or `question`.
    end: str
    said: str
    calls: int
    secs: float


# Each connection names its commands by itself.
_CONNECTIONS = itertools.count()


class Host:
    """One connection to the host's socket."""

    def __init__(self, deputy: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(deputy / "host.sock"))
        self.lines = self.socket.makefile("r", encoding="utf-8")
        self.ids = itertools.count()
        self.name = next(_CONNECTIONS)
        self.send(
            {
                "type": "hello",
                "protocol": 1,
                "resume_from": None,
                "follow": True,
                "brief": False,
                "proof": None,
            }
        )

    def send(self, message: Json) -> None:
        self.socket.sendall((json.dumps(message) + "\n").encode())

    def read(self) -> Json:
        line = self.lines.readline()
        assert line, "the host ended the connection"
        message: Json = json.loads(line)
        return message

    def command(self, **command: Any) -> Json:
        name = f"c{self.name}-{next(self.ids)}-{os.getpid()}"
        self.send({"type": "command", "envelope": {"id": name, "command": command}})
        while True:
            message = self.read()
            assert message["type"] != "error", message
            if message["type"] == "command_reply" and message["id"] == name:
                outcome: Json = message["outcome"]
                return outcome

    def allow(self, request: Json) -> None:
        answer = {
            "request": request["id"],
            "digest": request["digest"],
            "choice": {"choice": "allow", "lifetime": {"for": "once"}, "wider": False, "dropped": []},
            "by": {"by": "local", "screen": "terminal"},
        }
        self.send(
            {
                "type": "command",
                "envelope": {
                    "id": f"c{self.name}-{next(self.ids)}-{os.getpid()}",
                    "command": {"command": "answer_permission", "answer": answer},
                },
            }
        )

    def run(self, goal: str, folder: Path, after: str | None = None) -> Told:
        """Hands over a request, allows what it asks for, and waits until it ends or has a question."""
        began = time.monotonic()
        begun = self.command(
            command="start",
            goal=goal,
            workspace=str(folder),
            profile=None,
            backend="offline",
            session=None,
            after=after,
            scope={"read": [], "write": [], "only_files": [], "only_tags": [], "names": None},
            max_iterations=None,
            max_wall_secs=None,
            max_tokens=None,
            standing_consent=None,
        )
        task = begun["task"]["id"]
        calls = 0
        while True:
            message = self.read()
            if message["type"] != "event" or message["record"]["task"] != task:
                continue
            event = message["record"]["event"]
            match event["type"]:
                case "tool_started":
                    calls += 1
                case "question_asked":
                    secs = time.monotonic() - began
                    self.command(command="stop", task=task)
                    return Told(task, "question", said(event["question"]["text"]), calls, secs)
                case "permission_requested":
                    self.allow(event["request"])
                case "stopped":
                    summary = said(event.get("summary") or "")
                    return Told(task, event["reason"], summary, calls, time.monotonic() - began)


@contextlib.contextmanager
def serving(*, embeds: bool = True) -> Iterator[Callable[[], Host]]:
    """A host that is up and knows no model; what it gives opens a connection to it."""
    root = Path(tempfile.mkdtemp(prefix="requests-"))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DEPUTY")}
    for name in ("home", "deputy"):
        (root / name).mkdir(mode=0o700)
    if not embeds:
        (root / "deputy/config.toml").write_text('[memory]\nembedder = "none"\n')
    env = kept | {"HOME": str(root / "home"), "DEPUTY_HOME": str(root / "deputy"), "LC_ALL": "C.UTF-8"}
    host = subprocess.Popen(
        [str(BUILT / "deputy"), "serve", "--json"], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        assert host.stdout is not None
        # Its first line says where it listens.
        host.stdout.readline()
        yield lambda: Host(root / "deputy")
    finally:
        host.terminate()
        host.wait()
        shutil.rmtree(root, ignore_errors=True)
