"""Answers as providers cut them up, and the plans that are made of them."""

from typing import Any

import msgspec
import pytest
from support.model_server import delta, fragment

from deputy_sidecar.chat_completions.answer import ChatAnswer
from deputy_sidecar.models import AgentPlan
from deputy_sidecar.provider.plan import CUT_OFF_NOTE, plan_from_answer, plan_from_text
from deputy_sidecar.provider.stream import EventParser

NAMES = {"search": "search", "code": "code", "mcp_files_read": "mcp.files/read"}


def plan_of(*chunks: dict[str, Any]) -> AgentPlan:
    answer = ChatAnswer(NAMES)
    for chunk in chunks:
        answer.take(chunk)
    return plan_from_answer(answer, NAMES)


def calls_of(plan: AgentPlan) -> list[tuple[str, Any]]:
    return [(call.tool, call.parameters) for call in plan.tool_calls]


def calls_chunk(*calls: Any, finish: str | None = None) -> dict[str, Any]:
    return delta(finish, tool_calls=list(calls))


LS = ("search", {"action": "ls"})
READ = ("code", {"action": "read", "path": "a"})
LS_TEXT = '{"action":"ls"}'
READ_TEXT = '{"action":"read","path":"a"}'

CUTS: list[tuple[str, list[dict[str, Any]], list[tuple[str, Any]]]] = [
    (
        "fragments by index",
        [
            calls_chunk(fragment(0, call_id="c1", name="search", arguments="")),
            calls_chunk(fragment(0, arguments='{"action"')),
            calls_chunk(fragment(0, arguments=':"ls"}')),
        ],
        [LS],
    ),
    (
        "two calls, fragments mixed",
        [
            calls_chunk(fragment(0, call_id="c1", name="search", arguments='{"act')),
            calls_chunk(fragment(1, call_id="c2", name="code", arguments='{"action":"re')),
            calls_chunk(fragment(0, arguments='ion":"ls"}'), fragment(1, arguments='ad","path":"a"}')),
        ],
        [LS, READ],
    ),
    (
        "whole calls at once",
        [
            calls_chunk(
                fragment(0, call_id="c1", name="search", arguments=LS_TEXT),
                fragment(1, call_id="c2", name="code", arguments=READ_TEXT),
            )
        ],
        [LS, READ],
    ),
    (
        "all numbered 0, told apart by id",
        [
            calls_chunk(fragment(0, call_id="c1", name="search", arguments=LS_TEXT)),
            calls_chunk(fragment(0, call_id="c2", name="code", arguments=READ_TEXT)),
        ],
        [LS, READ],
    ),
    (
        "all numbered 0, no ids, the same tool twice",
        [
            calls_chunk(fragment(0, name="search", arguments=LS_TEXT)),
            calls_chunk(fragment(0, name="search", arguments=LS_TEXT)),
        ],
        [LS, LS],
    ),
    (
        "no index",
        [
            calls_chunk({"id": "c1", "function": {"name": "search", "arguments": '{"action":'}}),
            calls_chunk({"function": {"arguments": '"ls"}'}}),
            calls_chunk({"id": "c2", "function": {"name": "code", "arguments": READ_TEXT}}),
        ],
        [LS, READ],
    ),
    (
        "no index, the id in every fragment",
        [
            calls_chunk({"id": "c1", "function": {"name": "search", "arguments": '{"action":'}}),
            calls_chunk({"id": "c2", "function": {"name": "code", "arguments": '{"action":"read",'}}),
            calls_chunk({"id": "c1", "function": {"name": "search", "arguments": '"ls"}'}}),
            calls_chunk({"id": "c2", "function": {"arguments": '"path":"a"}'}}),
        ],
        [LS, READ],
    ),
    (
        "neither id nor index, no arguments yet",
        [
            calls_chunk({"function": {"name": "search"}}),
            calls_chunk({"function": {"name": "code", "arguments": READ_TEXT}}),
        ],
        [("search", {}), READ],
    ),
    (
        "the name in every fragment",
        [
            calls_chunk(fragment(0, call_id="c1", name="search", arguments='{"action":')),
            calls_chunk(fragment(0, call_id="c1", name="search", arguments='"ls"}')),
        ],
        [LS],
    ),
    (
        "a name cut in two",
        [calls_chunk(fragment(0, name="sea")), calls_chunk(fragment(0, name="rch", arguments=LS_TEXT))],
        [LS],
    ),
    (
        "arguments as an object",
        [calls_chunk(fragment(0, call_id="c1", name="search", arguments={"action": "ls"}))],
        [LS],
    ),
    (
        "arguments encoded twice",
        [calls_chunk(fragment(0, call_id="c1", name="search", arguments='"{\\"action\\":\\"ls\\"}"'))],
        [LS],
    ),
    ("no arguments", [calls_chunk(fragment(0, call_id="c1", name="search"))], [("search", {})]),
    ("null arguments", [calls_chunk(fragment(0, call_id="c1", name="search", arguments="null"))], [("search", {})]),
    ("no layer `function`", [calls_chunk({"id": "c1", "name": "search", "arguments": LS_TEXT})], [LS]),
    (
        "one call that is no list",
        [delta(tool_calls={"id": "c1", "function": {"name": "search", "arguments": LS_TEXT}})],
        [LS],
    ),
    (
        "the old `function_call`",
        [
            delta(function_call={"name": "search", "arguments": '{"action":'}),
            delta(function_call={"arguments": '"ls"}'}),
        ],
        [LS],
    ),
    (
        "a prefix before the name",
        [calls_chunk(fragment(0, call_id="c1", name="functions.search", arguments=LS_TEXT))],
        [LS],
    ),
    (
        "a name changed for the wire",
        [calls_chunk(fragment(0, call_id="c1", name="mcp_files_read", arguments="{}"))],
        [("mcp.files/read", {})],
    ),
    (
        "an unknown tool, for the core to refuse",
        [calls_chunk(fragment(0, call_id="c1", name="rm", arguments="{}"))],
        [("rm", {})],
    ),
    (
        "arguments that can be repaired",
        [calls_chunk(fragment(0, call_id="c1", name="search", arguments="{'action': 'ls',"))],
        [LS],
    ),
    (
        "a whole message instead of a delta",
        [
            {
                "choices": [
                    {
                        "message": {
                            "content": None,
                            "tool_calls": [
                                {"id": "c1", "type": "function", "function": {"name": "search", "arguments": LS_TEXT}}
                            ],
                        },
                        "finish_reason": "tool_calls",
                    }
                ]
            }
        ],
        [LS],
    ),
]


