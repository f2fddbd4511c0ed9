"""Works without a model: parses requests about files and runs them with the tools, or says what it cannot parse."""

# /// deputy
# label = "No model"
# summary = "Does file chores without a model, and says what it doesn't understand."
# ///

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, Final

from deputy_sidecar.backend import AgentPlan, Backend, Conversation, PlanReply

if TYPE_CHECKING:
    from deputy_sidecar.models import EarlierTask
    from deputy_sidecar.offline.chore import Chore, Reading
    from deputy_sidecar.offline.follow_up import Undo
    from deputy_sidecar.offline.job import Job, Steps
    from deputy_sidecar.offline.known_names import KnownNames
    from deputy_sidecar.offline.steps import Call, Task

__all__ = ["Offline", "create", "preload"]

# The maximum number of rephrasings of a request.
MOST_ASKED: Final = 20
# The number of earlier tasks that `them` and `the same` may refer to.
MOST_EARLIER: Final = 5
LONGEST_SHOWN: Final = 120
# The maximum number of words that an answer lists as not understood.
MOST_UNUSED: Final = 5


class Offline:
    """Plans file chores without a model."""

    name = "offline"

    def configure(self, settings: Mapping[str, Any]) -> None:
        """Takes no settings."""

    async def plan(self, request: Conversation) -> AsyncIterator[str | AgentPlan | PlanReply]:
        """Yields the next step of the requested chore."""
        # Loaded only when used, because most users have a model.
        from deputy_sidecar.offline.steps import Task

        tools = frozenset(tool.name for tool in request.tools)
        plan = self.next_plan(Task.of(request.messages, tools, request.earlier[-MOST_EARLIER:]))
        if plan.reasoning:
            yield plan.reasoning
        yield plan

    def next_plan(self, task: Task, today: date | None = None) -> AgentPlan:
        """Makes a plan without the process around it. `today` is the day of the request."""
        from deputy_sidecar.offline.chore import Reading
        from deputy_sidecar.offline.doing import work
        from deputy_sidecar.offline.doubts import finds_nothing, rows_meant
        from deputy_sidecar.offline.errands import apply_plan, run_command
        from deputy_sidecar.offline.known_names import KnownNames, names_call
        from deputy_sidecar.offline.reading import read
        from deputy_sidecar.offline.steps import Question, next_plan
        from deputy_sidecar.offline.verbatim import command_in, plan_in

        # A task may run past midnight. Dates in its request keep the meaning that they had for the calls so far.
        day = today or date.today()  # noqa: DTZ011
        digest, command = plan_in(task.goal), command_in(task.goal)
        if digest is not None:
            return next_plan(lambda _: apply_plan(digest), task)
        if command is not None:
            return next_plan(lambda _: run_command(command), task)
        goal = task.goal
        said_so_far = " ".join([*(each.goal for each in task.earlier), goal])
        lookup = names_call(said_so_far)
        known = None
        if lookup is not None and lookup.tool in task.tools:
            if lookup.key not in task.results:
                return next_plan(lambda _: looked_up(lookup), task)
            found = task.results[lookup.key]
            known = KnownNames.of(found.content, said_so_far) if found.ok else None
        before, undoable = _conversation(task, day, known)
        reading = read(goal, day, before, known, undoable)
        plan = AgentPlan()
        for asked in range(MOST_ASKED):
            # A request that was not fully understood is not carried out in part.
            plan = (
                next_plan(lambda _, whole=reading: work(whole), task)  # type: ignore[misc]
                if reading.is_complete
                else _not_read(goal, reading)
            )
            if reading.is_complete and rows_meant(reading, known, goal):
                plan = _in_a_table(goal, reading, task) or plan
            is_open = plan.needs_model or plan.question is not None
            if is_open or not reading.is_complete or finds_nothing(reading, known):
                plan = _written(goal, reading, task) or plan
            said = task.answer_to(Question(plan.question), asked) if plan.question is not None else None
            if said is None:
                return plan
            # An answer may only add what was missing. Otherwise it replaces the request.
            whole = (
                read(f"{goal} {said}", day, before, known)
                if not (reading.unused or reading.is_complete)
                else Reading("en")
            )
            if whole.is_complete:
                goal, reading = f"{goal} {said}", whole
            else:
                goal, reading = said, read(said, day, reading.chores or before, known)
        return AgentPlan(is_complete=True, summary=plan.question)


def looked_up(call: Call) -> Steps:
    """Yields only the call. Its result is examined before the request is parsed."""
    from deputy_sidecar.offline.steps import Calls

    yield Calls("", [call])
    return ""


