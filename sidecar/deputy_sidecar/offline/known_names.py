"""Names that are there: words of a request that are a name in the folder, such as `Summer 2025`, are one thing.

One call finds the names that hold one of the request's words. Where words of the request are such a name as a whole,
they become one token, which no other reading can take apart.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final

from deputy_sidecar.offline.lexicon import LEADS_NOUN, NOUNISH, language_of, lexicon
from deputy_sidecar.offline.name_words import (
    changes,
    is_a_kind,
    is_archive,
    is_of_another_kind,
    is_swapped,
    is_unusual,
    meanings_of,
    one_off,
    orders,
    unpacks,
)
from deputy_sidecar.offline.new_names import (
    DATED,
    FOLDER_WORDS,
    LONGEST_NAME,
    TARGETS,
    is_small,
    new_at,
    renamed_to,
    token_of,
)
from deputy_sidecar.offline.results import listing
from deputy_sidecar.offline.stems import fold, globs_of, halves, holds, stem_of, stems_of
from deputy_sidecar.offline.steps import Call
from deputy_sidecar.offline.tokens import Token, normal, tokens_of, without_compounds

__all__ = ["KnownNames", "glued", "names_call", "without_appositions"]

MOST_NAMES: Final = 400
MOST_WORDS: Final = 24
LONGEST_WORD: Final = 60
SHORTEST_NAME: Final = 2
# A folder's name that was mistyped is looked for among those near the top.
DEPTH_OF_FOLDERS: Final = 3
SHORTEST_MISTYPED: Final = 5
# Of a shorter one only swapped letters are taken for a mistake.
SHORTEST_SWAPPED: Final = 4
SHORTEST_BEGINNING: Final = 3
# Words before a name that say what kind of thing it is.
MOST_APPOSED: Final = 2

LEADING: Final = frozenset(
    "in from to into onto of at inside under within below for aus nach ins im von vom zu zum unter fuer my meine "
    "meinem meinen mein between zwischen".split()
)
_SKIPPED: Final = frozenset(
    "the a an my our this these diesen diesem dieser dieses dem den der das die meinem meinen meine mein".split()
)
_TEXT_WORDS: Final = frozenset("for about of word text phrase with import mentioning regarding wort nach ueber".split())


@dataclass(frozen=True, eq=False)
class KnownNames:
    """Names by how they may be typed."""

    # Normal form of a base name, a path, or a name without its extension -> paths.
    paths: dict[str, list[str]] = field(default_factory=dict)
    folders: frozenset[str] = frozenset()
    # Words that were looked for, by their stems; what is none of them may be there or not.
    asked: frozenset[str] = frozenset()

    @cached_property
    def folded(self) -> frozenset[str]:
        """The names with their umlauts as plain letters."""
        return frozenset(fold(name) for name in self.paths)

    @cached_property
    def pieces(self) -> frozenset[str]:
        """The words that the names are made of."""
        return frozenset(piece for name in self.folded for piece in re.split(r"[\W_]+", name) if piece)

    def is_there(self, word: str) -> bool:
        """Whether some name holds the word, in the singular or the plural, or one that means the same."""
        return any(holds(name, stem) for stem in stems_of(word) for name in self.folded)

    def others(self, word: str) -> bool:
        """Whether names of more than one thing hold the word."""
        return len({path for name, paths in self.paths.items() if stem_of(word) in fold(name) for path in paths}) > 1

    def is_missing(self, word: str) -> bool:
        """Whether it is certain that no name holds the word."""
        return stem_of(word) in self.asked and not self.is_there(word)

    @staticmethod
    @lru_cache(maxsize=8)
    def of(content: str, request: str = "") -> KnownNames:
        """From what `find` gave for the words of a request."""
        paths: dict[str, list[str]] = {}
        folders = set()
        for line in listing(content).lines:
            path = line.split("\t")[0]
            is_folder = path.endswith("/")
            path = path.rstrip("/")
            name = posixpath.basename(path)
            keys = {name, path}
            stem, dot, _ = name.rpartition(".")
            if not is_folder and dot and stem:
                keys.add(stem)
            # `Old map`, which is `old-map.zip`.
            keys |= {re.sub(r"[-_]+", " ", key) for key in keys if "/" not in key}
            keys |= {key.replace(" & ", f" {word} ") for key in keys for word in ("and", "und")}
            for key in keys:
                paths.setdefault(normal(key), []).append(path)
            if is_folder:
                folders.add(path)
        # Of a list that was cut nobody knows what it lacks.
        asked = frozenset() if listing(content).more else frozenset(map(stem_of, _words(request)))
        return KnownNames(paths, frozenset(folders), asked)


def names_call(request: str) -> Call | None:
    """The call that finds the names which the request may be about; none where its words are all common ones."""
    words = _words(request)
    if not words:
        return None
    patterns = sorted({word.replace("[", "?").replace("]", "?") for word in words})
    anyone: list[dict[str, str | int]] = [{"pattern": f"*{pattern}*"} for pattern in patterns]
    stems = sorted({glob for word in words for glob in globs_of(word, is_whole=False)})
    anyone += [{"pattern": glob} for glob in stems]
    anyone += [{"pattern": f"*{word[:2]}*{word[-2:]}*"} for word in words if _may_be_mistyped(word)]
    anyone.append({"kind": "folder", "depth": DEPTH_OF_FOLDERS})
    return Call("search", {"action": "find", "path": ".", "any": anyone, "sort": "name", "limit": MOST_NAMES})


def _may_be_mistyped(word: str) -> bool:
    """Whether names are asked for that begin and end alike: no vocabulary has the word."""
    form = normal(word)
    known = any(lexicon(each).is_word(form) or lexicon(each).mend(form) for each in ("en", "de"))
    return len(form) >= SHORTEST_MISTYPED and form.isalpha() and not known


def _words(request: str) -> list[str]:
    """The words that may be pieces of names."""
    tokens = tokens_of(request)
    language = language_of(tokens)
    words = [
        token.text.strip(".'’-")
        for at, token in enumerate(tokens)
        if _may_be_name(tokens, at) and not _is_plain(tokens, at, language)
    ]
    words += [token.text for token in without_compounds(tokens, lambda _: False) if token not in tokens]
    words += [half for word in words for half in halves(fold(word)) or ()]
    return list(dict.fromkeys(word for word in words if word))[:MOST_WORDS]


# What no file is called by: it says how many, which, or when.
_SAYS_WHICH: Final = (
    "all",
    "pronoun",
    "empty",
    "newest",
    "oldest",
    "biggest",
    "smallest",
    "number:",
    "do:count",
    "do:size",
)
_OF_NO_NAME: Final = (*_SAYS_WHICH, "filler", "new", "top_n", "file", "unit:", "do:", "time:")


_ONE: Final = frozenset("ein eine einen einem einer".split())


def _is_known(form: str) -> bool:
    """Whether a word has a meaning of its own."""
    return any(lexicon(language).is_phrase(form) for language in ("en", "de"))


def _is_plain(tokens: list[Token], at: int, language: str) -> bool:
    """`Each`, `two`, and in German, where all nouns have capitals, a kind that no folder's name can be meant by."""
    token = tokens[at]
    if token.sort != "word" or (token.text[:1].isupper() and language != "de"):
        return False
    known = lexicon(language)
    before = next((each for each in reversed(tokens[:at]) if each.form not in _SKIPPED | _ONE), None)
    behind = tokens[at + 1].form if at + 1 < len(tokens) else ""
    meanings = known.phrases.get((token.form,), set()) or known.phrases.get((token.form, behind), set())
    if meanings and all(meaning.startswith(_SAYS_WHICH) for meaning in meanings):
        return True
    if (before is not None and before.form in LEADING) or behind in FOLDER_WORDS:
        return False
    if at + 1 < len(tokens) and tokens[at + 1].sort in {"number", "file"}:
        # `Rechnung 02`.
        return False
    if (token.form,) in known.kinds:
        return language == "de" and token.text[:1].isupper() and (before is None or not orders(before))
    return bool(meanings) and all(meaning.startswith(_OF_NO_NAME) for meaning in meanings) and token.form not in NOUNISH


