"""Calls that a model wrote as text, in the form that it was trained on.

Local servers pass such text on if they do not know the model's form. The forms are one table (`FORMS`). A call counts
only at the end of an answer, with nothing but prose before it, and outside code blocks and quotes: an example that a
model quotes runs nothing.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from re import Match
from typing import Any, Final

__all__ = ["Markup", "TextCall", "has_open_call", "read_markup", "typed"]

# Replaces each character of a code block. It is neither a space nor part of a form.
FENCED_CHAR: Final = "\x00"
FENCE: Final = re.compile(r"^[ \t]*(`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
INLINE: Final = re.compile(r"(?<!`)(?:`[^`\n]+`|``(?:[^`\n]|`(?!`))+``)(?!`)")
# Longer texts are no calls. The bound keeps hostile text cheap.
LONGEST_CHARS: Final = 1024 * 1024
DECODER: Final = json.JSONDecoder()

NAME: Final = r"[A-Za-z_][\w.\-/]*"
# Tokens before, between and after calls. They mean nothing by themselves.
AROUND: Final = re.compile(
    r"""\s+|,|;
    |</?(?:tool_calls?|tool_call_list|function_calls|minimax:tool_call|｜DSML｜function_calls)>
    |\[/?TOOL_CALLS\]|\[/?AVAILABLE_TOOLS\]
    |<\|/?(?:python_tag|tool_call|tool_calls|eom_id|eot_id|im_end|end|call|start|tool_calls_section_begin
        |tool_calls_section_end)\|>(?:assistant(?=<\||\s*to=))?
    |<｜(?:tool▁calls▁begin|tool▁calls▁end|end▁of▁sentence)｜>""",
    re.VERBOSE,
)
# Where a call may begin. Bare JSON and Python calls need the beginning of a line.
OPENER: Final = re.compile(
    r"""<(?:tool_calls?|function_calls|minimax:tool_call|｜DSML｜function_calls)>
    |<function=|<(?:｜DSML｜)?invoke\s+name=
    |\[TOOL_CALLS\]
    |<\|(?:python_tag|tool_call|tool_calls_section_begin|tool_call_begin)\|>
    |(?:<\|start\|>assistant)?(?:<\|channel\|>\s*(?:commentary|analysis)\s+to=|\s*to=[\w.]+\s*<\|channel\|>)
    |<｜tool▁calls?▁begin｜>""",
    re.VERBOSE,
)
BARE: Final = re.compile(r"^ {0,3}(?=(?:\[\s*)?\{\s*\"|\[\s*[A-Za-z_][\w.]*\()", re.MULTILINE)
# The beginning of a line that is quoted or indented as code.
QUOTED: Final = re.compile(r"^(?: {0,3}>| {4}|\t)")
# The maximum number of places where JSON is tried.
MOST_STARTS: Final = 64
# What follows an opener in a call, but not in prose.
BEGINS_CALL: Final = re.compile(rf"\s*(?:[{{\[<]|{NAME}\s*(?:[{{\[<\n]|\Z)|\Z)")
# Everything that a call in XML is made of, to tell a broken call from prose about calls.
TAG: Final = re.compile(r"</?[\w:=.\-｜▁|/ \"]+>|\[/?[A-Z_]+\]")


@dataclass(frozen=True)
class TextCall:
    """A call in the text. The arguments are an object, JSON text, or texts by name whose types are not known."""

    name: str
    arguments: dict[str, Any] | str
    is_text_by_name: bool = False


@dataclass(frozen=True)
class Markup:
    """The calls at the end of a text, and the prose before them."""

    prose: str
    calls: list[TextCall]
    # Whether the form is used for calls only. Bare JSON can also be an answer.
    is_certain: bool


Read = tuple[list[TextCall], int] | None


def _json_at(text: str, at: int) -> tuple[Any, int] | None:
    try:
        return DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None


def _named(found: object) -> TextCall | None:
    """Reads `{"name": ..., "arguments": {...}}`, as most forms have it."""
    if not isinstance(found, dict):
        return None
    function = found.get("function")
    layer = function if isinstance(function, dict) else found
    name = layer.get("name") or layer.get("tool") or (function if isinstance(function, str) else None)
    arguments = layer.get("arguments", layer.get("parameters", layer.get("input", {})))
    if not isinstance(name, str) or not isinstance(arguments, dict | str):
        return None
    return TextCall(name, arguments)


def _objects(match: Match[str]) -> Read:
    """Hermes, Llama, Granite, Mistral's older form, bare JSON: an object, or a list of them."""
    found = _json_at(match.string, match.end())
    if found is None:
        return None
    whole = found[0]
    if isinstance(whole, dict) and isinstance(whole.get("tool_calls"), list):
        whole = whole["tool_calls"]
    calls = [_named(each) for each in (whole if isinstance(whole, list) else [whole])]
    return ([each for each in calls if each is not None], found[1]) if calls and None not in calls else None


