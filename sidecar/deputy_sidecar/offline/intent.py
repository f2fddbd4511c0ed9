"""Requests that talk of a change without ordering it now: `should I delete`, `remind me to move`, `every day`.

Their words are those of an order, so nothing would be left over. What they have besides is looked for in the whole request, and
such a request is asked about. A request that is taken for one of these by mistake is only asked about, too.
"""

from __future__ import annotations

import re
from typing import Final

from deputy_sidecar.offline.tokens import normal

__all__ = ["is_no_order"]

_ENGLISH: Final = (
    r"(?:should|shall|must|would|do|did|will|have|had) (?:i|we)\b",
    r"(?:can|may|could|might) (?:i|we)\b(?! (?:ask|trouble|bother|have you|get you|please))",
    r"(?:did|have|had|has|are|were|do) (?:you|they|somebody|someone|anybody|anyone)\b",
    r"(?:is|was|would) (?:it|that|this) (?:be )?(?:safe|ok|okay|fine|possible|allowed|wise|good|bad|a good)\b",
    r"what (?:happens|happened|would|will|if)\b",
    # `Have the tmp files been deleted?`
    r"\A(?:so |and |well )?(?:have|has|had|are|were|was|is|did) (?:the|all|any|my|our|some|those|these)\b.*\b(?:deleted|removed|moved|copied|renamed|trashed|created|zipped|packed)\b",
    r"(?:have|has|had) been\b",
    r"(?:why|how) (?:do|does|did|can|could|would|should|to|come)\b",
    r"(?:remind|ask|warn|tell|show) me (?:before|when|to|first|if|what would)\b",
    r"(?:never|stop|pretend|simulate|imagine|suppose|dry run|undecided|maybe|perhaps)\b",
    # It does not say which.
    r"(?:one|some|most|many|half|part|a few|a couple) of (?:them|these|those)\b",
    # What must not be done.
    r"(?:do not|don't|dont|didn't|won't|cannot|can't|shouldn't|must not|mustn't)(?: you)?(?: dare)? (?:to )?(?:ever )?(?:delete|remove|trash|move|copy|rename|touch|change|overwrite|replace|zip|unpack|create|clean)\b",
    r"without (?:deleting|moving|copying|renaming|touching|changing|actually)\b",
    r"instead of\b|rather than\b",
    r"who(?:m|ever)?\b",
    r"(?:tomorrow|tonight|later|soon|one day|someday|at (?:noon|midnight|night)|in an hour)\b",
    r"(?:daily|weekly|monthly|hourly|regularly|whenever|from now on|next (?:time|week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b",
    r"(?:every|each) (?:day|week|month|year|hour|night|morning|evening|time|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b",
)  # fmt: skip
_GERMAN: Final = (
    r"(?:soll|sollte|sollen|sollten|kann|darf|duerfte|muss|muesste|koennte|wuerde|will|werde) ich\b(?! (?:sie|dich) bitten)",
    r"(?:hast|hattest|haben|wirst|willst) (?:du|sie|wir)\b",
    r"(?:koennen|koennten|sollen|sollten|duerfen|muessen|muessten) wir\b",
    r"(?:ist|waere) es (?:sicher|ok|okay|moeglich|gut|schlimm|sinnvoll|erlaubt)\b",
    r"was (?:passiert|waere|wuerde|wird)\b",
    r"(?:warum|wieso|weshalb)\b|wie (?:loesche|verschiebe|kopiere|benenne|kann|geht|macht|lege|entferne|packe) (?:ich|man)\b",
    r"(?:erinner\w*|frag\w*|warn\w*) mich\b",
    r"(?:niemals|nie wieder|vielleicht|angenommen|probeweise|demnaechst|spaeter|irgendwann|naechste[nrs]? (?:woche|monat|jahr|mal))\b",
    r"(?:morgen|uebermorgen|heute abend)(?! (?:erstellt|geaendert))\b",
    r"(?:jeden|jede|jedes) (?:tag|woche|monat|jahr|stunde|nacht|abend|mal|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b",
    r"(?:taeglich|woechentlich|monatlich|stuendlich|regelmaessig)\b",
    r"(?:statt|anstatt)\b|wer\b",
    r"(?:eine|eins|eines|einen|einige|manche|ein paar|die meisten|die haelfte) (?:davon|von (?:ihnen|denen))\b",
    r"nicht (?:loeschen|verschieben|kopieren|umbenennen|anfassen|entfernen|packen|aendern)\b",
    r"ohne (?:sie |es |ihn )?zu (?:loeschen|verschieben|kopieren|aendern)\b",
)  # fmt: skip
_TALK: Final = re.compile(r"(?<!\w)(?:" + "|".join((*_ENGLISH, *_GERMAN)) + ")")
# What is in quotes is a name or a text, and says nothing about the order.
_QUOTED: Final = re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|`[^`]*`")
_POLITE: Final = re.compile(r"\b(?:good|guten) (?:morning|evening|morgen|abend)\b")


def is_no_order(request: str) -> bool:
    """Whether what it says of a change may be no order to make it now."""
    return _TALK.search(_POLITE.sub(" ", _QUOTED.sub(" ", normal(" ".join(request.split()))))) is not None
