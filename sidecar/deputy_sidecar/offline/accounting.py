"""Whether a chore does all that a request says: each word is heeded, or holds the sentence together, or is a doubt."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from deputy_sidecar.offline.language import concepts, without_literals
from deputy_sidecar.offline.slots import kind_in, name_pattern_in, without_places, without_sizes_and_times

if TYPE_CHECKING:
    from deputy_sidecar.offline.skills import Skill

__all__ = ["doubts"]

_PLAN: Final = re.compile(r"\bplan [0-9a-f]{64}\b", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W_](?:[\w.'’-]*[^\W_])?", re.UNICODE)

# Kinds whose text is no text in the file: no line of theirs says what a person reads.
_NO_TEXT: Final = frozenset("pdf docx xlsx zip jpg png gif mp3 mp4".split())
# Words that take something away, or hold only under a condition. No chore heeds them unless it says so itself.
_LIMITS: Final = frozenset(
    "except excluding exclude but without not no non never neither nor unless if only besides apart instead minus "
    "empty hidden broken corrupt corrupted unused locked blank untitled unreadable unnamed damaged "
    "außer ohne nicht kein keine keinen keiner wenn falls nur statt leer leere leeren versteckte versteckten".split()
)
# Words that hold a request together and ask for nothing.
_FILLERS: Final = frozenset(
    "a about above again all also am an and any are as at be been by can could did do does down eating every for from "
    "full get give go had has have hello hey here how i i'd i'm i've in inside into is it its just kindly like me mean "
    "much many most my of on one ones or our out over please put really save so some stored take takes taking tell "
    "than that that's the their them then there there's these they thing things this those to together too top up us "
    "want was we were what what's when where where's which while who whole why will with would write you your each "
    "entire complete below under "
    "aber alle allem allen alles als an auch auf aus bei bitte da das dass dem den der des die dies diese diesem "
    "diesen dieser dieses du ein eine einem einen einer eines er es für ganz ganze gibt hab habe haben hat heraus hin "
    "ich ihm im ist ja kannst könntest liegt mal mein meine meinem meinen meiner mich mir mit nach noch oder rum sich "
    "sie sind steht über um und uns unter vom von vor was welche welchem welchen welcher welches wer wie wo zu zum zur "
    "nehmen belegt wurde wurden worden use uses through am".split()
)


def doubts(goal: str, skill: Skill, used: list[str]) -> list[str]:
    """The words of `goal` that the chore would pass over, in their order.

    `used` are texts that its calls hold: what is in them is heeded.
    """
    # A plan that was seen is named by its digest; the words around it are for people.
    if skill.verbatim or _PLAN.search(goal):
        return []
    text = without_places(without_literals(goal))
    if skill.bounds:
        text = without_sizes_and_times(text)
    # Where files are looked for by name, their kind is no condition.
    is_by_name = skill.bounds and name_pattern_in(goal) is not None
    filter_used = kind_in(text) if skill.kinds and not is_by_name else None
    values = " ".join(used).lower()
    return [word for word in _WORD.findall(text) if not _is_heeded(word.lower(), skill, filter_used, values)]


def _is_heeded(word: str, skill: Skill, filter_used: str | None, values: str) -> bool:
    word = re.sub(r"['’]s\Z", "", word)
    if word in skill.words:
        return True
    if word in _LIMITS:
        return False
    # `TODOs` are looked for as `TODO`.
    if re.search(rf"(?<![^\W_]){re.escape(word.removesuffix('s'))}s?(?![^\W_])", values) is not None:
        return kind_in(word) not in _NO_TEXT or skill.bounds
    kind = kind_in(word)
    if kind is not None:
        return kind == filter_used and (skill.bounds or kind not in _NO_TEXT)
    return word in _FILLERS or not concepts(word) or any(concept in skill.heeds for concept in concepts(word))
