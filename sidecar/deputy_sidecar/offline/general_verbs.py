"""What a general verb such as `show` or `sort` means for what it is about."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from deputy_sidecar.offline.chore import Chore
from deputy_sidecar.offline.grammar import Clause
from deputy_sidecar.offline.jobs.archives import KINDS as ARCHIVES
from deputy_sidecar.offline.jobs.archives import Inside
from deputy_sidecar.offline.selector import All, Holds, Selector, joined

__all__ = ["as_asked"]


def as_asked(chore: Chore, clause: Clause) -> Chore:
    """What a general verb means for what it is about."""
    selector = chore.selector
    shows = {"show", "display", "show me", "zeig", "zeige", "zeig mir", "zeige mir", "let me see", "view"} & set(
        clause.verb_words
    )
    one = selector.exact[0] if len(selector.exact) == 1 else ""
    if (
        (chore.verb == "overview" or (chore.verb == "list" and shows))
        and ("." in one or (one and selector.entries == "file"))
        and not any(char in one for char in "*?")
        and len(clause.heads) == 1
    ):
        chore = replace(chore, verb="read")
    if chore.verb in {"list", "which"} and one.lower().endswith(_TOLD_BY) and _asks_for_a_value(clause):
        # `What's the deposit of Chen`: what `deposit.pdf` says.
        chore = replace(chore, verb="read")
    if chore.verb == "read" and one.lower().endswith(ARCHIVES):
        # What it holds is all that there is to read.
        return Chore("form", selector, job=Inside(one))
    if chore.verb == "read" and selector.places and selector.condition is None and not selector.exact:
        # `The contents of the Inbox`.
        return replace(chore, verb="list", selector=replace(selector, entries=None))
    if chore.verb == "linecount" and one and isinstance(selector.condition, All):
        held = [part for part in selector.condition.parts if isinstance(part, Holds)]
        if len(held) == 1 and len(selector.condition.parts) == 2:
            # `How many lines with TODO are in a.txt`: those lines, and no others.
            rest = joined([part for part in selector.condition.parts if part != held[0]])
            return replace(chore, verb="lines", text=held[0].text, selector=replace(selector, condition=rest))
    if chore.verb in {"linecount", "words"} and selector.entries == "folder" and selector.exact:
        # `Count the lines in the code folder`.
        return replace(chore, selector=Selector(places=selector.exact))
    if chore.verb == "when" and not selector.exact and selector.order is not None and selector.order.limit == 1:
        # `How old is the oldest file`: a list says it.
        return replace(chore, verb="list")
    if chore.verb == "read":
        return chore
    if chore.verb == "group" and selector.order is not None and chore.target is None:
        # `Sort Downloads by size` is about a list: no folders are spoken of.
        return replace(chore, verb="list")
    if (
        chore.verb in {"list", "which", "where"}
        and selector.entries == "folder"
        and selector.order is not None
        and selector.condition is None
        and selector.order.by == "largest"
    ):
        return replace(chore, verb="usage")
    return chore


_TOLD_BY: Final = (".pdf", ".docx", ".txt", ".md", ".odt")


def _asks_for_a_value(clause: Clause) -> bool:
    """Whether it asks what a single thing is, and not which or where it is."""
    said = " ".join(token.form for term in clause.terms[:3] for token in term.tokens)
    return _VALUE.match(said) is not None


_VALUE: Final = re.compile(
    r"(?:what is|what's|whats|how (?:much|high) is|wie hoch ist|was ist) "
    r"(?:the|my|our|der|die|das|mein\w*|unser\w*)\b"
)
