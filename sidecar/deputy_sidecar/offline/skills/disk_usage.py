"""What takes the room in a folder."""

from __future__ import annotations

from deputy_sidecar.offline.inventory import check
from deputy_sidecar.offline.results import listing, plural, shares, size_text
from deputy_sidecar.offline.skills.skill import Skill, bullets, called, one, search
from deputy_sidecar.offline.slots import folder_in
from deputy_sidecar.offline.steps import Chore, Task

__all__ = ["SKILL"]


def _start(task: Task) -> Chore:
    folder = folder_in(task.goal)
    result = yield from one(f"I look at what takes the room in {called(folder)}.", search("usage", path=folder))
    content = check(result, f"look at what takes the room in {called(folder)}").content
    found = shares(content)
    if not found:
        return f"There is nothing in {called(folder)} ({listing(content).summary})."
    lines = [f"{size_text(each.size_bytes)}  {each.name} ({plural(each.files, 'file')})" for each in found]
    return f"In {called(folder)}: {listing(content).summary}. What takes the most room:\n\n{bullets(lines)}"


SKILL = Skill(
    "Say what takes the room",
    (
        "disk usage",
        "what takes up the most space",
        "how much disk space does this folder use",
        "which folders are the largest",
        "show the size of this folder",
        "how big is this folder",
        "wie viel Speicherplatz belegt dieser Ordner",
        "was belegt den meisten Platz",
    ),
    _start,
    heeds=frozenset("find list file folder here what where usage size".split()),
    words=frozenset({"meisten"}),
)
