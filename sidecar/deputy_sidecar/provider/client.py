"""HTTP client for providers: reused connections, retries before the first byte, bounded answers, typed failures."""

from __future__ import annotations

import asyncio
import base64
import importlib
import random
import re
import ssl
import sys
import urllib.request
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

import msgspec

from deputy_sidecar import __version__
from deputy_sidecar.errors import UNREADABLE, BackendError, BadResponseError, BadSettingsError, NetworkError
from deputy_sidecar.generated import messages as say
from deputy_sidecar.provider.failures import Refusal, is_retryable, to_error
from deputy_sidecar.provider.settings import ProviderSettings
from deputy_sidecar.provider.stream import EventParser, LineParser, Parser

if TYPE_CHECKING:
    import httpx

__all__ = ["Client", "preload", "proxy_for"]

# No real answer is this long. The rest of a longer answer is not read.
MOST_ANSWER_BYTES: Final = 8 * 1024 * 1024
MOST_ERROR_BYTES: Final = 64 * 1024
FIRST_WAIT_SECS: Final = 0.5
# How long to wait for the end of a finished answer, so that the connection can be reused.
LINGER_SECS: Final = 0.1
# Matches whole JSON escapes. `half` is a lone surrogate.
ESCAPE: Final = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.",
    re.DOTALL,
)

# httpx also imports its command line if click and rich are installed, which takes 12 MB for nothing. A module that is
# None in this table cannot be imported, and httpx works without it.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]

_tls: ssl.SSLContext | None = None


def preload() -> None:
    """Imports what the first request would otherwise wait for, and loads the certificates."""
    import httpcore  # noqa: F401

    with suppress(ImportError):
        # httpx imports it by name during the first request. If it has another name, it is just imported then.
        importlib.import_module("anyio._backends._asyncio")
    _tls_context()


def _tls_context() -> ssl.SSLContext:
    global _tls
    import httpx

    if _tls is None:
        _tls = httpx.create_ssl_context()
    return _tls


