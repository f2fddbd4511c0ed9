"""Turns a conversation into the messages of a request, keeping what each message was encoded to.

The core sends the conversation whole each time, and it mostly is the one before with something added. So what was
there before is compared as bytes and taken over in one piece, and only what is new is looked at, message by message.
Equal bytes mean an equal message: one that came before, in whatever conversation, is not encoded again either. What
was sent once is sent again byte for byte, which is what providers' caches of prompts need.
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

# Bytes of raw and encoded messages kept; the newest 32,000 tokens of some dozen tasks.
MOST_KEPT_BYTES = 8 * 1024 * 1024

# Characters about earlier tasks: for each, and for all.
MOST_SUMMARY_CHARS: Final = 4_000
MOST_EARLIER_CHARS: Final = 24_000

# Conversations whose beginning is remembered: some tasks that work at the same time.
MOST_KNOWN = 4

encode = msgspec.json.Encoder().encode
_messages_decoder = msgspec.json.Decoder(list[msgspec.Raw])

NOTHING_SAID: Final = "(nothing)"
NO_RESULT: Final = "There is no result: the call was not run, or its result was left out for length."


class Dialect:
    """How a provider writes messages down. Each method gives JSON, ready to send."""

    # Whether a result may hold pictures; else those of a turn follow its results, as the user's.
    pictures_in_results: ClassVar[bool] = False

    def __init__(self, owner: str = "", *, native_tools: bool = True) -> None:
        # Backend and model: only what they made themselves is given back to them.
        self.owner = owner
        # Else calls are written as JSON in the text.
        self.native_tools = native_tools

    def system(self, text: str) -> bytes:
        """The system prompt as the first message; nothing where it has its own place in the request."""
        return b""

    def user(self, text: str, pictures: Sequence[MessagePicture] = ()) -> bytes:
        """What the user says."""
        raise NotImplementedError

    def assistant(self, text: str, calls: Sequence[ToolCall], state: Any) -> bytes:
        """What the model said, with what it wants back; `text` is not empty where there are no calls."""
        raise NotImplementedError

    def result(self, call_id: str, message: ToolMessage, content: str) -> bytes:
        """What a call gave back, as one of the parts of `results`."""
        raise NotImplementedError

    def no_result(self, call_id: str, tool: str) -> bytes:
        """The same for a call that has none: providers insist on one for each."""
        raise NotImplementedError

    def results(self, parts: Sequence[bytes]) -> bytes:
        """All results of a turn: a message each, or together in one."""
        return b",".join(parts)


class _Encoded(NamedTuple):
    """One message, ready to send; a tool's is one part of its turn's results."""

    body: bytes
    # Ids of the calls it makes with their tools, and the id of the call it answers.
    calls: tuple[tuple[str, str], ...] = ()
    answers: str = ""
    # What a tool's message becomes where the call it answers is not in the conversation.
    as_user: bytes = b""
    # The pictures of a tool's message as a message of the user's, where they cannot be in the result.
    pictures: bytes = b""


class _Known(NamedTuple):
    """The beginning of a conversation, and what it was encoded to."""

    # The array of its messages without the closing bracket.
    raw: bytes
    bodies: bytes
    # Calls that have no answer yet, by id; and the results and pictures of their turn so far.
    waiting: tuple[tuple[str, str], ...]
    results: tuple[bytes, ...]
    pictures: tuple[bytes, ...]

    def begins(self, whole: bytes) -> bool:
        """Whether `whole` is this conversation with more messages, or just this one."""
        return whole.startswith(self.raw) and whole[len(self.raw) : len(self.raw) + 1] in b",]"


# What every array begins with, less the character that is cut off together with a comma.
_NOTHING_KNOWN: Final = _Known(b"", b"", (), (), ())


class _Turns:
    """Messages on their way to bytes, with the turn whose results are still coming."""

    def __init__(self, dialect: Dialect, known: _Known) -> None:
        self._dialect = dialect
        self.bodies = [known.bodies] if known.bodies else []
        self.waiting = dict(known.waiting)
        self.results = list(known.results)
        self.pictures = list(known.pictures)

    def add(self, message: _Encoded) -> None:
        """The next message."""
        if message.answers in self.waiting:
            del self.waiting[message.answers]
            self.results.append(message.body)
            if message.pictures:
                self.pictures.append(message.pictures)
            return
        if message.answers and self.waiting:
            # Not of this turn: behind it, so that the turn's own results still find their calls.
            self.pictures.append(message.as_user)
            return
        self.bodies += self.turn()
        self.waiting, self.results, self.pictures = dict(message.calls), [], []
        self.bodies.append(message.as_user if message.answers else message.body)

    def turn(self) -> list[bytes]:
        """The results of the open turn, if there is one, with a word for each that is missing."""
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
        """The JSON array of the whole conversation, from the core's array of messages, and the tasks before it."""
        whole = bytes(raw_messages)
        known = next((each for each in self._known if each.begins(whole)), _NOTHING_KNOWN)
        turns = _Turns(self._dialect, known)
        # What follows the known part and its comma; nothing at all where there is no more.
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
            # Rare, and the next request fills it again with what is in use: no need to know what is oldest.
            self._kept.clear()
            self._kept_bytes = 0
        self._kept[key] = encoded
        return encoded


def _told_before(earlier: Sequence[EarlierTask], dialect: Dialect) -> list[bytes]:
    """Tasks of the same conversation as turns of it: what was wanted, and what it ended with. The newest that fit."""
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
    """Nine letters and digits that stand for `call_id`: the one form that every provider accepts."""
    return hashlib.blake2s(call_id.encode()).hexdigest()[:9]


def wire_name(tool: str) -> str:
    """The tool's name with the characters that providers refuse replaced."""
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
    # The core hands them over where `pictures = true` is set for the backend.
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
    """What the same backend with the same model wants back; anything else means nothing to it."""
    if not written:
        return None
    try:
        state = msgspec.json.decode(written)
    except UNREADABLE:
        return None
    return state.get("state") if isinstance(state, dict) and state.get("owner") == owner else None
