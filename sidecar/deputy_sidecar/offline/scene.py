"""What a request is read by: its language, the day it was made, and the names that are there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from deputy_sidecar.offline.known_names import KnownNames
from deputy_sidecar.offline.lexicon import Language
from deputy_sidecar.offline.stems import fold, stems_of
from deputy_sidecar.offline.tokens import normal

__all__ = ["SHORTEST", "Scene"]

# Shorter words are in too many names.
SHORTEST: Final = 4


@dataclass(frozen=True)
class Scene:
    """Where and when a request was made."""

    language: Language
    today: date
    # None where nobody has looked.
    known: KnownNames | None = None

    def is_there(self, word: str) -> bool:
        """Whether it is known that some name holds the word."""
        if self.known is None:
            return False
        # A short word has to be one of the words that names are made of: `cv`.
        if len(word) >= SHORTEST:
            return self.known.is_there(word)
        longer = [stem for stem in stems_of(word) if len(stem) >= SHORTEST]
        return fold(word) in self.known.pieces or any(stem in name for stem in longer for name in self.known.folded)

    def folder(self, word: str) -> str | None:
        """The one folder that is called so, whatever its letters' case."""
        known = self.known.folders if self.known is not None else frozenset[str]()
        found = [path for path in known if normal(path.rpartition("/")[2]) == normal(word)]
        return found[0] if len(found) == 1 else None

    def below_known(self, target: str | None) -> str | None:
        """`Logs/old` as `Server/logs/old` where the only folder of that name is in `Server`."""
        first, slash, rest = (target or "").partition("/")
        known = self.known.folders if self.known is not None else frozenset[str]()
        if not (slash and rest and first) or first in {"~", ".", ".."} or normal(first) in map(normal, known):
            return target
        found = self.folder(first)
        return f"{found}/{rest}" if found is not None and "/" in found else target

    def is_name(self, word: str) -> bool:
        """Whether the word, however short, is a name or a piece of one: `cvs` is no `csv` where `cv_old.docx` is."""
        return self.is_there(word) or (self.known is not None and normal(word).removesuffix("s") in self.known.pieces)
