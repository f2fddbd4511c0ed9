"""Attacks on the mirror: forged, replayed and widened answers, foreign pages, and guessing. None decides a request."""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import socket as sockets
import ssl
from typing import Any

import httpx
import pytest
from deputy import UNCHECKED, Deputy, Device, serving, start_task
from websockets.exceptions import ConnectionClosed, InvalidStatus

# The number of answers with a changed character. The documentation promises 10,000.
MUTATIONS = int(os.environ.get("DEPUTY_MUTATIONS", "300"))
SEED = int(os.environ.get("SEED", str(random.randrange(1 << 32))))
HELLO = {"type": "hello", "protocol": 1, "follow": True}


def run(coroutine: Any) -> Any:
    return asyncio.run(asyncio.wait_for(coroutine, 120))


def answers_in_the_journal(deputy: Deputy) -> int:
    with deputy.page() as page:
        task = page.get("/api/v1/tasks").json()["tasks"][0]["id"]
        events = page.get(f"/api/v1/tasks/{task}/history?limit=500").json()["events"]
    return sum(record["event"]["type"] == "permission_answered" for record in events)


async def refused(deputy: Deputy, hello: Any, base: str | None = None, **options: Any) -> str:
    """Returns the error code for a first message."""
    async with deputy.socket(base, **options) as socket:
        await socket.recv()
        await socket.send(hello if isinstance(hello, (str, bytes)) else json.dumps(hello))
        message = json.loads(await socket.recv())
        assert message["type"] == "error", message
        with pytest.raises(ConnectionClosed):
            await socket.recv()
        return message["error"]["code"]


async def mutate(deputy: Deputy, rng: random.Random, count: int) -> None:
    """Sends answers with a changed character: in the signature, in the signed part, or in the message around it."""
    async with deputy.join(deputy.phone, base=deputy.remote) as mirror:
        request = await mirror.open_request()
        for n in range(count):
            text = json.dumps(deputy.phone.answer(request, now_ms=mirror.now_ms()))
            at = rng.randrange(len(text))
            changed = text[:at] + rng.choice('0aZ_-}"') + text[at + 1 :]
            if changed == text:
                continue
            # Assembled as text, because a mutated message may not be valid JSON.
            envelope = f'{{"type":"command","envelope":{{"id":"m{n}","command":{changed}}}}}'
            await mirror.socket.send(envelope)
            reply = await mirror.next()
            while reply["type"] not in ("error", "command_reply"):
                reply = await mirror.next()
            # A change in the signature or in the signed part never leads to an approval.
            assert reply["type"] == "error", (changed, reply)


def test_mutated_answers_decide_nothing(deputy: Deputy) -> None:
    print(f"SEED={SEED}")

    async def attack() -> None:
        async with deputy.join(deputy.phone, base=deputy.remote) as mirror:
            request = await mirror.open_request()
            now = mirror.now_ms()
            phone = deputy.phone
            codes: dict[str, str] = {}

            async def attempt(name: str, command: Any) -> None:
                reply = await mirror.do(command)
                assert reply["type"] == "error", (name, reply)
                codes[name] = reply["error"]["code"]

            fresh = lambda **change: phone.answer(request, now_ms=now, **change)  # noqa: E731
            await attempt("unsigned", fresh(by={"by": "local", "screen": "terminal"}))
            await attempt("by the clock", fresh(by={"by": "expiry"}))
            await attempt("by consent", fresh(by={"by": "standing", "up_to": "high"}))
            await attempt("digest", fresh(digest="0" * 64))
            await attempt("request", fresh(request="rxxxxxxxxxx"))
            await attempt("choice", fresh(choice={"choice": "allow", "lifetime": {"for": "always"}}))
            await attempt(
                "yes from no",
                phone.answer(
                    request, "deny", now_ms=now, choice={"choice": "allow", "lifetime": {"for": "once"}}
                ),
            )
            await attempt("reason", phone.answer(request, "deny", now_ms=now, why="a", choice__reason="b"))
            await attempt("expiry", fresh(by__expires_at_ms=now + 100_000))
            await attempt("nonce", fresh(by__nonce=secrets.token_urlsafe(16)))
            await attempt("short nonce", fresh(by__nonce="short"))
            await attempt("device", fresh(by__device=deputy.other.id))
            await attempt("no signature", fresh(by__signature=""))
            await attempt("another's signature", fresh(by__signature=deputy.other.sign("x")))
            await attempt("another's answer", deputy.other.answer(request, now_ms=now))
            await attempt("a revoked one's answer", deputy.gone.answer(request, now_ms=now))
            await attempt("too old", phone.answer(request, now_ms=now - 61_000))
            await attempt("from the future", phone.answer(request, now_ms=now + 120_000))
            await attempt("not offered", phone.answer(request, "allow minutes 7", now_ms=now))
            assert codes["unsigned"] == codes["by consent"] == codes["by the clock"] == "unsigned"
            assert codes["too old"] == codes["from the future"] == "signature_over"
            assert codes["not offered"] == "not_offered"
            assert {
                codes[name]
                for name in (
                    "digest",
                    "request",
                    "choice",
                    "yes from no",
                    "reason",
                    "expiry",
                    "nonce",
                    "device",
                )
            } == {"bad_signature"}

    run(attack())
    rng = random.Random(SEED)
    # The number per connection, which has a message limit.
    for begun in range(0, MUTATIONS, 300):
        run(mutate(deputy, rng, min(300, MUTATIONS - begun)))
    assert answers_in_the_journal(deputy) == 0


