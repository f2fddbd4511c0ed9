"""A small tolerant JSON parser for models' output. It is strict only about unterminated strings."""

from __future__ import annotations

import re
from typing import Any, Final

__all__ = ["LenientError", "parse_leniently"]

DEEPEST: Final = 64
SPACE_AND_COMMENTS = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/|#[^\n]*)+", re.DOTALL)
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
WORD = re.compile(r"[A-Za-z_$][\w$.-]*")
STRING = re.compile(r'"((?:[^"\\]|\\.)*+)"|\'((?:[^\'\\]|\\.)*+)\'', re.DOTALL)
TRIPLE_QUOTED = re.compile(r'("""|\'\'\')(.*?)\1', re.DOTALL)
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
CONSTANTS: Final[dict[str, Any]] = {
    "true": True,
    "True": True,
    "false": False,
    "False": False,
    "null": None,
    "None": None,
    "undefined": None,
}
ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "\n": ""}


class LenientError(ValueError):
    """The text does not even resemble JSON."""


def parse_leniently(text: str, start: int = 0) -> Any:
    """Parses the value that starts at `start`. Ignores what follows it."""
    return _Parser(text, start).value(0)


class _Parser:
    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._at = start

    def value(self, depth: int) -> Any:
        if depth > DEEPEST:
            raise LenientError("nested too deeply")
        next_char = self._peek()
        if next_char == "{":
            return self._object(depth)
        if next_char == "[":
            return self._array(depth)
        if next_char in ('"', "'"):
            return self._string()
        return self._bare()

    def _peek(self) -> str:
        """Returns the next significant character, or an empty string at the end."""
        space = SPACE_AND_COMMENTS.match(self._text, self._at)
        if space is not None:
            self._at = space.end()
        return self._text[self._at : self._at + 1]

    def _object(self, depth: int) -> dict[str, Any]:
        self._at += 1
        members: dict[str, Any] = {}
        while (next_char := self._peek()) not in ("}", ""):
            if next_char == ",":
                self._at += 1
                continue
            if next_char == "]":
                # The model closed an outer bracket and forgot this brace.
                return members
            name = self._name()
            if self._peek() not in (":", "="):
                raise LenientError(f"no colon behind {name!r}")
            self._at += 1
            members[name] = self.value(depth + 1)
        self._at += 1
        return members

    def _array(self, depth: int) -> list[Any]:
        self._at += 1
        items: list[Any] = []
        while (next_char := self._peek()) not in ("]", ""):
            if next_char == ",":
                self._at += 1
                continue
            if next_char == "}":
                return items
            items.append(self.value(depth + 1))
        self._at += 1
        return items

    def _name(self) -> str:
        if self._peek() in ('"', "'"):
            return self._string()
        word = WORD.match(self._text, self._at)
        if word is None:
            raise LenientError("a member without a name")
        self._at = word.end()
        return word.group()

    def _string(self) -> str:
        triple = TRIPLE_QUOTED.match(self._text, self._at)
        if triple is not None:
            self._at = triple.end()
            return triple.group(2)
        found = STRING.match(self._text, self._at)
        if found is None:
            raise LenientError("a string that never ends")
        self._at = found.end()
        content = found.group(1) if found.group(1) is not None else found.group(2)
        text = ESCAPE.sub(_unescape, content)
        # A surrogate pair arrives as two escapes. A lone surrogate cannot be encoded as UTF-8.
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def _bare(self) -> Any:
        number = NUMBER.match(self._text, self._at)
        if number is not None and not WORD.match(self._text, number.end()):
            self._at = number.end()
            return _number(number.group())
        word = WORD.match(self._text, self._at)
        if word is None or word.group() not in CONSTANTS:
            raise LenientError("neither a string, a number, an object nor an array")
        self._at = word.end()
        return CONSTANTS[word.group()]


def _number(text: str) -> int | float:
    # Longer numbers are not meaningful, and Python refuses to parse very long ones.
    if len(text) > 64:
        raise LenientError("a number without end")
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise LenientError("a number too large to write down")
    return number


def _unescape(match: re.Match[str]) -> str:
    code = match.group(1)
    if code[0] in "ux" and len(code) > 1:
        return chr(int(code[1:], 16))
    return ESCAPES.get(code, code)
