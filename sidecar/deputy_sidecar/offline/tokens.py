"""A request as words: each with its exact text, its normal form, and what it looks like."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

__all__ = ["Token", "normal", "tokens_of", "without_compounds", "without_formal_you"]

_TOKEN: Final = re.compile(
    r"""
      (?P<quoted> "[^"]+" | “[^”]+” | „[^“”"]+[“”"] | «[^»]+» | `[^`]+` | (?<!\w)'[^']+'(?!\w) )
    | (?P<literal> [\w.+-]+@[\w-]+(?:\.[\w-]+)+ | https?://[^\s"',;]*[\w/] | [A-Za-z_][\w.-]*=[\w./:@+-]*\w )
    | (?P<date> \d{4}-\d\d-\d\d(?!\w) | \d{1,2}\.\d{1,2}\.(?:\d{4}|\d\d)(?!\w) | \d{1,2}/\d{1,2}/\d{4}(?!\w) )
    | (?P<glob> [\w./~()+-]*[*?][\w./*?{},()+-]*(?<![?.,]) (?=[\s?!.,;:)]|\Z) )
    | (?P<symbol> -> | => | && | >= | <= | [<>&+] )
    | (?P<amount> \d+(?:[.,]\d+)?\s?
        (?:bytes?|[kmgt]i?b|kilobytes?|megabytes?|gigabytes?|terabytes?|megs?|gigs?|[kmg])(?![\w-]) )
    | (?P<path> (?:~|\.{1,2})?/[^\s"'“”,;!?]* | ~(?=\s|\Z) | [\w(][\w()+&.'-]*/(?:[^\s"'“”,;:!?]*[\w/])? )
    | (?P<file> [\w(][\w()+-]*(?:\.[\w()+-]+)*\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w-]) )
    | (?P<ending> (?<!\w)\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w.]) )
    | (?P<number> \d+(?:[.,]\d+)?(?:st|nd|rd|th)?(?![\w]) )
    | (?P<word> [^\W_](?:[\w'’-]*\w)? | _\w+ )
    | (?P<mark> [.,;:!?()/|] | - | – | — | … )
    """,
    re.VERBOSE | re.IGNORECASE,
)
# A symbol that looks like the end of a file's name but is a short form of a phrase.
_NO_FILES: Final = frozenset("e.g i.e z.b d.h u.a".split())


@dataclass(frozen=True)
class Token:
    """A word, a name, a number or a mark."""

    text: str
    # In lower case, with umlauts spelled out and accents dropped.
    form: str
    # `word`, `quoted`, `date`, `glob`, `symbol`, `amount`, `path`, `file`, `ending`, `number`, `mark`.
    sort: str
    start: int
    end: int

    @property
    def is_name(self) -> bool:
        """Whether it can only be the name of something."""
        return self.sort in {"quoted", "path", "file", "glob"}


def normal(text: str) -> str:
    """The form by which words are compared."""
    text = text.lower().replace("’", "'")
    for umlaut, spelled in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")):
        text = text.replace(umlaut, spelled)
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def without_compounds(tokens: list[Token], is_known: Callable[[str], bool]) -> list[Token]:
    """`Bewerbungssachen`, `Hochzeitsfotos`: what it is about, and what sort of thing.

    `is_known` says whether a word is in the vocabulary, or a name as it is.
    """
    found: list[Token] = []
    for token in tokens:
        end = next((each for each in _SORTS if token.sort == "word" and token.form.endswith(each)), "")
        front = token.text[: -len(end)].rstrip("-") if end and token.text.lower().endswith(end) else ""
        if len(front) < SHORTEST_FRONT or is_known(token.text):
            found.append(token)
            continue
        # The `s` that joins: `Bewerbungs`.
        bare = (
            front[:-1]
            if len(front) > SHORTEST_FRONT + 1
            and front.endswith(("ungs", "heits", "keits", "schafts", "ions", "täts", "arbeits"))
            else front
        )
        middle = token.start + len(front)
        found.append(Token(bare, normal(bare), "word", token.start, middle))
        sort = _SORTS[end] or end
        found.append(Token(sort, normal(sort), "word", middle, token.end))
    return found


SHORTEST_FRONT: Final = 3
# The end of a compound, and the word for it where it is not one by itself.
_SORTS: Final = {
    "sachen": "Dateien", "zeug": "Dateien", "kram": "Dateien", "dateien": "", "datei": "", "fotos": "", "foto": "",
    "bilder": "",
    "bild": "", "videos": "", "video": "", "dokumente": "", "dokument": "", "unterlagen": "", "rechnungen": "",
    "ordner": "",
    "pdfs": "", "tabellen": "", "tabelle": "", "notizen": "",
}  # fmt: skip


def without_formal_you(tokens: list[Token]) -> list[Token]:
    """`Löschen Sie bitte`: the formal `you`, which small letters would make `them`; the verb becomes `lösche`."""
    found: list[Token] = []
    for token in tokens:
        if token.text != "Sie" or not found or found[-1].sort != "word" or found[-1].form[-1:] != "n":
            found.append(token)
            continue
        verb = found[-1]
        plain = _PLAIN_VERBS.get(verb.form) or (verb.text[:-1] if verb.form.endswith("en") else verb.text)
        if len(found) == 1 or found[-2].sort == "mark" or found[-2].form in {"bitte", "und", "dann"}:
            found[-1] = replace(verb, text=plain, form=normal(plain))
    return found


# Verbs that change their vowel.
_PLAIN_VERBS: Final = {
    "nehmen": "nimm",
    "geben": "gib",
    "lesen": "lies",
    "werfen": "wirf",
    "sehen": "sieh",
    "machen": "mach",
}


def tokens_of(text: str) -> list[Token]:
    """The tokens; a character that fits none is a mark of its own, so that nothing of the text is lost."""
    found: list[Token] = []
    at = 0
    # Composed letters, so that a word looks the same however it was typed.
    text = unicodedata.normalize("NFC", text)
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        match = _TOKEN.match(text, at)
        if match is None:
            found.append(Token(text[at], text[at], "mark", at, at + 1))
            at += 1
            continue
        sort, said = str(match.lastgroup), match.group(0)
        if sort == "file" and said.lower() in _NO_FILES:
            sort = "word"
        if sort == "literal":
            # `me@home.example`, `port=80`: a text, as if it were quoted.
            sort = "quoted"
        elif sort == "quoted":
            said = said[1:-1].strip()
        if (
            sort != "mark"
            and found
            and found[-1].sort == sort
            and found[-1].form == normal(said)
            and {found[-1].text, said} != {"Sie", "sie"}
        ):
            # A word that stands twice was typed twice.
            at = match.end()
            continue
        found.append(Token(said, normal(said), sort, at, match.end()))
        at = match.end()
    return found
