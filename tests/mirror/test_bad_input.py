"""Every refused input gets a typed error code, and a log line with the code but without the input."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket as sockets
import struct
from typing import Any

import httpx
import pytest
from deputy import UNCHECKED, Deputy, Device, Json, b64, serving, start_task, steps
from websockets.exceptions import ConnectionClosed

# Contained in everything that is sent, if possible. It must never appear in the log.
MARK = "hunter2-" + secrets.token_hex(8)


def run(coroutine: Any) -> Any:
    return asyncio.run(asyncio.wait_for(coroutine, 120))


class Log:
    """The server's log since the last check."""

    def __init__(self, deputy: Deputy) -> None:
        self._file = deputy.folder / "log"
        self._seen = self._file.stat().st_size

    def refused(self, code: str) -> None:
        text = self._file.read_bytes()
        new, self._seen = text[self._seen :].decode(), len(text)
        assert any(line.endswith(f"refused: {code}") for line in new.splitlines()), (code, new)
        assert MARK not in new


def decided(deputy: Deputy) -> int:
    """Checks that no answer took effect and no task was started."""
    with deputy.page() as page:
        tasks = page.get("/api/v1/tasks").json()["tasks"]
        assert len(tasks) == 1
        events = page.get(f"/api/v1/tasks/{tasks[0]['id']}/history?limit=500").json()["events"]
    kinds = [record["event"]["type"] for record in events]
    return kinds.count("permission_answered") + kinds.count("tool_started")


def test_what_is_said_before_the_hello_is_true(deputy: Deputy) -> None:
    log = Log(deputy)
    hello = {"type": "hello", "protocol": 1, "follow": True}
    phone, gone = deputy.phone, deputy.gone
    unknown = Device()
    unknown.id, unknown.pin = MARK, phone.pin

    async def first(make: Any, base: str | None = None) -> str:
        async with deputy.socket(base) as socket:
            challenge = json.loads(await socket.recv())["challenge"]
            message = make(challenge)
            await socket.send(message if isinstance(message, (str, bytes)) else json.dumps(message))
            error = json.loads(await socket.recv())
            with pytest.raises(ConnectionClosed):
                await socket.recv()
            return str(error["error"]["code"])

    cases: list[tuple[Any, str | None, str]] = [
        (lambda _: {"type": "query", "id": MARK, "query": {"query": "state"}}, None, "no_hello"),
        (lambda _: f'{{"type":"hello","{MARK}', None, "no_hello"),
        (lambda _: MARK.encode(), None, "bad_message"),
        (lambda _: hello, None, "no_proof"),
        (lambda _: {**hello, "protocol": 99}, None, "protocol"),
        (lambda _: {**hello, "proof": {"proof": "session", "session": MARK}}, None, "bad_session"),
        (lambda _: {**hello, "proof": phone.proof(MARK)}, deputy.remote, "bad_signature"),
        (lambda c: {**hello, "proof": phone.proof(c, MARK)}, deputy.remote, "bad_signature"),
        (lambda c: {**hello, "proof": phone.proof(c) | {"device": deputy.other.id}}, deputy.remote, "bad_signature"),
        (lambda c: {**hello, "proof": unknown.proof(c)}, deputy.remote, "unknown_device"),
        (lambda c: {**hello, "proof": gone.proof(c)}, deputy.remote, "unknown_device"),
    ]  # fmt: skip
    for make, base, code in cases:
        assert run(first(make, base)) == code
        log.refused(code)
    assert decided(deputy) == 0


