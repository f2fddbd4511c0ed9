"""Reads what the tools give back: lines, then perhaps `... and N more`, then one line of figures."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = [
    "DuplicateGroup",
    "Entry",
    "Listing",
    "Share",
    "Totals",
    "duplicate_groups",
    "entries",
    "listing",
    "plural",
    "shares",
    "size_text",
    "totals",
]

_MORE = re.compile(r"\.\.\. and (\d+) more")
_COUNTED = re.compile(r"(\d+) (files?|folders?)\b")
_SIZE = re.compile(r"([\d.]+) (bytes?|KB|MB|GB|TB|PB|EB)\b")
_GROUP = re.compile(r"(\d+) files of (\d+) bytes?, (\d+) wasted")
_UNITS = {"byte": 1, "bytes": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "PB": 10**15, "EB": 10**18}


class Listing(NamedTuple):
    """A result taken apart."""

    lines: list[str]
    # Entries that did not fit into the result.
    more: int
    summary: str


class Totals(NamedTuple):
    """The figures of a summary line."""

    files: int
    folders: int
    size: str
    # What was passed by, e.g. `3 hidden or ignored`.
    notes: str


class Entry(NamedTuple):
    """A line of `ls`."""

    name: str
    kind: str
    size_bytes: int | None
    changed: str


class Share(NamedTuple):
    """A line of `usage`."""

    size_bytes: int
    files: int
    name: str


class DuplicateGroup(NamedTuple):
    """Files with the same content."""

    size_bytes: int
    wasted_bytes: int
    paths: list[str]


def listing(content: str) -> Listing:
    """Lines, what is missing, and the summary."""
    lines = content.rstrip("\n").split("\n")
    summary = lines.pop()
    more = 0
    if lines and (missing := _MORE.fullmatch(lines[-1])) is not None:
        more = int(missing.group(1))
        lines.pop()
    return Listing([line for line in lines if line], more, summary)


def totals(summary: str) -> Totals:
    """The figures of `12 files, 3 folders, 1.2 MB; 4 hidden or ignored`."""
    figures, _, notes = summary.partition("; ")
    counted = {noun.rstrip("s"): int(number) for number, noun in _COUNTED.findall(figures)}
    size = _SIZE.search(figures)
    return Totals(counted.get("file", 0), counted.get("folder", 0), size.group(0) if size else "", notes)


def entries(content: str) -> list[Entry]:
    """The entries that `ls` lists."""
    found: list[Entry] = []
    for line in listing(content).lines:
        parts = line.split("\t")
        if len(parts) >= 4:
            # A name cannot hold a tab: control characters are written out.
            name, kind, size, changed = parts[:4]
            found.append(Entry(name.rstrip("/"), kind, int(size) if size.isdecimal() else None, changed))
    return found


def shares(content: str) -> list[Share]:
    """The entries that `usage` lists, largest first."""
    found: list[Share] = []
    for line in listing(content).lines:
        parts = line.split("\t", 2)
        if len(parts) == 3 and parts[0].isdecimal() and parts[1].isdecimal():
            found.append(Share(int(parts[0]), int(parts[1]), parts[2]))
    return found


def duplicate_groups(content: str) -> list[DuplicateGroup]:
    """The groups that `duplicates` lists, the most wasteful first."""
    groups: list[DuplicateGroup] = []
    for line in listing(content).lines:
        head = _GROUP.fullmatch(line.strip())
        if head is not None and not line.startswith(" "):
            groups.append(DuplicateGroup(int(head.group(2)), int(head.group(3)), []))
        elif groups and line.startswith("  "):
            groups[-1].paths.append(line[2:])
    return [group for group in groups if group.paths]


def size_text(size_bytes: int) -> str:
    """A size for people, as the tools write it: 1 KB is 1000 bytes."""
    if size_bytes < 1000:
        return plural(size_bytes, "byte")
    value, units = size_bytes / 1000, ["KB", "MB", "GB", "TB", "PB"]
    while value >= 999.95 and len(units) > 1:
        value /= 1000
        units.pop(0)
    return f"{value:.1f} {units[0]}"


def plural(number: int, noun: str) -> str:
    """A number with its noun: `1 file`, `2 files`, `3 copies`."""
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y"):
        return f"{number:,} {noun[:-1]}ies"
    return f"{number:,} {noun}{'es' if noun.endswith('ch') else 's'}"
