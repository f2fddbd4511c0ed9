"""Converts an answer to a plan: native calls, a plan or calls in the text, or a plain final answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from deputy_sidecar.errors import UNREADABLE
from deputy_sidecar.json_recovery import objects_by_stage, recover_object
from deputy_sidecar.models import AgentPlan, ToolCall
from deputy_sidecar.provider.answer import Answer, NativeCall
from deputy_sidecar.provider.markup import Markup, TextCall, read_markup, typed

__all__ = ["ASK_USER", "CUT_OFF_NOTE", "UNMARKED_NOTE", "plan_from_answer", "plan_from_text", "without_inline_thought"]

# The tool for the model's questions. Its call becomes the plan's question.
ASK_USER: Final = "ask_user"
LONGEST_INVALID_CHARS: Final = 500
UNMARKED_NOTE: Final = "\n\n[The model's server does not say whether this answer is complete.]"
CUT_OFF_NOTE: Final = "\n\n[The answer ends here because it reached the model's output limit.]"

WHOLE_OBJECT: Final = re.compile(r"\A\s*\{.*\}\s*\Z", re.DOTALL)
INLINE_THOUGHT = re.compile(r"\A\s*<(think|thinking|reasoning)>(.*?)(?:</\1>|\Z)\s*", re.DOTALL)
PLAN_FIELDS: Final = frozenset(AgentPlan.__struct_fields__)


def plan_from_answer(
    answer: Answer,
    names: Mapping[str, str],
    schemas: Mapping[str, Any] | None = None,
    *,
    is_native: bool = True,
) -> AgentPlan:
    """Returns the plan that `answer` means.

    `names` maps names on the wire to the tools' own, and `schemas` has the parameters of the tools. Without
    `is_native`, the model was asked to answer with a plan as JSON.
    """
    is_cut_off = answer.finish_reason == "length"
    text, thought = without_inline_thought(answer.text, answer.thought)
    if not answer.calls:
        plan = plan_from_text(text, thought, names, schemas, is_cut_off=is_cut_off, is_native=is_native)
        if answer.names_no_reason and plan.is_complete and plan.summary:
            return msgspec.structs.replace(plan, summary=plan.summary + UNMARKED_NOTE)
        return plan
    question: str | None = None
    calls: list[ToolCall] = []
    for native in answer.calls:
        is_last = native is answer.calls[-1]
        read = _arguments(native, is_cut_off=is_cut_off and is_last)
        tool = _tool_name(native.name, names)
        if tool == ASK_USER and ASK_USER not in names.values() and read.problem is None:
            question = question or _question(read.parameters)
        else:
            calls.append(read.call(_unique_id(native.id, calls), tool))
    return AgentPlan(reasoning=text or thought, tool_calls=calls, question=question)


def plan_from_text(
    text: str,
    thought: str,
    names: Mapping[str, str],
    schemas: Mapping[str, Any] | None = None,
    *,
    is_cut_off: bool,
    is_native: bool = False,
) -> AgentPlan:
    """Returns the plan or calls in `text`, if it contains any. Otherwise `text` is the final answer."""
    # A truncated answer is not repaired: the missing end of a call may be what made it harmless.
    if not is_cut_off:
        markup = None if WHOLE_OBJECT.match(text) else read_markup(text)
        plan = None if markup is None else _plan_in_markup(markup, names, schemas or {})
        if plan is not None:
            return _of_declared(plan, thought, names)
        # A model with native calls shows examples as JSON. One without answers as JSON, with or without prose.
        is_plan = not is_native or WHOLE_OBJECT.match(text)
        for found in objects_by_stage(text) if is_plan else ():
            plan = _plan_among(found, names)
            if plan is not None:
                return _of_declared(plan, thought, names)
    answer = text.strip()
    return AgentPlan(reasoning=thought, is_complete=True, summary=answer + CUT_OFF_NOTE if is_cut_off else answer)


def _of_declared(plan: AgentPlan, thought: str, names: Mapping[str, str]) -> AgentPlan:
    """Returns a plan in text, in which only declared functions are called.

    A text may be an example, so that no other name for a function is understood in it.
    """
    known = set(names.values())
    unknown = "there is no function `{}` in this request; the functions are: {}"
    calls = [
        call
        if call.problem or call.tool in known
        else msgspec.structs.replace(call, problem=unknown.format(call.tool, ", ".join(sorted(known))))
        for call in plan.tool_calls
    ]
    return msgspec.structs.replace(plan, reasoning=plan.reasoning or thought, tool_calls=calls)


def _plan_in_markup(markup: Markup, names: Mapping[str, str], schemas: Mapping[str, Any]) -> AgentPlan | None:
    known = {ASK_USER, *names.values()}
    tools = [_tool_name(each.name, names) for each in markup.calls]
    if not markup.is_certain and not known.issuperset(tools):
        return None
    question: str | None = None
    calls: list[ToolCall] = []
    for each, tool in zip(markup.calls, tools, strict=True):
        read = _text_arguments(each, schemas.get(tool) or {})
        if tool == ASK_USER and ASK_USER not in names.values() and read.problem is None:
            question = question or _question(read.parameters)
        else:
            calls.append(read.call(_unique_id("", calls), tool))
    return AgentPlan(reasoning=markup.prose, tool_calls=calls, question=question)


def _text_arguments(call: TextCall, schema: Mapping[str, Any]) -> _Arguments:
    arguments = typed(call, schema)
    return _parse_arguments(arguments) if isinstance(arguments, str) else _Arguments(arguments)


def without_inline_thought(text: str, thought: str) -> tuple[str, str]:
    """Separates a thought in tags from the text. Some local servers do not separate it."""
    found = INLINE_THOUGHT.match(text)
    if found is None:
        return text, thought
    return text[found.end() :], thought + found.group(2).strip()


def _plan_among(objects: list[dict[str, Any]], names: Mapping[str, str]) -> AgentPlan | None:
    for each in objects:
        if _looks_like_a_plan(each):
            return _plan_of(each, names)
    calls: list[ToolCall] = []
    for each in objects:
        call = _call_of(each, names, calls)
        if call is not None and call.tool in names.values():
            calls.append(call)
    return AgentPlan(tool_calls=calls) if calls else None


def _looks_like_a_plan(found: dict[str, Any]) -> bool:
    """Returns whether an object can only be a plan.

    An answer may contain JSON of the user's own, with a `summary` in it.
    """
    calls = found.get("tool_calls")
    if isinstance(calls, list) and calls:
        return all(isinstance(call, dict) for call in calls)
    if isinstance(found.get("is_complete"), bool):
        return True
    return bool(found.get("question")) and PLAN_FIELDS.issuperset(found)


def _plan_of(found: dict[str, Any], names: Mapping[str, str]) -> AgentPlan:
    calls: list[ToolCall] = []
    for each in found.get("tool_calls") or []:
        call = _call_of(each, names, calls) if isinstance(each, dict) else None
        if call is not None:
            calls.append(call)
    question = _text_or_none(found.get("question"))
    summary = _text_or_none(found.get("summary"))
    reasoning = _text_or_none(found.get("reasoning")) or ""
    # A plan without calls and questions has nothing left to do, whatever it says about itself.
    is_complete = found.get("is_complete") is True or (not calls and question is None)
    if is_complete and summary is None and not calls:
        summary = reasoning
    return AgentPlan(reasoning=reasoning, tool_calls=calls, question=question, is_complete=is_complete, summary=summary)


def _call_of(found: dict[str, Any], names: Mapping[str, str], others: list[ToolCall]) -> ToolCall | None:
    function = found.get("function")
    layer = function if isinstance(function, dict) else found
    name = layer.get("tool") or layer.get("name") or (function if isinstance(function, str) else None)
    if not isinstance(name, str):
        return None
    parameters = layer.get("parameters", layer.get("arguments", layer.get("input", {})))
    if isinstance(parameters, str):
        read = _parse_arguments(parameters)
    elif isinstance(parameters, dict):
        read = _Arguments(parameters)
    else:
        read = _invalid("they are no object", msgspec.json.encode(parameters).decode())
    call_id = found.get("id")
    return read.call(_unique_id(call_id if isinstance(call_id, str) else "", others), _tool_name(name, names))


@dataclass(frozen=True)
class _Arguments:
    """The parsed arguments of a call, or the reason why they could not be parsed."""

    parameters: dict[str, Any]
    problem: str | None = None

    def call(self, call_id: str, tool: str) -> ToolCall:
        return ToolCall(id=call_id, tool=tool, parameters=self.parameters, problem=self.problem)


def _arguments(call: NativeCall, *, is_cut_off: bool) -> _Arguments:
    if call.arguments_object is not None:
        return _Arguments(call.arguments_object)
    if is_cut_off and not call.is_whole:
        return _invalid("they were cut off at the model's output limit; send less at once", call.arguments)
    return _parse_arguments(call.arguments)


def _parse_arguments(text: str) -> _Arguments:
    if not text.strip() or text.strip() == "null":
        return _Arguments({})
    try:
        value = msgspec.json.decode(text)
        if isinstance(value, str):
            # Encoded twice: by the model and by the server.
            value = msgspec.json.decode(value)
    except UNREADABLE as error:
        recovered = recover_object(text)
        return _invalid(f"they are no JSON ({error})", text) if recovered is None else _Arguments(recovered)
    return _Arguments(value) if isinstance(value, dict) else _invalid("they are no object", text)


def _invalid(why: str, text: str) -> _Arguments:
    return _Arguments({}, f"{why}. They begin: {text[:LONGEST_INVALID_CHARS]}")


def _question(parameters: dict[str, Any]) -> str:
    question = parameters.get("question")
    if isinstance(question, str) and question.strip():
        return question
    return msgspec.json.encode(parameters).decode()


def _tool_name(name: str, names: Mapping[str, str]) -> str:
    """Returns the tool's own name. Some models prefix it with their dialect's name for the list of tools."""
    bare = name.strip()
    return names.get(bare) or names.get(bare.removeprefix("functions.").removeprefix("tools.")) or bare


def _unique_id(wanted: str, others: list[ToolCall]) -> str:
    taken = {call.id for call in others}
    if wanted and wanted not in taken:
        return wanted
    number = len(others) + 1
    while f"call_{number}" in taken:
        number += 1
    return f"call_{number}"


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None
