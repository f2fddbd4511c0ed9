"""The lists of requests, through the built binary with its host up: nothing is done that was not asked for."""

from __future__ import annotations

from collections import Counter

from measure import LISTS, play_all


def test_requests_come_out_right_or_are_said_not_to_be_understood() -> None:
    played = play_all(LISTS)
    counts = Counter(each.verdict for each in played)
    acts = [
        (each.request.text, each.told.said, each.changes) for each in played if each.verdict == "wrong act"
    ]
    assert acts == []
    assert counts["right"] >= 0.9 * len(played), dict(counts)
