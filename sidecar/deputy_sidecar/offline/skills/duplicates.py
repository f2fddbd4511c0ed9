"""Files with the same content."""

from __future__ import annotations

from deputy_sidecar.offline.inventory import check
from deputy_sidecar.offline.report import duplicates_in_words, duplicates_report
from deputy_sidecar.offline.results import duplicate_groups, listing
from deputy_sidecar.offline.skills.skill import Skill, called, one, search, write_report
from deputy_sidecar.offline.slots import folder_in, report_file_in
from deputy_sidecar.offline.steps import Chore, Task

__all__ = ["SKILL"]


def _start(task: Task) -> Chore:
    folder = folder_in(task.goal)
    found = yield from one(
        f"I look for files in {called(folder)} that have the same content.", search("duplicates", path=folder)
    )
    content = check(found, "look for duplicate files").content
    groups, figures = duplicate_groups(content), listing(content)
    words = duplicates_in_words(folder, groups, figures)
    report_file = report_file_in(task.goal)
    if report_file is None:
        return words
    return (yield from write_report(report_file, duplicates_report(folder, groups, figures), words))


SKILL = Skill(
    "Find duplicate files",
    (
        "find duplicate files",
        "find the duplicates in this folder",
        "which files are identical",
        "are there duplicates here",
        "find files with the same text",
        "list duplicate files and write them to a file",
        "do I have any duplicate pdf",
        "find files that are here twice",
        "show the duplicate files",
        "finde doppelte Dateien",
        "welche Dateien sind doppelt",
    ),
    _start,
    heeds=frozenset("find list file folder here what duplicate report write".split()),
    words=frozenset("double same content text twice once".split()),
)
