"""Short names for the model's calls."""

from __future__ import annotations

from textwrap import dedent

from person import Call


def read(path: str) -> Call:
    return Call("code", {"action": "read", "path": path})


def write(path: str, content: str) -> Call:
    return Call("code", {"action": "write", "path": path, "content": dedent(content)})


def patch(path: str, old: str, new: str, *, every: bool = False) -> Call:
    wanted = {"action": "patch", "path": path, "old": old, "new": new}
    return Call("code", {**wanted, "replace_all": True} if every else wanted)


def run(command: str, *, fails: bool = False) -> Call:
    return Call("shell", {"command": command}, fails)


def background(action: str, **parameters: object) -> Call:
    return Call("background", {"action": action, **parameters})


#: A repository with everything in it committed.
COMMITTED = ["git init -q", "git add -A", "git commit -qm 'First version'"]


def grep(pattern: str, path: str) -> Call:
    return Call("search", {"action": "grep", "pattern": pattern, "path": path})


def steps(*wanted: str | Call | list[Call]) -> list[list[Call]]:
    """Returns a turn for each of these; a text is a command."""
    calls = [run(dedent(one).strip()) if isinstance(one, str) else one for one in wanted]
    return [call if isinstance(call, list) else [call] for call in calls]
