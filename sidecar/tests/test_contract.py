"""What every backend over HTTP does, whatever its dialect: same answers, same failures, same conversation."""

import asyncio
import json
import threading
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from support.dialects import DIALECTS, USED, Double, Said
from support.dice import dice
from support.model_server import ModelServer, Responder, head, raw, reply, silent

from deputy_sidecar.backend import Conversation
from deputy_sidecar.errors import BackendError
from deputy_sidecar.models import EarlierTask, PlanReply
from deputy_sidecar.provider.plan import CUT_OFF_NOTE

TOOLS = [
    {
        "name": "search",
        "description": "Looks at files.",
        "parameters": {"type": "object", "properties": {"action": {"type": "string"}}},
    },
    {"name": "mcp.notes/add", "description": "Adds a note.", "parameters": {"type": "object", "properties": {}}},
]
SYSTEM = "You are a deputy."
PICTURE = {"media_type": "image/png", "alt": "a.png", "base64": "AAAA", "digest": "0" * 64}

both = pytest.mark.parametrize("double", DIALECTS, ids=lambda double: double.name)


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "text": text}


def called(*ids: str, text: str = "", state: str | None = None) -> dict[str, Any]:
    calls = [{"id": each, "tool": "search", "parameters": {"action": "ls"}} for each in ids]
    return {"role": "assistant", "text": text, "tool_calls": calls, "provider_state": state}


def result(call: str, content: str = "a.txt", *, ok: bool = True, pictures: Sequence[Any] = ()) -> dict[str, Any]:
    return {"role": "tool", "call": call, "tool": "search", "content": content, "ok": ok, "pictures": list(pictures)}


def asking(*messages: dict[str, Any]) -> Conversation:
    encoded = msgspec.Raw(msgspec.json.encode(messages or [user("Tidy up.")]))
    return Conversation(SYSTEM, encoded, msgspec.Raw(msgspec.json.encode(TOOLS)))


async def _plan(backend: Any, conversation: Conversation) -> tuple[str, PlanReply]:
    *texts, reply_ = [piece async for piece in backend.plan(conversation)]
    assert isinstance(reply_, PlanReply)
    return "".join(texts), reply_


def plans(double: Double, server: ModelServer, *conversations: Conversation, **settings: Any) -> list[tuple[str, Any]]:
    async def ask() -> list[tuple[str, Any]]:
        backend = double.create()
        backend.configure(double.settings(server, **settings))
        try:
            return [await _plan(backend, each) for each in conversations or [asking()]]
        finally:
            await backend.close()

    return asyncio.run(ask())


def failure(double: Double, *responders: Responder, **settings: Any) -> BackendError:
    with ModelServer(*responders) as server, pytest.raises(BackendError) as caught:
        plans(double, server, **{"max_retries": 0, **settings})
    return caught.value


def outcome(double: Double, server: ModelServer) -> str:
    """`planned` where the plan is the whole one, else the failure's code."""
    try:
        ((_, answer),) = plans(double, server, max_retries=1)
    except BackendError as error:
        return error.code
    made = [(call.tool, call.parameters) for call in answer.plan.tool_calls]
    return "planned" if made == [("search", {"action": "ls"})] else f"another plan: {made}"


def merged(said: list[Said]) -> list[Said]:
    """Neighbors of one role as one: some dialects write a turn as one message, some as several."""
    found: list[Said] = []
    for each in said:
        if found and found[-1].role == each.role and each.role != "user":
            last = found.pop()
            found.append(
                Said(
                    each.role,
                    last.text + each.text,
                    last.calls + each.calls,
                    last.results + each.results,
                    last.pictures + each.pictures,
                    last.state + each.state,
                )
            )
        else:
            found.append(each)
    return found


@both
def test_text_is_streamed_and_becomes_the_summary_and_tokens_are_counted(double: Double) -> None:
    with ModelServer(double.answer("All done.", thought="Hm. ")) as server:
        ((text, answer),) = plans(double, server)
    assert text == "Hm. All done."
    assert (answer.plan.is_complete, answer.plan.summary) == (True, "All done.")
    used = answer.usage
    assert (used.input_tokens, used.output_tokens) == (USED["input"], USED["output"])
    assert used.cached_tokens == (USED["cached"] if double.counts_cached else 0)
    assert used.reasoning_tokens == (USED["thought"] if double.counts_thought else 0)