class Client:
    """The connections to a provider."""

    def __init__(self, settings: ProviderSettings) -> None:
        self._settings = settings
        self._connected: _Connected | None = None

    async def stream(
        self, path: str, body: bytes, error_in: Callable[[dict[str, Any]], object]
    ) -> AsyncGenerator[dict[str, Any] | None]:
        """Yields the chunks of a streamed answer, or the single object of an answer that is not streamed.

        A final None means that the provider marked the end. Without it, the answer may be truncated. `error_in` finds
        the error that a chunk reports.
        """
        async with self._limited() as watch:
            async with self._open("POST", path, body, watch) as response:
                parser = _parser_for(response.headers.get("content-type", ""))
                if parser is not None:
                    async with aclosing(self._events(response, parser, watch)) as chunks:
                        async for chunk in chunks:
                            yield chunk if chunk is None else self._without_error(chunk, error_in)
                else:
                    for chunk in self._whole(await self._read(response, watch)):
                        yield chunk if chunk is None else self._without_error(chunk, error_in)

    async def request(self, method: str, path: str, body: bytes | None = None) -> dict[str, Any]:
        """Returns the object in the answer to a plain request."""
        async with self._limited() as watch:
            async with self._open(method, path, body, watch) as response:
                return self._object(await self._read(response, watch))

    async def close(self) -> None:
        """Closes the connections."""
        if self._connected is not None:
            await self._connected.transport.aclose()

    def _connect(self) -> _Connected:
        if self._connected is not None:
            return self._connected
        import httpx

        settings = self._settings
        base = httpx.URL(settings.base_url.rstrip("/") + "/")
        headers = {
            "accept": "text/event-stream, application/json",
            # Proxies would delay compressed pieces, and these could decompress to any size.
            "accept-encoding": "identity",
            "content-type": "application/json",
            "user-agent": f"deputy-sidecar/{__version__}",
        }
        headers.update(settings.key_headers())
        if base.userinfo and not settings.api_key:
            password = base64.b64encode(f"{base.username}:{base.password}".encode()).decode()
            headers["authorization"] = f"Basic {password}"
        headers.update({name.lower(): value for name, value in settings.extra_headers.items()})
        # Our own watch limits the provider's silence, because the limit depends on what has arrived so far.
        timeout = httpx.Timeout(None, connect=settings.connect_timeout_secs)
        # Only the transport: the rest of a client (redirects, cookies, choice of transports) is not needed here, and
        # takes as long as the rest of a request.
        transport = httpx.AsyncHTTPTransport(
            verify=_tls_context() if base.scheme == "https" else False,
            trust_env=False,
            proxy=None if settings.is_local else proxy_for(base),
        )
        self._connected = _Connected(transport, base, httpx.Headers(headers), {"timeout": timeout.as_dict()}, {})
        return self._connected

    @asynccontextmanager
    async def _open(self, method: str, path: str, body: bytes | None, watch: _Watch) -> AsyncIterator[httpx.Response]:
        """Yields a response with a success status. Retries while the request cannot have had an effect yet."""
        import httpx

        connected = self._connect()
        attempt = 1
        while True:
            async with AsyncExitStack() as stack:
                wait: float | None = None
                watch.ask()
                try:
                    response = await connected.transport.handle_async_request(connected.request(method, path, body))
                    stack.push_async_callback(response.aclose)
                except (httpx.ConnectError, httpx.ConnectTimeout, httpx.RemoteProtocolError, httpx.ReadError):
                    # The connection was refused, or the other side had closed a reused connection.
                    if attempt > self._settings.max_retries:
                        raise
                else:
                    if response.is_success:
                        yield response
                        return
                    refusal = Refusal(response.status_code, response.headers, await _beginning(response))
                    wait = refusal.retry_after_secs
                    if (
                        attempt > self._settings.max_retries
                        or not is_retryable(refusal)
                        or (wait is not None and wait > self._settings.max_retry_wait_secs)
                    ):
                        raise RefusedError(refusal, to_error(refusal, self._settings, attempt))
            watch.rest()
            # Jitter, so that delayed requests do not all retry at the same moment.
            await asyncio.sleep(_backoff_secs(attempt) if wait is None else wait * random.uniform(1.0, 1.1))
            attempt += 1

    async def _events(
        self, response: httpx.Response, parser: Parser, watch: _Watch
    ) -> AsyncGenerator[dict[str, Any] | None]:
        received_bytes = 0
        is_empty = True
        pieces = response.aiter_bytes()
        async for piece in pieces:
            received_bytes += len(piece)
            if received_bytes > MOST_ANSWER_BYTES:
                self._refuse_length()
            watch.hear()
            for data in parser.feed(piece):
                is_empty = False
                if data == b"[DONE]":
                    yield None
                    await _read_to_end(pieces)
                    return
                yield self._object(data)
        for data in parser.finish():
            is_empty = False
            try:
                last = None if data == b"[DONE]" else self._object(data)
            except BadResponseError:
                # The last event is incomplete: the connection broke, so the address is not the cause.
                raise NetworkError(self._settings.asked(say.broke_off_in_answer()), retry_after_secs=0.0) from None
            yield last
        if is_empty and received_bytes:
            raise BadResponseError(self._settings.asked(say.no_event()))

    def _whole(self, body: bytes) -> Iterator[dict[str, Any] | None]:
        """Handles an answer that was not streamed, or that was streamed without saying so."""
        if not body.startswith((b"data:", b"event:", b":")):
            yield self._object(body)
            yield None
            return
        parser = EventParser()
        for data in [*parser.feed(body), *parser.finish()]:
            yield None if data == b"[DONE]" else self._object(data)

    async def _read(self, response: httpx.Response, watch: _Watch) -> bytes:
        pieces: list[bytes] = []
        received_bytes = 0
        async for piece in response.aiter_bytes():
            received_bytes += len(piece)
            if received_bytes > MOST_ANSWER_BYTES:
                self._refuse_length()
            watch.hear()
            pieces.append(piece)
        return b"".join(pieces)

    def _refuse_length(self) -> NoReturn:
        limit = MOST_ANSWER_BYTES // (1024 * 1024)
        raise BadResponseError(self._settings.asked(say.answer_too_long(limit=limit)))

    def _without_error(self, chunk: dict[str, Any], error_in: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        error = error_in(chunk)
        if error:
            refusal = Refusal.in_stream(error)
            raise RefusedError(refusal, to_error(refusal, self._settings, 1))
        return chunk

    def _object(self, data: bytes) -> dict[str, Any]:
        try:
            value = _decoded(data)
        except UNREADABLE as error:
            beginning = data[:120].decode("utf-8", "replace")
            raise BadResponseError(self._settings.asked(say.no_json(error=error, beginning=repr(beginning)))) from None
        if not isinstance(value, dict):
            raise BadResponseError(self._settings.asked(say.no_object()))
        return value

    @asynccontextmanager
    async def _limited(self) -> AsyncIterator[_Watch]:
        """Ends what takes too long, and converts httpx's errors to ours. httpx's messages contain no headers."""
        import httpx

        settings = self._settings
        watch = _Watch(settings)
        try:
            async with watch.timeout:
                yield watch
        except httpx.ConnectTimeout:
            secs = f"{settings.connect_timeout_secs:g}"
            raise NetworkError(settings.asked(say.no_connection_within(secs=secs))) from None
        except (httpx.TimeoutException, TimeoutError):
            raise NetworkError(settings.asked(watch.why())) from None
        except httpx.ConnectError as error:
            why = say.cannot_be_reached(address=settings.base_url, error=error)
            raise NetworkError(settings.asked(why)) from None
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.LocalProtocolError, UnicodeEncodeError) as error:
            raise BadSettingsError(settings.asked(say.cannot_be_sent(error=type(error).__name__))) from None
        except httpx.DecodingError as error:
            raise BadResponseError(settings.asked(say.cannot_be_unpacked(error=error))) from None
        except httpx.HTTPError as error:
            raise NetworkError(
                settings.asked(say.connection_broke_off(error=type(error).__name__)), retry_after_secs=0.0
            ) from None