def _may_be_name(tokens: list[Token], at: int) -> bool:
    token = tokens[at]
    before = tokens[at - 1] if at else None
    if token.sort == "file" and (token.text[0] == "(" or (at + 1 < len(tokens) and tokens[at + 1].start == token.end)):
        # `report (copy).csv`, `access.log.1`.
        return before is not None
    if token.sort == "file":
        # `tax 2024.pdf`: only the end of a name, perhaps.
        return before is not None and (before.sort == "number" or (before.sort == "word" and not is_small(before)))
    if (
        token.sort != "word"
        or not SHORTEST_NAME <= len(token.text) <= LONGEST_WORD
        or token.form in FOLDER_WORDS | _SKIPPED
    ):
        return False
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    if not _is_known(token.form):
        return True
    if before is not None and before.form in _ANY_FILES and (behind is None or behind.sort == "mark"):
        # `Biggest file temp`: a folder may be called so.
        return True
    if (
        token.form in NOUNISH
        and before is not None
        and (before.form in LEADS_NOUN or "do:which" in meanings_of(before))
    ):
        return True
    if token.form in NOUNISH and before is not None and before.sort == "word" and not _is_known(before.form):
        # `Board minutes`, `poster drafts`.
        return True
    if token.text[:1].isupper() and at > 0:
        return True
    leads = next((each.form for each in reversed(tokens[:at]) if each.form not in _SKIPPED), "")
    return (
        token.form not in LEADING | _SKIPPED | FOLDER_WORDS
        and (leads in LEADING or (behind is not None and behind.form in FOLDER_WORDS))
        and not is_small(token)
    )


