"""What is only about the request before: `undo that`, `the same for Downloads`, `and in Hamburg?`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from deputy_sidecar.offline.chore import Chore
from deputy_sidecar.offline.forms import Form, Slots, match
from deputy_sidecar.offline.job import Job, Steps
from deputy_sidecar.offline.jobs.tables import Ask
from deputy_sidecar.offline.looking import MOST_SHOWN, checked, one
from deputy_sidecar.offline.selector import Order, Selector
from deputy_sidecar.offline.steps import Call, NotPossibleError
from deputy_sidecar.offline.tokens import Token
from deputy_sidecar.offline.words.say import in_language as say
from deputy_sidecar.offline.words.told import steps_done

__all__ = ["Undo", "follow_up", "is_about_a_list"]

LONGEST_GOAL: Final = 80


@dataclass(frozen=True)
class Undo:
    """What an earlier task of the conversation changed, undone by its jobs, the newest first."""

    goal: str
    task: str
    jobs: tuple[str, ...]
    is_act: bool = True
    # How it is undone by a request of its own.
    request: str = ""
    # How to undo changes made without a plan, such as replaced text.
    opposite: Job | None = None

    def phrase(self, language: str) -> str:
        """The reading; it names the request that is undone."""
        goal = " ".join(self.goal.split())
        shown = goal if len(goal) <= LONGEST_GOAL else goal[: LONGEST_GOAL - 1] + "…"
        return say(language, f"take back what was done for “{shown}”", f"zurücknehmen, was für „{shown}“ getan wurde")

    def run(self, language: str) -> Steps:
        """Has each job undone."""
        what = self.phrase(language)
        if not self.jobs and self.opposite is not None:
            return (yield from self.opposite.run(language))
        if not self.jobs and self.request:
            raise NotPossibleError(
                say(language, f"Say this instead: “{self.request}”.", f"Sag stattdessen: „{self.request}“.")
            )
        if not self.jobs:
            raise NotPossibleError(
                say(
                    language,
                    "I cannot take that back from here. The Undo button at that task does.",
                    "Von hier aus kann ich das nicht zurücknehmen. Der Knopf „Rückgängig“ bei jener Aufgabe tut es.",
                )
            )
        said = ""
        for job in reversed(self.jobs):
            result = yield from one(what, Call("organize", {"action": "undo", "job": job}))
            said += steps_done(checked(result, language, what), language) + "\n"
        return said.strip()


@dataclass(frozen=True)
class _Same:
    """A form that repeats what came before with one thing changed."""

    folder: str = ""
    value: str = ""
    is_undo: bool = False
    # What follows what was shown.
    is_more: bool = False
    order: str = ""
    output: str = ""
    is_act: bool = False

    def phrase(self, language: str) -> str:
        """It is never said: what it becomes is."""
        return ""

    def run(self, language: str) -> Steps:
        """It is never done."""
        yield from ()


def _same(slots: Slots) -> Job | None:
    return _Same(folder=slots.get("folder"))


def _value(slots: Slots) -> Job | None:
    return _Same(value=slots.get("word"))


_SAME: Final = "(same|same thing|do same|do same thing|do that|what about|how about|gleiche|dasselbe|und was ist|mach dasselbe|mach gleiche)"
_FORMS: Final = (
    Form(
        "(undo|undo that|undo it|undo this|undo last change|undo last step|take that back|take it back|revert that|revert it|revert|put it back|put them back|"
        "bring it back|bring that back|put that back|put it all back|get it back|get them back|restore it|restore that|undo your last change|undo what you did|undo what you just did|undelete it|undelete them|undelete|"
        "undo last action|undo all of that|undo it all|undo everything|roll that back|roll it back|cancel that|take back last step|take that one back|"
        "machen wieder rueckgaengig|nimm wieder zurueck|nehmen zurueck|stell wieder her|stelle wieder her|hol zurueck|hole zurueck|machen das rueckgaengig|machen das wieder rueckgaengig|machen es rueckgaengig|machen es wieder rueckgaengig|machen rueckgaengig|mach das rueckgaengig|"
        "mach das wieder rueckgaengig|mach es wieder rueckgaengig|mache das rueckgaengig|mach alles rueckgaengig|nimm das zurueck|nimm es zurueck|nehmen das zurueck|stell das wieder her|stell sie wieder her|"
        "hol es zurueck|hol sie zurueck|hol das zurueck|stelle das wieder her|wiederherstellen|letzten schritt rueckgaengig machen|letzte aenderung rueckgaengig machen|"
        "((put|move|bring|get|send) (them|it|that|those|these|everything|all|files|things) back|(put|bring) back) (where they were|where it was|where they came from|where it came from|where they belong|to where they were|as they were|as it was|how it was|how they were|there|again)|"
        "undo please|oops undo|no undo that|reverse that|reverse it|reverse last step|put everything back|put all back|make it as before|as it was before|like it was before|(legen|leg|lege|stell|stelle|tu|tue|verschieb|verschiebe|pack|packe) (sie|es|das|alles|dateien) (wieder|wieder zurueck|zurueck) [wo (sie|es) (war|waren)]|alles zurueck|wieder zurueck|wie vorher|"
        "rueckgaengig|rueckgaengig machen|mach rueckgaengig|mache rueckgaengig|mach es rueckgaengig|mach wieder rueckgaengig|nimm zurueck|zurueck|bring them back|restore them)",
        lambda _: _Same(is_undo=True),
    ),
    Form(
        "(restore|recover|undelete|bring back|get back|put back|hol zurueck|hole zurueck|stell wieder her|stelle wieder her) "
        "(it|that|them|those|these|this|everything|all of them|all of it|sie|es|das|die|alles)",
        lambda _: _Same(is_undo=True),
    ),
    Form(f"{_SAME} [for|in|with|fuer|bei|mit|im] [folder|ordner] {{folder}} [folder]", _same),
    Form("[and] (in|for|fuer|im|unter) [folder|ordner] {folder} [folder]", _same),
    Form(
        "(and|und|which|what about|how about|who|welche|wer) [which|who|welche|wer|those|ones] (in|from|aus) {word}",
        _value,
    ),
    Form("(which|who|welche|wer|what about) (in|from|aus) {word}", _value),
)


def _ordered(order: str) -> Callable[[Slots], Job | None]:
    return lambda _: _Same(order=order)


_THEM: Final = "[them|it|those|these|that|that list|list|results|ones|sie|das|liste|ergebnis|ergebnisse]"

_LIST_FORMS: Final = (
    Form(
        "[show|show me|list|give me|and|zeig|zeige|und] (more|rest|next|next page|next ones|remaining|remaining ones|others|mehr|weitere|naechsten|naechste seite|uebrigen|weiter)",
        lambda _: _Same(is_more=True),
    ),
    *(
        Form(
            f"[sort|order|list|show|and|now|sortier|sortiere|ordne|zeig|zeige] {_THEM} [sorted|ordered] ({words}) [sortiert]",
            _ordered(order),
        )
        for order, words in (
            ("largest", "by size|biggest first|largest first|nach groesse|groesste zuerst|groessten zuerst"),
            ("smallest", "smallest first|kleinste zuerst|kleinsten zuerst"),
            ("newest", "by date|newest first|latest first|most recent first|nach datum|neueste zuerst|neuesten zuerst"),
            ("oldest", "oldest first|by age|aelteste zuerst|aeltesten zuerst"),
            ("name", "by name|alphabetically|nach name|nach namen|alphabetisch"),
        )
    ),
    Form(
        f"(save|write|export|put|store|speicher|speichere|schreib|schreibe|exportiere) {_THEM} (to|in|into|as|nach|als) [file|datei|new file] {{file}}",
        lambda slots: _Same(output=slots.get("file")),
    ),
)


def follow_up(tokens: list[Token], before: Chore | None, undoable: Undo | None) -> Chore | None:
    """The chore, if the tokens are one of these forms and there is something before that it can be about."""
    found = match((*_FORMS, *_LIST_FORMS), tokens, "en", lambda _: None)
    if not isinstance(found, _Same):
        return None
    if found.is_undo:
        return Chore("form", Selector(), job=undoable) if undoable is not None else None
    if before is None:
        return None
    if found.is_more or found.order or found.output:
        return _about_list(found, before)
    if found.value:
        job = before.job
        is_same = isinstance(job, Ask) and job.what == "where" and not job.compare
        return replace(before, job=replace(job, value=found.value)) if is_same and isinstance(job, Ask) else None
    if (
        before.job is not None
        or before.verb in {"create", "rename"}
        or len(before.selector.places) > 1
        or before.selector.exact
    ):
        return None
    if re.search(r"[*?\[]", found.folder):
        return None
    return replace(before, selector=replace(before.selector, places=(found.folder,)))


def is_about_a_list(tokens: list[Token]) -> bool:
    """Whether the request only makes sense after a list: `more`, `save the list to x.csv`."""
    return match(_LIST_FORMS, tokens, "en", lambda _: None) is not None


def _about_list(found: _Same, before: Chore) -> Chore | None:
    """What was listed before: its next page, in another order, or in a file."""
    before = before.listed or before
    selector, order = before.selector, before.selector.order
    if before.verb not in {"list", "which", "where", "search", "exists"} or selector.is_duplicates or before.test:
        return None
    if found.output:
        return replace(before, output=found.output)
    if found.order:
        # Of the three biggest it is still these three that are meant: that is not an order by which they could be found.
        is_limited = order is not None and order.limit and not order.is_usual
        return None if is_limited else replace(before, selector=replace(selector, order=Order(found.order, 0)))
    page = (order.limit or MOST_SHOWN) if order is not None else MOST_SHOWN
    skip = (order.skip if order is not None else 0) + page
    by = order.by if order is not None else "name"
    return replace(before, output=None, selector=replace(selector, order=Order(by, page, skip=skip)))
