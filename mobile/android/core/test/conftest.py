"""Makes the mirror tests' host available to the tests of the phone's Java, and compiles the Java once."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[4] / "tests/mirror"))

from phone import Java, compiled


@pytest.fixture(scope="session")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("classes"))


@pytest.fixture
def java(classes: Path) -> Iterator[Java]:
    phone = Java(classes)
    yield phone
    phone.end()


def pytest_configure(config: pytest.Config) -> None:
    """Declares the mark of what `make test` runs."""
    config.addinivalue_line("markers", "smoke: one journey through a part, which `make test` runs")
