"""Chores that look: what the tools find, counted, listed and put into words."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Generator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from deputy_sidecar.offline.chore import Chore
from deputy_sidecar.offline.phrasing import called, counted, nothing_found, quoted, say, selector_in_words
from deputy_sidecar.offline.results import listing, plural, shares, size_text
from deputy_sidecar.offline.selector import (
    All,
    Any_,
    Changed,
    Condition,
    Deep,
    Holds,
    IsKind,
    Named,
    Selector,
    Topic,
    filter_of,
    joined,
    or_in_text,
    with_own_names,
)
from deputy_sidecar.offline.stems import fold, holds, stems_of
from deputy_sidecar.offline.steps import Call, Calls, EndedError, NeedsModelError, NotPossibleError, Question, Result
from deputy_sidecar.offline.words.told import told

__all__ = [
    "MOST_PLANNED",
    "MOST_SHOWN",
    "Entry",
    "Found",
    "Steps",
    "by_folder",
    "checked",
    "count",
    "count_lines",
    "find",
    "lines",
    "list_entries",
    "located",
    "one",
    "overview",
    "path_of",
    "read_file",
    "searched",
    "size",
    "tree",
    "usage",
    "when",
    "whole_list",
]

Steps = Generator[Calls | Question, Any, Any]
# Files that are read one after the other for one request.
MOST_READ: Final = 5
MOST_SHOWN: Final = 60
MOST_PLANNED: Final = 2_000
_BYTES: Final = re.compile(r"; (\d+) bytes?\b")
_COUNTED: Final = re.compile(r"(\d+) (file|folder)s?\b")
_PLURAL: Final = re.compile(r"[a-z]{3,}[^s\W]s")
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


def checked(result: Result, language: str, what: str) -> str:
    """The content of a result; raises where the call failed or was denied."""
    if result.ok:
        return result.content
    if result.is_denied:
        raise EndedError(say(language, "denied", reason=result.reason))
    raise NotPossibleError(say(language, "failed", what=what, reason=result.reason))


def one(reason: str, call: Call) -> Steps:
    """A step of one call."""
    (result,) = yield Calls(reason, [call])
    return result


def searched(action: str, selector: Selector, **more: Any) -> Call:
    """A call of `search` for a selector."""
    parameters: dict[str, Any] = {"action": action, "path": selector.places[0] if selector.places else "."}
    condition = filter_of(selector.condition)
    if action == "find":
        parameters |= condition | ({"kind": selector.entries} if selector.entries is not None else {})
    elif condition:
        parameters["where"] = condition
    return Call("search", parameters | {name: value for name, value in more.items() if value is not None})


def find(selector: Selector, language: str, *, limit: int | None = None, most: int = 0) -> Steps:
    """What fits, in its order: the first page of it, or up to `most` entries."""
    if (own := with_own_names(selector)) is not None and own != selector:
        # `The latest protocol`: one that is called so, before what only lies in a folder of that name.
        found = yield from find(own, language, limit=limit, most=most)
        if found.entries:
            return found
    order = selector.order
    limit = limit or (order.limit if order is not None else None)
    what = say(language, "list", what=selector_in_words(selector, language))
    entries: list[Entry] = []
    while True:
        call = searched(
            "find",
            selector,
            sort=order.by if order is not None else "name",
            limit=limit - len(entries) if limit else None,
            offset=len(entries) + (order.skip if order is not None else 0) or None,
        )
        result = yield from one(what, call)
        shown = listing(checked(result, language, what))
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


def list_entries(chore: Chore, language: str) -> Steps:
    """The entries, with their figures."""
    as_said = chore.selector
    chore, found = yield from _found(chore, language)
    is_wider = chore.selector != as_said and bool(found.entries)
    note = say(language, "wider", what=selector_in_words(chore.selector, language)) + "\n\n" if is_wider else ""
    if chore.selector.topics and not found.files + found.folders:
        chore, found = yield from _by_text(chore, language)
        note = say(language, "by_text", words=quoted(chore.selector.topics, language)) + " "
    order = chore.selector.order
    if order is not None and order.skip and order.limit and not found.entries:
        return say(language, "no_more", count=counted(language, found.files, found.folders))
    _not_by_guess(found, chore, language)
    if not found.entries and chore.selector.places and chore.selector.condition is None:
        return say(language, "empty_place", what=called(language, chore.selector.places))
    if not found.entries:
        return nothing_found(chore.selector, language)
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
            lines.append("- " + say(language, "more_of_list", count=all_of - len(shown)))
    return note + head + "\n".join(lines)


def _found(chore: Chore, language: str, limit: int | None = None) -> Steps:
    """The matching files; if no file name matches a kind such as invoices, the files in a folder of that name."""
    found = yield from find(chore.selector, language, limit=limit)
    for widened in (by_folder, _in_the_singular, _by_year_in_name):
        wider = widened(chore.selector)
        if wider is not None and not found.files + found.folders:
            chore = replace(chore, selector=wider)
            found = yield from find(wider, language, limit=limit)
    return chore, found


def _by_year_in_name(selector: Selector) -> Selector | None:
    """`The bills from 2025`: those that were changed then, or have the year in their name."""
    parts = selector.condition.parts if isinstance(selector.condition, All) else (selector.condition,)
    changed = [Any_((part, Topic(year))) if (year := _year_of(part)) else part for part in parts if part is not None]
    return replace(selector, condition=joined(changed)) if tuple(changed) != parts and selector.condition else None


def _year_of(condition: Condition | None) -> str | None:
    """The year of a condition that covers exactly one year."""
    if not isinstance(condition, Changed) or condition.first is None or condition.end is None:
        return None
    first, end = condition.first, condition.end
    is_whole = (first.month, first.day, end.month, end.day) == (1, 1, 1, 1) and end.year == first.year + 1
    return str(first.year) if is_whole else None


def _in_the_singular(selector: Selector) -> Selector | None:
    """`Logs with errors`, where the text says `ERROR`."""
    parts = selector.condition.parts if isinstance(selector.condition, All) else (selector.condition,)
    changed = [
        Holds(part.text.removesuffix("s")) if isinstance(part, Holds) and _PLURAL.fullmatch(part.text) else part
        for part in parts
        if part is not None
    ]
    return replace(selector, condition=joined(changed)) if tuple(changed) != parts and selector.condition else None


def by_folder(selector: Selector) -> Selector | None:
    """The same selector, with a kind known only by name compared with folder names too."""
    parts = selector.condition.parts if isinstance(selector.condition, All) else (selector.condition,)
    kinds = [part for part in parts if isinstance(part, IsKind) and part.kind.names and not part.kind.extensions]
    if len(kinds) != 1:
        return None
    word = kinds[0].kind.names.split("|")[0]
    says_it = any(holds(fold(place), stem) for place in selector.places for stem in stems_of(word))
    rest = [Topic(word) if part is kinds[0] else part for part in parts if part is not None]
    rest = [part for part in rest if not (says_it and part == Topic(word))]
    return replace(selector, condition=joined(rest))


def _by_text(chore: Chore, language: str) -> Steps:
    """The same where what no name holds may be in the text; raises where no text holds it either."""
    wider = replace(chore, selector=replace(chore.selector, condition=or_in_text(chore.selector.condition)))
    found = yield from find(wider.selector, language)
    _not_by_name(found, wider.selector, language)
    return wider, found


def whole_list(chore: Chore, language: str) -> Steps:
    """All entries, for a file: as CSV where its name says so, else a path a line."""
    found = yield from find(chore.selector, language, most=MOST_PLANNED)
    _not_by_name(found, chore.selector, language)
    if not (chore.output or "").lower().endswith(".csv"):
        return "\n".join(entry.path + "/" * entry.is_folder for entry in found.entries) or nothing_found(
            chore.selector, language
        )
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["path", "bytes", "changed"])
    rows.writerows([entry.path, entry.size_bytes, entry.changed] for entry in found.entries)
    return out.getvalue().rstrip("\n")


def _not_by_name(found: Found, selector: Selector, language: str) -> None:
    """That no name holds a word is not an answer to what files show or are about."""
    if selector.topics and not found.files + found.folders:
        raise NeedsModelError(say(language, "no_such_names", words=quoted(selector.topics, language)))


def _not_by_guess(found: Found, chore: Chore, language: str) -> None:
    """An empty result for a guessed name is not an answer."""
    if chore.is_guess and not found.files + found.folders:
        raise NeedsModelError(f"{nothing_found(chore.selector, language)} {say(language, 'guessed')}")


def _shown(entry: Entry) -> str:
    if entry.is_folder:
        return f"{entry.path}/"
    return f"{entry.path} ({size_text(entry.size_bytes)}, {entry.changed[:10]})"


def count(chore: Chore, language: str) -> Steps:
    """How many there are."""
    chore, found = yield from _found(chore, language, limit=1)
    _not_by_name(found, chore.selector, language)
    _not_by_guess(found, chore, language)
    folders = yield from _folders_of(chore.selector, language)
    return say(language, "there_are", count=counted(language, found.files, found.folders + folders), size="")


def _folders_of(selector: Selector, language: str) -> Steps:
    """Folders right inside, where only a folder's own name was said: `how many customers` may be the folders in it."""
    if selector.has_head or not selector.places or selector.condition is not None or selector.entries != "file":
        return 0
    return (yield from find(replace(selector, entries="folder", condition=Deep(1)), language, limit=1)).folders