@pytest.mark.parametrize(("chunks", "expected"), [case[1:] for case in CUTS], ids=[case[0] for case in CUTS])
def test_calls_are_put_together(chunks: list[dict[str, Any]], expected: list[tuple[str, Any]]) -> None:
    plan = plan_of(*chunks)
    assert calls_of(plan) == expected
    assert len({call.id for call in plan.tool_calls}) == len(expected)
    assert not plan.is_complete


def test_arguments_that_cannot_be_read_say_why() -> None:
    plan = plan_of(
        calls_chunk(fragment(0, call_id="c1", name="code", arguments='{"action":"write","content":"half a f'))
    )
    (call,) = plan.tool_calls
    assert call.parameters == {}
    assert call.problem is not None
    assert "no JSON" in call.problem
    assert "half a f" in call.problem


def test_arguments_that_are_no_object_say_so() -> None:
    plan = plan_of(calls_chunk(fragment(0, call_id="c1", name="code", arguments="[1, 2]")))
    assert "no object" in (plan.tool_calls[0].problem or "")


def test_a_call_cut_off_at_the_output_limit_is_never_repaired() -> None:
    plan = plan_of(
        calls_chunk(fragment(0, call_id="c1", name="search", arguments=LS_TEXT)),
        calls_chunk(fragment(1, call_id="c2", name="code", arguments='{"action":"write","path":"a"')),
        delta("length"),
    )
    assert calls_of(plan)[0] == LS
    assert "cut off" in (plan.tool_calls[1].problem or "")


def test_text_beside_calls_is_the_reasoning() -> None:
    plan = plan_of(
        delta(content="I look. "),
        delta(content="Then I read."),
        calls_chunk(fragment(0, name="search", arguments=LS_TEXT)),
    )
    assert plan.reasoning == "I look. Then I read."


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
def test_thought_is_the_reasoning_where_there_is_no_text(field: str) -> None:
    plan = plan_of(
        delta(**{field: "Hm, "}), delta(**{field: "yes."}), calls_chunk(fragment(0, name="search", arguments=LS_TEXT))
    )
    assert plan.reasoning == "Hm, yes."
    answer = plan_of(delta(**{field: "Hm."}), delta(content="Forty-two."))
    assert (answer.reasoning, answer.summary, answer.is_complete) == ("Hm.", "Forty-two.", True)


def test_thought_between_tags_is_taken_out_of_the_text() -> None:
    plan = plan_of(delta(content="<think>\nHm.\n</think>\n\nForty-two."))
    assert (plan.reasoning, plan.summary) == ("Hm.", "Forty-two.")


def test_text_in_parts_is_text() -> None:
    assert (
        plan_of(delta(content=[{"type": "text", "text": "Forty-"}, {"type": "text", "text": "two."}])).summary
        == "Forty-two."
    )


def test_a_refusal_is_the_answer() -> None:
    assert plan_of(delta(refusal="I cannot do that.")).summary == "I cannot do that."


def test_an_answer_cut_off_says_so() -> None:
    assert plan_of(delta(content="Once upon"), delta("length")).summary == "Once upon" + CUT_OFF_NOTE


