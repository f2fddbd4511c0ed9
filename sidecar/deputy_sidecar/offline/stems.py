"""Words as pieces of names: without their plural, in either spelling of umlauts, and with the words that mean the same.

`Receipts` finds `Beleg Miete.pdf`, and `Verträge` finds `contract.docx`: people name files in one language and talk
in another.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from deputy_sidecar.offline.tokens import normal

__all__ = ["fold", "globs_of", "stem_of", "stems_of"]

# Endings of plurals and cases, the longest first, and how much has to be left: `Bäcker` is no `back`.
_ENDINGS: Final = (("ern", 5), ("ies", 4), ("es", 5), ("en", 5), ("er", 5), ("e", 5), ("n", 5), ("s", 3), ("y", 4))
# What may follow a stem in a whole word.
_TAILS: Final = ("", "s", "e", "es", "n", "en", "er", "ern", "y", "ies")
_SAME: Final = (
    "receipt beleg quittung kassenbon kassenzettel",
    "contract vertrag",
    "letter brief anschreiben",
    "minutes protokoll",
    "recipe rezept",
    "certificate zeugnis zertifikat urkunde",
    "cv cvs resume lebenslauf",
    "holiday vacation urlaub ferien",
    "tax steuer",
    "insurance versicherung",
    "rent miete",
    "offer quote angebot",
    "statement kontoauszug",
    "poster plakat",
    "wedding hochzeit",
    "birthday geburtstag",
    "christmas weihnacht weihnachten xmas",
    "easter ostern",
    "school schule",
    "homework hausaufgabe",
    "lecture vorlesung",
    "draft entwurf",
    "template vorlage",
    "ticket fahrkarte",
    "passport reisepass",
    "recording aufnahme",
    "donation spende",
    "payment zahlung",
    "invitation einladung",
    "beach strand",
    "mountain berg",
    "garden garten",
    "application bewerbung",
    "screenshot bildschirmfoto",
    "list liste",
    "plan plan",
    "music musik",
    "picture bild",
    "photo foto",
    "document dokument",
    "invoice rechnung",
    "project projekt",
    "book buch",
    "backup sicherung",
    "customer kunde",
    "data daten",
    "member mitglied mitglieder",
    "note notiz",
    "order bestellung",
    "concert konzert",
    "thesis abschlussarbeit",
    "report bericht",
    "budget haushalt",
    "game spiel",
    "summer sommer",
    "family familie",
    "chapter kapitel",
    "biology biologie",
    "physics physik",
    "soup suppe",
    "apple apfel",
    "cake kuchen",
    "bread brot",
    "dictionary wörterbuch",
    "salary gehalt lohn",
    "bank konto account",
    "doctor arzt",
    "car auto",
    "house haus",
)


def fold(text: str) -> str:
    """A form in which `ä`, `ae` and `a` are the same."""
    return re.sub(r"([aou])e", r"\1", normal(text))


@cache
def stem_of(word: str) -> str:
    """The word without its ending."""
    form = fold(word).strip("'’.-").removesuffix("'s")
    for ending, least in _ENDINGS:
        if form.endswith(ending) and len(form) - len(ending) >= least and not form.endswith("ss"):
            return form[: -len(ending)]
    return form


@cache
def stems_of(word: str) -> tuple[str, ...]:
    """The word's stem, then those of words that mean the same."""
    own = stem_of(word)
    for group in _SAME:
        stems = [stem_of(each) for each in group.split()]
        if own in stems:
            return (own, *(each for each in stems if each != own))
    return (own,)


def _letters(stem: str) -> str:
    """The stem for a glob, in which a vowel may have its dots in either spelling."""
    out = ""
    for char in stem:
        out += {"a": "{a,ä,ae}", "o": "{o,ö,oe}", "u": "{u,ü,ue}"}.get(char) or (
            f"[{char}]" if char in "*?[]{}!" else char
        )
    return out


def globs_of(word: str, *, is_whole: bool) -> list[str]:
    """Globs for names that hold the word, anywhere or as a word of its own."""
    found: list[str] = []
    for stem in stems_of(word):
        said = _letters(stem)
        if not is_whole:
            found.append(f"*{said}*")
            continue
        for front in ("", "*[!a-zA-ZäöüÄÖÜ]"):
            for tail in _TAILS:
                found += [f"{front}{said}{tail}", f"{front}{said}{tail}[!a-zA-ZäöüÄÖÜ]*"]
    return found
