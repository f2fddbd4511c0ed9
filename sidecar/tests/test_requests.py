"""The lists of requests, played on real folders: what each asks for is done, or it is said plainly that not."""

from collections import Counter
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from request_lists.folders import build
from request_lists.runner import Outcome, Request, requests, snapshot, verdict
from support.folder_tools import FolderTools

from deputy_sidecar.backends.offline import Offline
from deputy_sidecar.models import AssistantMessage, Message, ToolMessage, UserMessage
from deputy_sidecar.offline.steps import Task

TOOLS = frozenset({"search", "code", "organize", "shell"})
TODAY = date.today()  # noqa: DTZ011


def play(text: str, root: Path) -> tuple[str, bool]:
    """What is said in the end, and whether the task was done."""
    tools = FolderTools(root)
    messages: list[Message] = [UserMessage(text=text)]
    for iteration in range(60):
        plan = Offline().next_plan(Task.of(messages, TOOLS), TODAY)
        if plan.is_complete or plan.question is not None:
            return str(plan.summary or plan.question), is_done(plan)
        calls = [
            type(call)(id=f"{iteration}-{call.id}", tool=call.tool, parameters=call.parameters)
            for call in plan.tool_calls
        ]
        messages.append(AssistantMessage(text=plan.reasoning, tool_calls=calls))
        for call in calls:
            content, ok = tools.run(call.tool, call.parameters)
            messages.append(ToolMessage(call=call.id, tool=call.tool, content=content, ok=ok))
    raise AssertionError(f"no end: {text}")


def is_done(plan: object) -> bool:
    return bool(getattr(plan, "is_complete")) and not getattr(plan, "needs_model")  # noqa: B009


def outcome_of(request: Request, root: Path) -> Outcome:
    build(request.folder, root, datetime.now(UTC).astimezone())
    before = snapshot(root)
    said, done = play(request.text, root)
    return Outcome(before, snapshot(root), said, done)


@pytest.mark.long
def test_no_request_is_acted_on_as_it_was_not_meant(tmp_path: Path) -> None:
    scores: Counter[str] = Counter()
    wrong = []
    for number, request in enumerate(requests()):
        root = tmp_path / str(number)
        root.mkdir()
        outcome = outcome_of(request, root)
        found = verdict(request, outcome)
        scores[found] += 1
        if found == "wrong" and outcome.before != outcome.after:
            wrong.append(f"{request.text} -> {outcome.said}")
    assert wrong == []
    assert scores["right"] >= 0.85 * scores.total(), dict(scores)
