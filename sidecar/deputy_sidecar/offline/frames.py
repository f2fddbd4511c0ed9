"""Sentences that give an order without an imperative: wishes, passives, obligations, arrows.

`I'd like the scans sorted by year`, `the invoices should be moved to Paid`, `make sure every photo ends up in Trips`,
`die Scans sollen nach Archiv verschoben werden`, `newest pdf -> copy to Inbox`: each says what is to be done by a
participle, or only where something belongs. A form knows no files and no folders, so it holds for all of them. What
asks, denies or sets a condition is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from deputy_sidecar.offline.lexicon import lexicon
from deputy_sidecar.offline.tokens import tokens_of

__all__ = ["as_order"]

_IRREGULAR: Final = {
    "put": "put", "thrown away": "delete", "thrown out": "delete", "thrown": "throw", "brought": "bring", "got rid of": "delete",
    "gotten rid of": "delete", "stuck": "stick", "set up": "create", "copied": "copy",
    "listed": "list", "shown": "show", "counted": "count", "sorted": "sort", "grouped": "group", "tagged": "tag", "labelled": "tag", "labeled": "tag",
    "organized": "organize", "organised": "organize", "zipped up": "zip", "backed up": "back up",
    "gathered": "put", "collected": "put", "combined": "combine", "merged": "merge", "replaced": "replace",
    "thrown in the trash": "delete", "cleaned up": "clean up", "tidied": "tidy", "tidied up": "tidy up", "added": "add",
}  # fmt: skip
_DONE_DE: Final = {
    "verschoben": "verschiebe", "kopiert": "kopiere", "gelöscht": "lösche", "geloescht": "lösche", "entfernt": "lösche", "weggeworfen": "lösche",
    "gepackt": "packe", "gezippt": "zippe", "gelegt": "verschiebe", "abgelegt": "verschiebe", "gesteckt": "verschiebe", "gestellt": "verschiebe",
    "gebracht": "verschiebe", "einsortiert": "verschiebe", "gesichert": "kopiere", "sortiert": "sortiere", "angelegt": "erstelle", "erstellt": "erstelle",
    "getaggt": "tagge", "markiert": "markiere", "entpackt": "entpacke", "ersetzt": "ersetze", "umbenannt": "benenne", "gezählt": "zähle",
    "aufgelistet": "liste", "verschieben": "verschiebe", "kopieren": "kopiere", "löschen": "lösche", "legen": "verschiebe", "packen": "packe",
    "entsorgt": "lösche", "archiviert": "packe", "zusammengefasst": "fasse", "gesammelt": "verschiebe",
}  # fmt: skip
# `The file called report`.
_NAMES: Final = frozenset({"call", "name"})
_UNSURE: Final = re.compile(
    r"\b(?:not|never|if|unless|whether|no|nothing|none|been|were|was|already|nicht|nie|kein\w*|wenn|falls|ob|schon|bereits)\b|n't\b",
    re.IGNORECASE,
)
# `that nobody touched` describes files and does not forbid anything.
_UNTOUCHED: Final = re.compile(
    r"\b(?:haven't|hasn't|have not|has not|not|never)(?: been| i| we)? (?:touched|opened|used|changed|edited|modified|needed|looked at)\b",
    re.IGNORECASE,
)
# `The photos saved in May`, `files copied last week`: these describe files and order nothing.
_TOLD: Final = re.compile(
    r"(?:last|yesterday|today|since|this|ago|before|after|between|during|on|recently|earlier|lately|by (?:me|us|you|him|her|them)|"
    r"in (?:the (?:last|past)|(?:19|20)\d\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|gestern|heute|seit|vor|letzte\w*)\b",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"(?:who|what|which|when|where|how|why|is|are|do|does|did|has|have|had|can|could|should|shall|may|must|will|would|"
    r"wer|was|welche\w*|wann|wo|wie|warum|ist|sind|hat|haben|kann|können|soll|sollen|darf)\b",
    re.IGNORECASE,
)


@cache
def _participles() -> dict[str, str]:
    """The order that a participle expresses, for all one-word orders and the irregular verbs."""
    known = lexicon("en")
    orders = {
        key[0]
        for key, meanings in known.phrases.items()
        if len(key) == 1
        and meanings & {f"do:{verb}" for verb in "trash move copy rename pack unpack replace tidy".split()}
    }
    found = {
        form: verb
        for verb in sorted(orders)
        if verb not in _NAMES and not verb.endswith(("ed", "ing"))
        for form in _past(verb)
    }
    return found | _IRREGULAR


def _past(verb: str) -> Iterator[str]:
    if verb.endswith("e"):
        yield f"{verb}d"
    elif re.search(r"[^aeiou]y\Z", verb):
        yield f"{verb[:-1]}ied"
    else:
        yield f"{verb}ed"
        if re.search(r"[^aeiou][aeiou][^aeiouwxy]\Z", verb):
            yield f"{verb}{verb[-1]}ed"


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    done = "|".join(sorted(map(re.escape, _participles()), key=len, reverse=True))
    fertig = "|".join(sorted(_DONE_DE, key=len, reverse=True))
    what = r"(?P<what>(?!to\b|you\b|u\b|a copy\b).+?)"
    be = r"(?:(?:to )?(?:be|get|have been|see)|is|are|gets?|should be|must be|being|all)"
    into = r"(?P<rest>(?:in|into|to|under|inside|within|onto|next to) .+)"
    patterns = (
        # Wishes, obligations, and `make sure that`.
        rf"(?:(?:i|we)(?:'d| would| should|'ll| will| do)?(?: really| also| just| only)? (?:like|want|need|love|wish|prefer|require)|make sure|see(?: to it)?|ensure|take care|check|have|get)(?: for| that| to have| to see| to get)* {what}(?: {be})* (?P<done>{done})\b(?P<rest>.*)",
        rf"(?:(?:i|we)(?:'d| would| should)? (?:like|want|need|wish|prefer)|make sure|see(?: to it)?|ensure|take care)(?: for| that| to have| to see)* {what} (?:to )?(?:go|goes|get|gets|come|comes|land|lands|end up|ends up|live|lives|belong|belongs|sit|sits|be|is|are) {into}",
        rf"{what} (?:should|must|needs? to|has to|have to|ought to|shall|is to|are to|can|may)(?: now| all| both| please)* (?:be|get) (?P<done>{done})\b(?P<rest>.*)",
        rf"{what} needs? (?P<done>moving|deleting|copying|sorting|zipping|renaming)\b(?P<rest>.*)",
        rf"(?P<what>(?:everything|anything|all|every|each|both|the|my|our|any) .+?) (?:should go|must go|can go|may go|has to go|have to go|needs? to go|goes|go|belongs?|moves) {into}",
        rf"{what} (?:to|into) the (?P<trash>bin|trash|trash can|rubbish|garbage|recycle bin)\b(?P<rest>.*)",
        # After an arrow: an action, or only a destination.
        rf"{what} ?(?:->|=>|→|>>) ?(?:please )?(?P<verb>copy|move|put|zip|pack|rename|delete|trash|list|count)\b(?P<rest>.*)",
        r"(?P<what>.+?) ?(?:->|=>|→|>>) ?(?P<rest>(?:(?:the )?folder |into |to |in )?[^>]+)",
        # German.
        rf"(?:ich|wir) (?:möchten?|will|wollen|hätten?(?: gern\w*)?|würden? gern\w*|brauchen?|bräuchten?|wünschen?(?: mir| uns)?)(?: gern\w*| bitte)* (?P<was>.+?) (?P<fertig>{fertig})(?: haben| wissen| sehen| bekommen)?",
        r"(?:ich|wir) (?:möchten?|will|wollen|hätten?(?: gern\w*)?)(?: gern\w*| bitte)* (?P<was>.+?) (?P<wohin>(?:in|nach) .+?) haben",
        rf"(?P<was>.+?) (?:sollen|soll|sollten|sollte|müssen|muss|müssten|können|kann|dürfen|darf)(?: bitte| alle| jetzt)* (?P<wohin>.*?) ?(?P<fertig>{fertig}) werden",
        rf"(?:sorge?n?(?: sie)?|schaue?n?(?: sie)?|achte?n?(?: sie)?)(?: bitte)? (?:dafür|darauf)?,? ?dass (?P<was>.+?) (?P<fertig>{fertig}) (?:werden|wird|sind|ist)",
        r"(?:sorge?n?(?: sie)?|schaue?n?(?: sie)?|achte?n?(?: sie)?)(?: bitte)? (?:dafür|darauf)?,? ?dass (?P<was>.+?) (?:landen|landet|kommen|kommt|liegen|liegt)",
    )
    return tuple(re.compile(rf"{pattern}[.!]*", re.IGNORECASE) for pattern in patterns)


_ING: Final = {
    "moving": "move", "deleting": "delete", "copying": "copy", "sorting": "sort", "zipping": "zip", "renaming": "rename",
}  # fmt: skip


def as_order(asked: str) -> str:
    """Rewrites the request as an imperative; unchanged if it has none of these forms."""
    if asked.rstrip().endswith("?"):
        return asked
    for pattern in _forms():
        found = pattern.fullmatch(asked)
        if found is None or ("trash" in found.re.groupindex and has_order(found["what"])):
            continue
        parts = {name: value for name, value in found.groupdict().items() if value is not None}
        what = parts.get("what") or parts.get("was") or ""
        is_led = asked.lower().startswith(what.lower())
        if (
            _UNSURE.search(_UNTOUCHED.sub("", what))
            or (is_led and _ASKS.match(what))
            or "," in what
            or re.search(r"[.!?;] ", asked)
        ):
            continue
        swapped = _SWAPS.fullmatch(asked)
        if swapped is not None:
            return f"replace {swapped['old']} with {swapped['new']} {swapped['where']}"
        if _TOLD.match(parts.get("rest", "").strip()):
            continue
        return _ordered(parts, what)
    return f"move {asked}" if _only_goes(asked) else asked


# `8080 -> 9090 in app.conf`: a text for another, and no file that goes anywhere.
_SWAPS: Final = re.compile(
    r"(?P<old>\S+) ?(?:->|=>|→) ?(?P<new>\S+) (?P<where>in (?:(?:all|every|each|the|my|our|alle\w*|den) (?:.+ )?(?:files?|dateien|pages|texts|texten|seiten)(?: .+)?|\S+\.\w+))[.!]*",
    re.IGNORECASE,
)
_GOES: Final = re.compile(r"[^,?]+? (?:into|over to|in den ordner|in einen ordner) \S.*", re.IGNORECASE)


def _only_goes(asked: str) -> bool:
    """Whether it says where things go and has no verb: `invoices from acme into Paid`."""
    if _GOES.fullmatch(asked) is None or _ASKS.match(asked) or _UNSURE.search(_UNTOUCHED.sub("", asked)):
        return False
    first = tokens_of(asked)[0].form
    is_kind = any((first,) in lexicon(language).kinds for language in ("en", "de")) and first not in {"zip", "tar"}
    return (first in _DETERMINERS or is_kind or first.endswith("s")) and not has_order(asked)


_DETERMINERS: Final = frozenset("all every the my our both these those alle die den das meine unsere diese".split())


def has_order(text: str) -> bool:
    """Whether a word says what is done."""
    return any(
        meaning.startswith(("do:", "undo"))
        for language in ("en", "de")
        for token in tokens_of(text)
        for meaning in lexicon(language).phrases.get((token.form,), ())
    )


def _ordered(parts: dict[str, str], what: str) -> str:
    rest = parts.get("rest", "").strip(" ,")
    if "was" in parts:
        verb = _DONE_DE.get(parts.get("fertig", "").lower(), "verschiebe")
        said = " ".join(each for each in (verb, what, parts.get("wohin", "")) if each)
        return f"{said} um" if verb == "benenne" else said
    if "trash" in parts:
        return f"delete {what} {rest}".strip()
    if "verb" in parts:
        return f"{parts['verb']} {what} {rest}".strip()
    done = parts.get("done", "").lower()
    verb = _participles().get(done) or _ING.get(done) or "move"
    if not done and not re.match(r"(?:in|into|to|under|inside|within|onto|next to)\b", rest):
        rest = f"to {rest}"
    return f"{verb} {what} {rest}".strip()