def size(chore: Chore, language: str) -> Steps:
    """How large they are together."""
    order = chore.selector.order
    limit = order.limit if order is not None else None
    chore, found = yield from _found(chore, language, limit=limit or 1)
    _not_by_guess(found, chore, language)
    if limit:
        # Applies to the largest file only, not to all candidates.
        return (
            f"{size_text(sum(entry.size_bytes for entry in found.entries))} ({counted(language, len(found.entries))})."
        )
    return f"{size_text(found.size_bytes)} ({counted(language, found.files, found.folders)})."


def usage(chore: Chore, language: str) -> Steps:
    """What takes the most room."""
    what = say(language, "usage", where=called(language, chore.selector.places))
    result = yield from one(
        what, Call("search", {"action": "usage", "path": chore.selector.places[0] if chore.selector.places else "."})
    )
    rows = [
        share
        for share in shares(checked(result, language, what))
        if chore.selector.entries != "folder" or share.name.endswith("/")
    ]
    limit = chore.selector.order.limit if chore.selector.order is not None else None
    return "\n".join(
        f"- {share.name} ({size_text(share.size_bytes)}, {counted(language, share.files)})"
        for share in rows[: limit or MOST_SHOWN]
    )


def tree(chore: Chore, language: str) -> Steps:
    """The folder as a tree."""
    what = say(language, "tree", where=called(language, chore.selector.places))
    result = yield from one(
        what, Call("search", {"action": "tree", "path": chore.selector.places[0] if chore.selector.places else "."})
    )
    return _with_summary(checked(result, language, what).strip(), language)


