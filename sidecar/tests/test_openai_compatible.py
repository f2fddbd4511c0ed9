"""The OpenAI-compatible backend against a server on loopback; what is sent must fit the `openai` package's types."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import httpx
import msgspec
import pytest
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.completion_create_params import CompletionCreateParams
from pydantic import TypeAdapter
from support.model_server import ModelServer, Responder, delta, fragment, head, raw, reply, stream, usage

from deputy_sidecar.backend import Conversation
from deputy_sidecar.backends.openai_compatible import OpenAICompatible
from deputy_sidecar.errors import BackendError
from deputy_sidecar.models import PlanReply
from deputy_sidecar.provider.client import proxy_for

REQUEST_SHAPE: TypeAdapter[Any] = TypeAdapter(CompletionCreateParams)
TOOLS = [
    {"name": "search", "description": "Looks at files.", "parameters": {"type": "object", "properties": {}}},
    {"name": "mcp.notes/add", "description": "Adds a note.", "parameters": {"type": "object", "properties": {}}},
]
HELLO = [{"role": "user", "text": "Tidy up."}]
DONE = stream(
    delta(role="assistant", content=""), delta(content="All "), delta(content="done."), delta("stop"), usage(12, 3)
)


def conversation(messages: Sequence[Any] = HELLO, tools: Sequence[Any] = TOOLS) -> Conversation:
    raw_messages = msgspec.Raw(msgspec.json.encode(messages))
    return Conversation("You are a deputy.", raw_messages, msgspec.Raw(msgspec.json.encode(tools)))


async def _plans(settings: dict[str, Any], conversations: Sequence[Conversation]) -> list[tuple[list[str], PlanReply]]:
    backend = OpenAICompatible()
    backend.configure(settings)
    try:
        answers: list[tuple[list[str], PlanReply]] = []
        for each in conversations:
            *texts, reply = [piece async for piece in backend.plan(each)]
            assert isinstance(reply, PlanReply)
            answers.append(([text for text in texts if isinstance(text, str)], reply))
        return answers
    finally:
        await backend.close()


def plans(settings: dict[str, Any], *conversations: Conversation) -> list[tuple[list[str], PlanReply]]:
    return asyncio.run(_plans(settings, conversations or [conversation()]))


def error_of(responder: Responder, **settings: Any) -> BackendError:
    """What a single attempt fails with."""
    with ModelServer(responder) as server:
        with pytest.raises(BackendError) as caught:
            plans(server.settings(max_retries=0, **settings))
    return caught.value


def sent_messages(server: ModelServer, number: int = -1) -> Any:
    return server.requests[number].body["messages"]


def test_an_answer_in_text_is_streamed_and_becomes_the_summary() -> None:
    with ModelServer(DONE) as server:
        ((texts, reply),) = plans(server.settings())
    assert texts == ["All ", "done."]
    assert (reply.plan.is_complete, reply.plan.summary) == (True, "All done.")
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (12, 3)


def test_what_a_provider_does_not_count_is_estimated_and_pictures_are_not_their_bytes() -> None:
    """A limit of tokens held for no server that counts nothing, or nonsense."""
    said = [delta(role="assistant", content="All done, " * 8), delta("stop")]
    nonsense = {"choices": [], "usage": {"prompt_tokens": -5, "completion_tokens": 10**30}}
    for chunks in (said, [*said, nonsense], [*said, {"choices": [], "usage": {"prompt_tokens": "many"}}]):
        with ModelServer(stream(*chunks)) as server:
            ((_, reply),) = plans(server.settings(), conversation([{"role": "user", "text": "word " * 4_000}]))
        assert 5_000 <= reply.usage.input_tokens <= 6_000
        assert reply.usage.output_tokens == 20
    answer = OpenAICompatible().answer({})
    answer.body = b'{"url":"data:image/png;base64,' + b"iVBORw0KGgo" * 100_000 + b'"}'
    assert answer.counted().input_tokens < 2_000


def test_half_a_character_costs_no_answer() -> None:
    """An answer with half of a surrogate pair, or with bytes that are no UTF-8, was said to be no JSON."""
    text = rb"a \ud83d b \ude00 c \ud83d\ude00 d \\ud83d e " + b"\xff\xfe"
    event = b'data: {"id":"c","choices":[{"index":0,"delta":{"content":"' + text + b'"},"finish_reason":"stop"}]}\n\n'
    with ModelServer(raw(head(), event, b"data: [DONE]\n\n")) as server:
        ((_, reply),) = plans(server.settings(max_retries=0))
    assert reply.plan.summary == "a \ufffd b \ufffd c \U0001f600 d \\ud83d e \ufffd\ufffd"


def test_a_stream_that_is_cut_within_an_event_is_no_wrong_address() -> None:
    """The beginning of an event was said to be no JSON, with the advice to check the address."""
    event = b'data: {"id":"c","choices":[{"index":0,"delta":{"content":"All done."}}]}\n\n'
    for cut in range(6, 2 * len(event) - 1):
        error = error_of(raw(head(), (event + event)[:cut]))
        assert (error.code, "was lost" in error.message) == ("network", True), (cut, error.message)


def test_calls_come_as_calls() -> None:
    answer = stream(
        delta(role="assistant", content="I look."),
        delta(tool_calls=[fragment(0, call_id="c1", name="search", arguments='{"action":')]),
        delta(
            tool_calls=[fragment(0, arguments='"ls"}'), fragment(1, call_id="c2", name="mcp_notes_add", arguments="{}")]
        ),
        delta("tool_calls"),
        usage(5, 6),
    )
    with ModelServer(answer) as server:
        ((_, reply),) = plans(server.settings())
    assert reply.plan.reasoning == "I look."
    assert [(call.tool, call.parameters) for call in reply.plan.tool_calls] == [
        ("search", {"action": "ls"}),
        ("mcp.notes/add", {}),
    ]


def test_the_chunks_of_these_tests_are_what_the_openai_package_reads() -> None:
    chunks = [
        delta(role="assistant", content="x"),
        delta("tool_calls", tool_calls=[fragment(0, call_id="c", name="s", arguments="{}")]),
        usage(1, 2),
    ]
    for chunk in chunks:
        ChatCompletionChunk.model_validate(chunk)


def test_every_request_fits_the_openai_packages_types() -> None:
    messages = [
        *HELLO,
        {
            "role": "assistant",
            "text": "",
            "tool_calls": [{"id": "t1-1-1", "tool": "search", "parameters": {"action": "ls"}}],
        },
        {"role": "tool", "call": "t1-1-1", "tool": "search", "content": "a.txt", "ok": True},
        {"role": "assistant", "text": "Which one?", "tool_calls": []},
        {"role": "user", "text": "Both."},
    ]
    settings = {
        "temperature": 0.2,
        "max_output_tokens": 500,
        "api_key": "key-12345678",
        "extra_headers": {"X-Title": "Deputy"},
    }
    with ModelServer(DONE) as server:
        plans(server.settings(**settings), conversation(), conversation(messages), conversation(messages, tools=[]))
    for request in server.requests:
        REQUEST_SHAPE.validate_python(request.body, strict=True, extra="forbid")
        assert request.line == "POST /v1/chat/completions HTTP/1.1"
        assert request.headers["authorization"] == "Bearer key-12345678"
        assert request.headers["x-title"] == "Deputy"
        assert request.headers["content-type"] == "application/json"
        assert request.body["stream_options"] == {"include_usage": True}
        assert (request.body["temperature"], request.body["max_tokens"]) == (0.2, 500)
    names = [tool["function"]["name"] for tool in server.requests[0].body["tools"]]
    assert names == ["search", "mcp_notes_add", "ask_user"]
    sent = sent_messages(server, 1)
    assert [message["role"] for message in sent] == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert sent[2]["content"] is None
    assert sent[2]["tool_calls"][0]["id"] == sent[3]["tool_call_id"]
    assert json.loads(sent[2]["tool_calls"][0]["function"]["arguments"]) == {"action": "ls"}


def test_without_a_key_none_is_sent() -> None:
    with ModelServer(DONE) as server:
        plans(server.settings())
    assert "authorization" not in server.requests[0].headers


def test_one_connection_serves_many_requests() -> None:
    with ModelServer(DONE) as server:
        plans(server.settings(), *[conversation()] * 5)
    assert (len(server.requests), server.connections) == (5, 1)


def test_a_kept_connection_that_was_closed_is_opened_again() -> None:
    closing = raw(head() + b'data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
    with ModelServer(closing, closing) as server:
        answers = plans(server.settings(), conversation(), conversation())
    assert [reply.plan.summary for _, reply in answers] == ["x", "x"]


def test_a_server_that_does_not_stream_is_understood() -> None:
    message = {"role": "assistant", "content": "All done."}
    whole = {
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2},
    }
    with ModelServer(reply(200, whole)) as server:
        ((_, answer),) = plans(server.settings())
    assert answer.plan.summary == "All done."
    assert answer.usage.output_tokens == 2


def test_a_stream_that_does_not_say_so_is_understood() -> None:
    events = b'data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    with ModelServer(raw(head(content_type="text/plain") + events)) as server:
        assert plans(server.settings())[0][1].plan.summary == "Yes."


def test_a_stream_without_done_but_with_a_reason_is_whole() -> None:
    with ModelServer(stream(delta(content="Yes."), delta("stop"), done=False)) as server:
        assert plans(server.settings())[0][1].plan.summary == "Yes."


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (400, {"error": {"message": "registry.ollama.ai/library/gemma:2b does not support tools"}}, "tools"),
        (500, {"error": {"message": "tools param requires --jinja flag"}}, "tools"),
        (
            400,
            {"message": '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'},
            "tools",
        ),
        (404, {"error": {"message": "No endpoints found that support tool use."}}, "tools"),
    ],
)
def test_a_model_without_tool_calling_gets_the_tools_as_text(status: int, body: Any, code: str) -> None:
    plan = '{"reasoning": "I look.", "tool_calls": [{"tool": "search", "parameters": {"action": "ls"}}]}'
    messages = [
        *HELLO,
        {"role": "assistant", "text": "I look.", "tool_calls": [{"id": "t1-1-1", "tool": "search", "parameters": {}}]},
        {"role": "tool", "call": "t1-1-1", "tool": "search", "content": "a.txt", "ok": True},
    ]
    with ModelServer(reply(status, body), stream(delta(content=plan), delta("stop"))) as server:
        answers = plans(server.settings(), conversation(), conversation(messages))
    assert [call.tool for _, answer in answers for call in answer.plan.tool_calls] == ["search", "search"]
    assert ["tools" in request.body for request in server.requests] == [True, False, False]
    for request in server.requests:
        REQUEST_SHAPE.validate_python(request.body, strict=True, extra="forbid")
    assert "mcp.notes/add: Adds a note." in sent_messages(server)[0]["content"]
    assert [message["role"] for message in sent_messages(server)] == ["system", "user", "assistant", "user"]


def test_supports_tools_says_it_without_asking() -> None:
    with ModelServer(DONE) as server:
        plans(server.settings(supports_tools=False))
        assert "tools" not in server.requests[0].body
    refused = error_of(reply(400, {"error": {"message": "this model does not support tools"}}), supports_tools=True)
    assert refused.code == "bad_response"


@pytest.mark.parametrize(
    ("says", "is_fixed"),
    [
        (
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            lambda body: body["max_completion_tokens"] == 9,
        ),
        ("Unknown field stream_options", lambda body: "stream_options" not in body),
        ("'temperature' does not support 0.5 with this model.", lambda body: "temperature" not in body),
    ],
)
def test_what_a_provider_does_not_know_is_left_out_from_then_on(says: str, is_fixed: Any) -> None:
    with ModelServer(reply(400, {"error": {"message": says}}), DONE) as server:
        plans(server.settings(temperature=0.5, max_output_tokens=9), conversation(), conversation())
    assert len(server.requests) == 3
    assert is_fixed(server.requests[1].body)
    assert is_fixed(server.requests[2].body)


def test_complete_and_models_and_embeddings() -> None:
    vectors = {"data": [{"index": 1, "embedding": [0.0, 1.0]}, {"index": 0, "embedding": [1, 0]}]}
    listed = {"data": [{"id": "b"}, {"id": "a"}, {"no": "id"}]}

    async def ask(settings: dict[str, Any]) -> tuple[str, list[str], Any]:
        backend = OpenAICompatible()
        backend.configure(settings)
        try:
            text = (await backend.complete("Be brief.", "Hello?")).text
            return text, await backend.models(), (await backend.embed(["x", "y"])).vectors
        finally:
            await backend.close()

    with ModelServer(DONE, reply(200, listed), reply(200, vectors)) as server:
        answer = asyncio.run(ask(server.settings(embedding_model="small")))
    assert answer == ("All done.", ["a", "b"], [[1.0, 0.0], [0.0, 1.0]])
    assert [request.line.split()[1] for request in server.requests] == [
        "/v1/chat/completions",
        "/v1/models",
        "/v1/embeddings",
    ]
    assert server.requests[2].body == {"model": "small", "input": ["x", "y"]}


def test_the_environments_proxy_is_used_unless_it_excepts_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer(DONE) as proxy:
        monkeypatch.setenv("http_proxy", proxy.base_url.removesuffix("/v1"))
        plans({"base_url": "http://model.test/v1", "model": "far"})
        assert proxy.requests[0].line.startswith("POST http://model.test/v1/chat/completions ")
        plans(proxy.settings())
        assert proxy.requests[1].line.startswith("POST /v1/chat/completions "), (
            "what is on this machine is asked directly"
        )
        assert proxy_for(httpx.URL("http://model.test/v1")) == proxy.base_url.removesuffix("/v1")
        monkeypatch.setenv("no_proxy", "model.test")
        assert proxy_for(httpx.URL("http://model.test/v1")) is None


def test_a_user_in_the_address_signs_in() -> None:
    with ModelServer(DONE) as server:
        plans(server.settings(base_url=server.base_url.replace("://", "://ada:p%40ss@")))
    assert server.requests[0].headers["authorization"] == "Basic YWRhOnBAc3M="
    assert "ada" not in server.requests[0].headers["host"]
