"""OpenAI's models through the Responses API or chat completions, at OpenAI or Azure."""

# /// deputy
# label = "OpenAI"
# summary = "Models from OpenAI, also on Azure."
# takes_key = true
# probe = "models"
# usual_keys = [{ host = "api.openai.com", variable = "OPENAI_API_KEY" }]
# settings = [
#   { name = "base_url", label = "Address", kind = "address", default = "https://api.openai.com/v1", hint = "On Azure: https://NAME.openai.azure.com/openai/v1" },
#   { name = "model", label = "Model", kind = "model", required = true, hint = "On Azure: the name of the deployment." },
#   { name = "api", label = "Interface", kind = "choice", choices = ["responses", "chat_completions"], default = "responses", advanced = true },
#   { name = "service", label = "Whose service", kind = "choice", choices = ["auto", "openai", "azure"], default = "auto", hint = "Auto tells by the address.", advanced = true },
#   { name = "api_version", label = "Version of Azure's interface", kind = "text", hint = "Only for addresses that do not end in /openai/v1, such as 2024-10-21.", advanced = true },
#   { name = "reasoning_effort", label = "How much it thinks", kind = "choice", choices = ["default", "none", "minimal", "low", "medium", "high"], default = "default" },
#   { name = "pictures", label = "Takes pictures", kind = "switch", default = true, advanced = true },
#   { name = "max_output_tokens", label = "Longest answer, in tokens", kind = "number", advanced = true },
#   { name = "temperature", label = "Temperature", kind = "number", advanced = true },
#   { name = "supports_tools", label = "Calls tools itself", kind = "choice", choices = ["auto", "true", "false"], default = "auto", advanced = true },
#   { name = "embedding_model", label = "Model for embeddings", kind = "model", advanced = true },
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

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal
from urllib.parse import quote

from deputy_sidecar.backend import Backend, ToolCall, ToolMessage
from deputy_sidecar.chat_completions.backend import ChatBackend, ChatSettings, names_in
from deputy_sidecar.models import MessagePicture, Usage
from deputy_sidecar.provider.answer import Answer, NativeCall, tokens
from deputy_sidecar.provider.client import preload
from deputy_sidecar.provider.failures import Refusal
from deputy_sidecar.provider.settings import read_settings
from deputy_sidecar.provider.transcript import NO_RESULT, Dialect, encode, wire_call_id, wire_name

__all__ = ["ChatOpenAI", "Responses", "create", "preload"]

AZURE = (".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com")


class Settings(ChatSettings, frozen=True):
    """The settings of `backends.openai` in config.toml, and the key."""

    backend: ClassVar[str] = "openai"

    base_url: str = "https://api.openai.com/v1"
    pictures: bool = True
    api: Literal["responses", "chat_completions"] = "responses"
    service: Literal["auto", "openai", "azure"] = "auto"
    api_version: str = ""
    reasoning_effort: Literal["default", "none", "minimal", "low", "medium", "high"] = "default"

    @property
    def is_azure(self) -> bool:
        """Whether the service is Azure, which uses another header for the key and the user's own names for models."""
        return self.service == "azure" or (self.service == "auto" and self.host.endswith(AZURE))

    def key_headers(self) -> dict[str, str]:
        """The headers with the key, in the service's form."""
        return {"api-key": self.api_key} if self.is_azure and self.api_key else super().key_headers()

    def below(self, path: str) -> str:
        """Adds the version that Azure requires to a path. Azure's older form has the deployment in the address."""
        if not self.api_version:
            return path
        if path in {"chat/completions", "embeddings"}:
            model = self.embedding_model if path == "embeddings" else self.model
            path = f"deployments/{quote(model, safe='')}/{path}"
        return f"{path}?api-version={quote(self.api_version, safe='')}"


class ChatOpenAI(ChatBackend[Settings]):
    """Makes plans through chat completions."""

    name = "openai"
    settings_kind = Settings

    def path(self) -> str:
        """The path for plans at the service."""
        return self.settings.below("chat/completions")

    def embeddings_path(self) -> str:
        """The path for embeddings at the service."""
        return self.settings.below("embeddings")

    def body(self, system: str, messages: bytes, tools: bytes) -> bytes:
        """The request, with the reasoning effort."""
        body = super().body(system, messages, tools)
        effort = self.settings.reasoning_effort
        return body if effort == "default" else body[:-1] + b',"reasoning_effort":' + encode(effort) + b"}"

    async def models(self) -> list[str]:
        """The provider's models."""
        return await _models(self)


