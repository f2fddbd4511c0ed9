"""What was found, as Markdown for a file and in plain words for the end of a task."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from deputy_sidecar.offline.inventory import Inventory
from deputy_sidecar.offline.kinds import GERMAN_KINDS, kind_of, odd_names
from deputy_sidecar.offline.phrasing import counted
from deputy_sidecar.offline.results import DuplicateGroup, Listing, plural, size_text

__all__ = [
    "Report",
    "duplicates_in_words",
    "folder_report",
    "overview_in_words",
]

MOST_LARGEST = 10
MOST_GROUPS = 100
MOST_ODD = 30


class Report(NamedTuple):
    """The same findings twice."""

    markdown: str
    in_words: str


def folder_report(inventory: Inventory, groups: list[DuplicateGroup], figures: Listing) -> Report:
    """The whole report about a folder."""
    odd = odd_names(sorted(inventory.files))
    sections = [
        f"# What is in {_title(inventory.path)}",
        _in_short(inventory, groups, figures),
        _by_kind(inventory),
        _duplicates_section(groups, figures),
        _largest_section(inventory),
        _odd_section(odd),
    ]
    if inventory.unlisted:
        sections.append(
            f"_{plural(inventory.unlisted, 'file')} did not fit into one list; the figures above count them, "
            "the odd names may miss some._"
        )
    words = overview_in_words(inventory) + "\n\n" + duplicates_in_words(inventory.path, groups, figures)
    if odd:
        words += f"\n\n{plural(len(odd), 'name')} looked odd, e.g. {odd[0][0]!r}: {odd[0][1]}."
    return Report("\n\n".join(section for section in sections if section) + "\n", words)


def overview_in_words(inventory: Inventory, language: str = "en") -> str:
    """What is there, for the end of a task."""
    figures = inventory.totals
    if language == "de":
        return _overview_in_german(inventory)
    size = f" with {figures.size} together" if figures.size else ""
    where = called(inventory.path)
    text = f"In {where} there are {plural(figures.files, 'file')} in {plural(figures.folders, 'folder')}{size}."
    if figures.notes:
        text += f" ({figures.notes.capitalize()}.)"
    kinds = _kinds(inventory)
    if kinds:
        text += "\n\n" + bullets([f"{kind}: {plural(number, 'file')}" for kind, number in kinds.most_common()])
    largest = inventory.largest(3)
    if largest:
        text += "\n\nThe largest: " + ", ".join(f"{path} ({size_text(size)})" for path, size in largest) + "."
    return text


def _overview_in_german(inventory: Inventory) -> str:
    figures = inventory.totals
    size = f", zusammen {figures.size}" if figures.size else ""
    where = "diesem Ordner" if inventory.path == "." else inventory.path
    text = f"In {where}: {counted('de', figures.files, figures.folders)}{size}."
    kinds = _kinds(inventory)
    if kinds:
        shown = [f"{GERMAN_KINDS.get(kind, kind)}: {counted('de', number)}" for kind, number in kinds.most_common()]
        text += "\n\n" + bullets(shown)
    largest = inventory.largest(3)
    if largest:
        text += "\n\nDie größten: " + ", ".join(f"{path} ({size_text(size)})" for path, size in largest) + "."
    return text


def duplicates_in_words(folder: str, groups: list[DuplicateGroup], figures: Listing) -> str:
    """The duplicates, for the end of a task."""
    if not groups:
        return f"No two files in {called(folder)} have the same content."
    lines = [f"{', '.join(group.paths)} ({size_text(group.size_bytes)} each)" for group in groups]
    return f"Files with the same content ({_total_of(groups, figures)}):\n\n{bullets(lines, 10)}"


def _in_short(inventory: Inventory, groups: list[DuplicateGroup], figures: Listing) -> str:
    totals = inventory.totals
    rows = [
        f"- Files: {totals.files:,}",
        f"- Folders: {totals.folders:,}",
        f"- Total size: {totals.size or 'unknown'}",
    ]
    if groups:
        rows.append(f"- Duplicates: {_total_of(groups, figures)}")
    else:
        rows.append("- Duplicates: none")
    if totals.notes:
        rows.append(f"- Passed by: {totals.notes}")
    return "\n".join(rows)


def _by_kind(inventory: Inventory) -> str:
    if not inventory.extensions:
        return "## Files by kind\n\nThere are no files."
    rows = ["## Files by kind", "", "| Kind | Files | Extensions |", "|---|---:|---|"]
    for kind, number in _kinds(inventory).most_common():
        parts = [
            f"{extension} ({count:,})"
            for extension, count in inventory.extensions.most_common()
            if extension and kind_of(extension) == kind
        ]
        rows.append(f"| {kind} | {number:,} | {_cell(', '.join(parts[:8]))} |")
    rows.append(f"| **Total** | **{inventory.extensions.total():,}** | |")
    return "\n".join(rows)


def _kinds(inventory: Inventory) -> Counter[str]:
    kinds: Counter[str] = Counter()
    for extension, number in inventory.extensions.items():
        kinds[kind_of(extension)] += number
    return kinds


def _duplicates_section(groups: list[DuplicateGroup], figures: Listing) -> str:
    if not groups:
        return "## Duplicates\n\nNo two files have the same content."
    parts = [f"## Duplicates\n\nFiles with exactly the same content: {_total_of(groups, figures)}."]
    for number, group in enumerate(groups[:MOST_GROUPS], 1):
        paths = "\n".join(f"- {_code(path)}" for path in group.paths)
        parts.append(
            f"### Group {number}: {plural(len(group.paths), 'file')} of {size_text(group.size_bytes)}, "
            f"{size_text(group.wasted_bytes)} wasted\n\n{paths}"
        )
    left = len(groups) - MOST_GROUPS
    if left > 0 or figures.more:
        parts.append("_There are more groups than are listed here; these waste the most._")
    return "\n\n".join(parts)


def _total_of(groups: list[DuplicateGroup], figures: Listing) -> str:
    """The tool's own figures where its list was cut, else those of the groups."""
    if figures.more:
        return figures.summary
    wasted = size_text(sum(group.wasted_bytes for group in groups))
    return f"{plural(len(groups), 'group')}, {wasted} wasted"


