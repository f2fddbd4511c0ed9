"""Notifications: what waits is told once on every channel, sealed for the relay, and taken back when it is answered."""

from __future__ import annotations

import asyncio
import base64
import json
import queue
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from deputy import Deputy, Device, Json, start_task, steps


class Relay:
    """A server that speaks as much of ntfy as a sender sees."""

    def __init__(self) -> None:
        self.came: queue.Queue[tuple[str, str]] = queue.Queue()
        came = self.came

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # noqa: N802 (the library's name)
                body = self.rfile.read(int(self.headers["content-length"])).decode()
                came.put((self.path, body))
                self.send_response(200)
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


def set_up(relay: Relay, **settings: Any) -> tuple[Deputy, Device]:
    deputy = Deputy(steps(1))
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
            # Only now, so that the notice has gone out before the answer takes it back.
            first = await asyncio.to_thread(relay.came.get, timeout=20)
            async with deputy.join(phone, base=deputy.remote) as mirror:
                await mirror.do(phone.answer(request, now_ms=mirror.now_ms()))
            await desktop.until("notice", kind="ended")
            relay.came.put(first)
            return [m for m in desktop.seen if m["type"] == "notice"], request

    try:
        notices, request = asyncio.run(asyncio.wait_for(work(), 60))
        told = [(n["id"], n["kind"], n["withdrawn"]) for n in notices]
        task = request["task"]
        assert told == [
            (request["id"], "request", False),
            (request["id"], "request", True),
            (task, "ended", False),
        ]
        came = [relay.came.get(timeout=20) for _ in range(3)]
        assert {path for path, _ in came} == {f"/deputy-topic-{phone.id}"}
        assert all(request["id"] not in body and "echo" not in body for _, body in came)
        opened = [unseal(phone, body) for _, body in came]
        assert sorted((n["id"], n["withdrawn"]) for n in opened) == sorted(
            (id_, over) for id_, _, over in told
        )
        lines = (deputy.folder / "told").read_text().splitlines()
        assert len(lines) == 2, "the request and the end; a command takes nothing back"
    finally:
        deputy.close()


def test_nobody_is_disturbed_in_quiet_hours(relay: Relay) -> None:
    # All day but a minute in which this test is not likely to run.
    deputy, _ = set_up(relay, **{"notify.quiet": "04:18-04:17"})

    async def work() -> None:
        async with deputy.join() as desktop:
            await desktop.do(start_task(deputy))
            request = await desktop.open_request()
            answer = {
                "request": request["id"],
                "digest": request["digest"],
                "choice": {"choice": "deny", "reason": ""},
            }
            await desktop.do({"command": "answer_permission", "answer": answer | {"by": {"by": "expiry"}}})
            await desktop.event("stopped")
            await desktop.ask("state")
            assert [m for m in desktop.seen if m["type"] == "notice"] == []

    try:
        asyncio.run(asyncio.wait_for(work(), 60))
        assert relay.came.empty()
        assert not (deputy.folder / "told").exists()
    finally:
        deputy.close()
