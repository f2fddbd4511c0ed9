"""Finds JSON objects in a model's text, in four stages from strict to lenient.

1. direct: the whole text is an object;
2. fenced: a Markdown code block contains an object;
3. braces: the prose contains balanced braces with an object;
4. repair: the same places, parsed leniently: trailing commas, single quotes, unquoted names, comments,
   Python's `True`, `False` and `None`, and braces and brackets that were never closed.

An unterminated string is not repaired: its rest is unknown, and a truncated file must not be written.
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
# Prose with more stray braces is not a plan. The bound keeps the search linear on hostile text.
MOST_CANDIDATES = 64
# Longer texts are only parsed as a whole, because searching them would delay all other requests.
LONGEST_SEARCHED_CHARS = 1024 * 1024


def objects_by_stage(text: str) -> Iterator[list[JsonObject]]:
    """For each stage that finds objects, yields them in the order of the text."""
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
        # A code block and the braces in it may contain the same object.
        if each is not None and each not in repaired:
            repaired.append(each)
    if repaired:
        yield repaired


def recover_object(text: str) -> JsonObject | None:
    """Returns the object that `text` means, e.g. a call's arguments. Never returns a nested object."""
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
# The tokens that matter: whole strings in double quotes, even if unterminated, and braces.
TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[{}]', re.DOTALL)


def _places(text: str) -> tuple[list[str], str]:
    """Returns the outermost `{...}` with balanced braces, and the rest from the first object that is never closed.

    Works in a single pass. Quotes only count inside braces, because prose has its own.
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
    # An open brace may be prose. If a name follows it, everything after it belongs to that object.
    unclosed = next((start for start in open_braces if OBJECT_START.match(text, start)), len(text))
    return [text[start:end] for start, end in spans if start < unclosed][:MOST_CANDIDATES], text[unclosed:]
