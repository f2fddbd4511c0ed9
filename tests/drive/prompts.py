"""The prompts of requests as a provider's cache reads them, which reuses what two of them begin with."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

__all__ = ["Break", "breaks", "prompt"]

#: The fields of a prompt in all dialects, in the order in which caches read them.
FIELDS = ("tools", "system", "systemInstruction", "instructions", "messages", "contents", "input")
#: Says where a cache begins, and is not a part of the prompt.
MARK = b',"cache_control":{"type":"ephemeral"}'
#: How many bytes of a difference are shown.
SHOWN = 200


class Break(NamedTuple):
    """A request that does not begin with the one before."""

    #: Index of the request.
    request: int
    #: The first byte that differs.
    at: int
    before: bytes
    after: bytes


def prompt(body: bytes) -> bytes:
    """Returns the bytes of a request's functions, system prompt and messages, as they were sent."""
    fields = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    parts = [bytes(fields[name]) for name in FIELDS if name in fields]
    return b"".join(parts).removesuffix(b"]").replace(MARK, b"")


def breaks(bodies: Sequence[bytes]) -> list[Break]:
    """Returns where requests of a task do not begin with the bytes of the one before."""
    prompts = [prompt(body) for body in bodies]
    found = []
    for number, (earlier, later) in enumerate(itertools.pairwise(prompts), 1):
        if not later.startswith(earlier):
            pairs = enumerate(zip(earlier, later, strict=False))
            at = next((at for at, (one, other) in pairs if one != other), min(len(earlier), len(later)))
            found.append(Break(number, at, earlier[at : at + SHOWN], later[at : at + SHOWN]))
    return found
