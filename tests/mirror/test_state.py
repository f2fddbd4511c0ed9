"""What clients see of a running task: its console, outputs that are too long to send, and a large state."""

from __future__ import annotations

import asyncio
import json
import subprocess
from typing import Any

from deputy import BUILT, Json, english, serving, start_task, turns


def run(coroutine: Any) -> Any:
    return asyncio.run(asyncio.wait_for(coroutine, 120))


async def allow(mirror: Any, request: Json) -> None:
    choice = {"choice": "allow", "lifetime": {"for": "once"}}
    answer = {"request": request["id"], "digest": request["digest"], "choice": choice}
    by = {"by": "local", "screen": "desktop"}
    reply = await mirror.do({"command": "answer_permission", "answer": answer | {"by": by}})
    assert reply["type"] == "command_reply", reply


def test_a_screen_that_joins_in_between_sees_what_runs() -> None:
    command = "touch seen.txt && seq 1 3 && tail -f seen.txt"
    with serving(turns(command, None)) as deputy:

        async def work() -> None:
            async with deputy.join() as desktop:
                task = (await desktop.do(start_task(deputy)))["outcome"]["task"]["id"]
                await allow(desktop, await desktop.open_request())
                await desktop.event("tool_started")
                shown = ""
                while "3" not in shown:
                    progress = await desktop.until("progress")
                    if progress["call"] is not None:
                        shown += progress["text"]
                assert shown == "1\n2\n3\n"
                async with deputy.join() as late:
                    console = (await late.ask("console", task=task))["answer"]
                assert [call["output"] for call in console["calls"]] == ["1\n2\n3\n"]
                assert command in english(console["calls"][0]["summary"])
                assert all(file["now"] for file in console["files"])
                other = (await desktop.ask("console", task="t-none"))["answer"]
                assert other["calls"] == []

        run(work())


def test_each_event_says_what_state_its_task_is_in() -> None:
    with serving(turns("touch seen.txt", None)) as deputy:

        async def work() -> None:
            async with deputy.join() as desktop:
                task = (await desktop.do(start_task(deputy)))["outcome"]["task"]["id"]
                request = await desktop.open_request()
                # Regression: a task that was resumed while its request was open was shown as running.
                await desktop.do({"command": "pause", "task": task})
                await desktop.do({"command": "resume", "task": task})
                await allow(desktop, request)
                await desktop.event("stopped")
                told = {m["record"]["seq"]: m["update"] for m in desktop.seen if m["type"] == "event"}
                kinds = {
                    m["record"]["seq"]: m["record"]["event"]["type"]
                    for m in desktop.seen
                    if m["type"] == "event"
                }
                reasons = {kinds[seq]: update["state"].get("reason") for seq, update in told.items()}
                assert reasons["permission_requested"] == reasons["resumed"] == "permission"
                assert reasons["paused"] == "by_user"
                assert reasons["stopped"] == "completed"
                row = (await desktop.ask("task", task=task))["answer"]["task"]
                last = told[max(told)]
                assert last == {name: row[name] for name in last}
            # A client that connects later receives past events with the task's current state.
            async with deputy.join(resume_from=min(told)) as late:
                await late.event("stopped")
                updates = [message["update"] for message in late.seen if message["type"] == "event"]
                assert len(updates) > 5
                assert all(update == last for update in updates)

        run(work())


def test_long_outputs_are_fetched_when_they_are_looked_at() -> None:
    # 48,894 bytes, of which clients receive the beginning and the end.
    with serving(turns("seq 1 10000 | tee numbers.txt", None)) as deputy:

        async def work() -> None:
            async with deputy.join() as desktop:
                await desktop.do(start_task(deputy))
                await allow(desktop, await desktop.open_request())
                while True:
                    message = await desktop.until("event")
                    if message["record"]["event"]["type"] == "tool_finished":
                        break
                short = message["record"]["event"]["result"]["content"]
                assert message["shortened"] is True
                assert len(json.dumps(message)) < 10_000
                assert "\n1\n2\n3\n" in short
                seq = message["record"]["seq"]
                whole = (await desktop.ask("event", seq=seq))["answer"]["events"][0]
                full = whole["event"]["result"]["content"]
                assert len(full) > len(short)
                assert full[:1000] == short[:1000]
                assert full[-1000:] == short[-1000:]
                assert (await desktop.ask("event", seq=10_000))["error"]["code"] == "unknown_event"

        run(work())
        assert (deputy.workspace / "numbers.txt").read_text() == "".join(f"{n}\n" for n in range(1, 10_001))


def test_a_large_state_arrives_whole() -> None:
    """Two hundred tasks of 60 KB each: a snapshot of 12 MB, over the WebSocket, HTTP and the Unix socket."""
    with serving({"turns": [{"type": "hang"}], "repeat_last": True}) as deputy, deputy.page() as page:
        goal = "x" * 60_000
        for n in range(200):
            command = {"id": f"s{n}", "command": start_task(deputy, goal)}
            assert page.post("/api/v1/commands", json=command).status_code == 200

        async def look() -> int:
            async with deputy.join() as mirror:
                snapshot = (await mirror.until("snapshot"))["snapshot"]
                assert all(task["goal"] == goal for task in snapshot["state"]["tasks"])
                return len(snapshot["state"]["tasks"])

        assert run(look()) == 200
        state = page.get("/api/v1/state").json()
        assert len(state["snapshot"]["state"]["tasks"]) == 200
        assert deputy.say("status").returncode == 0
        too_long = {"id": "long", "command": start_task(deputy, "x" * 65_537)}
        assert page.post("/api/v1/commands", json=too_long).json()["code"] == "goal_too_long"


def test_the_terminal_follows_and_answers_what_the_server_runs() -> None:
    with serving(turns("touch one", "touch two", None)) as deputy:
        task = deputy.ask("run", "go", "--in", str(deputy.workspace), "--detach")["id"]
        command = [BUILT / "deputy", "--home", deputy.home, "--json", "follow", task]
        following = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=deputy.env())
        assert following.stdout is not None

        def request() -> Json:
            assert following.stdout is not None
            for line in following.stdout:
                event = json.loads(line)["record"]["event"]
                if event["type"] == "permission_requested":
                    asked: Json = event["request"]
                    return asked
            raise AssertionError("nothing was asked")

        first = request()
        assert deputy.say("approve", first["id"]).returncode == 0
        for again in ("approve", "deny"):
            said = deputy.say(again, first["id"])
            assert said.returncode == 1
            assert "answered elsewhere" in said.stdout
        second = request()
        assert deputy.say("deny", second["id"], "--reason", "one is enough").returncode == 0
        assert deputy.say("approve", "r-none").returncode == 1
        assert deputy.say("answer", "q-none", "yes").returncode == 1
        rest = following.stdout.read()
        assert "one is enough" in rest
        assert following.wait() == 3, "its last call was denied"
        assert {path.name for path in deputy.workspace.iterdir()} - {".git"} == {"one"}
