"""Makes plans through chat completions. Shared by the backends that use them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, TypeVar

import msgspec

from deputy_sidecar.backend import Embedding
from deputy_sidecar.chat_completions.answer import ChatAnswer
from deputy_sidecar.chat_completions.dialect import ChatDialect, tool_spec
from deputy_sidecar.errors import BadResponseError, BadSettingsError
from deputy_sidecar.generated import messages as say
from deputy_sidecar.provider.failures import NO_TOOLS, Refusal
from deputy_sidecar.provider.http_backend import HttpBackend
from deputy_sidecar.provider.settings import ProviderSettings
from deputy_sidecar.provider.transcript import Dialect, encode

__all__ = ["ChatBackend", "ChatSettings", "names_in", "vectors_in"]


class ChatSettings(ProviderSettings, frozen=True):
    """The settings of a provider with chat completions."""

    # `auto`: uses the provider's own tool calling unless the provider says that it has none.
    supports_tools: bool | Literal["auto"] = "auto"
    embedding_model: str = ""


C = TypeVar("C", bound=ChatSettings)


class ChatBackend(HttpBackend[C]):
    """Makes plans with a model through chat completions."""

    dialect_kind: ClassVar[type[Dialect]] = ChatDialect

    def _take_settings(self, settings: Any) -> None:
        super()._take_settings(settings)
        self.has_native_tools = self.settings.supports_tools is not False
        # What this provider does not accept. Learned from its refusals, once per process.
        self._has_stream_options = True
        self._has_temperature = True
        self._limit_name = "max_tokens"

    def path(self) -> str:
        """The path below the base address, which usually ends in /v1."""
        return "chat/completions"

    def answer(self, names: Mapping[str, str]) -> ChatAnswer:
        """A new, empty answer."""
        return ChatAnswer(names)

    def tools(self, specs: list[tuple[str, str, Any]]) -> bytes:
        """The tools as functions."""
        return encode([tool_spec(*each) for each in specs])

    def body(self, system: str, messages: bytes, tools: bytes) -> bytes:
        """The request. The system prompt is the first message."""
        settings = self.settings
        head: dict[str, Any] = {"model": settings.model, "stream": True}
        if self._has_stream_options:
            head["stream_options"] = {"include_usage": True}
        if settings.temperature is not None and self._has_temperature:
            head["temperature"] = settings.temperature
        if settings.max_output_tokens is not None:
            head[self._limit_name] = settings.max_output_tokens
        parts = [encode(head)[:-1]]
        if tools:
            # Before the messages: parts that do not change between requests come first.
            parts += [b',"tools":', tools]
        return b"".join([*parts, b',"messages":', messages, b"}"])

    def learn_from(self, refusal: Refusal) -> bool:
        """Drops what the provider does not support."""
        words, settings = refusal.words, self.settings
        if refusal.status not in {400, 404, 422, 500, 501}:
            return False
        if "stream_options" in words and self._has_stream_options:
            self._has_stream_options = False
        elif "max_completion_tokens" in words and self._limit_name == "max_tokens" and settings.max_output_tokens:
            self._limit_name = "max_completion_tokens"
        elif "temperature" in words and self._has_temperature and settings.temperature is not None:
            self._has_temperature = False
        elif settings.supports_tools == "auto" and self.has_native_tools and NO_TOOLS.search(words):
            self.has_native_tools = False
        else:
            return False
        return True

    async def embed(self, texts: list[str]) -> Embedding:
        """Returns a vector for each text."""
        model = self.settings.embedding_model
        if not model:
            raise BadSettingsError(say.no_embedding_model(backend=self.name))
        reply = await self.ask("POST", self.embeddings_path(), {"model": model, "input": texts})
        return Embedding(model=model, vectors=vectors_in(reply.get("data"), len(texts), self.settings.host))

    def embeddings_path(self) -> str:
        """The path for embeddings."""
        return "embeddings"

    async def models(self) -> list[str]:
        """The provider's models."""
        return names_in((await self.ask("GET", "models")).get("data"), "id")


def names_in(entries: object, field: str) -> list[str]:
    """Returns the sorted names in a list of models."""
    found = entries if isinstance(entries, list) else []
    return sorted(each[field] for each in found if isinstance(each, dict) and isinstance(each.get(field), str))


class _Entry(msgspec.Struct):
    embedding: list[float]
    index: int = 0


def vectors_in(data: object, expected: int, host: str) -> list[list[float]]:
    """Returns the vectors of an answer, in the order of the texts."""
    try:
        entries = sorted(msgspec.convert(data, list[_Entry]), key=lambda each: each.index)
    except msgspec.ValidationError as error:
        raise BadResponseError(say.embeddings_unusable(host=host, error=error)) from None
    if len(entries) != expected or len({len(each.embedding) for each in entries}) > 1:
        raise BadResponseError(say.embeddings_of_other_number(host=host, expected=expected, got=len(entries)))
    return [each.embedding for each in entries]
