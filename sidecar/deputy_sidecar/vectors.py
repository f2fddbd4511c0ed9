"""Vectors as they go over the wire: checked, and packed as little-endian floats of 32 bits in base64."""

from __future__ import annotations

import base64
import sys
from array import array
from collections.abc import Sequence
from itertools import chain
from typing import Final

from deputy_sidecar.backend import Embedding
from deputy_sidecar.errors import BadResponseError
from deputy_sidecar.models import EmbedReply

__all__ = ["packed"]

# The largest float of 32 bits. What is not a number is not below it either.
MOST: Final = 3.4028234e38


def packed(embedding: Embedding, expected: int, backend: str) -> EmbedReply:
    """The reply for `expected` texts; raises `BadResponseError` for vectors that would spoil an index."""
    vectors = embedding.vectors
    dimension = len(vectors[0]) if vectors else 0
    problem = _problem(vectors, expected, dimension)
    if problem:
        raise BadResponseError(
            f"Backend {backend!r} was asked for {expected} embeddings, but {problem}. "
            "Choose another embedding model; memories are found by their words meanwhile."
        )
    numbers = array("f", chain.from_iterable(vectors))
    if sys.byteorder == "big":
        numbers.byteswap()
    return EmbedReply(
        model=embedding.model, dimension=dimension, vectors=base64.b64encode(numbers.tobytes()).decode("ascii")
    )


def _problem(vectors: Sequence[Sequence[float]], expected: int, dimension: int) -> str:
    if len(vectors) != expected:
        return f"it answered with {len(vectors)}"
    if expected and not dimension:
        return "its vectors are empty"
    if any(len(vector) != dimension for vector in vectors):
        return "its vectors are not all of one length"
    if not all(abs(number) <= MOST for vector in vectors for number in vector):
        return "a vector holds a number that is not finite"
    return ""
