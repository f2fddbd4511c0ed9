"""Tests the watch, which holds the connection while the app is closed: its reports and its answers."""

from __future__ import annotations

import asyncio
import collections
import os
import random
import signal
from pathlib import Path

from chaos import proxy
from deputy import Device, Json, serving, start_task, steps, turns
from phone import Java, done, history, pair, start

#: `DEPUTY_APPROVALS=1000` for all; each is a call that waits for an answer.
APPROVALS = int(os.environ.get("DEPUTY_APPROVALS", "24"))
SEED = int(os.environ.get("SEED", str(random.randrange(1 << 32))))
LIMITS: Json = {
    "limits.max_iterations": 100_000,
    "limits.max_wall_secs": 1_000_000,
    "limits.max_tokens": 1_000_000_000,
    "limits.brake_after": 1_000,
}


def waits(count: int, told: Json) -> bool:
    return told.get("told") == "waiting" and told["connected"] and len(told["requests"]) == count


def watching(java: Java, count: int) -> list[str]:
    """Waits for this many requests, and returns their ids."""
    return list(java.until(lambda told: waits(count, told))["requests"])


def another(java: Java, before: list[str]) -> str:
    """Waits for a request other than the previous one, and returns its id."""
    told = java.until(lambda told: waits(1, told) and told["requests"] != before)
    return str(told["requests"][0])


def asked(java: Java, request: str) -> None:
    java.until(lambda told: request in told.get("requests", []))


def answered(java: Java, request: str) -> str:
    """Waits for the report of how a request was answered."""
    told = java.until(lambda told: told.get("told") == "answered" and told["request"] == request)
    return str(told["choice"])


def test_a_request_is_told_answered_and_withdrawn(java: Java) -> None:
    with serving(steps(3)) as deputy:
        pair(deputy, java)
        java.say("watch now")
        watching(java, 0)
        start(deputy)
        [first] = watching(java, 1)
        java.say(f"answer {first} allow")
        told = java.until(lambda told: told.get("told") == "answered")
        assert (told["request"], told["choice"]) == (first, "allow")
        second = another(java, [first])
        # Answered elsewhere: the notification disappears.
        with deputy.page():
            deputy.say("deny", second, "--reason", "from the desk")
        told = java.until(lambda told: told.get("told") == "answered")
        assert (told["request"], told["choice"]) == (second, "deny")
        third = another(java, [second])
        java.say(f"answer {third} deny")
        watching(java, 0)
        assert len(done(deputy)) == 1


def test_what_is_answered_while_the_host_is_gone_is_not_kept_for_later(java: Java) -> None:
    with serving(steps(1) | {"by_conversation": True}) as deputy:
        pair(deputy, java)
        java.say("watch now")
        start(deputy)
        [request] = watching(java, 1)
        deputy.stop(signal.SIGKILL)
        java.until(lambda told: told.get("told") == "waiting" and not told["connected"])
        java.say(f"answer {request} allow")
        assert java.next_told()["told"] in ("undelivered", "waiting")
        deputy.start()
        assert watching(java, 1) == [request], "read again, and still open"
        assert done(deputy) == []
        java.say(f"answer {request} allow")
        told = java.until(lambda told: told.get("told") == "answered")
        assert told["choice"] == "allow"
        answers = [record for record in history(deputy) if record["event"]["type"] == "permission_answered"]
        assert len(answers) == 1


def test_a_phone_that_is_revoked_is_dismissed(java: Java) -> None:
    with serving(steps(1)) as deputy:
        pair(deputy, java)
        java.say("watch now")
        watching(java, 0)
        with deputy.page() as page:
            [device] = page.get("/api/v1/devices").json()["devices"]
            page.delete(f"/api/v1/devices/{device['id']}")
        told = java.until(lambda told: told.get("told") == "dismissed")
        assert told["code"] in ("revoked", "unknown_device")


