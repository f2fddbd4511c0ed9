#!/usr/bin/env python3
"""Shows a folder as a tree, or tells exactly how it is.

folder.py tree FOLDER      the tree, for people
folder.py state FOLDER     a line a thing: path, kind, permissions, time of change, digest of the content
"""

import hashlib
import stat
import sys
from collections.abc import Iterator
from pathlib import Path


def tree(folder: Path, indent: str = "") -> Iterator[str]:
    """Yields the lines of the tree, folders first."""
    entries = sorted(folder.iterdir(), key=lambda entry: (not entry.is_dir(), entry.name))
    for number, entry in enumerate(entries, start=1):
        is_last = number == len(entries)
        is_folder = entry.is_dir() and not entry.is_symlink()
        yield f"{indent}{'└── ' if is_last else '├── '}{entry.name}{'/' if is_folder else ''}"
        if is_folder:
            yield from tree(entry, indent + ("    " if is_last else "│   "))


def state(folder: Path) -> Iterator[str]:
    """Yields a line for the folder and everything below it, sorted by path."""
    for entry in [folder, *sorted(folder.rglob("*"))]:
        status = entry.lstat()
        is_file = stat.S_ISREG(status.st_mode)
        content = hashlib.sha256(entry.read_bytes()).hexdigest() if is_file else "-"
        path = entry.relative_to(folder).as_posix()
        yield f"{path}\t{stat.filemode(status.st_mode)}\t{status.st_mtime_ns}\t{content}"


def main() -> int:
    """Runs the command from the command line."""
    match sys.argv[1:]:
        case ["tree", folder]:
            print(folder, *tree(Path(folder)), sep="\n")
        case ["state", folder]:
            print(*state(Path(folder)), sep="\n")
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
