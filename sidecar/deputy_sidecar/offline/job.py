"""A chore that a form reads as a whole: what it is called in words, and how it is done."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Protocol

from deputy_sidecar.offline.steps import Calls, Question

__all__ = ["Job", "Steps"]

Steps = Generator[Calls | Question, Any, Any]


class Job(Protocol):
    """What a form gives; a frozen dataclass with the slots of the form."""

    @property
    def is_act(self) -> bool:
        """Whether it changes something."""

    def phrase(self, language: str) -> str:
        """What it does, as part of the reading."""

    def run(self, language: str) -> Steps:
        """Does it, and gives what is said of it."""
