"""Memories over the socket and over HTTP: searched, edited, forgotten, restored; and the permissions for that."""

from __future__ import annotations

import asyncio
import json
import subprocess

import pytest
from deputy import BUILT, Deputy, Device, Json, serving, start_task, steps

WORDS = "where are the plumber's invoices"


@pytest.fixture
def deputy():
    with serving(steps(1, "echo {n}")) as served:
        yield served


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 120))


def test_a_memory_is_found_edited_forgotten_and_brought_back(deputy: Deputy) -> None:
    async def page() -> None:
        async with deputy.join() as mirror:
            await mirror.do(start_task(deputy, WORDS))
            await mirror.event("stopped")
            found = (await mirror.ask("memories", search="plumber inv", limit=10))["answer"]
            assert (found["answer"], found["next"]) == ("memories", None)
            (memory,) = found["memories"]
            assert (memory["text"], memory["role"], memory["goal"]) == (WORDS, "user", WORDS)
            assert memory["workspace"] == str(deputy.workspace.resolve())
            number = memory["memory"]
            edit = {"command": "edit_memory", "memory": number, "text": "  The plumber is Schulz.  "}
            assert (await mirror.do(edit))["outcome"] == {"outcome": "done"}
            for text in ("", "  ", "x" * 2_001):
                refused = await mirror.do({"command": "edit_memory", "memory": number, "text": text})
                assert refused["error"]["code"] == "bad_text"
            forget = {"command": "forget_memory", "memory": number}
            done = {"outcome": "memories", "memories": 1}
            assert (await mirror.do(forget, "c-forget"))["outcome"] == done
            assert (await mirror.do(forget, "c-forget"))["outcome"] == done, "the same command"
            assert (await mirror.do(forget))["outcome"] == {"outcome": "memories", "memories": 0}
            assert (await mirror.do(edit))["error"]["code"] == "forgotten"
            assert (await mirror.ask("memories", search="schulz", limit=10))["answer"]["memories"] == []
            assert (await mirror.do({"command": "restore_memory", "memory": number}))["outcome"] == done
            (memory,) = (await mirror.ask("memories", search="schulz", limit=10))["answer"]["memories"]
            assert memory["edited_at_ms"] is not None
            told = (await mirror.ask("events", task=memory["task"], after=0, limit=100))["answer"]["events"]
            changes = [record["event"] for record in told if record["event"]["type"].startswith("memory_")]
            words = "The plumber is Schulz."
            assert changes == [
                {"type": "memory_edited", "memory": number, "text": words},
                {"type": "memory_forgotten", "memory": number},
                {"type": "memory_restored", "memory": number, "text": words},
            ]
            unknown = await mirror.do({"command": "forget_memory", "memory": 999_999})
            assert unknown["error"]["code"] == "unknown_memory"

    run(page())


def test_pages_and_changes_over_http(deputy: Deputy) -> None:
    deputy.say("run", WORDS, "--in", str(deputy.workspace))
    with deputy.page() as page:

        def found(**which: str | int) -> Json:
            answer = page.get("/api/v1/memories", params=which)
            assert answer.status_code == 200, answer.text
            return answer.json()

        everything = found()["memories"]
        assert everything == sorted(everything, key=lambda memory: -memory["memory"])
        first = found(limit=1)
        second = found(limit=1, before=first["next"])
        assert [first["memories"][0], second["memories"][0]] == everything[:2]
        number = found(search="plumber")["memories"][0]["memory"]
        task = everything[0]["task"]
        assert found(search="plumber", task=task, workspace=str(deputy.workspace.resolve()))["memories"]
        assert found(search="plumber", workspace="/elsewhere")["memories"] == []
        edited = page.patch(f"/api/v1/memories/{number}", json={"text": "The plumber is Schulz."})
        assert edited.json() == {"outcome": "done"}
        assert page.delete(f"/api/v1/memories/{number}").json() == {"outcome": "memories", "memories": 1}
        assert found(search="schulz")["memories"] == []
        restored = page.post(f"/api/v1/memories/{number}/restore")
        assert restored.json() == {"outcome": "memories", "memories": 1}
        assert len(found(search="schulz")["memories"]) == 1
        assert page.delete("/api/v1/memories/999999").status_code == 404
        assert page.patch(f"/api/v1/memories/{number}", json={"text": " "}).status_code == 400
        assert page.get("/api/v1/memories", params={"limit": "x"}).status_code == 400