class _Answer(Answer):
    """An answer as output items. The last event repeats all of them."""

    ENDS: ClassVar[frozenset[str]] = frozenset({"completed"})

    def __init__(self) -> None:
        super().__init__()
        self._calls: dict[int, NativeCall] = {}
        self._thoughts: list[dict[str, Any]] = []

    def take(self, chunk: dict[str, Any]) -> str:
        kind = chunk.get("type")
        if kind == "response.output_text.delta" or kind == "response.refusal.delta":
            return self.say(_text(chunk.get("delta")))
        if kind == "response.reasoning_summary_text.delta" or kind == "response.reasoning_text.delta":
            return self.think(_text(chunk.get("delta")))
        if kind == "response.output_item.added":
            self._begin(chunk.get("output_index"), _object(chunk.get("item")))
        elif kind == "response.function_call_arguments.delta":
            call = self._calls.get(_index(chunk))
            if call is not None:
                call.arguments += _text(chunk.get("delta"))
        elif kind == "response.output_item.done":
            self._finish(_index(chunk), _object(chunk.get("item")))
        elif kind in {"response.completed", "response.incomplete"}:
            self._end(_object(chunk.get("response")))
        elif chunk.get("object") == "response":
            return self._take_whole(chunk)
        self.has_begun = self.has_begun or str(kind).startswith("response.")
        return ""

    def error_in(self, chunk: dict[str, Any]) -> object:
        """Returns an error from its own event, or from a failed response."""
        if chunk.get("type") == "error":
            return chunk.get("error") or {"code": chunk.get("code"), "message": chunk.get("message")}
        if chunk.get("type") == "response.failed":
            return _object(chunk.get("response")).get("error") or {"message": "the response failed"}
        return chunk.get("error")

    def state(self) -> object:
        """The thoughts, encrypted by the provider.

        The provider requires them back before the calls that they led to.
        """
        return self._thoughts if self._thoughts and self.calls else None

    def _begin(self, index: object, item: dict[str, Any]) -> None:
        if item.get("type") == "function_call" and isinstance(index, int):
            call = NativeCall(index, _text(item.get("call_id")), _text(item.get("name")))
            self._calls[index] = call
            self.calls.append(call)

    def _finish(self, index: int, item: dict[str, Any]) -> None:
        """Takes a whole item. Its arguments override the streamed ones."""
        if item.get("type") == "function_call":
            if index not in self._calls:
                self._begin(index, item)
            self._calls[index].arguments = _text(item.get("arguments")) or self._calls[index].arguments
        elif item.get("type") == "reasoning" and item.get("encrypted_content"):
            kept = ("type", "id", "summary", "encrypted_content")
            self._thoughts.append({key: item[key] for key in kept if key in item})

    def _end(self, response: dict[str, Any]) -> None:
        self.is_done = True
        reason = _object(response.get("incomplete_details")).get("reason")
        self.finish_reason = {"max_output_tokens": "length"}.get(_text(reason), _text(reason))
        if response.get("status") == "completed":
            self.finish_reason = "completed"
        usage = _object(response.get("usage"))
        self.usage = Usage(
            input_tokens=tokens(usage.get("input_tokens")),
            output_tokens=tokens(usage.get("output_tokens")),
            cached_tokens=tokens(_object(usage.get("input_tokens_details")).get("cached_tokens")),
            reasoning_tokens=tokens(_object(usage.get("output_tokens_details")).get("reasoning_tokens")),
        )

    def _take_whole(self, response: dict[str, Any]) -> str:
        """Adds an answer that was not streamed."""
        self.has_begun = True
        said = ""
        output = response.get("output")
        for index, each in enumerate(output if isinstance(output, list) else []):
            item = _object(each)
            self._finish(index, item)
            content = item.get("content")
            if item.get("type") == "message" and isinstance(content, list):
                parts = [_object(part) for part in content]
                said += "".join(self.say(_text(part.get("text")) or _text(part.get("refusal"))) for part in parts)
        self._end(response)
        return said


