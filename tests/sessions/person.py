"""A scripted model, and a person who answers what Deputy asks: a session from its goal to its end."""

from __future__ import annotations

import contextlib
import http.server
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BUILT = Path(os.environ.get("DEPUTY_BUILT", ROOT / "target/debug"))
Json = dict[str, Any]


def said(phrase: Json | str) -> str:
    """The English of a message, which comes as a bare text or with its id and arguments."""
    return phrase if isinstance(phrase, str) else str(phrase["text"])


@dataclass
class Call:
    """One call of the model, and how it has to end."""

    tool: str
    parameters: Json
    fails: bool = False


@dataclass
class Session:
    """A project, what is wanted, what a decent model does, and what has to hold afterwards."""

    name: str
    goal: str
    files: dict[str, str]
    turns: list[list[Call]]
    #: Commands of the project's own that have to succeed at the end, in a bare shell.
    checks: list[str]
    setup: list[str] = field(default_factory=list)
    #: Texts that files hold at the end; `None` where there is no file.
    tree: dict[str, str | None] = field(default_factory=dict)
    needs: list[str] = field(default_factory=list)
    #: How often it may ask.
    cards: int = 4

    def missing(self) -> list[str]:
        return [program for program in self.needs if not shutil.which(program)]


@dataclass
class Told:
    """What happened, as the journal tells it."""

    reason: str = ""
    results: list[Json] = field(default_factory=list)
    requests: list[Json] = field(default_factory=list)
    #: The offer that was taken up for each request.
    taken: list[Json] = field(default_factory=list)
    #: Cards that were shown; edits that are asked about together are one.
    cards: int = 0
    questions: list[str] = field(default_factory=list)