def glued(request: str, tokens: list[Token], known: KnownNames) -> list[Token]:
    """The tokens, those that are a name together as one."""
    out: list[Token] = []
    tokens = [_without_possessive(token, known) for token in tokens]
    at = 0
    while at < len(tokens):
        found = (
            renamed_to(request, tokens, at)
            or _known_at(request, tokens, at, known)
            or new_at(request, tokens, at, known)
        )
        if found is None:
            out.append(tokens[at])
            at += 1
        else:
            out.append(found[0])
            at = found[1]
    return out


def without_appositions(tokens: list[Token]) -> list[Token]:
    """`The advert flat to let.docx`, `die alte Liste stock old.csv`: what is named needs no other word for it."""
    out: list[Token] = []
    for at, token in enumerate(tokens):
        out.append(token)
        if token.sort not in {"file", "path"} or "." not in token.text.rpartition("/")[2]:
            continue
        begin = len(out) - 1
        while begin and len(out) - begin <= MOST_APPOSED and _is_apposed(out[begin - 1]):
            begin -= 1
        if 0 < begin < len(out) - 1 and out[begin - 1].form in _SKIPPED - {"a", "an"} and at:
            del out[begin : len(out) - 1]
    return out


def _is_apposed(token: Token) -> bool:
    """Whether a word can describe one thing that is named behind it: no plural, and nothing that says what to do."""
    if token.sort != "word" or token.form.endswith("s"):
        return False
    return not any(lexicon(language).is_phrase(token.form) for language in ("en", "de")) or any(
        token.form in lexicon(language).vague for language in ("en", "de")
    )


def _without_possessive(token: Token, known: KnownNames) -> Token:
    """`Baker's folder`: the folder Baker."""
    bare = re.sub(r"['’]s?\Z", "", token.text)
    if token.sort != "word" or bare == token.text or not known.is_there(bare):
        return token
    return Token(bare, normal(bare), "word", token.start, token.end)


def _known_at(request: str, tokens: list[Token], at: int, known: KnownNames) -> tuple[Token, int] | None:
    if tokens[at].sort in {"quoted", "mark", "symbol", "glob"} and tokens[at].text not in "([":
        return None
    if tokens[at].sort == "number" and at and tokens[at - 1].form in DATED:
        # `August 2024` is a month, whatever folder is called 2024.
        return None
    for end in range(min(len(tokens), at + LONGEST_NAME), at, -1):
        text = tokens[at].text if end - at == 1 else " ".join(request[tokens[at].start : tokens[end - 1].end].split())
        bare = " ".join(each.text for each in tokens[at:end] if each.form not in _SKIPPED)
        # `The 2025 payments`, which are `payments 2025.csv`.
        is_pair = end - at == 2 and "number" in {tokens[at].sort, tokens[at + 1].sort}
        swapped = f"{tokens[at + 1].text} {tokens[at].text}" if is_pair else text
        paths = (
            known.paths.get(normal(text), [])
            or known.paths.get(normal(swapped), [])
            or (known.paths.get(normal(bare), []) if " " in bare else [])
        )
        if not paths:
            continue
        folders = [path for path in paths if path in known.folders]
        if not folders and is_of_another_kind(tokens, end, paths):
            # `The Rossi wedding jpgs`, where `Rossi wedding.docx` is.
            continue
        if end - at == 1:
            if _is_a_kind_together(tokens, at) or not _is_meant(tokens, at, text, folders, paths, known):
                continue
        elif not (is_unusual(tokens[at:end]) or (all(map(is_archive, paths)) and unpacks(tokens[:at]))):
            continue
        path = _the_one(text, folders or paths)
        if path is None:
            return None
        return token_of(
            path if folders or "/" in text else posixpath.basename(path), tokens[at], tokens[end - 1], bool(folders)
        ), end
    return _beginning(request, tokens, at, known) or _mistyped(tokens, at, known) or _in_other_words(tokens, at, known)


