"""The backends that are shipped: one file each, found by its name like a user's own."""

from __future__ import annotations

from typing import Final

__all__ = ["SHIPPED"]

SHIPPED: Final = ("offline", "openai_compatible")
