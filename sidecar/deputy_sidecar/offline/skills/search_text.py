"""Text in files."""

from __future__ import annotations

import re

from deputy_sidecar.offline.inventory import check
from deputy_sidecar.offline.results import listing
from deputy_sidecar.offline.skills.skill import Skill, bullets, called, one, search
from deputy_sidecar.offline.slots import extension_in, folder_in, quoted_in
from deputy_sidecar.offline.steps import Call, Chore, Question, Task

__all__ = ["SKILL", "grep_call", "wanted_text"]

_BARE = re.compile(
    r"\b(?:search(?:ing)?\b[^.?!]*?\bfor|grep(?: for)?|contain(?:s|ing)?|mention(?:s|ing)?|occurrences? of"
    r"|(?:anything|something|wr[io]te|written|says?|etwas|geschrieben)\s+(?:about|über)|the (?:word|text|phrase)"
    r"|such\w* nach|enthalten|enthält|das wort|with the text)"
    r"\s+(?:(?:the|my|das|die)\s+)?(?:(?:word|text|phrase|string)\s+)?([^\s\"'`,;?]+)",
    re.IGNORECASE,
)
_TOO_GENERAL = frozenset(
    "text the a an files file lines in any all some word words of from out to and into das den dem von aus".split()
)

# Requests that name a text so plainly that no other word counts.
_SURELY = re.compile(
    r"\s*(?:"
    r"(?:find|show|list|search|where|which|wo|welche)\b.*"
    r"\b(?:occurrences? of|the (?:word|phrase|text)|das wort) [^\s\"]"
    r"|search\b.*\b(?:files?|documents?|notes|folder)\b.* for \S"
    r"|(?:is there|are there|do i have|did i|have i|(?:in )?which|where|gibt es|wo|(?:in )?welche[rmn]?)\b.*"
    r"\b(?:anything|something|wr[io]te|written|says?|etwas|geschrieben)\s+(?:\w+\s+)?(?:about|über)\s+\w"
    r")",
    re.IGNORECASE,
)
WHICH_TEXT = Question("Which text shall I look for? Put it in quotes.")


def wanted_text(text: str) -> str | None:
    """The text to look for: what is quoted, else the word behind a word for searching."""
    for quoted in quoted_in(text):
        return quoted
    for found in _BARE.finditer(text):
        word = found.group(1).rstrip(".")
        if word.lower() not in _TOO_GENERAL:
            return word
    return None


def grep_call(goal: str, wanted: str) -> Call:
    """The search for `wanted` where `goal` says."""
    extension = extension_in(goal)
    is_exact = re.search(r"\b(case.sensitive|exact)", goal, re.IGNORECASE) is not None
    return search(
        "grep",
        path=folder_in(goal),
        pattern=wanted,
        literal=True,
        ignore_case=None if is_exact else True,
        include=f"*.{extension}" if extension else None,
    )


def _start(task: Task) -> Chore:
    wanted = wanted_text(task.goal)
    if wanted is None:
        answer: str = yield WHICH_TEXT
        quoted = quoted_in(answer)
        wanted = quoted[0] if quoted else answer.strip()
    folder = folder_in(task.goal)
    result = yield from one(f"I search {called(folder)} for {wanted!r}.", grep_call(task.goal, wanted))
    found = listing(check(result, f"search {called(folder)}").content)
    if not found.lines:
        return f"No file in {called(folder)} contains {wanted!r} ({found.summary})."
    more = f"\n- ... and {found.more} more" if found.more else ""
    return f"{wanted!r} in {called(folder)}: {found.summary}.\n\n{bullets(found.lines, 40)}{more}"


SKILL = Skill(
    "Search the text of files",
    (
        "search for text in the files",
        'search the files for "x"',
        "which files contain the word x",
        'find the text "x" in this folder',
        "grep for x",
        "find all lines that mention x",
        "where does the word occur in the files",
        'suche nach "x" in den Dateien',
        "welche Dateien enthalten das Wort x",
        'look for "x" in the text files',
        "find every occurrence of x",
        "which files mention x",
        "where does it say x",
    ),
    _start,
    surely=_SURELY,
    heeds=frozenset("find list file folder here what where search text".split()),
    words=frozenset(
        "code source say says occur anything something written wrote write geschrieben etwas exact".split()
    ),
    kinds=True,
)