class Model(http.server.ThreadingHTTPServer):
    """Plays each session's turns, known by its goal, then says that it is done."""

    daemon_threads = True

    def __init__(self, sessions: list[Session]) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.sessions = sessions

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def turn(self, messages: list[Json]) -> list[Call]:
        said = "\n".join(str(message["content"]) for message in messages if message["role"] == "user")
        # The goal comes first; behind it may stand what earlier tasks were about.
        session = min(
            (session for session in self.sessions if session.goal in said),
            key=lambda session: said.index(session.goal),
        )
        done = sum(message["role"] == "tool" for message in messages)
        for turn in session.turns:
            if done == 0:
                return turn
            done -= len(turn)
        return []


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        assert isinstance(self.server, Model)
        asked: Json = json.loads(self.rfile.read(int(self.headers["content-length"])))
        calls = []
        for at, call in enumerate(self.server.turn(asked["messages"])):
            function = {"name": call.tool, "arguments": json.dumps(call.parameters)}
            name = f"call-{len(asked['messages'])}-{at}"
            calls.append({"index": at, "id": name, "type": "function", "function": function})
        delta: Json = {"role": "assistant", "content": None if calls else "All done."}
        if calls:
            delta["tool_calls"] = calls
        choices = [
            {"index": 0, "delta": delta, "finish_reason": None},
            {"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls else "stop"},
        ]
        chunk = {"id": "sessions", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
        lines = [json.dumps({**chunk, "choices": [choice]}) for choice in choices]
        body = "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class Person:
    """Someone at the command line, with a home of their own, who wants the work done and reads what they are asked."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home"
        self.home.mkdir()
        kept = {name: value for name, value in os.environ.items() if not name.startswith("DEPUTY")}
        # The toolchain is this machine's; a registry of crates is not needed, and takes long to copy.
        kept.setdefault("RUSTUP_HOME", str(Path("~/.rustup").expanduser()))
        kept["CARGO_HOME"] = str(self.home / ".cargo")
        places = {"HOME": str(self.home), "DEPUTY_HOME": str(root / "deputy"), "LC_ALL": "C.UTF-8"}
        self.env = kept | places
        for setting in ("user.email me@example.org", "user.name Me", "init.defaultBranch main"):
            self.bare(f"git config --global {setting}", self.home)

    def bare(self, command: str, folder: Path) -> subprocess.CompletedProcess[str]:
        """Runs a command as in their own terminal."""
        return subprocess.run(
            ["bash", "-ec", command],
            cwd=folder,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def deputy(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(BUILT / "deputy"), *words],
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def project(self, session: Session) -> Path:
        """The session's project as it is before the work."""
        folder = self.home / session.name
        for name, text in session.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        folder.mkdir(exist_ok=True)
        done = self.bare("\n".join(session.setup), folder)
        assert done.returncode == 0, f"setting up {session.name}: {done.stdout}{done.stderr}"
        return folder

    def run(self, session: Session, folder: Path) -> Told:
        """Hands over the task, answers what it asks, and waits for its end."""
        started = self.deputy("run", session.goal, "--in", str(folder), "--detach", "--json")
        task = json.loads(started.stdout.splitlines()[0])
        name = task.get("task") or task["id"]
        told = Told()
        with subprocess.Popen(
            [str(BUILT / "deputy"), "follow", name, "--json"],
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        ) as followed:
            assert followed.stdout is not None
            for line in followed.stdout:
                message: Json = json.loads(line)
                event: Json = message.get("record", message).get("event", message)
                match event.get("type"):
                    case "permission_requested":
                        self.answer(event["request"], told)
                    case "question_asked":
                        told.questions.append(said(event["question"]["text"]))
                        self.deputy("answer", event["question"]["id"], "stop")
                    case "tool_finished":
                        told.results.append(event["result"])
                    case "stopped":
                        told.reason = event["reason"]
                        break
            followed.terminate()
        return told

    def answer(self, request: Json, told: Told) -> None:
        """Yes; for this task where that is offered, so as not to be asked again, and once where it is not."""
        offer = choose(request["offered"])
        lifetime = "task" if offer["lifetime"]["for"] == "task" else "once"
        wider = ["--wider"] if offer.get("wider") else []
        said = self.deputy("approve", request["id"], "--for", lifetime, *wider)
        assert said.returncode == 0, said.stderr
        told.requests.append(request)
        told.taken.append(offer)
        told.cards += 1

    def grants(self, folder: Path) -> dict[str, Json]:
        """Everything that was ever remembered for a folder, as it is stored, by the request that it came from."""
        with contextlib.closing(sqlite3.connect(self.root / "deputy/deputy.db")) as database:
            rows = database.execute(
                'SELECT "grant" FROM grants WHERE workspace = ?', [str(folder)]
            ).fetchall()
        grants: list[Json] = [json.loads(row[0]) for row in rows]
        return {grant["request"]: grant for grant in grants}


def choose(offered: list[Json]) -> Json:
    """The offer that a person takes who wants to be asked less, and nothing beyond this task."""
    for_task = [offer for offer in offered if offer["lifetime"]["for"] == "task"]
    return max(for_task, key=lambda offer: bool(offer.get("wider"))) if for_task else offered[0]


@contextlib.contextmanager
def working(sessions: list[Session]) -> Iterator[Person]:
    """A person whose host is up, with a model that plays these sessions."""
    root = Path(tempfile.mkdtemp(prefix="sessions-"))
    model = Model(sessions)
    threading.Thread(target=model.serve_forever, daemon=True).start()
    try:
        person = Person(root)
        backend = "backends.openai_compatible"
        settings = {
            "backend": "openai_compatible",
            f"{backend}.base_url": model.address,
            f"{backend}.model": "scripted",
        }
        for key, value in settings.items():
            person.deputy("config", "set", key, value)
        host = subprocess.Popen(
            [str(BUILT / "deputy"), "serve", "--json"],
            env=person.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            assert host.stdout is not None
            # Its first line says where it listens.
            host.stdout.readline()
            threading.Thread(target=host.stdout.read, daemon=True).start()
            yield person
        finally:
            host.terminate()
            host.wait()
    finally:
        model.shutdown()
        model.server_close()
        shutil.rmtree(root, ignore_errors=True)
