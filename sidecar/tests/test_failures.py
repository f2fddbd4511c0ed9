"""Every way a provider fails, the code it becomes, and that the message says what to do."""

import asyncio
import email.utils
import gzip
import time
from typing import Any

import pytest
from support.model_server import ModelServer, Responder, delta, fragment, head, raw, reply, silent, stream, usage
from support.process import SidecarProcess, plan_params
from test_openai_compatible import DONE, conversation, error_of, plans

from deputy_sidecar.backends.openai_compatible import OpenAICompatible
from deputy_sidecar.errors import BackendError
from deputy_sidecar.models import PlanReply
from deputy_sidecar.provider.failures import Refusal, retry_after_secs
from deputy_sidecar.provider.plan import UNMARKED_NOTE

FIRST_CHUNK = b'data: {"choices":[{"index":0,"delta":{"content":"Let me"}}]}\n\n'
# Words that repeat would be stopped before.
EMPTY_CHUNK = b'data: {"choices":[{"index":0,"delta":{}}]}\n\n'


def said(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, **more}}


FAILURES: list[tuple[str, Responder, str, str]] = [
    ("401", reply(401, said("Incorrect API key provided")), "auth", "no key is set"),
    ("403", reply(403, said("no access")), "auth", "no key is set"),
    ("402", reply(402, said("Insufficient credits")), "auth", "credit"),
    ("400 key", reply(400, said("API key not valid. Invalid API key.")), "auth", "no key is set"),
    ("429", reply(429, said("slow down"), retry_after="7"), "rate_limited", "too many requests"),
    ("429 quota", reply(429, said("You exceeded your current quota", code="insufficient_quota")), "auth", "credit"),
    (
        "400 context",
        reply(400, said("This model's maximum context length is 8192 tokens")),
        "context_overflow",
        "context_tokens",
    ),
    (
        "400 context by code",
        reply(400, said("x", code="context_length_exceeded")),
        "context_overflow",
        "context_tokens",
    ),
    (
        "400 context of llama.cpp",
        reply(400, said("the request exceeds the available context size, try increasing it")),
        "context_overflow",
        "context_tokens",
    ),
    ("413", reply(413, b"too large"), "context_overflow", "context_tokens"),
    (
        "404 model",
        reply(404, said("The model `x` does not exist", code="model_not_found")),
        "model_missing",
        "another model",
    ),
    (
        "404 model of Ollama",
        reply(404, said("model 'x' not found, try pulling it first")),
        "model_missing",
        "another model",
    ),
    ("404 path", reply(404, b"<html><body>404 page not found</body></html>"), "bad_settings", "base_url"),
    ("redirect", reply(302, b"", location="https://example.com/"), "bad_settings", "base_url"),
    ("400 else", reply(400, said("messages[3] is odd")), "bad_response", "messages[3] is odd"),
    ("500", reply(500, said("oops")), "network", "oops"),
    ("503 without a word", reply(503, b""), "network", "503"),
    ("an error in another shape", reply(500, {"detail": [{"msg": "x"}]}), "network", "msg"),
    ("an error that is a list", reply(429, [said("slow down")]), "rate_limited", "slow down"),
    ("error in the stream", stream(delta(content="x"), said("overloaded", code=503)), "network", "overloaded"),
    ("rate limit in the stream", stream(said("slow down", code="429")), "rate_limited", "slow down"),
    (
        "context in the stream",
        stream(said("maximum context length reached", code=400)),
        "context_overflow",
        "context_tokens",
    ),
    ("error in a whole answer", reply(200, said("it broke")), "network", "it broke"),
    ("cut off in the stream", raw(head() + FIRST_CHUNK), "network", "was lost"),
    (
        "cut off in a length",
        raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9999\r\n\r\n" + FIRST_CHUNK),
        "network",
        "was lost",
    ),
    (
        "cut off in a chunk",
        raw(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n"
            + FIRST_CHUNK
        ),
        "network",
        "was lost",
    ),
    ("cut off before the answer", raw(), "network", "was lost"),
    ("no HTTP at all", raw(b"\x00\x01garbage\r\n\r\n"), "network", "was lost"),
    ("garbage for events", raw(head() + bytes(range(256)) * 4), "bad_response", "no event"),
    ("garbage events", raw(head() + b"data: {not json}\n\n"), "bad_response", "base_url"),
    ("bad UTF-8", raw(head() + b'data: {"a": "\xff\xfe"}\n\n'), "bad_response", "base_url"),
    ("events that are no objects", raw(head() + b"data: [1]\n\n"), "bad_response", "not an object"),
    ("a web page", reply(200, b"<html>Welcome to the router</html>"), "bad_response", "Welcome to the router"),
    ("an answer without a choice", reply(200, {"object": "nothing"}), "bad_response", "not from a model"),
    ("a stream without a choice", stream(), "bad_response", "not from a model"),
    ("an empty answer", stream(delta(content=""), delta("stop")), "bad_response", "answer was empty"),
    ("only thought", stream(delta(reasoning="Hm"), delta("length")), "bad_response", "max_output_tokens"),
    ("filtered", stream(delta("content_filter")), "bad_response", "content filter"),
    ("100 MB in one line", raw(head() + b"data: ", *[b"x" * 1_000_000] * 100), "bad_response", "8 MiB"),
    ("100 MB in events", raw(head(), *[EMPTY_CHUNK * 24_000] * 100), "bad_response", "8 MiB"),
    (
        "100 MB not streamed",
        raw(head(content_type="application/json") + b'{"a": "', *[b"x" * 1_000_000] * 100),
        "bad_response",
        "8 MiB",
    ),
    (
        "100 MB packed",
        raw(head(content_encoding="gzip"), gzip.compress(b"data: x" * 14_000_000, 1)),
        "bad_response",
        "8 MiB",
    ),
    ("badly packed", raw(head(content_encoding="gzip"), b"not gzip"), "bad_response", "unpacked"),
    ("100 MB of an error", raw(head(400, "text/plain"), *[b"x" * 1_000_000] * 100), "bad_response", "HTTP 400"),
]


