"""Stores the conversations of tasks, so that the core sends only what is new since the last plan.

A request that continues a conversation names the stored prefix by its length in bytes and its hash. If this process
does not have that prefix, the request is refused and the core sends the whole conversation.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from deputy_sidecar.backend import Conversation
from deputy_sidecar.errors import UNREADABLE, InternalError
from deputy_sidecar.generated import messages as say
from deputy_sidecar.models import ConversationMark, EarlierTask

if TYPE_CHECKING:
    from hashlib import _Hash

__all__ = ["Conversations", "Head", "NotHeldError"]

# The maximum number of stored conversations, and of their bytes. The least recently used are dropped first.
MOST_KEPT: Final = 8
MOST_KEPT_BYTES: Final = 16 * 1024 * 1024
# The number of positions at which a conversation may continue. After a failed plan, it continues from an earlier
# position.
MOST_PLACES: Final = 4

_earlier_decoder = msgspec.json.Decoder(list[EarlierTask])
_system_decoder = msgspec.json.Decoder(str)


class NotHeldError(Exception):
    """The stored conversation does not contain the prefix that the request continues."""


class Head(NamedTuple):
    """The parts of a request besides its messages, as sent."""

    system: bytes
    tools: bytes
    earlier: bytes


class _Place(NamedTuple):
    """The position in a conversation at which a plan was requested."""

    length: int
    hash: _Hash

    def mark(self) -> ConversationMark:
        return ConversationMark(bytes=self.length, sha256=self.hash.hexdigest())


class _Held(NamedTuple):
    """A stored conversation."""

    head: Head
    # The array of messages. Each plan copies it once, which is cheap at a few hundred kilobytes.
    messages: bytes
    # Positions at which it may continue, newest last.
    places: tuple[_Place, ...]

    @property
    def size(self) -> int:
        return len(self.messages) + sum(map(len, self.head))


class Conversations:
    """The conversations of the tasks that planned most recently."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._bytes = 0

    def whole(self, name: str | None, head: Head, messages: bytes) -> tuple[Conversation, ConversationMark | None]:
        """Takes a whole conversation. Also returns its stored position, if it has a name to store it under."""
        if name is None:
            return _conversation(head, messages), None
        inner = _inner(messages)
        hashed = hashlib.sha256(b"".join(part + b"\n" for part in head))
        hashed.update(inner)
        place = _Place(len(inner), hashed)
        array = b"".join((b"[", inner, b"]"))
        self._keep(name, _Held(head, array, (place,)))
        return _conversation(head, array), self._mark(name, place)

    def more(self, name: str, base: ConversationMark, messages: bytes) -> tuple[Conversation, ConversationMark | None]:
        """Takes a conversation that continues from `base`.

        If that is not stored, forgets the conversation and raises `NotHeldError`.
        """
        held = self._held.get(name)
        places = held.places if held is not None else ()
        number = next((at for at, each in enumerate(places) if each.mark() == base), None)
        if held is None or number is None:
            self._drop(name)
            raise NotHeldError
        added = _inner(messages)
        hashed = places[number].hash.copy()
        # Nothing is new if a plan is requested again.
        joint = b"," if added and base.bytes else b""
        hashed.update(joint + added)
        array = b"".join((memoryview(held.messages)[: 1 + base.bytes], joint, added, b"]"))
        place = _Place(len(array) - 2, hashed)
        kept = [*places[: number + 1], place][-MOST_PLACES:]
        self._keep(name, _Held(held.head, array, tuple(kept)))
        return _conversation(held.head, array), self._mark(name, place)

    def _mark(self, name: str, place: _Place) -> ConversationMark | None:
        return place.mark() if name in self._held else None

    def _keep(self, name: str, held: _Held) -> None:
        self._drop(name)
        if held.size > MOST_KEPT_BYTES:
            return
        self._held[name] = held
        self._bytes += held.size
        while len(self._held) > MOST_KEPT or self._bytes > MOST_KEPT_BYTES:
            self._drop(next(iter(self._held)))

    def _drop(self, name: str) -> None:
        held = self._held.pop(name, None)
        if held is not None:
            self._bytes -= held.size


def _inner(messages: bytes) -> bytes:
    """Returns the contents of an array of messages, unchanged."""
    if not messages.startswith(b"[") or not messages.endswith(b"]"):
        raise InternalError(say.conversation_unreadable(error="the messages are no array"))
    return messages[1:-1].strip()


def _conversation(head: Head, messages: bytes) -> Conversation:
    """Returns the conversation for one plan. Changes by a backend do not affect other plans."""
    try:
        system, earlier = _system_decoder.decode(head.system), _earlier_decoder.decode(head.earlier)
    except UNREADABLE as error:
        raise InternalError(say.conversation_unreadable(error=error)) from None
    return Conversation(system, msgspec.Raw(messages), msgspec.Raw(head.tools), earlier)
