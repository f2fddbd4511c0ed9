"""Plays MiniWoB tasks: opens each, starts it, lets its solver solve it, and reads the reward from the page."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Protocol

import longer_solvers  # noqa: F401 (it adds its solvers to the others)
from served import Site
from solvers import SOLVERS, Browser


class Agent(Browser, Protocol):
    def begin(self, url: str) -> None: ...


#: Reasons for which a solver gives up: what it looks for is not there, or an action was refused.
GAVE_UP = (LookupError, StopIteration, ValueError, AssertionError)


def play(agent: Agent, site: Site, tasks: Iterable[str] = SOLVERS) -> dict[str, bool]:
    solved = {}
    for task in tasks:
        site.begin("1")
        with contextlib.suppress(*GAVE_UP):
            agent.begin(f"{site.origin}/miniwob/{task}.html")
            agent.click(agent.look().saying("START"))
            SOLVERS[task](agent, agent.look())
        solved[task] = site.reward() == 1
    return solved
