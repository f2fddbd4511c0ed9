"""Writes the embeddings of the lines of a file, for `recall_cost`: `embed_lines.py TEXTS VECTORS`.

Uses the same model as for memories on this machine. The vectors are consecutive little-endian 32-bit
floats. Prints the number of dimensions.
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
    """Computes and writes the embeddings."""
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
