"""Lets the tests of the phone's Java use the host that the mirror's tests start."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "tests/mirror"))
