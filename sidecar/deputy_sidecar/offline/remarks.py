"""Sentences next to a request that ask for nothing: `my disk is full`, `I always forget`, `es nimmt nur Platz weg`.

A remark is only passed by where what remains is read in full, and it is shown as such next to the reading. Next to a change only
reasons of a short list are remarks, and the change has to say by itself what it is about: in `I have too many logs, delete the
oldest 3` the remark says which files are meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from deputy_sidecar.offline.chore import Chore
from deputy_sidecar.offline.follow_up import Undo
from deputy_sidecar.offline.known_names import KnownNames
from deputy_sidecar.offline.lexicon import lexicon
from deputy_sidecar.offline.scene import SHORTEST
from deputy_sidecar.offline.selector import All, Changed, Condition, Deep, Not, Selector, Sized
from deputy_sidecar.offline.tokens import normal, tokens_of

__all__ = ["may_be_passed_by", "without_remarks"]

_BREAK: Final = re.compile(
    r"(?<=[.!?;])\s+|\s+[-–—]+\s+|,\s+|\s+(?=(?:because|cause|cuz|since i|since we|as i|so that|so i|so we|weil|damit|denn) )",
    re.IGNORECASE,
)
_STATEMENT: Final = re.compile(
    r"(?:and |but |so |then |und |aber |also )?"
    r"(?:because|cause|cuz|since|as (?:i|we|my)|so that|i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|my|our|it's|its|it|there's|there is|there are|this is|that's|that is|that|they|these are|he|she|"
    r"no (?:rush|hurry|worries)|sorry|what a|don't worry|thanks|thank you|just in case|take your time|you're|you are|"
    r"weil|damit|denn|ich|wir|mein|meine|unser|unsere|es|das|er|sie|da (?:ich|wir)|keine eile|danke|sonst|mir|mich|bin|hab)\b"
)  # fmt: skip
# What may be said next to a change: reasons and apologies, none of which says what is meant.
_REASON: Final = re.compile(
    r"(?:(?:and|but|so|because|cause|cuz|since|as|und|aber|weil|denn|da) )?(?:"
    r"(?:it|they|that|this|those|these)(?:'s| is| are|'re)? (?:just |only |all )?(?:taking|eating|wasting|using)(?: up)? (?:too much |so much |all |all my |all the |my )?(?:space|room|storage|disk space)"
    r"|(?:it|they|that|those) just takes? (?:up )?(?:space|room)"
    r"|(?:i|we) (?:do not|don't|dont|no longer|never) (?:really |ever )?(?:need|use) (?:it|them|this|that|these|those|any of (?:it|them|that))(?: any ?more| any longer| now)?"
    r"|my (?:disk|drive|hard drive|computer|laptop|pc|mac|phone) is (?:almost |nearly |getting |really |so )*(?:full|slow)"
    r"|(?:i|we) (?:really )?need (?:the |some |more |a bit of )?(?:space|room|disk space)"
    r"|(?:i'm|i am|im|we are|we're) (?:running |getting )?(?:low on|out of|short of) (?:disk )?(?:space|room)|(?:i'm|i am|im) (?:in a (?:hurry|rush)|tired of (?:it|this|them)|cleaning up|tidying up|tidying)"
    r"|(?:it|that)(?:'d| would) be (?:great|nice|lovely|perfect|awesome|wonderful|good)|that's all|that is all|that's it|thats all|thats it"
    r"|sorry.{0,20}|(?:thanks|thank you)(?: (?:a|so|very|many|much|lot|million|ton|bunch|again|in|advance|for|your|the|help|dear|kindly))*|no (?:rush|hurry|worries)|take your time|you(?:'re| are) (?:the best|great|a star|a hero)|good (?:job|work)|(?:i )?hope (?:you are|you're|that's|that is|all is) (?:well|ok|okay|fine)"
    r"|what a mess|(?:it's|it is|this is|everything is) (?:such )?(?:a )?(?:mess|messy|crowded|cluttered|chaos)(?: in here| here)?"
    r"|(?:das|es|die|sie) (?:nimmt|nehmen|braucht|brauchen) nur (?:unnoetig )?platz(?: weg)?|(?:ich|wir) (?:brauche?n?|benutze?n?) (?:das|es|die|sie) (?:nicht mehr|nicht)|(?:das|es|die|sie) (?:brauche?n?) (?:ich|wir) nicht(?: mehr)?"
    r"|(?:die|meine) (?:platte|festplatte) ist (?:fast |ziemlich )?voll|(?:ich|wir) brauche?n? (?:mehr |den )?platz|(?:ich )?(?:bin|habe) (?:in eile|es eilig)|keine eile|das waere (?:nett|toll|super|schoen)|das war's|das ist alles"
    r")[.!]*\Z"
)  # fmt: skip
# `Don't delete anything, just show me the empty files`: nothing is to be changed, which holds for what only looks.
_HANDS_OFF: Final = re.compile(
    r"(?:please )?(?:do not|don't|dont|nicht|bitte nicht|bitte nichts|nichts) ?(?:delete|remove|move|change|touch|rename|copy|loeschen|aendern|verschieben|anfassen)?"
    r"(?: (?:anything|nothing|any of (?:it|them)|it|them|yet|now|for now))*[.!]*\Z"
)
# What makes a remark part of the request: a refusal, a doubt, somebody else's words, another time.
_COUNTS: Final = re.compile(
    r"\b(?:not|no|never|don't|dont|isn't|aren't|won't|except|only|unless|if|keep|keeps|leave|without|but|maybe|perhaps|said|says|told|tell|asked|tomorrow|later|before|after|until|wait|"
    r"nicht|kein|keine|keinen|nie|ausser|nur|wenn|falls|behalt\w*|ohne|aber|vielleicht|sagt\w*|morgen|spaeter|bevor|warte)\b"
)  # fmt: skip
# The same where nothing is changed: somebody else's words and another time are only the occasion.
_COUNTS_IN_A_QUESTION: Final = re.compile(
    r"\b(?:not|no|never|don't|dont|isn't|aren't|except|only|unless|if|keep|leave|without|but|nicht|kein|keine|keinen|nie|ausser|nur|wenn|falls|ohne|aber)\b"
)
_OWN_WORDS: Final = re.compile(r"(?:and |but |so |und |aber )?(?:i|we|you|ich|wir|du)\b")
# Behind these the question mark belongs to what they give a reason for.
_GIVES_REASON: Final = ("so i ", "so we ", "because ", "since ", "so that ", "weil ", "damit ")
_LOOKS: Final = frozenset(
    {"do:trash", "do:move", "do:copy", "do:rename", "do:create", "do:pack", "do:unpack", "do:replace", "do:tidy"}
)


def without_remarks(request: str, known: KnownNames | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What is left of the request without its remarks, and the remarks."""
    parts = _parts(request)
    if len(parts) < 2:
        return
    seen: tuple[str, ...] = ()
    for counts in (_COUNTS, _COUNTS_IN_A_QUESTION):
        remarks = tuple(part for part in parts if _is_remark(part, known, counts))
        if remarks and len(remarks) < len(parts) and remarks != seen:
            seen = remarks
            yield ", ".join(part.rstrip(",") for part in parts if part not in remarks), remarks


