"""Claude models through the Messages API: tools, thinking that is kept between steps, and prompt caching."""

# /// deputy
# label = "Anthropic"
# summary = "Claude models from Anthropic."
# takes_key = true
# probe = "models"
# usual_keys = [{ host = "api.anthropic.com", variable = "ANTHROPIC_API_KEY" }]
# settings = [
#   { name = "base_url", label = "Address", kind = "address", default = "https://api.anthropic.com", advanced = true },
#   { name = "model", label = "Model", kind = "model", required = true },
#   { name = "thinking", label = "Thinks before it acts", kind = "choice", choices = ["off", "adaptive", "budget"], default = "off", hint = "Adaptive: the model decides. Budget: up to a number of tokens, for models without adaptive thinking." },
#   { name = "thinking_tokens", label = "Thinking budget, in tokens", kind = "number", default = 8000, advanced = true },
#   { name = "pictures", label = "Takes pictures", kind = "switch", default = true, advanced = true },
#   { name = "max_output_tokens", label = "Longest answer, in tokens", kind = "number", default = 16000, advanced = true },
#   { name = "temperature", label = "Temperature", kind = "number", advanced = true },
#   { name = "timeout_secs", label = "Longest silence, in seconds", kind = "number", default = 120, advanced = true },
#   { name = "first_token_timeout_secs", label = "Longest wait for the first words, in seconds", kind = "number", hint = "As the longest silence where it is not set.", advanced = true },
#   { name = "connect_timeout_secs", label = "Longest wait for a connection, in seconds", kind = "number", default = 10, advanced = true },
#   { name = "total_timeout_secs", label = "Longest answer, in seconds", kind = "number", default = 900, advanced = true },
#   { name = "max_retries", label = "Attempts after a failure", kind = "number", default = 2, advanced = true },
#   { name = "max_retry_wait_secs", label = "Longest wait before an attempt, in seconds", kind = "number", default = 5, advanced = true },
#   { name = "extra_headers", label = "Headers of each request", kind = "table", advanced = true },
# ]
# ///

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final, Literal

import msgspec

from deputy_sidecar.backend import Backend, ToolCall, ToolMessage
from deputy_sidecar.chat_completions.backend import names_in
from deputy_sidecar.models import MessagePicture, Usage
from deputy_sidecar.provider.answer import Answer, NativeCall, tokens
from deputy_sidecar.provider.client import preload
from deputy_sidecar.provider.failures import Refusal
from deputy_sidecar.provider.http_backend import HttpBackend
from deputy_sidecar.provider.settings import ProviderSettings
from deputy_sidecar.provider.transcript import NO_RESULT, Dialect, encode, wire_call_id, wire_name

__all__ = ["Anthropic", "create", "preload"]

VERSION: Final = "2023-06-01"
THOUGHTS: Final = frozenset({"thinking", "redacted_thinking"})
# Tokens reserved for the answer if thinking would use up the whole output limit.
LEAST_ANSWER_TOKENS: Final = 4_000
# `max_tokens: 16000 > 8192, which is the maximum allowed number of output tokens for ...`
TOO_LONG_OUTPUT = re.compile(r"max_tokens: \d+ > (\d+)")


class Settings(ProviderSettings, frozen=True):
    """The settings of `backends.anthropic` in config.toml, and the key."""

    backend: ClassVar[str] = "anthropic"

    base_url: str = "https://api.anthropic.com"
    # The provider requires a limit.
    max_output_tokens: Annotated[int, msgspec.Meta(ge=1)] | None = 16_000
    pictures: bool = True
    thinking: Literal["off", "adaptive", "budget"] = "off"
    thinking_tokens: Annotated[int, msgspec.Meta(ge=1024)] = 8_000

    def key_headers(self) -> dict[str, str]:
        """The headers with the key, which has its own header here."""
        return {"anthropic-version": VERSION, **({"x-api-key": self.api_key} if self.api_key else {})}


