"""Makes the driver of the built program available to the tests in every folder here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "drive"))
