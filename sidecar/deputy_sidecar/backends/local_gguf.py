"""Runs a local model file with llama.cpp in this process: no server, no network, no key.

The first request imports the package `llama-cpp-python`, so that other users do not pay for it. A grammar constrains
the output, so every model's answer is a valid plan with the available tools.
"""

# /// deputy
# label = "Model file"
# summary = "A GGUF file that llama.cpp runs inside Deputy: no server and no network. Needs the package llama-cpp-python."
# settings = [
#   { name = "model", label = "Model", kind = "model", required = true, hint = "The path of a .gguf file." },
#   { name = "context_tokens", label = "Context, in tokens", kind = "number", default = 16384, hint = "At most what the model was trained for. More takes more memory.", advanced = true },
#   { name = "max_output_tokens", label = "Longest answer, in tokens", kind = "number", default = 2048, advanced = true },
#   { name = "threads", label = "Threads", kind = "number", hint = "Where it is not set: one for each core.", advanced = true },
#   { name = "gpu_layers", label = "Layers on the graphics card", kind = "number", default = 0, hint = "-1 for all; for builds of llama.cpp that can.", advanced = true },
#   { name = "temperature", label = "Temperature", kind = "number", default = 0.2, advanced = true },
# ]
# ///

from __future__ import annotations

import asyncio
import importlib
import os
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing, suppress
from threading import Event, Lock
from typing import Annotated, Any, ClassVar, Final

import msgspec

from deputy_sidecar.backend import AgentPlan, Backend, CompleteReply, Conversation, PlanReply, ToolSpec, Usage
from deputy_sidecar.chat_completions.dialect import ChatDialect
from deputy_sidecar.errors import (
    BadResponseError,
    BadSettingsError,
    ContextOverflowError,
    InternalError,
    ModelMissingError,
)
from deputy_sidecar.generated import messages as say
from deputy_sidecar.provider.circle import Circle
from deputy_sidecar.provider.plan import plan_from_text
from deputy_sidecar.provider.transcript import Transcript
from deputy_sidecar.untrusted import RULE

__all__ = ["LocalGguf", "create", "plan_schema"]

MAGIC: Final = b"GGUF"
# A part of llama.cpp's error message for a prompt that exceeds the context.
TOO_LONG: Final = "exceed context window"

# The maximum length of the thought before a plan, in characters.
MOST_REASONING_CHARS: Final = 200

