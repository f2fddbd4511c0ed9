"""The largest files."""

from __future__ import annotations

from deputy_sidecar.offline.inventory import take_inventory
from deputy_sidecar.offline.results import size_text
from deputy_sidecar.offline.skills.skill import Skill, bullets, called
from deputy_sidecar.offline.slots import folder_in
from deputy_sidecar.offline.steps import Chore, Task

__all__ = ["SKILL"]

MOST_SHOWN = 10


def _start(task: Task) -> Chore:
    folder = folder_in(task.goal)
    inventory = yield from take_inventory(folder)
    largest = inventory.largest(MOST_SHOWN)
    if not largest:
        return f"There are no files in {called(folder)}."
    lines = bullets([f"{path} ({size_text(size)})" for path, size in largest])
    return f"The largest files in {called(folder)}:\n\n{lines}"


SKILL = Skill(
    "Name the largest files",
    (
        "find the biggest files",
        "which is the biggest file",
        "what are the largest files here",
        "list the largest files in this folder",
        "welche Dateien sind die größten",
        "show the 10 largest files",
        "top 10 biggest files",
    ),
    _start,
)
