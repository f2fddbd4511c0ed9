#!/usr/bin/env python3
"""Checks the report of a run on a copy of samples/inbox: the counts and the duplicates must be right.

    check_report.py PATH/TO/REPORT.md

Also checks the report's folder: nothing except the report may have been added, changed or removed.
"""

import hashlib
import re
import sys
from collections import defaultdict
from pathlib import Path

INBOX = Path(__file__).resolve().parents[1] / "samples" / "inbox"


def contents(folder: Path) -> dict[str, bytes]:
    """Returns the content of each file by its path relative to the folder."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def duplicates(files: dict[str, bytes]) -> list[set[str]]:
    """Returns the groups of paths with the same content."""
    groups: defaultdict[str, set[str]] = defaultdict(set)
    for path, content in files.items():
        groups[hashlib.sha256(content).hexdigest()].add(path)
    return [group for group in groups.values() if len(group) > 1]


def mentioned(report: str, paths: list[str]) -> list[str]:
    """Returns the paths in the order in which the report mentions them.

    If a path contains another, the longer one counts.
    """
    longest_first = sorted(paths, key=len, reverse=True)
    return re.findall("|".join(re.escape(path) for path in longest_first), report)


def is_listed(group: set[str], names: list[str]) -> bool:
    """Returns whether the report mentions exactly the group's paths, one after the other."""
    size = len(group)
    windows = [names[place : place + size] for place in range(len(names) - size + 1)]
    return any(set(window) == group for window in windows)


def says(report: str, count: int, what: str) -> bool:
    """Returns whether the report says `75 files` or `Files: 75`."""
    return (
        re.search(rf"(?<![\w.,]){count} {what}|{what}: {count}(?![\w.,])", report, re.IGNORECASE) is not None
    )


def faults(report: str, files: dict[str, bytes]) -> list[str]:
    """Returns what the report should say but does not."""
    groups = duplicates(files)
    names = mentioned(report, list(files))
    counts = [(len(files), "files"), (len(groups), "groups")]
    found = [
        f"does not say that there are {count} {what}"
        for count, what in counts
        if not says(report, count, what)
    ]
    found += [f"does not list together: {sorted(group)}" for group in groups if not is_listed(group, names)]
    return found


def main(path: Path) -> int:
    """Prints the errors. Exits with 1 if there are any."""
    wanted, present = contents(INBOX), contents(path.parent)
    report = present.pop(path.name).decode()
    found = faults(report, wanted)
    changed = sorted(name for name in wanted.keys() | present.keys() if wanted.get(name) != present.get(name))
    found += [f"the run changed {name}" for name in changed]
    for fault in found:
        print(f"{path}: {fault}", file=sys.stderr)
    if not found:
        print(
            f"{path}: {len(wanted)} files and {len(duplicates(wanted))} groups of duplicates, as it should be"
        )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
