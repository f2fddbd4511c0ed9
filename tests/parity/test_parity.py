"""Runs each world bare and approved. `PARITY=all` includes those that need a registry or take minutes."""

from __future__ import annotations

import os
from typing import Any

import pytest
from parity import World, compare, worlds

WANTED = [world for world in worlds() if world.fast or os.environ.get("PARITY") == "all"]
# Worlds whose programs are not installed are skipped.
CHOSEN = [world for world in WANTED if not world.missing()]


def marked(world: World) -> Any:
    """Returns the world as a parameter; the first one is the journey that `make test` runs."""
    return pytest.param(world, id=world.name, marks=[pytest.mark.smoke] if world is CHOSEN[0] else [])


@pytest.mark.parametrize("world", [marked(world) for world in CHOSEN])
def test_approved_commands_end_as_they_do_bare(world: World) -> None:
    assert compare(world) == []