def test_approvals_over_a_line_that_is_cut_at_random(java: Java) -> None:
    """No answer is lost, duplicated, or reported with the wrong outcome."""
    print(f"SEED={SEED}")
    rng = random.Random(SEED)
    with serving(steps(APPROVALS)) as deputy:
        deputy.config.update(LIMITS)
        deputy.restart()
        address = pair(deputy, java)
        with proxy(address, SEED, cut=0.03, delay=0.05) as chaos:
            java(f"addresses 127.0.0.1:{chaos.port}")
            java.say("watch now")
            watching(java, 0)
            start(deputy)
            said: dict[str, str] = {}
            open_now: list[str] = []
            told_answered: dict[str, str] = {}
            again: set[str] = set()
            undelivered = 0
            is_connected = True
            over = 0
            while over < APPROVALS:
                told = java.next_told()
                if told["told"] == "waiting":
                    is_connected = bool(told["connected"])
                if told["told"] == "waiting" and told["connected"]:
                    open_now = told["requests"]
                    fresh = [request for request in open_now if request not in said]
                    for request in fresh:
                        said[request] = "deny" if rng.random() < 0.05 else "allow"
                        java.say(f"answer {request} {said[request]}")
                    # Answers that were reported as undelivered are given again once the host is back.
                    for request in [request for request in open_now if request in again]:
                        again.remove(request)
                        java.say(f"answer {request} {said[request]}")
                elif told["told"] == "undelivered":
                    undelivered += 1
                    again.add(told["request"])
                    # Waiting requests were reported before this. Without a connection, they are reported
                    # once there is one.
                    if is_connected:
                        again.remove(told["request"])
                        java.say(f"answer {told['request']} {said[told['request']]}")
                elif told["told"] == "answered":
                    assert told["request"] not in told_answered, "told once"
                    told_answered[told["request"]] = told["choice"]
                    over += 1
                else:
                    assert told["told"] == "waiting", told
                    # As if the phone had found another network.
                    java.say("poke now")
            events = [record["event"] for record in history(deputy)]
        asked = [event["request"]["id"] for event in events if event["type"] == "permission_requested"]
        answered = [
            (event["request"], event["choice"]["choice"])
            for event in events
            if event["type"] == "permission_answered"
        ]
        assert len(asked) == APPROVALS, "none is lost"
        assert collections.Counter(request for request, _ in answered) == collections.Counter(asked)
        assert dict(answered) == said == told_answered, "each is what was said, and was reported so"
        assert len(done(deputy)) == sum(choice == "allow" for choice in said.values())
        print(f"{len(answered)} answers, {undelivered} given again, {chaos.tally}")
        assert chaos.tally["cuts"] > 0


def test_a_cut_at_every_step_of_an_approval(java: Java) -> None:
    """The connection breaks before, during and after sending an answer. The host also restarts in between."""
    asks = turns(*(f"echo {n} >> done.txt" for n in range(1, 5)), None)
    with serving(asks | {"by_conversation": True}) as deputy:
        pair(deputy, java)
        java.say("watch now")
        watching(java, 0)
        start(deputy)
        before: list[str] = []
        for step in ("before", "with", "after", "never"):
            request = another(java, before)
            before = [request]
            if step == "before":
                deputy.restart()
                assert watching(java, 1) == [request]
            java.say(f"answer {request} allow")
            if step == "with":
                deputy.restart()
                # Either it has arrived, or it is reported as undelivered and given again.
                told = java.until(lambda told: told.get("told") in ("answered", "undelivered"))
                if told["told"] == "undelivered":
                    java.say(f"answer {request} allow")
            if step == "after":
                java.until(lambda told: told.get("told") == "answered")
                deputy.restart()
        events = history(deputy)
        while sum(record["event"]["type"] == "permission_answered" for record in events) < 4:
            java.next_told()
            events = history(deputy)
        answers = [
            record["event"]["request"]
            for record in events
            if record["event"]["type"] == "permission_answered"
        ]
        assert len(answers) == len(set(answers)) == 4
        assert max(collections.Counter(done(deputy)).values()) == 1


def test_two_phones_and_the_desktop_race(java: Java, classes: Path) -> None:
    rounds = min(APPROVALS, 20)
    with serving(steps(rounds)) as deputy:
        deputy.config.update(LIMITS)
        deputy.restart()
        other = Java(classes)
        phones = [java, other]
        for phone in phones:
            pair(deputy, phone)
            phone.say("watch now")
            watching(phone, 0)
        told: dict[str, set[str]] = collections.defaultdict(set)

        async def race() -> None:
            async with deputy.join() as desktop:
                await desktop.do(start_task(deputy))
                for number in range(rounds):
                    request = (await desktop.event("permission_requested"))["request"]
                    for phone in phones:
                        await asyncio.to_thread(asked, phone, request["id"])
                    word = ("allow", "deny")[number % 2]
                    phones[number % 2].say(f"answer {request['id']} allow")
                    phones[1 - number % 2].say(f"answer {request['id']} {word}")
                    choice = {"choice": "deny", "reason": "the desk"}
                    by = {"by": "local", "screen": "desk"}
                    answer = {
                        "request": request["id"],
                        "digest": request["digest"],
                        "choice": choice,
                        "by": by,
                    }
                    await desktop.do({"command": "answer_permission", "answer": answer})
                    for phone in phones:
                        told[request["id"]].add(await asyncio.to_thread(answered, phone, request["id"]))

        asyncio.run(race())
        answers = {
            record["event"]["request"]: record["event"]["choice"]["choice"]
            for record in history(deputy)
            if record["event"]["type"] == "permission_answered"
        }
        assert {request: {choice} for request, choice in answers.items()} == told, "all screens say the same"
        assert len(done(deputy)) == sum(choice == "allow" for choice in answers.values())
        other.end()


def test_a_device_of_another_kind_is_no_different(java: Java) -> None:
    """The same host serves both clients equally: an answer on one is reported to the other."""
    with serving(steps(1)) as deputy:
        phone = Device()
        deputy.pair(phone)
        pair(deputy, java)
        java.say("watch now")
        start(deputy)
        [request] = watching(java, 1)

        async def answer() -> None:
            async with deputy.join(phone, base=deputy.remote) as mirror:
                asked = await mirror.open_request()
                await mirror.do(phone.answer(asked, now_ms=mirror.now_ms()))

        asyncio.run(answer())
        assert java.until(lambda told: told.get("told") == "answered")["request"] == request
