"""Anthropic's Messages API."""

import json
from collections.abc import Sequence
from typing import Any, ClassVar

from deputy_sidecar.backends import anthropic
from support.dialects.double import USED, Double, Said, arguments_text
from support.model_server import Request, Responder, raw, stream


class Claude(Double):
    name = "anthropic"
    module = anthropic
    more_settings: ClassVar[dict[str, Any]] = {"thinking": "adaptive"}
    keeps_thoughts = True

    def respond(self, chunks: list[Any]) -> Responder:
        return stream(*map(_event, chunks), done=False)

    def half(self, chunks: list[Any]) -> Responder:
        content = b"\n\n".join([*map(_event, chunks), b""])
        return raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" + content)

    def first_text(self) -> int:
        return 3

    def chunks(self, text: str, thought: str, calls: Sequence[tuple[str, Any]], finish: str) -> list[Any]:
        counted = {
            "input_tokens": USED["input"] - USED["cached"] - 5,
            "cache_read_input_tokens": USED["cached"],
            "cache_creation_input_tokens": 5,
            "output_tokens": 1,
        }
        message: dict[str, Any] = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "test-model",
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": counted,
        }
        events: list[Any] = [{"type": "message_start", "message": message}, {"type": "ping"}]
        index = 0

        def block(start: dict[str, Any], *deltas: dict[str, Any]) -> None:
            nonlocal index
            events.append({"type": "content_block_start", "index": index, "content_block": start})
            events.extend({"type": "content_block_delta", "index": index, "delta": each} for each in deltas)
            events.append({"type": "content_block_stop", "index": index})
            index += 1

        if thought:
            block(
                {"type": "thinking", "thinking": "", "signature": ""},
                {"type": "thinking_delta", "thinking": thought},
                {"type": "signature_delta", "signature": "c2lnbmVk"},
            )
        if text:
            pieces = ({"type": "text_delta", "text": each} for each in (text[:2], text[2:]))
            block({"type": "text", "text": ""}, *pieces)
        for number, (tool, arguments) in enumerate(calls):
            written = arguments_text(arguments)
            halves = (written[:3], written[3:])
            start = {"type": "tool_use", "id": f"toolu_{number}", "name": tool, "input": {}}
            block(start, *({"type": "input_json_delta", "partial_json": each} for each in halves))
        reason = "max_tokens" if finish == "length" else "tool_use" if calls else "end_turn"
        details = {"output_tokens": USED["output"], "output_tokens_details": {"thinking_tokens": USED["thought"]}}
        events.append(
            {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": details}
        )
        events.append({"type": "message_stop"})
        return events

    def refusals(self) -> dict[str, tuple[int, Any]]:
        def said(kind: str, message: str) -> dict[str, Any]:
            return {"type": "error", "error": {"type": kind, "message": message}}

        return {
            "auth": (401, said("authentication_error", "invalid x-api-key")),
            "rate_limited": (429, said("rate_limit_error", "This request would exceed your rate limit")),
            "context_overflow": (
                400,
                said("invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"),
            ),
            "model_missing": (404, said("not_found_error", "model: test-model")),
            "overloaded": (529, said("overloaded_error", "Overloaded")),
        }

    def system(self, request: Request) -> str:
        return str(request.body["system"][0]["text"])

    def said(self, request: Request) -> list[Said]:
        return [self._said(each) for each in request.body["messages"]]

    def _said(self, message: Any) -> Said:
        content = message["content"]
        texts = [each["text"] for each in content if each["type"] == "text"]
        calls = tuple((each["name"], json.dumps(each["input"])) for each in content if each["type"] == "tool_use")
        thoughts = tuple(each for each in content if each["type"] == "thinking")
        results = [each for each in content if each["type"] == "tool_result"]
        pictures = [each for each in content if each["type"] == "image"]
        words: list[str] = []
        for each in results:
            inner = each["content"]
            words.append(inner if isinstance(inner, str) else inner[0]["text"])
            pictures += [] if isinstance(inner, str) else inner[1:]
        shown = tuple(each["source"]["data"] for each in pictures)
        role = "results" if results else message["role"]
        return Said(role, "".join(texts), calls, tuple(words), shown, thoughts)

    def tools(self, request: Request) -> dict[str, Any]:
        return {each["name"]: each["input_schema"] for each in request.body["tools"]}


def _event(chunk: Any) -> bytes:
    """The provider names its events, and its own package reads the names."""
    return f"event: {chunk['type']}\ndata: {json.dumps(chunk)}".encode()
