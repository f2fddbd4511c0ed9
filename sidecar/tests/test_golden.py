"""The samples in tests/golden: Python reads each and writes the same value back."""

import json
from pathlib import Path

import msgspec
import pytest

from deputy_sidecar import models

SAMPLES = sorted((Path(__file__).parents[2] / "tests" / "golden").glob("*.json"))


def test_there_are_samples() -> None:
    assert len(SAMPLES) > 50


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_python_writes_what_it_reads(path: Path) -> None:
    sample = json.loads(path.read_text(encoding="utf-8"))
    model = getattr(models, sample["type"])
    value = msgspec.json.decode(json.dumps(sample["value"]), type=model)
    assert json.loads(msgspec.json.encode(value)) == sample["value"]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_python_ignores_fields_it_does_not_know(path: Path) -> None:
    sample = json.loads(path.read_text(encoding="utf-8"))
    model = getattr(models, sample["type"])
    newer = sample["value"] | {"field_of_a_later_version": [1]}
    known = msgspec.json.decode(json.dumps(sample["value"]), type=model)
    assert msgspec.json.decode(json.dumps(newer), type=model) == known
