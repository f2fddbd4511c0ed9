"""Requests that hold what is done letter by letter: a command, or the digest of a plan that was shown before."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["command_in", "plan_in"]

# What the command line says for a plan that was made before; the words around it are for people.
_PLAN: Final = re.compile(r"\bapply the plan ([0-9a-f]{64})\s*\Z", re.IGNORECASE)
_COMMAND: Final = re.compile(
    r"\s*(?:please\s+|bitte\s+)?(?:run|execute|führe)\s+(?:(?:the|this|den)\s+)?(?:(?:shell\s+)?(?:command|befehl)\s*:?\s+)?"
    r"(?:`(?P<code>[^`]+)`|'(?P<single>[^']+)'|\"(?P<double>[^\"]+)\"|(?P<plain>[\w./-]+\s+-\w[^`'\"]*?))(?:\s+(?:please|aus|bitte))*\s*[.!]?\s*\Z",
    re.IGNORECASE,
)


def plan_in(request: str) -> str | None:
    """The digest of the plan that is to be carried out."""
    found = _PLAN.search(request)
    return found.group(1) if found is not None else None


def command_in(request: str) -> str | None:
    """The command, if the request is to run one."""
    found = _COMMAND.match(request)
    return next((part for part in found.groups() if part), None) if found is not None else None
