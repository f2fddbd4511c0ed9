"""Whether a reading that is complete is none to go by: nothing would be found, or only a person can say."""

from __future__ import annotations

import re
from typing import Final

from deputy_sidecar.offline.chore import Reading
from deputy_sidecar.offline.known_names import KnownNames
from deputy_sidecar.offline.lexicon import lexicon
from deputy_sidecar.offline.selector import All, Any_, Changed, Condition, Holds, Topic
from deputy_sidecar.offline.stems import stem_of, stems_of
from deputy_sidecar.offline.tokens import tokens_of

__all__ = [
    "asks_a_person",
    "asks_advice",
    "asks_for_each",
    "asks_who_too",
    "counts_compounds",
    "finds_nothing",
    "is_a_sentence",
    "is_only_a_day",
    "missing_in_some",
    "names_another_place",
    "rows_meant",
    "tidies_vaguely",
]


def finds_nothing(reading: Reading, known: KnownNames | None) -> bool:
    """Whether it is certain before anything is done: no name holds a word of it, or a folder is not there."""
    if known is None:
        return False
    selectors = [chore.selector for chore in reading.chores]
    words = [word for selector in selectors for word in _in_names(selector.condition)]
    places = [place.rstrip("/") for selector in selectors for place in selector.places]
    # An earlier step will have created it by then.
    made = {name for chore in reading.chores[:-1] for name in (chore.target, *chore.names) if name}
    return any(known.is_missing(word) for word in words) or any(
        place not in made and known.is_missing(place) and "/" not in place and not place.startswith(("~", "."))
        for place in places
    )


def _in_names(condition: Condition | None) -> list[str]:
    """Words that names have to hold; what may be in the text as well is none."""
    match condition:
        case Topic(word):
            return [word]
        case All(parts):
            return [word for part in parts for word in _in_names(part)]
        case Any_(parts) if not any(isinstance(part, Holds | Changed) for part in parts):
            return [word for part in parts for word in _in_names(part)]
        case _:
            return []


def _in_some(condition: Condition | None) -> list[str]:
    """Words that only one of several things has to hold."""
    match condition:
        case Any_(parts) if not any(isinstance(part, Holds | Changed) for part in parts):
            return [word for part in parts for word in _in_names(part)]
        case All(parts):
            return [word for part in parts for word in _in_some(part)]
        case _:
            return []


# What may go is for a person to say; and what is wanted in a new folder is more than a list.
_ASKS_ADVICE: Final = re.compile(
    r"\b(?:can|could|may|should|might) (?:safely )?(?:go|be (?:safely )?(?:deleted|removed|thrown away|binned))\b|"
    r"\b(?:kann|können|darf|könnte) (?:alles )?(?:weg|gelöscht werden)\b|\bkann ich (?:alles )?(?:löschen|wegwerfen)\b|"
    r"\b(?:can|could|may) (?:we|i) (?:have|get) .+ in an? (?:new )?folder\b",
    re.IGNORECASE,
)
# Whom something is from, or why it is so, no name and no listing says.
_ASKS_WHO: Final = re.compile(
    r"(?:and |so |und )?(?:who|whom|whose|why|wer|wem|wessen|warum|wieso|weshalb)\b", re.IGNORECASE
)


# A second question of that kind behind the first.
_ASKS_WHO_TOO: Final = re.compile(rf"(?:[.?!;,]\s+|\b(?:and|und) )(?={_ASKS_WHO.pattern})", re.IGNORECASE)
_FOR_EACH: Final = re.compile(
    r"\b(?:biggest|largest|smallest|newest|latest|oldest|most recent|neueste\w*|größte\w*|kleinste\w*|älteste\w*)\b.*"
    r"\b(?:(?:of|in|from|for|per) (?:each|every)|per|pro|(?:in|aus|von|für) jede[mnrs]?)\b",
    re.IGNORECASE,
)


# A second place after the first. A reading with a single place would not search it.
_ANOTHER_PLACE: Final = re.compile(
    r",? (?:und )?(?:auch|sowie|ebenso) (?:in|im|bei)\b|, (?:and )?(?:also|as well as|including) (?:in|from)\b",
    re.IGNORECASE,
)


def names_another_place(request: str, reading: Reading) -> bool:
    """Asks which places are meant by `also in Uni`, if the reading has a single place."""
    return _ANOTHER_PLACE.search(request) is not None and any(
        len(chore.selector.places) == 1 and chore.job is None for chore in reading.chores
    )


_VAGUELY: Final = re.compile(r"\b(?:a bit|a little|somewhat|ein bisschen|ein wenig|etwas)\b", re.IGNORECASE)


def tidies_vaguely(request: str, reading: Reading) -> bool:
    """Asks for the folder and the extent of `tidy everything up a bit`."""
    return _VAGUELY.search(request) is not None and any(
        chore.verb == "tidy" and not chore.selector.places for chore in reading.chores
    )


