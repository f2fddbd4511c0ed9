"""What was found, as Markdown for a file and in plain words for the end of a task."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from typing import NamedTuple

from deputy_sidecar.offline.inventory import Inventory
from deputy_sidecar.offline.kinds import kind_of, odd_names
from deputy_sidecar.offline.results import DuplicateGroup, Listing, plural, size_text
from deputy_sidecar.offline.skills.skill import bullets, called

__all__ = [
    "Report",
    "duplicates_in_words",
    "duplicates_report",
    "file_in_words",
    "folder_report",
    "lines_report",
    "overview_in_words",
]

MOST_LARGEST = 10
MOST_GROUPS = 100
MOST_ODD = 30
DEFINITION = re.compile(r"\s*(pub |async |export )*(def|class|fn|function)\s+\w")


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


def overview_in_words(inventory: Inventory) -> str:
    """What is there, for the end of a task."""
    figures = inventory.totals
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


def duplicates_in_words(folder: str, groups: list[DuplicateGroup], figures: Listing) -> str:
    """The duplicates, for the end of a task."""
    if not groups:
        return f"No two files in {called(folder)} have the same content."
    lines = [f"{', '.join(group.paths)} ({size_text(group.size_bytes)} each)" for group in groups]
    return f"Files with the same content ({_total_of(groups, figures)}):\n\n{bullets(lines, 10)}"


def duplicates_report(folder: str, groups: list[DuplicateGroup], figures: Listing) -> str:
    """The duplicates as a page of their own."""
    return f"# Duplicate files in {_title(folder)}\n\n{_duplicates_section(groups, figures)}\n"


def lines_report(wanted: str, folder: str, found: Listing) -> str:
    """Lines that hold a text, by file."""
    parts = [f"# Lines with {_code(wanted)} in {_title(folder)}", f"{found.summary}."]
    by_file: dict[str, list[str]] = {}
    for line in found.lines:
        # The first place that looks like `:12:`; a path with that in it is rarer than text with it.
        match = re.match(r"(.+?):(\d+):(.*)\Z", line)
        if match is not None:
            by_file.setdefault(match.group(1), []).append(f"- line {match.group(2)}: {_code(match.group(3).strip())}")
    parts += [f"## {_code(path)}\n\n" + "\n".join(lines) for path, lines in by_file.items()]
    if found.more:
        parts.append(f"_{plural(found.more, 'more line')} did not fit into the search's result._")
    return "\n\n".join(parts) + "\n"


def file_in_words(path: str, content: str) -> str:
    """What stands out in a file: its size, its headings, its beginning."""
    head, _, text = content.partition("\n")
    lines = [line.rstrip() for line in text.split("\n")]
    headings = [line.strip() for line in lines if re.match(r"\s{0,3}#{1,6}\s+\S", line)]
    definitions = [line.strip() for line in lines if DEFINITION.match(line)]
    todo = sum("TODO" in line or "FIXME" in line for line in lines)
    words = sum(len(line.split()) for line in lines)
    name = posixpath.basename(path)
    parts = [f"{head}; {plural(words, 'word')}" if text else head]
    if headings:
        parts.append("Its headings:\n\n" + bullets([heading.lstrip("# ") for heading in headings]))
    elif definitions:
        parts.append(f"What {name} defines:\n\n" + bullets(definitions))
    beginning = [line for line in lines if line.strip() and line.strip() not in headings][:5]
    if beginning:
        parts.append("It begins:\n\n" + "\n".join(f"> {line}" for line in beginning))
    if todo:
        parts.append(f"{plural(todo, 'line')} with TODO or FIXME.")
    parts.append("This is an extract, not a summary in own words: no model is connected.")
    return "\n\n".join(parts)


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
