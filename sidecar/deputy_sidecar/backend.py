"""What a backend is: the one module that the author of a backend file imports from."""

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
    """One message of a conversation."""
    return _decoded(_message_decoder, raw)


def _decoded(decoder: msgspec.json.Decoder[T], raw: bytes | msgspec.Raw) -> T:
    try:
        return decoder.decode(raw)
    except UNREADABLE as error:
        # The core's fault, found late because a conversation is only decoded where it is new.
        raise InternalError(say.conversation_unreadable(error=error)) from None


class Embedding(msgspec.Struct):
    """What `embed` answers: the name of the model, and a vector for each text, all of one length."""

    model: str
    vectors: Sequence[Sequence[float]]


class Conversation:
    """What a plan is asked for. The parts are decoded when they are first looked at.

    A backend that keeps its own encoded form of a conversation reads `raw_messages` (the JSON array) and `raw_tools`
    instead: equal bytes mean equal content, so that what has not changed need not be looked at.
    """

    def __init__(
        self, system: str, raw_messages: msgspec.Raw, raw_tools: msgspec.Raw, earlier: Sequence[EarlierTask] = ()
    ) -> None:
        self.system = system
        # Tasks of the same conversation that came before, the newest last.
        self.earlier = earlier
        self.raw_messages = raw_messages
        self.raw_tools = raw_tools
        self._messages: list[Message] | None = None
        self._tools: list[ToolSpec] | None = None

    @property
    def messages(self) -> list[Message]:
        """The conversation so far; the last message is the user's or a tool's."""
        if self._messages is None:
            self._messages = _decoded(_messages_decoder, self.raw_messages)
        return self._messages

    @property
    def tools(self) -> list[ToolSpec]:
        """What may be called."""
        if self._tools is None:
            self._tools = _decoded(_tools_decoder, self.raw_tools)
        return self._tools


@runtime_checkable
class Backend(Protocol):
    """A backend: one file with one class that has these members.

    It may also have `async complete(system, prompt) -> CompleteReply | str`, `async embed(texts) -> Embedding`,
    `async models() -> list[str]` and `async close()`.
    """

    name: str

    def configure(self, settings: Mapping[str, Any]) -> None:
        """Takes the settings of `config.toml`, with the key as `api_key`; raises `BadSettingsError`."""

    def plan(self, request: Conversation) -> AsyncIterator[str | AgentPlan | PlanReply]:
        """An async generator: yields pieces of the model's text, then the plan."""
