"""A file, read or summarised by what stands out in it."""

from __future__ import annotations

from deputy_sidecar.offline.inventory import check
from deputy_sidecar.offline.language import concepts
from deputy_sidecar.offline.report import file_in_words
from deputy_sidecar.offline.skills.skill import Skill, one
from deputy_sidecar.offline.slots import file_in
from deputy_sidecar.offline.steps import Call, Chore, Question, Task

__all__ = ["SKILL"]

WHICH_FILE = Question("Which file? Say its path.")


def _start(task: Task) -> Chore:
    path = file_in(task.goal)
    if path is None:
        answer: str = yield WHICH_FILE
        path = file_in(answer) or answer.strip().strip("\"'`")
    result = yield from one(f"I read {path}.", Call("code", {"action": "read", "path": path}))
    content = check(result, f"read {path}").content
    if "summarise" in concepts(task.goal) or "what" in concepts(task.goal):
        return file_in_words(path, content)
    head, _, text = content.partition("\n")
    return f"{head}\n\n{text.rstrip()}" if text else head


SKILL = Skill(
    "Read or summarise a file",
    (
        "read notes.md",
        "read the file notes.txt",
        "summarise report.md",
        "give me a summary of the file notes.txt",
        "what is in readme.txt",
        "what does notes.md say",
        "show me the file config.toml",
        "open notes.txt",
        "lies die Datei notes.txt",
        "fasse notes.md zusammen",
    ),
    _start,
    heeds=frozenset("read list file what summarise find".split()),
    words=frozenset("say says tl dr zusammen content contents".split()),
)
