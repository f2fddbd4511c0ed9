"""Independent clients: Python's `websockets`, Node's `ws`, curl, and server-sent events as a browser reads them."""

from __future__ import annotations

import asyncio
import json
import subprocess

import pytest
from deputy import ROOT, Deputy, Device, serving, start_task, steps, turns


@pytest.fixture
def deputy():
    with serving(steps(1)) as served:
        yield served


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 120))


def test_a_page_sees_a_task_and_answers_it(deputy: Deputy) -> None:
    async def page() -> None:
        async with deputy.join() as mirror:
            await mirror.until("welcome", scopes=["monitor", "approve", "command"])
            assert (await mirror.until("snapshot"))["snapshot"]["state"] == {"agent": "idle"}
            await mirror.do(start_task(deputy))
            request = await mirror.open_request()
            choice = {"choice": "allow", "lifetime": {"for": "once"}}
            # Whatever it claims to be, it is recorded as the desktop.
            by = {"by": "standing", "up_to": "high"}
            answer = {"request": request["id"], "digest": request["digest"], "choice": choice, "by": by}
            reply = await mirror.do({"command": "answer_permission", "answer": answer})
            assert reply["type"] == "command_reply", reply
            await mirror.event("stopped")
            answered = [
                m
                for m in mirror.seen
                if m["type"] == "event" and m["record"]["event"]["type"] == "permission_answered"
            ]
            assert [m["record"]["event"]["by"] for m in answered] == [{"by": "local", "screen": "desktop"}]

    run(page())
    assert (deputy.workspace / "done.txt").read_text() == "1\n"


def test_a_phone_is_paired_answers_and_is_cut_off(deputy: Deputy) -> None:
    phone = Device("Ada's phone")
    assert deputy.pair(phone)["stage"] == "paired"

    async def at_the_phone() -> None:
        async with deputy.join(phone, base=deputy.remote) as mirror:
            await mirror.until("welcome", scopes=["monitor", "approve"])
            refused = await mirror.do(start_task(deputy))
            assert refused["error"]["code"] == "not_allowed"
            refused = await mirror.ask("devices")
            assert refused["error"]["code"] == "not_allowed"
            # A client that may only answer cannot list the desktop's folders, but sees what was organized.
            for query in ({"query": "folders", "path": "~/"}, {"query": "draft", "draft": "0"}):
                refused = await mirror.ask(**query)
                assert refused["error"]["code"] == "not_allowed", query
            scan = {"command": "start_scan", "folders": [str(deputy.workspace)], "by": "everything"}
            assert (await mirror.do(scan))["error"]["code"] == "not_allowed"
            assert (await mirror.ask("jobs"))["answer"] == {"answer": "jobs", "jobs": []}
            undo = {"command": "undo_job", "job": "j0", "on_conflict": "skip", "dry_run": True}
            assert (await mirror.do(undo))["error"]["code"] == "not_allowed"
            async with deputy.join() as desktop:
                await desktop.do(start_task(deputy))
            request = await mirror.open_request()
            reply = await mirror.do(phone.answer(request, now_ms=mirror.now_ms()))
            assert reply["type"] == "command_reply", reply
            await mirror.event("stopped")
            answered = [m["record"]["event"] for m in mirror.seen if m["type"] == "event"]
            by = next(event["by"] for event in answered if event["type"] == "permission_answered")
            assert (by["device"], by["name"]) == (phone.id, "Ada's phone")
            assert len(by["signature"]) == 86
            listed = deputy.ask("devices", "list")
            assert listed["last_seen_ms"] is not None
            assert deputy.say("devices", "revoke", phone.id).returncode == 0
            error = await mirror.until("error")
            assert error["error"]["code"] == "revoked"
        async with deputy.join(phone, base=deputy.remote) as mirror:
            assert (await mirror.next())["error"]["code"] == "unknown_device"

    run(at_the_phone())


def test_a_phone_takes_the_wider_offer_by_its_signature() -> None:
    asked = ["touch a.txt", "for i in 1 2; do echo $i | tee -a b.txt; done", "rm .env"]

    async def at_the_phone(deputy: Deputy, phone: Device) -> None:
        async with deputy.join(phone, base=deputy.remote) as mirror, deputy.join() as desktop:
            await desktop.do(start_task(deputy))
            request = await mirror.open_request()
            offers = {(offer["lifetime"]["for"], offer["wider"]) for offer in request["offered"]}
            assert {("once", False), ("task", True)} <= offers
            yes = f"allow wider task {request['task']}"
            # The phone signed the exact command. Forwarding cannot widen or narrow the answer.
            now = mirror.now_ms()
            for words, wider in ("allow once", True), (yes, False):
                forged = phone.answer(request, words, now_ms=now, choice__wider=wider)
                assert (await mirror.do(forged))["error"]["code"] == "bad_signature", words
            for words in "allow wider once", "allow wider always":
                forged = phone.answer(request, words, now_ms=now)
                assert (await mirror.do(forged))["error"]["code"] == "not_offered", words
            reply = await mirror.do(phone.answer(request, yes, now_ms=now))
            assert reply["type"] == "command_reply", reply
            # The task works in its folder, and what it may do nowhere without a question asks.
            request = await mirror.open_request()
            assert request["details"]["command"] == asked[2]
            requested = [
                m["record"]["event"]["request"]["details"]["command"]
                for m in mirror.seen
                if m["type"] == "event" and m["record"]["event"]["type"] == "permission_requested"
            ]
            assert asked[1] not in requested

    with serving(turns(*asked, None)) as deputy:
        (deputy.workspace / ".env").write_text("KEY=x")
        phone = Device("Ada's phone")
        assert deputy.pair(phone)["stage"] == "paired"
        run(at_the_phone(deputy, phone))
        assert (deputy.workspace / "b.txt").read_text() == "1\n2\n"
        assert (deputy.workspace / ".env").exists()
        grants = [json.loads(line) for line in deputy.say("policy", "grants").stdout.splitlines()]
        assert [grant["rule"] for grant in grants] == [{"kind": "folder", "path": str(deputy.workspace)}]


