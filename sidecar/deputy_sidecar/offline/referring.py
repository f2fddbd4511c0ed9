"""What refers back: `them`, `there`, `the biggest one`, `the second one`, `the empty folder` of the step before."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from deputy_sidecar.offline.chore import Chore
from deputy_sidecar.offline.grammar import Clause
from deputy_sidecar.offline.jobs.additions import Add
from deputy_sidecar.offline.jobs.archives import Pack
from deputy_sidecar.offline.selector import Empty, Named, Order, Selector, Topic, joined
from deputy_sidecar.offline.tokens import normal

__all__ = ["tied"]


def tied(clause: Clause, chore: Chore, before: Chore | None) -> tuple[Chore, str | None]:
    """`Them` and `there` as what they refer to."""
    if _is_originals(chore) and before is not None and (before.verb == "copy" or isinstance(before.job, Pack)):
        # `Zip the scans and delete the originals`.
        return replace(chore, selector=replace(before.selector, has_head=True, is_all=True)), None
    if clause.there:
        if before is None or not before.names:
            return chore, "where"
        chore = replace(chore, target=before.names[-1])
    if clause.refers_place and not chore.selector.places:
        place = _place_of(before)
        if place is None and (before is None or not before.is_act or chore.is_act or chore.selector.is_everything):
            return chore, "refers"
        # `Delete run_02 and tell me how many csv files remain`: of all.
        chore = replace(chore, selector=replace(chore.selector, places=(place,) if place is not None else ()))
    if clause.nth is not None:
        return _nth(clause.nth, clause, chore, before)
    if _is_one_of(clause) and before is not None and chore.selector.order is not None:
        if (
            before.verb in {"move", "rename", "trash"}
            or before.selector.order is not None
            or before.selector.is_duplicates
        ):
            return chore, "refers"
        return replace(chore, selector=replace(before.selector, order=chore.selector.order, is_single=False)), None
    made = _made(before)
    if made and _is_that_folder(chore) and not chore.is_act and not (clause.places or clause.outside):
        # `Copy them to Scans and zip the folder`.
        return replace(
            chore, selector=replace(chore.selector, condition=Named(made, "is"), exact=(made,), is_single=False)
        ), None
    if (
        before is not None
        and before.selector.is_duplicates
        and chore.selector.is_duplicates
        and chore.is_act
        and chore.selector.condition is None
        and not (clause.places or clause.outside or clause.heads)
    ):
        # `Are there duplicates in Scans`, `throw away the copies`: those that were found.
        return replace(chore, selector=before.selector), None
    # A pronoun in a question (`is it empty`) or besides a thing that is named adds nothing.
    if _is_what_was_emptied(chore, before) and before is not None:
        place = before.selector.places[0]
        condition = joined([Named(place, "is"), Empty()])
        return replace(
            chore, selector=replace(chore.selector, condition=condition, exact=(place,), is_single=False)
        ), None
    if (
        before is not None
        and (before.listed or before).verb in _LISTS
        and not chore.is_act
        and chore.verb in {"where", "list", "exists", "which"}
        and chore.selector.is_everything
        and not (clause.heads or clause.places or clause.refers)
    ):
        # `I look for the invoice, where is it?`
        return replace(chore, selector=before.selector), None
    if (
        _is_part_of(clause, chore)
        and before is not None
        and before.verb in _LISTS
        and not before.selector.is_duplicates
    ):
        # `And delete the empty ones`, right behind a list: those of the list.
        condition = joined([each for each in (before.selector.condition, chore.selector.condition) if each is not None])
        narrowed = replace(before.selector, condition=condition, order=None, exact=(), needed=(), has_head=True)
        return replace(chore, selector=narrowed), None
    if not clause.refers:
        return chore, None
    narrowed = chore.selector
    if narrowed.condition is not None and not any(head.is_general for head in clause.heads) and clause.heads:
        return chore, "ambiguous" if chore.is_act and not narrowed.exact else None
    if before is None and not chore.is_act and not narrowed.is_everything:
        return chore, None
    if before is not None and isinstance(before.job, Add) and not chore.is_act and _is_singular(clause):
        # `Add milk to list.txt and show it to me`.
        name = before.job.file
        return Chore("read", Selector(condition=Named(name, "is"), exact=(name,))), None
    if before is not None and isinstance(before.job, Pack) and not chore.is_act and _is_singular(clause):
        # `Zip the scans`, `how big is it`: the archive.
        made = before.job.target
        return replace(chore, selector=Selector(condition=Named(made, "is"), exact=(made,))), None
    if before is not None and isinstance(before.job, Pack) and chore.verb == "move" and _may_be_the_archive(clause):
        # `Pack the scans into s.zip and move it`: the archive, or what is in it?
        return chore, "refers"
    if before is not None and not chore.is_act and before.selector.places and chore.selector.is_everything:
        # `How many files are in Concerts, and how big are they?`
        return replace(chore, selector=before.selector), None
    if before is None or before.selector.is_everything:
        return chore, "refers"
    old = before.selector
    if before.verb == "rename" and before.target is not None and len(old.exact) == 1 and "." in before.target:
        # What was renamed has its new name.
        old = replace(old, condition=Named(before.target, "is"), exact=(before.target,))
    elif before.verb in {"move", "rename", "trash"}:
        return chore, "refers"
    elif before.verb == "copy" and chore.is_act:
        # `Copy a.txt to X and rename it`: the copy; what else is done may be meant for either.
        name = old.exact[0].rpartition("/")[2] if len(old.exact) == 1 else ""
        if chore.verb != "rename" or "." not in name or before.target is None or "." in before.target:
            return chore, "refers"
        path = f"{before.target}/{name}"
        return replace(chore, selector=replace(old, condition=Named(path, "is"), exact=(path,), places=())), None
    if old.is_duplicates and chore.is_act:
        return chore, "refers"
    condition = joined([each for each in (old.condition, narrowed.condition) if each is not None])
    # `Read it`, `find the lecture about bees and copy it`: there has to be one.
    is_one = any(term.form == "it" for term in clause.terms) or chore.verb in {"read", "rename"}
    is_counted = old.order is not None or old.is_duplicates or old.expected is not None
    is_single = old.is_single or (is_one and not (old.exact or is_counted) and _is_singular(clause))
    # What was listed or packed can be acted on, whatever said which files it was.
    is_known = before.verb in _LISTS or isinstance(before.job, Pack) or before.verb == "copy"
    has_head = old.has_head or (is_known and condition not in {None, Empty()})
    return replace(chore, selector=replace(old, condition=condition, is_single=is_single, has_head=has_head)), None


_ORIGINALS: Final = frozenset("originals original originale originalen originaldateien".split())


def _is_originals(chore: Chore) -> bool:
    """Whether it is about what was copied or packed in the step before, and nothing else is said of it."""
    selector, condition = chore.selector, chore.selector.condition
    word = condition.word if isinstance(condition, Topic) else condition.text if isinstance(condition, Named) else ""
    return chore.is_act and normal(word) in _ORIGINALS and not selector.places and selector.order is None


def _made(before: Chore | None) -> str | None:
    """The folder that the step before made or filled."""
    if before is None or not (before.verb in {"move", "copy"} or before.names):
        return None
    return _place_of(before) if before.target is None or "." not in before.target else None


def _is_that_folder(chore: Chore) -> bool:
    selector = chore.selector
    return selector.entries == "folder" and selector.condition is None and selector.is_single and not selector.exact


def _is_singular(clause: Clause) -> bool:
    """Whether `it` is what it refers to, not `them`."""
    return any(term.form in _SINGULAR for term in clause.terms)


_SINGULAR: Final = frozenset("it that es das".split())


def _may_be_the_archive(clause: Clause) -> bool:
    """Whether a word may mean one thing: so does `sie`, which is `them` as well."""
    return any(term.form in _SINGULAR | {"sie"} for term in clause.terms)


def _place_of(before: Chore | None) -> str | None:
    """The folder that a step was about: where things went, or where they were."""
    if before is None:
        return None
    if before.target is not None and before.verb in {"move", "copy"} and "." not in before.target:
        return before.target
    if before.names:
        return before.names[-1]
    return before.selector.places[0] if before.selector.places else None


def _is_what_was_emptied(chore: Chore, before: Chore | None) -> bool:
    """`Move everything from X to Y and delete the empty folder`: that is X."""
    selector = chore.selector
    return (
        before is not None
        and before.verb == "move"
        and len(before.selector.places) == 1
        and chore.verb == "trash"
        and selector.entries == "folder"
        and selector.condition == Empty()
        and selector.is_single
        and not selector.places
    )


_LISTS: Final = frozenset({"list", "which", "where", "search", "exists", "write"})


def _nth(number: int, clause: Clause, chore: Chore, before: Chore | None) -> tuple[Chore, str | None]:
    """`The second one`, of what the request before listed, in its order."""
    if (
        before is None
        or (before.listed or before).verb not in _LISTS
        or before.selector.is_duplicates
        or clause.heads
        or clause.places
        or clause.outside
        or clause.ahead
        or clause.expected is not None
    ):
        return chore, "refers"
    source, before = before, before.listed or before
    order = before.selector.order or Order("name")
    if order.limit and number > order.limit:
        return chore, "refers"
    nth = Order(order.by, 1, skip=order.skip + number - 1)
    selector = replace(before.selector, order=nth, is_single=False, exact=(), needed=(), expected=None)
    if not clause.verbs and source.is_act:
        # `And the second one, too`: what was done with the first.
        chore = source
    is_still_so = not chore.is_act or chore.verb == "copy"
    return replace(chore, selector=selector, listed=before if is_still_so else None), None


def _is_part_of(clause: Clause, chore: Chore) -> bool:
    """`And delete the empty`: nothing says of what, and `and` says that it continues."""
    return (
        chore.is_act
        and not chore.selector.has_head
        and chore.selector.condition is not None
        and chore.selector.order is None
        and not chore.selector.places
        and bool(clause.terms)
        and clause.terms[0].means("and", "then")
    )


def _is_one_of(clause: Clause) -> bool:
    """`The biggest one`: one of what was meant before, and nothing else is said of it."""
    words = {term.form for term in clause.terms}
    return bool(words & {"one", "ones"}) and not (clause.heads or clause.places or clause.outside or clause.ahead)
