"""Makes the driver of the built program available to the tests in every folder, and declares their marks."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "drive"))


def pytest_configure(config: pytest.Config) -> None:
    """Declares what marks which suite a test is for."""
    config.addinivalue_line("markers", "long: takes minutes, so only `make test-all` runs it")
    config.addinivalue_line("markers", "smoke: one journey through a part, which `make test` runs")