def _parts(request: str) -> list[str]:
    held = re.split(r"(\"[^\"]*\"|“[^”]*”|„[^“”]*[“”])", request)
    parts = [""]
    for at, piece in enumerate(held):
        if at % 2:
            parts[-1] += piece
            continue
        first, *others = _BREAK.split(piece)
        parts[-1] += first
        parts += others
    return [part.strip() for part in parts if part.strip(" .,;!?")]


def _is_remark(part: str, known: KnownNames | None, counts_at_all: re.Pattern[str]) -> bool:
    plain = normal(" ".join(part.split())).strip(" ,;.!…")
    if _REASON.match(plain) is not None or _HANDS_OFF.match(plain) is not None:
        return True
    asks = part.rstrip().endswith("?") and not plain.startswith(_GIVES_REASON)
    # `I did want those after all` names no time.
    if counts_at_all is _COUNTS_IN_A_QUESTION and _COUNTS.search(plain) and _OWN_WORDS.match(plain):
        # `We said something about chairs`: that is what is looked for.
        return False
    counts = counts_at_all.search(plain.replace("after all", "")) is not None
    if asks or _STATEMENT.match(plain) is None or counts:
        return False
    is_loose = counts_at_all is _COUNTS_IN_A_QUESTION
    return not any(
        _counts(token.form, token.text, known, is_loose=is_loose)
        for token in tokens_of(part)[1:]
        if token.sort != "mark"
    ) and all(token.sort in {"word", "mark"} for token in tokens_of(part))


def _counts(form: str, text: str, known: KnownNames | None, *, is_loose: bool) -> bool:
    """Whether a word says something about files."""
    for language in ("en", "de"):
        words = lexicon(language)
        meanings = words.phrases.get((form,), set())
        if (form,) in words.kinds or meanings & (_LOOKS | {"folder", "empty", "duplicate"}):
            return True
        if "file" in meanings and not is_loose:
            return True
        if any(each.startswith(("time:", "month:", "number:", "bytes:")) for each in meanings - {"number:1"}):
            return True
    is_common = any(lexicon(language).is_word(form) for language in ("en", "de"))
    return known is not None and len(text) >= SHORTEST and not is_common and known.is_there(text)


def may_be_passed_by(remarks: tuple[str, ...], chores: tuple[Chore, ...]) -> bool:
    """Whether the remarks change nothing about these chores."""
    if not any(chore.is_act for chore in chores) or all(isinstance(chore.job, Undo) for chore in chores):
        return True
    return all(_REASON.match(normal(" ".join(each.split())).strip(" ,;.!…")) for each in remarks) and all(
        _says_which(chore.selector) for chore in chores if chore.verb in {"trash", "move", "copy", "rename"}
    )


def _says_which(selector: Selector) -> bool:
    """Whether a kind or a name says what is meant, not just an age or a size."""

    def says(condition: Condition | None) -> bool:
        if isinstance(condition, All):
            return any(says(part) for part in condition.parts)
        return condition is not None and not isinstance(condition, Sized | Changed | Deep | Not)

    return bool(selector.exact) or selector.is_duplicates or says(selector.condition)