class _Answer(Answer):
    """An answer as blocks by index, each assembled from its deltas."""

    ENDS: ClassVar[frozenset[str]] = frozenset({"end_turn", "stop_sequence", "tool_use", "pause_turn"})

    def __init__(self) -> None:
        super().__init__()
        self._blocks: dict[int, dict[str, Any]] = {}
        self._calls: dict[int, NativeCall] = {}

    def take(self, chunk: dict[str, Any]) -> str:
        kind, index = chunk.get("type"), chunk.get("index")
        if kind == "message_start":
            self.has_begun = True
            self._count(_object(chunk.get("message")).get("usage"))
        elif kind == "content_block_start" and isinstance(index, int):
            return self._begin(index, _object(chunk.get("content_block")))
        elif kind == "content_block_delta" and isinstance(index, int):
            return self._add(index, _object(chunk.get("delta")))
        elif kind == "message_delta":
            self._end(_object(chunk.get("delta")).get("stop_reason"))
            self._count(chunk.get("usage"))
        elif kind == "message_stop":
            self.is_done = True
        elif kind == "message":
            return self._take_whole(chunk)
        return ""

    def state(self) -> object:
        """The thoughts with their signatures. The provider requires them back before the calls that they led to."""
        thoughts = [block for _, block in sorted(self._blocks.items()) if block["type"] in THOUGHTS]
        return thoughts if thoughts and self.calls else None

    def _begin(self, index: int, block: dict[str, Any]) -> str:
        kind = block.get("type")
        if kind == "tool_use":
            call = NativeCall(index, str(block.get("id") or ""), str(block.get("name") or ""))
            given = block.get("input")
            # In a stream, this is empty, and the arguments follow as text.
            call.arguments_object = given if isinstance(given, dict) and given else None
            self._calls[index] = call
            self.calls.append(call)
        elif kind in THOUGHTS:
            self._blocks[index] = dict(block)
            return self.think(str(block.get("thinking") or ""))
        elif kind == "text":
            return self.say(str(block.get("text") or ""))
        return ""

    def _add(self, index: int, delta: dict[str, Any]) -> str:
        kind = delta.get("type")
        if kind == "text_delta":
            return self.say(str(delta.get("text") or ""))
        if kind == "input_json_delta" and index in self._calls:
            self._calls[index].arguments += str(delta.get("partial_json") or "")
        elif kind == "thinking_delta" and index in self._blocks:
            self._blocks[index]["thinking"] = self._blocks[index].get("thinking", "") + str(delta.get("thinking") or "")
            return self.think(str(delta.get("thinking") or ""))
        elif kind == "signature_delta" and index in self._blocks:
            self._blocks[index]["signature"] = str(delta.get("signature") or "")
        return ""

    def _end(self, reason: object) -> None:
        known = {"max_tokens": "length", "model_context_window_exceeded": "length", "refusal": "content_filter"}
        if isinstance(reason, str):
            self.finish_reason = known.get(reason, reason)

    def _take_whole(self, message: dict[str, Any]) -> str:
        """Adds an answer that was not streamed."""
        self.has_begun = self.is_done = True
        content = message.get("content")
        blocks = content if isinstance(content, list) else []
        said = [self._begin(index, _object(block)) for index, block in enumerate(blocks)]
        self._end(message.get("stop_reason"))
        self._count(message.get("usage"))
        return "".join(said)

    def _count(self, usage: object) -> None:
        """Updates the totals so far. Tokens read from and written to the cache are counted separately from the rest."""
        counted, known = _object(usage), self.usage
        fields = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        read = [tokens(counted.get(field)) for field in fields]
        details = _object(counted.get("output_tokens_details"))
        thought = details.get("thinking_tokens", details.get("reasoning_tokens"))
        self.usage = Usage(
            input_tokens=sum(read) or known.input_tokens,
            output_tokens=tokens(counted.get("output_tokens"), known.output_tokens),
            cached_tokens=read[1] or known.cached_tokens,
            reasoning_tokens=tokens(thought, known.reasoning_tokens),
        )


