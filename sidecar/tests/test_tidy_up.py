"""Tidying without a model: which requests mean it, and the calls that they become."""

from typing import Any

import pytest

from deputy_sidecar.backends.offline import Offline
from deputy_sidecar.models import AgentPlan, AssistantMessage, Message, ToolMessage, UserMessage
from deputy_sidecar.offline.steps import Task

DRAFT = "0123456789abcdef" * 4
SCANNED = (
    f"kinds: 3 documents\ndraft: {DRAFT}\nleft alone: /w/x.zzz, its kind is not known\n3 files, 1 KB; 2 operations"
)
TOOLS = frozenset({"search", "organize"})


def played(goal: str, *results: tuple[str, bool]) -> tuple[AgentPlan, list[dict[str, Any]]]:
    """The last plan, and the parameters of all calls on the way."""
    messages: list[Message] = [UserMessage(text=goal)]
    made: list[dict[str, Any]] = []
    waiting = list(results)
    while True:
        plan = Offline().next_plan(Task.of(messages, TOOLS))
        looked = [call for call in plan.tool_calls if call.parameters.get("any")]
        if looked:
            # The names in the request are looked up first: there are none.
            messages.append(AssistantMessage(text="", tool_calls=looked))
            messages.append(ToolMessage(call=looked[0].id, tool=looked[0].tool, content="0 files", ok=True))
            continue
        made += [call.parameters for call in plan.tool_calls]
        if not plan.tool_calls or not waiting:
            return plan, made
        (call,) = plan.tool_calls
        content, ok = waiting.pop(0)
        messages.append(AssistantMessage(text="", tool_calls=[call]))
        messages.append(ToolMessage(call=call.id, tool=call.tool, content=content, ok=ok))


@pytest.mark.parametrize(
    ("goal", "wanted"),
    [
        ("tidy up this folder", {}),
        ("Please tidy up my downloads", {"paths": ["~/Downloads"]}),
        ("organize my downloads", {"paths": ["~/Downloads"]}),
        ("Räum diesen Ordner auf", {}),
        ("räum hier mal auf", {}),
        ("tidy up this folder by date", {"by": "date"}),
        ("tidy up this folder by kind", {"by": "kind"}),
    ],
)
def test_a_request_becomes_a_scan_and_its_draft_is_submitted(goal: str, wanted: dict[str, Any]) -> None:
    plan, made = played(goal, (SCANNED, True), ("job j1: 2 of 2 steps are done", True))
    where = {"paths": wanted["paths"]} if "paths" in wanted else {}
    assert made == [{"action": "scan", **wanted}, {"action": "submit_plan", **where, "draft": DRAFT}]
    assert plan.is_complete
    done = "Erledigt: 2 Schritte." if "äum" in goal else "Done. Job j1: 2 of 2 steps are done"
    assert done in str(plan.summary)
    assert "x.zzz" in str(plan.summary)


def test_a_plan_that_was_made_before_is_submitted_as_it_is() -> None:
    _, made = played(f"Tidy up inbox: apply the plan {DRAFT}", ("job j1: done", True))
    assert made == [{"action": "submit_plan", "draft": DRAFT}]


@pytest.mark.parametrize("goal", ["tidy up the code", "organize the meeting", "tidy up my emails", "sort out my taxes"])
def test_what_is_no_folder_is_not_tidied(goal: str) -> None:
    plan, made = played(goal)
    assert made == []
    assert not plan.is_complete
