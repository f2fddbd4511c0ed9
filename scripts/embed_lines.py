"""Writes the vectors of the lines of a file, for `recall_cost`: `embed_lines.py TEXTS VECTORS`.

They are those that memories get on this machine, as little-endian floats of 32 bits, one behind the other.
Prints how many numbers each has.
"""

from __future__ import annotations

import asyncio
import importlib
import sys
from array import array
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "sidecar"))


def main() -> None:
    """Embeds them."""
    if len(sys.argv) != 3:
        sys.exit("usage: embed_lines.py TEXTS VECTORS")
    texts, vectors = map(Path, sys.argv[1:])
    backend = importlib.import_module("deputy_sidecar.backends.on_device").create()
    backend.configure({})
    embedded = asyncio.run(backend.embed(texts.read_text().splitlines()))
    with vectors.open("wb") as file:
        for vector in embedded.vectors:
            numbers = array("f", vector)
            if sys.byteorder == "big":
                numbers.byteswap()
            numbers.tofile(file)
    print(len(embedded.vectors[0]))


if __name__ == "__main__":
    main()
