"""Makes the mirror tests' host and the driver of the phone's Java available to the tests of the built app."""

import sys
from pathlib import Path

for folder in ("tests/mirror", "mobile/android/core/test"):
    sys.path.insert(0, str(Path(__file__).parents[4] / folder))
