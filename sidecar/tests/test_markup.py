"""Calls that models write as text: each form runs, and examples, broken and cut-off calls do not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from deputy_sidecar.models import AgentPlan
from deputy_sidecar.provider.markup import has_open_call, read_markup
from deputy_sidecar.provider.plan import plan_from_text

NAMES = {"search": "search", "code": "code", "shell": "shell", "mcp_files_read": "mcp.files/read"}
SCHEMAS: dict[str, Any] = {
    "search": {
        "oneOf": [
            {
                "properties": {
                    "action": {"const": "ls"},
                    "path": {"type": "string"},
                    "limit": {"type": ["integer", "null"]},
                }
            }
        ]
    },
    "code": {
        "properties": {
            "action": {"enum": ["read", "write"]},
            "path": {"type": "string"},
            "content": {"type": "string"},
            "lines": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "replace_all": {"type": "boolean"},
        }
    },
}


def plan(text: str) -> AgentPlan:
    return plan_from_text(text, "", NAMES, SCHEMAS, is_cut_off=False, is_native=True)


def calls(text: str) -> list[tuple[str, Any]]:
    return [(call.tool, call.parameters) for call in plan(text).tool_calls]


LS = ("search", {"action": "ls", "path": "."})
READ = ("code", {"action": "read", "path": "a.txt"})
LS_JSON = '{"action": "ls", "path": "."}'
READ_JSON = '{"action": "read", "path": "a.txt"}'
QWEN_LS = "<function=search>\n<parameter=action>\nls\n</parameter>\n<parameter=path>\n.\n</parameter>\n</function>"
QWEN_READ = (
    "<function=code>\n<parameter=action>\nread\n</parameter>\n<parameter=path>\na.txt\n</parameter>\n</function>"
)
MINIMAX_LS = (
    '<invoke name="search">\n<parameter name="action">ls</parameter>\n<parameter name="path">.</parameter>\n</invoke>'
)
MINIMAX_READ = '<invoke name="code">\n<parameter name="action">read</parameter>\n<parameter name="path">a.txt</parameter>\n</invoke>'
GLM_LS = (
    "<tool_call>search\n<arg_key>action</arg_key>\n<arg_value>ls</arg_value>\n"
    "<arg_key>path</arg_key>\n<arg_value>.</arg_value>\n</tool_call>"
)
GLM_READ = (
    "<tool_call>code\n<arg_key>action</arg_key>\n<arg_value>read</arg_value>\n"
    "<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>"
)
# The name of the form, one call, two calls.
FORMS = [
    (
        "Hermes",
        f'<tool_call>\n{{"name": "search", "arguments": {LS_JSON}}}\n</tool_call>',
        (
            f'<tool_call>{{"name": "search", "arguments": {LS_JSON}}}</tool_call>\n'
            f'<tool_call>\n{{"name": "code", "arguments": {READ_JSON}}}'
        ),
    ),
    (
        "Qwen",
        f"<tool_call>\n{QWEN_LS}\n</tool_call>",
        f"{QWEN_LS}\n</tool_call>\n<tool_call>\n{QWEN_READ}\n</tool_call>",
    ),
    (
        "Mistral",
        f'[TOOL_CALLS][{{"name": "search", "arguments": {LS_JSON}}}]',
        f'[TOOL_CALLS] [{{"name": "search", "arguments": {LS_JSON}}}, {{"name": "code", "arguments": {READ_JSON}}}]',
    ),
    (
        "newer Mistral",
        f"[TOOL_CALLS]search[ARGS]{LS_JSON}",
        f"[TOOL_CALLS]search[CALL_ID]a1b2[ARGS]{LS_JSON}[TOOL_CALLS]code[ARGS]{READ_JSON}",
    ),
    (
        "Llama",
        f'<|python_tag|>{{"name": "search", "parameters": {LS_JSON}}}<|eom_id|>',
        f"<function=search>{LS_JSON}</function>\n<function=code>{READ_JSON}</function>",
    ),
    (
        "Llama in Python",
        '[search(action="ls", path=".")]',
        "[search(action='ls', path='.'), code(action='read', path='a.txt')]",
    ),
    (
        "Harmony",
        f"<|channel|>commentary to=functions.search <|constrain|>json<|message|>{LS_JSON}<|call|>",
        (
            f"<|start|>assistant<|channel|>commentary to=functions.search<|message|>{LS_JSON}<|call|>"
            f"<|start|>assistant to=functions.code<|channel|>commentary json<|message|>{READ_JSON}<|call|>"
        ),
    ),
    (
        "DeepSeek",
        f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search<｜tool▁sep｜>{LS_JSON}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        (
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n"
            f"{LS_JSON}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>code\n```json\n"
            f"{READ_JSON}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>"
        ),
    ),
    (
        "newer DeepSeek",
        (
            '<｜DSML｜function_calls>\n<｜DSML｜invoke name="search">\n<｜DSML｜parameter name="action" string="true">ls</｜DSML｜parameter>'
            '\n<｜DSML｜parameter name="path" string="true">.</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>'
        ),
        None,
    ),
    ("GLM", GLM_LS, f"{GLM_LS}\n{GLM_READ}"),
    (
        "MiniMax",
        f"<minimax:tool_call>\n{MINIMAX_LS}\n</minimax:tool_call>",
        f"<minimax:tool_call>\n{MINIMAX_LS}\n{MINIMAX_READ}\n</minimax:tool_call>",
    ),
    (
        "Kimi",
        (
            f"<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{LS_JSON}"
            "<|tool_call_end|><|tool_calls_section_end|>"
        ),
        (
            f"<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{LS_JSON}"
            f"<|tool_call_end|><|tool_call_begin|>functions.code:1<|tool_call_argument_begin|>{READ_JSON}<|tool_call_end|>"
        ),
    ),
    (
        "JSON",
        f'{{"name": "search", "arguments": {LS_JSON}}}',
        f'{{"name": "search", "parameters": {LS_JSON}}}\n{{"name": "code", "parameters": {READ_JSON}}}',
    ),
]
PROSE = "I will look at the folder first. It has `<tool_call>` in a name:\n\n```xml\n<tool_call>\n```\n\n"


@pytest.mark.parametrize(("one", "two"), [pytest.param(one, two, id=name) for name, one, two in FORMS])
def test_each_form_runs_at_the_end_of_an_answer(one: str, two: str | None) -> None:
    assert calls(one) == [LS]
    assert calls(f"{PROSE}{one}\n") == [LS]
    assert plan(f"I will look.\n{one}").reasoning == "I will look."
    if two is not None:
        assert calls(two) == [LS, READ]
        assert calls(f"{PROSE}{two}") == [LS, READ]


@pytest.mark.parametrize("one", [pytest.param(one, id=name) for name, one, _ in FORMS])
def test_an_example_runs_nothing(one: str) -> None:
    shown = one.replace("```json\n", "").replace("\n```", "")
    for example in (
        f"A call looks like this:\n\n```xml\n{shown}\n```\n\nThat is all.",
        f"A call looks like this:\n```\n{shown}\n```",
        f"A call looks like this:\n~~~\n{shown}\n~~~\n",
        f"{one}\n\nThat is how this model calls a tool.",
        f"Write `{shown.replace(chr(10), '')}` to list a folder.",
        f"A call looks like this:\n\n> {one.replace(chr(10), chr(10) + '> ')}",
        f"A call looks like this:\n\n    {one.replace(chr(10), chr(10) + '    ')}",
        f"```json\n{one}\n```",
    ):
        answered = plan(example)
        assert answered.tool_calls == [], example
        assert answered.is_complete
        assert answered.summary == example.strip()


def test_an_unknown_function_goes_back_to_the_model() -> None:
    assert calls('<tool_call>\n{"name": "read_everything", "arguments": {}}\n</tool_call>') == [("read_everything", {})]
    assert calls(QWEN_LS.replace("=search", "=read_everything"))[0][0] == "read_everything"
    # JSON alone can be an answer.
    data = 'The package:\n{"name": "left-pad", "parameters": {}}'
    assert plan(data).summary == data


def test_texts_in_tags_get_the_types_of_the_tool() -> None:
    text = (
        "<function=code><parameter=action>write</parameter><parameter=path>1</parameter>"
        '<parameter=content>\n{"a": 1}\n\n</parameter><parameter=lines>5</parameter>'
        "<parameter=replace_all>true</parameter></function>"
    )
    expected = {"action": "write", "path": "1", "content": '{"a": 1}\n', "lines": 5, "replace_all": True}
    assert calls(text) == [("code", expected)]
    assert calls(GLM_LS.replace("</tool_call>", "<arg_key>limit</arg_key><arg_value>10</arg_value></tool_call>")) == [
        ("search", {"action": "ls", "path": ".", "limit": 10})
    ]


def test_arguments_with_code_in_them_stay_as_they_are() -> None:
    content = "# Notes\n\n```python\nprint(1)\n```\n\nRun `make` and ``a`b``.\n> quoted\n    indented"
    wanted = ("code", {"action": "write", "path": "a.md", "content": content})
    as_json = json.dumps(wanted[1])
    for text in (
        (
            f"<tool_call>\n<function=code>\n<parameter=action>\nwrite\n</parameter>\n<parameter=path>\na.md\n</parameter>\n"
            f"<parameter=content>\n{content}\n</parameter>\n</function>\n</tool_call>"
        ),
        f"I write `a.md`.\n[TOOL_CALLS]code[ARGS]{as_json}",
        f'{{"name": "code", "arguments": {as_json}}}',
        (
            "<tool_call>code\n<arg_key>action</arg_key>\n<arg_value>write</arg_value>\n<arg_key>path</arg_key>\n"
            f"<arg_value>a.md</arg_value>\n<arg_key>content</arg_key>\n<arg_value>{content}</arg_value>\n</tool_call>"
        ),
    ):
        assert calls(text) == [wanted], text


def test_a_question_is_asked() -> None:
    text = '<tool_call>{"name": "ask_user", "arguments": {"question": "Which folder?"}}</tool_call>'
    assert plan(text).question == "Which folder?"


CUT_OFF = [
    "<tool_call>\n<function=code>\n<parameter=action>\nwrite\n</parameter>\n<parameter=content>\nfirst half of",
    f"<tool_call>\n{QWEN_LS}\n</tool_call>\n<tool_call>\n<function=code>\n<param",
    f"<tool_call>\n{QWEN_LS}\n</tool_call>",
    '[TOOL_CALLS][{"name": "code", "arguments": {"action": "wri',
]


@pytest.mark.parametrize("text", CUT_OFF)
def test_a_call_that_was_cut_off_is_no_answer_and_runs_nothing(text: str) -> None:
    assert has_open_call(text, is_cut_off=True)
    assert plan_from_text(text, "", NAMES, SCHEMAS, is_cut_off=True, is_native=True).tool_calls == []


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>\n{"name": "search", "arguments": {"action": "ls"\n</tool_call>',
        "Looking.\n<tool_call>\n<function=search>\n<parameter=action>\nls\n</tool_call>",
        '<tool_call>\n{"name": "search"',
        "[TOOL_CALLS]search[ARGS]{broken}",
        'I use <tool_call> now:\n<tool_call>\n{"name": "search", "arguments": {}}\n</tool_call>',
    ],
)
def test_a_broken_call_is_no_answer(text: str) -> None:
    assert read_markup(text) is None
    assert has_open_call(text, is_cut_off=False)


@pytest.mark.parametrize(
    "text",
    [
        "Qwen writes <tool_call> before a call and </tool_call> behind it.",
        "<tool_call> is how Qwen begins a call.",
        "Use `<tool_call>` as the opener.",
        "```\n<tool_call>\n```",
        "All done.",
        "The list is [1, 2, 3].",
    ],
)
def test_prose_about_calls_is_an_answer(text: str) -> None:
    assert read_markup(text) is None
    assert not has_open_call(text, is_cut_off=False)
    assert plan(text).summary == text


def test_hostile_text_costs_little() -> None:
    for text in (
        "<tool_call>" * 50_000,
        "<function=a>" * 20_000,
        "[" * 100_000,
        "\n[{" * 30_000,
        "```\n" * 50_000,
        "`" * 100_000,
        "<function=a>" + "<parameter=b>" * 20_000,
        '{"a":' * 20_000,
        "[a(" * 20_000,
    ):
        assert plan(text).tool_calls == []
        has_open_call(text, is_cut_off=True)
