"""Situations of the to-do list and of memories."""

from __future__ import annotations

from situation import Call, Situation


def steps(*titles: str, active: int) -> dict[str, object]:
    """A to-do list whose steps before the active one are done."""
    states = ["done"] * active + ["active"] + ["pending"] * (len(titles) - active - 1)
    return {"steps": [{"title": title, "state": state} for title, state in zip(titles, states, strict=True)]}


NOTES = [
    Situation(
        "keep-a-to-do-list",
        [
            Call("todo", steps("Read", "Change", "Test", active=0), ["0 of 3", "Read"]),
            Call("todo", steps("Read", "Change", "Test", active=1), ["1 of 3", "Change"]),
        ],
    ),
    Situation(
        "remember-and-recall-in-a-later-task",
        [Call("memory_recall", {"query": "How do the tests run?"}, ["The tests run with tox."])],
        earlier=[Call("memory_remember", {"text": "The tests run with tox."}, ["Remembered"])],
    ),
    Situation(
        "remember-a-preference",
        [
            Call("memory_remember", {"text": "Prefers tabs.", "about": "indentation"}, ["Remembered"]),
        ],
    ),
    Situation(
        "open-the-scratchpad",
        [
            Call("open_tools", {"group": "remembered"}, ["memory_scratchpad(text?: string)"]),
            Call("memory_scratchpad", {"text": "Half of it is done."}),
            Call("memory_scratchpad", {}, ["Half of it is done."]),
        ],
    ),
    Situation(
        "list-memories",
        [
            Call("memory_remember", {"text": "Releases are on Fridays."}, ["Remembered"]),
            Call("open_tools", {"group": "remembered"}, ["memory_list(limit?: integer)"]),
            Call("memory_list", {}, ["Releases are on Fridays."]),
        ],
    ),
]
