"""Lets the tests of the built app use the host of the mirror's tests, and what drives the phone's Java."""

import sys
from pathlib import Path

for folder in ("tests/mirror", "mobile/android/core/test"):
    sys.path.insert(0, str(Path(__file__).parents[4] / folder))
