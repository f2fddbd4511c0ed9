"""Which files are meant: conditions joined by and, or, not; as the tools' filter, and as words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from deputy_sidecar.offline.stems import globs_of
from deputy_sidecar.offline.words.kinds import Kind

__all__ = [
    "All",
    "Any_",
    "Changed",
    "Condition",
    "Deep",
    "Empty",
    "Holds",
    "IsKind",
    "Measured",
    "Named",
    "Not",
    "OfSort",
    "Order",
    "Selector",
    "Sized",
    "Tagged",
    "Topic",
    "Under",
    "filter_of",
    "joined",
    "or_in_text",
    "with_own_names",
    "with_whole_words",
]


@dataclass(frozen=True)
class IsKind:
    """Files of a kind."""

    kind: Kind


@dataclass(frozen=True)
class Named:
    """Entries whose name fits a glob; `how` says in which words: `is`, `has`, `starts`, `ends`, `glob`, `bare`."""

    text: str
    how: str

    @property
    def glob(self) -> str:
        """The glob on the name."""
        plain = "".join(f"[{char}]" if char in "*?[]{}!" else char for char in self.text)
        return {
            "is": plain,
            "has": f"*{plain}*",
            "starts": f"{plain}*",
            "ends": f"*{plain}",
            "glob": self.text,
            "bare": plain,
        }[self.how]


@dataclass(frozen=True)
class Topic:
    """Entries whose name, or the name of a folder above them, holds a word: a guess at what the word means."""

    word: str
    # Whether it has to be a word of its own: `cat` is none in `location.jpg`. So for all that changes something.
    is_whole: bool = False
    # Whether the names of folders above do not count.
    is_own: bool = False


@dataclass(frozen=True)
class NoExtension:
    """Files whose name has no dot."""


@dataclass(frozen=True)
class Sized:
    """Files of a size, in bytes."""

    least: int | None
    most: int | None


@dataclass(frozen=True)
class Changed:
    """Entries changed from a day on, or before one; `hours` instead for what is younger or older than hours."""

    first: date | None = None
    end: date | None = None
    hours: int | None = None
    is_older: bool = False


@dataclass(frozen=True)
class Holds:
    """Files whose text holds a text."""

    text: str


@dataclass(frozen=True)
class Under:
    """Entries in a folder, at any depth, below the folder that is looked in."""

    folder: str


@dataclass(frozen=True)
class Deep:
    """How many levels below the folder entries may be."""

    levels: int


@dataclass(frozen=True)
class Empty:
    """Files without a byte, folders without an entry."""


@dataclass(frozen=True)
class Tagged:
    """Files with a tag."""

    tag: str


@dataclass(frozen=True)
class Measured:
    """Files by what they say of themselves: `width`, `height`, `pages`, `lines`, `words`; `landscape`, `portrait`."""

    what: str
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True)
class OfSort:
    """Only files, or only folders, where both are meant."""

    entries: str


@dataclass(frozen=True)
class All:
    """All of these hold."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True)
