"""Runs the built `deputy` in its own home, with a model that the test simulates."""

from __future__ import annotations

import contextlib
import http.server
import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

__all__ = ["BUILT", "ROOT", "Home", "Json", "Model", "said"]

ROOT = Path(__file__).resolve().parents[2]
BUILT = Path(os.environ.get("DEPUTY_BUILT", ROOT / "target/debug"))
Json = dict[str, Any]
#: What a model calls next, by its conversation: tools with their parameters, or nothing once it is done.
Plan = Callable[[list[Json]], list[tuple[str, Json]]]


def said(phrase: Json | str) -> str:
    """Returns the English text of a message, which is a plain string or has an id and arguments."""
    return phrase if isinstance(phrase, str) else str(phrase["text"])


class Model(http.server.ThreadingHTTPServer):
    """A chat completions server on loopback whose plans come from a function."""

    daemon_threads = True

    def __init__(self, plan: Plan, words: str = "All done.") -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.plan = plan
        self.words = words
        #: Receives the body of each step's request, if a test sets it.
        self.bodies: list[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    @contextlib.contextmanager
    def up(self) -> Iterator[Model]:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        try:
            yield self
        finally:
            self.shutdown()
            self.server_close()


class _Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Model

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        asked: Json = json.loads(body)
        messages: list[Json] = asked["messages"]
        # Requests without tools, such as summaries, are not steps of the task.
        is_step = bool(asked.get("tools"))
        planned = self.server.plan(messages) if is_step else []
        if is_step and self.server.bodies is not None:
            self.server.bodies.append(body)
        calls = []
        for at, (tool, parameters) in enumerate(planned):
            function = {"name": tool, "arguments": json.dumps(parameters)}
            name = f"call-{len(messages)}-{at}"
            calls.append({"index": at, "id": name, "type": "function", "function": function})
        delta: Json = {"role": "assistant", "content": None if calls else self.server.words}
        if calls:
            delta["tool_calls"] = calls
        choices = [
            {"index": 0, "delta": delta, "finish_reason": None},
            {"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls else "stop"},
        ]
        chunk = {"id": "played", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
        lines = [json.dumps({**chunk, "choices": [choice]}) for choice in choices]
        answer = "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        pass


class Home:
    """The home of a user at the command line, and the commands that they type."""

    def __init__(self, root: Path, user: Path) -> None:
        self.root = root
        kept = {name: value for name, value in os.environ.items() if not name.startswith("DEPUTY")}
        self.env = kept | {"HOME": str(user), "DEPUTY_HOME": str(root / "deputy"), "LC_ALL": "C.UTF-8"}

    def deputy(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(BUILT / "deputy"), *words],
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def set(self, **settings: str) -> None:
        for key, value in settings.items():
            done = self.deputy("config", "set", key, value)
            assert done.returncode == 0, f"{key}: {done.stdout}{done.stderr}"

    def ask(self, model: Model) -> None:
        """Uses this model for later tasks."""
        backend = "backends.openai_compatible"
        self.set(
            **{
                "backend": "openai_compatible",
                f"{backend}.base_url": model.address,
                f"{backend}.model": "scripted",
            }
        )

    @contextlib.contextmanager
    def serving(self) -> Iterator[None]:
        """Runs a host for this home. Yields once it is up."""
        host = subprocess.Popen(
            [str(BUILT / "deputy"), "serve", "--json"],
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            assert host.stdout is not None
            # Its first line contains its address.
            host.stdout.readline()
            threading.Thread(target=host.stdout.read, daemon=True).start()
            yield
        finally:
            host.terminate()
            host.wait()

    def start(self, goal: str, folder: Path) -> str:
        """Starts a task. Returns its id."""
        started = self.deputy("run", goal, "--in", str(folder), "--detach", "--json")
        assert started.stdout, started.stderr
        task: Json = json.loads(started.stdout.splitlines()[0])
        return str(task.get("task") or task["id"])

    def follow(self, task: str) -> Iterator[Json]:
        """Yields the events of a task until it has stopped."""
        with subprocess.Popen(
            [str(BUILT / "deputy"), "follow", task, "--json"],
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        ) as followed:
            assert followed.stdout is not None
            for line in followed.stdout:
                message: Json = json.loads(line)
                event: Json = message.get("record", message).get("event", message)
                yield event
                if event.get("type") == "stopped":
                    break
            followed.terminate()
