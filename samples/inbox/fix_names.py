#!/usr/bin/env python3
"""Lists file names with spaces, and what they could be called instead."""

from pathlib import Path


def proposal(name: str) -> str:
    return "_".join(name.lower().split())


for path in sorted(Path(".").iterdir()):
    if " " in path.name:
        print(f"{path.name} -> {proposal(path.name)}")
