"""Turns a conversation into the `messages` of a request, keeping what each message was encoded to.

The core sends the conversation whole each time, and it mostly is the one before with something added. So what was
there before is compared as bytes and taken over in one piece, and only what is new is looked at, message by message.
Equal bytes mean an equal message: one that came before, in whatever conversation, is not encoded again either.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from deputy_sidecar.backend import AssistantMessage, Message, ToolCall, ToolMessage, UserMessage, decode_message
from deputy_sidecar.untrusted import wrap_untrusted

__all__ = ["Transcript", "wire_call_id", "wire_name"]

# Bytes of raw and encoded messages kept; the newest 32,000 tokens of some dozen tasks.
MOST_KEPT_BYTES = 8 * 1024 * 1024

# Conversations whose beginning is remembered: some tasks that work at the same time.
MOST_KNOWN = 4

_encode = msgspec.json.Encoder().encode
_messages_decoder = msgspec.json.Decoder(list[msgspec.Raw])

NOTHING_SAID: Final = "(nothing)"
NO_RESULT: Final = _encode("There is no result: the call was not run, or its result was left out for length.")


class _Encoded(NamedTuple):
    """One message, ready to send."""

    body: bytes
    # Ids of the calls it makes, and the id of the call it answers: providers insist that these match up.
    calls: tuple[str, ...]
    answers: str
    # What a tool's message becomes where the call it answers is not in the conversation.
    as_user: bytes
    # The pictures of a tool's message, as a message of the user's; it follows the results of the whole turn, which
    # providers want to stand together.
    pictures: bytes = b""


class _Known(NamedTuple):
    """The beginning of a conversation, and what it was encoded to."""

    # The array of its messages without the closing bracket.
    raw: bytes
    bodies: bytes
    # Ids of calls that have no answer yet.
    waiting: tuple[str, ...]
    # Pictures of the last turn that wait for the other results.
    pictures: tuple[bytes, ...]

    def begins(self, whole: bytes) -> bool:
        """Whether `whole` is this conversation with more messages, or just this one."""
        return whole.startswith(self.raw) and whole[len(self.raw) : len(self.raw) + 1] in b",]"


# What every array begins with, less the character that is cut off together with a comma.
_NOTHING_KNOWN: Final = _Known(b"", b"", (), ())


class Transcript:
    """Encodes conversations for one way of calling tools: the provider's own, or as JSON in the text."""

    def __init__(self, *, native_tools: bool) -> None:
        self._native_tools = native_tools
        self._kept: dict[bytes, _Encoded] = {}
        self._kept_bytes = 0
        self._known: list[_Known] = []

    def encode(self, system: str, raw_messages: msgspec.Raw) -> bytes:
        """The JSON array of the whole conversation, from the core's array of messages."""
        whole = bytes(raw_messages)
        known = next((each for each in self._known if each.begins(whole)), _NOTHING_KNOWN)
        bodies = [known.bodies] if known.bodies else []
        waiting, pictures = list(known.waiting), list(known.pictures)
        # What follows the known part and its comma; nothing at all where there is no more.
        added = whole[len(known.raw) + 1 :] or b"]"
        self._add(_messages_decoder.decode(b"[" + added), bodies, waiting, pictures)
        joined = b",".join(bodies)
        ours = _Known(whole.removesuffix(b"]"), joined, tuple(waiting), tuple(pictures))
        self._known = [ours, *(each for each in self._known if each is not known)][:MOST_KNOWN]
        parts = [_encode({"role": "system", "content": system}), joined, *map(_without_result, waiting), *pictures]
        return b"[" + b",".join(part for part in parts if part) + b"]"

    def _add(
        self, messages: Sequence[msgspec.Raw], bodies: list[bytes], waiting: list[str], pictures: list[bytes]
    ) -> None:
        kept = self._kept
        for raw in messages:
            key = bytes(raw)
            message = kept.get(key) or self._keep(key)
            if not message.answers:
                if waiting:
                    bodies.extend(map(_without_result, waiting))
                bodies.extend(pictures)
                bodies.append(message.body)
                waiting[:] = message.calls
                pictures.clear()
            elif message.answers in waiting:
                waiting.remove(message.answers)
                bodies.append(message.body)
            else:
                bodies.append(message.as_user)
            if message.pictures:
                pictures.append(message.pictures)
            if pictures and not waiting:
                bodies.extend(pictures)
                pictures.clear()

    def _keep(self, key: bytes) -> _Encoded:
        encoded = _encode_message(decode_message(key), native_tools=self._native_tools)
        self._kept_bytes += len(key) + len(encoded.body) + len(encoded.as_user) + len(encoded.pictures)
        if self._kept_bytes > MOST_KEPT_BYTES:
            # Rare, and the next request fills it again with what is in use: no need to know what is oldest.
            self._kept.clear()
            self._kept_bytes = 0
        self._kept[key] = encoded
        return encoded


