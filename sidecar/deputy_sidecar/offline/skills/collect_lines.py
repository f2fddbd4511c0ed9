"""Lines that hold a text, collected into a file."""

from __future__ import annotations

import re

from deputy_sidecar.offline.inventory import check
from deputy_sidecar.offline.report import lines_report
from deputy_sidecar.offline.results import listing
from deputy_sidecar.offline.skills.search_text import WHICH_TEXT, grep_call, wanted_text
from deputy_sidecar.offline.skills.skill import Skill, called, one, write_report
from deputy_sidecar.offline.slots import folder_in, quoted_in, report_file_in
from deputy_sidecar.offline.steps import Chore, Question, Task

__all__ = ["SKILL"]

_MARKER = re.compile(r"\b(TODO|FIXME|XXX|HACK|ERROR|WARN(?:ING)?)s?\b")
WHICH_FILE = Question("Into which file shall I write the lines?")


def _start(task: Task) -> Chore:
    marker = _MARKER.search(task.goal)
    wanted = wanted_text(task.goal) or (marker.group(1) if marker is not None else None)
    if wanted is None:
        answer: str = yield WHICH_TEXT
        quoted = quoted_in(answer)
        wanted = quoted[0] if quoted else answer.strip()
    report_file = report_file_in(task.goal)
    if report_file is None:
        named: str = yield WHICH_FILE
        report_file = report_file_in(f"write {named}") or named.strip()
    folder = folder_in(task.goal)
    result = yield from one(f"I search {called(folder)} for {wanted!r}.", grep_call(task.goal, wanted))
    found = listing(check(result, f"search {called(folder)}").content)
    words = f"{wanted!r} in {called(folder)}: {found.summary}."
    return (yield from write_report(report_file, lines_report(wanted, folder, found), words))


SKILL = Skill(
    "Collect lines that hold a text into a file",
    (
        "collect all lines with TODO into todos.md",
        'collect all lines that contain "x" into report.md',
        "gather the lines that mention x and write them to a file",
        'extract every line with "x" and save it to notes.md',
        "write all lines containing x to out.txt",
        'sammle alle Zeilen mit "x" in bericht.md',
    ),
    _start,
    heeds=frozenset("find list file folder here what collect search text report write name".split()),
    kinds=True,
)
