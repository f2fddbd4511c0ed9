"""Plays the lists of requests and holds what came of each against its check.

A line is `voice | request | check`. A check is one of these, or several behind `|`, of which one has to hold:

- `= GLOBS`: the answer names these files of the folder, and no other file of it;
- `has TEXT; TEXT`: the answer holds each, and nothing was changed;
- `trash GLOBS`, `move GLOBS > FOLDER`, `copy GLOBS > FOLDER`, `copyfolder NAME > NAME`, `rename OLD > NEW`,
  `mkdir NAMES`, joined by `&`: exactly that was changed;
- `write FILE: TEXT; TEXT`: that file alone is new;
- `none`: the request was read, and there was nothing to do; `ask`: it was not done, and nothing was changed.

What `right` cannot be is `declined` where nothing was changed and the task did not end as done, else `wrong`.
"""

from __future__ import annotations

import fnmatch
import hashlib
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Outcome", "Request", "requests", "snapshot", "verdict"]

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Request:
    """One line of a list."""

    folder: str
    voice: str
    text: str
    check: str

    @property
    def is_blind(self) -> bool:
        """Whether it is kept aside: nobody looks at these while the reading is worked on."""
        return hashlib.sha256(self.text.encode()).digest()[0] % 4 == 0


@dataclass(frozen=True)
class Outcome:
    """What came of a request."""

    before: dict[str, str]
    after: dict[str, str]
    said: str
    is_done: bool


def requests() -> Iterator[Request]:
    """All requests of all lists."""
    for path in sorted(HERE.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                voice, text, check = (part.strip() for part in line.split(" | ", 2))
                yield Request(path.stem, voice, text, check)


def snapshot(root: Path) -> dict[str, str]:
    """Each path with what it holds; a folder's ends with `/`."""
    found = {}
    for entry in root.rglob("*"):
        name = entry.relative_to(root).as_posix()
        found[name + "/" * entry.is_dir()] = (
            "" if entry.is_dir() else f"{entry.stat().st_size} {hashlib.sha256(_beginning(entry)).hexdigest()}"
        )
    return found


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(4096)


def verdict(request: Request, outcome: Outcome) -> str:
    """`right`, `declined` or `wrong`."""
    if any(
        _holds(check.strip(), outcome)
        for check in re.split(
            r"(?<!\w)\|(?=[a-z=])|\|(?=(?:=|ask|trash|move|none|has|copy|rename|new|moves|replaced|recent)\b|= )",
            request.check,
        )
    ):
        return "right"
    return "declined" if outcome.before == outcome.after and not outcome.is_done else "wrong"


def _holds(check: str, outcome: Outcome) -> bool:
    unchanged = outcome.before == outcome.after
    if check == "ask":
        return unchanged and not outcome.is_done
    if check == "none":
        return unchanged and outcome.is_done
    if not outcome.is_done:
        return False
    if check.startswith("= "):
        return unchanged and _names(check.removeprefix("= "), outcome)
    if check.startswith("has "):
        return unchanged and all(
            any(choice.strip().lower() in outcome.said.lower() for choice in text.split("|"))
            for text in check.removeprefix("has ").split(";")
        )
    if check.startswith("write "):
        name, _, _ = check.removeprefix("write ").partition(": ")
        return outcome.after.keys() - outcome.before.keys() == {name}
    after = dict(outcome.before)
    for act in check.split(" & "):
        if not _apply(act.strip(), after):
            return False
    return set(after) == set(outcome.after)


def _matching(globs: str, names: dict[str, str]) -> list[str]:
    found = []
    for glob in globs.split(","):
        glob = glob.strip()
        found += [
            name for name in names if fnmatch.fnmatchcase(name, glob) and (glob.endswith("/") or not name.endswith("/"))
        ]
    return found


def _names(check: str, outcome: Outcome) -> bool:
    globs, _, texts = check.partition("; has ")
    wanted = set(_matching(globs, outcome.before))
    # The reading may name places; the findings are what is listed.
    body = "\n".join(
        line
        for line in outcome.said.splitlines()
        if line.startswith("- ") or "zuletzt am" in line or "last changed" in line
    )

    def named(name: str) -> bool:
        shown = re.escape(name.rstrip("/"))
        return re.search(rf"(?<![\w/.]){shown}(?![\w.])(?! copy)(?! \(1\))", body) is not None

    return (
        bool(wanted)
        and all(map(named, wanted))
        and not any(
            named(name)
            for name in outcome.before
            if name not in wanted and not any(each.startswith(name) for each in wanted)
        )
        and texts.lower() in outcome.said.lower()
    )


def _apply(act: str, names: dict[str, str]) -> bool:
    verb, _, rest = act.partition(" ")
    what, _, target = (part.strip() for part in rest.partition(" > "))
    if verb == "trash":
        gone = _matching(what, names)
        for name in gone:
            for each in [each for each in names if each == name or (name.endswith("/") and each.startswith(name))]:
                del names[each]
        return bool(gone)
    if verb in {"move", "copy"}:
        found = _matching(what, names)
        is_name = "." in posixpath.basename(target)
        if not is_name:
            names[f"{target}/"] = ""
        for name in found:
            if posixpath.dirname(name) == target:
                continue
            names[target if is_name else f"{target}/{posixpath.basename(name)}"] = names[name]
            if verb == "move":
                del names[name]
        return bool(found)
    if verb == "copyfolder":
        for name in [name for name in names if name.startswith(f"{what}/")]:
            below = name.removeprefix(f"{what}/")
            names[f"{target}/{below}"] = names[name]
        return True
    if verb == "rename":
        full = target if "/" in target else posixpath.join(posixpath.dirname(what), target)
        names[full] = names.pop(what)
        return True
    if verb == "mkdir":
        for name in what.split(","):
            names[f"{name.strip()}/"] = ""
        return True
    return False
