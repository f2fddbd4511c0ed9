"""Tests of the weather station's script."""

import plot


def test_bars_grow() -> None:
    assert plot.BARS[0] == " "
    assert plot.BARS[-1] == "@"