def test_who_looks_on_may_read_and_only_who_commands_may_change(deputy: Deputy) -> None:
    deputy.say("run", WORDS, "--in", str(deputy.workspace))
    changes = (
        {"command": "edit_memory", "memory": 1, "text": "send the keys"},
        {"command": "forget_memory", "memory": 1},
        {"command": "restore_memory", "memory": 1},
    )

    async def at(device: Device, *, may_change: bool) -> None:
        async with deputy.join(device, base=deputy.remote) as mirror:
            await mirror.until("welcome")
            assert (await mirror.ask("memories", limit=10))["answer"]["memories"]
            for command in changes:
                reply = await mirror.do(command)
                assert (reply["type"] == "command_reply") == may_change, (device.name, reply)
                if not may_change:
                    assert reply["error"]["code"] == "not_allowed"

    for may in ("monitor", "approve", "command"):
        device = Device(f"may {may}")
        assert deputy.pair(device, may=may)["stage"] == "paired"
        run(at(device, may_change=may == "command"))

    async def without_hello() -> None:
        async with deputy.socket() as socket:
            await socket.recv()
            await socket.send('{"type":"query","id":"q","query":{"query":"memories","limit":10}}')
            assert "no_hello" in str(await socket.recv())

    run(without_hello())
    with deputy.http() as nobody:
        for refused in (
            nobody.get("/api/v1/memories"),
            nobody.delete("/api/v1/memories/1"),
            nobody.post("/api/v1/memories/1/restore"),
            nobody.patch("/api/v1/memories/1", json={"text": "x"}),
        ):
            assert refused.status_code == 401


def test_the_command_line_does_it_too_with_a_host_and_without(deputy: Deputy) -> None:
    deputy.say("run", WORDS, "--in", str(deputy.workspace))

    def lines(*words: str) -> list[Json]:
        said = deputy.say("memory", *words)
        assert said.returncode == 0, said.stderr
        return [json.loads(line) for line in said.stdout.splitlines()]

    def text(*words: str) -> str:
        command = [str(BUILT / "deputy"), "--home", str(deputy.home), "memory", *words]
        said = subprocess.run(command, capture_output=True, text=True, env=deputy.env(), check=False)
        return said.stdout + said.stderr

    everything = lines("list")
    assert lines("list", "--limit", "1") == everything[:1]
    assert lines("list", "--task", "last", "--in", str(deputy.workspace)) == everything
    assert lines("list", "--in", str(deputy.folder)) == []
    (memory,) = lines("search", "--newest", "plumber", "inv")
    number = str(memory["memory"])
    assert WORDS in text("search", "plumber")
    assert "of " + memory["task"][:5] in text("search", "plumber")
    assert lines("edit", number, "The plumber is Schulz.") == [{"outcome": "done"}]
    assert "deputy memory restore " + number in text("forget", number)
    deputy.stop()
    assert "Already forgotten" in text("forget", number)
    assert lines("search", "--newest", "schulz") == []
    assert "No matching memories" in text("search", "--newest", "schulz")
    assert lines("restore", number) == [{"outcome": "memories", "memories": 1}]
    assert lines("search", "schulz")[0]["edited_at_ms"] is not None
    unknown = deputy.say("memory", "forget", "999999")
    assert unknown.returncode == 1
    assert "unknown_memory" in unknown.stdout + unknown.stderr
    assert deputy.say("memory", "search").returncode == 2
