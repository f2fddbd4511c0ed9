"""Gemini models through Google's API. Thought signatures are kept between steps."""

# /// deputy
# label = "Google Gemini"
# summary = "Gemini models from Google."
# takes_key = true
# probe = "models"
# usual_keys = [{ host = "generativelanguage.googleapis.com", variable = "GEMINI_API_KEY" }]
# settings = [
#   { name = "base_url", label = "Address", kind = "address", default = "https://generativelanguage.googleapis.com/v1beta", advanced = true },
#   { name = "model", label = "Model", kind = "model", required = true },
#   { name = "thinking_level", label = "How much it thinks", kind = "choice", choices = ["default", "minimal", "low", "medium", "high"], default = "default" },
#   { name = "pictures", label = "Takes pictures", kind = "switch", default = true, advanced = true },
#   { name = "max_output_tokens", label = "Longest answer, in tokens", kind = "number", advanced = true },
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

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Literal
from urllib.parse import quote

from deputy_sidecar.backend import Backend, ToolCall, ToolMessage
from deputy_sidecar.chat_completions.backend import names_in
from deputy_sidecar.models import MessagePicture, Usage
from deputy_sidecar.provider.answer import Answer, NativeCall, tokens
from deputy_sidecar.provider.client import preload
from deputy_sidecar.provider.failures import Refusal
from deputy_sidecar.provider.http_backend import HttpBackend
from deputy_sidecar.provider.plan import ASK_USER
from deputy_sidecar.provider.settings import ProviderSettings
from deputy_sidecar.provider.transcript import NO_RESULT, Dialect, encode, wire_name

__all__ = ["Gemini", "create", "preload"]

# The provider accepts this instead of a signature for calls that another model made.
NO_SIGNATURE: Final = "skip_thought_signature_validator"
HELD_BACK: Final = frozenset({"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR"})
MOST_PAGES: Final = 20


class Settings(ProviderSettings, frozen=True):
    """The settings of `backends.gemini` in config.toml, and the key."""

    backend: ClassVar[str] = "gemini"

    base_url: str = "https://generativelanguage.googleapis.com/v1beta"
    pictures: bool = True
    thinking_level: Literal["default", "minimal", "low", "medium", "high"] = "default"

    def key_headers(self) -> dict[str, str]:
        """The headers with the key. In the address, it would end up in logs."""
        return {"x-goog-api-key": self.api_key} if self.api_key else {}


class _Answer(Answer):
    """An answer as parts, including whole calls. A thought's signature is on the part that it led to."""

    ENDS: ClassVar[frozenset[str]] = frozenset({"stop"})

    def __init__(self) -> None:
        super().__init__()
        self._signatures: dict[int, str] = {}
        self._signature_of_text = ""

    def take(self, chunk: dict[str, Any]) -> str:
        self._count(chunk.get("usageMetadata"))
        blocked = _object(chunk.get("promptFeedback")).get("blockReason")
        if blocked:
            self.has_begun = self.is_done = True
            self.finish_reason = "content_filter"
        candidates = chunk.get("candidates")
        if not isinstance(candidates, list) or not candidates:
            return ""
        self.has_begun = True
        candidate = _object(candidates[0])
        parts = _object(candidate.get("content")).get("parts")
        said = "".join(self._part(_object(part)) for part in parts) if isinstance(parts, list) else ""
        reason = candidate.get("finishReason")
        if isinstance(reason, str) and reason:
            self.is_done = True
            self.finish_reason = "length" if reason == "MAX_TOKENS" else reason
            if reason in HELD_BACK:
                self.finish_reason = "content_filter"
        return said

    def state(self) -> object:
        """The signatures, by the index of their call. A question to the user is not among the calls of the plan."""
        if not self._signatures and not self._signature_of_text:
            return None
        made = (index for index, call in enumerate(self.calls) if call.name != ASK_USER)
        calls = [self._signatures.get(index, "") for index in made]
        return {"calls": calls, "text": self._signature_of_text}

    def _part(self, part: dict[str, Any]) -> str:
        signature = part.get("thoughtSignature")
        call = part.get("functionCall")
        if isinstance(call, dict):
            if isinstance(signature, str):
                self._signatures[len(self.calls)] = signature
            native = NativeCall(len(self.calls), str(call.get("id") or ""), str(call.get("name") or ""))
            arguments = call.get("args")
            native.arguments_object = arguments if isinstance(arguments, dict) else {}
            self.calls.append(native)
            return ""
        if isinstance(signature, str):
            self._signature_of_text = signature
        text = part.get("text")
        if not isinstance(text, str):
            return ""
        return self.think(text) if part.get("thought") is True else self.say(text)

    def _count(self, usage: object) -> None:
        if not isinstance(usage, dict):
            return
        thought = tokens(usage.get("thoughtsTokenCount"))
        self.usage = Usage(
            input_tokens=tokens(usage.get("promptTokenCount"), self.usage.input_tokens),
            # The provider counts thoughts separately from the answer.
            output_tokens=tokens(usage.get("candidatesTokenCount")) + thought,
            cached_tokens=tokens(usage.get("cachedContentTokenCount")),
            reasoning_tokens=thought,
        )


