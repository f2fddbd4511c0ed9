"""The providers' own packages read the doubles, and take what the backends send: so the dialects are the real ones."""

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.dialects import USED
from support.dialects.chat import ChatOfOpenAI
from support.dialects.claude import Claude
from support.dialects.double import Double
from support.dialects.google import Google
from support.dialects.local_ollama import LocalOllama
from support.dialects.responses import OpenAIResponses
from support.model_server import ModelServer
from test_contract import PICTURE, asking, called, plans, result, user

from deputy_sidecar.backend import Conversation

with warnings.catch_warnings():
    # Packages of others warn of packages of others.
    warnings.simplefilter("ignore")
    import anthropic
    import ollama
    import openai
    from anthropic.types.message_create_params import MessageCreateParamsStreaming
    from google import genai
    from google.genai import types as google
    from ollama._types import ChatRequest
    from openai.types.responses.response_create_params import ResponseCreateParamsStreaming
    from pydantic import TypeAdapter

ROOT = Path(__file__).resolve().parents[2]
Read = tuple[str, list[tuple[str, Any]], tuple[int, int]]


def read_claude(server: ModelServer) -> Read:
    with (
        anthropic.Anthropic(api_key="k", base_url=server.base_url.removesuffix("/v1"), max_retries=0) as client,
        client.messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": "Hi"}]) as stream,
    ):
        message = stream.get_final_message()
    text = "".join(each.text for each in message.content if each.type == "text")
    used = message.usage
    read = used.input_tokens + (used.cache_read_input_tokens or 0) + (used.cache_creation_input_tokens or 0)
    calls = [(each.name, each.input) for each in message.content if each.type == "tool_use"]
    return text, calls, (read, used.output_tokens)


def read_responses(server: ModelServer) -> Read:
    with (
        openai.OpenAI(api_key="k", base_url=server.base_url, max_retries=0) as client,
        client.responses.stream(model="m", input="Hi") as stream,
    ):
        response = stream.get_final_response()
    calls = [(each.name, json.loads(each.arguments)) for each in response.output if each.type == "function_call"]
    assert response.usage is not None
    return response.output_text, calls, (response.usage.input_tokens, response.usage.output_tokens)


def read_chat(server: ModelServer) -> Read:
    with (
        openai.OpenAI(api_key="k", base_url=server.base_url, max_retries=0) as client,
        client.chat.completions.stream(
            model="m", messages=[{"role": "user", "content": "Hi"}], stream_options={"include_usage": True}
        ) as stream,
    ):
        whole = stream.get_final_completion()
    message = whole.choices[0].message
    calls = [(each.function.name, json.loads(each.function.arguments)) for each in message.tool_calls or []]
    assert whole.usage is not None
    return message.content or "", calls, (whole.usage.prompt_tokens, whole.usage.completion_tokens)


def read_google(server: ModelServer) -> Read:
    options = google.HttpOptions(base_url=server.base_url.removesuffix("/v1"))
    text, calls, used = "", [], (0, 0)
    with genai.Client(api_key="k", http_options=options) as client:
        for chunk in client.models.generate_content_stream(model="m", contents="Hi"):
            text += "".join(part.text or "" for part in chunk.parts or [] if not part.thought)
            calls += [(each.name or "", each.args) for each in chunk.function_calls or []]
            if counted := chunk.usage_metadata:
                written = (counted.candidates_token_count or 0) + (counted.thoughts_token_count or 0)
                used = (counted.prompt_token_count or 0, written)
    return text, calls, used


def read_ollama(server: ModelServer) -> Read:
    client = ollama.Client(host=server.base_url.removesuffix("/v1"))
    text, calls, used = "", [], (0, 0)
    for chunk in client.chat(model="m", messages=[{"role": "user", "content": "Hi"}], stream=True):
        text += chunk.message.content or ""
        calls += [(each.function.name, dict(each.function.arguments)) for each in chunk.message.tool_calls or []]
        used = (chunk.prompt_eval_count or 0, chunk.eval_count or 0)
    client._client.close()
    return text, calls, used


READERS: list[tuple[Double, Callable[[ModelServer], Read]]] = [
    (Claude(), read_claude),
    (OpenAIResponses(), read_responses),
    (ChatOfOpenAI(), read_chat),
    (Google(), read_google),
    (LocalOllama(), read_ollama),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("double", "read"), READERS, ids=lambda each: getattr(each, "name", ""))
