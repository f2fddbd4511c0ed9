"""Makes the doubles of the providers, which the sidecar's tests have, available, and marks what takes long."""

import sys
from pathlib import Path

import pytest

SIDECAR = Path(__file__).parents[2] / "sidecar"
sys.path[:0] = [str(SIDECAR), str(SIDECAR / "tests")]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks all situations as long in all dialects but the first, except for those that `make test` plays in each."""
    from situation import Situation
    from support.dialects import DIALECTS

    for item in items:
        callspec = getattr(item, "callspec", None)
        match callspec and callspec.params:
            case {"situation": Situation(in_every_dialect=False), "player": double}:
                if double is not DIALECTS[0]:
                    item.add_marker(pytest.mark.long)
