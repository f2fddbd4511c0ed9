"""Ollama through its own API, which allows setting the context size and downloading models."""

# /// deputy
# label = "Ollama"
# summary = "Models that Ollama runs on this machine, or on one of yours."
# takes_key = true
# probe = "models"
# local_address = "http://127.0.0.1:{port}"
# presets = [{ label = "This machine", address = "http://127.0.0.1:11434" }]
# settings = [
#   { name = "base_url", label = "Address", kind = "address", default = "http://127.0.0.1:11434" },
#   { name = "model", label = "Model", kind = "model", required = true },
#   { name = "context_tokens", label = "Context, in tokens", kind = "number", hint = "Where it is not set: what the model can hold, up to 32768. More takes more memory.", advanced = true },
#   { name = "keep_alive", label = "Keep the model loaded for", kind = "text", default = "10m", hint = "Such as 10m or 1h; -1 for always, 0 for not at all.", advanced = true },
#   { name = "thinking", label = "Thinks before it acts", kind = "choice", choices = ["default", "on", "off"], default = "default" },
#   { name = "fetch_model", label = "Download the model if it is missing", kind = "switch", default = false, hint = "Models are gigabytes." },
#   { name = "pictures", label = "Takes pictures", kind = "switch", default = false, advanced = true },
#   { name = "supports_tools", label = "Calls tools itself", kind = "choice", choices = ["auto", "true", "false"], default = "auto", advanced = true },
#   { name = "max_output_tokens", label = "Longest answer, in tokens", kind = "number", advanced = true },
#   { name = "temperature", label = "Temperature", kind = "number", advanced = true },
#   { name = "embedding_model", label = "Model for embeddings", kind = "model", advanced = true },
#   { name = "timeout_secs", label = "Longest silence, in seconds", kind = "number", default = 120, advanced = true },
#   { name = "first_token_timeout_secs", label = "Longest wait for the first words, in seconds", kind = "number", default = 600, hint = "The model may have to be loaded first.", advanced = true },
#   { name = "connect_timeout_secs", label = "Longest wait for a connection, in seconds", kind = "number", default = 10, advanced = true },
#   { name = "total_timeout_secs", label = "Longest answer, in seconds", kind = "number", default = 1800, advanced = true },
#   { name = "max_retries", label = "Attempts after a failure", kind = "number", default = 2, advanced = true },
#   { name = "max_retry_wait_secs", label = "Longest wait before an attempt, in seconds", kind = "number", default = 5, advanced = true },
#   { name = "extra_headers", label = "Headers of each request", kind = "table", advanced = true },
# ]
# ///

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Annotated, Any, ClassVar, Final, Literal

import msgspec

from deputy_sidecar.backend import Backend, Embedding, ToolCall, ToolMessage
from deputy_sidecar.chat_completions.backend import ChatSettings, names_in, vectors_in
from deputy_sidecar.chat_completions.dialect import tool_spec
from deputy_sidecar.errors import BackendError, BadSettingsError, ModelMissingError
from deputy_sidecar.generated import messages as say
from deputy_sidecar.models import MessagePicture, Usage
from deputy_sidecar.provider.answer import Answer, NativeCall, tokens
from deputy_sidecar.provider.client import RefusedError, preload
from deputy_sidecar.provider.failures import NO_TOOLS, Refusal
from deputy_sidecar.provider.http_backend import HttpBackend
from deputy_sidecar.provider.settings import Seconds
from deputy_sidecar.provider.transcript import NO_RESULT, Dialect, encode, wire_name

__all__ = ["Ollama", "create", "preload"]

# A context size that fits the memory of most models. Ollama's default is smaller and truncates conversations silently.
USUAL_CONTEXT: Final = 32_768
MISSING = re.compile(r"model.{0,120}not found|try pulling", re.IGNORECASE)