def test_no_answer_but_the_true_one_counts(deputy: Deputy) -> None:
    log = Log(deputy)

    async def attack() -> None:
        async with (
            deputy.join(deputy.phone, base=deputy.remote) as mirror,
            deputy.join(deputy.watcher, base=deputy.remote) as watcher,
            deputy.join() as desktop,
        ):
            request = await mirror.open_request()
            now = mirror.now_ms()
            phone = deputy.phone
            other: Json = {**request, "id": "r" + MARK}
            changed: Json = {**request, "digest": "0" * 64}
            answer = phone.answer
            cases: list[tuple[Any, Json, str]] = [
                (mirror, answer(other, now_ms=now), "unknown_request"),
                (mirror, answer(changed, now_ms=now), "changed"),
                (mirror, answer(request, "allow minutes 7", now_ms=now), "not_offered"),
                (mirror, answer(request, now_ms=now - 61_000), "signature_over"),
                (mirror, answer(request, now_ms=now + 120_000), "signature_over"),
                (mirror, answer(request, now_ms=now, by__signature=b64(bytes(64))), "bad_signature"),
                (mirror, answer(request, "deny", now_ms=now, why=MARK, choice__reason="x"), "bad_signature"),
                (mirror, answer(request, now_ms=now, by={"by": "local", "screen": MARK}), "unsigned"),
                (watcher, deputy.watcher.answer(request, now_ms=now), "not_allowed"),
                (watcher, {"command": "start", "goal": MARK, "workspace": "/"}, "not_allowed"),
                (desktop, {"command": "answer_question", "request": "q", "text": MARK}, "unknown_request"),
                (desktop, {"command": "steer", "task": "t" + MARK, "text": MARK}, "unknown_task"),
                (desktop, {**start_task(deputy, MARK), "standing_consent": "high"}, "not_offered"),
                (desktop, {**start_task(deputy, " ")}, "empty_goal"),
            ]
            for who, command, code in cases:
                reply = await who.do(command)
                assert reply["type"] == "error", (command, reply)
                assert reply["error"]["code"] == code, (command, reply)
                log.refused(code)
            for text in (f'{{"{MARK}', f'"{MARK}"', "[" * 10_000, "\x00", f'{{"type":"{MARK}"}}'):
                await desktop.socket.send(text)
                while (reply := await desktop.next())["type"] != "error":
                    pass
                assert reply["error"]["code"] == "bad_message"
                log.refused("bad_message")

    run(attack())
    assert decided(deputy) == 0


def test_requests_over_http_are_refused_by_code(deputy: Deputy) -> None:
    log = Log(deputy)
    session = deputy.session()
    port = deputy.base.rsplit(":", 1)[1]
    bearer = {"Authorization": f"Bearer {session}"}
    deep = "[" * 10_000
    with deputy.http() as http, httpx.Client(base_url=deputy.remote, verify=UNCHECKED) as remote:
        post = http.post
        kinds: list[tuple[Any, str]] = [
            (lambda: http.get("/api/v1/state"), "no_proof"),
            (lambda: http.get("/api/v1/state", headers={"Authorization": f"Bearer {MARK}"}), "bad_session"),
            (lambda: http.get("/api/v1/state", headers={"Authorization": f"Basic {MARK}"}), "no_proof"),
            (lambda: http.get("/api/v1/state", headers={"Host": f"{MARK}:{port}"}), "foreign_host"),
            (lambda: http.get("/api/v1/state", headers={"Origin": f"http://{MARK}"}), "foreign_origin"),
            (lambda: http.get(f"/api/v1/state?token={MARK}"), "secret_in_address"),
            (lambda: http.get(f"/api/v1/tasks/{MARK}", headers=bearer), "unknown_task"),
            (lambda: http.get("/api/v1/events", headers={**bearer, "Last-Event-ID": MARK}), "bad_event_id"),
            (lambda: http.get(f"/api/v1/tasks?limit={MARK}", headers=bearer), "bad_query"),
            (lambda: post("/api/v1/commands", content=MARK, headers=bearer), "bad_body"),
            (lambda: post("/api/v1/commands", content=deep, headers=bearer | JSON), "bad_body"),
            (lambda: post("/api/v1/commands", content=b'{"\xff', headers=bearer | JSON), "bad_body"),
            (lambda: post("/api/v1/commands", content=b" " * 300_000, headers=bearer | JSON), "bad_body"),
            (lambda: post("/api/v1/session", json={"by": "link", "token": MARK}), "bad_link"),
            (lambda: remote.post("/api/v1/pairing", json=CLAIM, headers={"Origin": deputy.remote}), "bad_pairing"),
        ]  # fmt: skip
        for ask, code in kinds:
            answer = ask()
            assert answer.status_code >= 400, (code, answer.text)
            assert answer.json()["code"] == code, answer.text
            log.refused(code)
    assert decided(deputy) == 0


