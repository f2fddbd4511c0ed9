"""Chores that act: what is found becomes one plan, which is approved, done and undone as a whole."""

from __future__ import annotations

import posixpath
import re
from dataclasses import replace
from typing import Any, Final

from deputy_sidecar.offline.chore import Chore
from deputy_sidecar.offline.looking import (
    MOST_PLANNED,
    MOST_SHOWN,
    Entry,
    Steps,
    by_folder,
    checked,
    find,
    one,
    searched,
)
from deputy_sidecar.offline.phrasing import counted, say, selector_in_words
from deputy_sidecar.offline.results import duplicate_groups, listing, size_text
from deputy_sidecar.offline.selector import All, Any_, IsKind, with_whole_words
from deputy_sidecar.offline.stems import fold, stems_of
from deputy_sidecar.offline.steps import Call, Calls, NotPossibleError

__all__ = ["chosen", "create", "is_file_name", "rename", "transfer", "trash", "trash_copies"]

# How the tool says that a plan would take a project apart.
_IN_PROJECT: Final = re.compile(r"operation \S+: (?P<path>.+?) belongs to the project (?P<project>.+?), which is never")
# Kinds that are no formats: a text file may be a note or not.
_CALLED_SO: Final = frozenset({"notes"})
_COPY_NAME: Final = re.compile(r"\(\d+\)|\b(copy|kopie)\b|_copy|-copy", re.IGNORECASE)


def _submit(operations: list[dict[str, Any]], chore: Chore, language: str) -> Steps:
    from deputy_sidecar.offline.phrasing import chore_in_words

    reason = chore_in_words(chore, language)
    call = Call("organize", {"action": "submit_plan", "paths": ["."], "operations": operations, "reasoning": reason})
    result = yield from one(reason, call)
    project = _IN_PROJECT.search(result.content) if not result.ok else None
    if project is not None:
        raise NotPossibleError(say(language, "in_project", **project.groupdict()))
    return checked(result, language, reason)


def chosen(chore: Chore, language: str) -> Steps:
    """What is acted on; a thing that was named has to be there, and to be the only one."""
    found = yield from find(chore.selector, language, most=MOST_PLANNED)
    wider = by_folder(chore.selector) if not found.entries and chore.verb in {"move", "copy", "pack"} else None
    if wider is not None:
        # `The bills`, where it is their folder that is called so.
        wider = replace(wider, condition=with_whole_words(wider.condition))
        found = yield from find(wider, language, most=MOST_PLANNED)
    entries = _outermost(found.entries)
    if not entries and chore.selector.topics:
        # A guess at names that fits none was a wrong guess.
        raise NotPossibleError(say(language, "not_found", what=selector_in_words(chore.selector, language)))
    yield from _each_there(chore, language)
    _all_called_so(chore, entries, language)
    names = chore.selector.exact
    expected = chore.selector.expected
    if expected is not None and len(entries) != expected:
        listed = ", ".join(entry.path for entry in entries[:9]) or "-"
        raise NotPossibleError(say(language, "not_so_many", expected=expected, count=len(entries), paths=listed))
    for name in chore.selector.needed:
        same = [entry for entry in entries if name in {entry.path, posixpath.basename(entry.path)}] or [
            entry for entry in entries if posixpath.basename(entry.path).lower() == posixpath.basename(name).lower()
        ]
        if len(same) != 1:
            listed = ", ".join(entry.path for entry in same[:9])
            key = "several" if same else "not_found"
            raise NotPossibleError(say(language, key, count=len(same), paths=listed, what=name))
    if chore.selector.is_single and len(entries) > 1:
        listed = ", ".join(entry.path for entry in entries[:9])
        raise NotPossibleError(say(language, "several", count=len(entries), paths=listed))
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


def _all_called_so(chore: Chore, entries: list[Entry], language: str) -> None:
    """Of `the notes` where some files are called so: the other texts may not be meant."""
    condition = chore.selector.condition
    parts = condition.parts if isinstance(condition, All) else (condition,)
    if not any(isinstance(part, IsKind) and part.kind.english in _CALLED_SO for part in parts):
        return
    called = [entry for entry in entries if any(stem in fold(entry.path) for stem in stems_of("note"))]
    others = [entry.path for entry in entries if entry not in called]
    if called and others:
        raise NotPossibleError(say(language, "called_so", paths=", ".join(others[:9])))


