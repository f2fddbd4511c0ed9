"""Checks that approved commands behave as in a bare shell: runs worlds of commands both ways at the same path.

`python3 tests/parity/parity.py [WORLD ...]` prints the differences; `make test-parity` runs all worlds.
With `REFUSE=landlock`, Deputy runs as on a machine without Landlock; with `REFUSE=namespaces,mounts`, as on
one without bubblewrap. A world is a table in `worlds.toml`: setup and teardown lines, commands that run in
order, patterns of paths that always differ, and the programs it needs. A scripted model proposes each
command, which is approved once with the first offer. Nothing else is granted.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "drive"))
from drive import BUILT, Json, Model

# Files by git and Python that contain a time or a process number.
ALWAYS_DIFFERS = [r"(^|/)\.git/(index|logs/|COMMIT_EDITMSG|ORIG_HEAD|FETCH_HEAD)", r"__pycache__", r"\.pyc$"]


@dataclass
class World:
    """Commands that belong together, in their own folder."""

    name: str
    commands: list[str]
    setup: list[str] = field(default_factory=list)
    #: Ends what the commands left running, before the home is made anew.
    teardown: list[str] = field(default_factory=list)
    skip: list[str] = field(default_factory=list)
    needs: list[str] = field(default_factory=list)
    #: Whether it takes seconds and no registry, and so runs with every other test.
    fast: bool = False

    def missing(self) -> list[str]:
        """Returns the programs that it needs but that are not installed."""
        return [program for program in self.needs if not shutil.which(program)]


def worlds() -> list[World]:
    tables = tomllib.loads(Path(__file__).with_name("worlds.toml").read_text())["world"]
    return [World(**table) for table in tables]


@dataclass
class Ran:
    """The exit codes of a world's commands, and the final contents of its folder."""

    codes: list[int | None]
    texts: list[str]
    tree: dict[str, str]
    asked: int = 0


@dataclass
class Difference:
    """A difference: a command that ended differently or, if there is none, a path that differs."""

    what: str
    bare: str
    approved: str
    said: str = ""


def proposing(commands: list[str]) -> Model:
    """Proposes the commands one after the other, then reports that it is done."""

    def plan(messages: list[Json]) -> list[tuple[str, Json]]:
        done = sum(message["role"] == "tool" for message in messages)
        return [("shell", {"command": command, "timeout_secs": 600}) for command in commands[done : done + 1]]

    return Model(plan, "All commands have run.")


def image(folder: Path, skip: list[str]) -> dict[str, str]:
    """Returns every path below a folder, with its content."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if any(re.search(pattern, name) for pattern in skip):
            continue
        mode = oct(path.lstat().st_mode & 0o777)
        if path.is_symlink():
            found[name] = f"link to {path.readlink()}"
        elif path.is_file():
            found[name] = f"{mode} {hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"
        else:
            found[name] = f"{mode} folder" if path.is_dir() else "neither file nor folder"
    return found


class Stage:
    """A home with a project, created again at the same path for each run."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.root = Path(tempfile.mkdtemp(prefix="parity-"))
        self.home = self.root / "home"
        self.project = self.home / "project"

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    def environment(self, deputy_home: str) -> dict[str, str]:
        # Variables that make and cargo set for this process are removed: a bare `cargo clean` would clean this very
        # build.
        ours = ("DEPUTY", "CARGO_TARGET_DIR", "MAKE", "MFLAGS")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        own = Path("~").expanduser()
        kept.setdefault("CARGO_HOME", str(own / ".cargo"))
        kept.setdefault("RUSTUP_HOME", str(own / ".rustup"))
        dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), "2026-01-01T00:00:00Z")
        path = f"{self.home}/.local/bin:{kept['PATH']}"
        return (
            kept | dates | {"HOME": str(self.home), "DEPUTY_HOME": str(self.root / deputy_home), "PATH": path}
        )

    def set_up(self, env: dict[str, str]) -> None:
        shutil.rmtree(self.home, ignore_errors=True)
        self.project.mkdir(parents=True)
        person = [
            "user.email me@example.org",
            "user.name Me",
            "init.defaultBranch main",
            "protocol.file.allow always",
        ]
        self.run_bare(
            "setting up", [f"git config --global {setting}" for setting in person] + self.world.setup, env
        )

    def tear_down(self, env: dict[str, str]) -> None:
        self.run_bare("tearing down", self.world.teardown, env)

    def run_bare(self, doing: str, lines: list[str], env: dict[str, str]) -> None:
        script = "\n".join(lines)
        done = subprocess.run(
            ["bash", "-ec", script], cwd=self.project, env=env, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"{doing} {self.world.name} failed: {done.stderr}")

    def image(self) -> dict[str, str]:
        return image(self.project, self.world.skip + ALWAYS_DIFFERS)

    def bare(self) -> Ran:
        env = self.environment("bare")
        self.set_up(env)
        codes: list[int | None] = []
        texts: list[str] = []
        for command in self.world.commands:
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=self.project,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
            codes.append(done.returncode)
            texts.append(done.stdout.decode(errors="replace"))
        tree = self.image()
        self.tear_down(env)
        return Ran(codes, texts, tree)

    def approved(self) -> Ran:
        env = self.environment("deputy")
        self.set_up(env)
        with proposing(self.world.commands).up() as model, serving(env, model.address) as deputy:
            ran = deputy.drive(self.project)
        ran.tree = self.image()
        self.tear_down(env)
        return ran