HOW: Final = """\
You act by calling tools. Each answer is one JSON object: {"reasoning": "why, in a sentence", "tool_calls": \
[{"tool": "NAME", "parameters": {...}}]} to act, {"reasoning": "...", "question": "..."} to ask the user, or \
{"reasoning": "...", "is_complete": true, "summary": "the answer"} when the task is done.
The tools, with the JSON Schema of their parameters:
"""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of `backends.local_gguf` in config.toml."""

    backend: ClassVar[str] = "local_gguf"

    model: str = ""
    context_tokens: Annotated[int, msgspec.Meta(ge=512)] = 16_384
    max_output_tokens: Annotated[int, msgspec.Meta(ge=1)] = 2_048
    threads: Annotated[int, msgspec.Meta(ge=1)] | None = None
    gpu_layers: Annotated[int, msgspec.Meta(ge=-1)] = 0
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.2

    @property
    def path(self) -> str:
        """The path of the model file."""
        return os.path.expanduser(self.model)


class _Loaded:
    """The loaded model.

    Only one is loaded at a time, because a model takes gigabytes and produces one answer at a time.
    """

    def __init__(self) -> None:
        self.lock = Lock()
        self._key: tuple[object, ...] = ()
        self._model: Any = None

    def get(self, settings: Settings) -> Any:
        """Returns the model for these settings. The caller must hold the lock."""
        key = (settings.path, os.stat(settings.path).st_mtime_ns, settings.context_tokens, settings.threads)
        if self._model is None or self._key != (*key, settings.gpu_layers):
            # Frees the previous model first, to make room.
            self._model, self._key = None, ()
            self._model = _load(settings)
            self._key = (*key, settings.gpu_layers)
        return self._model


_loaded: Final = _Loaded()


def _package() -> Any:
    try:
        return importlib.import_module("llama_cpp")
    except (ImportError, OSError) as error:
        raise ModelMissingError(say.gguf_package_missing(error=error)) from None


def _load(settings: Settings) -> Any:
    package = _package()
    try:
        return package.Llama(
            model_path=settings.path,
            n_ctx=settings.context_tokens,
            n_threads=settings.threads or os.cpu_count() or 1,
            n_gpu_layers=settings.gpu_layers,
            verbose=False,
        )
    except (ValueError, OSError, RuntimeError) as error:
        raise BadSettingsError(say.gguf_not_loaded(path=settings.path, error=error)) from None


class LocalGguf:
    """Makes plans with a local model file."""

    name = "local_gguf"

    def __init__(self) -> None:
        self.settings = Settings()
        self._transcript = Transcript(ChatDialect(native_tools=False))
        self._schemas: tuple[bytes, str] | None = None

    def configure(self, settings: Mapping[str, Any]) -> None:
        """Takes the settings. Checks the file; the first request loads it."""
        own = {name: value for name, value in settings.items() if name not in {"api_key", "api_key_env"}}
        try:
            checked = msgspec.convert(own, Settings, strict=False)
        except msgspec.ValidationError as error:
            raise BadSettingsError(say.setting_is_wrong(backend=self.name, error=error)) from None
        try:
            with open(checked.path, "rb") as file:
                is_model = file.read(len(MAGIC)) == MAGIC
        except OSError as error:
            raise BadSettingsError(say.gguf_not_read(path=checked.path, error=error.strerror)) from None
        if not is_model:
            raise BadSettingsError(say.gguf_is_none(path=checked.path))
        self.settings = checked

    async def plan(self, request: Conversation) -> AsyncGenerator[str | AgentPlan | PlanReply]:
        """Streams the plan's JSON as it is generated, then yields the plan."""
        tools = "\n".join(
            f"{tool.name}: {tool.description}\n{msgspec.json.encode(tool.parameters).decode()}"
            for tool in request.tools
        )
        system = f"{request.system}\n\n{RULE}\n\n{HOW}{tools}"
        encoded = self._transcript.encode(system, request.raw_messages, request.earlier)
        said: list[str] = []
        usage = Usage()
        async with aclosing(self._answered(msgspec.json.decode(encoded), self._schema(request))) as pieces:
            async for piece in pieces:
                if isinstance(piece, Usage):
                    usage = piece
                else:
                    said.append(piece)
                    yield piece
        if usage.output_tokens >= self.settings.max_output_tokens:
            raise BadResponseError(say.gguf_cut_off(path=self.settings.path))
        names = {tool.name: tool.name for tool in request.tools}
        plan = plan_from_text("".join(said), "", names, is_cut_off=False)
        if not plan.tool_calls and not plan.question and not (plan.summary or "").strip():
            raise BadResponseError(say.gguf_empty(path=self.settings.path))
        yield PlanReply(plan=plan, usage=usage)

    async def complete(self, system: str, prompt: str) -> CompleteReply:
        """Completes a single prompt."""
        messages = [{"role": "system", "content": system}] if system else []
        said: list[str] = []
        usage = Usage()
        async with aclosing(self._answered([*messages, {"role": "user", "content": prompt}], None)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Usage):
                    usage = piece
                else:
                    said.append(piece)
        return CompleteReply(text="".join(said), usage=usage)

    async def models(self) -> list[str]:
        """The configured file."""
        return [self.settings.path]

    def _schema(self, request: Conversation) -> str:
        key = bytes(request.raw_tools)
        if self._schemas is None or self._schemas[0] != key:
            self._schemas = (key, msgspec.json.encode(plan_schema(request.tools)).decode())
        return self._schemas[1]

    async def _answered(self, messages: list[Any], schema: str | None) -> AsyncGenerator[str | Usage]:
        """Yields the pieces of an answer, and finally its usage.

        A thread generates them, and stops when the consumer does.
        """
        loop = asyncio.get_running_loop()
        pieces: asyncio.Queue[str | Usage | None] = asyncio.Queue()
        stopped = Event()

        def hand_over(piece: str | Usage | None) -> None:
            # The loop may be closed when the process ends.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(pieces.put_nowait, piece)

        def work() -> None:
            try:
                self._generate(messages, schema, stopped, hand_over)
            finally:
                hand_over(None)

        working = loop.run_in_executor(None, work)
        circle = Circle()
        try:
            while (piece := await pieces.get()) is not None:
                yield piece
                if isinstance(piece, str) and circle.closes(piece):
                    raise BadResponseError(say.gguf_in_circles(path=self.settings.path))
            await working
        finally:
            stopped.set()

    def _generate(
        self,
        messages: list[Any],
        schema: str | None,
        stopped: Event,
        hand_over: Callable[[str | Usage | None], None],
    ) -> None:
        with _loaded.lock:
            if stopped.is_set():
                return
            model = _loaded.get(self.settings)
            output = 0
            try:
                for text in self._chunks(model, messages, schema):
                    if stopped.is_set():
                        return
                    output += 1
                    hand_over(text)
            except ValueError as error:
                if TOO_LONG not in str(error):
                    raise InternalError(say.gguf_failed(error=error)) from None
                raise ContextOverflowError(say.gguf_too_long(path=self.settings.path, error=error)) from None
            hand_over(Usage(input_tokens=max(0, int(model.n_tokens) - output), output_tokens=output))

    def _chunks(self, model: Any, messages: list[Any], schema: str | None) -> Iterator[str]:
        grammar = None if schema is None else _package().LlamaGrammar.from_json_schema(schema, verbose=False)
        answer = model.create_chat_completion(
            messages=messages,
            stream=True,
            grammar=grammar,
            max_tokens=self.settings.max_output_tokens,
            temperature=self.settings.temperature,
        )
        for chunk in answer:
            text = chunk["choices"][0]["delta"].get("content")
            if text:
                yield text