def _each_there(chore: Chore, language: str) -> Steps:
    """Of `the slides and the notes` both have to be there; of `tmp and bak files` that go, one may be missing."""
    selector = chore.selector
    parts = selector.condition.parts if isinstance(selector.condition, Any_) else ()
    for part in parts:
        alone = replace(selector, condition=part, exact=(), needed=(), order=None, expected=None)
        if not alone.topics and chore.verb == "trash":
            continue
        found = yield from find(alone, language, limit=1)
        if not found.files + found.folders:
            raise NotPossibleError(say(language, "not_found", what=selector_in_words(alone, language)))


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


def _may_be_renamed(entry: Entry, target: str) -> bool:
    """`Riders -> Lineup/2026 riders`: a folder that is not there, next to the folder that is to go into it."""
    above = posixpath.dirname(target)
    return entry.is_folder and bool(above) and posixpath.dirname(entry.path) == above


def _counted(entries: list[Entry], language: str) -> str:
    folders = sum(entry.is_folder for entry in entries)
    return counted(language, len(entries) - folders, folders)


def _total(entries: list[Entry]) -> str:
    return size_text(sum(entry.size_bytes for entry in entries))


def _named(entries: list[Entry]) -> str:
    lines = [f"- {entry.path}{'/' * entry.is_folder}" for entry in entries[:MOST_SHOWN]]
    return "\n".join([*lines, *([f"- ... +{len(entries) - MOST_SHOWN}"] if len(entries) > MOST_SHOWN else [])])


def trash(chore: Chore, language: str) -> Steps:
    """Puts what is meant into the trash."""
    entries = yield from chosen(chore, language)
    if not entries:
        return say(language, "nothing")
    yield from _submit([{"type": "trash", "path": entry.path} for entry in entries], chore, language)
    return (
        say(language, "trash_done", count=_counted(entries, language), size=_total(entries)) + "\n\n" + _named(entries)
    )


def trash_copies(chore: Chore, language: str) -> Steps:
    """Puts surplus copies into the trash and keeps one of each."""
    what = say(language, "duplicates", what=selector_in_words(chore.selector, language))
    result = yield from one(what, searched("duplicates", chore.selector))
    shown = listing(checked(result, language, what))
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
    if not surplus and chore.selector.exact:
        found = yield from find(chore.selector, language, limit=1)
        if not found.entries:
            raise NotPossibleError(say(language, "not_found", what=", ".join(chore.selector.exact)))
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
        for line in listing(checked(result, language, name)).lines:
            path = line.split("\t")[0].rstrip("/")
            if path.lower() == name.lower():
                there[name] = path
    return there


def transfer(chore: Chore, language: str) -> Steps:
    """Moves or copies what is meant into a folder, which is made where it is missing."""
    target = (chore.target or "").removeprefix("./").rstrip("/")
    if target.startswith(("/", "~", "..")):
        raise NotPossibleError(say(language, "outside", target=target))
    entries = yield from chosen(chore, language)
    if not entries:
        return say(language, "nothing")
    if is_file_name(target):
        return (yield from _to_a_name(entries, target, chore, language))
    single_folder = chore.verb == "copy" and len(entries) == 1 and entries[0].is_folder
    # What an earlier step has made is there.
    there = {target: target} if target in chore.names else (yield from _folders_there([target], language))
    if target not in there and chore.verb == "move" and len(entries) == 1 and _may_be_renamed(entries[0], target):
        raise NotPossibleError(say(language, "move_or_rename", path=entries[0].path, target=target))
    target = there.get(target, target)
    entries = [entry for entry in entries if posixpath.dirname(entry.path) != target and entry.path != target]
    if chore.skips_there and target in there.values():
        entries = yield from _not_there(entries, target, language)
    if not entries:
        return say(language, "already")
    operations: list[dict[str, Any]] = []
    if single_folder and target not in there.values():
        # `Copy src to src_old` makes a folder of that name, not one inside it.
        operations += yield from _copied_folder(entries[0].path, target, language)
    else:
        if target not in there.values():
            operations.append({"type": "create_folder", "path": target})
        taken: set[str] = set()
        for entry in entries:
            to = f"{target}/{_free(posixpath.basename(entry.path), taken)}"
            if chore.verb == "copy" and entry.is_folder:
                operations += yield from _copied_folder(entry.path, to, language)
            else:
                operations.append({"type": chore.verb, "path": entry.path, "to": to})
    yield from _submit(operations, chore, language)
    copied = sum(operation["type"] == "copy" for operation in operations)
    has_folder = any(entry.is_folder for entry in entries)
    size = counted(language, copied) if has_folder else _total(entries)
    return (
        say(language, f"{chore.verb}_done", count=_counted(entries, language), target=target, size=size)
        + "\n\n"
        + _named(entries)
    )