def _name_then_json(match: Match[str]) -> Read:
    """Mistral, Harmony, DeepSeek, Kimi: a name, then the arguments as JSON."""
    found = _json_at(match.string, match.end())
    if found is None or not isinstance(found[0], dict):
        return None
    end = re.compile(r"\s*(?:```)?\s*(?:<｜tool▁call▁end｜>|<\|tool_call_end\|>|<\|call\|>)?").match(
        match.string, found[1]
    )
    return [TextCall(match["name"], found[0])], end.end() if end is not None else found[1]


def _tags(pair: re.Pattern[str]) -> Callable[[Match[str]], Read]:
    """Qwen, MiniMax, DeepSeek, GLM: each argument in tags of its own."""

    def read(match: Match[str]) -> Read:
        body = match["body"]
        if body.strip().startswith("{"):
            return [TextCall(match["name"], body.strip())], match.end()
        if pair.sub("", body).strip():
            return None
        values = {found["key"].strip(): _unpadded(found["value"]) for found in pair.finditer(body)}
        return [TextCall(match["name"], values, is_text_by_name=True)], match.end()

    return read


def _unpadded(value: str) -> str:
    """Removes the line ends that the form puts around a value."""
    return value.removeprefix("\n").removesuffix("\n")


def _python(match: Match[str]) -> Read:
    """Llama 4: `[name(argument="value")]`."""
    end = match.string.rstrip()
    try:
        parsed = ast.parse(end[match.start("list") :], mode="eval").body
        calls = parsed.elts if isinstance(parsed, ast.List) else []
        read = [
            TextCall(ast.unparse(each.func), {str(word.arg): ast.literal_eval(word.value) for word in each.keywords})
            for each in calls
            if isinstance(each, ast.Call) and not each.args and all(word.arg for word in each.keywords)
        ]
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    return (read, len(match.string)) if read and len(read) == len(calls) else None


#: Each form of a call: what it looks like, and how it is read. `name` is the function.
FORMS: Final[list[tuple[re.Pattern[str], Callable[[Match[str]], Read]]]] = [
    # Qwen: <function=NAME><parameter=KEY>VALUE</parameter></function>, Llama: <function=NAME>{...}</function>
    (
        re.compile(rf"<function=(?P<name>{NAME})>(?P<body>.*?)</function>", re.DOTALL),
        _tags(re.compile(r"<parameter=(?P<key>[^>\n]+)>(?P<value>.*?)</parameter>", re.DOTALL)),
    ),
    # MiniMax, DeepSeek: <invoke name="NAME"><parameter name="KEY">VALUE</parameter></invoke>
    (
        re.compile(
            rf'<(?:｜DSML｜)?invoke\s+name="(?P<name>{NAME})"\s*>(?P<body>.*?)</(?:｜DSML｜)?invoke>', re.DOTALL
        ),
        _tags(
            re.compile(
                r'<(?:｜DSML｜)?parameter\s+name="(?P<key>[^"]+)"[^>]*>(?P<value>.*?)</(?:｜DSML｜)?parameter>',
                re.DOTALL,
            )
        ),
    ),
    # GLM: <tool_call>NAME<arg_key>KEY</arg_key><arg_value>VALUE</arg_value></tool_call>
    (
        re.compile(rf"(?P<name>{NAME})(?P<body>\s*(?:<arg_key>.*?</arg_value>\s*)*)(?=</tool_call>)", re.DOTALL),
        _tags(re.compile(r"<arg_key>(?P<key>.*?)</arg_key>\s*<arg_value>(?P<value>.*?)</arg_value>", re.DOTALL)),
    ),
    # Mistral: [TOOL_CALLS]NAME[ARGS]{...}
    (re.compile(rf"(?P<name>{NAME})(?:\[CALL_ID\]\w+)?\[ARGS\]\s*"), _name_then_json),
    # Harmony: <|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{...}<|call|>
    (
        re.compile(
            rf"<\|channel\|>\s*(?:commentary|analysis)\s+to=(?P<name>{NAME})"
            r"\s*(?:<\|constrain\|>)?\s*(?:json|code)?\s*<\|message\|>\s*"
        ),
        _name_then_json,
    ),
    (
        re.compile(
            rf"to=(?P<name>{NAME})\s*<\|channel\|>\s*(?:commentary|analysis)"
            r"\s*(?:<\|constrain\|>)?\s*(?:json|code)?\s*<\|message\|>\s*"
        ),
        _name_then_json,
    ),
    # DeepSeek: a token, NAME, a token, {...}, a token; with a code block around the arguments in older models
    (
        re.compile(
            rf"<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?(?P<name>{NAME})(?:<｜tool▁sep｜>)?\s*(?:```json)?\s*"
        ),
        _name_then_json,
    ),
    # Kimi: <|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{...}<|tool_call_end|>
    (
        re.compile(rf"<\|tool_call_begin\|>\s*(?P<name>{NAME})(?::\d+)?\s*<\|tool_call_argument_begin\|>\s*"),
        _name_then_json,
    ),
    (re.compile(r"(?P<list>\[)(?=\s*[A-Za-z_][\w.]*\()"), _python),
    (re.compile(r"(?=[\[{])"), _objects),
]