def test_an_answer_to_a_question_names_the_device_that_sent_it() -> None:
    """Questions are not signed, so the host takes the device from the connection, whatever the message says."""
    question = {"name": "ask_user", "arguments": {"question": "Which color?"}}
    script = {"turns": [{"type": "tool_calls", "calls": [question]}, {"type": "text", "text": "done"}]}
    with serving(script) as deputy:
        phone = Device()
        deputy.pair(phone)

        async def answer() -> dict[str, Any]:
            async with deputy.join() as desktop, deputy.join(phone, base=deputy.remote) as mirror:
                await desktop.do(start_task(deputy))
                asked = await desktop.event("question_asked")
                for forged in ({"by": "local", "screen": "terminal"}, None):
                    command = {
                        "command": "answer_question",
                        "request": asked["question"]["id"],
                        "text": "Blue",
                    }
                    reply = await mirror.do({**command, "by": forged})
                    assert reply["type"] == "command_reply", reply
                return await desktop.event("question_answered")

        assert run(answer())["by"] == {"by": "device", "device": phone.id, "name": phone.name}


def test_a_device_does_not_decide_which_programs_run() -> None:
    """The terminal of a task is the one of the machine's own user. A device names none."""
    script = {"turns": [{"type": "text", "text": "done"}] * 2}
    terminal = {"path": "/tmp/planted:/usr/bin", "virtual_env": "/tmp/planted"}
    with serving(script) as deputy:
        phone = Device()
        deputy.pair(phone, "approve,command")

        async def start() -> list[Any]:
            async with deputy.join() as desktop, deputy.join(phone, base=deputy.remote) as mirror:
                specs = []
                for who in (mirror, desktop):
                    reply = await who.do({**start_task(deputy), "terminal": terminal})
                    assert reply["type"] == "command_reply", reply
                    specs.append((await desktop.event("created"))["spec"]["terminal"])
                    await desktop.event("stopped")
                return specs

        assert run(start()) == [None, terminal]


def test_a_watcher_cannot_answer_and_nobody_widens_a_scope(deputy: Deputy) -> None:
    async def attack() -> None:
        async with deputy.join(deputy.watcher, base=deputy.remote) as mirror:
            request = await mirror.open_request()
            reply = await mirror.do(deputy.watcher.answer(request, now_ms=mirror.now_ms()))
            assert reply["error"]["code"] == "not_allowed"
            own = ("devices", "pairing", "settings", "find_servers", "doctor", "rules")
            for query in own:
                assert (await mirror.ask(query))["error"]["code"] == "not_allowed"
            for query, what in {
                "check_backend": {"backend": "offline"},
                "explain": {"command": "ls", "workspace": "/"},
            }.items():
                assert (await mirror.ask(query, **what))["error"]["code"] == "not_allowed"
            for command in (
                {"command": "link"},
                {"command": "start_pairing", "scopes": ["command"]},
                {"command": "change_settings", "changes": [{"key": "backend", "value": "offline"}]},
                {"command": "set_key", "backend": "openai_compatible", "key": "sk-from-elsewhere"},
                {"command": "revoke_grant", "grant": "g"},
            ):
                assert (await mirror.do(command))["error"]["code"] == "not_allowed"
        async with deputy.socket(deputy.remote) as socket:
            challenge = json.loads(await socket.recv())["challenge"]
            widened = {
                **HELLO,
                "scopes": ["command"],
                "proof": deputy.watcher.proof(challenge) | {"scopes": ["command"]},
            }
            await socket.send(json.dumps(widened))
            assert json.loads(await socket.recv())["scopes"] == ["monitor"]

    run(attack())


