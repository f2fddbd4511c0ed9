"""Converts a conversation to the messages of a request, and caches the encoding of each message.

The core sends the whole conversation each time, usually the previous one with additions. The known beginning is
compared as bytes and reused in one piece, and only the new part is processed message by message. Equal bytes mean
equal messages, so a message from any earlier conversation is not encoded again. What was sent before is sent again
byte for byte, which providers' prompt caches require.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, ClassVar, Final, NamedTuple

import msgspec

from deputy_sidecar.backend import AssistantMessage, Message, ToolCall, ToolMessage, UserMessage, decode_message
from deputy_sidecar.errors import UNREADABLE
from deputy_sidecar.models import EarlierTask, MessagePicture
from deputy_sidecar.untrusted import wrap_untrusted

__all__ = ["NOTHING_SAID", "NO_RESULT", "Dialect", "Transcript", "encode", "wire_call_id", "wire_name"]

# The maximum number of cached bytes, raw and encoded. Enough for the newest 32,000 tokens of a dozen tasks.
MOST_KEPT_BYTES = 8 * 1024 * 1024

# The maximum length of the text about earlier tasks, in characters: for each, and for all.
MOST_SUMMARY_CHARS: Final = 4_000
MOST_EARLIER_CHARS: Final = 24_000

# The number of conversations whose beginning is cached, for tasks that run at the same time.
MOST_KNOWN = 4

encode = msgspec.json.Encoder().encode
_messages_decoder = msgspec.json.Decoder(list[msgspec.Raw])

NOTHING_SAID: Final = "(nothing)"
NO_RESULT: Final = "There is no result: the call was not run, or its result was left out for length."


class Dialect:
    """The encoding of messages for a provider. Each method returns JSON that is ready to send."""

    # Whether a result may contain pictures. Otherwise a turn's pictures follow its results, as the user's.
    pictures_in_results: ClassVar[bool] = False

    def __init__(self, owner: str = "", *, native_tools: bool = True) -> None:
        # The backend and model. They only receive the state that they produced themselves.
        self.owner = owner
        # If false, calls are written as JSON in the text.
        self.native_tools = native_tools

    def system(self, text: str) -> bytes:
        """The system prompt as the first message. Empty if the request has its own field for it."""
        return b""

    def user(self, text: str, pictures: Sequence[MessagePicture] = ()) -> bytes:
        """A message of the user."""
        raise NotImplementedError

    def assistant(self, text: str, calls: Sequence[ToolCall], state: Any) -> bytes:
        """A message of the model, with the state that it needs back. `text` is not empty if there are no calls."""
        raise NotImplementedError

    def result(self, call_id: str, message: ToolMessage, content: str) -> bytes:
        """The result of a call, as a part for `results`."""
        raise NotImplementedError

    def no_result(self, call_id: str, tool: str) -> bytes:
        """The part for a call without a result. Providers require a result for each call."""
        raise NotImplementedError

    def results(self, parts: Sequence[bytes]) -> bytes:
        """All results of a turn: a message each, or combined in one."""
        return b",".join(parts)


class _Encoded(NamedTuple):
    """A message that is ready to send. A tool's message is a part of its turn's results."""

    body: bytes
    # The ids and tools of its calls, and the id of the call that it answers.
    calls: tuple[tuple[str, str], ...] = ()
    answers: str = ""
    # The form of a tool's message if the call that it answers is not in the conversation.
    as_user: bytes = b""
    # The pictures of a tool's message as a user message, if the result cannot contain them.
    pictures: bytes = b""


class _Known(NamedTuple):
    """The beginning of a conversation, and its encoding."""

    # The array of its messages without the closing bracket.
    raw: bytes
    bodies: bytes
    # The unanswered calls by id, and the results and pictures of their turn so far.
    waiting: tuple[tuple[str, str], ...]
    results: tuple[bytes, ...]
    pictures: tuple[bytes, ...]

    def begins(self, whole: bytes) -> bool:
        """Returns whether `whole` is this conversation, possibly with more messages."""
        return whole.startswith(self.raw) and whole[len(self.raw) : len(self.raw) + 1] in b",]"


# The beginning of every array, without the character that is dropped together with a comma.
_NOTHING_KNOWN: Final = _Known(b"", b"", (), (), ())


class _Turns:
    """Messages being encoded, with the turn that still waits for results."""

    def __init__(self, dialect: Dialect, known: _Known) -> None:
        self._dialect = dialect
        self.bodies = [known.bodies] if known.bodies else []
        self.waiting = dict(known.waiting)
        self.results = list(known.results)
        self.pictures = list(known.pictures)

    def add(self, message: _Encoded) -> None:
        """Adds the next message."""
        if message.answers in self.waiting:
            del self.waiting[message.answers]
            self.results.append(message.body)
            if message.pictures:
                self.pictures.append(message.pictures)
            return
        if message.answers and self.waiting:
            # From another turn: placed after this one, so that the turn's own results still follow their calls.
            self.pictures.append(message.as_user)
            return
        self.bodies += self.turn()
        self.waiting, self.results, self.pictures = dict(message.calls), [], []
        self.bodies.append(message.as_user if message.answers else message.body)

    def turn(self) -> list[bytes]:
        """Returns the results of the open turn, if there is one, with a placeholder for each missing result."""
        missing = [self._dialect.no_result(call_id, tool) for call_id, tool in self.waiting.items()]
        results = [*self.results, *missing]
        return [*([self._dialect.results(results)] if results else []), *self.pictures]


class Transcript:
    """Encodes conversations in one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._kept: dict[bytes, _Encoded] = {}
        self._kept_bytes = 0
        self._known: list[_Known] = []

    def encode(self, system: str, raw_messages: msgspec.Raw, earlier: Sequence[EarlierTask] = ()) -> bytes:
        """Encodes the whole conversation as a JSON array, from the core's array of messages and the earlier tasks."""
        whole = bytes(raw_messages)
        known = next((each for each in self._known if each.begins(whole)), _NOTHING_KNOWN)
        turns = _Turns(self._dialect, known)
        # The part after the known beginning and its comma. Empty if there is nothing more.
        added = whole[len(known.raw) + 1 :] or b"]"
        for raw in _messages_decoder.decode(b"[" + added):
            key = bytes(raw)
            turns.add(self._kept.get(key) or self._keep(key))
        joined = b",".join(turns.bodies)
        ours = _Known(
            whole.removesuffix(b"]"),
            joined,
            tuple(turns.waiting.items()),
            tuple(turns.results),
            tuple(turns.pictures),
        )
        self._known = [ours, *(each for each in self._known if each is not known)][:MOST_KNOWN]
        parts = [self._dialect.system(system), *_told_before(earlier, self._dialect), joined, *turns.turn()]
        return b"[" + b",".join(part for part in parts if part) + b"]"

    def _keep(self, key: bytes) -> _Encoded:
        encoded = _encode_message(decode_message(key), self._dialect)
        self._kept_bytes += len(key) + len(encoded.body) + len(encoded.as_user) + len(encoded.pictures)
        if self._kept_bytes > MOST_KEPT_BYTES:
            # Rare, and the next request fills it again with what is in use, so the age of entries is not tracked.
            self._kept.clear()
            self._kept_bytes = 0
        self._kept[key] = encoded
        return encoded