def test_an_error_in_a_stream_is_told_without_an_http_status() -> None:
    for error in ({"code": 502, "message": "upstream went away"}, {"type": "overloaded_error"}, "went away"):
        quote = Refusal.in_stream(error).quote
        assert "HTTP" not in quote, quote
        assert "away" in quote or "overloaded" in quote, quote


@pytest.mark.parametrize(
    ("responder", "code", "says"), [case[1:] for case in FAILURES], ids=[case[0] for case in FAILURES]
)
def test_failures(responder: Responder, code: str, says: str) -> None:
    error = error_of(responder)
    assert (error.code, says in error.message) == (code, True), error.message
    assert "127.0.0.1" in error.message
    assert "test-model" in error.message
    assert len(error.message) < 1000


@pytest.mark.long
def test_silence_before_and_in_the_answer_names_the_setting() -> None:
    for responder in (silent(), silent(head()), silent(head() + FIRST_CHUNK)):
        error = error_of(responder, timeout_secs=0.2)
        assert error.code == "network"
        assert "timeout_secs = 0.2" in error.message


def test_an_answer_that_never_ends_names_the_setting() -> None:
    def drip(connection: Any, request: Any) -> None:
        connection.sendall(head())
        while True:
            connection.sendall(FIRST_CHUNK)
            time.sleep(0.02)

    error = error_of(drip, total_timeout_secs=0.3)
    assert error.code == "network"
    assert "total_timeout_secs = 0.3" in error.message


def test_nobody_there() -> None:
    with ModelServer(DONE) as server:
        settings = server.settings(max_retries=0)
    with pytest.raises(BackendError) as caught:
        plans(settings)
    assert caught.value.code == "network"
    assert "cannot be reached" in caught.value.message
    assert "base_url" in caught.value.message