def test_only_a_true_proof_comes_in(deputy: Deputy) -> None:
    async def attack() -> None:
        phone = deputy.phone
        assert await refused(deputy, HELLO) == "no_proof"
        assert (
            await refused(
                deputy, {**HELLO, "proof": {"proof": "session", "session": "page.99999999999999.AAAA"}}
            )
            == "bad_session"
        )
        assert await refused(deputy, {**HELLO, "protocol": 2}) == "protocol"
        assert (
            await refused(deputy, {**HELLO, "proof": phone.proof("another challenge")}, deputy.remote)
            == "bad_signature"
        )
        # The desktop's session is not valid on the listener for devices.
        page = {"proof": "session", "session": deputy.session()}
        assert await refused(deputy, {**HELLO, "proof": page}, deputy.remote) == "bad_session"
        for first in (
            "{}",
            "",
            "null",
            "[" * 10_000,
            '{"type":"hello","type":"hello"}',
            '{"type":"command"}',
            "\x00",
        ):
            assert await refused(deputy, first) == "no_hello"
        assert await refused(deputy, b"\xff\xfe") == "bad_message"
        # Each command before the hello.
        for command in (
            "start",
            "stop",
            "pause",
            "resume",
            "steer",
            "answer_question",
            "answer_permission",
            "undo",
            "resume_job",
            "undo_job",
        ):
            message = {
                "type": "command",
                "envelope": {"id": "a", "command": {"command": command, "task": "t", "text": ""}},
            }
            assert await refused(deputy, message) == "no_hello"
        async with deputy.socket(deputy.remote) as one, deputy.socket(deputy.remote) as two:
            theirs = json.loads(await one.recv())["challenge"]
            await two.recv()
            await two.send(json.dumps({**HELLO, "proof": phone.proof(theirs)}))
            assert json.loads(await two.recv())["error"]["code"] == "bad_signature", (
                "the challenge of another connection"
            )
        async with deputy.socket(deputy.remote) as socket:
            challenge = json.loads(await socket.recv())["challenge"]
            await socket.send(json.dumps({**HELLO, "proof": phone.proof(challenge, "another server")}))
            assert json.loads(await socket.recv())["error"]["code"] == "bad_signature", (
                "signed for another channel"
            )
        async with deputy.socket(deputy.remote) as socket:
            challenge = json.loads(await socket.recv())["challenge"]
            await socket.send(json.dumps({**HELLO, "proof": deputy.gone.proof(challenge)}))
            assert json.loads(await socket.recv())["error"]["code"] == "unknown_device"

    run(attack())


def test_foreign_pages_hosts_and_addresses(deputy: Deputy) -> None:
    own = deputy.base

    async def attack() -> None:
        for origin in (
            None,
            "null",
            "http://evil.example",
            own + ".evil.example",
            own.replace("http", "https"),
            "http://localhost:1",
            "file://",
        ):
            with pytest.raises(InvalidStatus) as caught:
                async with deputy.socket(origin=origin):
                    pass
            assert caught.value.response.status_code == 403
        with pytest.raises(InvalidStatus):
            async with deputy.socket(additional_headers={"Sec-Fetch-Site": "cross-site"}):
                pass

    run(attack())
    session = deputy.session()
    secret = {"Authorization": f"Bearer {session}"}
    with httpx.Client(base_url=own) as http:
        get = lambda path, **headers: http.get(path, headers=headers)  # noqa: E731
        assert get("/api/v1/state").json()["code"] == "no_proof"
        assert get("/api/v1/state", **secret).status_code == 200
        for host in (
            "evil.example",
            "evil.example:" + own.rsplit(":", 1)[1],
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.2:" + own.rsplit(":", 1)[1],
            "",
        ):
            assert get("/api/v1/state", Host=host, **secret).status_code in (400, 403), host
        assert get("/api/v1/state", Origin="http://evil.example", **secret).json()["code"] == "foreign_origin"
        assert (
            get("/api/v1/state", **secret, **{"Sec-Fetch-Site": "cross-site"}).json()["code"]
            == "foreign_origin"
        )
        for name in ("token", "session", "access_token", "Token"):
            assert get(f"/api/v1/state?{name}={session}").json()["code"] == "secret_in_address"
        # Headers from proxies about the client are ignored.
        forwarded = {
            "X-Forwarded-For": "127.0.0.1",
            "Forwarded": "for=127.0.0.1;host=localhost",
            "X-Forwarded-Host": "localhost",
        }
        assert get("/api/v1/state", **forwarded).json()["code"] == "no_proof"
        simple = http.post("/api/v1/commands", content="{}", headers={"Content-Type": "text/plain"})
        assert simple.json()["code"] == "foreign_origin"
        assert (
            http.options(
                "/api/v1/commands",
                headers={"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"},
            ).status_code
            == 403
        )
        for path in (
            "/../../etc/passwd",
            "/..%2f..%2fetc/passwd",
            "/assets/../../Cargo.toml",
            "//etc/passwd",
            "/.git/config",
        ):
            assert b"root:" not in get(path).content
            assert b"[package]" not in get(path).content


