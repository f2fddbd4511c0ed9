"""What is in a folder: gathers it with a few calls, exactly also where the results are cut for length."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from deputy_sidecar.offline.results import Totals, entries, listing, totals
from deputy_sidecar.offline.steps import Call, Calls, EndedError, NotPossibleError, Result

__all__ = ["Inventory", "check", "extension_of", "take_inventory"]

# Listing a folder is one call; beyond this many folders the largest files are looked for by size instead.
MOST_LISTED_FOLDERS = 20
MOST_COUNTED_EXTENSIONS = 25
MOST_MEASURED_FILES = 30
LARGE_BYTES = tuple(factor * 10**power for power in (9, 8, 7, 6, 5, 4, 3) for factor in (3, 1))


@dataclass
class Inventory:
    """A folder's files."""

    path: str
    totals: Totals
    # Path to size; None where the size is not known.
    files: dict[str, int | None] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    # Extension to number of files, exact for all that are named.
    extensions: Counter[str] = field(default_factory=Counter)
    # Those that no result had room for.
    unlisted: int = 0
    unlisted_folders: int = 0

    def largest(self, count: int) -> list[tuple[str, int]]:
        """The largest files whose size is known."""
        known = [(path, size) for path, size in self.files.items() if size is not None]
        return sorted(known, key=lambda pair: (-pair[1], pair[0]))[:count]


def extension_of(path: str) -> str:
    """The extension in lower case, without its dot; empty when there is none."""
    name = posixpath.basename(path)
    stem, dot, extension = name.rpartition(".")
    return extension.lower() if dot and stem and extension and " " not in extension else ""


def check(result: Result, what: str) -> Result:
    """The result, if the call did what it says."""
    if result.ok:
        return result
    if result.is_denied:
        raise EndedError(
            f"I wanted to {what}, but that was denied ({result.reason}). So I stopped here; nothing was changed."
        )
    raise NotPossibleError(f"I tried to {what}, but it failed: {result.reason}")


def take_inventory(path: str) -> Generator[Calls, Any, Inventory]:
    """Lists everything below `path`, then finds the sizes."""
    what = f"look at what is in {_called(path)}"
    both = yield Calls(f"I {what}.", [_find(path, kind="file"), _find(path, kind="folder")])
    files, folders = (listing(check(result, what).content) for result in both)
    figures = totals(files.summary)._replace(folders=totals(folders.summary).folders)
    inventory = Inventory(path, figures, unlisted=files.more, unlisted_folders=folders.more)
    inventory.files = dict.fromkeys(files.lines)
    inventory.folders = [line.rstrip("/") for line in folders.lines]
    inventory.extensions.update(map(extension_of, inventory.files))
    if inventory.unlisted:
        yield from _count_extensions(inventory)
    if inventory.unlisted or inventory.unlisted_folders or len(inventory.folders) >= MOST_LISTED_FOLDERS:
        yield from _measure_the_largest(inventory)
    else:
        yield from _measure_all(inventory)
    return inventory


def _count_extensions(inventory: Inventory) -> Generator[Calls, Any, None]:
    """Counts each kind of file anew: the list was cut, the figures of a search never are."""
    named = [extension for extension, _ in inventory.extensions.most_common(MOST_COUNTED_EXTENSIONS) if extension]
    calls = [_find(inventory.path, extension=extension) for extension in named]
    found = yield Calls("There are more files than one list holds; I count each kind.", calls)
    counts = [totals(listing(result.content).summary).files if result.ok else 0 for result in found]
    inventory.extensions = Counter(dict(zip(named, counts, strict=True)))
    rest = inventory.totals.files - sum(counts)
    if rest > 0:
        inventory.extensions[""] = rest


def _measure_all(inventory: Inventory) -> Generator[Calls, Any, None]:
    folders = [inventory.path, *inventory.folders]
    listed = yield Calls("I look up sizes and dates.", [_search("ls", path=folder) for folder in folders])
    for folder, result in zip(folders, listed, strict=True):
        for entry in entries(result.content) if result.ok else []:
            name = _joined(inventory.path, folder, entry.name)
            if entry.size_bytes is not None and name in inventory.files:
                inventory.files[name] = entry.size_bytes


def _measure_the_largest(inventory: Inventory) -> Generator[Calls, Any, None]:
    """Finds the few largest files by asking for ever smaller ones, as long as their list stays short."""
    calls = [_find(inventory.path, min_bytes=size) for size in LARGE_BYTES]
    found = yield Calls("I look for the largest files.", calls)
    large: list[str] = []
    for result in found:
        files = listing(result.content) if result.ok else None
        if files is None or files.more or len(files.lines) > MOST_MEASURED_FILES:
            break
        large = files.lines
    if large:
        measured = yield Calls("I look up their sizes.", [_search("ls", path=name) for name in large])
        for name, result in zip(large, measured, strict=True):
            for entry in entries(result.content) if result.ok else []:
                inventory.files[name] = entry.size_bytes


def _find(path: str, **conditions: Any) -> Call:
    return _search("find", path=path, **conditions)


def _search(action: str, **parameters: Any) -> Call:
    return Call("search", {"action": action, **parameters})


def _joined(start: str, folder: str, name: str) -> str:
    """The path as `find` shows it."""
    return name if folder in {".", ""} and start in {".", ""} else posixpath.join(folder, name)


def _called(path: str) -> str:
    return "this folder" if path in {".", ""} else path