def test_a_phone_leaves_an_edit_out_by_its_signature() -> None:
    names = ["a.txt", "b.txt", "c.txt"]
    edits = [{"action": "write", "path": name, "content": name} for name in names]
    plan = {"type": "tool_calls", "calls": [{"name": "code", "arguments": edit} for edit in edits]}

    async def at_the_phone(deputy: Deputy, phone: Device) -> None:
        async with deputy.join(phone, base=deputy.remote) as mirror, deputy.join() as desktop:
            await desktop.do(start_task(deputy))
            request = await mirror.open_request()
            a, b, c = (edit["call"] for edit in request["details"]["steps"])
            now = mirror.now_ms()
            # An approval of some edits cannot be changed to all, to others, or the other way round.
            some = f"allow once without {b}"
            for words, dropped in (some, []), (some, [a]), (some, [b, c]), ("allow once", [b]):
                forged = phone.answer(request, words, now_ms=now, choice__dropped=dropped)
                assert (await mirror.do(forged))["error"]["code"] == "bad_signature", (words, dropped)
            for dropped in f"{a},{b},{c}", f"{b},{a}", f"{b},{b}", "t1-1-1":
                wrong = phone.answer(request, f"allow once without {dropped}", now_ms=now)
                assert (await mirror.do(wrong))["error"]["code"] == "cannot_drop", dropped
            nonce = "only-once-and-never-again"
            reply = await mirror.do(phone.answer(request, some, now_ms=now, nonce=nonce))
            assert reply["type"] == "command_reply", reply
            await mirror.event("stopped")
            again = phone.answer(request, "allow once", now_ms=now)
            assert (await mirror.do(again))["error"]["code"] == "already_answered"

    with serving({"turns": [plan, {"type": "text", "text": "Done."}]}) as deputy:
        phone = Device("Ada's phone")
        assert deputy.pair(phone)["stage"] == "paired"
        run(at_the_phone(deputy, phone))
        assert [(deputy.workspace / name).exists() for name in names] == [True, False, True]


def test_node(deputy: Deputy) -> None:
    script = ROOT / "tests/mirror/node/follow.js"
    done = subprocess.run(
        ["node", script, deputy.base, deputy.session(), str(deputy.workspace)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"goal": "from node", "stopped": "completed"}


def test_curl_reads_events_and_resumes(deputy: Deputy) -> None:
    session = deputy.session()

    def curl(*words: str) -> str:
        header = f"Authorization: Bearer {session}"
        done = subprocess.run(
            ["curl", "-sS", "-H", header, *words], capture_output=True, text=True, timeout=60
        )
        return done.stdout

    command = {"id": "c1", "command": start_task(deputy)}
    reply = json.loads(
        curl(
            "-H",
            "Content-Type: application/json",
            "-d",
            json.dumps(command),
            deputy.base + "/api/v1/commands",
        )
    )
    # The same command id again is the same command.
    assert (
        json.loads(
            curl(
                "-H",
                "Content-Type: application/json",
                "-d",
                json.dumps(command),
                deputy.base + "/api/v1/commands",
            )
        )
        == reply
    )
    task = reply["outcome"]["task"]["id"]
    address = f"{deputy.base}/api/v1/tasks/{task}/events"
    watching = subprocess.Popen(
        ["curl", "-sSN", "-H", f"Authorization: Bearer {session}", address], stdout=subprocess.PIPE, text=True
    )
    assert watching.stdout is not None
    seen = []
    for line in watching.stdout:
        if line.startswith("data: "):
            message = json.loads(line.removeprefix("data: "))
            seen.append(message)
            if message["type"] == "event" and message["record"]["event"]["type"] == "permission_requested":
                break
    watching.kill()
    watching.wait()
    request = message["record"]["event"]["request"]
    assert deputy.say("deny", request["id"], "--reason", "not now").returncode == 0
    last = message["record"]["seq"]
    again = subprocess.Popen(
        ["curl", "-sSN", "-H", f"Authorization: Bearer {session}", "-H", f"Last-Event-ID: {last}", address],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert again.stdout is not None
    ids = []
    for line in again.stdout:
        if line.startswith("id: "):
            ids.append(int(line.removeprefix("id: ")))
        if '"type":"stopped"' in line:
            break
    again.kill()
    again.wait()
    assert ids == list(range(last + 1, last + 1 + len(ids)))
    history = json.loads(curl(f"{deputy.base}/api/v1/tasks/{task}/history?limit=500"))
    reasons = [
        record["event"]["choice"]
        for record in history["events"]
        if record["event"]["type"] == "permission_answered"
    ]
    assert reasons == [{"choice": "deny", "reason": "not now", "change": False}]
