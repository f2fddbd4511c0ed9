"""Runs each world bare and approved. `PARITY=all` includes those that need a registry or take minutes."""

from __future__ import annotations

import os

import pytest
from parity import World, compare, worlds

WANTED = [world for world in worlds() if world.fast or os.environ.get("PARITY") == "all"]
# Worlds whose programs are not installed are skipped.
CHOSEN = [world for world in WANTED if not world.missing()]


@pytest.mark.parametrize("world", CHOSEN, ids=lambda world: world.name)
def test_approved_commands_end_as_they_do_bare(world: World) -> None:
    assert compare(world) == []
