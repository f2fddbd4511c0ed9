"""Reads what files say of themselves as a condition: `wider than 500 pixels`, `with more than 10 pages`, `in landscape`.

Its words are taken together as a single term, so that `lines` and `pages` in it are no verbs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from deputy_sidecar.offline.lexicon import Term
from deputy_sidecar.offline.selector import All, Condition, Measured

__all__ = ["MeasuredTerm", "with_measures"]

LONGEST: Final = 12

_MORE: Final = r"(?P<more>more than|over|above|longer than|larger than|bigger than|greater than|exceeding|mehr als|ueber|laenger als|groesser als)"
_LESS: Final = (
    r"(?P<less>fewer than|less than|under|below|shorter than|smaller than|weniger als|unter|kuerzer als|kleiner als)"
)
_LEAST: Final = r"(?P<least>at least|mindestens|no less than)"
_MOST: Final = r"(?P<most>at most|hoechstens|maximal|no more than|up to|bis zu)"
_EXACT: Final = r"(?P<exact>exactly|genau|of)"
_BOUND: Final = rf"(?:{_MORE}|{_LESS}|{_LEAST}|{_MOST}|{_EXACT})"
_REL: Final = r"(?:(?:that|which|die|das) )?(?:(?:are|is|have|has|with|of|having|mit|sind|ist|haben|hat) )?"
_PIXELS: Final = r"(?: (?:pixels?|px))"
_SIDES: Final = {
    "wide": "width", "in width": "width", "breit": "width", "breite": "width", "in der breite": "width",
    "high": "height", "tall": "height", "in height": "height", "hoch": "height", "in der hoehe": "height", "hoehe": "height",
}  # fmt: skip
_COUNTED: Final = {
    "pages": "pages", "page": "pages", "seiten": "pages", "seite": "pages", "lines": "lines", "line": "lines",
    "zeilen": "lines", "zeile": "lines", "words": "words", "word": "words", "woerter": "words", "woertern": "words", "worte": "words",
    "worten": "words",
}  # fmt: skip
_WIDER: Final = {"wider": "width", "breiter": "width", "taller": "height", "higher": "height", "hoeher": "height"}
_NARROWER: Final = {"narrower": "width", "schmaler": "width", "lower": "height", "niedriger": "height"}
_SHAPES: Final = {
    "in landscape format": "landscape", "in landscape": "landscape", "in landscape orientation": "landscape", "landscape format": "landscape",
    "wider than tall": "landscape", "wider than high": "landscape", "im querformat": "landscape", "in querformat": "landscape",
    "in portrait format": "portrait", "in portrait": "portrait", "in portrait orientation": "portrait", "portrait format": "portrait",
    "taller than wide": "portrait", "higher than wide": "portrait", "im hochformat": "portrait", "in hochformat": "portrait",
}  # fmt: skip


def _of(words: dict[str, str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_PATTERNS: Final = (
    re.compile(rf"{_REL}(?P<shape>{_of(_SHAPES)})"),
    re.compile(rf"{_REL}(?P<wider>{_of(_WIDER)}) (?:than|als) (?P<number>\d+){_PIXELS}?"),
    re.compile(rf"{_REL}(?P<narrower>{_of(_NARROWER)}) (?:than|als) (?P<number>\d+){_PIXELS}?"),
    re.compile(rf"{_REL}(?:{_BOUND} )?(?P<number>\d+){_PIXELS}? (?P<side>{_of(_SIDES)})(?: (?P<up>or more|and more|or wider|or higher|oder mehr))?"),
    re.compile(rf"{_REL}{_BOUND} (?P<number>\d+) (?P<counted>{_of(_COUNTED)})(?: (?:long|lang|haben|hat|sind))?"),
    re.compile(rf"{_REL}(?:{_BOUND} )?(?P<number>\d+) (?P<counted>{_of(_COUNTED)}) (?:long|lang)"),
    re.compile(rf"{_REL}(?:{_BOUND} )?(?P<number>\d+) ?(?:x|by|mal) ?(?P<other>\d+){_PIXELS}?"),
    re.compile(rf"{_REL}(?:{_BOUND} )(?P<number>\d+)x(?P<other>\d+){_PIXELS}?"),
)  # fmt: skip


@dataclass(frozen=True)
class MeasuredTerm(Term):
    """The words of such a condition, taken together."""

    condition: Condition | None = None


def with_measures(terms: list[Term]) -> list[Term]:
    """The terms, each such condition as one of them."""
    found: list[Term] = []
    at = 0
    while at < len(terms):
        one_term, end = _measured_at(terms, at)
        found.append(one_term or terms[at])
        at = end if one_term is not None else at + 1
    return found


def _measured_at(terms: list[Term], at: int) -> tuple[Term | None, int]:
    """The longest such condition that begins here and ends where a term does."""
    if terms[at].token.sort not in {"word", "number"}:
        return None, at
    for end in range(min(len(terms), at + LONGEST), at, -1):
        span = terms[at:end]
        said = " ".join(token.form for term in span for token in term.tokens)
        for pattern in _PATTERNS:
            match = pattern.fullmatch(said)
            condition = _condition_of(match) if match is not None else None
            if condition is not None:
                tokens = tuple(token for term in span for token in term.tokens)
                return MeasuredTerm(
                    " ".join(t.text for t in span), frozenset({"measured"}), tokens, None, None, condition
                ), end
    return None, at


def _condition_of(match: re.Match[str]) -> Condition | None:
    parts = {name: value for name, value in match.groupdict().items() if value is not None}
    if "shape" in parts:
        return Measured(_SHAPES[parts["shape"]])
    number = int(parts["number"])
    if "wider" in parts:
        return Measured(_WIDER[parts["wider"]], least=number + 1)
    if "narrower" in parts:
        return Measured(_NARROWER[parts["narrower"]], most=number - 1)
    if "other" in parts:
        both = (_bounded(parts, "width", number), _bounded(parts, "height", int(parts["other"])))
        return All(both)
    return _bounded(parts, _SIDES[parts["side"]] if "side" in parts else _COUNTED[parts["counted"]], number)


def _bounded(parts: dict[str, str], what: str, number: int) -> Measured:
    if "more" in parts:
        return Measured(what, least=number + 1)
    if "less" in parts:
        return Measured(what, most=number - 1)
    if "least" in parts or "up" in parts:
        return Measured(what, least=number)
    if "most" in parts:
        return Measured(what, most=number)
    return Measured(what, least=number, most=number)
