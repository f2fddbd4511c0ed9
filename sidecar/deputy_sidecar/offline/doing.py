"""Chores done through the tools, one after the other, and what is said of them."""

from __future__ import annotations

from deputy_sidecar.offline import looking
from deputy_sidecar.offline.acting import create, rename, transfer, trash, trash_copies
from deputy_sidecar.offline.chore import Chore, Reading
from deputy_sidecar.offline.phrasing import counted, reading_in_words, say
from deputy_sidecar.offline.steps import Call, NotPossibleError

__all__ = ["work"]


_LISTS = frozenset({"list", "which", "where", "search", "exists", "write"})


def work(reading: Reading) -> looking.Steps:
    """All steps, one after the other; the reading comes first."""
    parts = [reading_in_words(reading)]
    for chore in reading.chores:
        try:
            if chore.output is not None and chore.job is None and chore.verb in _LISTS:
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


def _written(output: str, said: str, language: str) -> looking.Steps:
    """The answer as a file."""
    what = say(language, "output", output=output).strip()
    call = Call("code", {"action": "write", "path": output, "content": said + "\n"})
    result = yield from looking.one(what, call)
    looking.checked(result, language, what)
    return "\n\n" + say(language, "written", output=output)


def _step(chore: Chore, language: str) -> looking.Steps:
    if chore.test is not None:
        found = yield from looking.find(chore.test.selector, language, limit=1)
        there = found.files + found.folders
        if there < chore.test.least or (chore.test.most is not None and there > chore.test.most):
            return say(language, "not_met", count=counted(language, found.files, found.folders))
    if chore.job is not None:
        return (yield from chore.job.run(language))
    if chore.selector.is_duplicates:
        return (yield from (trash_copies if chore.verb == "trash" else looking.duplicates)(chore, language))
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
