"""What a double of a provider does, whatever its dialect."""

import json
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from deputy_sidecar.backends import openai_compatible
from support.model_server import Request, Responder, raw, reply, stream

USED = {"input": 120, "cached": 100, "output": 30, "thought": 10}


class Said(NamedTuple):
    """A message of a request, whatever its dialect."""

    role: str
    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    results: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    # What the provider wanted back.
    state: tuple[Any, ...] = ()


class Double:
    """How one dialect answers and what it understands."""

    name = ""
    module: Any = openai_compatible
    more_settings: ClassVar[dict[str, Any]] = {}
    counts_cached = True
    counts_thought = True
    # How the base address ends.
    base_path = ""
    keeps_thoughts = False

    def create(self) -> Any:
        return self.module.create()

    def settings(self, server: Any, **more: Any) -> dict[str, Any]:
        base = server.base_url.removesuffix("/v1") + self.base_path
        return {"base_url": base, "model": "test-model", "pictures": True, **self.more_settings, **more}

    def chunks(self, text: str, thought: str, calls: Sequence[tuple[str, Any]], finish: str) -> list[Any]:
        raise NotImplementedError

    def respond(self, chunks: list[Any]) -> Responder:
        return stream(*chunks, done=False)

    def answer(
        self, text: str = "", thought: str = "", calls: Sequence[tuple[str, Any]] = (), *, cut: bool = False
    ) -> Responder:
        """A whole answer; `cut` at the output limit. Arguments that are a text are sent as they are."""
        return self.respond(self.chunks(text, thought, calls, "length" if cut else "stop"))

    def broken(self, text: str) -> Responder:
        """An answer whose connection ends in the middle of it."""
        half = self.chunks(text, "", [], "stop")[: self.first_text() + 1]
        return self.half(half)

    def half(self, chunks: list[Any]) -> Responder:
        content = b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks)
        return raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" + content)

    def first_text(self) -> int:
        """Index of the first chunk with text."""
        return 0

    def refusal(self, kind: str, **headers: str) -> Responder:
        """`auth`, `rate_limited`, `context_overflow`, `model_missing` or `overloaded`, in the provider's words."""
        status, body = self.refusals()[kind]
        return reply(status, body, **headers)

    def refusals(self) -> dict[str, tuple[int, Any]]:
        raise NotImplementedError

    def system(self, request: Request) -> str:
        raise NotImplementedError

    def said(self, request: Request) -> list[Said]:
        raise NotImplementedError

    def tools(self, request: Request) -> dict[str, Any]:
        """The parameters of the tools by name."""
        raise NotImplementedError

    def messages_before(self, body: bytes) -> bytes:
        """A request up to the end of its last message, which the next request begins with."""
        return body.removesuffix(b"]}")


def arguments_text(value: Any) -> str:
    """Arguments as a model writes them."""
    return value if isinstance(value, str) else json.dumps(value)
