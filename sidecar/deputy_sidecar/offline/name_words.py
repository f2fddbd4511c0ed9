"""What single words of a request may be, for those that look for names among them."""

from __future__ import annotations

from typing import Final

from deputy_sidecar.offline.lexicon import distance, lexicon
from deputy_sidecar.offline.tokens import Token

__all__ = [
    "changes",
    "is_a_kind",
    "is_archive",
    "is_of_another_kind",
    "is_swapped",
    "is_unusual",
    "meanings_of",
    "one_off",
    "orders",
    "unpacks",
]


def is_unusual(tokens: list[Token]) -> bool:
    """Whether words side by side look like a name: one is not a common word, or has a capital, or is a number."""
    return any(
        token.sort in {"number", "file"}
        or token.text[:1].isupper()
        or (token.sort == "word" and not any(lexicon(language).is_word(token.form) for language in ("en", "de")))
        for token in tokens
    )


def meanings_of(token: Token) -> set[str]:
    """What a word means in either language."""
    return {each for language in ("en", "de") for each in lexicon(language).phrases.get((token.form,), ())}


def is_a_kind(token: Token) -> bool:
    """Whether it is a kind of files, or the word for a file or a folder."""
    return any((token.form,) in lexicon(language).kinds for language in ("en", "de")) or bool(
        meanings_of(token) & {"file", "folder"}
    )


def changes(token: Token) -> bool:
    """Whether it orders a change."""
    return bool(
        meanings_of(token) & {f"do:{verb}" for verb in ("trash", "move", "copy", "rename", "pack", "unpack", "replace")}
    )


def orders(token: Token) -> bool:
    """Whether it orders something to be done with a thing that is named."""
    return bool(meanings_of(token) & {"do:trash", "do:move", "do:copy", "do:rename", "do:read"})


def is_swapped(one: str, other: str) -> bool:
    """Whether two words have the same letters in another order."""
    return one != other and sorted(one) == sorted(other)


def one_off(one: str, other: str) -> bool:
    """Whether two words differ by one letter, and begin alike."""
    return one[0] == other[0] and distance(one, other, 2) == 1


def is_archive(path: str) -> bool:
    """Whether a path ends as an archive."""
    return path.lower().endswith((".zip", ".tar", ".tar.gz", ".tgz"))


def is_of_another_kind(tokens: list[Token], at: int, paths: list[str]) -> bool:
    """Whether a kind follows that none of the files is of."""
    if at >= len(tokens) or tokens[at].sort != "word":
        return False
    kind = next((lexicon(each).kinds.get((tokens[at].form,)) for each in ("en", "de")), None)
    endings = kind.extensions.split() if kind is not None else []
    return bool(endings) and not any(path.rpartition(".")[2].lower() in endings for path in paths)


def unpacks(ahead: list[Token]) -> bool:
    """Whether the last word but for articles says to unpack something."""
    before = next((each for each in reversed(ahead) if each.form not in _ARTICLES), None)
    return before is not None and "do:unpack" in meanings_of(before)


_ARTICLES: Final = frozenset("the a an my our der die das den dem meine mein".split())