def _largest_section(inventory: Inventory) -> str:
    largest = inventory.largest(MOST_LARGEST)
    if not largest:
        return ""
    rows = ["## Largest files", "", "| File | Size |", "|---|---:|"]
    rows += [f"| {_cell(_code(path))} | {size_text(size)} |" for path, size in largest]
    return "\n".join(rows)


def _odd_section(odd: list[tuple[str, str]]) -> str:
    if not odd:
        return "## Odd names\n\nNo name looked odd."
    lines = [f"- {_code(path)}: {why}" for path, why in odd[:MOST_ODD]]
    if len(odd) > MOST_ODD:
        lines.append(f"- ... and {len(odd) - MOST_ODD} more")
    return "## Odd names\n\n" + "\n".join(lines)


def _title(path: str) -> str:
    return "this folder" if path in {".", ""} else _code(path)


def _code(text: str) -> str:
    """`text` as code, whatever backticks it holds: a file's name must not become Markdown."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * (longest + 1)
    padding = " " if longest or text != text.strip() else ""
    return f"{fence}{padding}{text}{padding}{fence}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def called(path: str) -> str:
    """A folder as a sentence names it."""
    return "this folder" if path in {".", ""} else path


def bullets(lines: list[str], most: int = 20) -> str:
    """A list for the closing words; what is beyond `most` is counted."""
    shown = [f"- {line}" for line in lines[:most]]
    if len(lines) > most:
        shown.append(f"- ... and {len(lines) - most} more")
    return "\n".join(shown)
