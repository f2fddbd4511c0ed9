"""Any provider that speaks chat completions: OpenAI, Ollama, LM Studio, llama.cpp, vLLM, OpenRouter and many more."""

# /// deputy
# label = "OpenAI-compatible"
# summary = "Any server that speaks chat completions: LM Studio, llama.cpp, vLLM, OpenRouter and many more."
# takes_key = true
# probe = "models"
# local_address = "http://127.0.0.1:{port}/v1"
# usual_keys = [
#   { host = "api.openai.com", variable = "OPENAI_API_KEY" },
#   { host = "openrouter.ai", variable = "OPENROUTER_API_KEY" },
#   { host = "api.groq.com", variable = "GROQ_API_KEY" },
#   { host = "api.mistral.ai", variable = "MISTRAL_API_KEY" },
#   { host = "api.deepseek.com", variable = "DEEPSEEK_API_KEY" },
# ]
# presets = [
#   { label = "Ollama", address = "http://127.0.0.1:11434/v1" },
#   { label = "LM Studio", address = "http://127.0.0.1:1234/v1" },
#   { label = "OpenAI", address = "https://api.openai.com/v1" },
#   { label = "OpenRouter", address = "https://openrouter.ai/api/v1" },
# ]
# settings = [
#   { name = "base_url", label = "Address", kind = "address", default = "https://api.openai.com/v1", hint = "Usually ends in /v1." },
#   { name = "model", label = "Model", kind = "model", required = true },
#   { name = "max_output_tokens", label = "Longest answer, in tokens", kind = "number" },
#   { name = "temperature", label = "Temperature", kind = "number", advanced = true },
#   { name = "supports_tools", label = "Calls tools itself", kind = "choice", choices = ["auto", "true", "false"], default = "auto", advanced = true },
#   { name = "pictures", label = "Takes pictures", kind = "switch", default = false, advanced = true },
#   { name = "embedding_model", label = "Model for embeddings", kind = "model", advanced = true },
#   { name = "timeout_secs", label = "Longest silence, in seconds", kind = "number", default = 120, advanced = true },
#   { name = "connect_timeout_secs", label = "Longest wait for a connection, in seconds", kind = "number", default = 10, advanced = true },
#   { name = "total_timeout_secs", label = "Longest answer, in seconds", kind = "number", default = 900, advanced = true },
#   { name = "max_retries", label = "Attempts after a failure", kind = "number", default = 2, advanced = true },
#   { name = "max_retry_wait_secs", label = "Longest wait before an attempt, in seconds", kind = "number", default = 20, advanced = true },
#   { name = "extra_headers", label = "Headers of each request", kind = "table", advanced = true },
# ]
# ///

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from typing import Any, Final, NoReturn

import msgspec

from deputy_sidecar.backend import (
    AgentPlan,
    Backend,
    CompleteReply,
    Conversation,
    Embedding,
    PlanReply,
    ToolSpec,
    Usage,
)
from deputy_sidecar.chat_completions import client as http_client
from deputy_sidecar.chat_completions.answer import Answer
from deputy_sidecar.chat_completions.client import Client, RefusedError
from deputy_sidecar.chat_completions.failures import NO_TOOLS
from deputy_sidecar.chat_completions.plan import ASK_USER, plan_from_answer
from deputy_sidecar.chat_completions.settings import Settings, read_settings
from deputy_sidecar.chat_completions.transcript import Transcript, wire_name
from deputy_sidecar.errors import BadResponseError, BadSettingsError, NetworkError
from deputy_sidecar.untrusted import RULE

__all__ = ["OpenAICompatible", "create", "preload"]

_encode = msgspec.json.Encoder().encode

preload = http_client.preload

ASK_USER_TOOL: Final[dict[str, Any]] = {
    "type": "function",
    "function": {
        "name": ASK_USER,
        "description": "Ask the user one question and wait for the answer. Only for what you cannot find out yourself.",
        "parameters": {
            "type": "object",
            "properties": {"question": {"type": "string"}},
            "required": ["question"],
            "additionalProperties": False,
        },
    },
}

# For models without tool calling of their own.
TEXT_TOOLS: Final = """\
You act by calling tools. Answer with one JSON object and nothing else:
{"reasoning": "why, in a sentence", "tool_calls": [{"tool": "NAME", "parameters": {...}}], "question": null, \
"is_complete": false, "summary": null}
To ask the user, set "question". When the task is done, set "is_complete" to true and "summary" to the answer.
The tools, with the JSON Schema of their parameters:
"""


