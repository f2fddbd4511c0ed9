"""The check of calls finds what a model cannot know from the declared schema."""

from __future__ import annotations

import pytest
from drive import Json
from schema import misfits

DECLARED: dict[str, Json] = {
    "todo": {
        "type": "object",
        "properties": {
            "steps": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "title": {"type": "string"},
                        "state": {"type": "string", "enum": ["done"]},
                    },
                    "required": ["title"],
                },
            }
        },
        "required": ["steps"],
    }
}


def test_a_call_that_fits_has_no_misfits() -> None:
    assert misfits(DECLARED, "todo", {"steps": [{"title": "Read", "state": "done"}]}) == []


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("TodoWrite", {"steps": []}),
        ("todo", {}),
        ("todo", {"steps": [], "title": "Mine"}),
        ("todo", {"steps": "[]"}),
        ("todo", {"steps": None}),
        ("todo", {"steps": [{"title": "Read", "state": "begun"}]}),
        ("todo", {"steps": [{"title": "Read", "at": 1}]}),
        ("todo", {"steps": [{"state": "done"}]}),
    ],
)
def test_what_is_not_declared_does_not_fit(function: str, arguments: Json) -> None:
    assert len(misfits(DECLARED, function, arguments)) == 1
