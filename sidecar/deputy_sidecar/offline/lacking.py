"""Whether a clause says all that its chore needs; what it lacks is asked about, by a key of `phrasing`."""

from __future__ import annotations

from typing import Final

from deputy_sidecar.offline.acting import is_file_name
from deputy_sidecar.offline.chore import ACTS, Chore
from deputy_sidecar.offline.grammar import Clause
from deputy_sidecar.offline.jobs.archives import KINDS as ARCHIVES
from deputy_sidecar.offline.selector import All, Any_, Condition, Holds, IsKind, Not, Selector
from deputy_sidecar.offline.tokens import normal

__all__ = ["missing_in"]

_NEED_A_FILE: Final = frozenset({"read", "head", "tail", "linecount", "words", "when"})
# What is shown of each of a few files.
_OF_SEVERAL: Final = frozenset({"read", "head", "tail"})
_CHANGES: Final = frozenset({"pack", "unpack", "replace"})
_NOT_DONE: Final = frozenset({"pack", "unpack", "replace", "compare", "group", "undo", "write"})


def missing_in(chore: Chore, clause: Clause) -> str | None:
    """What the chore lacks; None where it is whole."""
    selector, verb = chore.selector, chore.verb
    acts = {each for each in clause.verbs if each in ACTS} - ({"move"} if "trash" in clause.verbs else set())
    if len(acts) > 1 or (acts and clause.verbs[0] in _NOT_DONE & _CHANGES):
        # `Zip Templates and the move zip to Backup`: the second clause is not an order.
        return "one_step"
    if acts and not clause.is_order:
        return "ambiguous"
    if verb == "tidy":
        plain = selector.condition is None and not selector.exact and selector.order is None
        says_what = selector.places or clause.heads or any(term.means("here") for term in clause.terms)
        return "ambiguous" if not plain else None if says_what else "folder"
    if verb in _NOT_DONE:
        known = clause.scene.known
        # `Write my essay`, where that is there: what is to be written is not.
        is_there = known is not None and any(normal(name) in known.paths for name in selector.exact)
        writes = verb == "write" and (chore.output or (selector.exact and not is_there))
        return f"cannot:{verb}" if not writes else None
    if verb == "create":
        return "ambiguous" if clause.heads or clause.refers else None if chore.names else "name"
    if verb == "rename":
        return _missing_in_rename(chore, clause)
    if verb in {"trash", "move", "copy"}:
        if (selector.exact or selector.needed) and selector.entries != "file" and _leaves_out(selector.condition):
            # A folder goes as a whole: nothing in it would stay.
            return "ambiguous"
        if selector.is_everything and not (selector.is_all and selector.places):
            return "which"
        if not selector.has_head and not selector.is_duplicates and clause.nth is None:
            return "which"
        if selector.order is not None and selector.order.is_usual:
            return "how_many"
        if verb != "trash" and chore.target is None:
            return "where"
        if verb != "trash" and is_file_name(chore.target or "") and len(selector.exact) != 1:
            return "where"
        target = (chore.target or "").lower()
        if verb != "trash" and target.endswith(ARCHIVES) and not selector.exact[0].lower().endswith(ARCHIVES):
            # `Copy Pictures to pictures.zip`: no copy is an archive.
            return "where"
        return None
    if _empties(clause):
        # `Empty Old stuff` is an order.
        return "ambiguous"
    if selector.entries == "folder" and _is_of_files(selector.condition):
        # `Folders without a PDF in them`.
        return "ambiguous"
    if verb == "overview" and (selector.condition is not None or selector.exact or selector.order is not None):
        return "ambiguous"
    is_of_many = selector.condition is not None or bool(selector.places)
    counts = verb in {"linecount", "words"} and is_of_many and selector.order is None
    is_described = (
        verb != "linecount"
        and verb != "words"
        and (
            (selector.is_single and bool(selector.topics or clause.refers))
            or (verb in _OF_SEVERAL and is_of_many and (bool(selector.topics) or _is_counted(selector)))
        )
        and not _is_no_text(selector.condition)
    )
    is_one = selector.order is not None and selector.order.limit == 1
    if verb in _NEED_A_FILE and not (selector.exact or is_described or is_one or counts) and clause.nth is None:
        return "file"
    if verb == "lines" and chore.text is None and not _holds(selector):
        return "text"
    return None


def _is_counted(selector: Selector) -> bool:
    """Whether several are meant on purpose: `every note in Inbox`, `both letters`."""
    parts = selector.condition.parts if isinstance(selector.condition, All) else (selector.condition,)
    return selector.expected is not None or (selector.is_all and any(isinstance(part, IsKind) for part in parts))


_TEXTS: Final = frozenset("pdf docx txt md".split())


def _is_no_text(condition: Condition | None) -> bool:
    """Whether a kind is said that holds nothing to read, such as pictures."""
    if isinstance(condition, All):
        return any(_is_no_text(part) for part in condition.parts)
    return isinstance(condition, IsKind) and not _TEXTS & set(condition.kind.extensions.split())


def _empties(clause: Clause) -> bool:
    """Whether `empty` is a verb at the start of an order, rather than a property of something."""
    first = next((term for term in clause.terms if term.form == "empty" or not term.means("filler")), None)
    says_what = any(not head.is_implied for head in clause.heads)
    return first is not None and first.form == "empty" and not (says_what or clause.verb_words) and bool(clause.places)


def _is_of_files(condition: Condition | None) -> bool:
    """Whether it describes something that cannot be a folder, such as a kind of file."""
    if isinstance(condition, All | Any_):
        return any(_is_of_files(part) for part in condition.parts)
    return isinstance(condition, IsKind | Holds) or (isinstance(condition, Not) and _is_of_files(condition.part))


def _leaves_out(condition: Condition | None) -> bool:
    """Whether something is left out, which a folder that goes as a whole would take along."""
    if isinstance(condition, All | Any_):
        return any(_leaves_out(part) for part in condition.parts)
    return isinstance(condition, Not)


def _missing_in_rename(chore: Chore, clause: Clause) -> str | None:
    is_found = clause.refers and chore.selector.is_single and chore.selector.condition is not None
    # `The scan`, of which there has to be one.
    is_found = is_found or (chore.selector.is_single and bool(chore.selector.topics) and len(clause.heads) == 1)
    if len(chore.selector.exact) != 1 and clause.nth is None and not is_found:
        return "which_one"
    return None if chore.target is not None else "name"


def _holds(selector: Selector) -> bool:
    return selector.condition is not None