class _Tools(msgspec.Struct, frozen=True):
    """The tools of a request, encoded once for as long as they stay the same."""

    native: bytes
    as_text: str
    names: dict[str, str]


class OpenAICompatible:
    """Plans with a chat model over HTTP."""

    name = "openai_compatible"

    def __init__(self) -> None:
        self._settings = Settings()
        self._client = Client(self._settings)
        self._native = Transcript(native_tools=True)
        self._as_text = Transcript(native_tools=False)
        self._tools: tuple[bytes, _Tools] | None = None
        # What this provider turned out not to accept; learned from its refusals, once a process.
        self._has_native_tools = True
        self._has_stream_options = True
        self._has_temperature = True
        self._limit_name = "max_tokens"

    def configure(self, settings: Mapping[str, Any]) -> None:
        """Takes the settings; nothing is connected before the first request."""
        self._settings = read_settings(settings)
        self._client = Client(self._settings)
        self._has_native_tools = self._settings.supports_tools is not False

    async def plan(self, request: Conversation) -> AsyncIterator[str | AgentPlan | PlanReply]:
        """Streams the model's text, then yields its plan."""
        self._need_model()
        tools = self._encode_tools(request)
        answer = Answer(tools.names)
        async with aclosing(self._answered(answer, lambda: self._plan_body(request, tools))) as pieces:
            async for text in pieces:
                yield text
        if not answer.calls and not answer.text.strip():
            self._refuse_nothing(answer)
        usage = Usage(input_tokens=answer.input_tokens, output_tokens=answer.output_tokens)
        yield PlanReply(plan=plan_from_answer(answer, tools.names), usage=usage)

    async def complete(self, system: str, prompt: str) -> CompleteReply:
        """One text for another."""
        self._need_model()
        messages = [{"role": "system", "content": system}] if system else []
        encoded = _encode([*messages, {"role": "user", "content": prompt}])
        answer = Answer(())
        async for _ in self._answered(answer, lambda: self._body(encoded, b"")):
            pass
        usage = Usage(input_tokens=answer.input_tokens, output_tokens=answer.output_tokens)
        return CompleteReply(text=answer.text, usage=usage)

    async def embed(self, texts: list[str]) -> Embedding:
        """A vector for each text."""
        model = self._settings.embedding_model
        if not model:
            raise BadSettingsError(
                "Backend openai_compatible has no embedding model. "
                "Set one with `deputy config set backends.openai_compatible.embedding_model NAME`."
            )
        try:
            reply = await self._client.request("POST", "embeddings", _encode({"model": model, "input": texts}))
        except RefusedError as refused:
            raise refused.error from None
        return Embedding(model=model, vectors=_vectors_in(reply, len(texts), self._settings.host))

    async def models(self) -> list[str]:
        """What the provider has."""
        try:
            reply = await self._client.request("GET", "models")
        except RefusedError as refused:
            raise refused.error from None
        data = reply.get("data")
        entries = data if isinstance(data, list) else []
        return sorted(each["id"] for each in entries if isinstance(each, dict) and isinstance(each.get("id"), str))

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()

    def _need_model(self) -> None:
        if not self._settings.model:
            raise BadSettingsError(
                "Backend openai_compatible has no model. `deputy backends check` lists what there is; "
                "set one with `deputy config set backends.openai_compatible.model NAME`."
            )

    async def _answered(self, answer: Answer, make_body: Callable[[], bytes]) -> AsyncGenerator[str]:
        """Streams into `answer`; sends anew, changed, where the provider refuses a part that can be left out."""
        is_done = False
        while True:
            try:
                async with aclosing(self._client.stream("chat/completions", make_body())) as chunks:
                    async for chunk in chunks:
                        if chunk is None:
                            is_done = True
                        elif text := answer.take(chunk):
                            yield text
                break
            except RefusedError as refused:
                if answer.has_choice or not self._learn_from(refused.refusal.status, refused.refusal.words):
                    raise refused.error from None
        host, model = self._settings.host, self._settings.model
        if not is_done and not answer.finish_reason:
            raise NetworkError(
                f"Asked {host} for model {model!r}: the connection broke off in the middle of the answer. Try again; "
                "if it keeps happening, look at the provider's log or status page."
            )
        if not answer.has_choice:
            raise BadResponseError(
                f"Asked {host} for model {model!r}: its answer holds no choice. "
                "Check that `base_url` is the address of an OpenAI-compatible provider."
            )

    def _refuse_nothing(self, answer: Answer) -> NoReturn:
        """An empty answer is no final answer; asked again, most models say something."""
        why = "an empty answer came"
        if answer.finish_reason == "length":
            why = "the output limit was reached before the answer began; raise `max_output_tokens`"
        elif answer.finish_reason == "content_filter":
            why = "the provider's content filter held the answer back"
        raise BadResponseError(
            f"Asked {self._settings.host} for model {self._settings.model!r}: {why}. Try again or take another model."
        )

    def _plan_body(self, request: Conversation, tools: _Tools) -> bytes:
        if self._has_native_tools:
            messages = self._native.encode(f"{request.system}\n\n{RULE}", request.raw_messages)
            return self._body(messages, tools.native)
        system = f"{request.system}\n\n{RULE}\n\n{TEXT_TOOLS}{tools.as_text}"
        return self._body(self._as_text.encode(system, request.raw_messages), b"")

    def _body(self, messages: bytes, tools: bytes) -> bytes:
        """Put together from parts that are JSON already."""
        settings = self._settings
        head: dict[str, Any] = {"model": settings.model, "stream": True}
        if self._has_stream_options:
            head["stream_options"] = {"include_usage": True}
        if settings.temperature is not None and self._has_temperature:
            head["temperature"] = settings.temperature
        if settings.max_output_tokens is not None:
            head[self._limit_name] = settings.max_output_tokens
        parts = [_encode(head)[:-1], b',"messages":', messages]
        if tools:
            parts += [b',"tools":', tools]
        return b"".join([*parts, b"}"])

    def _encode_tools(self, request: Conversation) -> _Tools:
        key = bytes(request.raw_tools)
        if self._tools is None or self._tools[0] != key:
            self._tools = (key, _encode_tools(request.tools))
        return self._tools[1]

    def _learn_from(self, status: int, words: str) -> bool:
        """Whether the request is worth sending again without what was refused."""
        if status not in {400, 404, 422, 500, 501}:
            return False
        settings = self._settings
        if "stream_options" in words and self._has_stream_options:
            self._has_stream_options = False
        elif "max_completion_tokens" in words and self._limit_name == "max_tokens" and settings.max_output_tokens:
            self._limit_name = "max_completion_tokens"
        elif "temperature" in words and self._has_temperature and settings.temperature is not None:
            self._has_temperature = False
        elif settings.supports_tools == "auto" and self._has_native_tools and NO_TOOLS.search(words):
            self._has_native_tools = False
        else:
            return False
        return True