JSON = {"Content-Type": "application/json"}
CLAIM = {"code": MARK, "name": MARK, "sign_key": MARK}


def test_the_terminals_socket_takes_nothing_broken_either(deputy: Deputy) -> None:
    log = Log(deputy)

    def say(content: bytes, hello: bool = True) -> list[Json]:
        with sockets.socket(sockets.AF_UNIX) as line:
            line.connect(str(deputy.home / "host.sock"))
            line.settimeout(60)
            if hello:
                line.sendall(b'{"type":"hello","protocol":1,"follow":false}\n')
            # The server may close the connection while this still sends.
            try:
                line.sendall(content)
                line.shutdown(sockets.SHUT_WR)
            except (BrokenPipeError, ConnectionResetError):
                pass
            told = b""
            try:
                while piece := line.recv(65_536):
                    told += piece
            except ConnectionResetError:
                pass
        return [json.loads(one) for one in told.splitlines()]

    for content in (
        b"\xff\xfe\n",
        b'{"' + MARK.encode() + b"\n",
        b"[" * 10_000 + b"\n",
        b"x" * 2_000_000 + b"\n",
    ):
        errors = [message["error"]["code"] for message in say(content) if message["type"] == "error"]
        # For an endless line, the socket may be closed before the error is read.
        assert errors == ["bad_message"] or len(content) > 1_000_000, errors
        log.refused("bad_message")
    for content in (b'{"type":"query","id":"q","query":{"query":"state"}}\n', b"\n", b"{}\n"):
        assert [message["error"]["code"] for message in say(content, hello=False)] == ["no_hello"]
        log.refused("no_hello")
    assert decided(deputy) == 0


def test_a_message_in_a_hundred_thousand_frames_is_one_message(deputy: Deputy) -> None:
    """Empty fragments of a message must not bypass the message limit. The message ends as unreadable."""
    log = Log(deputy)

    async def attack() -> None:
        async with deputy.join() as flooding, deputy.join() as beside:
            await flooding.until("snapshot")
            await beside.until("snapshot")
            mask = struct.pack(">I", 0)
            flooding.socket.transport.write(b"\x01\x80" + mask)
            for _ in range(100):
                flooding.socket.transport.write((b"\x00\x80" + mask) * 1_000)
            flooding.socket.transport.write(b"\x80\x80" + mask)
            assert (await beside.ask("state"))["type"] == "query_reply"
            while (reply := await flooding.next())["type"] != "error":
                pass
            assert reply["error"]["code"] in ("bad_message", "bad_frame")
            log.refused(reply["error"]["code"])

    run(attack())


def test_an_answer_counts_once_and_never_again() -> None:
    """The same signed answer for the next request, and again for its own request after a restart."""
    with serving(steps(2)) as deputy:
        phone = Device()
        deputy.pair(phone)
        kept: list[Json] = []

        async def first() -> None:
            async with deputy.join() as desktop:
                await desktop.do(start_task(deputy))
            async with deputy.join(phone, base=deputy.remote) as mirror:
                request = await mirror.open_request()
                kept.append(phone.answer(request, now_ms=mirror.now_ms()))
                assert (await mirror.do(kept[0]))["type"] == "command_reply"
                await mirror.event("permission_requested")

        async def again() -> None:
            async with deputy.join(phone, base=deputy.remote) as mirror:
                later = await mirror.open_request()
                moved = {**kept[0]["answer"], "request": later["id"], "digest": later["digest"]}
                reply = await mirror.do({"command": "answer_permission", "answer": moved})
                assert reply["error"]["code"] == "bad_signature"
                # For its own request it changes nothing, however often it is sent.
                reply = await mirror.do(kept[0])
                assert reply["type"] == "command_reply", reply
                # A new answer with a used nonce.
                nonce = kept[0]["answer"]["by"]["nonce"]
                replayed = phone.answer(later, now_ms=mirror.now_ms(), nonce=nonce)
                reply = await mirror.do(replayed)
                assert reply["error"]["code"] == "replayed"

        run(first())
        run(again())
        deputy.restart()
        run(again())
        assert len((deputy.workspace / "done.txt").read_text().splitlines()) == 1
