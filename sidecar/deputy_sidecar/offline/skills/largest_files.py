"""The largest files."""

from __future__ import annotations

import re

from deputy_sidecar.offline.inventory import take_inventory
from deputy_sidecar.offline.results import size_text
from deputy_sidecar.offline.skills.skill import Skill, bullets, called
from deputy_sidecar.offline.slots import folder_in
from deputy_sidecar.offline.steps import Chore, Task

__all__ = ["SKILL"]

MOST_SHOWN = 10
_WORDS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twenty": 20,
    "fifty": 50,
    "hundred": 100,
}
_NUMBER = re.compile(rf"(?<![\w.])(\d{{1,4}}|{'|'.join(_WORDS)})(?![\w.])", re.IGNORECASE)


def _start(task: Task) -> Chore:
    folder = folder_in(task.goal)
    inventory = yield from take_inventory(folder)
    wanted = _NUMBER.search(task.goal)
    number = wanted.group(1).lower() if wanted is not None else ""
    most = _WORDS.get(number) or (int(number) if number else MOST_SHOWN)
    largest = inventory.largest(most)
    if not largest:
        return f"There are no files in {called(folder)}."
    lines = bullets([f"{path} ({size_text(size)})" for path, size in largest], most)
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
    heeds=frozenset("find list file folder here what size number".split()),
)
