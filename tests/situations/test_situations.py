"""A model that knows only the declared functions makes the right call in short situations, in each provider's dialect.

Everything but the model is real: the built host, its sidecar and its backends. Each call is checked against the schema
that the request declared, except for those that are wrong on purpose. Its result is what the next request says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from changing import CHANGING
from commands import COMMANDS
from groups import GROUPS
from looking import LOOKING
from mistakes import MISTAKES
from notes import NOTES
from played import Outcome, Player, playing
from prompts import breaks
from reading import READING
from schema import misfits
from situation import Situation
from support.dialects import DIALECTS

SITUATIONS = [*READING, *CHANGING, *LOOKING, *COMMANDS, *NOTES, *GROUPS, *MISTAKES]
each_situation = pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)


# One host for each dialect plays all of its situations.
@pytest.fixture(scope="module", params=DIALECTS, ids=lambda double: double.name)
def player(request: pytest.FixtureRequest) -> Iterator[Player]:
    with playing(request.param) as player:
        yield player


@each_situation
def test_each_call_works_as_written(situation: Situation, player: Player) -> None:
    outcome = player.play(situation)

    for made in outcome.made:
        if made.call.fits:
            assert misfits(made.declared, made.call.function, made.arguments) == []
        wrote = f"{made.call.function}({made.arguments})"
        assert made.status == ("failed" if made.call.fails else "ok"), f"{wrote}: {made.result}"
        shows_in_order(wrote, made.result, made.call.shows)
        for text in made.call.hides:
            assert text not in made.result, wrote
    assert len(outcome.made) == sum(len(turn) for turn in player.turns[f"Do {situation.name}."])
    assert outcome.reason == "completed"
    files_are(situation, outcome)


@each_situation
def test_each_request_begins_with_the_one_before(situation: Situation, player: Player) -> None:
    outcome = player.play(situation)

    opened = sum(made.call.function == "open_tools" and not made.call.fails for made in outcome.made)
    # The functions of an opened group follow those before, but what comes after them moves.
    assert len(breaks(outcome.bodies)) == opened, breaks(outcome.bodies)


def shows_in_order(wrote: str, result: str, texts: Sequence[str]) -> None:
    at = 0
    for text in texts:
        found = result.find(text, at)
        assert found >= 0, f"{wrote} does not show {text!r} here: {result[at:]}"
        at = found + len(text)


def files_are(situation: Situation, outcome: Outcome) -> None:
    for name, content in situation.after.items():
        path = outcome.folder / name
        wanted = content.encode() if isinstance(content, str) else content
        assert (path.read_bytes() if path.is_file() else None) == wanted, name


def test_situations_have_names_of_their_own() -> None:
    names = [situation.name for situation in SITUATIONS]
    assert len(set(names)) == len(names) >= 60
