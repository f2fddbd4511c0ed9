"""No model at all: recognises file chores by their words and does them step by step."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from deputy_sidecar.backend import AgentPlan, Backend, Conversation, PlanReply

if TYPE_CHECKING:
    from deputy_sidecar.offline.skills import Skill
    from deputy_sidecar.offline.steps import Task

__all__ = ["Offline", "create", "preload"]

# Other words for one request, at most.
MOST_ASKED: Final = 20
CONNECT: Final = (
    "To have any task done, connect a model, e.g. one of Ollama on this machine:\n\n"
    "    deputy config set backend openai_compatible\n"
    "    deputy config set backends.openai_compatible.base_url http://127.0.0.1:11434/v1\n"
    "    deputy config set backends.openai_compatible.model NAME"
)


class Offline:
    """Plans file chores without a model."""

    name = "offline"

    def configure(self, settings: Mapping[str, Any]) -> None:
        """There is nothing to set."""

    async def plan(self, request: Conversation) -> AsyncIterator[str | AgentPlan | PlanReply]:
        """The next step of the chore that the conversation asks for."""
        # The skills are only loaded where they are used: most people have a model.
        from deputy_sidecar.offline.steps import Task

        plan = self.next_plan(Task.of(request.messages, frozenset(tool.name for tool in request.tools)))
        if plan.reasoning:
            yield plan.reasoning
        yield plan

    def next_plan(self, task: Task) -> AgentPlan:
        """The same without a process around it."""
        from deputy_sidecar.offline.accounting import doubts
        from deputy_sidecar.offline.matching import best_skill
        from deputy_sidecar.offline.steps import Question, next_plan

        for asked in range(MOST_ASKED):
            skill = best_skill(task.goal)
            if skill is None:
                question = Question(_not_understood(task.goal))
            else:
                plan = next_plan(skill.start, task)
                passed_over = doubts(task.goal, skill, _texts_of(skill, task))
                if not passed_over:
                    return plan
                question = Question(_in_doubt(task.goal, skill.title, passed_over))
            # What no chore does as it is meant is not done otherwise: it is said in other words, or the task is ended.
            said = task.answer_to(question, asked)
            if said is None:
                return AgentPlan(question=question.text)
            task = task.anew(said)
        return AgentPlan(is_complete=True, summary=_not_understood(task.goal))


def _texts_of(skill: Skill, task: Task) -> list[str]:
    """The values in the first calls of a chore, which are made of words of the request."""
    from deputy_sidecar.offline.steps import first_values

    return first_values(skill.start, task)


def _in_doubt(goal: str, title: str, passed_over: list[str]) -> str:
    words = ", ".join(f"“{word}”" for word in dict.fromkeys(passed_over[:5]))
    return (
        f"I am not sure that I understand “{_shortened(goal)}”: {words} is more than I can heed without a model. "
        f"The chore that comes closest is “{title}”. Say it in other words, or connect a model.\n\n{CONNECT}"
    )


def _shortened(goal: str) -> str:
    asked = " ".join(goal.split())
    return asked if len(asked) <= 120 else asked[:119] + "…"


def _not_understood(goal: str) -> str:
    from deputy_sidecar.offline.skills import SKILLS

    can = "\n".join(f"- {skill.title}, e.g. “{skill.samples[0]}”" for skill in SKILLS)
    return (
        f"I did not understand “{_shortened(goal)}”. No model is connected, and without one I can only do these "
        "chores. Say it in other words, or stop the task:\n\n"
        f"{can}\n\n{CONNECT}"
    )


def preload() -> None:
    """Imports the skills, which the first plan would wait for."""
    import deputy_sidecar.offline.matching  # noqa: F401


def create() -> Backend:
    """A backend that is not configured yet."""
    return Offline()
