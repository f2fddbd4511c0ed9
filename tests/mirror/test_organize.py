"""Organizing over HTTP alone: scan, draft, try, run, undo; and refusals with the right status."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

import httpx
import pytest
from deputy import Deputy, Json, english, serving

PATIENCE_SECS = 120


@pytest.fixture
def tidy() -> Iterator[tuple[Deputy, httpx.Client]]:
    with serving() as deputy:
        for name, content in {"song.mp3": "la", "Table Of May.csv": "a,b", "letter.txt": "Dear you"}.items():
            (deputy.workspace / name).write_text(content)
            os.utime(deputy.workspace / name, (1_715_000_000, 1_715_000_000))
        with deputy.page() as page:
            page.timeout = httpx.Timeout(60)
            yield deputy, page


def until(ask: Callable[[], Json], is_it: Callable[[Json], bool]) -> Json:
    """Asks repeatedly until the expected answer arrives."""
    end = time.monotonic() + PATIENCE_SECS
    while time.monotonic() < end:
        answer = ask()
        if is_it(answer):
            return answer
    raise AssertionError(f"still {answer}")


def get(page: httpx.Client, address: str, /, **params: str) -> Json:
    answer = page.get(f"/api/v1{address}", params=params)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def do(page: httpx.Client, command: Json, name: str) -> Json:
    answer = page.post("/api/v1/commands", json={"id": name, "command": command})
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()["outcome"]
    return found


def scanned(deputy: Deputy, page: httpx.Client, convention: str | None = None) -> Json:
    begin = {"folders": [str(deputy.workspace)], "by": "kind", "convention": convention}
    begun = page.post("/api/v1/scans", json=begin)
    assert begun.status_code == 200, begun.text
    path = f"/scans/{begun.json()['scan']}"
    stand = until(lambda: get(page, path)["stage"], lambda stage: stage["stage"] in {"drafted", "failed"})
    assert stand["stage"] == "drafted", stand
    return stand


def carried_out(deputy: Deputy, page: httpx.Client, draft: str) -> Json:
    start = {
        "command": "start", "goal": f"Tidy up: apply the plan {draft}", "workspace": str(deputy.workspace),
        "profile": "organizer", "backend": "offline",
    }  # fmt: skip
    do(page, start, f"start-{draft}")
    waiting = until(lambda: get(page, "/requests"), lambda found: len(found["requests"]) == 1)
    request = waiting["requests"][0]
    answer = {
        "request": request["id"], "digest": request["digest"],
        "choice": {"choice": "allow", "lifetime": {"for": "once"}}, "by": {"by": "local", "screen": "test"},
    }  # fmt: skip
    do(page, {"command": "answer_permission", "answer": answer}, f"answer-{draft}")
    return until(
        lambda: get(page, "/jobs", call=request["call"]),
        lambda found: [job["state"] for job in found["jobs"]] == ["done"],
    )["jobs"][0]


def test_a_folder_is_tidied_and_taken_back(tidy: tuple[Deputy, httpx.Client]) -> None:
    deputy, page = tidy
    typed = get(page, "/folders", path=str(deputy.workspace)[:-1])
    assert str(deputy.workspace) in typed["folders"]
    found = scanned(deputy, page, "lower-case")
    assert found["files"] == 3
    assert found["conventions"]

    trial = {"draft": found["draft"], "without": [], "edited": []}
    shown = page.post("/api/v1/drafts/try", json=trial).json()
    assert shown["problems"] == []
    assert any(path.endswith("/table-of-may.csv") for path in shown["trees"]["after"]), shown["trees"]
    songs = [each for each in shown["plan"]["operations"] if "song.mp3" in each["action"]["path"]]
    without = trial | {"without": [songs[0]["id"]]}
    kept = page.post("/api/v1/drafts", json=without).json()["draft"]
    assert (deputy.workspace / "song.mp3").exists(), "trying changes nothing"

    job = carried_out(deputy, page, kept)["job"]
    assert (deputy.workspace / "song.mp3").exists(), "left out"
    assert not (deputy.workspace / "letter.txt").exists()
    undo = {"command": "undo_job", "job": job, "on_conflict": "skip"}
    dry = do(page, undo | {"dry_run": True}, "dry")["report"]
    assert (dry["done"], dry["conflicts"]) == (0, [])
    assert not (deputy.workspace / "letter.txt").exists()
    assert do(page, undo | {"dry_run": False}, "undo")["report"]["is_whole"]
    assert (deputy.workspace / "letter.txt").read_text() == "Dear you"
    # A plan is listed once, with its undo as a part of its history.
    (plan,) = get(page, "/jobs")["jobs"]
    assert plan["state"] == "undone"
    assert [turn["turn"] for turn in plan["turns"]] == ["execute", "undo"]
    assert plan["undone_by"] == plan["turns"][1]["job"]

    again = page.post("/api/v1/commands", json={"id": "again", "command": undo | {"dry_run": False}})
    assert (again.status_code, again.json()["code"]) == (409, "job_undone"), again.text


def test_what_cannot_be_is_refused(tidy: tuple[Deputy, httpx.Client]) -> None:
    deputy, page = tidy
    scan = {"folders": [str(deputy.workspace / "none")], "by": "everything"}
    for answer, status, code in (
        (page.get("/api/v1/scans/none"), 404, "unknown_scan"),
        (page.delete("/api/v1/scans/none"), 404, "unknown_scan"),
        (page.post("/api/v1/scans", json=scan), 400, "workspace"),
        (page.post("/api/v1/scans", json=scan | {"folders": []}), 400, "folders"),
        (page.post("/api/v1/scans", json=scan | {"by": "magic"}), 422, "bad_body"),
        (page.post("/api/v1/drafts/try", json={"draft": "../drafts/x"}), 400, "draft"),
        (page.get("/api/v1/folders"), 400, "bad_query"),
        (page.get("/api/v1/jobs", params={"cal": "x"}), 400, "bad_query"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    with deputy.http() as nobody:
        for path in ("/folders?path=/", "/jobs", "/scans/none"):
            assert nobody.get(f"/api/v1{path}").status_code == 401, path


def test_a_scan_is_stopped(tidy: tuple[Deputy, httpx.Client]) -> None:
    deputy, page = tidy
    begun = page.post("/api/v1/scans", json={"folders": [str(deputy.workspace)], "by": "kind"}).json()
    stopped = page.delete(f"/api/v1/scans/{begun['scan']}")
    assert stopped.status_code == 200, stopped.text
    # The scan may already have finished.
    stand = until(
        lambda: get(page, f"/scans/{begun['scan']}")["stage"],
        lambda stage: stage["stage"] in {"drafted", "failed"},
    )
    assert stand["stage"] == "drafted" or "stopped" in english(stand["error"]["message"]), stand