class _Dialect(Dialect):
    """Input items: messages, thoughts, calls and their outputs, in order."""

    pictures_in_results = True

    def user(self, text: str, pictures: Sequence[MessagePicture] = ()) -> bytes:
        content = [{"type": "input_text", "text": text}, *map(_picture, pictures)]
        return encode({"role": "user", "content": content if pictures else text})

    def assistant(self, text: str, calls: Sequence[ToolCall], state: Any) -> bytes:
        items = list(state) if isinstance(state, list) else []
        if text.strip():
            items.append({"role": "assistant", "content": text})
        for call in calls:
            arguments = encode(call.parameters).decode()
            items.append(
                {
                    "type": "function_call",
                    "call_id": wire_call_id(call.id),
                    "name": wire_name(call.tool),
                    "arguments": arguments,
                }
            )
        return b",".join(map(encode, items))

    def result(self, call_id: str, message: ToolMessage, content: str) -> bytes:
        shown = [_picture(each) for each in message.pictures if each.base64]
        output = [{"type": "input_text", "text": content}, *shown] if shown else content
        return encode({"type": "function_call_output", "call_id": call_id, "output": output})

    def no_result(self, call_id: str, tool: str) -> bytes:
        return encode({"type": "function_call_output", "call_id": call_id, "output": NO_RESULT})


class Responses(ChatOpenAI):
    """Makes plans through the Responses API.

    Nothing is stored at the provider: each request contains the whole conversation.
    """

    dialect_kind = _Dialect

    def _take_settings(self, settings: Any) -> None:
        super()._take_settings(settings)
        # Learned from refusals, once per process: models that do not think refuse parameters about thinking.
        self._thinks = True

    def path(self) -> str:
        """The path at the service."""
        return self.settings.below("responses")

    def answer(self, names: Mapping[str, str]) -> Answer:  # type: ignore[override]
        """A new, empty answer."""
        return _Answer()

    def tools(self, specs: list[tuple[str, str, Any]]) -> bytes:
        """The tools, not in strict mode, because schemas of external tools do not meet its rules."""
        return encode(
            [
                {"type": "function", "name": name, "description": words, "parameters": schema, "strict": False}
                for name, words, schema in specs
            ]
        )

    def body(self, system: str, messages: bytes, tools: bytes) -> bytes:
        """The request: instructions, tools, input."""
        settings = self.settings
        head: dict[str, Any] = {"model": settings.model, "stream": True, "store": False}
        if system:
            head["instructions"] = system
        if self._thinks:
            head["include"] = ["reasoning.encrypted_content"]
            head["reasoning"] = {"summary": "auto"}
            if settings.reasoning_effort != "default":
                head["reasoning"]["effort"] = settings.reasoning_effort
        if settings.temperature is not None and self._has_temperature:
            head["temperature"] = settings.temperature
        if settings.max_output_tokens is not None:
            head["max_output_tokens"] = settings.max_output_tokens
        parts = [encode(head)[:-1]]
        if tools:
            parts += [b',"tools":', tools]
        return b"".join([*parts, b',"input":', messages, b"}"])

    def learn_from(self, refusal: Refusal) -> bool:
        """Drops the thoughts if the model does not support them."""
        words = refusal.words
        if refusal.status == 400 and self._thinks and ("reasoning" in words or "encrypted_content" in words):
            self._thinks = False
            return True
        return super().learn_from(refusal)


class _OpenAI:
    """The backend before its settings choose the API."""

    name = "openai"

    def __init__(self) -> None:
        self._inner: ChatOpenAI = Responses()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def configure(self, settings: Mapping[str, Any]) -> None:
        """Takes the settings and chooses the API."""
        if read_settings(Settings, settings).api == "chat_completions":
            self._inner = ChatOpenAI()
        self._inner.configure(settings)

    def plan(self, request: Any) -> Any:
        """Makes a plan through the chosen API."""
        return self._inner.plan(request)


def create() -> Backend:
    """Returns a backend that is not configured yet."""
    return _OpenAI()


async def _models(backend: ChatOpenAI) -> list[str]:
    return names_in((await backend.ask("GET", backend.settings.below("models"))).get("data"), "id")


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _index(chunk: dict[str, Any]) -> int:
    index = chunk.get("output_index")
    return index if isinstance(index, int) else -1


def _picture(picture: MessagePicture) -> dict[str, Any]:
    return {
        "type": "input_image",
        "image_url": f"data:{picture.media_type};base64,{picture.base64}",
        "detail": "auto",
    }
