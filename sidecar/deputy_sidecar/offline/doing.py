"""Chores done through the tools, one after the other, and what is said of them."""

from __future__ import annotations

from deputy_sidecar.offline import copies, looking
from deputy_sidecar.offline.acting import create, rename, transfer, trash, trash_copies
from deputy_sidecar.offline.chore import Chore, Reading
from deputy_sidecar.offline.measuring import settled
from deputy_sidecar.offline.phrasing import counted, reading_in_words, say, selector_in_words
from deputy_sidecar.offline.selector import All, Any_, Condition, Empty
from deputy_sidecar.offline.steps import Call, NotPossibleError
from deputy_sidecar.offline.tokens import normal

__all__ = ["work"]


# Files that a question names, at most.
MOST_NAMED = 9
_LISTS = frozenset({"list", "which", "where", "search", "exists", "write"})


def work(reading: Reading) -> looking.Steps:
    """All steps, one after the other; the reading comes first."""
    parts = [reading_in_words(reading)]
    try:
        yield from _foresee(reading)
    except NotPossibleError as why:
        raise type(why)("\n\n".join([*parts, str(why)])) from None
    for chore in reading.chores:
        try:
            if chore.output is not None and chore.job is None and chore.verb in _LISTS:
                chore = yield from settled(chore, reading.language)
                said = yield from looking.whole_list(chore, reading.language)
                said = yield from _written(chore.output, said, reading.language)
                parts.append(said.strip())
                continue
            said = yield from _step(chore, reading.language)
            if chore.output is not None and chore.verb != "report":
                said += yield from _written(chore.output, said, reading.language)
            parts.append(said)
        except NotPossibleError as why:
            raise type(why)("\n\n".join([*parts, str(why)])) from None
    return "\n\n".join(parts)


def _foresee(reading: Reading) -> looking.Steps:
    """Nothing is begun where a later step is about what is not there, unless an earlier step makes it."""
    if not any(chore.is_act for chore in reading.chores[:-1]):
        return
    made: list[str] = []
    for at, chore in enumerate(reading.chores):
        job = getattr(chore.job, "target", None) or getattr(chore.job, "folder", None)
        said = [*chore.selector.topics, *chore.selector.exact, *chore.selector.needed, *chore.selector.places]
        depends = any(normal(each).strip("/") in name for each in said for name in made)
        # What is empty or a copy may only be so once the steps before are done.
        may_come = chore.selector.is_duplicates or (
            Empty() in _parts(chore.selector.condition) and not chore.selector.is_single
        )
        if (
            at
            and (said or not may_come)
            and chore.verb != "create"
            and chore.job is None
            and chore.is_act
            and chore.test is None
            and not depends
        ):
            alone = yield from settled(chore, reading.language)
            found = yield from looking.find(alone.selector, reading.language, limit=MOST_NAMED)
            if chore.selector.is_single and len(found.entries) > 1:
                paths = ", ".join(entry.path for entry in found.entries)
                raise NotPossibleError(say(reading.language, "several", count=len(found.entries), paths=paths))
            wider = looking.by_folder(alone.selector) if chore.verb in {"move", "copy"} else None
            if not found.files + found.folders and wider is not None:
                found = yield from looking.find(wider, reading.language, limit=1)
            if not found.files + found.folders:
                what = ", ".join(chore.selector.exact) or selector_in_words(chore.selector, reading.language)
                raise NotPossibleError(say(reading.language, "not_found", what=what))
        made += [normal(each) for each in (chore.target, *chore.names, job) if isinstance(each, str)]
        made += [normal(each) for each in said] if chore.verb in {"move", "copy"} else []


def _parts(condition: Condition | None) -> tuple[Condition, ...]:
    return condition.parts if isinstance(condition, All | Any_) else (condition,) if condition is not None else ()


def _written(output: str, said: str, language: str) -> looking.Steps:
    """The answer as a file."""
    what = say(language, "output", output=output).strip()
    call = Call("code", {"action": "write", "path": output, "content": said + "\n"})
    result = yield from looking.one(what, call)
    looking.checked(result, language, what)
    return "\n\n" + say(language, "written", output=output)


def _step(chore: Chore, language: str) -> looking.Steps:
    chore = yield from settled(chore, language)
    if chore.test is not None:
        found = yield from looking.find(chore.test.selector, language, limit=1)
        there = found.files + found.folders
        if chore.test.selector.is_duplicates:
            # `If there are duplicates`: how many groups there are.
            there = yield from copies.groups(chore.test.selector, language)
        if there < chore.test.least or (chore.test.most is not None and there > chore.test.most):
            return say(language, "not_met", count=counted(language, found.files, found.folders))
    if chore.job is not None:
        return (yield from chore.job.run(language))
    if chore.selector.is_duplicates:
        return (yield from (trash_copies if chore.verb == "trash" else copies.duplicates)(chore, language))
    if chore.verb in {"tidy", "report"}:
        from deputy_sidecar.offline import errands

        if chore.verb == "tidy":
            return (yield from errands.tidy(chore, language))
        return (yield from errands.report(chore))
    doing = {
        "trash": trash,
        "move": transfer,
        "copy": transfer,
        "rename": rename,
        "create": create,
        "count": looking.count,
        "size": looking.size,
        "usage": looking.usage,
        "tree": looking.tree,
        "overview": looking.overview,
        "read": looking.read_file,
        "head": looking.read_file,
        "tail": looking.read_file,
        "lines": looking.lines,
        "linecount": looking.count_lines,
        "words": looking.count_lines,
        "when": looking.when,
    }.get(chore.verb, looking.list_entries)
    return (yield from doing(chore, language))
