"""No model at all: recognises file chores by their words and does them step by step."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from deputy_sidecar.backend import AgentPlan, Backend, Conversation, PlanReply

if TYPE_CHECKING:
    from deputy_sidecar.offline.steps import Task

__all__ = ["Offline", "create", "preload"]

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
        from deputy_sidecar.offline.matching import best_skill
        from deputy_sidecar.offline.steps import next_plan

        skill = best_skill(task.goal)
        if skill is None:
            return AgentPlan(is_complete=True, summary=_not_understood(task.goal))
        return next_plan(skill.start, task)


def _not_understood(goal: str) -> str:
    from deputy_sidecar.offline.skills import SKILLS

    asked = " ".join(goal.split())
    asked = asked if len(asked) <= 120 else asked[:119] + "…"
    can = "\n".join(f"- {skill.title}, e.g. “{skill.samples[0]}”" for skill in SKILLS)
    return (
        f"I did not understand “{asked}”. No model is connected, and without one I can only do these chores:\n\n"
        f"{can}\n\n{CONNECT}"
    )


def preload() -> None:
    """Imports the skills, which the first plan would wait for."""
    import deputy_sidecar.offline.matching  # noqa: F401


def create() -> Backend:
    """A backend that is not configured yet."""
    return Offline()
