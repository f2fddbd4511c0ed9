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
        ("tidy up this folder by date", {"by": "date"}),
        ("organise the folder photos by kind", {"paths": ["photos"], "by": "kind"}),
        ('tidy up, only the names, named like "lower-case"', {"by": "names", "convention": "lower-case"}),
        (
            'tidy up ./old/ and name files as "yyyy-mm-dd Title Case"',
            {"paths": ["./old/"], "convention": "yyyy-mm-dd Title Case"},
        ),
    ],
)
def test_a_request_becomes_a_scan_and_its_draft_is_submitted(goal: str, wanted: dict[str, Any]) -> None:
    plan, made = played(goal, (SCANNED, True), ("job j1: 2 of 2 steps are done", True))
    where = {"paths": wanted["paths"]} if "paths" in wanted else {}
    assert made == [{"action": "scan", **wanted}, {"action": "submit_plan", **where, "draft": DRAFT}]
    assert plan.is_complete
    assert str(plan.summary).startswith("Done. Job j1: 2 of 2 steps are done")
    assert "x.zzz" in str(plan.summary)


def test_a_plan_that_was_made_before_is_submitted_as_it_is() -> None:
    _, made = played(f"Apply the plan {DRAFT}", ("job j1: done", True))
    assert made == [{"action": "submit_plan", "draft": DRAFT}]


def test_nothing_to_do_a_refusal_and_a_failure_are_said() -> None:
    nothing, made = played("tidy up this folder", ("kinds: \ndraft: none, as there is nothing to do\n0 files", True))
    assert "Nothing is to be tidied in this folder: 0 files." in str(nothing.summary)
    assert len(made) == 1
    refused, _ = played("tidy up this folder", (SCANNED, True), ("Denied: no, not now", False))
    assert refused.summary == "Nothing was changed: the plan was denied (no, not now)."
    failed, _ = played("tidy up this folder", (SCANNED, True), ("it stopped at o3: no room", False))
    assert "it stopped at o3: no room" in str(failed.summary)


def test_a_job_that_the_file_system_stops_is_told_as_the_tool_told_it() -> None:
    """The word "denied" in a file system's error was once taken for a person's no."""
    said = (
        "job j1: 2 of 4 steps are done\nIt stopped at o3: could not move /w/b: Permission denied (os error 13). 2 "
        "steps are left. The user can try again, leave that one out or take all back: `deputy jobs resume j1`, `deputy "
        "jobs resume j1 --skip`, `deputy undo j1`."
    )
    stopped, _ = played("tidy up this folder", (SCANNED, True), (said, False))
    assert said in str(stopped.summary)
    assert "could not carry out" in str(stopped.summary)
    assert "Nothing was changed" not in str(stopped.summary)


@pytest.mark.parametrize("goal", ["clean up the code", "organize a party", "tidy up my git branches", "tidying is fun"])
def test_what_only_sounds_like_it_is_not_taken_for_it(goal: str) -> None:
    _, made = played(goal, (SCANNED, True))
    assert not any(parameters["action"] == "scan" for parameters in made)