@pytest.mark.parametrize("status", [429, 500, 503, 408])
def test_it_tries_again_before_the_first_byte(status: int) -> None:
    refusal = reply(status, said("later"), retry_after="0")
    with ModelServer(refusal, refusal, DONE) as server:
        assert plans(server.settings(max_retries=2))[0][1].plan.summary == "All done."
    assert len(server.requests) == 3


def test_it_tries_again_when_the_connection_is_closed_without_an_answer() -> None:
    with ModelServer(raw(), DONE) as server:
        assert plans(server.settings(max_retries=1))[0][1].plan.summary == "All done."


def test_it_never_tries_again_once_something_came() -> None:
    with ModelServer(raw(head() + FIRST_CHUNK), DONE) as server:
        with pytest.raises(BackendError):
            plans(server.settings(max_retries=5))
    assert len(server.requests) == 1


def test_it_gives_up_and_says_how_often_it_tried() -> None:
    with ModelServer(reply(503, said("later"), retry_after="0")) as server:
        with pytest.raises(BackendError) as caught:
            plans(server.settings(max_retries=2))
    assert len(server.requests) == 3
    assert "3 times" in caught.value.message


def test_a_long_wait_is_left_to_the_core() -> None:
    with ModelServer(reply(429, said("slow down"), retry_after="3600")) as server:
        with pytest.raises(BackendError) as caught:
            plans(server.settings(max_retries=5))
    assert len(server.requests) == 1
    assert caught.value.retry_after_secs == 3600.0


def test_waiting_times() -> None:
    in_a_minute = email.utils.formatdate(time.time() + 60, usegmt=True)
    assert retry_after_secs({}) is None
    assert retry_after_secs({"retry-after": "2.5"}) == 2.5
    assert retry_after_secs({"retry-after-ms": "250"}) == 0.25
    assert 0 < (retry_after_secs({"retry-after": in_a_minute}) or 0) <= 60
    assert retry_after_secs({"retry-after": "Mon, 01 Jan 2001 00:00:00 GMT"}) == 0.0
    assert retry_after_secs({"retry-after": "1e99"}) == 366 * 24 * 3600.0
    for odd in ("soon", "-5", "nan", "inf", "", "1.2.3", "Mon"):
        assert retry_after_secs({"retry-after": odd}) is None


BAD_SETTINGS: list[tuple[dict[str, Any], str]] = [
    ({"model": ""}, "no model"),
    ({"model": 5}, "model"),
    ({"base_url": "ollama:11434"}, "no http or https address"),
    ({"base_url": "http://"}, "no http or https address"),
    ({"base_url": "http://[::1"}, "no http or https address"),
    ({"base_url": "http://host:99999"}, "no http or https address"),
    ({"timeout_secs": 0}, "timeout_secs"),
    ({"timeout_secs": "soon"}, "timeout_secs"),
    ({"max_retries": -1}, "max_retries"),
    ({"temperatur": 1}, "temperatur"),
    ({"extra_headers": {"X": 1}}, "extra_headers"),
    ({"supports_tools": "perhaps"}, "supports_tools"),
    ({"api_key": "line\nfeed"}, "characters"),
    ({"api_key": "schlüssel"}, "characters"),
    ({"extra_headers": {"bad name": "x"}}, "characters"),
]


@pytest.mark.parametrize(("change", "says"), BAD_SETTINGS, ids=range(len(BAD_SETTINGS)))
def test_bad_settings_are_named(change: dict[str, Any], says: str) -> None:
    with ModelServer(DONE) as server:
        with pytest.raises(BackendError) as caught:
            plans({**server.settings(), **change})
    assert (caught.value.code, says in caught.value.message) == ("bad_settings", True), caught.value.message
    assert str(change.get("api_key", "none of it")) not in caught.value.message


