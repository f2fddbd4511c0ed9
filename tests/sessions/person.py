"""A scripted model, and a simulated user who answers Deputy's requests: a session from its goal to its end."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from drive import Home, Json, Model, said


@dataclass
class Call:
    """A call of the model, and its expected status."""

    tool: str
    parameters: Json
    fails: bool = False


@dataclass
class Session:
    """A project, its goal, the calls of a decent model, and the checks at the end."""

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
    #: What may ask at high risk: texts in the summaries of such requests, and why they do. Long sessions only.
    high: dict[str, str] = field(default_factory=dict)
    #: What undo may say that it left. Long sessions only.
    left: list[str] = field(default_factory=list)

    def missing(self) -> list[str]:
        return [program for program in self.needs if not shutil.which(program)]


@dataclass
class Told:
    """What happened, according to the journal."""

    task: str = ""
    reason: str = ""
    results: list[Json] = field(default_factory=list)
    requests: list[Json] = field(default_factory=list)
    #: The offer that was taken up for each request.
    taken: list[Json] = field(default_factory=list)
    #: Cards that were shown; edits that are asked about together are one.
    cards: int = 0
    questions: list[str] = field(default_factory=list)
    #: The bodies of the requests to the model, one for each step.
    bodies: list[bytes] = field(default_factory=list)


def player(sessions: list[Session]) -> Model:
    """Plays each session's turns, identified by its goal, then reports that it is done."""

    def plan(messages: list[Json]) -> list[tuple[str, Json]]:
        said = "\n".join(str(message["content"]) for message in messages if message["role"] == "user")
        # The goal comes first. Goals of earlier tasks may follow it.
        session = min(
            (session for session in sessions if session.goal in said),
            key=lambda session: said.index(session.goal),
        )
        done = sum(message["role"] == "tool" for message in messages)
        for turn in session.turns:
            if done == 0:
                return [(call.tool, call.parameters) for call in turn]
            done -= len(turn)
        return []

    return Model(plan)


class Person(Home):
    """A user at the command line with their own home, who wants the work done and reads the requests."""

    def __init__(self, root: Path, model: Model) -> None:
        self.model = model
        self.home = root / "home"
        self.home.mkdir()
        super().__init__(root, self.home)
        # The toolchain is this machine's. The crates registry is not needed, and slow to copy.
        self.env.setdefault("RUSTUP_HOME", str(Path("~/.rustup").expanduser()))
        self.env["CARGO_HOME"] = str(self.home / ".cargo")
        for setting in ("user.email me@example.org", "user.name Me", "init.defaultBranch main"):
            self.bare(f"git config --global {setting}", self.home)

    def bare(self, command: str, folder: Path) -> subprocess.CompletedProcess[str]:
        """Runs a command as in the user's own terminal."""
        return subprocess.run(
            ["bash", "-ec", command],
            cwd=folder,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def project(self, session: Session) -> Path:
        """Creates the session's project in its initial state."""
        folder = self.home / session.name
        for name, text in session.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        folder.mkdir(exist_ok=True)
        done = self.bare("\n".join(session.setup), folder)
        assert done.returncode == 0, f"setting up {session.name}: {done.stdout}{done.stderr}"
        return folder

    def state(self, folder: Path) -> dict[str, str]:
        """Returns the contents of the project's files, and what git says about it."""
        files = {
            str(path.relative_to(folder)): f"{path.stat().st_mode:o} {path.read_bytes().hex()}"
            for path in folder.rglob("*")
            if path.is_file() and ".git" not in path.relative_to(folder).parts
        }
        looks = ["symbolic-ref HEAD", "for-each-ref", "status --short", "stash list", "diff --cached"]
        return files | {look: self.bare(f"git {look}", folder).stdout for look in looks}

    def run(self, session: Session, folder: Path) -> Told:
        """Starts the task, answers its requests, and waits for its end."""
        told = Told()
        self.model.bodies = told.bodies
        told.task = self.start(session.goal, folder)
        for event in self.follow(told.task):
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
        return told

    def answer(self, request: Json, told: Told) -> None:
        """Approves a request: for this task if that is offered, to avoid further requests, otherwise once."""
        offer = choose(request["offered"])
        lifetime = "task" if offer["lifetime"]["for"] == "task" else "once"
        wider = ["--wider"] if offer.get("wider") else []
        said = self.deputy("approve", request["id"], "--for", lifetime, *wider)
        assert said.returncode == 0, said.stderr
        told.requests.append(request)
        told.taken.append(offer)
        told.cards += 1

    def grants(self, folder: Path) -> dict[str, Json]:
        """Returns all stored grants of a folder, by the request that they came from."""
        with contextlib.closing(sqlite3.connect(self.root / "deputy/deputy.db")) as database:
            rows = database.execute(
                'SELECT "grant" FROM grants WHERE workspace = ?', [str(folder)]
            ).fetchall()
        grants: list[Json] = [json.loads(row[0]) for row in rows]
        return {grant["request"]: grant for grant in grants}


def choose(offered: list[Json]) -> Json:
    """Chooses the offer with the fewest further requests that does not go beyond this task."""
    for_task = [offer for offer in offered if offer["lifetime"]["for"] == "task"]
    return max(for_task, key=lambda offer: bool(offer.get("wider"))) if for_task else offered[0]


@contextlib.contextmanager
def working(sessions: list[Session]) -> Iterator[Person]:
    """Yields a user with a running host and a model that plays these sessions."""
    root = Path(tempfile.mkdtemp(prefix="sessions-"))
    try:
        with player(sessions).up() as model:
            person = Person(root, model)
            person.ask(model)
            with person.serving():
                yield person
    finally:
        shutil.rmtree(root, ignore_errors=True)
