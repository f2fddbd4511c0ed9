"""Plays situations: a built host, and a model on loopback that speaks the dialect of one provider."""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from drive import Home, Json
from situation import Call, Situation
from support.dialects import Double
from support.model_server import ModelServer, Request

__all__ = ["Outcome", "Player", "playing"]


@dataclass(frozen=True)
class Made:
    """A call that the model made, its result, and the functions that the request declared."""

    call: Call
    arguments: Json
    declared: dict[str, Json]
    #: As the model reads it in the next request.
    result: str
    #: According to the journal.
    status: str


@dataclass(frozen=True)
class Outcome:
    """How a situation went."""

    made: list[Made]
    #: The bodies of all requests of the task.
    bodies: list[bytes]
    folder: Path
    #: Why the task stopped.
    reason: str


def answers(turns: Sequence[Call | Sequence[Call]]) -> list[Sequence[Call]]:
    """Returns the calls of each answer."""
    return [[turn] if isinstance(turn, Call) else turn for turn in turns]


class Player:
    """A host whose model plays situations, one after the other, and the user who lets it."""

    def __init__(self, double: Double, home: Home, folder: Path) -> None:
        self.double = double
        self.home = home
        self.folder = folder
        self.turns: dict[str, list[Sequence[Call]]] = {}
        self.requests: dict[str, list[Request]] = defaultdict(list)
        self.outcomes: dict[str, Outcome] = {}

    def respond(self, connection: socket.socket, request: Request) -> None:
        """Answers a request of a task, which its goal identifies."""
        messages = self.double.said(request)
        turns = self.turns.get(messages[0].text, [])
        # Requests without functions, such as summaries, are not steps of the task.
        if not request.body.get("tools") or not turns:
            self.double.answer("Nothing to add.")(connection, request)
            return
        earlier = self.requests[messages[0].text]
        earlier.append(request)
        calls = turns[len(earlier) - 1] if len(earlier) <= len(turns) else []
        results = self.results(request)
        written = [(call.function, arguments_of(call, results)) for call in calls]
        self.double.answer("" if calls else "All done.", calls=written)(connection, request)

    def results(self, request: Request) -> list[str]:
        """Returns the results of all calls up to a request, as the model reads them."""
        return [text for message in self.double.said(request) for text in message.results]

    def play(self, situation: Situation) -> Outcome:
        """Plays a situation, or returns how it went before."""
        if situation.name not in self.outcomes:
            self.outcomes[situation.name] = self._play(situation)
        return self.outcomes[situation.name]

    def _play(self, situation: Situation) -> Outcome:
        folder = self.folder / situation.name
        folder.mkdir()
        for name, content in situation.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        if situation.repository:
            subprocess.run(["git", "init", "--quiet", str(folder)], env=self.home.env, check=True)
        if situation.earlier:
            self._run(f"Prepare {situation.name}.", answers(situation.earlier), folder)
        return self._run(f"Do {situation.name}.", answers(situation.turns), folder)

    def _run(self, goal: str, turns: list[Sequence[Call]], folder: Path) -> Outcome:
        self.turns[goal] = turns
        ran = self.home.deputy("run", goal, "--in", str(folder), "--yes", "medium", "--json")
        events = [json.loads(line)["record"]["event"] for line in ran.stdout.splitlines()]
        planned = [
            call["id"]
            for event in events
            if event["type"] == "planned"
            for call in event["plan"]["tool_calls"]
        ]
        statuses = {
            event["call"]: event["result"]["status"] for event in events if event["type"] == "tool_finished"
        }
        requests = self.requests[goal]
        results = self.results(requests[-1]) if requests else []
        made: list[Made] = []
        for calls, request in zip(turns, requests, strict=False):
            # What the model had read when it made these calls.
            read = results[: len(made)]
            for call in calls:
                at = len(made)
                result = results[at] if at < len(results) else ""
                status = statuses.get(planned[at], "no result") if at < len(planned) else "no call"
                declared = self.double.tools(request)
                made.append(Made(call, arguments_of(call, read), declared, result, status))
        stopped = [event["reason"] for event in events if event["type"] == "stopped"]
        reason = stopped[-1] if stopped else f"not stopped: {ran.stderr or events[-1:]}"
        return Outcome(made, [request.raw for request in requests], folder, reason)


def arguments_of(call: Call, results: list[str]) -> Json:
    """Returns the arguments of a call, after these results."""
    return call.arguments(results) if callable(call.arguments) else call.arguments


@contextlib.contextmanager
def playing(double: Double) -> Iterator[Player]:
    """Yields a player with a host whose backend asks this double."""
    root = Path(tempfile.mkdtemp(prefix="situations-"))
    try:
        user = root / "home"
        user.mkdir()
        player = Player(double, Home(root, user), user)
        with ModelServer(player.respond) as server:
            backend = double.module.__name__.rpartition(".")[2]
            settings = {
                f"backends.{backend}.{name}": value if isinstance(value, str) else json.dumps(value)
                for name, value in double.settings(server).items()
            }
            player.home.set(backend=backend, **settings)
            with player.home.serving():
                yield player
    finally:
        shutil.rmtree(root, ignore_errors=True)
