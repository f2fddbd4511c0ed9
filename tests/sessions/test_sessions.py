"""Sessions of everyday work: each succeeds, asks little, and leaves no grant wider than was shown.

Its requests keep to the provider's cache, too: each begins with the bytes of the one before, but for two of them.
"""

from __future__ import annotations

import re
import shutil
import statistics
from collections.abc import Iterator
from pathlib import Path

import long
import pytest
from drive import Json, said
from person import Person, Session, Told, working
from projects import sessions
from prompts import breaks

ALL = sessions()
# Sessions whose programs are not installed are skipped.
SESSIONS = [session for session in ALL if not session.missing()]
LONG = [session for session in long.sessions() if not session.missing()]
#: How many requests of a session may differ from the beginning of the one before, such as after a summary.
MOST_BREAKS = 2
#: How often each session asked.
asked: dict[str, int] = {}


@pytest.fixture(scope="module")
def person() -> Iterator[Person]:
    with working([*SESSIONS, *LONG]) as person:
        yield person


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.name)
def test_a_session_ends_well(session: Session, person: Person) -> None:
    folder = person.project(session)
    told = person.run(session, folder)

    ends_well(session, person, folder, told)
    asked[session.name] = told.cards


@pytest.mark.parametrize("session", LONG, ids=lambda session: session.name)
def test_a_long_session_ends_well_and_can_be_undone(session: Session, person: Person) -> None:
    folder = person.project(session)
    before = person.state(folder)
    told = person.run(session, folder)
    risks = [f"{request['risk']}: {said(request['summary'])}" for request in told.requests]
    print(f"{session.name}: {len(told.results)} calls, {told.cards} questions: {risks}")

    # The checks build, too, and undo leaves alone what others built.
    copy = Path(shutil.copytree(folder, person.root / session.name, symlinks=True))
    ends_well(session, person, folder, told, copy)
    for request in told.requests:
        expected = any(text in said(request["summary"]) for text in session.high)
        assert request["risk"] != "high" or expected, request

    undone = person.deputy("undo", told.task)
    left = re.findall("^✗ (.+?): ", undone.stdout, re.MULTILINE)
    assert set(left) <= set(session.left), undone.stdout + undone.stderr
    assert undone.returncode == bool(left), undone.stdout + undone.stderr
    assert person.state(folder) == before


def ends_well(session: Session, person: Person, folder: Path, told: Told, copy: Path | None = None) -> None:
    ended_as_meant(session, told)
    for check in session.checks:
        done = person.bare(check, copy or folder)
        assert done.returncode == 0, f"{check}: {done.stdout}{done.stderr}"
    for name, text in session.tree.items():
        path = folder / name
        assert (path.read_text() if path.is_file() else None) == text, name
    as_narrow_as_shown(person, folder, told)
    assert told.cards <= session.cards, [request["summary"] for request in told.requests]
    begin_with_the_one_before(told)


def ended_as_meant(session: Session, told: Told) -> None:
    calls = [call for turn in session.turns for call in turn]
    ends = [f"{result['status']}: {result['content'][-600:]}" for result in told.results]
    assert told.questions == [], ends
    assert len(told.results) == len(calls), ends
    for call, result in zip(calls, told.results, strict=True):
        wanted = "failed" if call.fails else "ok"
        assert result["status"] == wanted, f"{call.parameters}: {result['content'][-1500:]}"
    assert told.reason == "completed"


def begin_with_the_one_before(told: Told) -> None:
    found = breaks(told.bodies)
    print(f"{len(told.bodies)} requests, of which {len(found)} do not begin with the one before")
    assert len(told.bodies) > 1
    assert len(found) <= MOST_BREAKS, found


def as_narrow_as_shown(person: Person, folder: Path, told: Told) -> None:
    """Checks that each stored grant is the rule of a chosen offer, and that the label of the offer is complete."""
    stored = person.grants(folder)
    for request, offer in zip(told.requests, told.taken, strict=True):
        grant = stored.pop(request["id"], None)
        if offer["lifetime"]["for"] == "once":
            assert grant is None, "an answer for once leaves no grant"
            continue
        assert grant is not None
        assert grant["decision"] == "allow"
        assert grant["rule"] == offer["rule"]
        assert grant["lifetime"] == {"for": "task", "task": request["task"]}
        said_in_words(offer, request, folder)
    assert stored == {}, "nothing is remembered that nobody was shown"


def said_in_words(offer: Json, request: Json, folder: Path) -> None:
    label, rule = said(offer["label"]), offer["rule"]
    assert str(folder) in label
    match rule["kind"]:
        case "folder":
            assert rule["path"] == str(folder)
            assert label.startswith(f"Work in {folder}, for this task: ")
            assert label.endswith("without a network")
            assert request["risk"] != "high"
        case "argv":
            words = re.match(r"`([^`]+)`", label)
            assert words is not None
            assert words[1].replace("'", "").split() == " ".join(rule["argv"]).split()
            assert not rule["prefix"]
            assert label.endswith("for this task")
        case other:
            raise AssertionError(f"{other} is not offered for a task")


def test_people_are_asked_little() -> None:
    assert len(ALL) >= 30
    counts = sorted(asked.values())
    # The median is only meaningful for all sessions.
    if len(counts) == len(SESSIONS):
        print(f"questions a session: median {statistics.median(counts)}, most {counts[-1]}, {asked}")
        assert statistics.median(counts) <= 2, asked
        assert counts[-1] <= 4, asked