def _conversation(task: Task, day: date, known: KnownNames | None) -> tuple[tuple[Chore, ...], Undo | None]:
    """Returns what the request may refer to: the chores of earlier tasks, and what can be undone."""
    from deputy_sidecar.offline.follow_up import Undo
    from deputy_sidecar.offline.reading import read

    chores: tuple[Chore, ...] = ()
    undoable: Undo | None = None
    for each in task.earlier:
        is_done = each.reason == "completed"
        reading = read(
            each.goal,
            datetime.fromtimestamp(each.created_at_ms / 1000, UTC).astimezone().date(),
            chores,
            known,
            undoable,
        )
        if reading.is_complete:
            # Nothing was done for a request that was not understood, so references still mean the task before it.
            chores = reading.chores if is_done else ()
        if each.jobs:
            undoable = Undo(each.goal, each.id, tuple(each.jobs))
        elif any(chore.is_act for chore in reading.chores) and not any(
            isinstance(chore.job, Undo) for chore in reading.chores
        ):
            # The host undoes changes that were not made by a plan.
            undone = _undone(reading, each)
            undoable = (
                Undo(each.goal, each.id, (), request=_opposite(reading), opposite=undone) if is_done else undoable
            )
    return chores, undoable


def _undone(reading: Reading, task: EarlierTask) -> Job | None:
    """Returns how to undo a task with a single change that can be reversed."""
    acts = [chore for chore in reading.chores if chore.is_act]
    undone = getattr(acts[0].job, "undone", None) if len(acts) == 1 else None
    return undone(tuple(task.changed_files), task.summary or "") if undone is not None else None


def _opposite(reading: Reading) -> str:
    """Returns the request that undoes a change that only a request can undo."""
    from deputy_sidecar.offline.jobs.tags import Tag

    job = reading.chores[-1].job
    return replace(job, is_removed=not job.is_removed).phrase(reading.language) if isinstance(job, Tag) else ""


def _written(goal: str, reading: Reading, task: Task) -> AgentPlan | None:
    """Returns the answer if all words of a question occur in a table or a text, otherwise None."""
    from deputy_sidecar.offline.steps import next_plan
    from deputy_sidecar.offline.written import has_order, written_about

    asked = written_about(goal, task.tools)
    # `Hours per shift` contains no order, even if it parses as one.
    if asked is None or (any(chore.is_act for chore in reading.chores) and has_order(goal)):
        return None
    plan = next_plan(lambda _: asked.run(reading.language), task)
    return None if plan.needs_model else plan


def _in_a_table(goal: str, reading: Reading, task: Task) -> AgentPlan | None:
    """Returns the matching rows for a request that could also mean a list of files.

    None if the table does not contain all its words.
    """
    from deputy_sidecar.offline.steps import next_plan
    from deputy_sidecar.offline.written import written_about

    asked = written_about(goal, task.tools)
    if asked is None or not asked.has_tables:
        return None
    looked_up = replace(asked, has_texts=asked.has_texts and goal.rstrip().endswith("?"))
    plan = next_plan(lambda _: looked_up.run(reading.language), task)
    return None if plan.needs_model or plan.question is not None else plan


def _not_read(goal: str, reading: Reading) -> AgentPlan:
    """Asks a question if a few more words would help. Ends the task if only a model could do it."""
    said = _why(goal, reading)
    if _is_for_a_model(goal, reading):
        return AgentPlan(is_complete=True, needs_model=True, summary=said)
    return AgentPlan(question=said)


def _is_for_a_model(goal: str, reading: Reading) -> bool:
    """Returns whether the request does not say what to do with which files, or asks for something that no tool does."""
    from deputy_sidecar.offline.lexicon import terms_of
    from deputy_sidecar.offline.tokens import tokens_of

    if reading.missing is not None:
        return reading.missing in {"what", "who"} or reading.missing.startswith("cannot")
    terms = terms_of(tokens_of(goal), reading.language)
    return not any(meaning.startswith("do:") for term in terms for meaning in term.meanings)


def _why(goal: str, reading: Reading) -> str:
    """Says what was understood, and what was not."""
    from deputy_sidecar.offline.phrasing import can_say, quoted, reading_in_words, say

    asked = " ".join(goal.split())
    shown = asked if len(asked) <= LONGEST_SHOWN else asked[: LONGEST_SHOWN - 1] + "…"
    words = quoted(reading.unused[:MOST_UNUSED], reading.language)
    key = (reading.missing or "unused").partition(":")[0]
    why = say(reading.language, f"why:{key}", words=words)
    parts = [say(reading.language, "unread", request=shown, why=why)]
    if reading.unused and reading.missing is not None:
        parts.append(say(reading.language, "unused", words=words))
    elif reading.unused and reading.chores and can_say(reading):
        parts.append(reading_in_words(reading, "rest"))
    elif reading.chores and can_say(reading):
        parts.append(reading_in_words(reading, "so_far"))
    return " ".join(parts) + "\n\n" + say(reading.language, "choices")


def preload() -> None:
    """Imports the vocabulary, so that the first plan does not wait for it."""
    from deputy_sidecar.offline.lexicon import lexicon

    lexicon("en")


def create() -> Backend:
    """Returns a backend that is not configured yet."""
    return Offline()
