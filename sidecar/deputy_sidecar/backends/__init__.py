"""The backends that are shipped: one file each, found by its name like a user's own."""

from __future__ import annotations

from typing import Final

__all__ = ["EMBEDDERS", "SHIPPED"]

SHIPPED: Final = ("offline", "anthropic", "gemini", "local_gguf", "ollama", "openai", "openai_compatible")
# What only embeds: nobody chooses it to plan, so it is not among the names of backends.
EMBEDDERS: Final = ("on_device",)