@both
def test_calls_a_question_and_the_tools_own_names(double: Double) -> None:
    calls = [("search", {"action": "ls"}), ("mcp_notes_add", {})]
    asks = double.answer(calls=[("ask_user", {"question": "Which one?"})])
    with ModelServer(double.answer("I look.", calls=calls), asks) as server:
        (_, first), (_, second) = plans(double, server, asking(), asking())
    made = [(call.tool, call.parameters, call.problem) for call in first.plan.tool_calls]
    assert made == [("search", {"action": "ls"}, None), ("mcp.notes/add", {}, None)]
    assert first.plan.reasoning == "I look."
    assert (second.plan.question, second.plan.tool_calls) == ("Which one?", [])
    offered = double.tools(server.requests[0])
    assert list(offered) == ["search", "mcp_notes_add", "ask_user"]
    assert offered["search"] == TOOLS[0]["parameters"]


@both
def test_an_unknown_tool_keeps_its_name_and_unreadable_arguments_say_so(double: Double) -> None:
    is_object_only = double.name in {"gemini", "ollama"}
    wrong: Any = {} if is_object_only else '{"action": "l'
    with ModelServer(double.answer(calls=[("rm_everything", {"x": 1}), ("search", wrong)])) as server:
        ((_, answer),) = plans(double, server)
    unknown, unreadable = answer.plan.tool_calls
    assert (unknown.tool, unknown.parameters) == ("rm_everything", {"x": 1})
    assert is_object_only or ("They begin" in (unreadable.problem or "") and unreadable.parameters == {})


@both
def test_what_was_cut_off_at_the_limit_says_so(double: Double) -> None:
    with ModelServer(double.answer("The first half", cut=True)) as server:
        ((_, answer),) = plans(double, server)
    assert answer.plan.summary == "The first half" + CUT_OFF_NOTE


@both
def test_the_conversation_arrives_whole_and_paired(double: Double) -> None:
    conversation = asking(
        user("Tidy up."),
        called("t1-1-1", "t1-1-2", text="I look."),
        result("t1-1-1"),
        result("t1-1-2", "no such file", ok=False),
        called("t1-2-1"),
        user("Stop."),
    )
    with ModelServer(double.answer("Yes.")) as server:
        plans(double, server, conversation, api_key="key-12345678")
    (request,) = server.requests
    assert double.system(request).startswith(SYSTEM)
    assert "key-12345678" in "".join(request.headers.values())
    assert "key-12345678" not in request.line + json.dumps(request.body)
    first, looked, found, again, missing, stop = merged(double.said(request))
    assert first == Said("user", "Tidy up.")
    assert (looked.role, looked.text) == ("assistant", "I look.")
    assert [(name, json.loads(written)) for name, written in looked.calls] == [("search", {"action": "ls"})] * 2
    assert found.role == "results"
    assert ["a.txt" in found.results[0], "did not succeed" in found.results[1]] == [True, True]
    assert all(each.startswith("<<data ") for each in found.results)
    assert (len(again.calls), len(missing.results)) == (1, 1)
    assert "no result" in missing.results[0]
    assert stop == Said("user", "Stop.")


@both
def test_pictures_reach_the_model_with_the_results_of_their_turn(double: Double) -> None:
    seen = [user("Look."), called("t1-1-1", "t1-1-2"), result("t1-1-1", pictures=[PICTURE]), result("t1-1-2")]
    with ModelServer(double.answer("A cat.")) as server:
        plans(double, server, asking(*seen))
    said = double.said(server.requests[0])
    assert sum(len(each.results) for each in said) == 2
    assert [each.pictures for each in said if each.pictures] == [("AAAA",)]


@both
def test_what_was_sent_once_is_sent_again_byte_for_byte(double: Double) -> None:
    told = [user("Tidy up.")]
    conversations = []
    for number in range(20):
        told += [called(f"t1-{number}-1", text=f"Step {number}"), result(f"t1-{number}-1", f"file {number}")]
        if number % 5 == 4:
            told.append(user(f"Mind {number}."))
        conversations.append(asking(*told))
    with ModelServer(double.answer("Yes.")) as server:
        plans(double, server, *conversations)
    for before, after in zip(server.requests, server.requests[1:], strict=False):
        assert after.raw.startswith(double.messages_before(before.raw))