def test_ask_user_becomes_the_question() -> None:
    plan = plan_of(calls_chunk(fragment(0, call_id="c1", name="ask_user", arguments='{"question": "Which one?"}')))
    assert plan == AgentPlan(question="Which one?")
    assert "what" in str(plan_of(calls_chunk(fragment(0, name="ask_user", arguments='{"q": "what"}'))).question)


def test_a_tool_of_the_users_own_called_ask_user_stays_a_tool() -> None:
    answer = ChatAnswer(["ask_user"])
    answer.take(calls_chunk(fragment(0, name="ask_user", arguments="{}")))
    assert calls_of(plan_from_answer(answer, {"ask_user": "ask_user"})) == [("ask_user", {})]


PLANS: list[tuple[str, str, AgentPlan | None]] = [
    ("a plan", '{"reasoning": "r", "tool_calls": [{"tool": "search", "parameters": {"action": "ls"}}]}', None),
    ("in a block", 'Sure!\n```json\n{"tool_calls": [{"name": "search", "arguments": {"action": "ls"}}],}\n```', None),
    (
        "the layer `function`",
        '{"tool_calls": [{"function": {"name": "search", "arguments": "{\\"action\\": \\"ls\\"}"}}]}',
        None,
    ),
    ("a bare call", '{"name": "search", "arguments": {"action": "ls"}}', None),
    ("a tagged call", '<tool_call>\n{"name": "search", "arguments": {"action": "ls"}}\n</tool_call>', None),
    ("Python's way", "{'tool': 'search', 'parameters': {'action': 'ls',}}", None),
]


@pytest.mark.parametrize("text", [case[1] for case in PLANS], ids=[case[0] for case in PLANS])
def test_calls_written_as_text(text: str) -> None:
    plan = plan_from_text(text, "", NAMES, is_cut_off=False)
    assert calls_of(plan) == [LS]
    assert not plan.is_complete
    # Cut off, the same text is not a plan: what is missing may be what matters.
    assert plan_from_text(text, "", NAMES, is_cut_off=True).tool_calls == []


def test_several_tagged_calls() -> None:
    bodies = [f'{{"name": "search", "arguments": {LS_TEXT}}}', f'{{"name": "code", "arguments": {READ_TEXT}}}']
    text = "\n".join(f"<tool_call>{body}</tool_call>" for body in bodies)
    assert calls_of(plan_from_text(text, "", NAMES, is_cut_off=False)) == [LS, READ]


def test_questions_and_ends_written_as_text() -> None:
    asked = plan_from_text('{"reasoning": "", "question": "Which?"}', "", NAMES, is_cut_off=False)
    assert asked == AgentPlan(question="Which?")
    done = plan_from_text('{"is_complete": true, "summary": "All done."}', "hm", NAMES, is_cut_off=False)
    assert done == AgentPlan(reasoning="hm", is_complete=True, summary="All done.")
    idle = plan_from_text('{"is_complete": false, "reasoning": "Nothing to do."}', "", NAMES, is_cut_off=False)
    assert (idle.is_complete, idle.summary) == (True, "Nothing to do.")


@pytest.mark.parametrize(
    "text",
    [
        "It is done.",
        '{"summary": "the user asked for JSON", "total": 3}',
        'Use this:\n```json\n{"name": "my-package", "version": "1.0"}\n```',
        '{"tool_calls": "none"}',
        '{"question": "q", "answer": "a"}',
        "{}",
    ],
)
def test_any_other_text_is_the_final_answer(text: str) -> None:
    assert plan_from_text(text, "", NAMES, is_cut_off=False) == AgentPlan(is_complete=True, summary=text)


ODD_CHUNKS: list[Any] = [
    {},
    {"choices": None},
    {"choices": []},
    {"choices": [1]},
    {"choices": [{"delta": None}]},
    {"choices": [{"delta": {"content": 5, "tool_calls": [None, 1, {"function": {"name": 3}}]}}]},
    {"choices": [{"delta": {"tool_calls": "x"}, "finish_reason": 5}]},
    {"usage": {"prompt_tokens": "many", "completion_tokens": -1}},
    {"usage": 5},
]


@pytest.mark.parametrize("chunk", ODD_CHUNKS, ids=range(len(ODD_CHUNKS)))
def test_odd_chunks_are_taken_as_they_come(chunk: Any) -> None:
    answer = ChatAnswer(NAMES)
    answer.take(chunk)
    msgspec.json.encode(plan_from_answer(answer, NAMES))
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (0, 0)


@pytest.mark.parametrize("step", [1, 2, 3, 7, 1000])
def test_events_wherever_they_are_cut(step: int) -> None:
    text = b': keep-alive\r\n\r\ndata: {"a":1}\r\n\r\nevent: x\nid: 3\ndata:two\ndata: lines\n\n\n\ndata: [DONE]'
    parser = EventParser()
    events = [event for at in range(0, len(text), step) for event in parser.feed(text[at : at + step])]
    assert events + parser.finish() == [b'{"a":1}', b"two\nlines", b"[DONE]"]
