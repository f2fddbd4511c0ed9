"""Finds what `it` or `them` is where a sentence before the order says so: `There is a tmp file in Downloads. Delete it.`

The sentence before gives a noun phrase. It is read like a list, and the order refers to that list. What the sentence
says besides the phrase may narrow it, so what can be lost only takes a phrase that is the whole sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from deputy_sidecar.offline.chore import Chore
from deputy_sidecar.offline.jobs.archives import Pack
from deputy_sidecar.offline.lexicon import language_of
from deputy_sidecar.offline.tokens import tokens_of

__all__ = ["Antecedent", "antecedents"]

_BREAK: Final = re.compile(
    r"(?<=[.!?;])\s+|,\s+(?:and |but |so |und |also |kannst du |can you |could you |please |bitte )?|\s+[-–—]+\s+"
)
_REFERS: Final = re.compile(
    r"\b(?:it|them|that one|those|these|this one|one of them|sie|es|ihn|die|diese|das|davon)\b(?! (?:is|are|ist|sind)\b)",
    re.IGNORECASE,
)
_OWN: Final = (
    r"(?:the|my|our|that|those|these|this|all|both|every|some|an?|two|three|four|five|\d+|der|die|das|den|mein\w*|unser\w*|alle|beide|"
    r"ein\w*|zwei|drei|diese\w*)"
)
_SOFT: Final = r"(?:just |also |still |already |recently |somewhere |probably |only |noch |schon |auch |hier |da )*"
_LEADS: Final = (
    rf"(?:(?:i|we|you)(?:'ve| have|'d| had)? {_SOFT}(?:got|have|had|found|saved|saw|see|need|want|kept|noticed|remember|know(?: that)? there(?:'s| is| are))|"
    rf"there(?:'s| is| are| was| were| should be| must be| might be) {_SOFT}|here(?:'s| is| are)|remember|"
    rf"(?:i|we)(?:'m| am|'re| are) (?:looking for|talking about|thinking of)|(?:i|we) (?:can't|cannot|could not|couldn't) find|"
    rf"da (?:ist|sind|liegt|liegen) {_SOFT}|es gibt {_SOFT}|hier (?:ist|sind|liegt|liegen) {_SOFT}|(?:ich|wir) (?:habe?n?|hab|brauchen?|suchen?|sehen?) {_SOFT})"
)
_SAYS: Final = (
    r"(?:is|are|was|were|has|have|had|takes?|needs?|looks?|should|can|could|must|will|belongs?|seems?|turned|came|"
    r"ist|sind|war|waren|hat|haben|braucht|brauchen|nimmt|nehmen|liegt|liegen|kann|können|soll|sollen|muss|müssen|wird|werden)"
)
_LED: Final = re.compile(
    rf"(?:(?:and|oh|so|well|also|und|ach)[, ]+)*{_LEADS} ?(?P<thing>.+?)(?: somewhere| irgendwo)?[.!?;,]*",
    re.IGNORECASE,
)
_FIRST: Final = re.compile(
    rf"(?:(?:and|oh|so|well|und|ach)[, ]+)*(?P<thing>{_OWN} .+?) (?P<says>{_SAYS}\b.*)", re.IGNORECASE
)
# Remarks about things that do not narrow which of them are meant.
_NEEDLESS: Final = re.compile(
    r"(?:is|are|ist|sind) (?:really |just |all |now |only |alle |nur |jetzt )*(?:no longer (?:needed|used|necessary)|not needed(?: any ?more)?|useless|obsolete|"
    r"outdated|unnecessary|superfluous|in the way|not important|rubbish|junk|nicht mehr (?:nötig|wichtig)|überflüssig|veraltet|unnötig|müll)[.!;,]*",
    re.IGNORECASE,
)
# Relative clauses that only describe where a thing comes from.
_RELATIVE: Final = re.compile(
    r",? (?:that |which |who )?(?:i|we|you) \w+(?= (?:at|in|on|from|for)\b)|,? (?:die|das|den|der) (?:ich|wir)\b.*",
    re.IGNORECASE,
)
_VAGUE: Final = re.compile(
    r"(?:several|many|a few|a couple of|lots of|some|a lot of|mehrere|einige|viele|ein paar) ", re.IGNORECASE
)
# `Some of the reminders` does not say which.
_SOME_OF: Final = re.compile(
    r".*\b(?:some|most|many|few|half|part|several|one|two|three|any|each|einige|manche|viele|wenige|paar|teile?|eine[rs]?|zwei|drei) (?:of|von|der|dieser|meiner|unserer)\b"
    r"|(?:and |oh,? |so |well |und )*(?:some|most|many|few|einige|manche|viele|die meisten|wenige)\b",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"(?:two|three|four|five|\d+|zwei|drei|vier)\b", re.IGNORECASE)
SAFE: Final = frozenset({"copy"})


@dataclass(frozen=True)
class Antecedent:
    """A noun phrase of a sentence, and the order behind it."""

    thing: str
    order: str
    remark: str
    # Whether the sentence says nothing else of it.
    is_whole: bool

    @property
    def as_list(self) -> str:
        """The phrase as a request of its own."""
        return f"{'zeige' if language_of(tokens_of(f'{self.remark} {self.order}')) == 'de' else 'list'} {self.thing}"

    def may_be(self, chores: tuple[Chore, ...]) -> bool:
        """Whether the order may refer to it: copies, archives and lists lose nothing."""
        acts = [chore for chore in chores if chore.is_act]
        return self.is_whole or all(chore.verb in SAFE or isinstance(chore.job, Pack) for chore in acts)


def antecedents(request: str) -> Iterator[Antecedent]:
    """Each way to take the request as a sentence with a noun phrase and an order that refers to it."""
    if '"' in request or "“" in request:
        return
    for cut in _BREAK.finditer(request):
        before, order = request[: cut.start()].strip(), request[cut.end() :].strip()
        if not _REFERS.search(order) or not before:
            continue
        sentence = _BREAK.split(before)[-1] if "," not in cut.group() else before
        for thing, is_whole in _things(sentence):
            yield Antecedent(thing, order, before, is_whole)


def _things(sentence: str) -> Iterator[tuple[str, bool]]:
    if _SOME_OF.match(sentence):
        return
    led = _LED.fullmatch(sentence)
    if led is not None:
        thing = _VAGUE.sub("", led["thing"])
        yield thing, True
        if _NUMBER.match(thing):
            # `There are two tmp files`: both are meant.
            yield f"{'die' if led['thing'].startswith(('zwei', 'drei', 'vier')) else 'the'} {thing}", True
    first = _FIRST.fullmatch(sentence)
    if first is not None:
        yield first["thing"], _NEEDLESS.fullmatch(first["says"]) is not None
        plain = _RELATIVE.sub("", first["thing"])
        if plain != first["thing"]:
            yield plain, False