def _with_summary(text: str, language: str) -> str:
    """A result whose last line is the tool's summary."""
    above, _, summary = text.rpartition("\n")
    return f"{above}\n{told(summary, language)}" if above else told(summary, language)


def overview(chore: Chore, language: str) -> Steps:
    """What is in a folder, by kinds."""
    from deputy_sidecar.offline.inventory import take_inventory
    from deputy_sidecar.offline.report import overview_in_words

    if chore.selector.places:
        return (yield from list_entries(replace(chore, selector=replace(chore.selector, entries=None)), language))
    inventory = yield from take_inventory(chore.selector.places[0] if chore.selector.places else ".")
    return overview_in_words(inventory, language)


def located(chore: Chore, language: str) -> Steps:
    """The one file that is named."""
    found = yield from find(chore.selector, language)
    if chore.verb == "read" and chore.selector.topics and not found.files:
        # `Read the parking ticket`, which is called `scan0002.pdf`.
        _, found = yield from _by_text(chore, language)
    files = [entry for entry in found.entries if not entry.is_folder]
    if not files:
        what = chore.selector.exact[0] if chore.selector.exact else selector_in_words(chore.selector, language)
        raise NotPossibleError(say(language, "not_found", what=what))
    if len(files) > 1:
        raise NotPossibleError(
            say(language, "several", count=len(files), paths=", ".join(entry.path for entry in files[:9]))
        )
    return files[0]


def path_of(name: str, language: str) -> Steps:
    """The path of the one file of a name."""
    selector = Selector(condition=Named(name, "is"), exact=(name,))
    return (yield from _path(Chore("read", selector), language))


def _path(chore: Chore, language: str) -> Steps:
    """A path as it was said, or the one file of that name."""
    name = chore.selector.exact[0] if chore.selector.exact else ""
    if "/" in name and not chore.selector.places:
        return name
    entry = yield from located(chore, language)
    return entry.path


