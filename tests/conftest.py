"""Tests of every folder here find what drives the built program."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "drive"))