class _Dialect(Dialect):
    """Contents as lists of parts. All results of a turn form a single content of the user."""

    pictures_in_results = True

    def user(self, text: str, pictures: Sequence[MessagePicture] = ()) -> bytes:
        return encode({"role": "user", "parts": [{"text": text}, *map(_picture, pictures)]})

    def assistant(self, text: str, calls: Sequence[ToolCall], state: Any) -> bytes:
        signed = _object(state)
        signatures = signed.get("calls")
        parts: list[dict[str, Any]] = []
        if text.strip():
            part = {"text": text}
            if signed.get("text"):
                part["thoughtSignature"] = signed["text"]
            parts.append(part)
        for index, call in enumerate(calls):
            arguments = call.parameters if isinstance(call.parameters, dict) else {}
            part_of_call: dict[str, Any] = {"functionCall": {"name": wire_name(call.tool), "args": arguments}}
            signature = ""
            if isinstance(signatures, list) and index < len(signatures):
                signature = signatures[index]
            if not signature and index == 0:
                # Only the first call of a turn needs a signature. It can have been that of a question to the user.
                signature = NO_SIGNATURE
            if signature:
                part_of_call["thoughtSignature"] = signature
            parts.append(part_of_call)
        return encode({"role": "model", "parts": parts})

    def result(self, call_id: str, message: ToolMessage, content: str) -> bytes:
        key = "output" if message.ok else "error"
        response = {"name": wire_name(message.tool), "response": {key: content}}
        shown = [_picture(each) for each in message.pictures if each.base64]
        return b",".join(map(encode, [{"functionResponse": response}, *shown]))

    def no_result(self, call_id: str, tool: str) -> bytes:
        return encode({"functionResponse": {"name": tool, "response": {"error": NO_RESULT}}})

    def results(self, parts: Sequence[bytes]) -> bytes:
        return b'{"role":"user","parts":[' + b",".join(parts) + b"]}"


class Gemini(HttpBackend[Settings]):
    """Makes plans with Gemini."""

    name = "gemini"
    settings_kind = Settings
    dialect_kind = _Dialect

    def _take_settings(self, settings: Any) -> None:
        super()._take_settings(settings)
        # Learned from refusals, once per process.
        self._thinks = True

    def path(self) -> str:
        """The path, which includes the model."""
        model = self.settings.model.removeprefix("models/")
        return f"models/{quote(model, safe='')}:streamGenerateContent?alt=sse"

    def answer(self, names: Mapping[str, str]) -> Answer:
        """A new, empty answer."""
        return _Answer()

    def tools(self, specs: list[tuple[str, str, Any]]) -> bytes:
        """The tools with their JSON Schema, under this provider's name for it."""
        functions = [
            {"name": name, "description": words, "parametersJsonSchema": schema} for name, words, schema in specs
        ]
        return encode([{"functionDeclarations": functions}])

    def body(self, system: str, messages: bytes, tools: bytes) -> bytes:
        """The request: instructions, tools, contents."""
        settings = self.settings
        limits: dict[str, Any] = {}
        if settings.temperature is not None:
            limits["temperature"] = settings.temperature
        if settings.max_output_tokens is not None:
            limits["maxOutputTokens"] = settings.max_output_tokens
        if self._thinks:
            limits["thinkingConfig"] = {"includeThoughts": True}
            if settings.thinking_level != "default":
                limits["thinkingConfig"]["thinkingLevel"] = settings.thinking_level.upper()
        head: dict[str, Any] = {"generationConfig": limits}
        if system:
            head["systemInstruction"] = {"parts": [{"text": system}]}
        parts = [encode(head)[:-1]]
        if tools:
            parts += [b',"tools":', tools]
        return b"".join([*parts, b',"contents":', messages, b"}"])

    def learn_from(self, refusal: Refusal) -> bool:
        """Stops asking for thoughts. Models before 2.5 do not think, and refuse the request."""
        if refusal.status == 400 and "thinking" in refusal.words.lower() and self._thinks:
            self._thinks = False
            return True
        return False

    async def models(self) -> list[str]:
        """The provider's models that can generate text."""
        found: list[str] = []
        page = ""
        for _ in range(MOST_PAGES):
            reply = await self.ask("GET", f"models?pageSize=1000{page}")
            entries = reply.get("models")
            able = [each for each in entries if _can_answer(each)] if isinstance(entries, list) else []
            found += [name.removeprefix("models/") for name in names_in(able, "name")]
            token = reply.get("nextPageToken")
            if not isinstance(token, str) or not token:
                break
            page = f"&pageToken={quote(token, safe='')}"
        return sorted(found)


def create() -> Backend:
    """Returns a backend that is not configured yet."""
    return Gemini()


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _can_answer(model: object) -> bool:
    methods = _object(model).get("supportedGenerationMethods")
    return not isinstance(methods, list) or "generateContent" in methods


def _picture(picture: MessagePicture) -> dict[str, Any]:
    return {"inlineData": {"mimeType": picture.media_type, "data": picture.base64}}
