"""Words as people write them, brought to the few concepts that skills are about. English, and some German."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["concepts", "without_literals"]

# Each concept with the words that stand for it; where a word ends in `*`, every word that begins so.
_WORDS: Final[dict[str, str]] = {
    "file": "file files document* datei* dokument*",
    "folder": "folder* project* director* dir dirs ordner* verzeichnis*",
    "here": "here hier workspace",
    "what": "what whats which overview survey inventory contents content describe explore examine inspect was welche*"
    " überblick übersicht inhalt*",
    "list": "list lists listing show display zeig* list* auflist* anzeig*",
    "find": "find finds locate look seek such* find* finde*",
    "search": "search* grep occurrence* mention* contain* containing enthalt* enthält vorkomm*",
    "text": "text texts word words phrase string line lines zeile* wort wörter stelle*",
    "duplicate": "duplicate* dupe* dup dups identical same twice copies redundant doppelt* duplikat* gleiche* dublett*",
    "report": "report* bericht*",
    "write": "write writes save store put create produce make generate schreib* speicher* erstell* leg*",
    "collect": "collect* gather* extract* compile sammel* sammle",
    "read": "read reads open cat print lies lese* öffne*",
    "summarise": "summar* outline gist abstract tldr zusammenfass* fass*",
    "size": "size sizes big bigger biggest large larger largest huge small* bytes kb mb gb groß* größ* klein*",
    "usage": "usage space disk room storage uses platz speicherplatz belegt plattenplatz",
    "run": "run runs execute launch invoke ausführ* führe starte",
    "command": "command commands program shell script befehl* kommando* programm*",
    "date": "date dates new newer newest old older oldest recent* changed modified today yesterday week month neue*"
    " alt ältere* älteste* geändert* heute gestern woche*",
    "name": "name* named called genannt heiß*",
    "kind": "type types kind kinds extension* sort typ typen art endung* pdf* png* jp*g* gif* csv* markdown"
    " python rust javascript typescript json yaml xml html zip* mp3* mp4* txt log logs photo* picture* image* bild*",
    "count": "count* number anzahl zähl* viele many",
    "change": "rename move delete remove sort organize organise convert translate send mail email download install edit"
    " fix refactor lösch* verschieb* umbenenn* übersetz* send* install*",
}
# Words that hold a request together and say nothing about what it is.
_IGNORED: Final = frozenset(
    "about tell a an the this that these those is are be in on of to for from with and or then it its i me my you your "
    "please can could would do does did all any every some there out up at by as into them they how much "
    "give want need have has get der die das ein eine einen dem den des im in ist sind und oder bitte mir mich "
    "ich du alle wie viel es gibt mit von zu für aus dann kannst könntest".split()
)
_FILE_NAME = re.compile(r"[\w-][\w.-]*\.[a-z]\w{0,7}")
_WORD = re.compile(r"[^\W_][\w.-]*[^\W_]|[^\W_]", re.UNICODE)
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
    for word in _WORD.findall(without_literals(text).lower().replace("'s", "").replace("’s", "")):
        if word in _IGNORED:
            continue
        found.append(_concept_of(word))
    return found


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
