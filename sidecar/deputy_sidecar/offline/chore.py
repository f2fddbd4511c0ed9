"""What a request asks for, as data: one chore a step, and what kept the request from being read in full."""

from __future__ import annotations

from dataclasses import dataclass, field

from deputy_sidecar.offline.job import Job
from deputy_sidecar.offline.selector import Selector

__all__ = ["ACTS", "REPORT", "Chore", "Reading", "Test"]

# The file of a report whose request names none.
REPORT = "REPORT.md"
# Chores that change something.
ACTS = frozenset({"trash", "move", "copy", "rename", "create", "tidy"})


@dataclass(frozen=True)
class Test:
    """A condition on a step: how many entries of a selector there are."""

    selector: Selector
    least: int = 1
    most: int | None = None


@dataclass(frozen=True)
class Chore:
    """One step."""

    verb: str
    selector: Selector = field(default_factory=Selector)
    # A folder for move and copy, a name for rename, `lower` or `upper` for a change of case.
    target: str | None = None
    # Folders to create.
    names: tuple[str, ...] = ()
    # The text whose lines are wanted.
    text: str | None = None
    # Lines of a file.
    number: int | None = None
    # A file that the answer is written to.
    output: str | None = None
    test: Test | None = None
    # Whether things of which the target has one already stay where they are.
    skips_there: bool = False
    # The list that `the second one` was taken from; the next such request is about it, too.
    listed: Chore | None = None
    # Whether other words than those that were said led to it: that nothing fits is no answer then.
    is_guess: bool = False
    # What a form read; the verb is then `form`.
    job: Job | None = None

    @property
    def is_act(self) -> bool:
        """Whether it changes something."""
        return self.job.is_act if self.job is not None else self.verb in ACTS


@dataclass(frozen=True)
class Reading:
    """A whole request."""

    language: str
    chores: tuple[Chore, ...] = ()
    # Words of the request that fill no slot, in their order.
    unused: tuple[str, ...] = ()
    # What a slot lacks: a key of `answers`.
    missing: str | None = None
    # Sentences that ask for nothing, such as `my disk is full`.
    remarks: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether it may be done."""
        return bool(self.chores) and not self.unused and self.missing is None
