"""The answer of a model so far. Each dialect's subclass adds its own chunks."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final

import msgspec

from deputy_sidecar.errors import UNREADABLE
from deputy_sidecar.models import Usage

__all__ = ["Answer", "NativeCall", "text_of", "tokens"]


# The same estimate that the core uses.
CHARS_PER_TOKEN: Final = 4
# A typical provider's token count for a picture of the usual size.
TOKENS_OF_PICTURE: Final = 1_000
PICTURE: Final = re.compile(rb"[A-Za-z0-9+/]{2000,}")


class NativeCall:
    """A tool call, as far as it has arrived."""

    def __init__(self, index: int | None, call_id: str, name: str = "") -> None:
        self.index = index
        self.id = call_id
        self.name = name
        self.arguments = ""
        # Some servers send the arguments as an object instead of as text.
        self.arguments_object: dict[str, Any] | None = None

    @property
    def has_arguments(self) -> bool:
        """Whether any arguments have arrived."""
        return bool(self.arguments) or self.arguments_object is not None

    @property
    def is_whole(self) -> bool:
        """Whether the arguments so far could be complete."""
        if self.arguments_object is not None:
            return True
        try:
            msgspec.json.decode(self.arguments)
        except UNREADABLE:
            return False
        return True


class Answer:
    """The answer so far. A dialect overrides `take`, and other methods if needed."""

    # The dialect's reasons for the end of a whole answer, in lower case. With any other reason it broke off.
    ENDS: ClassVar[frozenset[str]] = frozenset()

    def __init__(self) -> None:
        self._text: list[str] = []
        self._thought: list[str] = []
        self.calls: list[NativeCall] = []
        # `length` at the output limit, `content_filter` if the provider withheld it, one of `ENDS`, or what the
        # provider says instead. Empty if it names no reason.
        self.finish_reason = ""
        self.usage = Usage()
        # The request as sent.
        self.body = b""
        # Whether any part of an answer has arrived.
        self.has_begun = False
        # Whether the provider marked the end. Otherwise the answer may be truncated.
        self.is_done = False
        # Whether the provider marks the end without ever naming a reason, so that the answer may be truncated.
        self.names_no_reason = False

    @property
    def broke_off(self) -> bool:
        """Whether the answer ended for no known reason. Without any reason, that is not certain."""
        known = self.ENDS | {"", "length", "content_filter"}
        return not self.is_done or self.finish_reason.lower() not in known

    @property
    def text(self) -> str:
        """The answer's text."""
        return "".join(self._text)

    @property
    def thought(self) -> str:
        """The thought of a reasoning model before the answer."""
        return "".join(self._thought)

    def take(self, chunk: dict[str, Any]) -> str:
        """Adds a chunk of a stream or a whole answer. Returns the new text."""
        raise NotImplementedError

    def error_in(self, chunk: dict[str, Any]) -> object:
        """Returns the error that a chunk reports instead of an answer."""
        return chunk.get("error")

    def state(self) -> object:
        """Returns what the provider needs back with this answer, e.g. signed thoughts. None by default."""
        return None

    def counted(self) -> Usage:
        """Returns the provider's token counts. If a count is missing or impossible, it is estimated.

        Many servers do not count tokens, but token limits must work for them too.
        """
        usage = self.usage
        if usage.input_tokens == 0:
            usage = msgspec.structs.replace(usage, input_tokens=_estimated(self.body))
        if usage.output_tokens == 0:
            written = sum(len(call.name) + len(call.arguments) for call in self.calls)
            written += sum(
                len(msgspec.json.encode(call.arguments_object)) for call in self.calls if call.arguments_object
            )
            written += len(self.text) + len(self.thought)
            usage = msgspec.structs.replace(usage, output_tokens=-(-written // CHARS_PER_TOKEN))
        return usage

    def say(self, text: str) -> str:
        """Appends to the text."""
        if text:
            self._text.append(text)
        return text

    def think(self, thought: str) -> str:
        """Appends to the thought."""
        if thought:
            self._thought.append(thought)
        return thought


def _estimated(body: bytes) -> int:
    """Estimates the tokens of a request.

    Each picture counts the same, because its bytes say nothing about its tokens.
    """
    bare, pictures = PICTURE.subn(b"", body)
    return -(-len(bare) // CHARS_PER_TOKEN) + pictures * TOKENS_OF_PICTURE


def text_of(content: object) -> str:
    """Returns the text of a string, or of the list of parts that some providers send instead."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(text_of(part.get("text")) for part in content if isinstance(part, dict))
    return ""


def tokens(value: object, otherwise: int = 0) -> int:
    """Returns a token count, or `otherwise` if the value is not a count."""
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53
    return value if is_count else otherwise  # type: ignore[return-value]
