"""Vectors in the wire format: validated, and packed as little-endian 32-bit floats in base64."""

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

# The largest 32-bit float. NaN does not compare below it either.
MOST: Final = 3.4028234e38


def packed(embedding: Embedding, expected: int, backend: str) -> EmbedReply:
    """Returns the reply for `expected` texts. Raises `BadResponseError` for vectors that would corrupt an index."""
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
