"""A sentence in the language of the request."""

from __future__ import annotations

__all__ = ["in_language"]


def in_language(language: str, english: str, german: str) -> str:
    """One of the two."""
    return german if language == "de" else english
