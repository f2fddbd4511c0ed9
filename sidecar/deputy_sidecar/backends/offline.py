"""No model at all: reads requests about files and does what they say through the tools, or says what it cannot read."""

# /// deputy
# label = "No model"
# summary = "Reads requests about files and does what they say, or says what it cannot read."
# ///

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from deputy_sidecar.backend import AgentPlan, Backend, Conversation, PlanReply

if TYPE_CHECKING:
    from deputy_sidecar.offline.chore import Reading
    from deputy_sidecar.offline.steps import Task

__all__ = ["Offline", "create", "preload"]

# Other words for one request, at most.
MOST_ASKED: Final = 20
LONGEST_SHOWN: Final = 120


class Offline:
    """Plans file chores without a model."""

    name = "offline"

    def configure(self, settings: Mapping[str, Any]) -> None:
        """There is nothing to set."""

    async def plan(self, request: Conversation) -> AsyncIterator[str | AgentPlan | PlanReply]:
        """The next step of the chore that the conversation asks for."""
        # The vocabulary is only loaded where it is used: most people have a model.
        from deputy_sidecar.offline.steps import Task

        plan = self.next_plan(Task.of(request.messages, frozenset(tool.name for tool in request.tools)))
        if plan.reasoning:
            yield plan.reasoning
        yield plan

    def next_plan(self, task: Task, today: date | None = None) -> AgentPlan:
        """The same without a process around it; `today` is the day of the request."""
        from deputy_sidecar.offline.chore import Reading
        from deputy_sidecar.offline.doing import work
        from deputy_sidecar.offline.errands import apply_plan, run_command
        from deputy_sidecar.offline.reading import read
        from deputy_sidecar.offline.steps import Question, next_plan
        from deputy_sidecar.offline.verbatim import command_in, plan_in

        # A task may run past midnight; the words of its request keep the meaning they had for the calls so far.
        day = today or date.today()  # noqa: DTZ011
        digest, command = plan_in(task.goal), command_in(task.goal)
        if digest is not None:
            return next_plan(lambda _: apply_plan(digest), task)
        if command is not None:
            return next_plan(lambda _: run_command(command), task)
        goal = task.goal
        reading = read(goal, day)
        plan = AgentPlan()
        for asked in range(MOST_ASKED):
            # What is not read in full is not done in part.
            plan = (
                next_plan(lambda _, whole=reading: work(whole), task)  # type: ignore[misc]
                if reading.is_complete
                else AgentPlan(question=_not_read(goal, reading))
            )
            said = task.answer_to(Question(plan.question), asked) if plan.question is not None else None
            if said is None:
                return plan
            # An answer may only add what was missing; else it says all of it in other words.
            whole = read(f"{goal} {said}", day) if not (reading.unused or reading.is_complete) else Reading("en")
            if whole.is_complete:
                goal, reading = f"{goal} {said}", whole
            else:
                goal, reading = said, read(said, day, reading.chores)
        return AgentPlan(is_complete=True, summary=plan.question)


def _not_read(goal: str, reading: Reading) -> str:
    """What was understood, and the part that was not."""
    from deputy_sidecar.offline.phrasing import reading_in_words, say

    asked = " ".join(goal.split())
    shown = asked if len(asked) <= LONGEST_SHOWN else asked[: LONGEST_SHOWN - 1] + "…"
    words = ", ".join(f"“{word}”" for word in dict.fromkeys(reading.unused[:5]))
    key = (reading.missing or "unused").partition(":")[0]
    why = say(reading.language, f"why:{key}", words=words)
    parts = [say(reading.language, "unread", request=shown, why=why)]
    if reading.unused and reading.missing is not None:
        parts.append(say(reading.language, "unused", words=words))
    elif reading.unused and reading.chores:
        parts.append(reading_in_words(reading))
    return " ".join(parts) + "\n\n" + say(reading.language, "choices")


def preload() -> None:
    """Imports the vocabulary, which the first plan would wait for."""
    from deputy_sidecar.offline.lexicon import lexicon

    lexicon("en")


def create() -> Backend:
    """A backend that is not configured yet."""
    return Offline()