def wire_call_id(call_id: str) -> str:
    """Nine letters and digits that stand for `call_id`: the one form that every provider accepts."""
    return hashlib.blake2s(call_id.encode()).hexdigest()[:9]


def wire_name(tool: str) -> str:
    """The tool's name with the characters that providers refuse replaced."""
    return "".join(each if each.isascii() and (each.isalnum() or each in "_-") else "_" for each in tool)[:64]


def _encode_message(message: Message, *, native_tools: bool) -> _Encoded:
    if isinstance(message, UserMessage):
        return _plain("user", message.text)
    if isinstance(message, AssistantMessage):
        return _assistant(message, native_tools=native_tools)
    return _tool_result(message, native_tools=native_tools)


def _plain(role: str, text: str) -> _Encoded:
    body = _encode({"role": role, "content": text or NOTHING_SAID})
    return _Encoded(body, (), "", b"")


def _assistant(message: AssistantMessage, *, native_tools: bool) -> _Encoded:
    if not message.tool_calls:
        return _plain("assistant", message.text)
    if not native_tools:
        plan = {
            "reasoning": message.text,
            "tool_calls": [{"tool": call.tool, "parameters": call.parameters} for call in message.tool_calls],
        }
        return _plain("assistant", _encode(plan).decode())
    body = {
        "role": "assistant",
        "content": message.text or None,
        "tool_calls": [_native_call(call) for call in message.tool_calls],
    }
    return _Encoded(_encode(body), tuple(wire_call_id(call.id) for call in message.tool_calls), "", b"")


def _native_call(call: ToolCall) -> dict[str, Any]:
    function = {"name": wire_name(call.tool), "arguments": _encode(call.parameters).decode()}
    return {"id": wire_call_id(call.id), "type": "function", "function": function}


def _tool_result(message: ToolMessage, *, native_tools: bool) -> _Encoded:
    wrapped = wrap_untrusted(message.call, message.tool, message.content, ok=message.ok)
    as_user = _plain("user", wrapped)
    pictures = _pictures(message)
    if not native_tools:
        return as_user._replace(pictures=pictures)
    call_id = wire_call_id(message.call)
    body = _encode({"role": "tool", "tool_call_id": call_id, "content": wrapped})
    return _Encoded(body, (), call_id, as_user.body, pictures)


def _pictures(message: ToolMessage) -> bytes:
    """The pictures that the core handed over, which it does where `pictures = true` is set for the backend."""
    given = [
        {"type": "image_url", "image_url": {"url": f"data:{each.media_type};base64,{each.base64}"}}
        for each in message.pictures
        if each.base64
    ]
    if not given:
        return b""
    told = wrap_untrusted(message.call, message.tool, "Its pictures follow.", ok=message.ok)
    return _encode({"role": "user", "content": [{"type": "text", "text": told}, *given]})


def _without_result(call_id: str) -> bytes:
    return b'{"role":"tool","tool_call_id":"' + call_id.encode() + b'","content":' + NO_RESULT + b"}"
