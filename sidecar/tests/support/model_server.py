"""A model provider on loopback that answers as a test says, down to the byte."""

import json
import socket
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, NamedTuple


class Request(NamedTuple):
    """What arrived."""

    line: str
    headers: dict[str, str]
    body: Any
    # The body as it came.
    raw: bytes = b""


Responder = Callable[[socket.socket, Request], None]


class ModelServer:
    """Answers the n-th request with the n-th responder, further ones with the last."""

    def __init__(self, *responders: Responder) -> None:
        self.requests: list[Request] = []
        self.connections = 0
        # Set when a client hangs up while an answer is under way.
        self.hung_up = threading.Event()
        self._responders = responders
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"

    def settings(self, **more: Any) -> dict[str, Any]:
        return {"base_url": self.base_url, "model": "test-model", **more}

    def __enter__(self) -> "ModelServer":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            for connection in self._open:
                _close(connection)
        for thread in self._threads:
            thread.join(timeout=30)

    def _start(self, target: Callable[..., None], *arguments: Any) -> None:
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self._open.append(connection)
                self.connections += 1
            self._start(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection, connection.makefile("rb") as stream:
                while (request := _read_request(stream)) is not None:
                    with self._lock:
                        number = len(self.requests)
                        self.requests.append(request)
                    self._responders[min(number, len(self._responders) - 1)](connection, request)
        except (OSError, ValueError):
            self.hung_up.set()


def _close(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    connection.close()


def _read_request(stream: Any) -> Request | None:
    line = stream.readline().decode().strip()
    if not line:
        return None
    headers: dict[str, str] = {}
    while text := stream.readline().decode().strip():
        name, _, value = text.partition(":")
        headers[name.lower()] = value.strip()
    body = stream.read(int(headers.get("content-length", "0")))
    return Request(line, headers, json.loads(body) if body else None, body)


def head(status: int = 200, content_type: str = "text/event-stream", **headers: str) -> bytes:
    """The head of a response whose end is the end of the connection."""
    lines = [f"HTTP/1.1 {status} Something", f"Content-Type: {content_type}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def reply(status: int, body: Any, **headers: str) -> Responder:
    """A whole answer in JSON, or as it is; the connection stays open."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()

    def respond(connection: socket.socket, request: Request) -> None:
        lines = [f"HTTP/1.1 {status} Something", "Content-Type: application/json", f"Content-Length: {len(content)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode() + content)

    return respond


def stream(*chunks: Any, done: bool = True) -> Responder:
    """A streamed answer; the connection stays open."""
    events = [chunk if isinstance(chunk, bytes) else b"data: " + json.dumps(chunk).encode() for chunk in chunks]
    content = b"".join(event + b"\n\n" for event in [*events, *([b"data: [DONE]"] if done else [])])

    def respond(connection: socket.socket, request: Request) -> None:
        start = f"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {len(content)}\r\n\r\n"
        connection.sendall(start.encode() + content)

    return respond


def raw(*pieces: bytes) -> Responder:
    """Exactly these bytes, then the end of the connection."""

    def respond(connection: socket.socket, request: Request) -> None:
        for piece in pieces:
            connection.sendall(piece)
        _close(connection)

    return respond


def silent(*pieces: bytes) -> Responder:
    """These bytes, then nothing more until the client hangs up."""

    def respond(connection: socket.socket, request: Request) -> None:
        for piece in pieces:
            connection.sendall(piece)
        # Nothing more is sent to us either, so this returns when the client closes.
        while connection.recv(4096):
            pass
        raise OSError("the client hung up")

    return respond


def delta(finish: str | None = None, **fields: Any) -> dict[str, Any]:
    """A chunk as OpenAI sends it."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1700000000,
        "model": "test-model",
        "choices": [{"index": 0, "delta": fields, "finish_reason": finish}],
    }


def usage(prompt: int, completion: int) -> dict[str, Any]:
    """The last chunk, with what it cost."""
    numbers = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    return {**delta(), "choices": [], "usage": numbers}


def fragment(
    index: int, *, call_id: str | None = None, name: str | None = None, arguments: Any = None
) -> dict[str, Any]:
    """A fragment of a call."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    found: dict[str, Any] = {"index": index, "function": function}
    if call_id is not None:
        found.update(id=call_id, type="function")
    return found
