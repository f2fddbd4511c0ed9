"""What is in a folder; and the same with duplicates, as a report."""

from __future__ import annotations

import re

from deputy_sidecar.offline.inventory import check, take_inventory
from deputy_sidecar.offline.report import folder_report, overview_in_words
from deputy_sidecar.offline.results import duplicate_groups, listing
from deputy_sidecar.offline.skills.skill import Skill, called, one, search, write_report
from deputy_sidecar.offline.slots import folder_in, report_file_in
from deputy_sidecar.offline.steps import Chore, Task

__all__ = ["REPORT_SKILL", "SKILL"]


def _overview(task: Task) -> Chore:
    inventory = yield from take_inventory(folder_in(task.goal))
    return overview_in_words(inventory)


def _report(task: Task) -> Chore:
    folder = folder_in(task.goal)
    report_file = report_file_in(task.goal) or "REPORT.md"
    inventory = yield from take_inventory(folder)
    found = yield from one(
        f"I look for files in {called(folder)} that have the same content.", search("duplicates", path=folder)
    )
    content = check(found, "look for duplicate files").content
    # A report of an earlier run is no finding.
    inventory.files.pop(report_file, None)
    report = folder_report(inventory, duplicate_groups(content), listing(content))
    return (yield from write_report(report_file, report.markdown, report.in_words))


SKILL = Skill(
    "Say what is in a folder",
    (
        "what is in this folder",
        "what files are here",
        "list the files in this folder",
        "give me an overview of this folder",
        "show me the contents of the folder",
        "what is here",
        "what kinds of files are here",
        "how many files are in this folder",
        "explore this folder",
        "count the files",
        "was ist in diesem Ordner",
        "welche Dateien sind hier",
        "zeig mir den Inhalt des Ordners",
        "show me everything in the folder",
        "list everything here",
    ),
    _overview,
    # What people type where they otherwise type commands.
    surely=re.compile(r"\s*(?:ls|ll|dir)\s*\Z", re.IGNORECASE),
    heeds=frozenset("what list find file folder here read count".split()),
    words=frozenset("ls ll dir kind kinds type types sort sorts".split()),
)

REPORT_SKILL = Skill(
    "Find out what is in a folder, find the duplicates, and write a report",
    (
        "find out what is in this folder, find the duplicate files, and write REPORT.md",
        "what is here, which files are duplicates, write a report",
        "write a report about this folder",
        "write REPORT.md about what is in this folder",
        "create an overview of this folder and save it to a file",
        "list the files and the duplicates in a report",
        "make a list of the files here and save it as files.md",
        "look through this folder and write a report of what you find",
        "look at this folder and write a summary in REPORT.md",
        "schreib einen Bericht über diesen Ordner und die doppelten Dateien",
        "finde heraus was in diesem Ordner ist, finde die Duplikate und schreibe BERICHT.md",
    ),
    _report,
    heeds=frozenset("what list find file folder here read count duplicate report write summarise collect".split()),
    words=frozenset("kind kinds type types including".split()),
)
