"""The shipped backends: a file for each, found by name like the user's own."""

from __future__ import annotations

from typing import Final

__all__ = ["EMBEDDERS", "SHIPPED"]

SHIPPED: Final = ("offline", "anthropic", "gemini", "local_gguf", "ollama", "openai", "openai_compatible")
# Backends that only compute embeddings. They are not offered for planning, so they are not among the names of backends.
EMBEDDERS: Final = ("on_device",)
