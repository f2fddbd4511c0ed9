"""Forms: sentences with fixed slots, such as `unpack FILE into FOLDER`. A form fits a whole clause or not at all.

A form is a line of words with slots. `[x]` may be missing, `(x|y)` is one of them. Slots:

    {file} {folder}     a name that is there, or looks like one
    {name}              a new name: quoted, a word, or a file's
    {number}            a number in digits or as a word
    {text}              quoted, or one word
    {word}              one word as it was typed, such as a column
    {which}             files, in any words that a selection has

Words are compared without articles and politeness; those that are mistyped by one letter are read as the form's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from deputy_sidecar.offline.job import Job
from deputy_sidecar.offline.lexicon import LANGUAGES, Language, distance, is_doubled, lexicon
from deputy_sidecar.offline.selector import Selector
from deputy_sidecar.offline.tokens import Token

__all__ = ["Form", "Slots", "match"]

SHORTEST_MENDED: Final = 5
_ARTICLES: Final = frozenset(
    "the a an my our all der die das den dem des ein eine einen einem meine meinen mein alle allen".split()
)
# Politeness in the middle of a sentence.
_SMALL_WORDS: Final = frozenset("please pls plz bitte mal doch dann".split())
_POLITE: Final = re.compile(
    r"^(?:(?:please|pls|plz|kindly|hey|hi|hello|ok|okay|now|then|and|also|so|just|bitte|mal|nun|jetzt|dann|und|doch|hallo|"
    r"actually|well|oh no|oh dear|dear me|oh|no|wait|hold on|oops|whoops|ach je|oje|mist|my bad|sorry|hm+|alright|all right|great|perfect|nice|cool|good|thanks|danke|super|prima|gut|nein|ach|"
    r"(?:could|can|would) you please|can i|could i|may i|i want to see|i need|i want|moechte ich|ich will|wuerden|koennen|koennten|"
    r"(?:can|could|would|will) you(?: be so kind as to| mind)?|can u|i want(?: you)? to|i'd like(?: you)? to|"
    r"i would like(?: you)? to|i need you to|go ahead and|let's|kannst du|koenntest du|koennten sie|wuerdest du|ich moechte|"
    r"thank you|thanks|for me|tell me|show me|give me|zeig mir|zeige mir|sag mir|gib mir)[ ,]+)+"
)
_POLITE_END: Final = re.compile(r"(?:[ ,]+(?:please|pls|plz|thanks|thank you|for me|bitte|danke|mal|now|too))+$")
_NUMBERS: Final = (
    r"<n\d+>|one|two|three|four|five|six|seven|eight|nine|ten|ein|eine|zwei|drei|vier|fuenf|sechs|sieben|acht|neun|zehn"
)
_NUMBER_WORDS: Final = frozenset(_NUMBERS.split("|")[1:])
_SLOT_PATTERNS: Final = {
    "file": r"<[fd]\d+>",
    "folder": r"<d\d+>|<w\d+>",
    "name": r"<[fdqw]\d+>",
    "number": _NUMBERS,
    "text": r"<[qwfdn]\d+>|[a-z']+",
    "word": r"<[wqn]\d+>|[a-z']+",
    "which": r".+?",
}


@dataclass(frozen=True)
class Slots:
    """What filled the slots of a form."""

    texts: dict[str, str]
    # How the files of `{which}` are read.
    which: Selector | None
    language: Language

    def get(self, name: str) -> str:
        """The text of a slot, empty where it is missing."""
        return self.texts.get(name, "")

    def number(self, name: str, otherwise: int) -> int:
        """A number that was given in digits or as a word."""
        said = self.get(name)
        if not said:
            return otherwise
        if said.isdecimal():
            return int(said)
        for each in ("en", "de"):
            for meaning in lexicon(each).phrases.get((said.lower(),), ()):
                if meaning.startswith("number:"):
                    return int(meaning.removeprefix("number:"))
        return otherwise


@dataclass(frozen=True)
class Form:
    """A form, and what it makes of its slots; None where they do not fit after all."""

    words: str
    make: Callable[[Slots], Job | None]


_PIECES: Final = re.compile(r"[\[\]()|]|\{\w+\}|[^\s\[\]()|{}]+")


@cache
def _pattern(words: str) -> re.Pattern[str]:
    """A form as an expression over words, each with a space in front."""
    out = []
    for piece in _PIECES.findall(words):
        if piece.startswith("{"):
            name = piece[1:-1]
            out.append(f" (?P<{name}>{_SLOT_PATTERNS[name.rstrip('0123456789')]})")
        else:
            out.append({"[": "(?:", "]": ")?", "(": "(?:", ")": ")", "|": "|"}.get(piece) or " " + re.escape(piece))
    return re.compile("".join(out))


def literals(forms: Iterable[Form]) -> set[str]:
    """The words that forms are made of."""
    return {
        piece
        for form in forms
        for piece in _PIECES.findall(form.words)
        if not piece.startswith("{") and piece not in "[]()|"
    }


@dataclass(frozen=True)
class _Piece:
    """A token as forms see it: its word, or what kind of a thing it is with its number."""

    word: str
    tag: str
    at: int


def match(
    forms: Iterable[Form],
    tokens: list[Token],
    language: Language,
    which: Callable[[list[Token]], Selector | None],
) -> Job | None:
    """The job of the first form that fits all of the tokens."""
    forms = list(forms)
    known = _all_literals(tuple(form.words for form in forms))
    pieces = [piece for at, token in enumerate(tokens) if (piece := _piece(token, at, known)) is not None]
    for form in forms:
        found = _fits(form, pieces, tokens, language, which)
        if found is not None:
            return found
    return None


@cache
def _all_literals(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(literals([Form(each, lambda _: None) for each in words]))


def _piece(token: Token, at: int, known: frozenset[str]) -> _Piece | None:
    if token.sort == "mark":
        return _Piece(token.text, "\1", at) if token.text not in ".?!:," else None
    tag = {"file": "f", "path": "f" if "." in token.text.rpartition("/")[2] else "d", "quoted": "q", "number": "n"}.get(
        token.sort, "w"
    )
    if token.sort == "symbol":
        return _Piece(token.text, f"<{tag}{at}>", at)
    if token.sort not in {"word", "number"}:
        return _Piece(f"<{tag}{at}>", f"<{tag}{at}>", at)
    if token.form in _ARTICLES or token.form in _SMALL_WORDS:
        return None
    return _Piece(_mended(token.form, known), f"<{tag}{at}>", at)


def _mended(form: str, known: frozenset[str]) -> str:
    typo = next((words.TYPOS[form] for words in LANGUAGES.values() if words.TYPOS.get(form) in known), None)
    if typo is not None and form not in known:
        return str(typo)
    if form in known or any(lexicon(each).is_word(form) for each in ("en", "de")):
        return form
    if len(form) < SHORTEST_MENDED:
        doubled = [word for word in known if is_doubled(form, word)]
        return doubled[0] if len(doubled) == 1 else form
    near = [
        word for word in known if len(word) >= SHORTEST_MENDED and word[0] == form[0] and distance(form, word, 2) == 1
    ]
    return near[0] if len(near) == 1 else form


def _fits(
    form: Form,
    pieces: list[_Piece],
    tokens: list[Token],
    language: Language,
    which: Callable[[list[Token]], Selector | None],
) -> Job | None:
    """Words that a form has are compared as words, all others only as tags: so a column is never taken for a word."""
    own = _all_literals((form.words,)) | (_NUMBER_WORDS if "{number}" in form.words else frozenset())
    plain = " ".join(piece.word for piece in pieces)
    begin = _POLITE.match(plain + " ")
    skipped = plain[: begin.end()].split() if begin else []
    end = _POLITE_END.search(plain)
    cut = len(plain[end.start() :].split()) if end else 0
    kept = pieces[len(skipped) : len(pieces) - cut]
    text, spans = "", []
    for piece in kept:
        text += " "
        spans.append((len(text), piece.at))
        text += piece.word if piece.word in own else piece.tag
    found = _pattern(form.words).fullmatch(text)
    if found is None:
        return None
    texts, chosen = {}, None
    for name, said in found.groupdict().items():
        if said is None:
            continue
        begin_at, end_at = found.span(name)
        inside = [at for start, at in spans if begin_at <= start < end_at]
        if (
            name.rstrip("0123456789") in {"file", "folder", "name"}
            and len(inside) == 1
            and _is_no_name(tokens[inside[0]])
        ):
            return None
        if name == "which":
            chosen = which(_with_articles(tokens, inside))
            if chosen is None:
                return None
        texts[name] = " ".join(tokens[at].text for at in inside)
    return form.make(Slots(texts, chosen, language))


def _is_no_name(token: Token) -> bool:
    """`Zip them`: what refers back is not a name."""
    if token.sort != "word" or token.text[:1].isupper():
        return False
    meanings = {each for name in ("en", "de") for each in lexicon(name).phrases.get((token.form,), ())}
    return bool(meanings & {"pronoun", "all", "file", "folder", "there", "and", "or", "this", "here"})


def _with_articles(tokens: list[Token], inside: list[int]) -> list[Token]:
    """The tokens from the first to the last, with what forms pass by, and the article in front."""
    first = inside[0] - 1 if inside and inside[0] > 0 and tokens[inside[0] - 1].form in _ARTICLES else inside[0]
    return tokens[first : inside[-1] + 1]
