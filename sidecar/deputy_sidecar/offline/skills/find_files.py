"""Files by name, kind, size or date."""

from __future__ import annotations

import re

from deputy_sidecar.offline.inventory import check
from deputy_sidecar.offline.language import concepts, leftovers
from deputy_sidecar.offline.results import listing
from deputy_sidecar.offline.skills.skill import Skill, bullets, called, one, search
from deputy_sidecar.offline.slots import extension_in, folder_in, group_in, name_pattern_in, sizes_in, times_in
from deputy_sidecar.offline.steps import Call, Chore, Question, Task

__all__ = ["SKILL"]

# A place is asked for, or a thing by name: the words behind are its name.
_SURELY = re.compile(
    r"\s*(?:please\s+)?(?:(?:find|locate|look for|finde|suche)(?:\s+me)?|where(?:'s|\s+is|\s+are)"
    r"|where\s+did\s+(?:i|we)\s+(?:put|save|store|leave)|wo\s+(?:ist|sind|liegt|liegen)|i(?:'m|\s+am)\s+looking\s+for)"
    r"\s+(?:the|my|die|der|das|meine?)\s+"
    r"(?!(?:text|word|phrase|lines?|wort|(?:\w+\s+)?(?:dup\w*|dopp\w*|bigg\w*|larg\w*|größt\w*|cop(?:y|ies)))\b)"
    r"\w+(?:\s+\w+|\s+(?:from|of|about|for|with|von|über|mit)\s+(?:the\s+)?\w+)?\s*[.?!]?\s*\Z",
    re.IGNORECASE,
)
WHICH = Question(
    "Which files? Say a part of the name, a kind such as pdf, a size such as 10 MB, or an age such as 7 days."
)


def _start(task: Task) -> Chore:
    folder = folder_in(task.goal)
    call = _call(folder, task.goal)
    if call is None:
        answer: str = yield WHICH
        # Whatever the answer is, it says what to look for: at the least a part of a name.
        call = _call(folder, answer) or search("find", path=folder, kind="file", pattern=f"*{answer.strip()}*")
    result = yield from one(f"I look for the files in {called(folder)}.", call)
    found = listing(check(result, f"look for files in {called(folder)}").content)
    if not found.lines:
        # What was looked for may have been a guess at a name.
        named = f": no name fits `{call.parameters['pattern']}`" if "pattern" in call.parameters else ""
        return f"I found no such files in {called(folder)}{named}."
    shown = bullets([*found.lines], 40)
    more = f"\n- ... and {found.more} more that did not fit into the list" if found.more else ""
    return f"I found these in {called(folder)} ({found.summary}):\n\n{shown}{more}"


def _call(folder: str, text: str) -> Call | None:
    sizes, times = sizes_in(text), times_in(text)
    extension = extension_in(text)
    pattern = None if extension is not None and '"' not in text else name_pattern_in(text)
    if pattern is not None and pattern.strip("*") == folder:
        pattern = None
    pattern = pattern or (group_in(text.replace(folder, " ")) if extension is None else None)
    conditions = {
        "pattern": pattern,
        "extension": extension if pattern is None else None,
        "min_bytes": sizes.at_least,
        "max_bytes": sizes.at_most,
        "newer_than": times.newer_than,
        "older_than": times.older_than,
    }
    words = set(concepts(text))
    if all(value is None for value in conditions.values()):
        # What says nothing else is what the file is about, and hopefully a part of its name.
        topics = [word for word in leftovers(text) if word not in folder.lower()]
        if "size" in words:
            conditions["min_bytes"] = 10_000_000
        elif "date" in words:
            conditions["newer_than"] = "7d"
        elif topics and _SURELY.match(text):
            conditions["pattern"] = f"*{topics[0]}*" if len(topics) == 1 else f"*{{{','.join(topics)}}}*"
        else:
            return None
    kind = (
        "folder" if "folder" in words and "file" not in words and extension is None and not sizes.at_least else "file"
    )
    # Where a folder is only the place to look in, files are what is looked for.
    return search("find", path=folder, kind="file" if folder != "." else kind, **conditions)


SKILL = Skill(
    "Find files by name, kind, size or date",
    (
        "find files",
        "find pdf",
        "find all pdf files",
        "find files named report",
        "find files larger than 10 MB",
        "which files changed in the last week",
        "find old files",
        "list all python files",
        "where is the file named budget.xlsx",
        "find documents changed today",
        "show files newer than yesterday",
        "finde alle pdf Dateien",
        "suche Dateien größer als 10 MB",
        "welche Dateien wurden heute geändert",
        "find the file with the name",
        'find files named "x"',
        "are there any pdf files here",
        "do I have any pdf",
        "show me all pdf",
        "anything bigger than 10 MB here",
        "list every pdf larger than 10 MB",
        "where are my pdf files",
        "where is the file",
        "wo ist die Datei liste.csv",
        "zeig mir alle pdf",
        "find everything older than 2 years",
    ),
    _start,
    surely=_SURELY,
    heeds=frozenset("find list file folder here what where name".split()),
    words=frozenset(
        "looking large big huge recent recently new changed change modified edited edit touched touch geändert "
        "geänderte bearbeitet suche word".split()
    ),
    kinds=True,
    bounds=True,
)