class Settings(ChatSettings, frozen=True):
    """The settings of `backends.ollama` in config.toml, and a key in case a proxy requires one."""

    backend: ClassVar[str] = "ollama"

    base_url: str = "http://127.0.0.1:11434"
    first_token_timeout_secs: Seconds | None = 600.0
    total_timeout_secs: Seconds = 1800.0
    context_tokens: Annotated[int, msgspec.Meta(ge=1024)] | None = None
    keep_alive: str = "10m"
    thinking: Literal["default", "on", "off"] = "default"
    fetch_model: bool = False


class _Answer(Answer):
    """An answer as chunks with a message each. Calls arrive whole."""

    ENDS: ClassVar[frozenset[str]] = frozenset({"stop"})

    def take(self, chunk: dict[str, Any]) -> str:
        message = chunk.get("message")
        if not isinstance(message, dict):
            return ""
        self.has_begun = True
        thought = self.think(_text(message.get("thinking")))
        text = self.say(_text(message.get("content")))
        calls = message.get("tool_calls")
        for each in calls if isinstance(calls, list) else []:
            function = each.get("function") if isinstance(each, dict) else None
            if isinstance(function, dict):
                self._call(function)
        if chunk.get("done") is True:
            self.is_done = True
            self.finish_reason = _text(chunk.get("done_reason"))
            counted = (tokens(chunk.get("prompt_eval_count")), tokens(chunk.get("eval_count")))
            self.usage = Usage(input_tokens=counted[0], output_tokens=counted[1])
        return thought + text

    def _call(self, function: dict[str, Any]) -> None:
        call = NativeCall(len(self.calls), "", _text(function.get("name")))
        arguments = function.get("arguments")
        call.arguments_object = arguments if isinstance(arguments, dict) else None
        call.arguments = "" if isinstance(arguments, dict) else _text(arguments)
        self.calls.append(call)


class _Dialect(Dialect):
    """Messages with roles. Calls have no ids, so results follow in the order of the calls."""

    def system(self, text: str) -> bytes:
        return encode({"role": "system", "content": text})

    def user(self, text: str, pictures: Sequence[MessagePicture] = ()) -> bytes:
        shown = {"images": [each.base64 for each in pictures]} if pictures else {}
        return encode({"role": "user", "content": text, **shown})

    def assistant(self, text: str, calls: Sequence[ToolCall], state: Any) -> bytes:
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if calls:
            message["tool_calls"] = [
                {"function": {"name": wire_name(call.tool), "arguments": call.parameters}} for call in calls
            ]
        return encode(message)

    def result(self, call_id: str, message: ToolMessage, content: str) -> bytes:
        return encode({"role": "tool", "tool_name": wire_name(message.tool), "content": content})

    def no_result(self, call_id: str, tool: str) -> bytes:
        return encode({"role": "tool", "tool_name": tool, "content": NO_RESULT})


