"""No model at all: recognises file chores by their words and does them step by step."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

from deputy_sidecar.backend import AgentPlan, Backend, Conversation, PlanReply

__all__ = ["Offline", "create"]


class Offline:
    """Plans file chores without a model."""

    name = "offline"

    def configure(self, settings: Mapping[str, Any]) -> None:
        """There is nothing to set."""

    async def plan(self, request: Conversation) -> AsyncIterator[str | AgentPlan | PlanReply]:
        """The next step of the chore that the conversation asks for."""
        yield AgentPlan(is_complete=True, summary="Not yet.")


def create() -> Backend:
    """A backend that is not configured yet."""
    return Offline()
