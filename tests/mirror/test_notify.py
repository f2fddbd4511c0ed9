"""Notifications: announced once per channel, encrypted for the relay, and withdrawn after the answer."""

from __future__ import annotations

import asyncio
import base64
import datetime
import json
import os
import queue
import signal
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from deputy import Deputy, Device, Json, start_task, steps, turns


class Relay:
    """A server with the part of ntfy that a sender uses."""

    def __init__(self) -> None:
        self.came: queue.Queue[tuple[str, str]] = queue.Queue()
        self.refused: queue.Queue[str] = queue.Queue()
        self.refuse = False
        relay = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"])).decode()
                if relay.refuse:
                    relay.refused.put(self.path)
                else:
                    relay.came.put((self.path, body))
                self.send_response(503 if relay.refuse else 200)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def topic(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/deputy-topic"


def unseal(device: Device, body: str) -> Json:
    sealed = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
    public, secret = sealed[:65], sealed[65:]
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public)
    own = device.seal_key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    shared = device.seal_key.exchange(ec.ECDH(), theirs)
    key = HKDF(SHA256(), 32, public + own, b"deputy-notice-1").derive(shared)
    return json.loads(AESGCM(key).decrypt(bytes(12), secret, None))


@pytest.fixture
def relay() -> Iterator[Relay]:
    relay = Relay()
    yield relay
    relay.server.shutdown()


def set_up(relay: Relay, script: Json | None = None, **settings: Any) -> tuple[Deputy, Device]:
    deputy = Deputy(script or steps(1))
    told = deputy.folder / "told"
    deputy.config |= {
        "notify.ntfy": relay.topic,
        "notify.command": ["/bin/sh", "-c", f'echo "$0" >> {told}'],
    } | settings
    phone = Device()
    deputy.start().pair(phone)
    return deputy, phone


def test_told_once_sealed_and_taken_back(relay: Relay) -> None:
    deputy, phone = set_up(relay)

    async def work() -> tuple[list[Json], Json]:
        async with deputy.join() as desktop:
            await desktop.do(start_task(deputy))
            request = await desktop.open_request()
            # Waits for the notice, so that it is sent before the answer withdraws it.
            first = await asyncio.to_thread(relay.came.get, timeout=60)
            async with deputy.join(phone, base=deputy.remote) as mirror:
                await mirror.do(phone.answer(request, now_ms=mirror.now_ms()))
            await desktop.until("notice", kind="ended")
            relay.came.put(first)
            return [m for m in desktop.seen if m["type"] == "notice"], request

    try:
        notices, request = asyncio.run(asyncio.wait_for(work(), 120))
        told = [(n["id"], n["kind"], n["withdrawn"]) for n in notices]
        task = request["task"]
        assert told == [
            (request["id"], "request", False),
            (request["id"], "request", True),
            (task, "ended", False),
        ]
        came = [relay.came.get(timeout=60) for _ in range(3)]
        assert {path for path, _ in came} == {f"/deputy-topic-{phone.id}"}
        assert all(request["id"] not in body and "echo" not in body for _, body in came)
        opened = [unseal(phone, body) for _, body in came]
        assert sorted((n["id"], n["withdrawn"]) for n in opened) == sorted(
            (id_, over) for id_, _, over in told
        )
        assert len(lines(deputy, 2)) == 2, "the request and the end; a command takes nothing back"
    finally:
        deputy.close()


def around_now() -> str:
    """Returns quiet hours that began an hour ago and last another hour."""
    now = datetime.datetime.now()
    hour = datetime.timedelta(hours=1)
    return f"{now - hour:%H:%M}-{now + hour:%H:%M}"


def lines(deputy: Deputy, wanted: int) -> list[str]:
    """Returns what the user's command received, once it has this many lines."""
    told, deadline = deputy.folder / "told", time.monotonic() + 60
    while True:
        found = told.read_text().splitlines() if told.exists() else []
        if len(found) >= wanted or time.monotonic() > deadline:
            return found
        os.sched_yield()


def test_after_quiet_hours_what_still_waits_is_told_once(relay: Relay) -> None:
    script = turns("touch a", None, "touch b", None)
    deputy, phone = set_up(relay, script, **{"notify.quiet": around_now()})

    async def two_tasks() -> Json:
        async with deputy.join() as desktop:
            await desktop.do(start_task(deputy, "one"))
            first = await desktop.open_request()
            choice = {"choice": "deny", "reason": ""}
            answer = {"request": first["id"], "digest": first["digest"], "choice": choice}
            await desktop.do({"command": "answer_permission", "answer": answer | {"by": {"by": "expiry"}}})
            await desktop.event("stopped")
            await desktop.do(start_task(deputy, "two"))
            second = await desktop.open_request()
            assert second["id"] != first["id"]
            # All notices up to now are delivered before the answer to this.
            await desktop.ask("state")
            assert [m for m in desktop.seen if m["type"] == "notice"] == []
            return second

    try:
        second = asyncio.run(asyncio.wait_for(two_tasks(), 120))
        assert relay.came.empty()
        assert lines(deputy, 0) == []
        # After a crash, and after the quiet hours: open requests are announced, as is the end that was not announced
        # yet.
        del deputy.config["notify.quiet"]
        deputy.restart()
        came = [unseal(phone, relay.came.get(timeout=60)[1]) for _ in range(2)]
        assert sorted((n["kind"], n["withdrawn"]) for n in came) == [("ended", False), ("request", False)]
        assert second["id"] in [n["id"] for n in came]
        # The next process does not announce them again. It ends the task, and that is its first notice.
        deputy.restart(signal.SIGTERM)
        assert deputy.say("deny", second["id"]).returncode == 0
        after = [unseal(phone, relay.came.get(timeout=60)[1]) for _ in range(2)]
        assert [(n["kind"], n["withdrawn"]) for n in after] == [("request", True), ("ended", False)]
        assert len(lines(deputy, 3)) == 3, "a request and two ends; a command takes nothing back"
    finally:
        deputy.close()


def test_a_relay_that_was_away_and_a_crash_lose_no_notice(relay: Relay) -> None:
    relay.refuse = True
    deputy, phone = set_up(relay)

    async def park() -> Json:
        async with deputy.join() as desktop:
            await desktop.do(start_task(deputy))
            return await desktop.open_request()

    try:
        request = asyncio.run(asyncio.wait_for(park(), 120))
        # The relay was tried, and refused.
        relay.refused.get(timeout=60)
        deputy.restart()
        relay.refuse = False
        deputy.restart()
        path, body = relay.came.get(timeout=60)
        assert path == f"/deputy-topic-{phone.id}"
        assert unseal(phone, body)["id"] == request["id"]
        other = Device()
        with pytest.raises(InvalidTag):
            unseal(other, body)
    finally:
        deputy.close()


def test_a_line_shows_no_secret(relay: Relay) -> None:
    """The model's text may contain a secret, which must not appear on a lock screen."""
    token = "ghp_" + "a1B2" * 9
    deputy, phone = set_up(
        relay, script=steps(1, f"curl -H 'Authorization: token {token}' http://127.0.0.1/")
    )

    async def park() -> None:
        async with deputy.join() as desktop:
            await desktop.do(start_task(deputy))
            await desktop.open_request()

    try:
        asyncio.run(asyncio.wait_for(park(), 120))
        notice = unseal(phone, relay.came.get(timeout=60)[1])
        assert token not in notice["text"]
        told = lines(deputy, 1)
        assert len(told) == 1
        assert token not in told[0]
        assert token not in (deputy.folder / "log").read_text()
    finally:
        deputy.close()
