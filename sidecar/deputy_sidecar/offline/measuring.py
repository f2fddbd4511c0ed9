"""Runs a chore whose condition only the files themselves can tell: `search find` has no filter for pixels or pages.

Before a step runs, `settled` asks `search info` once and puts the paths that fit in place of such a condition, so that
every verb can use it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from deputy_sidecar.offline.chore import Chore
from deputy_sidecar.offline.job import Steps
from deputy_sidecar.offline.looking import checked, one, searched
from deputy_sidecar.offline.phrasing import nothing_found, selector_in_words
from deputy_sidecar.offline.results import listing
from deputy_sidecar.offline.selector import All, Any_, Condition, Measured, Named, Not, Selector, joined
from deputy_sidecar.offline.steps import NotPossibleError
from deputy_sidecar.offline.words.say import in_language as say

__all__ = ["apart", "settled"]

MOST_MEASURED: Final = 2_000


def settled(chore: Chore, language: str) -> Steps:
    """The chore with the paths that fit in place of such conditions; raises where there are none."""
    selector = getattr(chore.job, "selector", chore.selector) if chore.job is not None else chore.selector
    if not isinstance(selector, Selector) or not _is_measured(selector.condition):
        return chore
    measured, rest = apart(selector.condition)
    if _is_measured(rest):
        raise NotPossibleError(say(language, "Say only one of these at a time.", "Bitte nur eines davon auf einmal."))
    plain = replace(selector, condition=rest, order=None)
    what = selector_in_words(selector, language)
    result = yield from one(what, searched("info", plain, limit=MOST_MEASURED))
    shown = listing(checked(result, language, what))
    if shown.more:
        raise NotPossibleError(
            say(
                language,
                f"More than {MOST_MEASURED} files would have to be looked into.",
                f"Mehr als {MOST_MEASURED} Dateien müssten angesehen werden.",
            )
        )
    rows = [line.split("\t") for line in shown.lines]
    place = selector.places[0].rstrip("/") + "/" if selector.places else ""
    paths = [
        row[0].removeprefix(place)
        for row in rows
        if all(_fits(each, dict(part.split("=", 1) for part in row[1:] if "=" in part)) for each in measured)
    ]
    if not paths:
        raise NotPossibleError(nothing_found(selector, language))
    either = joined([Named(path, "is") for path in paths], any_of=True)
    narrowed = replace(selector, condition=either, exact=(), is_all=True)
    job: Any = chore.job
    if job is not None:
        return replace(chore, selector=narrowed, job=replace(job, selector=narrowed))
    return replace(chore, selector=narrowed)


def _is_measured(condition: Condition | None) -> bool:
    match condition:
        case Measured():
            return True
        case All(parts) | Any_(parts):
            return any(_is_measured(part) for part in parts)
        case Not(part):
            return _is_measured(part)
        case _:
            return False


def apart(condition: Condition | None) -> tuple[list[Condition], Condition | None]:
    """The conditions of this sort that all have to hold, and the others."""
    parts = condition.parts if isinstance(condition, All) else (condition,) if condition is not None else ()
    flat = [each for part in parts for each in (part.parts if isinstance(part, All) else (part,))]
    own: list[Condition] = [
        each
        for each in flat
        if isinstance(each, Measured) or (isinstance(each, Not) and isinstance(each.part, Measured))
    ]
    return own, joined([each for each in flat if each not in own])


def _fits(condition: Condition, facts: dict[str, str]) -> bool | None:
    """Whether the facts fit; None where the file does not say it, which is neither."""
    if isinstance(condition, Not):
        inside = _fits(condition.part, facts)
        return None if inside is None else not inside
    assert isinstance(condition, Measured)
    width, _, height = facts.get("pixels", "").partition("x")
    values = {"width": width, "height": height} | {name: facts.get(name, "") for name in ("pages", "lines", "words")}
    if condition.what in {"landscape", "portrait"}:
        if not (width.isdecimal() and height.isdecimal()):
            return None
        return int(width) > int(height) if condition.what == "landscape" else int(width) < int(height)
    value = values.get(condition.what, "")
    if not value.isdecimal():
        return None
    return (condition.least is None or int(value) >= condition.least) and (
        condition.most is None or int(value) <= condition.most
    )
