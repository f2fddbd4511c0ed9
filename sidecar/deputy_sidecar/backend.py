"""The interface of a backend, and the only module that a backend file has to import from."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

import msgspec

from deputy_sidecar.errors import (
    UNREADABLE,
    AuthError,
    BackendError,
    BadResponseError,
    BadSettingsError,
    ContextOverflowError,
    InternalError,
    ModelMissingError,
    NetworkError,
    RateLimitedError,
)
from deputy_sidecar.generated import messages as say
from deputy_sidecar.models import (
    AgentPlan,
    AssistantMessage,
    CompleteReply,
    EarlierTask,
    Message,
    PlanReply,
    ToolCall,
    ToolMessage,
    ToolSpec,
    Usage,
    UserMessage,
)

__all__ = [
    "AgentPlan",
    "AssistantMessage",
    "AuthError",
    "Backend",
    "BackendError",
    "BadResponseError",
    "BadSettingsError",
    "CompleteReply",
    "ContextOverflowError",
    "Conversation",
    "Embedding",
    "InternalError",
    "Message",
    "ModelMissingError",
    "NetworkError",
    "PlanReply",
    "RateLimitedError",
    "ToolCall",
    "ToolMessage",
    "ToolSpec",
    "Usage",
    "UserMessage",
    "decode_message",
]

_message_decoder: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
_messages_decoder: msgspec.json.Decoder[list[Message]] = msgspec.json.Decoder(list[Message])
_tools_decoder = msgspec.json.Decoder(list[ToolSpec])

T = TypeVar("T")


def decode_message(raw: bytes | msgspec.Raw) -> Message:
    """Decodes a message of a conversation."""
    return _decoded(_message_decoder, raw)


def _decoded(decoder: msgspec.json.Decoder[T], raw: bytes | msgspec.Raw) -> T:
    try:
        return decoder.decode(raw)
    except UNREADABLE as error:
        # This is an error of the core. It is found late because only the new part of a conversation is decoded.
        raise InternalError(say.conversation_unreadable(error=error)) from None


class Embedding(msgspec.Struct):
    """The result of `embed`: the model's name, and a vector for each text. All vectors have the same length."""

    model: str
    vectors: Sequence[Sequence[float]]


class Conversation:
    """The input of a plan. Its parts are decoded on first access.

    A backend that caches its own encoding of a conversation reads `raw_messages` (the JSON array) and `raw_tools`
    instead: equal bytes mean equal content, so unchanged parts need no decoding.
    """

    def __init__(
        self, system: str, raw_messages: msgspec.Raw, raw_tools: msgspec.Raw, earlier: Sequence[EarlierTask] = ()
    ) -> None:
        self.system = system
        # Earlier tasks of the same conversation, newest last.
        self.earlier = earlier
        self.raw_messages = raw_messages
        self.raw_tools = raw_tools
        self._messages: list[Message] | None = None
        self._tools: list[ToolSpec] | None = None

    @property
    def messages(self) -> list[Message]:
        """The conversation so far. The last message is from the user or a tool."""
        if self._messages is None:
            self._messages = _decoded(_messages_decoder, self.raw_messages)
        return self._messages

    @property
    def tools(self) -> list[ToolSpec]:
        """The tools that may be called."""
        if self._tools is None:
            self._tools = _decoded(_tools_decoder, self.raw_tools)
        return self._tools


@runtime_checkable
class Backend(Protocol):
    """A backend: a file with a class that has these members.

    It may also have `async complete(system, prompt) -> CompleteReply | str`, `async embed(texts) -> Embedding`,
    `async models() -> list[str]` and `async close()`.
    """

    name: str

    def configure(self, settings: Mapping[str, Any]) -> None:
        """Takes the settings from `config.toml`, with the key as `api_key`. Raises `BadSettingsError`."""

    def plan(self, request: Conversation) -> AsyncIterator[str | AgentPlan | PlanReply]:
        """An async generator: yields pieces of the model's text, then the plan."""
