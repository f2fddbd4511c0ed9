"""The randomness of tests, which one variable repeats."""

import os
import random


def dice() -> random.Random:
    """Randomness from the seed in `SEED`, or else from a new one. Prints it, so that a failing test can be repeated."""
    seed = int(os.environ.get("SEED") or random.randrange(2**32))
    print(f"SEED={seed}")
    return random.Random(seed)
