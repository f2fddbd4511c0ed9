"""A folder tidied by one plan, which the user approves as a whole."""

from __future__ import annotations

import re
from typing import Any, Final

from deputy_sidecar.offline.inventory import check
from deputy_sidecar.offline.results import listing
from deputy_sidecar.offline.skills.skill import Skill, bullets, called, one
from deputy_sidecar.offline.slots import HOME_FOLDERS, folder_in, quoted_in
from deputy_sidecar.offline.steps import Call, Chore, NotPossibleError, Task

__all__ = ["SKILL"]

# What the command line says for a plan that was made before.
_PLAN: Final = re.compile(r"\bplan ([0-9a-f]{64})\b")
_DRAFT: Final = re.compile(r"draft: ([0-9a-f]{64})")
_HOME_FOLDER: Final = re.compile(rf"\b(?:my|meinen?|die|the)\s+({'|'.join(HOME_FOLDERS)})\b", re.IGNORECASE)
_BY: Final = {
    "kind": r"\b(?:by|nach)\s+(?:kind|type|art|typ)\b",
    "date": r"\b(?:by|nach)\s+(?:date|year|month|datum|jahr|monat)\b",
    "project": r"\b(?:by|nach)\s+(?:project|projekt)s?\b",
    "content": r"\b(?:by|nach)\s+(?:content|contents|topic|subject|inhalt|thema)\b",
    "duplicates": r"\b(?:only|nur)\s+(?:the\s+|die\s+)?(?:duplicates|copies|duplikate|kopien)\b",
    "names": r"\b(?:only|nur)\s+(?:the\s+|die\s+)?(?:names|namen)\b",
}
# Words that would be taken for the folder's name, or hide where it ends.
_BESIDE: Final = re.compile(r"\b(?:by|nach)\s+\w+|\bauf\s*[.!]?\s*\Z", re.IGNORECASE)
_NAMING: Final = re.compile(r"\b(?:nam(?:e|ed|es|ing)|convention|benenn\w*|namen)\b", re.IGNORECASE)
MOST_LEFT_ALONE: Final = 10


def _start(task: Task) -> Chore:
    given = _PLAN.search(task.goal)
    if given is not None:
        return (yield from _submit(given.group(1), {}, "the plan"))
    where = _where(task.goal)
    scan = Call("organize", {"action": "scan", **where, **_wishes(task.goal)})
    folder = called(where["paths"][0] if where else ".")
    result = yield from one(f"I look through {folder}.", scan)
    found = listing(check(result, f"look through {folder}").content)
    left = [line.removeprefix("left alone: ") for line in found.lines if line.startswith("left alone: ")]
    alone = f"\n\nLeft alone:\n{bullets(left, MOST_LEFT_ALONE)}" if left else ""
    draft = next((match.group(1) for line in found.lines if (match := _DRAFT.fullmatch(line))), None)
    if draft is None:
        return f"Nothing is to be tidied in {folder}: {found.summary}.{alone}"
    return (yield from _submit(draft, where, folder)) + alone


def _submit(draft: str, where: dict[str, Any], what: str) -> Chore:
    call = Call("organize", {"action": "submit_plan", **where, "draft": draft})
    result = yield from one("This is the plan.", call)
    said = result.content.strip()
    if result.is_denied:
        raise NotPossibleError(f"Nothing was changed: the plan was denied ({result.reason}).")
    if not result.ok:
        # How far the job got, and how it is tried again or taken back, is the tool's to say.
        raise NotPossibleError(f"I could not carry out {what} in full: {said}")
    return f"Done. {said[:1].upper()}{said[1:]}"


def _where(goal: str) -> dict[str, Any]:
    folder = folder_in(_BESIDE.sub(" ", goal))
    if folder == "." and (known := _HOME_FOLDER.search(goal)) is not None:
        folder = HOME_FOLDERS[known.group(1).lower()]
    return {} if folder == "." else {"paths": [folder]}


def _wishes(goal: str) -> dict[str, Any]:
    wishes: dict[str, Any] = {}
    for by, words in _BY.items():
        if re.search(words, goal, re.IGNORECASE):
            wishes["by"] = by
            break
    patterns = [quoted for quoted in quoted_in(goal) if "/" not in quoted]
    if patterns and _NAMING.search(goal):
        wishes["convention"] = patterns[0]
    return wishes


SKILL = Skill(
    "Tidy up a folder",
    ("tidy up my downloads", "tidy up this folder"),
    _start,
    surely=re.compile(
        r"\s*(?:please\s+|bitte\s+)?(?:can you\s+|could you\s+|kannst du\s+)?"
        r"(?:(?:tidy|clean)(?:\s+up)?|declutter|"
        r"sort(?!.*\b(?:size|names?|lines?)\b)(?=.*\b(?:folder|files|downloads|desktop|ordner|dateien)\b)|"
        r"put\b.*\b(?:files|folder|downloads|desktop)\b.*\bin order|[^.]*\bmess\b[^.]*\b(?:tidy|clean|sort)|"
        r"organi[sz]e|sort out|räume?\b(?=.*\bauf\b)|"
        r"apply the plan [0-9a-f]{64}\b)"
        r"(?=\W|\Z)(?!.*\b(?:code|repo\w*|git|commits?|branch\w*|database|disk|cache|e?mails?|calendar|meeting|party)\b)",
        re.IGNORECASE,
    ),
    # Words such as "organize" mean too many other things.
    only_surely=True,
    heeds=frozenset("file folder here list".split()),
    words=frozenset(
        "tidy clean declutter sort order organize organise mess put räum räume hier mal by nach kind type art typ date "
        "year month datum jahr monat project projects projekt projekte content contents topic subject inhalt thema "
        "only nur duplicates copies duplikate kopien name names naming convention namen named like as files".split()
    )
    | HOME_FOLDERS.keys(),
)