def _decoded(data: bytes) -> Any:
    """Parses a JSON text. Lone surrogates, which models sometimes write, become replacement characters."""
    try:
        return msgspec.json.decode(data)
    except UNREADABLE:
        whole = ESCAPE.sub(_without_half, data.decode("utf-8", "replace").encode())
        if whole == data:
            raise
        return msgspec.json.decode(whole)


def _without_half(escape: re.Match[bytes]) -> bytes:
    return rb"\ufffd" if escape["half"] else escape[0]


class _Watch:
    """The time limits of a request: for the first piece, between two pieces, and in total."""

    def __init__(self, settings: ProviderSettings) -> None:
        self._settings = settings
        self._loop = asyncio.get_running_loop()
        self._end = self._loop.time() + settings.total_timeout_secs
        self._has_heard = False
        self.timeout = asyncio.timeout_at(self._end)

    def ask(self) -> None:
        """Starts the limits when a request is sent."""
        settings = self._settings
        # The connection has its own limit, which applies first.
        self._within(settings.connect_timeout_secs + (settings.first_token_timeout_secs or settings.timeout_secs))

    def hear(self) -> None:
        """Records that a piece has arrived."""
        self._has_heard = True
        self._within(self._settings.timeout_secs)

    def rest(self) -> None:
        """Pauses the limits except the total, while no request is in flight."""
        self.timeout.reschedule(self._end)

    def why(self) -> str:
        """Describes what took too long, and the setting that limits it."""
        settings = self._settings
        backend = settings.backend
        if self._loop.time() >= self._end:
            return say.answer_took_too_long(secs=f"{settings.total_timeout_secs:g}")
        if not self._has_heard and settings.first_token_timeout_secs is not None:
            return say.first_words_late(secs=f"{settings.first_token_timeout_secs:g}", backend=backend)
        return say.silent(secs=f"{settings.timeout_secs:g}", backend=backend)

    def _within(self, secs: float) -> None:
        self.timeout.reschedule(min(self._end, self._loop.time() + secs))


class _Connected(NamedTuple):
    """The connection to a provider, and the common parts of requests."""

    transport: httpx.AsyncHTTPTransport
    base: httpx.URL
    headers: httpx.Headers
    extensions: dict[str, Any]
    # Parsed URLs by path.
    urls: dict[str, httpx.URL]

    def request(self, method: str, path: str, body: bytes | None) -> httpx.Request:
        """Builds a request to a path below the base."""
        import httpx

        url = self.urls.get(path)
        if url is None:
            url = self.urls[path] = self.base.copy_with(raw_path=self.base.raw_path + path.encode())
        return httpx.Request(method, url, headers=self.headers, content=body, extensions=self.extensions)


def proxy_for(url: httpx.URL) -> str | None:
    """Returns the environment's proxy for an address."""
    proxies = urllib.request.getproxies()
    if urllib.request.proxy_bypass(url.host):
        return None
    return proxies.get(url.scheme) or proxies.get("all")


class RefusedError(Exception):
    """A refusal that the backend may be able to work around. `error` is its meaning otherwise."""

    def __init__(self, refusal: Refusal, error: BackendError) -> None:
        super().__init__(error.message)
        self.refusal = refusal
        self.error = error


def _parser_for(content_type: str) -> Parser | None:
    """Returns the parser for a streamed answer. None for an answer that is not streamed."""
    if "text/event-stream" in content_type:
        return EventParser()
    return LineParser() if "ndjson" in content_type or "jsonl" in content_type else None


async def _beginning(response: httpx.Response) -> bytes:
    """Reads enough of an error's body to identify the error."""
    body = b""
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > MOST_ERROR_BYTES:
            break
    return body[:MOST_ERROR_BYTES]


async def _read_to_end(pieces: AsyncIterator[bytes]) -> None:
    """Reads the end of an answer, so that the connection can be reused. Usually it has already arrived."""
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECS):
            async for _ in pieces:
                pass


def _backoff_secs(attempt: int) -> float:
    """Returns the wait before a retry. Doubles each time, with jitter so that many clients do not return at once."""
    return min(FIRST_WAIT_SECS * 2.0 ** (attempt - 1), 8.0) * random.uniform(0.5, 1.0)
