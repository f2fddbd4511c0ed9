"""A command, run as it was given."""

from __future__ import annotations

import re

from deputy_sidecar.offline.skills.skill import Skill, one
from deputy_sidecar.offline.slots import quoted_in
from deputy_sidecar.offline.steps import Call, Chore, NotPossibleError, Question, Task

__all__ = ["SKILL"]

_GIVEN = re.compile(
    r"^\s*(?:please\s+|bitte\s+)?(?:run|execute|launch|führe|starte)\s+(?:the\s+|this\s+|den\s+|das\s+)?"
    r"(?:(?:shell\s+)?command|befehl|kommando)?\s*:?\s*(.+?)\s*(?:\baus)?[.\s]*$",
    re.IGNORECASE | re.DOTALL,
)
WHICH_COMMAND = Question("Which command? Put it in backticks, e.g. `ls -l`.")


def _start(task: Task) -> Chore:
    command = _command_in(task.goal)
    if command is None:
        answer: str = yield WHICH_COMMAND
        quoted = quoted_in(answer)
        command = quoted[0] if quoted else answer.strip()
    result = yield from one(f"I run `{command}`.", Call("shell", {"command": command}))
    if result.is_denied:
        raise NotPossibleError(f"I did not run `{command}`: that was denied ({result.reason}).")
    said = "I ran" if result.ok else "This command failed:"
    return f"{said} `{command}`.\n\n{result.content.strip()}"


def _command_in(text: str) -> str | None:
    for quoted in quoted_in(text):
        return quoted
    given = _GIVEN.match(text)
    command = given.group(1).strip() if given is not None else ""
    return command if command and command.lower() not in {"a command", "it", "something", "einen befehl"} else None


SKILL = Skill(
    "Run a command that you give",
    (
        "run the command `x`",
        "run `x`",
        "execute `x`",
        "execute the command",
        "run this command",
        "run a command",
        "führe den Befehl `x` aus",
    ),
    _start,
    surely=re.compile(
        r"\s*(?:please\s+)?(?:run|execute)\s+(?:(?:the|this)\s+)?(?:(?:shell\s+)?command\b|`|[\w./-]+\s+-\w)",
        re.IGNORECASE,
    ),
    verbatim=True,
)
