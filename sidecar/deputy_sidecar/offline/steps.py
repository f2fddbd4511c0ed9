"""A chore as a generator that is played again over the conversation.

A skill is written as one function from top to bottom: it yields the calls it needs, or a question, gets the results,
and returns the closing words. For each plan it runs from its beginning; what the conversation holds already is handed
to it at once, and the first thing that is missing becomes the plan. So nothing is remembered between plans.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from deputy_sidecar.backend import AgentPlan, AssistantMessage, Message, ToolCall, ToolMessage, UserMessage
from deputy_sidecar.models import EarlierTask
from deputy_sidecar.untrusted import is_notes

__all__ = [
    "Call",
    "Calls",
    "Chore",
    "EndedError",
    "NeedsModelError",
    "NotPossibleError",
    "Question",
    "Result",
    "Task",
    "next_plan",
]

# How the core opens what it tells of a call that a rule or a person refused. The words alone say nothing: a file system
# says "Permission denied" of a call that ran.
_DENIED = "Denied: "


@dataclass(frozen=True)
class Call:
    """A call that a chore needs."""

    tool: str
    parameters: dict[str, Any]

    @property
    def key(self) -> tuple[str, bytes]:
        """Equal for equal calls."""
        return self.tool, msgspec.json.encode(self.parameters, order="sorted")


@dataclass(frozen=True)
class Calls:
    """Calls that can run next to each other, and why."""

    reason: str
    calls: Sequence[Call]


@dataclass(frozen=True)
class Question:
    """Something that only the user knows."""

    text: str


@dataclass(frozen=True)
class Result:
    """What a call gave back."""

    content: str
    ok: bool

    @property
    def reason(self) -> str:
        """Why it was denied, or what it said, in its first line."""
        return self.content.removeprefix(_DENIED).strip().split("\n")[0][:300]

    @property
    def is_denied(self) -> bool:
        """Whether a rule or a person said no, as opposed to a call that failed."""
        return not self.ok and self.content.startswith(_DENIED)


class NotPossibleError(Exception):
    """The chore cannot continue; the text says why, for the user."""


class EndedError(NotPossibleError):
    """Other words would not help: somebody said no, or a job stopped and says itself how it resumes."""


class NeedsModelError(NotPossibleError):
    """Only a model could do it."""


Chore = Generator[Calls | Question, Any, str]


@dataclass
class Task:
    """What the conversation says: the goal, what was answered since, and what the calls gave."""

    goal: str
    tools: frozenset[str]
    results: dict[tuple[str, bytes], Result] = field(default_factory=dict)
    answers: list[tuple[str, str]] = field(default_factory=list)
    # Tasks of the same conversation that came before.
    earlier: Sequence[EarlierTask] = ()

    @classmethod
    def of(cls, messages: Sequence[Message], tools: frozenset[str], earlier: Sequence[EarlierTask] = ()) -> Task:
        """Reads the conversation."""
        task = cls("", tools, earlier=earlier)
        calls: dict[str, Call] = {}
        said = ""
        previous: Message | None = None
        for at, message in enumerate(messages):
            if at == 1 and isinstance(message, UserMessage) and is_notes(message.text):
                continue
            if isinstance(message, UserMessage):
                if previous is None or not task.goal:
                    task.goal = message.text
                elif not isinstance(previous, ToolMessage):
                    # What comes between a call's result and the next step is not an answer: nothing had been asked.
                    task.answers.append((said, message.text))
                said = ""
            elif isinstance(message, AssistantMessage):
                said = message.text
                calls.update((each.id, Call(each.tool, each.parameters)) for each in message.tool_calls)
            elif isinstance(message, ToolMessage) and message.call in calls:
                task.results[calls[message.call].key] = Result(message.content, message.ok)
            previous = message
        return task

    def anew(self, goal: str) -> Task:
        """The same conversation about what the user wants instead."""
        return replace(self, goal=goal)

    def answer_to(self, question: Question, number: int) -> str | None:
        """What the user said to `question`, the `number`th of this task, from 0."""
        for said, answer in self.answers:
            if question.text in said:
                return answer
        # The core may show a question in other words than we asked it in; then the order tells.
        unasked = [answer for said, answer in self.answers if not said]
        return unasked[number] if number < len(unasked) else None


def next_plan(start: Callable[[Task], Chore], task: Task) -> AgentPlan:
    """Plays the chore to the first thing that is missing."""
    chore = start(task)
    questions = 0
    try:
        wanted = next(chore)
        while True:
            if isinstance(wanted, Question):
                answer = task.answer_to(wanted, questions)
                if answer is None:
                    return AgentPlan(reasoning=wanted.text, question=wanted.text)
                questions += 1
                wanted = chore.send(answer)
            else:
                missing = [call for call in wanted.calls if call.key not in task.results]
                if missing:
                    return _plan_of(wanted.reason, missing, task)
                wanted = chore.send([task.results[call.key] for call in wanted.calls])
    except StopIteration as end:
        return AgentPlan(is_complete=True, summary=end.value)
    except EndedError as why:
        return AgentPlan(is_complete=True, summary=str(why))
    except NeedsModelError as why:
        return AgentPlan(is_complete=True, needs_model=True, summary=str(why))
    except NotPossibleError as why:
        # What was not done is no end that would look like one: the user may say it differently, or end the task.
        return AgentPlan(reasoning=str(why), question=str(why))
    finally:
        chore.close()


def _plan_of(reason: str, calls: Sequence[Call], task: Task) -> AgentPlan:
    absent = sorted({call.tool for call in calls} - task.tools)
    if absent:
        raise NotPossibleError(
            f"This needs the tool {' and '.join(absent)}, which this profile does not offer. "
            "Choose another profile with `deputy run --profile general`."
        )
    numbered = [ToolCall(id=f"call_{i}", tool=c.tool, parameters=c.parameters) for i, c in enumerate(calls, 1)]
    return AgentPlan(reasoning=reason, tool_calls=numbered)
