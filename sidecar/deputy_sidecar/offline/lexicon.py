"""Words to meanings: the longest phrase that fits, with small typing mistakes forgiven where the meaning is clear."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from deputy_sidecar.offline.tokens import Token, normal, tokens_of
from deputy_sidecar.offline.words import english, german
from deputy_sidecar.offline.words.kinds import KINDS, Kind

__all__ = [
    "LEADS_NOUN",
    "NOUNISH",
    "Language",
    "Lexicon",
    "Term",
    "distance",
    "is_doubled",
    "language_of",
    "lexicon",
    "terms_of",
]

Language = str
LANGUAGES: Final = {"en": english, "de": german}
# Shorter words have too many neighbours for a mistake to be told from another word.
SHORTEST_MENDED: Final = 4
MOST_MENDED: Final = 10_000
SHORTEST_DOUBLED: Final = 3
SHORTEST_MENDED_TWICE: Final = 8
SHORTEST_MENDED_FREELY: Final = 6
_CHANGES: Final = frozenset(f"do:{verb}" for verb in "trash move copy rename create pack unpack replace tidy".split())
# Words that are not in the vocabulary, and none of it mistyped.
_OTHERS: Final = frozenset(
    "transpose transcribe translate transmit park pick peck cope paint point court fund fine remote zahl zahle zahlen "
    "bezahl bezahle pray play plan revise remind rehearse cook book paste repair depart tune train wash send "
    "mail".split()
)
_MENDED_FILLERS: Final = frozenset({"please", "could", "would", "bitte", "thanks", "kannst", "there"})


# Verbs that are things as well, and what a thing has in front of it.
NOUNISH: Final = frozenset(
    "save saves record records report reports print prints place places order orders group groups view views drop "
    "drops "
    "start "
    "minutes call calls transfer transfers drag pack packs dump dumps scan scans draft drafts tag tags".split()
)
LEADS_NOUN: Final = frozenset(
    "the my our a an this that these those every each all both of newest latest oldest biggest largest smallest".split()
)


@dataclass(frozen=True)
class Term:
    """A piece of the request with all that it can mean."""

    text: str
    # Meanings by their names; `filler` where it asks for nothing; empty where no vocabulary has it.
    meanings: frozenset[str]
    tokens: tuple[Token, ...]
    kind: Kind | None = None
    # The word that it was read as, where it was mistyped.
    mended: str | None = None

    @property
    def token(self) -> Token:
        """The first token, which is the only one of a name."""
        return self.tokens[0]

    @property
    def form(self) -> str:
        """Its normal form, with mistakes fixed."""
        return self.mended or " ".join(token.form for token in self.tokens)

    @property
    def is_unknown(self) -> bool:
        """Whether nothing is known about it."""
        return not self.meanings and self.kind is None and self.token.sort == "word"

    def means(self, *names: str) -> bool:
        """Whether it can mean one of these."""
        return any(name in self.meanings for name in names)


@dataclass
class Lexicon:
    """What phrases mean in one language, with the kinds of files in all."""

    phrases: dict[tuple[str, ...], set[str]] = field(default_factory=dict)
    kinds: dict[tuple[str, ...], Kind] = field(default_factory=dict)
    vague: frozenset[str] = frozenset()
    longest: int = 1
    # Single words, by length, for fixing.
    words: dict[int, list[str]] = field(default_factory=dict)
    # What mistyped words were found to mean: a request is read once for each of its steps.
    _mended: dict[str, str | None] = field(default_factory=dict)

    def add(self, phrase: str, meaning: str) -> None:
        """Takes up a phrase."""
        self.phrases.setdefault(self._key(phrase), set()).add(meaning)

    def add_kind(self, phrase: str, kind: Kind) -> None:
        """Takes up a phrase for a kind of files."""
        self.kinds[self._key(phrase)] = kind

    def _key(self, phrase: str) -> tuple[str, ...]:
        key = tuple(token.form for token in tokens_of(phrase)) or (normal(phrase),)
        self.longest = max(self.longest, len(key))
        return key

    def seal(self) -> Lexicon:
        """Prepares the fixing."""
        known = {word for key in (*self.phrases, *self.kinds) for word in key} | self.vague
        for word in sorted(known):
            self.words.setdefault(len(word), []).append(word)
        return self

    def is_word(self, form: str) -> bool:
        """Whether some phrase has it."""
        return form in self.words.get(len(form), ())

    def is_phrase(self, form: str) -> bool:
        """Whether it means something by itself, and not only in a phrase, as `recording` in `sound recording`."""
        return (form,) in self.phrases or (form,) in self.kinds or form in self.vague

    def mend(self, form: str) -> str | None:
        """The one word that was meant by a mistyped one; None where it is unclear."""
        if form not in self._mended:
            if len(self._mended) >= MOST_MENDED:
                self._mended.clear()
            self._mended[form] = self._meant_by(form)
        return self._mended[form]

    def _meant_by(self, form: str) -> str | None:
        length = len(form)
        if length < SHORTEST_MENDED:
            swapped = [word for word in self.words.get(length, ()) if length == 3 and sorted(word) == sorted(form)]
            return swapped[0] if len(swapped) == 1 and form.isalpha() else None
        if not form.isalpha() or form in _OTHERS:
            return None
        most = 1 if length < SHORTEST_MENDED_TWICE else 2
        best: list[str] = []
        least = most + 1
        for near in range(length - most, length + most + 1):
            for word in self.words.get(near, ()):
                if not word.isalpha() or (len(word) < SHORTEST_MENDED and not is_doubled(form, word)):
                    continue
                # People rarely mistype the first letter.
                if word[0] != form[0] and sorted(word[:2]) != sorted(form[:2]):
                    continue
                apart = distance(form, word, least)
                if apart <= most and not self._may_stand_for(form, word):
                    continue
                if apart < least:
                    best, least = [word], apart
                elif apart == least <= most:
                    best.append(word)
        # Letters that are swapped or doubled are the commonest mistakes.
        likely = [word for word in best if sorted(word) == sorted(form) or _undoubled(word) == _undoubled(form)]
        # Then a letter that is missing: `larget` is `largest`, and not `target`.
        short = [word for word in best if least == 1 and len(word) == len(form) + 1]
        likely = likely or (short if len(short) == 1 and len(form) >= SHORTEST_MENDED_FREELY else [])
        best = likely or [word for word in best if least < 2 or not self._changes(word)]
        return best[0] if len(best) == 1 else self._agreed(best)

    def _changes(self, word: str) -> bool:
        """Whether a word orders a change: two letters off is another word then, as `transpose` is no `transport`."""
        return bool(self.phrases.get((word,), set()) & _CHANGES)

    def _may_stand_for(self, form: str, word: str) -> bool:
        """Short words are easily others: only swapped or doubled letters are taken for a mistake there."""
        swapped = sorted(form) == sorted(word)
        meanings = self.phrases.get((word,), set())
        if "filler" in meanings and len(meanings) == 1:
            # A word that would be dropped as saying nothing had better be the one.
            return swapped or word in _MENDED_FILLERS or is_doubled(form, word)
        doubled = _undoubled(form) == _undoubled(word)
        return (
            swapped
            or doubled
            or len(form) >= SHORTEST_MENDED_FREELY
            or (self.kinds.get((word,)) is None and word[0] == form[0])
        )

    def _agreed(self, words: list[str]) -> str | None:
        """Words that all mean the same, such as `file` and `files`, are as good as one."""
        meant = {(frozenset(self.phrases.get((word,), ())), self.kinds.get((word,))) for word in words}
        return words[0] if len(meant) == 1 and next(iter(meant)) != (frozenset(), None) else None


def _undoubled(word: str) -> str:
    return re.sub(r"(.)\1", r"\1", word)


def is_doubled(form: str, word: str) -> bool:
    """Whether a letter of the word was typed twice: `arre`, `zipp`."""
    return len(word) >= SHORTEST_DOUBLED and len(form) == len(word) + 1 and _undoubled(form) == word


def distance(one: str, other: str, most: int) -> int:
    """Edits between two words: insert, drop, change, or swap two neighbours; more than `most` is not counted on."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    above = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        row = [i]
        for j, right in enumerate(other, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, above = above, row
    return above[-1]


@cache
def lexicon(language: Language) -> Lexicon:
    """The vocabulary of a language."""
    words = LANGUAGES[language]
    made = Lexicon(vague=frozenset(map(normal, words.VAGUE.split())))
    for meaning, phrases in words.MEANINGS.items():
        for phrase in phrases.split("|"):
            made.add(phrase, meaning)
    for phrase in (*words.FILLERS.split(), *words.PHRASE_FILLERS.split("|")):
        made.add(phrase, "filler")
    for number, names in enumerate(words.NUMBERS.split()):
        for name in names.split("|"):
            made.add(name, f"number:{number}")
    for month, names in enumerate(words.MONTHS.split(), 1):
        for name in names.split("|"):
            made.add(name, f"month:{month}")
    for phrase, meaning in words.TIMES.items():
        for each in phrase.split("|"):
            made.add(each, meaning)
    for kind in KINDS:
        for phrase in kind.words.split("|"):
            made.add_kind(phrase, kind)
    for extension in sorted({each for kind in KINDS for each in kind.extensions.split()} | _MORE_EXTENSIONS):
        if len(extension) > 1 and extension not in {
            "key",
            "numbers",
            "pages",
            "raw",
            "go",
            "org",
            "text",
            "app",
            "doc",
            "docs",
        } - {"doc"}:
            own = Kind("", f"{extension} files", f"{extension}-Dateien", _ALIKE.get(extension, extension))
            for phrase in (
                extension,
                f"{extension}s",
                f"{extension} files",
                f"{extension} file",
                f"{extension}-dateien",
                f"{extension} dateien",
                f"{extension}-datei",
                f"{extension} datei",
            ):
                key = tuple(token.form for token in tokens_of(phrase))
                if key not in made.phrases:
                    made.kinds.setdefault(key, own)
    return made.seal()


# Endings that are two spellings of one.
_ALIKE: Final = {
    each: pair for pair in ("jpg jpeg", "tif tiff", "html htm", "yml yaml", "mpg mpeg") for each in pair.split()
}
_MORE_EXTENSIONS: Final = frozenset(
    "json yaml yml toml xml ini conf cfg db sqlite tsv log tmp bak iso dmg jar o bin dat torrent "
    "srt psd ai ino tex bib rst odt rtf".split()
)


def language_of(tokens: list[Token]) -> Language:
    """The language with more of the words; English where there is no telling."""
    scores = dict.fromkeys(LANGUAGES, 0)
    known = {name: lexicon(name) for name in LANGUAGES}
    for token in tokens:
        if token.sort == "word":
            hits = [name for name in LANGUAGES if known[name].is_word(token.form)]
            if len(hits) == 1 and (token.form,) not in known[hits[0]].kinds:
                scores[hits[0]] += 1
    return "de" if scores["de"] > scores["en"] else "en"


def terms_of(tokens: list[Token], language: Language, is_there: Callable[[str], bool] | None = None) -> list[Term]:
    """The tokens gathered into the longest phrases that mean something; what `is_there` knows is never corrected."""
    known = lexicon(language)
    terms: list[Term] = []
    at = 0
    forms = [token.form if token.sort in {"word", "symbol", "mark", "number"} else "\0" for token in tokens]
    mended = list(forms)
    typos = LANGUAGES[language].TYPOS
    for i, token in enumerate(tokens):
        if token.sort == "word" and token.form in typos and token.text.islower():
            mended[i] = typos[token.form]
        elif (
            token.sort == "word"
            and not known.is_word(token.form)
            and not (is_there is not None and is_there(token.text))
        ):
            meant = known.mend(token.form)
            if meant is not None and not (
                language == "de" and i and token.text[:1].isupper() and not _is_noun(meant, known)
            ):
                mended[i] = meant
    tokens, forms, mended = _split_kinds(tokens, forms, mended, known)
    while at < len(tokens):
        terms.append(_longest(tokens, forms, mended, at, known))
        at += len(terms[-1].tokens)
    return terms


def _is_noun(word: str, known: Lexicon) -> bool:
    """Whether a German word with a capital can be this one: `Mehl` is no `mehr`."""
    meanings = known.phrases.get((word,), set())
    return (word,) in known.kinds or any(
        each in {"file", "folder", "line", "word", "duplicate", "copy_noun"}
        or each.startswith(("month:", "unit:", "bytes:"))
        for each in meanings
    )


def _split_kinds(
    tokens: list[Token], forms: list[str], mended: list[str], known: Lexicon
) -> tuple[list[Token], list[str], list[str]]:
    """`jpg/png` is not a path, but two kinds."""
    out: tuple[list[Token], list[str], list[str]] = ([], [], [])
    for token, form, mend in zip(tokens, forms, mended, strict=True):
        parts = token.form.split("/")
        if token.sort == "path" and len(parts) > 1 and all((part,) in known.kinds for part in parts):
            for at, part in enumerate(parts):
                if at:
                    out[0].append(Token("/", "/", "mark", token.start, token.end))
                    out[1].append("/")
                    out[2].append("/")
                out[0].append(Token(part, part, "word", token.start, token.end))
                out[1].append(part)
                out[2].append(part)
            continue
        out[0].append(token)
        out[1].append(form)
        out[2].append(mend)
    return out


def _begins_kind(words: list[str], at: int, known: Lexicon) -> bool:
    """Whether a kind of several words begins here, such as `text files`."""
    return any(tuple(words[at : at + length]) in known.kinds for length in (3, 2) if at + length <= len(words))


def _longest(tokens: list[Token], forms: list[str], mended: list[str], at: int, known: Lexicon) -> Term:
    for length in range(min(known.longest, len(tokens) - at), 0, -1):
        for words in (forms, mended):
            key = tuple(words[at : at + length])
            meanings, kind = known.phrases.get(key), known.kinds.get(key)
            if meanings is None and kind is None:
                continue
            if length > 1 and kind is None and _begins_kind(words, at + length - 1, known):
                # `The text files` are no `the text`.
                continue
            span = tuple(tokens[at : at + length])
            said = " ".join(token.text for token in span)
            as_read = " ".join(key) if list(key) != forms[at : at + length] else None
            return Term(said, frozenset(meanings or ()), span, kind, as_read)
    token = tokens[at]
    vague = frozenset({"vague"}) if mended[at] in known.vague else frozenset()
    return Term(token.text, vague, (token,))
