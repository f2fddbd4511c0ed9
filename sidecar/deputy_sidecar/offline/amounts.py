"""Numbers and sizes, as figures or as words."""

from __future__ import annotations

import re
from typing import Final

from deputy_sidecar.offline.lexicon import Term

__all__ = ["number_of", "size_at", "skip_words", "unit_of"]

_AMOUNT: Final = re.compile(r"(\d+(?:[.,]\d+)?)\s*([a-z]+)", re.IGNORECASE)
_UNITS: Final = {"b": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
# Binary units say so by their `i`.
_BINARY: Final = {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


def number_of(term: Term) -> float | None:
    """The number that a term is."""
    if term.token.sort == "number" and len(term.tokens) == 1:
        text = re.sub(r"(st|nd|rd|th)\Z", "", term.token.form)
        # `1.000` and `1,000` are a thousand; `1.5` and `1,5` are not.
        if re.fullmatch(r"\d{1,3}[.,]000", text):
            return float(re.sub(r"[.,]", "", text))
        return float(text.replace(",", "."))
    for meaning in term.meanings:
        if meaning.startswith("number:"):
            return 0.5 if meaning == "number:half" else float(meaning.removeprefix("number:"))
    return None


def size_at(terms: list[Term], at: int) -> tuple[int, int] | None:
    """Bytes, and how many terms say so."""
    if at >= len(terms):
        return None
    term = terms[at]
    if term.token.sort == "amount":
        amount = _AMOUNT.fullmatch(term.token.form)
        if amount is None:
            return None
        unit = amount.group(2)
        factors = _BINARY if unit[1:2] == "i" else _UNITS
        return round(float(amount.group(1).replace(",", ".")) * factors[unit[0]]), 1
    # `A megabyte`.
    number = 1 if term.form in {"a", "an", "ein", "einem", "einen"} else number_of(term)
    if number is not None and at + 1 < len(terms):
        for meaning in terms[at + 1].meanings:
            if meaning.startswith("bytes:"):
                return round(number * int(meaning.removeprefix("bytes:"))), 2
    return None


def unit_of(terms: list[Term], at: int) -> Term | None:
    """The unit of a size, as a word of its own."""
    if terms[at].token.sort == "amount":
        factor = {"k": "1000", "m": "1000000", "g": "1000000000"}.get(terms[at].token.form.lstrip("0123456789., ")[:1])
        return Term("", frozenset({f"bytes:{factor}"}), terms[at].tokens) if factor else None
    return terms[at + 1] if at + 1 < len(terms) else None


def skip_words(terms: list[Term], at: int, words: set[str]) -> int:
    """Past plain words that only repeat what a condition says, as in `in size`."""
    while (
        at < len(terms)
        and terms[at].form in words
        and (terms[at].form != "in" or (at + 1 < len(terms) and terms[at + 1].form in words))
    ):
        at += 1
    return at