def test_settings_may_be_texts_as_the_command_line_writes_them() -> None:
    with ModelServer(DONE) as server:
        plans(
            server.settings(
                timeout_secs="30", max_retries="1", supports_tools="true", temperature="0.5", api_key_env="KEY"
            )
        )
    assert server.requests[0].body["temperature"] == 0.5
    assert "tools" in server.requests[0].body


def test_embeddings_that_do_not_fit_are_refused() -> None:
    for data in (
        [],
        [{"embedding": [1.0]}] * 3,
        [{"embedding": [1.0]}, {"embedding": [1.0, 2.0]}],
        [{"embedding": "x"}],
        None,
    ):
        with ModelServer(reply(200, {"data": data})) as server:

            async def ask(settings: dict[str, Any]) -> None:
                backend = OpenAICompatible()
                backend.configure(settings)
                try:
                    await backend.embed(["x", "y"])
                finally:
                    await backend.close()

            with pytest.raises(BackendError) as caught:
                asyncio.run(ask(server.settings(embedding_model="small")))
        assert caught.value.code == "bad_response"


@pytest.mark.parametrize("is_cut", [True, False])
def test_tokens_of_an_answer_that_cannot_be_used_are_told(is_cut: bool) -> None:
    chunks = [delta(content="Well" if is_cut else ""), *([] if is_cut else [delta("stop")]), usage(1_200, 34)]
    with ModelServer(stream(*chunks, done=not is_cut)) as server, SidecarProcess() as sidecar:
        params = plan_params("openai_compatible", "Go.", settings=server.settings())
        data = sidecar.error("inference.plan", params)["data"]
    assert data["code"] == ("network" if is_cut else "bad_response")
    assert (data["usage"]["input_tokens"], data["usage"]["output_tokens"]) == (1_200, 34)


def test_a_failure_of_which_nothing_was_counted_tells_no_tokens() -> None:
    with ModelServer(stream(delta(content="Well"), done=False)) as server, SidecarProcess() as sidecar:
        params = plan_params("openai_compatible", "Go.", settings=server.settings())
        assert sidecar.error("inference.plan", params)["data"]["usage"] is None


def answers(server: ModelServer, count: int) -> list[str]:
    """What the same backend answers or fails with, one request after the other."""

    async def ask() -> list[str]:
        backend = OpenAICompatible()
        backend.configure(server.settings(max_retries=0))
        found: list[str] = []
        for _ in range(count):
            try:
                *_, reply = [piece async for piece in backend.plan(conversation())]
                assert isinstance(reply, PlanReply)
                found.append(str(reply.plan.summary))
            except BackendError as error:
                found.append(f"{error.code}: {error.message}")
        await backend.close()
        return found

    return asyncio.run(ask())


@pytest.mark.parametrize("reason", ["error", "abort", "insufficient_system_resource", "unknown"])
def test_an_answer_that_ends_for_no_known_reason_broke_off(reason: str) -> None:
    half = stream(delta(content="The first half"), delta(reason))
    with ModelServer(half, half, DONE) as server:
        first, second, third = answers(server, 3)
    assert first.startswith("network: ")
    assert f"broke off: the server ended it for the reason `{reason}`" in first
    assert second == first
    assert third == "All done."


def test_an_answer_without_any_reason_for_its_end_is_asked_again_once() -> None:
    unmarked = stream(delta(content="Maybe all."))
    with ModelServer(unmarked, unmarked, unmarked, DONE, unmarked, unmarked) as server:
        found = answers(server, 6)
    assert found[0].startswith("network: ")
    assert found[1] == found[2] == "Maybe all." + UNMARKED_NOTE
    # A server that names reasons did break off.
    assert found[3] == "All done."
    assert found[4].startswith("network: ")
    assert found[5] == "Maybe all." + UNMARKED_NOTE


def test_calls_without_any_reason_for_the_end_are_asked_again_once() -> None:
    call = delta(tool_calls=[fragment(0, call_id="c1", name="search", arguments="{}")])
    with ModelServer(stream(call)) as server:
        assert [each[:7] for each in answers(server, 2)] == ["network", "None"]
