"""What only one provider has: caches, budgets for thinking, addresses, models to fetch."""

import asyncio
from typing import Any

import pytest
from support.dialects.chat import ChatOfOpenAI
from support.dialects.claude import Claude
from support.dialects.google import Google
from support.dialects.local_ollama import LocalOllama
from support.dialects.responses import OpenAIResponses
from support.model_server import ModelServer, Responder, reply
from test_contract import asking, plans

from deputy_sidecar.errors import BackendError

CLAUDE, RESPONSES, CHAT, GOOGLE, OLLAMA = Claude(), OpenAIResponses(), ChatOfOpenAI(), Google(), LocalOllama()


def listed(double: Any, *responders: Responder) -> tuple[list[str], ModelServer]:
    async def ask(server: ModelServer) -> list[str]:
        backend = double.create()
        backend.configure(double.settings(server))
        try:
            found: list[str] = await backend.models()
            return found
        finally:
            await backend.close()

    with ModelServer(*responders) as server:
        return asyncio.run(ask(server)), server


def refused(message: str) -> Responder:
    return reply(400, {"type": "error", "error": {"type": "invalid_request_error", "message": message}})


def test_claude_caches_tools_and_rules_and_the_conversation_so_far() -> None:
    with ModelServer(CLAUDE.answer("Yes.")) as server:
        plans(CLAUDE, server)
    body = server.requests[0].body
    assert body["cache_control"] == body["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert server.requests[0].headers["anthropic-version"] == "2023-06-01"


@pytest.mark.parametrize(
    ("says", "is_fixed"),
    [
        ("cache_control: Extra inputs are not permitted", lambda body: "cache_control" not in str(body)),
        ("adaptive thinking is not supported on this model", lambda body: "thinking" not in body),
        ("max_tokens: 16000 > 8192, which is the maximum", lambda body: body["max_tokens"] == 8192),
    ],
)
def test_claude_goes_without_what_a_model_does_not_know(says: str, is_fixed: Any) -> None:
    with ModelServer(refused(says), CLAUDE.answer("Yes.")) as server:
        plans(CLAUDE, server, asking(), asking())
    assert len(server.requests) == 3
    assert all(is_fixed(request.body) for request in server.requests[1:])


def test_a_budget_for_thinking_leaves_room_for_the_answer_and_no_temperature() -> None:
    with ModelServer(CLAUDE.answer("Yes.")) as server:
        plans(CLAUDE, server, thinking="budget", thinking_tokens=20_000, temperature=0.2)
    body = server.requests[0].body
    assert body["thinking"] == {"type": "enabled", "budget_tokens": 20_000}
    assert body["max_tokens"] > 20_000
    assert "temperature" not in body


def test_nothing_is_stored_at_openai_and_models_without_thoughts_are_not_asked_for_them() -> None:
    refusal = reply(400, {"error": {"message": "Encrypted content is not supported: reasoning", "code": "x"}})
    with ModelServer(refusal, RESPONSES.answer("Yes.")) as server:
        plans(RESPONSES, server, reasoning_effort="high")
    first, second = (request.body for request in server.requests)
    assert first["reasoning"] == {"summary": "auto", "effort": "high"}
    assert ("reasoning" in second, "include" in second) == (False, False)
    assert all(body["store"] is False for body in (first, second))


def test_azure_has_its_own_header_and_addresses() -> None:
    with ModelServer(CHAT.answer("Yes.")) as server:
        azure: dict[str, Any] = {"service": "azure", "api_key": "key-12345678"}
        plans(CHAT, server, **azure)
        plans(CHAT, server, **azure, api_version="2024-10-21", base_url=server.base_url.replace("/v1", "/openai"))
    new, old = server.requests
    assert new.line.split()[1] == "/v1/chat/completions"
    assert old.line.split()[1] == "/openai/deployments/test-model/chat/completions?api-version=2024-10-21"
    for request in server.requests:
        assert request.headers["api-key"] == "key-12345678"
        assert "authorization" not in request.headers


def test_azure_is_told_by_its_address() -> None:
    from deputy_sidecar.backends.openai import Settings

    for host, is_azure in (("me.openai.azure.com", True), ("api.openai.com", False), ("openai.azure.com.evil", False)):
        assert Settings(base_url=f"https://{host}/openai/v1").is_azure is is_azure


def test_models_are_listed() -> None:
    assert listed(CLAUDE, reply(200, {"data": [{"id": "b"}, {"id": "a"}]}))[0] == ["a", "b"]
    assert listed(RESPONSES, reply(200, {"data": [{"id": "a"}, {"no": "id"}]}))[0] == ["a"]
    assert listed(OLLAMA, reply(200, {"models": [{"name": "qwen3:8b"}]}))[0] == ["qwen3:8b"]
    embeds_only = {"name": "models/e", "supportedGenerationMethods": ["embedContent"]}
    answers = {"name": "models/g", "supportedGenerationMethods": ["generateContent"]}
    pages = [reply(200, {"models": [answers], "nextPageToken": "n/2"}), reply(200, {"models": [embeds_only]})]
    found, server = listed(GOOGLE, *pages)
    assert found == ["g"]
    assert server.requests[1].line.split()[1] == "/v1beta/models?pageSize=1000&pageToken=n%2F2"


def test_a_key_of_googles_never_stands_in_the_address() -> None:
    with ModelServer(GOOGLE.answer("Yes.")) as server:
        plans(GOOGLE, server, api_key="key-12345678")
    assert server.requests[0].line == "POST /v1beta/models/test-model:streamGenerateContent?alt=sse HTTP/1.1"
    assert server.requests[0].headers["x-goog-api-key"] == "key-12345678"


def test_gemini_calls_of_another_model_are_sent_with_the_mark_that_they_have_no_signature() -> None:
    from test_contract import called, result, user

    told = asking(user("Go."), called("t1-1-1", "t1-1-2"), result("t1-1-1"), result("t1-1-2"))
    with ModelServer(GOOGLE.answer("Yes.")) as server:
        plans(GOOGLE, server, told)
    assert [each.state for each in GOOGLE.said(server.requests[0])] == [(), ("skip_thought_signature_validator",), ()]


def test_the_signature_of_a_question_is_not_sent_with_the_call_beside_it() -> None:
    from test_contract import called, result, user

    question = {"functionCall": {"name": "ask_user", "args": {"question": "Red?"}}, "thoughtSignature": "of-question"}
    signed = {"functionCall": {"name": "search", "args": {"action": "ls"}}, "thoughtSignature": "of-search"}
    bare = {"functionCall": {"name": "search", "args": {"action": "ls"}}}
    for parts, expected in (
        ([question, bare], "skip_thought_signature_validator"),
        ([question, signed], "of-search"),
        ([signed, question], "of-search"),
    ):
        answer = GOOGLE.respond([{"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]}])
        with ModelServer(answer, GOOGLE.answer("Yes.")) as server:
            ((_, asked),) = plans(GOOGLE, server)
            assert (asked.plan.question, len(asked.plan.tool_calls)) == ("Red?", 1)
            told = called("t1-1-1", state=asked.plan.provider_state)
            plans(GOOGLE, server, asking(user("Go."), told, result("t1-1-1")))
        assert GOOGLE.said(server.requests[1])[1].state == (expected,)


def test_ollama_is_told_how_much_the_model_can_hold() -> None:
    shown = reply(200, {"model_info": {"general.architecture": "qwen3", "qwen3.context_length": 16_384}})
    with ModelServer(shown, OLLAMA.answer("Yes.")) as server:
        plans(OLLAMA, server, asking(), asking(), context_tokens=None, keep_alive="-1", thinking="on")
    assert [request.line.split()[1] for request in server.requests] == ["/api/show", "/api/chat", "/api/chat"]
    body = server.requests[1].body
    assert (body["options"]["num_ctx"], body["keep_alive"], body["think"]) == (16_384, -1, True)


def test_a_model_that_is_missing_is_fetched_once_where_that_is_wanted() -> None:
    missing = OLLAMA.refusal("model_missing")
    steps: list[dict[str, Any]] = [{"status": "pulling manifest"}]
    steps += [{"status": "pulling 8ab", "total": 200, "completed": done} for done in (1, 19, 20, 200)]
    pulled = OLLAMA.respond([*steps, {"status": "success"}])
    with ModelServer(missing, pulled, OLLAMA.answer("Yes.")) as server:
        ((text, answer),) = plans(OLLAMA, server, fetch_model=True)
    assert text.splitlines()[:3] == [
        "test-model: pulling manifest",
        "test-model: pulling 8ab, 0 %",
        "test-model: pulling 8ab, 10 %",
    ]
    assert answer.plan.summary == "Yes."
    for script in ([missing], [missing, pulled, missing], [missing, OLLAMA.respond([{"error": "no such model"}])]):
        with ModelServer(*script) as server, pytest.raises(BackendError) as caught:
            plans(OLLAMA, server, fetch_model=len(script) > 1)
        assert caught.value.code == "model_missing"
        assert len(server.requests) == len(script)