@both
def test_earlier_tasks_are_turns_of_the_conversation(double: Double) -> None:
    def earlier(number: int, summary: str | None) -> EarlierTask:
        files = [f"/w/{number}.txt"] if summary else []
        return EarlierTask(
            id=f"t{number}", goal=f"Goal {number}", reason=None, created_at_ms=0, summary=summary, changed_files=files
        )

    tasks = [earlier(number, "x" * 9_000) for number in range(10)] + [earlier(10, "Made it."), earlier(11, None)]
    conversation = asking(user("And now?"))
    conversation.earlier = tasks
    with ModelServer(double.answer("Yes.")) as server:
        plans(double, server, conversation)
    said = double.said(server.requests[0])
    assert [each.role for each in said] == ["user", "assistant"] * (len(said) // 2) + ["user"]
    assert (said[-5].text, said[-4].text) == ("Goal 10", "Made it.\n\n(Files changed: '/w/10.txt')")
    assert said[-1].text == "And now?"
    assert 5 < len(said) < 20, "the newest that fit"
    assert all(len(each.text) < 4_200 for each in said)


@both
def test_a_model_that_says_the_same_over_and_over_is_stopped(double: Double) -> None:
    error = failure(double, double.answer("I will look at the file now. " * 2_000))
    assert (error.code, "repeated itself" in error.message) == ("bad_response", True), error.message
    with ModelServer(double.answer("\n".join(f"line {number}" for number in range(5_000)))) as server:
        plans(double, server)


@both
def test_thoughts_go_back_to_the_model_that_had_them_and_to_no_other(double: Double) -> None:
    with ModelServer(
        double.answer(thought="Hm.", calls=[("search", {"action": "ls"})]), double.answer("Yes.")
    ) as server:
        ((_, answer),) = plans(double, server)
        state = answer.plan.provider_state
        assert (state is not None) == double.keeps_thoughts
        again = asking(user("Tidy up."), called("t1-1-1", state=state), result("t1-1-1"))
        plans(double, server, again)
        plans(double, server, again, model="another")
    own, other = (
        [thought for each in double.said(request) for thought in each.state] for request in server.requests[1:]
    )
    assert ("c2lnbmVk" in json.dumps(own)) == double.keeps_thoughts
    assert "c2lnbmVk" not in json.dumps(other)


@both
@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("auth", "auth"),
        ("rate_limited", "rate_limited"),
        ("context_overflow", "context_overflow"),
        ("model_missing", "model_missing"),
        ("overloaded", "network"),
    ],
)
def test_refusals_in_the_providers_own_words(double: Double, kind: str, code: str) -> None:
    error = failure(double, double.refusal(kind))
    assert error.code == code, error.message
    assert "127.0.0.1" in error.message
    assert "openai_compatible" not in error.message or double.name == "openai_compatible"


@both
def test_it_waits_as_long_as_it_is_told_and_asks_again(double: Double) -> None:
    limited = double.refusal("rate_limited", retry_after="0")
    busy = double.refusal("overloaded", retry_after="0")
    with ModelServer(limited, busy, double.answer("Yes.")) as server:
        ((_, answer),) = plans(double, server, max_retries=2)
    assert (answer.plan.summary, len(server.requests)) == ("Yes.", 3)
    far = failure(double, double.refusal("rate_limited", retry_after="3600"), max_retries=5)
    assert far.retry_after_secs == 3600


MISBEHAVIOR: list[tuple[str, Responder, str]] = [
    ("garbage", reply(200, b"{not json"), "bad_response"),
    ("a web page", raw(head(content_type="text/html") + b"<html>Welcome</html>"), "bad_response"),
    ("a stream of garbage", raw(head() + b"data: {not json\n\n"), "bad_response"),
    ("another shape", reply(200, {"hello": "world"}), "bad_response"),
    ("nothing", raw(), "network"),
    ("an empty stream", raw(head()), "bad_response"),
    ("no path", reply(404, b"<html>404 page not found</html>"), "bad_settings"),
    ("elsewhere", reply(302, b"", location="https://example.com/"), "bad_settings"),
    ("endless", raw(head(), *[b": keep-alive\n" * 80_000] * 20), "bad_response"),
]