def plan_schema(tools: list[ToolSpec]) -> dict[str, Any]:
    """The JSON schema of a plan: calls of these tools, a question, or the end."""
    # Small models would not stop on their own.
    reasoning = {"reasoning": {"type": "string", "maxLength": MOST_REASONING_CHARS}}

    def one_of(**more: Any) -> dict[str, Any]:
        properties = {**reasoning, **more}
        return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}

    forms = [one_of(question={"type": "string"}), one_of(is_complete={"const": True}, summary={"type": "string"})]
    if tools:
        calls = [
            {
                "type": "object",
                "properties": {"tool": {"const": tool.name}, "parameters": _grammatical(tool.parameters)},
                "required": ["tool", "parameters"],
                "additionalProperties": False,
            }
            for tool in tools
        ]
        forms.insert(0, one_of(tool_calls={"type": "array", "items": {"anyOf": calls}, "minItems": 1, "maxItems": 8}))
    return {"anyOf": forms}


def _grammatical(schema: Any) -> Any:
    """Returns a schema without parts that grammars do not support.

    Bounds of numbers are removed because they make grammars huge.
    """
    if isinstance(schema, list):
        return [_grammatical(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == "object" and "properties" not in schema:
        return {"type": "object"}
    kept = {name: value for name, value in schema.items() if name in {"type", "enum", "const", "required", "items"}}
    if isinstance(properties := schema.get("properties"), dict):
        kept["properties"] = {name: _grammatical(value) for name, value in properties.items()}
        kept["additionalProperties"] = False
    if "items" in kept:
        kept["items"] = _grammatical(kept["items"])
    return kept


def create() -> Backend:
    """Returns a backend that is not configured yet."""
    return LocalGguf()