_IS_NO_NAME: Final = re.compile(
    r"\b(?:new|neue[nrs]?|a|an|the|eine[nmr]?) (?:new |neue[nrs]? )?(?:sub)?(?:folder|directory|ordner|verzeichnis)\b|"
    r"\b(?:folder|directory|ordner|verzeichnis) (?:called|named|namens|genannt)\b",
    re.IGNORECASE,
)


def is_a_sentence(target: str) -> bool:
    """Returns whether words for a destination were read as a name: `a new folder called Old`."""
    return _IS_NO_NAME.search(target) is not None


def asks_for_each(request: str, reading: Reading) -> bool:
    """`The biggest photo of each concert`: a single list would only give the biggest of all."""
    return _FOR_EACH.search(request) is not None and any(chore.selector.order is not None for chore in reading.chores)


def missing_in_some(reading: Reading, known: KnownNames | None) -> tuple[str, ...]:
    """Words that no name has and that only one of several things should: the other would look like an answer."""
    words = [word for chore in reading.chores for word in _in_some(chore.selector.condition)]
    return tuple(word for word in words if known is not None and known.is_missing(word))


def asks_a_person(request: str, said: str, reading: Reading) -> bool:
    """Whether no listing answers it; questions to a table are none of these."""
    asks = (
        _ASKS_WHO.match(said)
        or asks_who_too(said)
        or (asks_advice(request) and not any(chore.is_act for chore in reading.chores))
    )
    return bool(asks) and any(chore.job is None for chore in reading.chores)


def asks_who_too(said: str) -> bool:
    """Whether a second question asks whom something is from, or why: `how old is it, and who is it for?`."""
    return _ASKS_WHO_TOO.search(said) is not None


# What says that files are meant, or what was done to them.
_OF_FILES: Final = re.compile(
    r"\b(?:files?|folders?|documents?|things?|stuff|datei\w*|ordner|dokumente?|sachen|zeug|everything|anything|alles|etwas|"
    r"new|newest|changed?|changes|edit\w*|modif\w*|created?|add\w*|saved?|touch\w*|work\w*|wrote|written|download\w*|arriv\w*|came|"
    r"neu\w*|geändert\w*|änder\w*|bearbeitet\w*|erstellt\w*|gespeichert\w*|gemacht|gearbeitet|dazu\w*|rein\w*|gekommen)\b",
    re.IGNORECASE,
)


def is_only_a_day(request: str, reading: Reading) -> bool:
    """`What do we do on Friday`: nothing says that files are asked for."""
    return (
        all(
            chore.job is None
            and not chore.is_act
            and isinstance(chore.selector.condition, Changed)
            and not chore.selector.places
            for chore in reading.chores
        )
        and _OF_FILES.search(_mended(request)) is None
    )


def _mended(request: str) -> str:
    """The request and its mistyped words as they are meant: `chnage`."""
    words = [token.form for token in tokens_of(request) if token.sort == "word"]
    return " ".join(
        [request, *(mended for word in words for each in ("en", "de") if (mended := lexicon(each).mend(word)))]
    )


def counts_compounds(reading: Reading, known: KnownNames | None) -> bool:
    """`How many sheets of paper`, where only `Worksheets` holds the word: a number would look like an answer."""
    if known is None or reading.language != "en":
        return False
    words = [
        word
        for chore in reading.chores
        if chore.verb in {"count", "size"} and not chore.selector.places
        for word in _in_names(chore.selector.condition)
    ]
    return any(
        known.is_there(word) and not any(piece.startswith(stem) for stem in stems_of(word) for piece in known.pieces)
        for word in words
    )


_LOOKS: Final = frozenset({"list", "which", "count", "search", "exists"})


def rows_meant(reading: Reading, known: KnownNames | None, request: str) -> bool:
    """`Volunteers without a phone`, where `volunteers.csv` is, and `wifi password?`: rows or lines, not files."""
    chores = reading.chores
    if known is None or len(chores) != 1 or chores[0].job is not None or chores[0].verb not in _LOOKS:
        return False
    condition = chores[0].selector.condition
    if chores[0].is_guess and isinstance(condition, Holds) and request.rstrip().endswith("?"):
        return True
    if _STATES.search(request) is not None and chores[0].verb in {"list", "which"}:
        return True
    places = chores[0].selector.places
    if places and (condition is not None or chores[0].selector.has_head or chores[0].verb != "count"):
        return False
    words = [*_in_names(condition), *(place.rpartition("/")[2] for place in places)]
    stems = {stem_of(name) for name, paths in known.paths.items() for path in paths if path.lower().endswith(_TABLES)}
    is_more = isinstance(condition, All) or chores[0].verb == "count"
    return is_more and any(stem_of(word) in stems for word in words)


_TABLES: Final = (".csv", ".tsv")
# Words that describe rows of a table, never files.
_STATES: Final = re.compile(
    r"\b(?:out of stock|sold out|in stock|expired|overdue|unpaid|outstanding|running low|low on|"
    r"ausverkauft|abgelaufen\w*|überfällig\w*|unbezahlt\w*|nicht auf lager)\b",
    re.IGNORECASE,
)


def asks_advice(request: str) -> bool:
    """Whether it asks what can be deleted."""
    return _ASKS_ADVICE.search(request) is not None