class _Dialect(Dialect):
    """Messages as lists of blocks. All results of a turn form a single message of the user."""

    pictures_in_results = True

    def user(self, text: str, pictures: Sequence[MessagePicture] = ()) -> bytes:
        return encode({"role": "user", "content": [{"type": "text", "text": text}, *map(_picture, pictures)]})

    def assistant(self, text: str, calls: Sequence[ToolCall], state: Any) -> bytes:
        blocks = list(state) if isinstance(state, list) else []
        if text.strip():
            blocks.append({"type": "text", "text": text})
        for call in calls:
            blocks.append(
                {
                    "type": "tool_use",
                    "id": wire_call_id(call.id),
                    "name": wire_name(call.tool),
                    "input": call.parameters if isinstance(call.parameters, dict) else {},
                }
            )
        return encode({"role": "assistant", "content": blocks})

    def result(self, call_id: str, message: ToolMessage, content: str) -> bytes:
        shown = [_picture(each) for each in message.pictures if each.base64]
        body: dict[str, Any] = {"type": "tool_result", "tool_use_id": call_id}
        body["content"] = [{"type": "text", "text": content}, *shown] if shown else content
        if not message.ok:
            body["is_error"] = True
        return encode(body)

    def no_result(self, call_id: str, tool: str) -> bytes:
        return encode({"type": "tool_result", "tool_use_id": call_id, "content": NO_RESULT, "is_error": True})

    def results(self, parts: Sequence[bytes]) -> bytes:
        return b'{"role":"user","content":[' + b",".join(parts) + b"]}"


class Anthropic(HttpBackend[Settings]):
    """Makes plans with Claude."""

    name = "anthropic"
    settings_kind = Settings
    dialect_kind = _Dialect

    def _take_settings(self, settings: Any) -> None:
        super()._take_settings(settings)
        # Learned from refusals, once per process.
        self._thinks = self.settings.thinking != "off"
        self._caches = True
        self._most_output_tokens = self.settings.max_output_tokens or 16_000

    def path(self) -> str:
        """The path below the base address."""
        return "v1/messages"

    def answer(self, names: Mapping[str, str]) -> Answer:
        """A new, empty answer."""
        return _Answer()

    def tools(self, specs: list[tuple[str, str, Any]]) -> bytes:
        """The tools with their unchanged schemas."""
        return encode([{"name": name, "description": words, "input_schema": schema} for name, words, schema in specs])

    def body(self, system: str, messages: bytes, tools: bytes) -> bytes:
        """The request: tools, system prompt, messages, which is the order in which the provider caches them."""
        settings = self.settings
        head: dict[str, Any] = {"model": settings.model, "stream": True, "max_tokens": self._most_output_tokens}
        if self._caches:
            # Marks the last block, wherever it is, without changing what was sent before.
            head["cache_control"] = {"type": "ephemeral"}
        if self._thinks and settings.thinking == "adaptive":
            head["thinking"] = {"type": "adaptive", "display": "summarized"}
        elif self._thinks:
            budget = settings.thinking_tokens
            head["thinking"] = {"type": "enabled", "budget_tokens": budget}
            head["max_tokens"] = max(self._most_output_tokens, budget + LEAST_ANSWER_TOKENS)
        elif settings.temperature is not None:
            # Thinking does not allow a temperature.
            head["temperature"] = settings.temperature
        parts = [encode(head)[:-1]]
        if tools:
            parts += [b',"tools":', tools]
        if system:
            block: dict[str, Any] = {"type": "text", "text": system}
            if self._caches:
                # The tools and the rules stay cached when the conversation is shortened.
                block["cache_control"] = {"type": "ephemeral"}
            parts += [b',"system":', encode([block])]
        return b"".join([*parts, b',"messages":', messages, b"}"])

    def learn_from(self, refusal: Refusal) -> bool:
        """Drops features that this model, or a server that imitates the provider's, does not support."""
        words = refusal.words
        if refusal.status not in {400, 422}:
            return False
        too_long = TOO_LONG_OUTPUT.search(words)
        if too_long and int(too_long[1]) < self._most_output_tokens:
            self._most_output_tokens = int(too_long[1])
        elif "cache_control" in words and self._caches:
            self._caches = False
        elif "thinking" in words and self._thinks:
            self._thinks = False
        else:
            return False
        return True

    async def models(self) -> list[str]:
        """The provider's models."""
        return names_in((await self.ask("GET", "v1/models?limit=1000")).get("data"), "id")


def create() -> Backend:
    """Returns a backend that is not configured yet."""
    return Anthropic()


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _picture(picture: MessagePicture) -> dict[str, Any]:
    source = {"type": "base64", "media_type": picture.media_type, "data": picture.base64}
    return {"type": "image", "source": source}
