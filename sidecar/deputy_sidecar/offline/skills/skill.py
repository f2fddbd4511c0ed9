"""What a skill is, and the words that skills have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from deputy_sidecar.offline.steps import Call, Calls, Chore, NotPossibleError, Question, Result, Task

__all__ = ["Skill", "bullets", "called", "one", "search", "write_report"]


@dataclass(frozen=True)
class Skill:
    """A chore: what it does, requests that mean it, and its steps."""

    title: str
    samples: tuple[str, ...]
    start: Callable[[Task], Chore]
    # What can mean nothing else, whatever words come with it.
    surely: re.Pattern[str] | None = None
    # Whether nothing else means it: words that are only alike are then not enough.
    only_surely: bool = False
    # What the chore heeds: concepts, and further words. What else a request says it would pass over.
    heeds: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    # Whether it heeds a kind of file as a condition.
    kinds: bool = False
    # Whether it heeds sizes and dates.
    bounds: bool = False
    # Whether the request contains what is done letter by letter, and it is shown before it is done.
    verbatim: bool = False


def search(action: str, **parameters: Any) -> Call:
    """A call of `search`; conditions that are None are left out."""
    given = {name: value for name, value in parameters.items() if value is not None}
    return Call("search", {"action": action, **given})


def one(reason: str, call: Call) -> Generator[Calls, Any, Result]:
    """A step of one call."""
    (result,) = yield Calls(reason, [call])
    outcome: Result = result
    return outcome


def called(path: str) -> str:
    """A folder as a sentence names it."""
    return "this folder" if path in {".", ""} else path


def bullets(lines: list[str], most: int = 20) -> str:
    """A list for the closing words; what is beyond `most` is counted."""
    shown = [f"- {line}" for line in lines[:most]]
    if len(lines) > most:
        shown.append(f"- ... and {len(lines) - most} more")
    return "\n".join(shown)


def write_report(path: str, content: str, findings: str) -> Generator[Calls | Question, Any, str]:
    """Writes `content`, and says so after the findings; what was found is told even where writing was not allowed."""
    call = Call("code", {"action": "write", "path": path, "content": content})
    result = yield from one(f"I write what I found to {path}.", call)
    if result.ok:
        return f"{findings}\n\nI wrote the report to {path}."
    if result.is_denied:
        raise NotPossibleError(f"{findings}\n\nI did not write {path}: that was denied ({result.reason}).")
    raise NotPossibleError(f"{findings}\n\nI could not write {path}: {result.reason}")
