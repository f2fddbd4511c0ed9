"""Files with the same content, in groups."""

from __future__ import annotations

from deputy_sidecar.offline.chore import Chore
from deputy_sidecar.offline.job import Steps
from deputy_sidecar.offline.looking import MOST_SHOWN, checked, one, searched
from deputy_sidecar.offline.phrasing import say, selector_in_words
from deputy_sidecar.offline.results import duplicate_groups, size_text
from deputy_sidecar.offline.selector import Selector

__all__ = ["duplicates", "groups"]


def groups(selector: Selector, language: str) -> Steps:
    """How many groups of files with the same content there are."""
    what = say(language, "duplicates", what=selector_in_words(selector, language))
    result = yield from one(what, searched("duplicates", selector))
    return len(duplicate_groups(checked(result, language, what)))


def duplicates(chore: Chore, language: str) -> Steps:
    """Files with the same content, in groups."""
    what = say(language, "duplicates", what=selector_in_words(chore.selector, language))
    result = yield from one(what, searched("duplicates", chore.selector))
    content = checked(result, language, what)
    alike = duplicate_groups(content)
    if not alike:
        return say(language, "no_duplicates")
    head = say(
        language,
        "waste",
        groups=say(language, "group" if len(alike) > 1 else "group_one", count=len(alike)),
        size=size_text(sum(group.wasted_bytes for group in alike)),
    )
    return (
        head
        + "\n\n"
        + "\n".join(f"- {', '.join(group.paths)} ({size_text(group.size_bytes)})" for group in alike[:MOST_SHOWN])
    )