class Ollama(HttpBackend[Settings]):
    """Makes plans with a model that Ollama runs."""

    name = "ollama"
    settings_kind = Settings
    dialect_kind = _Dialect

    def _take_settings(self, settings: Any) -> None:
        super()._take_settings(settings)
        self.has_native_tools = self.settings.supports_tools is not False
        self._thinks = self.settings.thinking != "default"
        self._context_tokens = self.settings.context_tokens
        self._is_missing = self._was_fetched = False

    def path(self) -> str:
        """The path below the base address."""
        return "api/chat"

    def answer(self, names: Mapping[str, str]) -> Answer:
        """A new, empty answer."""
        return _Answer()

    def tools(self, specs: list[tuple[str, str, Any]]) -> bytes:
        """The tools as functions."""
        return encode([tool_spec(*each) for each in specs])

    def body(self, system: str, messages: bytes, tools: bytes) -> bytes:
        """The request. The system prompt is the first message."""
        settings = self.settings
        options: dict[str, Any] = {"num_ctx": self._context_tokens or USUAL_CONTEXT}
        if settings.temperature is not None:
            options["temperature"] = settings.temperature
        if settings.max_output_tokens is not None:
            options["num_predict"] = settings.max_output_tokens
        head: dict[str, Any] = {
            "model": settings.model,
            "stream": True,
            "options": options,
            "keep_alive": _duration(settings.keep_alive),
        }
        if self._thinks:
            head["think"] = settings.thinking == "on"
        parts = [encode(head)[:-1]]
        if tools:
            parts += [b',"tools":', tools]
        return b"".join([*parts, b',"messages":', messages, b"}"])

    async def prepare(self) -> AsyncGenerator[str]:
        """Downloads a missing model, and queries the model's context size once."""
        if self._is_missing:
            async with aclosing(self.fetch()) as pieces:
                async for piece in pieces:
                    yield piece
            self._is_missing, self._was_fetched = False, True
        if self._context_tokens is None:
            self._context_tokens = await self._context_of_model()

    async def fetch(self) -> AsyncGenerator[str]:
        """Downloads the model through Ollama. Yields Ollama's progress, a line for every ten percent."""
        body = encode({"model": self.settings.model, "stream": True})
        shown = ""
        try:
            async with aclosing(self.client.stream("api/pull", body, lambda chunk: chunk.get("error"))) as chunks:
                async for chunk in chunks:
                    said = _progress(chunk) if chunk is not None else shown
                    if said != shown:
                        shown = said
                        yield f"{self.settings.model}: {said}\n"
        except RefusedError as refused:
            host, model = self.settings.host, repr(self.settings.model)
            said = refused.refusal.quote
            raise ModelMissingError(say.not_fetched(host=host, model=model, said=said)) from None

    def learn_from(self, refusal: Refusal) -> bool:
        """Downloads a missing model if that is enabled. Drops features that the model does not support."""
        words, settings = refusal.words, self.settings
        if settings.fetch_model and not self._was_fetched and refusal.status == 404 and MISSING.search(words):
            self._is_missing = True
        elif settings.supports_tools == "auto" and self.has_native_tools and NO_TOOLS.search(words):
            self.has_native_tools = False
        elif "think" in words and self._thinks:
            self._thinks = False
        else:
            return False
        return True

    async def models(self) -> list[str]:
        """The installed models."""
        listed = await self.ask("GET", "api/tags")
        if "models" not in listed:
            raise BadSettingsError(say.not_ollama(host=self.settings.host))
        return names_in(listed["models"], "name")

    async def embed(self, texts: list[str]) -> Embedding:
        """Returns a vector for each text."""
        model = self.settings.embedding_model
        if not model:
            raise BadSettingsError(say.no_embedding_model(backend=self.name))
        reply = await self.ask("POST", "api/embed", {"model": model, "input": texts})
        vectors = reply.get("embeddings")
        entries = [{"embedding": each} for each in vectors] if isinstance(vectors, list) else None
        return Embedding(model=model, vectors=vectors_in(entries, len(texts), self.settings.host))

    async def _context_of_model(self) -> int:
        try:
            shown = await self.ask("POST", "api/show", {"model": self.settings.model})
        except BackendError:
            # The error is reported when the plan is requested, with a message for that case.
            return USUAL_CONTEXT
        info = shown.get("model_info")
        fields = info.items() if isinstance(info, dict) else ()
        most = [tokens(value) for name, value in fields if str(name).endswith(".context_length")]
        return min([USUAL_CONTEXT, *(each for each in most if each)])


def create() -> Backend:
    """Returns a backend that is not configured yet."""
    return Ollama()


def _progress(chunk: dict[str, Any]) -> str:
    total, done = tokens(chunk.get("total")), tokens(chunk.get("completed"))
    status = _text(chunk.get("status")) or "downloading"
    return f"{status}, {done * 10 // total * 10} %" if total else status


def _duration(text: str) -> str | int:
    """Returns a number of seconds, or a text with its unit."""
    try:
        return int(text)
    except ValueError:
        return text


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