def test_plain_and_old_connections_do_not_reach_the_devices_door(deputy: Deputy) -> None:
    host, port = deputy.remote.removeprefix("https://").split(":")
    with sockets.create_connection((host, int(port))) as plain:
        plain.sendall(f"GET /api/v1/health HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        assert b"200 OK" not in plain.recv(1000)
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.minimum_version = ssl.TLSVersion.TLSv1
    old.maximum_version = ssl.TLSVersion.TLSv1_1
    old.set_ciphers("ALL:@SECLEVEL=0")
    with (
        sockets.create_connection((host, int(port))) as plain,
        pytest.raises((ssl.SSLError, ConnectionError)),
    ):
        old.wrap_socket(plain)


def test_pairing_codes_cannot_be_guessed_and_need_both_sides(deputy: Deputy) -> None:
    impostor = Device("impostor")
    assert deputy.pair(impostor, accept="no") == {
        "code": "bad_pairing",
        **_rest(deputy.pair(impostor, accept="no")),
    }
    with deputy.page() as page:
        page.post("/api/v1/devices/pairing", json={"scopes": ["command"]})
        begun = page.get("/api/v1/devices/pairing").json()
        code = begun["link"].split("pair=")[1].split("&")[0]
        base = begun["link"].split("/m/#")[0]
        claim = {"name": "guess", "sign_key": impostor.public(impostor.sign_key)}
        with httpx.Client(base_url=base, headers={"Origin": base}, verify=UNCHECKED) as http:
            for n in range(5):
                assert (
                    http.post("/api/v1/pairing", json={"code": f"guess-{n}", **claim}).json()["code"]
                    == "bad_pairing"
                )
            # The right code comes too late: five wrong codes have ended the pairing.
            assert http.post("/api/v1/pairing", json={"code": code, **claim}).json()["code"] == "bad_pairing"
            assert page.get("/api/v1/devices/pairing").json()["stage"]["stage"] == "over"
            page.post("/api/v1/devices/pairing", json={"scopes": ["command"]})
            begun = page.get("/api/v1/devices/pairing").json()
            code = begun["link"].split("pair=")[1].split("&")[0]
            for key in ("", "AAAA", impostor.public(impostor.sign_key)[:-2], "B" * 87):
                assert (
                    http.post("/api/v1/pairing", json={"code": code, "name": "x", "sign_key": key}).json()[
                        "code"
                    ]
                    == "bad_key"
                )
            assert (
                http.post("/api/v1/pairing", json={"code": code, **claim, "confirmed": True}).json()[
                    "confirmed"
                ]
                is False
            )
            unsigned = {"code": code, "signature": Device().sign("anything")}
            assert http.post("/api/v1/pairing/finish", json=unsigned).json()["code"] == "bad_pairing"
            # A second device with the same code means that one of them is an attacker, so the pairing ends.
            second = {"code": code, "name": "second", "sign_key": Device().public(Device().sign_key)}
            assert http.post("/api/v1/pairing", json=second).json()["code"] == "bad_pairing"
            assert page.get("/api/v1/devices/pairing").json()["stage"]["stage"] == "over"
    listed = [json.loads(line)["name"] for line in deputy.say("devices", "list").stdout.splitlines()]
    assert "impostor" not in listed
    assert "guess" not in listed
    assert "second" not in listed


def _rest(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: answer[name] for name in answer if name != "code"}


def test_nothing_secret_stands_in_the_log_or_the_events(deputy: Deputy) -> None:
    session = deputy.session()
    token = deputy.ask("open")["url"].split("#token=")[1]
    with deputy.http() as http:
        http.post("/api/v1/session", json={"by": "link", "token": token + "x"})
        http.get(f"/api/v1/state?token={token}")
        http.get("/api/v1/state", headers={"Authorization": f"Bearer {session}x"})
        http.post("/api/v1/session", json={"by": "link", "token": token})
    log = (deputy.folder / "log").read_text()
    assert log, "the log was written, at the level of debugging"
    with deputy.page() as page:
        task = page.get("/api/v1/tasks").json()["tasks"][0]["id"]
        told = page.get(f"/api/v1/tasks/{task}/history?limit=500").text
    key = (deputy.home / "session.key").read_bytes()
    for secret in (token, session.rsplit(".", 1)[1], key.hex(), "PRIVATE KEY"):
        assert secret not in log
        assert secret not in told
    for name in ("session.key", "tls.key"):
        assert (deputy.home / name).stat().st_mode & 0o777 == 0o600