class Deputy:
    """The command line, in its own home."""

    def __init__(self, env: dict[str, str]) -> None:
        self.env = env
        self.program = str(BUILT / "deputy")

    def say(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.program, *words],
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def drive(self, project: Path) -> Ran:
        """Starts a task, approves everything that it asks, and waits for its end."""
        started = self.say("run", "Run the commands.", "--in", str(project), "--detach", "--json")
        task = json.loads(started.stdout.splitlines()[0])
        name = task.get("task") or task["id"]
        ran = Ran([], [], {})
        follow = [self.program, "follow", name, "--json"]
        with subprocess.Popen(follow, env=self.env, stdout=subprocess.PIPE, text=True) as followed:
            assert followed.stdout is not None
            for line in followed.stdout:
                told: Json = json.loads(line)
                event: Json = told.get("record", told).get("event", told)
                match event.get("type"):
                    case "permission_requested":
                        ran.asked += self.say("approve", event["request"]["id"]).returncode == 0
                    case "question_asked":
                        self.say("answer", event["question"]["id"], "go on")
                    case "tool_finished":
                        result: Json = event["result"]
                        ran.codes.append(result.get("exit_code"))
                        ran.texts.append(result.get("content", ""))
                    case "stopped":
                        followed.terminate()
                        break
        return ran


@contextlib.contextmanager
def serving(env: dict[str, str], model: str) -> Iterator[Deputy]:
    deputy = Deputy(env)
    refused = os.environ.get("REFUSE")
    refusing = [str(BUILT / "refusing"), refused] if refused else []
    backend = "backends.openai_compatible"
    settings = {"backend": "openai_compatible", f"{backend}.base_url": model, f"{backend}.model": "scripted"}
    for key, value in settings.items():
        deputy.say("config", "set", key, value)
    host = subprocess.Popen(
        [*refusing, deputy.program, "serve", "--json"],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert host.stdout is not None
        # Its first line contains its address.
        host.stdout.readline()
        yield deputy
    finally:
        host.terminate()
        host.wait()


def compare(world: World) -> list[Difference]:
    """Runs a world both ways. Returns the differences."""
    with Stage(world) as stage:
        bare, approved = stage.bare(), stage.approved()
    found: list[Difference] = []
    for at, command in enumerate(world.commands):
        code = approved.codes[at] if at < len(approved.codes) else None
        if code != bare.codes[at]:
            said = approved.texts[at][-400:] if at < len(approved.texts) else "it did not run"
            found.append(Difference(command, str(bare.codes[at]), str(code), said))
    if not found:
        for path in sorted(bare.tree.keys() | approved.tree.keys()):
            there, here = bare.tree.get(path, "nothing"), approved.tree.get(path, "nothing")
            if there != here:
                found.append(Difference(path, there, here))
    return found


def main(names: list[str]) -> int:
    total = good = 0
    for world in worlds():
        if names and world.name not in names:
            continue
        if missing := world.missing():
            print(f"{world.name}: skipped, {', '.join(missing)} not installed")
            continue
        differences = compare(world)
        commands = [each for each in differences if each.what in world.commands]
        total += len(world.commands)
        good += len(world.commands) - len(commands)
        print(
            f"{world.name}: {len(world.commands) - len(commands)} of {len(world.commands)} commands end as they do bare",
            flush=True,
        )
        for each in differences:
            print(f"  {each.what}\n    bare {each.bare}, approved {each.approved} {each.said}", flush=True)
    print(f"{good} of {total} approved commands end as they do bare")
    return 0 if good == total else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
