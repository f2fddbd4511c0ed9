"""What a request is about: heads such as `photos`, each with its own conditions, put together as a selector."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from itertools import pairwise

from deputy_sidecar.offline.selector import (
    All,
    Any_,
    Changed,
    Condition,
    Empty,
    Measured,
    Named,
    Not,
    OfSort,
    Order,
    Selector,
    Sized,
    Topic,
    Under,
    joined,
)

__all__ = ["Head", "each_alone", "in_folder", "selector_of"]


@dataclass
class Head:
    """One thing that is asked for, with what is said of it."""

    entries: str | None = "file"
    what: Condition | None = None
    # Said before it (`empty files`) and behind it (`files from 2024`).
    before: list[Condition] = field(default_factory=list)
    behind: list[Condition] = field(default_factory=list)
    topics: list[str] = field(default_factory=list)
    is_all: bool = False
    # Whether it is a plain `files`, `folders`, `everything`.
    is_general: bool = False
    # Whether it is one thing with a name, and not all that fit a description.
    is_exact: bool = False
    # `The picture`, as opposed to `the pictures`.
    is_single: bool = False
    # Whether an article leads to it.
    is_led: bool = False
    # Whether no word means it.
    is_implied: bool = False

    @property
    def condition(self) -> Condition | None:
        """All that is said of it."""
        topics: list[Condition] = [Topic(word.lower()) for word in self.topics]
        what = [self.what] if self.what is not None else []
        return joined([*what, *topics, *self.before, *self.behind])


def selector_of(
    heads: list[Head],
    places: list[str],
    outside: list[Condition],
    order: Order | None,
    *,
    is_duplicates: bool,
    expected: int | None = None,
) -> Selector | None:
    """The heads as one selector; None where it is unclear to which of them something belongs."""
    if not heads:
        heads = [Head(is_general=True, is_implied=True, entries="file")]
        if not (places or outside or order or is_duplicates):
            return Selector()
    heads = [replace(head, before=list(head.before), behind=list(head.behind)) for head in heads]
    if len(places) == 1:
        for head in heads:
            if isinstance(head.what, Named) and head.what.text.startswith(f"{places[0]}/"):
                # A path is held against the folder that is looked in.
                head.what = Named(head.what.text.removeprefix(f"{places[0]}/"), head.what.how)
        outside = [_below(each, places[0]) for each in outside]
    if not _distribute(heads):
        return None
    entries = {head.entries for head in heads}
    parts = [head.condition for head in heads]
    if len(entries) > 1:
        # Files of one description and folders of another.
        return None if None in parts else _mixed(heads, places, outside, order)
    if any(part is None for part in parts) and len(parts) > 1:
        return None
    either = joined([part for part in parts if part is not None], any_of=True)
    condition = joined([*([either] if either is not None else []), *_placed(places), *outside])
    return Selector(
        entries=entries.pop(),
        condition=_flat(condition),
        places=tuple(places) if len(places) == 1 else (),
        order=order,
        is_duplicates=is_duplicates,
        exact=_names(heads) if all(head.is_exact for head in heads) else (),
        needed=_names(heads) if not all(head.is_exact for head in heads) else (),
        expected=expected,
        is_all=all(head.is_all for head in heads),
        has_head=not any(head.is_implied for head in heads),
        is_single=len(heads) == 1 and heads[0].is_single,
    )


def each_alone(heads: list[Head], places: list[str], outside: list[Condition]) -> list[Selector] | None:
    """A selector for each head, where one of several means a single thing: `todo.txt and the empty folder`."""
    if len(heads) < 2 or not any(head.is_single and not head.is_exact for head in heads):
        return None
    if not all(head.is_led or head.is_exact or (head.is_single and head.before) for head in heads):
        # `The tmp and db files`: one article for both.
        return None
    heads = [replace(head, before=list(head.before), behind=list(head.behind)) for head in heads]
    if not _distribute(heads):
        return None
    alone = [selector_of([head], places, outside, None, is_duplicates=False) for head in heads]
    return [each for each in alone if each is not None] if None not in alone else None


def in_folder(heads: list[Head], folders: Collection[str]) -> tuple[list[Head], list[str]] | None:
    """`Delete saves older than a year`, where Saves is a folder: what is said of it is said of the files in it."""
    head = heads[0] if len(heads) == 1 else None
    if head is None or not (head.is_exact and head.entries is None and isinstance(head.what, Named)):
        return None
    said = [*head.before, *head.behind]
    path = head.what.text.rstrip("/")
    if path not in folders or not any(isinstance(each, Changed | Sized | Measured) for each in said):
        return None
    return [Head(before=head.before, behind=head.behind, is_general=True, is_all=True)], [path]


def _below(condition: Condition, place: str) -> Condition:
    """A folder that is left out, as a path below the one that is looked in."""
    match condition:
        case Under(folder) if folder.startswith(f"{place}/"):
            return Under(folder.removeprefix(f"{place}/"))
        case Not(part):
            return Not(_below(part, place))
        case All(parts):
            return All(tuple(_below(part, place) for part in parts))
        case Any_(parts):
            return Any_(tuple(_below(part, place) for part in parts))
        case _:
            return condition


def _names(heads: list[Head]) -> tuple[str, ...]:
    return tuple(head.what.text for head in heads if head.is_exact and isinstance(head.what, Named))


def _mixed(heads: list[Head], places: list[str], outside: list[Condition], order: Order | None) -> Selector | None:
    """Files of one description and folders of another, each with its own conditions."""
    if order is not None:
        return None
    parts: list[Condition] = []
    for head in heads:
        if head.is_general and not head.is_exact and Empty() not in (*head.before, *head.behind):
            # `The invoices and folders`: all folders are hardly meant.
            return None
        sort: list[Condition] = [OfSort(head.entries)] if head.entries is not None else []
        part = joined([*([head.condition] if head.condition is not None else []), *sort])
        if part is None:
            return None
        parts.append(part)
    names = _names(heads)
    is_exact = all(head.is_exact for head in heads)
    is_empty = {head.condition for head in heads} == {Empty()}
    either: Condition | None = Empty() if is_empty else joined(parts, any_of=True)
    return Selector(
        entries=None,
        condition=joined([*([either] if either is not None else []), *_placed(places), *outside]),
        places=tuple(places[:1]) if len(places) == 1 else (),
        exact=names if is_exact else (),
        needed=() if is_exact else names,
    )


def _placed(places: list[str]) -> list[Condition]:
    """Several folders are a condition; one is where the search begins."""
    either = joined([Under(place) for place in places], any_of=True)
    return [either] if len(places) > 1 and either is not None else []


def _distribute(heads: list[Head]) -> bool:
    """`Photos and videos from 2024` are both from 2024; `empty files and folders` are both empty."""
    for one, other in pairwise(heads):
        if one.before and not other.before and not other.behind and other.is_general:
            other.before = list(one.before)
        if one.behind and not other.behind and not other.before and not other.is_exact and not one.is_exact:
            return False
    last = heads[-1]
    if len(heads) > 1 and last.behind and all(not head.behind for head in heads[:-1]):
        if any(head.is_exact for head in heads):
            return False
        for head in heads[:-1]:
            head.behind = list(last.behind)
    return True


def _flat(condition: Condition | None) -> Condition | None:
    if not isinstance(condition, All):
        return condition
    parts: list[Condition] = []
    for part in condition.parts:
        parts += part.parts if isinstance(part, All) else [part]
    return joined(parts)