def _beginning(request: str, tokens: list[Token], at: int, known: KnownNames) -> tuple[Token, int] | None:
    """`Photos of Elm Street`, where only the folder `Elm Street 4` begins so."""
    for end in range(min(len(tokens), at + LONGEST_NAME), at + 1, -1):
        said = tokens[at:end]
        is_name = all(each.text[:1].isupper() for each in said[:2])
        if not is_name or any(each.sort not in {"word", "number"} for each in said):
            continue
        text = normal(" ".join(request[said[0].start : said[-1].end].split()))
        found = [path for path in known.folders if normal(posixpath.basename(path)).startswith(f"{text} ")]
        before = tokens[at - 1].form if at else ""
        if len(found) == 1 and before in LEADING - TARGETS | {"of", "von", "for", "für"}:
            return token_of(found[0], said[0], said[-1], True), end
    return None


def _is_a_kind_together(tokens: list[Token], at: int) -> bool:
    """`Database dumps`: two words for one kind, even if a folder is called dumps."""
    pairs = (tokens[max(0, at - 1) : at + 1], tokens[at : at + 2])
    return any(
        tuple(each.form for each in pair) in lexicon(language).kinds
        for pair in pairs
        if len(pair) > 1
        for language in ("en", "de")
    )


def _the_one(text: str, paths: list[str]) -> str | None:
    """The one that is meant: the only one, the one nearest to the top, or the one that is spelled just so."""
    exact = [path for path in paths if text in {path, posixpath.basename(path)}] or paths
    top = [path for path in exact if path.count("/") == min(each.count("/") for each in exact)]
    return top[0] if len(top) == 1 else None


def _is_meant(tokens: list[Token], at: int, text: str, folders: list[str], paths: list[str], known: KnownNames) -> bool:
    """Whether one word is a name rather than what it says otherwise."""
    token = tokens[at]
    if token.sort not in {"word", "number"}:
        return False
    if not folders:
        if any(posixpath.basename(path) == text for path in paths):
            # `LICENSE`, `Makefile`.
            return at > 0 and text[:1].isupper()
        return _is_stem(tokens, at, known)
    before = next((each.form for each in reversed(tokens[:at]) if each.form not in _SKIPPED), "")
    behind = tokens[at + 1].form if at + 1 < len(tokens) else ""
    if behind in {"one", "ones"}:
        # `The old one` is something that was named before, and no folder `old`.
        return False
    if before in LEADING or before in FOLDER_WORDS or behind in FOLDER_WORDS:
        return True
    if (
        before in _ANY_FILES
        and (not behind or tokens[at + 1].sort == "mark")
        and is_a_kind(token)
        and not any(map(changes, tokens))
    ):
        # `Biggest file temp`: where it is, behind the word for any file.
        return True
    if at and is_a_kind(tokens[at - 1]) and "folder" not in meanings_of(tokens[at - 1]):
        # `The sql dumps`: dumps, and not the folder of that name.
        return False
    has_article = at > 0 and tokens[at - 1].form in _SKIPPED
    german = any(lexicon("de").is_word(each.form) and not lexicon("en").is_word(each.form) for each in tokens)
    if _tidies(tokens, at):
        return True
    if german:
        # There all nouns have capitals.
        return False
    if not any(lexicon(language).is_word(token.form) for language in ("en", "de")) and not has_article:
        return True
    is_spelled_so = any(posixpath.basename(path) == text for path in folders) and text[:1].isupper()
    return is_spelled_so and at > 0


# Words for files of any kind, or for all of a folder.
_ANY_FILES: Final = frozenset("file files datei dateien size groesse space platz".split())