def _told_before(earlier: Sequence[EarlierTask], dialect: Dialect) -> list[bytes]:
    """Encodes earlier tasks of the conversation as turns: the goal and the outcome. Takes the newest that fit."""
    told: list[bytes] = []
    left = MOST_EARLIER_CHARS
    for task in reversed(earlier):
        said = _middle_left_out(task.summary or "(This task has not ended.)")
        if task.changed_files:
            said += "\n\n(Files changed: " + ", ".join(map(repr, task.changed_files)) + ")"
        wanted = _middle_left_out(task.goal)
        left -= len(said) + len(wanted)
        if left < 0:
            break
        told += [dialect.assistant(said, (), None), dialect.user(wanted)]
    return told[::-1]


def _middle_left_out(text: str) -> str:
    if len(text) <= MOST_SUMMARY_CHARS:
        return text
    half = MOST_SUMMARY_CHARS // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


def wire_call_id(call_id: str) -> str:
    """Derives an id of nine letters and digits from `call_id`, the only form that every provider accepts."""
    return hashlib.blake2s(call_id.encode()).hexdigest()[:9]


def wire_name(tool: str) -> str:
    """Replaces the characters in the tool's name that providers refuse."""
    return "".join(each if each.isascii() and (each.isalnum() or each in "_-") else "_" for each in tool)[:64]


def _encode_message(message: Message, dialect: Dialect) -> _Encoded:
    if isinstance(message, UserMessage):
        return _Encoded(dialect.user(message.text or NOTHING_SAID))
    if isinstance(message, AssistantMessage):
        return _assistant(message, dialect)
    return _tool_result(message, dialect)


def _assistant(message: AssistantMessage, dialect: Dialect) -> _Encoded:
    state = _state(message.provider_state, dialect.owner)
    if not message.tool_calls:
        return _Encoded(dialect.assistant(message.text or NOTHING_SAID, (), state))
    if not dialect.native_tools:
        plan = {
            "reasoning": message.text,
            "tool_calls": [{"tool": call.tool, "parameters": call.parameters} for call in message.tool_calls],
        }
        return _Encoded(dialect.assistant(encode(plan).decode(), (), state))
    calls = tuple((wire_call_id(call.id), wire_name(call.tool)) for call in message.tool_calls)
    return _Encoded(dialect.assistant(message.text, message.tool_calls, state), calls)


def _tool_result(message: ToolMessage, dialect: Dialect) -> _Encoded:
    content = wrap_untrusted(message.call, message.tool, message.content, ok=message.ok)
    # The core sends the bytes if `pictures = true` is set for the backend.
    shown = [each for each in message.pictures if each.base64]
    as_user = dialect.user(content, shown)
    if not dialect.native_tools:
        return _Encoded(as_user)
    call_id = wire_call_id(message.call)
    pictures = b""
    if shown and not dialect.pictures_in_results:
        told = wrap_untrusted(message.call, message.tool, "Its pictures follow.", ok=message.ok)
        pictures = dialect.user(told, shown)
    result = dialect.result(call_id, message, content)
    return _Encoded(result, answers=call_id, as_user=as_user, pictures=pictures)


def _state(written: str | None, owner: str) -> Any:
    """Returns the state that this backend and model produced. State from others is dropped."""
    if not written:
        return None
    try:
        state = msgspec.json.decode(written)
    except UNREADABLE:
        return None
    return state.get("state") if isinstance(state, dict) and state.get("owner") == owner else None