def test_the_real_package_understands_the_double(double: Double, read: Callable[[ModelServer], Read]) -> None:
    calls = [("search", {"action": "ls"}), ("mcp_notes_add", {})]
    with ModelServer(double.answer("I look.", thought="Hm.", calls=calls)) as server:
        found = read(server)
    assert found == ("I look.", calls, (USED["input"], USED["output"]))


def google_request(body: dict[str, Any]) -> None:
    """Google's package has a type for each part of a request, and none for the whole."""
    assert set(body) <= {"contents", "tools", "systemInstruction", "generationConfig"}
    for content in [*body["contents"], body["systemInstruction"]]:
        google.Content.model_validate(content)
    for tool in body["tools"]:
        google.Tool.model_validate(tool)
    google.GenerationConfig.model_validate(body["generationConfig"])


def ollama_request(body: dict[str, Any]) -> None:
    """Ollama's package knows less of JSON Schema than Ollama does, and of the rest all."""
    ChatRequest.model_validate({**body, "tools": []}, extra="forbid")
    ChatRequest.model_validate(body)


SHAPES: list[tuple[Double, Callable[[dict[str, Any]], Any]]] = [
    (Claude(), lambda body: TypeAdapter(MessageCreateParamsStreaming).validate_python(body, extra="forbid")),
    (OpenAIResponses(), lambda body: TypeAdapter(ResponseCreateParamsStreaming).validate_python(body, extra="forbid")),
    (Google(), google_request),
    (LocalOllama(), ollama_request),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("double", "check"), SHAPES, ids=lambda each: getattr(each, "name", ""))
def test_every_request_fits_the_real_packages_types(double: Double, check: Callable[[dict[str, Any]], Any]) -> None:
    with ModelServer(
        double.answer(thought="Hm.", calls=[("search", {"action": "ls"})]), double.answer("Yes.")
    ) as server:
        ((_, first),) = plans(double, server)
        told = [
            user("Look."),
            called("t1-1-1", "t1-1-2", text="I look.", state=first.plan.provider_state),
            result("t1-1-1", pictures=[PICTURE]),
            result("t1-1-2", "no", ok=False),
            {"role": "assistant", "text": "Which?", "tool_calls": []},
            user("Both."),
            called("t1-2-1"),
        ]
        plans(double, server, asking(*told), max_output_tokens=500, temperature=0.2)
    for request in server.requests:
        check(request.body)


def functions() -> list[dict[str, Any]]:
    """All of Deputy's functions, as the core sends them."""
    read: list[dict[str, Any]] = json.loads((ROOT / "tests/functions.json").read_text(encoding="utf-8"))
    assert len(read) > 50
    return read


@pytest.mark.parametrize(("double", "check"), SHAPES, ids=[double.name for double, _ in SHAPES])
def test_every_function_of_deputy_fits_the_real_packages_types(
    double: Double, check: Callable[[dict[str, Any]], Any]
) -> None:
    all_of_them = functions()
    messages = msgspec.Raw(msgspec.json.encode([user("Tidy up.")]))
    conversation = Conversation("You are a deputy.", messages, msgspec.Raw(msgspec.json.encode(all_of_them)))
    with ModelServer(double.answer("Yes.")) as server:
        plans(double, server, conversation)
    (request,) = server.requests
    check(request.body)
    sent = json.dumps(request.body)
    for function in all_of_them:
        assert f'"{function["name"]}"' in sent
        # Each schema arrives unchanged.
        assert json.dumps(function["parameters"]) in sent, function["name"]


def test_every_schema_is_one_that_all_providers_and_grammars_know() -> None:
    # What OpenAI, Anthropic, Google, Ollama and the grammars of llama.cpp have in common.
    known = {"type", "properties", "required", "items", "enum", "description", "minimum", "maximum"}

    def walk(schema: dict[str, Any]) -> None:
        assert known.issuperset(schema), schema
        assert schema["type"] in {"object", "string", "integer", "number", "boolean", "array"}
        for each in schema.get("properties", {}).values():
            walk(each)
        if "items" in schema:
            walk(schema["items"])

    for function in functions():
        assert function["parameters"]["type"] == "object"
        walk(function["parameters"])
