"""Ollama's own interface."""

import json
from collections.abc import Sequence
from typing import Any, ClassVar

from deputy_sidecar.backends import ollama
from support.dialects.double import USED, Double, Said
from support.model_server import Request, Responder, raw


class LocalOllama(Double):
    name = "ollama"
    module = ollama
    more_settings: ClassVar[dict[str, Any]] = {"context_tokens": 8192}
    counts_cached = counts_thought = False

    def chunks(self, text: str, thought: str, calls: Sequence[tuple[str, Any]], finish: str) -> list[Any]:
        def chunk(**message: Any) -> dict[str, Any]:
            base = {"model": "test-model", "created_at": "2026-01-01T00:00:00Z", "done": False}
            return {**base, "message": {"role": "assistant", "content": "", **message}}

        found = [chunk(thinking=thought)] if thought else []
        found += [chunk(content=piece) for piece in (text[:2], text[2:]) if piece]
        found += [chunk(tool_calls=[{"function": {"name": tool, "arguments": arguments}}]) for tool, arguments in calls]
        end = {"done": True, "done_reason": finish, "prompt_eval_count": USED["input"], "eval_count": USED["output"]}
        return [*found, {**chunk(), **end}]

    def respond(self, chunks: list[Any]) -> Responder:
        content = b"".join(json.dumps(chunk).encode() + b"\n" for chunk in chunks)

        def respond(connection: Any, request: Request) -> None:
            start = f"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: {len(content)}\r\n\r\n"
            connection.sendall(start.encode() + content)

        return respond

    def half(self, chunks: list[Any]) -> Responder:
        content = b"".join(json.dumps(chunk).encode() + b"\n" for chunk in chunks)
        return raw(b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n" + content)

    def refusals(self) -> dict[str, tuple[int, Any]]:
        return {
            "auth": (401, {"error": "unauthorized"}),
            "rate_limited": (429, {"error": "too many concurrent requests"}),
            "context_overflow": (400, {"error": "the input length exceeds the context length"}),
            "model_missing": (404, {"error": "model 'test-model' not found"}),
            "overloaded": (503, {"error": "server busy, please try again.  maximum pending requests exceeded"}),
        }

    def system(self, request: Request) -> str:
        return str(request.body["messages"][0]["content"])

    def said(self, request: Request) -> list[Said]:
        return [self._said(each) for each in request.body["messages"][1:]]

    def _said(self, message: Any) -> Said:
        if message["role"] == "tool":
            return Said("results", results=(message["content"],))
        made = [each["function"] for each in message.get("tool_calls", ())]
        calls = tuple((each["name"], json.dumps(each["arguments"])) for each in made)
        return Said(message["role"], message["content"], calls, pictures=tuple(message.get("images", ())))

    def tools(self, request: Request) -> dict[str, Any]:
        return {each["function"]["name"]: each["function"]["parameters"] for each in request.body["tools"]}
