"""Chores done through the tools: what is looked up, planned and submitted, and what is said of it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Generator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from deputy_sidecar.offline.chore import Chore, Reading
from deputy_sidecar.offline.phrasing import called, counted, reading_in_words, say, selector_in_words
from deputy_sidecar.offline.results import duplicate_groups, listing, shares, size_text
from deputy_sidecar.offline.selector import Selector, filter_of
from deputy_sidecar.offline.steps import Call, Calls, NotPossibleError, Question, Result

__all__ = ["work"]

Steps = Generator[Calls | Question, Any, Any]
MOST_SHOWN: Final = 60
MOST_PLANNED: Final = 2_000
_BYTES: Final = re.compile(r"; (\d+) bytes?\b")
_COUNTED: Final = re.compile(r"(\d+) (file|folder)s?\b")
_COPY_NAME: Final = re.compile(r"\(\d+\)|\b(copy|kopie)\b|_copy|-copy", re.IGNORECASE)


class Entry(NamedTuple):
    """A line of `find` with an order."""

    path: str
    is_folder: bool
    size_bytes: int
    changed: str


class Found(NamedTuple):
    """What a search gave."""

    entries: list[Entry]
    files: int
    folders: int
    size_bytes: int
    notes: str


def work(reading: Reading) -> Steps:
    """All steps, one after the other; the reading comes first."""
    parts = [reading_in_words(reading)]
    for chore in reading.chores:
        try:
            said = yield from _step(chore, reading.language)
            if chore.output is not None and chore.verb != "report":
                said += yield from _written(chore.output, said, reading.language)
            parts.append(said)
        except NotPossibleError as why:
            raise NotPossibleError("\n\n".join([*parts, str(why)])) from None
    return "\n\n".join(parts)


def _written(output: str, said: str, language: str) -> Steps:
    """The answer as a file."""
    what = say(language, "output", output=output).strip()
    call = Call("code", {"action": "write", "path": output, "content": said + "\n"})
    result = yield from _one(what, call)
    _checked(result, language, what)
    return "\n\n" + say(language, "written", output=output)


def _step(chore: Chore, language: str) -> Steps:
    if chore.test is not None:
        found = yield from _find(chore.test.selector, language, limit=1)
        count = found.files + found.folders
        if count < chore.test.least or (chore.test.most is not None and count > chore.test.most):
            return say(language, "not_met", count=counted(language, found.files, found.folders))
    if chore.selector.is_duplicates:
        return (yield from (_trash_copies if chore.verb == "trash" else _duplicates)(chore, language))
    if chore.verb in {"tidy", "report"}:
        from deputy_sidecar.offline import errands

        return (yield from getattr(errands, chore.verb)(chore))
    doing = {
        "trash": _trash,
        "move": _transfer,
        "copy": _transfer,
        "rename": _rename,
        "create": _create,
        "count": _count,
        "size": _size,
        "usage": _usage,
        "tree": _tree,
        "overview": _overview,
        "read": _read,
        "head": _read,
        "tail": _read,
        "lines": _lines,
        "linecount": _wc,
        "words": _wc,
        "when": _when,
    }.get(chore.verb, _list)
    return (yield from doing(chore, language))


# Looking.


def _checked(result: Result, language: str, what: str) -> str:
    if result.ok:
        return result.content
    if result.is_denied:
        raise NotPossibleError(say(language, "denied", reason=result.reason))
    raise NotPossibleError(say(language, "failed", what=what, reason=result.reason))


def _one(reason: str, call: Call) -> Steps:
    (result,) = yield Calls(reason, [call])
    return result


def _search(action: str, selector: Selector, **more: Any) -> Call:
    parameters: dict[str, Any] = {
        "action": action,
        "path": selector.places[0] if selector.places else ".",
        **filter_of(selector.condition),
    }
    if action == "find" and selector.entries is not None:
        parameters["kind"] = selector.entries
    return Call("search", parameters | {name: value for name, value in more.items() if value is not None})


def _find(selector: Selector, language: str, *, limit: int | None = None, most: int = 0) -> Steps:
    """What fits, in its order: the first page of it, or up to `most` entries."""
    order = selector.order
    limit = limit or (order.limit if order is not None else None)
    what = say(language, "list", what=selector_in_words(selector, language))
    entries: list[Entry] = []
    while True:
        call = _search(
            "find",
            selector,
            sort=order.by if order is not None else "name",
            limit=limit - len(entries) if limit else None,
            offset=len(entries) or None,
        )
        result = yield from _one(what, call)
        shown = listing(_checked(result, language, what))
        page = [_entry(line) for line in shown.lines if line.count("\t") >= 3]
        entries += page
        if not page or not shown.more or len(entries) >= (limit or most or 1):
            break
    if most and (shown.more or len(entries) > most) and not limit:
        raise NotPossibleError(say(language, "too_many", count=most))
    figures, _, notes = shown.summary.partition("; ")
    numbers = {noun: int(number) for number, noun in _COUNTED.findall(figures)}
    size = _BYTES.search(shown.summary)
    known = int(size.group(1)) if size is not None else sum(entry.size_bytes for entry in entries)
    return Found(entries, numbers.get("file", 0), numbers.get("folder", 0), known, notes)


def _entry(line: str) -> Entry:
    path, kind, size, changed = line.split("\t")[:4]
    return Entry(path.rstrip("/"), kind == "folder", int(size) if size.isdecimal() else 0, changed)


def _list(chore: Chore, language: str) -> Steps:
    found = yield from _find(chore.selector, language)
    if not found.entries:
        text = f"{counted(language, 0)}. {say(language, 'none')}"
        return text
    limit = chore.selector.order.limit if chore.selector.order is not None else None
    shown = found.entries[: limit or MOST_SHOWN]
    lines = [f"- {_shown(entry)}" for entry in shown]
    all_of = found.files + found.folders
    if limit:
        head = ""
    else:
        head = (
            say(
                language,
                "there_are",
                count=counted(language, found.files, found.folders),
                size=say(language, "together", size=size_text(found.size_bytes)) if found.files else "",
            )
            + "\n\n"
        )
        if all_of > len(shown):
            lines.append("- " + say(language, "more", count=all_of - len(shown)))
    text = head + "\n".join(lines)
    return text


def _shown(entry: Entry) -> str:
    if entry.is_folder:
        return f"{entry.path}/"
    return f"{entry.path} ({size_text(entry.size_bytes)}, {entry.changed[:10]})"


def _count(chore: Chore, language: str) -> Steps:
    found = yield from _find(chore.selector, language, limit=1)
    return say(language, "there_are", count=counted(language, found.files, found.folders), size="")


def _size(chore: Chore, language: str) -> Steps:
    found = yield from _find(chore.selector, language, limit=1)
    return f"{size_text(found.size_bytes)} ({counted(language, found.files, found.folders)})."


def _usage(chore: Chore, language: str) -> Steps:
    what = say(language, "usage", where=called(language, chore.selector.places))
    result = yield from _one(
        what, Call("search", {"action": "usage", "path": chore.selector.places[0] if chore.selector.places else "."})
    )
    rows = [
        share
        for share in shares(_checked(result, language, what))
        if chore.selector.entries != "folder" or share.name.endswith("/")
    ]
    limit = chore.selector.order.limit if chore.selector.order is not None else None
    return "\n".join(
        f"- {share.name} ({size_text(share.size_bytes)}, {counted(language, share.files)})"
        for share in rows[: limit or MOST_SHOWN]
    )


def _tree(chore: Chore, language: str) -> Steps:
    what = say(language, "tree", where=called(language, chore.selector.places))
    result = yield from _one(
        what, Call("search", {"action": "tree", "path": chore.selector.places[0] if chore.selector.places else "."})
    )
    return _checked(result, language, what).strip()


def _overview(chore: Chore, language: str) -> Steps:
    from deputy_sidecar.offline.inventory import take_inventory
    from deputy_sidecar.offline.report import overview_in_words

    if chore.selector.places:
        return (yield from _list(replace(chore, selector=replace(chore.selector, entries=None)), language))
    inventory = yield from take_inventory(chore.selector.places[0] if chore.selector.places else ".")
    return overview_in_words(inventory)


def _located(chore: Chore, language: str) -> Steps:
    """The one file that is named."""
    found = yield from _find(chore.selector, language)
    files = [entry for entry in found.entries if not entry.is_folder]
    if not files:
        raise NotPossibleError(say(language, "not_found", what=chore.selector.exact[0]))
    if len(files) > 1:
        raise NotPossibleError(
            say(language, "several", count=len(files), paths=", ".join(entry.path for entry in files[:9]))
        )
    return files[0]


def _path(chore: Chore, language: str) -> Steps:
    """A path as it was said, or the one file of that name."""
    name = chore.selector.exact[0]
    if "/" in name and not chore.selector.places:
        return name
    entry = yield from _located(chore, language)
    return entry.path


def _read(chore: Chore, language: str) -> Steps:
    path = yield from _path(chore, language)
    call = Call("code", {"action": "read", "path": path})
    if chore.verb != "read":
        call = Call("search", {"action": chore.verb, "path": path, "lines": chore.number or 10})
    result = yield from _one(path, call)
    return _checked(result, language, path).rstrip()


def _wc(chore: Chore, language: str) -> Steps:
    path = yield from _path(chore, language)
    result = yield from _one(path, Call("search", {"action": "wc", "path": path}))
    row = listing(_checked(result, language, path)).lines[0].split("\t")
    return f"{path}: " + say(language, "word_count", count=row[0], words=row[1])


def _when(chore: Chore, language: str) -> Steps:
    entry = yield from _located(chore, language)
    return say(language, "changed_on", path=entry.path, day=entry.changed)


def _lines(chore: Chore, language: str) -> Steps:
    selector = chore.selector
    path = selector.places[0] if selector.places else "."
    condition = filter_of(selector.condition)
    if selector.exact:
        path = yield from _path(chore, language)
        condition = {}
    text = chore.text or ""
    call = Call(
        "search", {"action": "grep", "pattern": text, "literal": True, "ignore_case": True, "path": path, **condition}
    )
    result = yield from _one(text, call)
    found = listing(_checked(result, language, text))
    if not found.lines:
        return say(language, "no_lines")
    lines = [f"- {line}" for line in found.lines[:MOST_SHOWN]]
    if found.more or len(found.lines) > MOST_SHOWN:
        lines.append("- " + say(language, "more", count=found.more + max(0, len(found.lines) - MOST_SHOWN)))
    return f"{found.summary}.\n\n" + "\n".join(lines)


def _duplicates(chore: Chore, language: str) -> Steps:
    what = say(language, "duplicates", what=selector_in_words(chore.selector, language))
    result = yield from _one(what, _search("duplicates", chore.selector))
    content = _checked(result, language, what)
    groups = duplicate_groups(content)
    if not groups:
        return say(language, "no_duplicates")
    head = say(
        language,
        "waste",
        groups=say(language, "group", count=len(groups)),
        size=size_text(sum(group.wasted_bytes for group in groups)),
    )
    return (
        head
        + "\n\n"
        + "\n".join(f"- {', '.join(group.paths)} ({size_text(group.size_bytes)})" for group in groups[:MOST_SHOWN])
    )


# Acting: what is found becomes one plan, which is approved, done and taken back as a whole.


def _submit(operations: list[dict[str, Any]], chore: Chore, language: str) -> Steps:
    from deputy_sidecar.offline.phrasing import chore_in_words

    reason = chore_in_words(chore, language)
    call = Call("organize", {"action": "submit_plan", "paths": ["."], "operations": operations, "reasoning": reason})
    result = yield from _one(reason, call)
    return _checked(result, language, reason)


def _chosen(chore: Chore, language: str) -> Steps:
    """What is acted on; a thing that was named has to be there, and to be the only one."""
    found = yield from _find(chore.selector, language, most=MOST_PLANNED)
    entries = _outermost(found.entries)
    if not entries and chore.selector.topics:
        # A guess at names that fits none was a wrong guess.
        raise NotPossibleError(say(language, "not_found", what=selector_in_words(chore.selector, language)))
    names = chore.selector.exact
    if names:
        if not entries:
            raise NotPossibleError(say(language, "not_found", what=", ".join(names)))
        if len(entries) > len(names):
            raise NotPossibleError(
                say(language, "several", count=len(entries), paths=", ".join(entry.path for entry in entries[:9]))
            )
        if len(entries) < len(names) and chore.selector.condition is not None:
            there = {posixpath.basename(entry.path).lower() for entry in entries}
            lost = [name for name in names if posixpath.basename(name).lower() not in there]
            if lost:
                raise NotPossibleError(say(language, "not_found", what=", ".join(lost)))
    return entries


def _outermost(entries: list[Entry]) -> list[Entry]:
    """Without what is inside a folder that is taken as a whole."""
    folders = {entry.path for entry in entries if entry.is_folder}

    def is_inside(path: str) -> bool:
        parent = posixpath.dirname(path)
        while parent:
            if parent in folders:
                return True
            parent = posixpath.dirname(parent)
        return False

    return [entry for entry in entries if not is_inside(entry.path)]


def _counted(entries: list[Entry], language: str) -> str:
    folders = sum(entry.is_folder for entry in entries)
    return counted(language, len(entries) - folders, folders)


def _total(entries: list[Entry]) -> str:
    return size_text(sum(entry.size_bytes for entry in entries))


def _named(entries: list[Entry]) -> str:
    lines = [f"- {entry.path}{'/' * entry.is_folder}" for entry in entries[:MOST_SHOWN]]
    return "\n".join([*lines, *([f"- ... +{len(entries) - MOST_SHOWN}"] if len(entries) > MOST_SHOWN else [])])


def _trash(chore: Chore, language: str) -> Steps:
    entries = yield from _chosen(chore, language)
    if not entries:
        return say(language, "nothing")
    yield from _submit([{"type": "trash", "path": entry.path} for entry in entries], chore, language)
    return (
        say(language, "trash_done", count=_counted(entries, language), size=_total(entries)) + "\n\n" + _named(entries)
    )


def _trash_copies(chore: Chore, language: str) -> Steps:
    what = say(language, "duplicates", what=selector_in_words(chore.selector, language))
    result = yield from _one(what, _search("duplicates", chore.selector))
    shown = listing(_checked(result, language, what))
    if shown.more:
        raise NotPossibleError(say(language, "too_many", count=MOST_PLANNED))
    kept: list[str] = []
    surplus: list[Entry] = []
    for group in duplicate_groups(result.content):
        first, *others = sorted(
            group.paths,
            key=lambda path: (bool(_COPY_NAME.search(posixpath.basename(path))), path.count("/"), len(path), path),
        )
        kept.append(first)
        surplus += [Entry(path, False, group.size_bytes, "") for path in others]
    if not surplus:
        return say(language, "no_duplicates")
    yield from _submit([{"type": "trash", "path": entry.path} for entry in surplus], chore, language)
    done = say(language, "trash_done", count=_counted(surplus, language), size=_total(surplus))
    return f"{done} {say(language, 'kept', paths=', '.join(kept))}\n\n{_named(surplus)}"


def _folders_there(names: list[str], language: str) -> Steps:
    """Those of the folders that exist already, by their own spelling."""
    calls = [
        Call("search", {"action": "find", "path": ".", "kind": "folder", "pattern": name, "sort": "name"})
        for name in names
    ]
    results = yield Calls(", ".join(names), calls)
    there: dict[str, str] = {}
    for name, result in zip(names, results, strict=True):
        for line in listing(_checked(result, language, name)).lines:
            path = line.split("\t")[0].rstrip("/")
            if path.lower() == name.lower():
                there[name] = path
    return there


def _transfer(chore: Chore, language: str) -> Steps:
    target = (chore.target or "").removeprefix("./").rstrip("/")
    if target.startswith(("/", "~", "..")):
        raise NotPossibleError(say(language, "outside", target=target))
    entries = yield from _chosen(chore, language)
    if not entries:
        return say(language, "nothing")
    single_folder = chore.verb == "copy" and len(entries) == 1 and entries[0].is_folder
    # What an earlier step has made is there.
    there = {target: target} if target in chore.names else (yield from _folders_there([target], language))
    target = there.get(target, target)
    entries = [entry for entry in entries if posixpath.dirname(entry.path) != target and entry.path != target]
    if not entries:
        return say(language, "already")
    operations: list[dict[str, Any]] = []
    if single_folder and target not in there.values():
        # `Copy src to src_old` makes a folder of that name, not one inside it.
        operations.append({"type": "copy", "path": entries[0].path, "to": target})
    else:
        if target not in there.values():
            operations.append({"type": "create_folder", "path": target})
        taken: set[str] = set()
        operations += [
            {"type": chore.verb, "path": entry.path, "to": f"{target}/{_free(posixpath.basename(entry.path), taken)}"}
            for entry in entries
        ]
    yield from _submit(operations, chore, language)
    return (
        say(language, f"{chore.verb}_done", count=_counted(entries, language), target=target, size=_total(entries))
        + "\n\n"
        + _named(entries)
    )


def _free(name: str, taken: set[str]) -> str:
    """A name that nothing else of this plan has."""
    stem, dot, extension = name.rpartition(".") if "." in name.lstrip(".") else (name, "", "")
    number, free = 2, name
    while free.lower() in taken:
        free = f"{stem} ({number}){dot}{extension}"
        number += 1
    taken.add(free.lower())
    return free


def _rename(chore: Chore, language: str) -> Steps:
    (entry,) = yield from _chosen(chore, language)
    target = chore.target or ""
    folder = posixpath.dirname(entry.path)
    if "/" in target:
        if posixpath.dirname(target) != folder:
            raise NotPossibleError(say(language, "failed", what=target, reason="/"))
        target = posixpath.basename(target)
    if not entry.is_folder and "." not in target and "." in posixpath.basename(entry.path):
        target += "." + posixpath.basename(entry.path).rpartition(".")[2]
    yield from _submit([{"type": "rename", "path": entry.path, "to": target}], chore, language)
    return say(language, "rename_done", path=entry.path, target=target)


def _create(chore: Chore, language: str) -> Steps:
    names = [name.removeprefix("./").rstrip("/") for name in chore.names]
    there = yield from _folders_there(names, language)
    new = [name for name in names if name not in there]
    if not new:
        return say(language, "exists_all", names=", ".join(names))
    yield from _submit([{"type": "create_folder", "path": name} for name in new], chore, language)
    return say(language, "create_done", names=", ".join(new))
