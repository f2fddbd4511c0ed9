"""Commands typed from the habit of a terminal, such as `head -n 2 notes.txt`, as the sentences that they mean.

Only whole commands with the flags named here are taken; what else looks like a command is read as any request is, and asked about.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["in_words"]

_WORD: Final = r"(?:\"[^\"]+\"|'[^']+'|[^\s\"';|&<>]+)"
_COMMANDS: Final[tuple[tuple[str, str], ...]] = (
    (rf"find (?:\.|\./) (?:-type f )?-i?name ({_WORD})", r"find files named \1"),
    (rf"find ({_WORD}) (?:-type f )?-i?name ({_WORD})", r"find files named \2 in folder \1"),
    (r"find (?:\.|\./) -type d -empty", r"list empty folders"),
    (r"find (?:\.|\./) -type f -empty|find (?:\.|\./) -empty -type f", r"list empty files"),
    (r"find (?:\.|\./) -size \+(\d+)([kKmMgG])b?", r"list files larger than \1 \2B"),
    (r"find (?:\.|\./) -mtime -(\d+)", r"list files newer than \1 days"),
    (r"find (?:\.|\./) -mtime \+(\d+)", r"list files older than \1 days"),
    (rf"head (?:-n ?|-)(\d+) ({_WORD})", r"show the first \1 lines of \2"),
    (rf"tail (?:-n ?|-)(\d+) ({_WORD})", r"show the last \1 lines of \2"),
    (rf"wc -l ({_WORD})", r"how many lines does \1 have"),
    (rf"wc -w ({_WORD})", r"how many words are in \1"),
    (r"ls(?: -[alhAF1]+)?", r"what is in this folder"),
    (rf"ls (?:-[alhAF1]+ )?({_WORD})/?", r"what is in folder \1"),
    (r"ls -[al]*t[alhr]*", r"list files sorted by date"),
    (r"ls -[al]*S[alh]*", r"list files sorted by size"),
    (rf"du -[sh]+ ({_WORD})", r"how big is the folder \1"),
    (rf"tree ({_WORD})", r"show the folder \1 as a tree"),
    (rf"mkdir (?:-p )?({_WORD})", r"create the folder \1"),
    (r"rm (?:-[rfi]+ )?((?!/|~|-|\.\.)[^\s\"'*;|&<>]+\.\w+)", r"delete \1"),
    (rf"mv ({_WORD}) ({_WORD})/?", r"move \1 to \2"),
    (rf"cp (?:-r |-a |-R )?({_WORD})/? ({_WORD})/?", r"copy \1 to \2"),
    (rf"(?:grep|rg|ag)(?: -[rinRIHE]+)* ({_WORD})(?: in)?(?: (?:\.|\*|\./))?", r"show the lines with \1 in all files"),
    (rf"(?:grep|rg|ag)(?: -[rinRIHE]+)* ({_WORD}) (?:in )?\*\.(\w+)", r"show the lines with \1 in all \2 files"),
    (rf"(?:grep|rg|ag)(?: -[rinRIHE]+)* ({_WORD}) (?:in )?((?!-){_WORD}\.\w+)", r"show the lines with \1 in \2"),
    (rf"(?:grep|rg)(?: -[rinRIE]*l[rinRIE]*)+ ({_WORD})(?: (?:in )?(?:\.|\*|\./))?", r'which files contain the text "\1"'),
    (rf"(?:grep|rg)(?: -[riIE]*c[riIE]*)+ ({_WORD}) ({_WORD}\.\w+)", r"how many lines with \1 are in \2"),
    (rf"sed -i '?s/([^/' ]+)/([^/' ]+)/g?'? ({_WORD})", r'replace "\1" with "\2" in \3'),
    (rf"cat ({_WORD})", r"show the content of \1"),
    (rf"less ({_WORD})|more ({_WORD}\.\w+)", r"show the content of \1"),
    (rf"stat ({_WORD})|file ({_WORD}\.\w+)", r"metadata of \1"),
    (rf"diff (?:-\w+ )*({_WORD}) ({_WORD})", r"compare \1 and \2"),
    (rf"(?:md5sum|sha256sum) ({_WORD}\.\w+)", r"metadata of \1"),
    (r"du(?: -[sh]+)?(?: \.)?", r"how big is this folder"),
    (rf"rmdir ({_WORD})", r"delete the empty folder \1"),
    (rf"tar -?c[vzf]*f ({_WORD}) ({_WORD})/?", r"pack \2 into \1"),
    (rf"zip -r ({_WORD}) ({_WORD})/?", r"pack \2 into \1"),
    (rf"(?:unzip|tar -?x[vzf]*f) ({_WORD})", r"unpack \1"),
    (rf"(?:unzip|tar -?x[vzf]*f) ({_WORD}) (?:-d|-C) ({_WORD})", r"unpack \1 into \2"),
)  # fmt: skip
_PATTERNS: Final = tuple((re.compile(pattern), words) for pattern, words in _COMMANDS)


def in_words(request: str) -> str:
    """The request, or the sentence that it means as a command."""
    asked = " ".join(request.split())
    alone = _in_words(asked)
    if alone is not None:
        return alone
    several = [_in_words(part) for part in _NEXT.split(asked)]
    return (
        ". ".join(each for each in several if each is not None) if len(several) > 1 and None not in several else request
    )


# One command after another.
_NEXT: Final = re.compile(r"\s*(?:;|&&)\s*")


def _in_words(command: str) -> str | None:
    """The sentence that one command means."""
    for pattern, words in _PATTERNS:
        found = pattern.fullmatch(command)
        if found is not None:
            return found.expand(words).replace('"', "").replace("'", "")
    return None