def without_fences(text: str) -> str:
    """Replaces code blocks and inline code with as many placeholders, so that places in the text stay the same."""

    def hide(match: Match[str]) -> str:
        return FENCED_CHAR * len(match.group())

    return INLINE.sub(hide, FENCE.sub(hide, text))


def read_markup(text: str) -> Markup | None:
    """Returns the calls that a text ends with. None if it does not end with calls."""
    if len(text) > LONGEST_CHARS:
        return None
    # Code blocks only hide where a call may begin. Its arguments may contain some, such as the text of a file.
    bare = without_fences(text)
    opener = OPENER.search(bare)
    if opener is not None:
        calls = None if QUOTED.search(_line_before(bare, opener)) else _calls(text, opener.start())
        return None if calls is None else Markup(text[: opener.start()].strip(), calls, is_certain=True)
    for start in [match.end() for match in BARE.finditer(bare)][:MOST_STARTS]:
        calls = _calls(text, start)
        if calls is not None:
            return Markup(text[:start].strip(), calls, is_certain=False)
    return None


def has_open_call(text: str, *, is_cut_off: bool) -> bool:
    """Returns whether a text ends in a call that cannot be read: it was cut off, or is broken.

    Prose about the words of a form is none.
    """
    if len(text) > LONGEST_CHARS:
        return False
    bare = without_fences(text)
    # A tag in the middle of a line is plain text, and a quoted tag is an example.
    openers = (match for match in OPENER.finditer(bare) if _begins_line(bare, match))
    opener = next(openers, None)
    if opener is None or is_cut_off:
        return opener is not None
    tags = list(TAG.finditer(bare, opener.start()))
    has_prose_behind = bool(tags) and "/" in tags[-1].group()[:2] and re.search(r"\w", bare[tags[-1].end() :])
    return BEGINS_CALL.match(bare, opener.end()) is not None and not has_prose_behind


def _line_before(text: str, opener: Match[str]) -> str:
    return text[text.rfind("\n", 0, opener.start()) + 1 : opener.start()]


def _begins_line(text: str, opener: Match[str]) -> bool:
    before = _line_before(text, opener)
    return not before.strip() and not QUOTED.search(before)


def _calls(text: str, start: int) -> list[TextCall] | None:
    """Reads calls from a place to the end of the text. None if there is anything else."""
    calls: list[TextCall] = []
    at = start
    while at < len(text):
        around = AROUND.match(text, at)
        if around is not None and around.end() > at:
            at = around.end()
            continue
        for form, read in FORMS:
            match = form.match(text, at)
            found = read(match) if match is not None else None
            if found is not None:
                calls += found[0]
                at = found[1]
                break
        else:
            return None
    return calls or None


def typed(call: TextCall, schema: Mapping[str, Any]) -> dict[str, Any] | str:
    """Returns the arguments with their types. A text in tags is a number or an object unless text is allowed there."""
    if not call.is_text_by_name or not isinstance(call.arguments, dict):
        return call.arguments
    return {key: value if _allows_text(schema, key) else _value(value) for key, value in call.arguments.items()}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _allows_text(schema: object, key: str) -> bool:
    """Returns whether some part of a schema declares a property as text. True if no part declares it otherwise."""
    kinds: set[str] = set()

    def visit(node: object) -> None:
        if isinstance(node, list):
            for each in node:
                visit(each)
        elif isinstance(node, dict):
            properties = node.get("properties")
            declared = properties.get(key) if isinstance(properties, dict) else None
            if declared is not None:
                kinds.update(_kinds(declared))
            for each in node.values():
                visit(each)

    visit(schema)
    return not kinds or "string" in kinds


def _kinds(declared: object) -> set[str]:
    if not isinstance(declared, dict):
        return set()
    named = declared.get("type")
    kinds = {each for each in (named if isinstance(named, list) else [named]) if isinstance(each, str)}
    if isinstance(declared.get("const"), str) or any(isinstance(each, str) for each in declared.get("enum") or []):
        kinds.add("string")
    for part in ("anyOf", "oneOf", "allOf"):
        for each in declared.get(part) or []:
            kinds |= _kinds(each)
    return kinds
