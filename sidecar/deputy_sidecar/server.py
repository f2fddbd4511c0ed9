"""Answers the core's requests: many at a time, with exactly one reply each."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import traceback
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any

import msgspec

from deputy_sidecar import __version__, rpc
from deputy_sidecar.backend import AgentPlan, Conversation, Embedding, PlanReply
from deputy_sidecar.conversations import Conversations, Head, NotHeldError
from deputy_sidecar.errors import UNREADABLE, BackendError, BadResponseError, BadSettingsError, InternalError
from deputy_sidecar.generated import messages as say
from deputy_sidecar.models import (
    PROTOCOL_VERSION,
    CompleteReply,
    ConversationMark,
    EmbedReply,
    InitializeParams,
    InitializeResult,
    ModelListReply,
    PlanAnswer,
    PlanErrorCode,
    PlanErrorData,
    ProgressParams,
    Usage,
)
from deputy_sidecar.redaction import Redactor
from deputy_sidecar.registry import RawBackendRef, Registry
from deputy_sidecar.said import Said
from deputy_sidecar.stdio import MAX_LINE_BYTES, LineReader, LineWriter, Stdio
from deputy_sidecar.untrusted import use_secret
from deputy_sidecar.vectors import packed

__all__ = ["serve"]

# No real plan is this long. A backend that streams endlessly is stopped before it fills the core's memory.
MAX_STREAMED_CHARS = 8 * 1024 * 1024
# The seconds that backends get to close their connections at shutdown.
CLOSING_SECS = 2.0


class _PlanParams(msgspec.Struct):
    backend: RawBackendRef
    system: msgspec.Raw
    messages: msgspec.Raw
    tools: msgspec.Raw = msgspec.Raw(b"[]")
    earlier: msgspec.Raw = msgspec.Raw(b"[]")
    conversation: str | None = None


class _PlanMoreParams(msgspec.Struct):
    backend: RawBackendRef
    conversation: str
    base: ConversationMark
    messages: msgspec.Raw


class _CompleteParams(msgspec.Struct):
    backend: RawBackendRef
    system: str
    prompt: str


class _EmbedParams(msgspec.Struct):
    backend: RawBackendRef
    texts: list[str]


class _ModelListParams(msgspec.Struct):
    backend: RawBackendRef


class _CancelParams(msgspec.Struct):
    id: int


class _Nothing(msgspec.Struct):
    pass


class Server:
    """A connection to the core."""

    def __init__(self, redactor: Redactor, write: Callable[[bytes], None]) -> None:
        self._redactor = redactor
        self._write = write
        self._registry: Registry | None = None
        self._running: dict[int, asyncio.Task[None]] = {}
        self._conversations = Conversations()
        self._background: asyncio.Future[Any] | None = None
        self.ended = asyncio.Event()
        self._methods: dict[str, tuple[msgspec.json.Decoder[Any], Callable[[Any, Any], Awaitable[Any]]]] = {
            name: (msgspec.json.Decoder(params), method)
            for name, params, method in (
                ("initialize", InitializeParams, self._initialize),
                ("inference.plan", _PlanParams, self._plan),
                ("inference.plan_more", _PlanMoreParams, self._plan_more),
                ("inference.complete", _CompleteParams, self._complete),
                ("inference.embed", _EmbedParams, self._embed),
                ("model.list", _ModelListParams, self._models),
                ("health.ping", _Nothing, self._ping),
                ("lifecycle.shutdown", _Nothing, self._shutdown),
            )
        }

    def receive(self, line: bytes) -> None:
        """Handles a line. Never raises."""
        if not line.strip():
            return
        try:
            incoming = rpc.decode_incoming(line)
        except msgspec.ValidationError as error:
            self._refuse(_id_in(line), rpc.INVALID_REQUEST, f"This is not a JSON-RPC request: {error}.")
        except UNREADABLE as error:
            self._refuse(None, rpc.PARSE_ERROR, f"A line could not be read as JSON: {error}. Send one object a line.")
        else:
            self._dispatch(incoming)

    def receive_too_long(self) -> None:
        """Refuses a line that was skipped because of its length."""
        limit = f"{MAX_LINE_BYTES // (1024 * 1024)} MiB"
        self._refuse(None, rpc.PARSE_ERROR, f"A line over {limit} was skipped. Send shorter conversations.")

    async def close(self) -> None:
        """Cancels the running requests, each of which still gets its reply, and closes the backends."""
        # Lets the latest requests start, so that they get a reply too.
        await asyncio.sleep(0)
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._registry is not None:
            await asyncio.wait([asyncio.ensure_future(self._registry.close())], timeout=CLOSING_SECS)

    def _dispatch(self, incoming: rpc.Incoming) -> None:
        method = incoming.method
        if method == "$/cancel":
            self._cancel(incoming.params)
            return
        if incoming.id is msgspec.UNSET:
            # A notification gets no reply, not even an error for an unknown method.
            return
        known = self._methods.get(method)
        if known is None:
            names = ", ".join(self._methods)
            self._refuse(incoming.id, rpc.METHOD_NOT_FOUND, f"There is no method {method!r}. There are: {names}.")
            return
        request_id = incoming.id
        if request_id in self._running:
            self._refuse(request_id, rpc.INVALID_REQUEST, f"Request {request_id!r} is still running; use another id.")
            return
        decoder, answer = known
        try:
            params = decoder.decode(incoming.params)
        except UNREADABLE as error:
            self._refuse(request_id, rpc.INVALID_PARAMS, say.parameters_unfit(method=method, error=error))
            return
        task = asyncio.get_running_loop().create_task(self._answer(request_id, answer, params))
        self._running[request_id] = task

    def _cancel(self, raw: msgspec.Raw) -> None:
        try:
            params = msgspec.json.decode(raw, type=_CancelParams)
        except UNREADABLE as error:
            _log(f"$/cancel without a usable id: {error}")
            return
        # If the request has just been answered, there is nothing to cancel.
        task = self._running.get(params.id)
        if task is not None:
            # Deferred, because a task that is cancelled before it starts would send no reply.
            asyncio.get_running_loop().call_soon(task.cancel)

    async def _answer(self, request_id: int, answer: Callable[[Any, Any], Awaitable[Any]], params: Any) -> None:
        try:
            line = rpc.encode_result(request_id, await answer(request_id, params))
        except asyncio.CancelledError:
            line = self._failure(request_id, "cancelled", say.taken_back())
        except NotHeldError:
            data = PlanErrorData(code="internal")
            line = rpc.encode_error(request_id, rpc.NOT_HELD, "This conversation is not held; send it whole.", data)
        except BackendError as error:
            line = self._failure(request_id, error.code, error.message, error.retry_after_secs, error.usage)
        except Exception as error:
            # An internal error: the trace goes to the log, a sentence to the core.
            traceback.print_exc()
            told = say.failed(kind=type(error).__name__, error=error)
            line = self._failure(request_id, "internal", told)
        finally:
            self._running.pop(request_id, None)
        self._write(line)

    def _failure(
        self,
        request_id: rpc.RequestId,
        code: PlanErrorCode,
        message: str,
        retry_after_secs: float | None = None,
        usage: Usage | None = None,
    ) -> bytes:
        said = message.message(self._redactor.clean) if isinstance(message, Said) else None
        data = PlanErrorData(code=code, retry_after_secs=retry_after_secs, said=said, usage=usage)
        return rpc.encode_error(request_id, rpc.BACKEND_FAILED, self._redactor.clean(message), data)

    def _refuse(self, request_id: rpc.RequestId, number: int, message: str) -> None:
        said = message.message(self._redactor.clean) if isinstance(message, Said) else None
        data = PlanErrorData(code="internal", said=said)
        self._write(rpc.encode_error(request_id, number, self._redactor.clean(message), data))

    def _ready(self) -> Registry:
        if self._registry is None:
            raise InternalError(say.not_initialized())
        return self._registry

    async def _initialize(self, _: Any, params: InitializeParams) -> InitializeResult:
        if params.protocol != PROTOCOL_VERSION:
            raise BadSettingsError(say.other_protocol(core=params.protocol, own=PROTOCOL_VERSION))
        for key in params.keys.values():
            self._redactor.add(key)
        if params.marks:
            use_secret(params.marks)
        self._registry = Registry(params.backends_dir, params.keys, self._redactor)
        if params.keys:
            # Runs after the reply is written, concurrently with later requests.
            self._background = asyncio.get_running_loop().run_in_executor(None, self._registry.preload)
        return InitializeResult(protocol=PROTOCOL_VERSION, version=__version__, backends=self._registry.names())

    async def _plan(self, request_id: int, params: _PlanParams) -> PlanAnswer:
        head = Head(bytes(params.system), bytes(params.tools), bytes(params.earlier))
        conversation, kept = self._conversations.whole(params.conversation, head, bytes(params.messages))
        return await self._planned(request_id, params.backend, conversation, kept)

    async def _plan_more(self, request_id: int, params: _PlanMoreParams) -> PlanAnswer:
        conversation, kept = self._conversations.more(params.conversation, params.base, bytes(params.messages))
        return await self._planned(request_id, params.backend, conversation, kept)

    async def _planned(
        self, request_id: int, ref: RawBackendRef, conversation: Conversation, kept: ConversationMark | None
    ) -> PlanAnswer:
        streamed_chars = 0
        async with self._ready().use(ref) as backend:
            async with _closing(_member(backend, "plan")(conversation)) as pieces:
                async for item in pieces:
                    if isinstance(item, PlanReply):
                        return PlanAnswer(plan=item.plan, usage=item.usage, kept=kept)
                    if isinstance(item, AgentPlan):
                        return PlanAnswer(plan=item, kept=kept)
                    streamed_chars += len(item)
                    if streamed_chars > MAX_STREAMED_CHARS:
                        raise BadResponseError(
                            say.streamed_too_much(backend=repr(backend.name), most=MAX_STREAMED_CHARS)
                        )
                    if item:
                        self._write(rpc.encode_notification("progress", ProgressParams(id=request_id, text=item)))
        raise InternalError(say.ended_without_plan(backend=repr(ref.name)))

    async def _complete(self, _: Any, params: _CompleteParams) -> CompleteReply:
        async with self._ready().use(params.backend) as backend:
            reply: CompleteReply = await _member(backend, "complete")(params.system, params.prompt)
            return reply

    async def _embed(self, _: Any, params: _EmbedParams) -> EmbedReply:
        async with self._ready().use(params.backend) as backend:
            embedding: Embedding = await _member(backend, "embed")(params.texts)
            return packed(embedding, len(params.texts), backend.name)

    async def _models(self, _: Any, params: _ModelListParams) -> ModelListReply:
        async with self._ready().use(params.backend) as backend:
            # The backend has been loaded and configured. Backends without models, such as `offline`, list none.
            list_models = getattr(backend, "models", None)
            return ModelListReply(models=await list_models() if list_models is not None else [])

    async def _ping(self, _: Any, params: _Nothing) -> dict[str, Any]:
        return {}

    async def _shutdown(self, _: Any, params: _Nothing) -> dict[str, Any]:
        asyncio.get_running_loop().call_soon(self.ended.set)
        return {}


def _closing(pieces: Any) -> Any:
    """Closes a generator that is left early immediately, with its connection, instead of at garbage collection."""
    return aclosing(pieces)


def _member(backend: Any, name: str) -> Callable[..., Any]:
    member: Callable[..., Any] | None = getattr(backend, name, None)
    if member is None:
        raise BadSettingsError(say.backend_cannot(backend=repr(backend.name), member=name))
    return member


def _id_in(line: bytes) -> rpc.RequestId:
    """Returns the id of a JSON value that is not a valid request, so that its sender gets a reply."""
    try:
        found = msgspec.json.decode(line)
    except UNREADABLE:
        return None
    value = found.get("id") if isinstance(found, dict) else None
    return value if isinstance(value, (int, str)) and not isinstance(value, bool) else None


def _log(line: str) -> None:
    print(line, file=sys.stderr)


async def _serve(stdio: Stdio) -> int:
    loop = asyncio.get_running_loop()
    # Ctrl-C in the terminal reaches the whole process group. The core decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    server: Server
    writer = LineWriter(stdio.output_fd, lambda: server.ended.set())
    await writer.open()
    server = Server(stdio.redactor, writer.write)
    loop.add_signal_handler(signal.SIGTERM, server.ended.set)
    reader = LineReader(server.receive, server.receive_too_long, server.ended.set)
    try:
        await loop.connect_read_pipe(lambda: reader, os.fdopen(stdio.input_fd, "rb", 0))
    except ValueError:
        _log("deputy_sidecar must be started with a pipe as its standard input; `deputy` does that.")
        return 2
    await server.ended.wait()
    await server.close()
    await writer.drain()
    return 0


def serve(stdio: Stdio) -> int:
    """Serves until standard input ends, the core sends `lifecycle.shutdown`, or the output is closed.

    Returns the exit code.
    """
    return asyncio.run(_serve(stdio))