@both
@pytest.mark.parametrize(
    ("responder", "code"), [case[1:] for case in MISBEHAVIOR], ids=[case[0] for case in MISBEHAVIOR]
)
def test_misbehavior(double: Double, responder: Responder, code: str) -> None:
    assert failure(double, responder).code == code


#: The reason for the end of a whole answer in each dialect, and what a server may say instead. The Responses API has an
#: event of its own for each end.
REASONS = {
    "openai_compatible": ('"finish_reason": "stop"', '"finish_reason": "abort"'),
    "anthropic": ('"end_turn"', '"compaction"'),
    "gemini": ('"STOP"', '"OTHER"'),
    "ollama": ('"done_reason": "stop"', '"done_reason": "unload"'),
}


@pytest.mark.parametrize("double", [each for each in DIALECTS if each.name in REASONS], ids=lambda each: each.name)
def test_an_answer_that_ends_for_another_reason_broke_off(double: Double) -> None:
    known, other = REASONS[double.name]
    written = json.dumps(double.chunks("The first half", "", [], "stop"))
    assert known in written
    error = failure(double, double.respond(json.loads(written.replace(known, other))))
    assert (error.code, "broke off" in error.message) == ("network", True), error.message


@both
def test_a_cut_answer_is_no_plan(double: Double) -> None:
    error = failure(double, double.broken("Let me"))
    assert (error.code, "was lost" in error.message) == ("network", True), error.message
    assert error.retry_after_secs == 0, "the core may ask again at once"


@pytest.mark.long
@both
def test_silence_before_and_in_an_answer_has_its_own_limit(double: Double) -> None:
    first = failure(double, silent(), first_token_timeout_secs=0.2)
    assert (first.code, "first_token_timeout_secs" in first.message) == ("network", True), first.message
    begun = failure(double, silent(head() + b": keep-alive\n\n"), timeout_secs=0.2, first_token_timeout_secs=60)
    assert (begun.code, " timeout_secs = 0.2" in begun.message) == ("network", True), begun.message


@both
def test_complete_answers_with_text(double: Double) -> None:
    async def ask(server: ModelServer) -> Any:
        backend = double.create()
        backend.configure(double.settings(server))
        try:
            return await backend.complete("Be brief.", "Hello?")
        finally:
            await backend.close()

    with ModelServer(double.answer("Hi.")) as server:
        answer = asyncio.run(ask(server))
    assert (answer.text, answer.usage.output_tokens) == ("Hi.", USED["output"])
    assert double.system(server.requests[0]) == "Be brief."
    assert double.said(server.requests[0]) == [Said("user", "Hello?")]


@both
def test_leaving_early_hangs_up(double: Double) -> None:
    async def leave(server: ModelServer, arrived: threading.Event) -> None:
        backend = double.create()
        backend.configure(double.settings(server))
        asked = asyncio.ensure_future(_plan(backend, asking()))
        await asyncio.to_thread(arrived.wait)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        await backend.close()

    arrived = threading.Event()
    quiet = silent(head())

    def respond(connection: Any, request: Any) -> None:
        arrived.set()
        quiet(connection, request)

    with ModelServer(respond) as server:
        asyncio.run(leave(server, arrived))
        assert server.hung_up.wait(30)


@both
def test_a_provider_that_misbehaves_at_random_never_yields_half_a_plan(double: Double) -> None:
    chance = dice()
    good = double.answer("I look.", calls=[("search", {"action": "ls"})])
    bad = [double.refusal("overloaded", retry_after="0"), double.broken("Let"), reply(200, b"{no"), raw()]
    script = [chance.choice([good, good, chance.choice(bad)]) for _ in range(60)]
    answered = 0
    with ModelServer(*script) as server:
        for _ in range(30):
            found = outcome(double, server)
            assert found in {"planned", "network", "bad_response"}
            answered += found == "planned"
    assert answered