def _not_there(entries: list[Entry], target: str, language: str) -> Steps:
    """Those of which the target has none by the same name."""
    call = Call(
        "search", {"action": "find", "path": target, "depth": 1, "hidden": True, "sort": "name", "limit": MOST_PLANNED}
    )
    shown = listing(checked((yield from one(target, call)), language, target))
    if shown.more:
        raise NotPossibleError(say(language, "too_many", count=MOST_PLANNED))
    names = {posixpath.basename(line.split("\t")[0].rstrip("/")).lower() for line in shown.lines}
    return [entry for entry in entries if posixpath.basename(entry.path).lower() not in names]


def _copied_folder(path: str, to: str, language: str) -> Steps:
    """A folder with all that is in it, as operations: a plan copies files one by one."""
    if to == path or to.startswith(f"{path}/"):
        raise NotPossibleError(say(language, "into_itself", path=path, target=to))
    call = Call(
        "search",
        {"action": "find", "path": path, "hidden": True, "no_ignore": True, "sort": "name", "limit": MOST_PLANNED},
    )
    shown = listing(checked((yield from one(path, call)), language, path))
    if shown.more:
        raise NotPossibleError(say(language, "too_many", count=MOST_PLANNED))
    operations: list[dict[str, Any]] = [{"type": "create_folder", "path": to}]
    for line in shown.lines:
        below, kind, *_ = line.split("\t")
        new = f"{to}/{below.rstrip('/').removeprefix(path).lstrip('/')}"
        if kind == "folder":
            operations.append({"type": "create_folder", "path": new})
        elif kind == "file":
            operations.append({"type": "copy", "path": below, "to": new})
        else:
            raise NotPossibleError(say(language, "no_file_in_it", path=below))
    return operations


def _to_a_name(entries: list[Entry], target: str, chore: Chore, language: str) -> Steps:
    """`Move todo.txt to done.txt`: another name, next to it unless a folder is named."""
    (entry,) = entries
    if entry.is_folder or entry.path == target:
        raise NotPossibleError(say(language, "failed", what=target, reason=entry.path))
    folder = posixpath.dirname(entry.path)
    path = target if "/" in target or not folder else f"{folder}/{target}"
    yield from _submit([{"type": chore.verb, "path": entry.path, "to": path}], chore, language)
    return say(language, "rename_done" if chore.verb == "move" else "copied_as", path=entry.path, target=path)


def is_file_name(target: str) -> bool:
    """Whether a target is the name of a file rather than of a folder."""
    return re.search(r"[^./]\.[A-Za-z]\w{0,4}\Z", target) is not None


def _free(name: str, taken: set[str]) -> str:
    """A name that nothing else of this plan has."""
    stem, dot, extension = name.rpartition(".") if "." in name.lstrip(".") else (name, "", "")
    number, free = 2, name
    while free.lower() in taken:
        free = f"{stem} ({number}){dot}{extension}"
        number += 1
    taken.add(free.lower())
    return free


def rename(chore: Chore, language: str) -> Steps:
    """Gives one file or folder another name."""
    entries = yield from chosen(chore, language)
    if len(entries) != 1:
        raise NotPossibleError(say(language, "not_found", what=selector_in_words(chore.selector, language)))
    entry = entries[0]
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


def create(chore: Chore, language: str) -> Steps:
    """Makes folders."""
    names = [name.removeprefix("./").rstrip("/") for name in chore.names]
    there = yield from _folders_there(names, language)
    new = [name for name in names if name not in there]
    if not new:
        return say(language, "exists_all", names=", ".join(names))
    yield from _submit([{"type": "create_folder", "path": name} for name in new], chore, language)
    return say(language, "create_done", names=", ".join(new))
