"""Words as people write them, brought to the few concepts that skills are about. English, and some German."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["concepts", "leftovers", "without_literals"]

# Each concept with the words that stand for it; where a word ends in `*`, every word that begins so.
_WORDS: Final[dict[str, str]] = {
    "file": "file files note notes notiz* document* datei* dokument* anything everything something stuff things alles",
    "folder": "folder* project* director* dir dirs ordner* verzeichnis*",
    "here": "here hier workspace",
    "what": "what whats which overview survey inventory contents content describe explore examine inspect was welche*"
    " überblick übersicht inhalt*",
    "list": "list lists listing show display zeig* list* auflist* anzeig*",
    "where": "where wo",
    "find": "find finds locate look looking seek check prüf* such* find* finde*",
    "search": "search* grep occurrence* mention* contain* containing enthalt* enthält vorkomm*",
    "text": "text texts word words phrase string line lines zeile* wort wörter stelle*",
    "duplicate": "duplicate* dupe* dup dups identical same twice double doubles copies redundant"
    " doppelt* duplikat* gleiche* dublett*",
    "report": "report* bericht*",
    "write": "write writes save store put create produce make generate schreib* speicher* erstell* leg*",
    "collect": "collect* gather* extract* compile sammel* sammle",
    "read": "read reads open cat print lies lese* öffne*",
    "summarise": "summar* outline gist abstract tldr zusammenfass* fass*",
    "size": "size sizes big bigger biggest large larger largest huge small* bytes kb mb gb gig gigs gigabyte*"
    " megabyte* groß* größ* klein*",
    "usage": "usage space disk room storage uses platz speicherplatz belegt plattenplatz",
    "run": "run runs execute launch invoke ausführ* führe starte",
    "command": "command commands program shell script befehl* kommando* programm*",
    "date": "date dates new newer newest old older oldest recent* changed modified today yesterday week* month* year*"
    " neue* alt ältere* älteste* geändert* bearbeitet* heute gestern woche* monat* jahr*",
    "name": "name* named called genannt heiß*",
    "kind": "type types kind kinds extension* sort typ typen art endung* pdf* docx png* jp*g* gif* csv* markdown"
    " python rust javascript typescript json yaml xml html zip* mp3* mp4* txt log logs photo* foto* picture* image*"
    " bild* screenshot* video* movie* film* song* music audio spreadsheet* presentation* slides archives",
    "count": "count* number anzahl zähl* viele many",
    "change": "change changes copy backup rename move delete remove sort organize organise convert translate send mail"
    " email download install edit fix refactor replace* merge* combine* split* compress* encrypt* decrypt* resize*"
    " rotate* upload* play lösch* verschieb* umbenenn* übersetz* send* install* ersetz* komprimier* verschlüssel*",
    "number": "two three four five six seven eight nine ten twenty fifty hundred",
}
# Words that hold a request together and say nothing about what it is.
_IGNORED: Final = frozenset(
    "about tell a an the this that these those is are be in on of to for from with and or then it its i me my you your "
    "please can could would do does did all any every some there out up at by as into them they how much "
    "give want need have has get did we every each over under than top most just some "
    "der die das ein eine einen dem den des im in ist sind und oder bitte mir mich mein meine meinen auf "
    "ich du alle wie viel es gibt mit von zu für aus dann kannst könntest".split()
)
_FILE_NAME = re.compile(r"[\w-][\w.-]*\.[a-z]\w{0,7}")
_WORD = re.compile(r"[^\W_][\w.-]*[^\W_]|[^\W_]", re.UNICODE)
# Asking what was changed changes nothing.
_DID_CHANGE = re.compile(
    r"\b(did|have|has)\s+(i|we|you)\s+(?:last\s+)?(?:changed?|edit(?:ed)?|modif(?:y|ied)|touch(?:ed)?)\b"
)
# What stands in quotes or looks like a path is a value, not a word of the request.
_LITERAL = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|(?<!\w)'[^']*'(?!\w)|(?<!\S)[~.]?/\S*|\S+/\S*|\S*\*\S*")


def _index() -> tuple[dict[str, str], list[tuple[str, str]]]:
    exact: dict[str, str] = {}
    beginnings: list[tuple[str, str]] = []
    for concept, words in _WORDS.items():
        for word in words.split():
            if word.endswith("*"):
                beginnings.append((word[:-1], concept))
            else:
                exact.setdefault(word, concept)
    # The longest first: `speicherplatz` is room, `speicher...` is to save.
    return exact, sorted(beginnings, key=lambda pair: -len(pair[0]))


_EXACT, _BEGINNINGS = _index()


def without_literals(text: str) -> str:
    """`text` without what stands in quotes and without paths."""
    return _LITERAL.sub(" ", text)


def concepts(text: str) -> list[str]:
    """What the words of `text` are about, in order; words that say nothing are left out, unknown ones are kept."""
    found: list[str] = []
    lowered = (
        without_literals(text)
        .lower()
        .replace("'s", "")
        .replace("’s", "")
        .replace("i'm", "i")
        .replace("tl;dr", "tldr")
        .replace("word doc", "docx doc")
        .replace("more than once", "twice")
    )
    for word in _WORD.findall(_DID_CHANGE.sub("files changed", lowered)):
        if word in _IGNORED:
            continue
        found.append(_concept_of(word))
    return found


def leftovers(text: str) -> list[str]:
    """The words of `text` that stand for no concept and say something: names, topics, people."""
    return [word for word in concepts(text) if word not in _WORDS and word not in {"named file", "number"}]


def _concept_of(word: str) -> str:
    if _FILE_NAME.fullmatch(word):
        return "named file"
    exact = _EXACT.get(word)
    if exact is not None:
        return exact
    for beginning, concept in _BEGINNINGS:
        if word.startswith(beginning):
            return concept
    return "number" if word[0].isdecimal() else word
