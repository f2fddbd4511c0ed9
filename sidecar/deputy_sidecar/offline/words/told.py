"""What tools say at the end of their results, for people: without ids of jobs, and in the language of the request."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["kind_in_words", "steps_done", "told"]

_STEPS: Final = re.compile(r"(?:job \S+: )?(\d+) of (\d+) steps? (?:are|is) done", re.IGNORECASE)
# What a summary is made of, in German; what is none of these stays as it is.
_GERMAN: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"^packed (.+) into (\S.*?) \((.+)\)$", r"\1 in \2 gepackt (\3)"),
        (r"^unpacked (.+) into (.+)$", r"\1 nach \2 entpackt"),
        (r"\b1 file\b", "1 Datei"),
        (r"\b(\d[\d,]*) files\b", r"\1 Dateien"),
        (r"\b(\d[\d,]*) folders?\b", r"\1 Ordner"),
        (r"\b1 match in\b", "1 Treffer in"),
        (r"\b(\d[\d,]*) matches in\b", r"\1 Treffer in"),
        (r"\b(\d+) of (\d+) Dateien\b", r"\1 von \2 Dateien"),
        (r"\b(\d[\d,]*) binary Dateien passed by\b", r"\1 Binärdateien übergangen"),
        (r"\b1 binary Datei passed by\b", "1 Binärdatei übergangen"),
        (r"\b(\d+) left out \(links, hidden or secret\)", r"\1 ausgelassen (Verweise, Verstecktes oder Geheimes)"),
        (r"\bhidden or ignored\b", "versteckt oder ausgenommen"),
        (r"\bunpacked\b", "entpackt"),
        (r"\blines (\d+)-(\d+) of (\d+)", r"Zeilen \1 bis \2 von \3"),
        (r"\b1 line, the first of\b", "1 Zeile, der Anfang von"),
        (r"\b(\d+) lines, the first of\b", r"\1 Zeilen, der Anfang von"),
        (r"\b1 line, the last of\b", "1 Zeile, das Ende von"),
        (r"\b(\d+) lines, the last of\b", r"\1 Zeilen, das Ende von"),
        (r", its text$", ", sein Text"),
        (r"\bonly in ", "nur in "),
        (r"\b(\d+) different\b", r"\1 verschieden"),
        (r"^different: ", "verschieden: "),
        (r"\b(\d+) the same\b", r"\1 gleich"),
        (r"\bbytes?\b", "Bytes"),
    )
)
_KINDS: Final = {
    "document": "Dokumente", "spreadsheet": "Tabellen", "presentation": "Präsentationen", "book": "Bücher", "mail": "Mails",
    "contact": "Kontakte", "calendar": "Kalender", "image": "Bilder", "screenshot": "Bildschirmfotos", "video": "Videos",
    "audio": "Musik und Ton", "archive": "Archive", "installer": "Programme", "code": "Quellcode", "data": "Daten",
    "font": "Schriften", "other": "anderes", "none": "ohne",
}  # fmt: skip


def told(line: str, language: str) -> str:
    """One line of a tool's, such as its summary."""
    if language == "de":
        for pattern, words in _GERMAN:
            line = pattern.sub(words, line)
    return line[:1].upper() + line[1:] if line[:2] in {"pa", "un"} else line


def steps_done(said: str, language: str) -> str:
    """How far a plan of changes got, where all of it was done; else what the tool says, which names what was left."""
    found = _STEPS.search(said)
    if found is None or found[1] != found[2]:
        return said.strip()
    number = found[1]
    if language == "de":
        return f"Erledigt: {number} {'Schritt' if number == '1' else 'Schritte'}."
    return f"Done: {number} {'step' if number == '1' else 'steps'}."


def kind_in_words(name: str, language: str) -> str:
    """A type of files as a group's name."""
    return _KINDS.get(name, name) if language == "de" else name