def _tidies(tokens: list[Token], at: int) -> bool:
    """`Sort the scans into folders`: a folder, if there is one of that name."""
    before = next((each for each in reversed(tokens[:at]) if each.form not in _SKIPPED), None)
    return before is not None and bool(meanings_of(before) & {"do:tidy", "do:group"})


# What follows says which of several is meant.
_SAYS_MORE: Final = frozenset(
    "in with that which about where mentioning containing saying mit ueber das der die wo worin".split()
)


def _is_stem(tokens: list[Token], at: int, known: KnownNames) -> bool:
    """Whether a word is a file's name without its end: behind an article or an order, and never as a text."""
    token = tokens[at]
    if token.sort != "word" or any(lexicon(language).is_word(token.form) for language in ("en", "de")):
        return False
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    if behind is not None and (behind.sort == "file" or is_a_kind(behind)):
        return False
    if behind is not None and behind.sort == "word" and known.is_there(f"{token.text} {behind.text}".rstrip("s")):
        # `The poster drafts`, where `poster draft.png` is.
        return False
    if behind is not None and behind.form in _SAYS_MORE and known.others(token.text):
        # `The letter in which Bremen is mentioned`, where several files are letters.
        return False
    if at == 0:
        return False
    if tokens[at - 1].form in _SKIPPED | {"file", "datei"}:
        before = tokens[at - 2] if at > 1 else None
        return before is None or not _is_about_text(before)
    return orders(tokens[at - 1]) or (
        tokens[at - 1].form in {"and", "und"} and any(orders(each) for each in tokens[: at - 1])
    )


def _is_about_text(token: Token) -> bool:
    return token.form in _TEXT_WORDS or bool(meanings_of(token) & {"holds", "word", "do:search", "do:lines"})


def _mistyped(tokens: list[Token], at: int, known: KnownNames) -> tuple[Token, int] | None:
    """A folder behind a word such as `in`, one letter off; nothing else in the folder may be as near."""
    token = tokens[at]
    before = next((each.form for each in reversed(tokens[:at]) if each.form not in _SKIPPED), "")
    behind = tokens[at + 1].form if at + 1 < len(tokens) else ""
    if token.sort != "word" or len(token.form) < SHORTEST_SWAPPED or not (before in LEADING or behind in FOLDER_WORDS):
        return None
    if not token.form.isalpha() or any(lexicon(language).is_word(token.form) for language in ("en", "de")):
        return None
    # Where things go a folder may be new: only letters that are swapped or doubled are taken for a mistake.
    may_be_new = before in TARGETS
    near = {
        path
        for path in known.folders
        if len(posixpath.basename(path)) >= SHORTEST_SWAPPED
        and one_off(token.form, normal(posixpath.basename(path)))
        and (len(token.form) >= SHORTEST_MISTYPED or is_swapped(token.form, normal(posixpath.basename(path))))
        and (not may_be_new or set(token.form) == set(normal(posixpath.basename(path))))
    }
    return (token_of(near.pop(), token, token, True), at + 1) if len(near) == 1 else None


def _in_other_words(tokens: list[Token], at: int, known: KnownNames) -> tuple[Token, int] | None:
    """`In Musik` where the folder is `Music`, `from bio` where it is `Biology`: the only folder that it can be."""
    token = tokens[at]
    before = next((each.form for each in reversed(tokens[:at]) if each.form not in _SKIPPED), "")
    behind = tokens[at + 1].form if at + 1 < len(tokens) else ""
    leads = (before in LEADING - TARGETS) or behind in FOLDER_WORDS
    if token.sort != "word" or not leads or (behind and behind not in _FOLLOWS and tokens[at + 1].sort != "mark"):
        return None
    names = {path: normal(posixpath.basename(path)) for path in known.folders}
    if normal(token.text) in known.paths:
        return None
    same = [path for path, name in names.items() if stem_of(name) in stems_of(token.text)]
    is_common = any(lexicon(language).is_word(token.form) for language in ("en", "de"))
    if not same and not is_common and len(token.form) >= SHORTEST_BEGINNING:
        same = [path for path, name in names.items() if name.startswith(token.form)]
    return (token_of(same[0], token, token, True), at + 1) if len(same) == 1 else None


# What may follow a folder's name.
_FOLLOWS: Final = FOLDER_WORDS | frozenset(
    "and und or oder to into nach in with mit that which die der das are is sind ist liegen there "
    "please bitte but aber".split()
)
