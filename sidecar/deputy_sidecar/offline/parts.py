"""Cuts a question into several that are answered one after the other: `how big is a.zip, and who lives in Jena?`

Each part is read by itself, or looked up where it is written. A part that is left short borrows from the one before:
`how many invoices has Baker, and how many has Miller?`
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["MOST_PARTS", "in_parts"]

MOST_PARTS: Final = 3
_ASKS: Final = (
    r"(?:also |auch |then |dann )?(?:how|what|what's|which|where|when|who|whose|is|are|does|do|has|have|did|"
    r"wie|was|welche\w*|wo|wann|wer|ist|sind|hat|haben|gibt)\b"
)
# In German a comma leads to a clause that says which: `alles, was Ivanov betrifft`.
_ASKS_AFTER_COMMA: Final = r"(?:how|what|what's|which|where|when|who|whose|is|are|does|do|has|have|did|wie|wann)\b"
_SHOWS: Final = (
    r"(?:show|list|find|open|read|tell|give|count|zeig\w*|liste|finde?|such\w*|öffne|lies|nenne?|sag\w*|zähle?)\b"
)
_CUT: Final = re.compile(
    rf"(?<=[?.!])\s+(?={_ASKS}|{_SHOWS})|[,;]?\s+(?:and|und)\s+(?={_ASKS}|{_SHOWS})|,\s+(?={_ASKS_AFTER_COMMA})|;\s+",
    re.IGNORECASE,
)
# Two things behind one word for looking.
_TWO: Final = re.compile(
    r"(?P<lead>(?:show|list|find|open|read|give|tell)(?: me| us)?|(?:zeig|zeige|liste|finde|öffne|lies|gib)(?: mir| uns)?|"
    r"how (?:big|old|large) (?:is|are)|where (?:is|are)|when (?:was|were|is)|wo (?:ist|sind)|wie (?:groß|alt) (?:ist|sind)|wann (?:war|ist))"
    r" (?P<one>.+?),? (?:and|und|as well as|sowie|plus) (?P<other>.+)",
    re.IGNORECASE,
)
# What is said of two things together.
_OF_BOTH: Final = re.compile(
    r"\b(?:between|both|zwischen|beiden?|differences?|unterschiede?|same|gleich\w*)\b", re.IGNORECASE
)
_HE: Final = re.compile(r"\b(?:he|she|er)\b", re.IGNORECASE)
_CAPITAL: Final = re.compile(r"(?<=\s)[A-ZÄÖÜ][\wäöüß]+")


def in_parts(request: str) -> Iterator[list[str]]:
    """The ways to cut it, each with at least two parts."""
    asked = request.strip()
    parts = [part.strip(" ,;") for part in _CUT.split(asked) if part.strip(" ,;.?!")]
    if 1 < len(parts) <= MOST_PARTS:
        filled = [parts[0], *(_filled(part, parts[0]) for part in parts[1:])]
        if filled != parts:
            yield filled
        yield parts
    two = _TWO.fullmatch(asked.rstrip(".?!"))
    if two is not None and not _OF_BOTH.search(asked):
        yield [f"{two['lead']} {two['one']}", f"{two['lead']} {two['other']}"]


def _filled(part: str, first: str) -> str:
    """A part with what it lacks: the first part with another name, or that name in place of `he`, or `which one`."""
    noun = re.match(r"(?:which|what) (\w+)", first, re.IGNORECASE)
    if noun is not None and re.match(r"which ones?\b", part, re.IGNORECASE):
        return re.sub(r"^which ones?\b", f"which {noun[1]}", part, flags=re.IGNORECASE)
    one, other = _CAPITAL.findall(first), _CAPITAL.findall(part)
    if len(one) == 1 and not other and _HE.search(part):
        return _HE.sub(one[0], part, count=1)
    is_short = len(part.split()) < len(first.split())
    return first.replace(one[0], other[0]) if is_short and len(one) == len(other) == 1 else part