class Any_:  # noqa: N801
    """One of these holds."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True)
class Not:
    """Its part does not hold."""

    part: Condition


Condition = (
    IsKind
    | Named
    | Topic
    | NoExtension
    | Sized
    | Changed
    | Holds
    | Under
    | Deep
    | Empty
    | Tagged
    | Measured
    | OfSort
    | All
    | Any_
    | Not
)


@dataclass(frozen=True)
class Order:
    """The order of a list: `name`, `largest`, `smallest`, `newest`, `oldest`; and how many of it."""

    by: str
    limit: int | None = None
    # Whether nobody said how many: enough for a list, not for an act.
    is_usual: bool = False
    # How many of the first are left out: `all but the newest`, `the second one`.
    skip: int = 0


@dataclass(frozen=True)
class Selector:
    """Which entries."""

    # `file`, `folder`, or None for both.
    entries: str | None = "file"
    condition: Condition | None = None
    # Folders that are looked in; empty for the workspace.
    places: tuple[str, ...] = ()
    order: Order | None = None
    is_duplicates: bool = False
    # Exact things that were named by path or name, instead of a search.
    exact: tuple[str, ...] = ()
    # Whether every entry is meant on purpose: `all`, `everything`.
    is_all: bool = False
    # Whether a word says what is meant, be it just `files`; an act takes nothing that only has conditions.
    has_head: bool = True
    # Whether one thing is meant, as in `the invoice`.
    is_single: bool = False
    # How many there have to be: `the two offers`.
    expected: int | None = None
    # Names that have to be among what is meant, next to what only fits a description.
    needed: tuple[str, ...] = ()

    @property
    def topics(self) -> list[str]:
        """Words that are only a guess at names."""
        return _topics(self.condition)

    @property
    def is_everything(self) -> bool:
        """Whether nothing narrows it."""
        return self.condition is None and not self.exact and self.order is None and not self.is_duplicates


def _topics(condition: Condition | None) -> list[str]:
    if isinstance(condition, Topic):
        return [condition.word]
    if isinstance(condition, All | Any_):
        return [word for part in condition.parts for word in _topics(part)]
    return _topics(condition.part) if isinstance(condition, Not) else []


def _each(condition: Condition, change: Callable[[Condition], Condition]) -> Condition:
    """The condition with each part of it changed, but for what does not hold."""
    match condition:
        case All(parts) | Any_(parts):
            return type(condition)(tuple(_each(part, change) for part in parts))
        case _:
            return change(condition)


def with_whole_words(condition: Condition | None) -> Condition | None:
    """The condition with each guess at a name held against whole words."""

    def whole(part: Condition) -> Condition:
        return replace(part, is_whole=True) if isinstance(part, Topic) else part

    return _each(condition, whole) if condition is not None else None


def with_own_names(selector: Selector) -> Selector | None:
    """The selector with names of files alone, where one of several is meant and nothing but a word says of what."""
    order, condition = selector.order, selector.condition
    parts = condition.parts if isinstance(condition, All) else (condition,)
    if (
        order is None
        or order.by not in {"newest", "oldest"}
        or not order.limit
        or not all(isinstance(part, Topic) for part in parts)
    ):
        return None
    own: list[Condition] = [replace(part, is_own=True) for part in parts if isinstance(part, Topic)]
    return replace(selector, condition=joined(own))


def or_in_text(condition: Condition | None) -> Condition | None:
    """The condition with each guess at a name held against the text as well."""

    def either(part: Condition) -> Condition:
        if not isinstance(part, Topic):
            return part
        word = part.word
        return Any_((part, Holds(word.removesuffix("s") if len(word) >= SHORTEST_PLURAL else word)))

    return _each(condition, either) if condition is not None else None


SHORTEST_PLURAL = 5


def joined(parts: list[Condition], *, any_of: bool = False) -> Condition | None:
    """The conditions as one."""
    parts = list(dict.fromkeys(parts))
    if not parts:
        return None
    if len(parts) == 1:
        return parts[0]
    return Any_(tuple(parts)) if any_of else All(tuple(parts))


def filter_of(condition: Condition | None) -> dict[str, Any]:
    """The filter that `search` and `organize` take."""
    match condition:
        case None:
            return {}
        case IsKind(kind) if kind.extensions and kind.names:
            patterns = [{"pattern": f"*{piece}*"} for piece in kind.names.split("|")]
            return {"any": [{"extension": ",".join(kind.extensions.split())}, *patterns]}
        case IsKind(kind) if kind.extensions and kind.unless:
            others = [{"pattern": f"*{piece.replace(' ', '?')}*"} for piece in kind.unless.split("|")]
            return {"extension": ",".join(kind.extensions.split()), "none": others}
        case IsKind(kind) if kind.extensions:
            return {"extension": ",".join(kind.extensions.split())}
        case IsKind(kind):
            pieces = [piece.replace(" ", "?") for piece in kind.names.split("|")]
            return {"pattern": f"*{pieces[0]}*" if len(pieces) == 1 else f"*{{{','.join(pieces)}}}*"}
        case Named():
            return {"pattern": condition.glob}
        case Topic(word, is_whole, is_own):
            name = "{" + ",".join(globs_of(word, is_whole=is_whole)) + "}"
            own: dict[str, Any] = {"pattern": name}
            return own if is_own else {"any": [own, {"pattern": f"**/{name}/**"}]}
        case NoExtension():
            return {"none": [{"pattern": "?*.*"}]}
        case Sized(least, most):
            bounds = {"min_bytes": least, "max_bytes": most}
            return {name: bound for name, bound in bounds.items() if bound is not None}
        case Changed(hours=int() as hours):
            return {"older_than" if condition.is_older else "newer_than": f"{hours}h"}
        case Changed(first, end):
            days = {"newer_than": first, "older_than": end}
            return {name: day.isoformat() for name, day in days.items() if day is not None}
        case Holds(text):
            return {"text": text}
        case Under(folder):
            return {"pattern": f"{folder.rstrip('/')}/**"}
        case Deep(levels):
            return {"depth": levels}
        case Empty():
            return {"empty": True}
        case Tagged(tag):
            return {"tags": [tag]}
        case OfSort(entries):
            return {"kind": entries}
        case Measured():
            # `measures.settled` has put paths in its place by then.
            raise AssertionError(condition)
        case Any_(parts):
            return {"any": [filter_of(part) for part in parts]}
        case Not(Under(folder)):
            # Excluding the contents of a folder also excludes the folder itself.
            return {"none": [filter_of(Under(folder)), {"pattern": folder.rstrip("/"), "kind": "folder"}]}
        case Not(Any_(parts)):
            return {"none": [each for part in parts for each in filter_of(Not(part))["none"]]}
        case Not(part):
            return {"none": [filter_of(part)]}
        case All(parts):
            return _all(parts)


def _all(parts: tuple[Condition, ...]) -> dict[str, Any]:
    whole: dict[str, Any] = {}
    for part in parts:
        each = filter_of(part)
        none = each.pop("none", [])
        if each.keys() & whole.keys():
            # A filter has each field once; what is not outside of it is in it.
            none = [*none, {"none": [each]}]
            each = {}
        whole |= each
        if none:
            whole["none"] = [*whole.get("none", []), *none]
    return whole
