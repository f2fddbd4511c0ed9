"""Finds JSON objects in what a model wrote, in four stages from strict to lenient.

1. direct: the whole text is one object;
2. fenced: a Markdown code block holds one;
3. braces: somewhere in the prose stand balanced braces that hold one;
4. repair: the same places again, read leniently: trailing commas, single quotes, unquoted names, comments,
   Python's `True`, `False` and `None`, and braces and brackets that were never closed.

A string that was never closed is not repaired: nobody knows what was to follow, and a half file must not be written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from deputy_sidecar.errors import UNREADABLE
from deputy_sidecar.lenient_json import LenientError, parse_leniently

__all__ = ["objects_by_stage", "recover_object"]

JsonObject = dict[str, Any]

FENCED = re.compile(r"```[\w+-]*[ \t]*\r?\n?(.*?)(?:```|\Z)", re.DOTALL)
# Prose with that many stray braces is not a plan; the bound keeps the search linear on hostile texts.
MOST_CANDIDATES = 64
# Longer texts are only read as they are: looking through them would hold up every other request.
LONGEST_SEARCHED_CHARS = 1024 * 1024


def objects_by_stage(text: str) -> Iterator[list[JsonObject]]:
    """For each stage that finds any, the objects it finds, in the text's order."""
    whole = _strict(text)
    if whole is not None:
        yield [whole]
        return
    if len(text) > LONGEST_SEARCHED_CHARS:
        return
    blocks = [match.group(1) for match in FENCED.finditer(text)][:MOST_CANDIDATES]
    places, rest = _places(text)
    for candidates in (blocks, places):
        found = [each for each in map(_strict, candidates) if each is not None]
        if found:
            yield found
    repaired: list[JsonObject] = []
    for each in map(_lenient, [*blocks, *places, rest]):
        # A block and the braces in it are the same object.
        if each is not None and each not in repaired:
            repaired.append(each)
    if repaired:
        yield repaired


def recover_object(text: str) -> JsonObject | None:
    """The one object that `text` is meant to be, e.g. a call's arguments; never one that is inside another."""
    whole = _strict(text)
    if whole is not None or len(text) > LONGEST_SEARCHED_CHARS:
        return whole
    fenced = FENCED.search(text)
    inside = fenced.group(1) if fenced is not None else text
    return _strict(inside) or _lenient(inside)


def _strict(text: str) -> JsonObject | None:
    try:
        value = msgspec.json.decode(text)
    except UNREADABLE:
        return None
    return value if isinstance(value, dict) else None


def _lenient(text: str) -> JsonObject | None:
    start = text.find("{")
    if start < 0:
        return None
    try:
        value = parse_leniently(text, start)
    except LenientError:
        return None
    return value if isinstance(value, dict) and value else None


OBJECT_START = re.compile(r"\{\s*[\"'\w$]+\s*[\"']?\s*[:=]")
# What matters to the count: strings in double quotes as a whole, also one that never ends, and braces.
TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[{}]', re.DOTALL)


def _places(text: str) -> tuple[list[str], str]:
    """The outermost `{...}` whose braces balance, and what begins like an object and is never closed.

    One pass. Quotes count only within braces: prose has its own.
    """
    spans: list[tuple[int, int]] = []
    open_braces: list[int] = []
    at = text.find("{")
    while at >= 0 and (token := TOKENS.search(text, at)) is not None:
        at = token.end()
        if token.group() == "{":
            open_braces.append(token.start())
        elif token.group() == "}" and open_braces:
            start = open_braces.pop()
            while spans and spans[-1][0] > start:
                spans.pop()
            spans.append((start, at))
        if not open_braces:
            at = text.find("{", at)
    # An open brace may be prose; one with a name behind it holds what follows, which then is no place of its own.
    unclosed = next((start for start in open_braces if OBJECT_START.match(text, start)), len(text))
    return [text[start:end] for start, end in spans if start < unclosed][:MOST_CANDIDATES], text[unclosed:]