def create() -> Backend:
    """A backend that is not configured yet."""
    return OpenAICompatible()


def _encode_tools(tools: list[ToolSpec]) -> _Tools:
    names: dict[str, str] = {}
    native: list[dict[str, Any]] = []
    for tool in tools:
        wire = wire_name(tool.name)
        if wire not in names:
            names[wire] = tool.name
            function = {"name": wire, "description": tool.description, "parameters": tool.parameters}
            native.append({"type": "function", "function": function})
    if ASK_USER not in names:
        native.append(ASK_USER_TOOL)
    as_text = "\n".join(f"{tool.name}: {tool.description}\n{_encode(tool.parameters).decode()}" for tool in tools)
    return _Tools(_encode(native), as_text, names)


def _vectors_in(reply: dict[str, Any], expected: int, host: str) -> list[list[float]]:
    class Entry(msgspec.Struct):
        embedding: list[float]
        index: int = 0

    try:
        entries = sorted(msgspec.convert(reply.get("data"), list[Entry]), key=lambda each: each.index)
    except msgspec.ValidationError as error:
        raise BadResponseError(f"Asked {host} for embeddings: the answer cannot be used ({error}).") from None
    if len(entries) != expected or len({len(each.embedding) for each in entries}) > 1:
        raise BadResponseError(
            f"Asked {host} for {expected} embeddings: got {len(entries)}, or of different lengths. "
            "Choose another `embedding_model`."
        )
    return [each.embedding for each in entries]