def read_file(chore: Chore, language: str) -> Steps:
    """The text of a file, or one end of it; of several that were named one after the other."""
    names = chore.selector.exact
    if not names and not chore.selector.is_single and chore.selector.order is None:
        # `The first line of every note`: of each that fits.
        found = yield from find(chore.selector, language, most=MOST_READ + 1)
        names = tuple(entry.path for entry in found.entries if not entry.is_folder)
        if len(names) > MOST_READ or len(names) != (chore.selector.expected or len(names)):
            names = ()
    if len(names) > 1:
        parts = []
        for name in names[:MOST_READ]:
            own = replace(chore.selector, condition=Named(name, "is"), exact=(name,))
            own = replace(own, places=() if "/" in name else own.places, expected=None)
            said = yield from read_file(replace(chore, selector=own), language)
            parts.append(f"{name}:\n{said}")
        return "\n\n".join(parts)
    path = yield from _path(chore, language)
    call = Call("code", {"action": "read", "path": path})
    if chore.verb != "read":
        call = Call("search", {"action": chore.verb, "path": path, "lines": chore.number or 10})
    result = yield from one(path, call)
    text = checked(result, language, path).rstrip()
    if chore.verb != "read":
        return _with_summary(text, language)
    head, _, rest = text.partition("\n")
    return f"{told(head, language)}\n{rest}"


def _lines_and_words(language: str, lines: int, words: int) -> str:
    """`1 line, 2 words.`."""
    if language == "de":
        return f"{lines:,} {'Zeile' if lines == 1 else 'Zeilen'}, {words:,} {'Wort' if words == 1 else 'Wörter'}."
    return f"{plural(lines, 'line')}, {plural(words, 'word')}."


def count_lines(chore: Chore, language: str) -> Steps:
    """Lines and words of a file, or of all that fit."""
    if not chore.selector.exact and chore.selector.order is None:
        return (yield from _count_lines_of_all(chore, language))
    path = yield from _path(chore, language)
    result = yield from one(path, Call("search", {"action": "wc", "path": path}))
    row = listing(checked(result, language, path)).lines[0].split("\t")
    return f"{path}: " + _lines_and_words(language, int(row[0]), int(row[1]))


def _count_lines_of_all(chore: Chore, language: str) -> Steps:
    selector = chore.selector
    what = selector_in_words(selector, language)
    result = yield from one(what, searched("wc", selector))
    rows = [line.split("\t") for line in listing(checked(result, language, what)).lines]
    rows = [row for row in rows if len(row) >= 4 and row[0].isdecimal()]
    if not rows:
        return nothing_found(selector, language)
    total = _lines_and_words(language, sum(int(row[0]) for row in rows), sum(int(row[1]) for row in rows))
    files = [f"- {row[3]}: {_lines_and_words(language, int(row[0]), int(row[1]))}" for row in rows[:MOST_SHOWN]]
    return f"{counted(language, len(rows))}: {total}\n\n" + "\n".join(files)


def when(chore: Chore, language: str) -> Steps:
    """When a file was changed last."""
    entry = yield from located(chore, language)
    return say(language, "changed_on", path=entry.path, day=entry.changed)


def lines(chore: Chore, language: str) -> Steps:
    """Lines that hold a text."""
    selector = chore.selector
    path = selector.places[0] if selector.places else "."
    condition = filter_of(selector.condition)
    if selector.exact:
        path = yield from _path(chore, language)
        condition = {}
    text = chore.text or ""
    where = {"where": condition} if condition else {}
    call = Call(
        "search",
        {"action": "grep", "pattern": text, "literal": True, "ignore_case": True, "path": path} | where,
    )
    result = yield from one(text, call)
    found = listing(checked(result, language, text))
    if not found.lines and chore.is_guess:
        raise NeedsModelError(say(language, "no_such_names", words=quoted([text], language)))
    if not found.lines:
        return say(language, "no_lines")
    lines = [f"- {line}" for line in found.lines[:MOST_SHOWN]]
    if found.more or len(found.lines) > MOST_SHOWN:
        lines.append("- " + say(language, "more", count=found.more + max(0, len(found.lines) - MOST_SHOWN)))
    return f"{told(found.summary, language)}.\n\n" + "\n".join(lines)
