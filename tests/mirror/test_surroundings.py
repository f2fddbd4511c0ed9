"""Problems around the server: ports in use, lost keys, devices whose key changed, and the agent's own processes."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket as sockets
import subprocess
from typing import Any

import pytest
from deputy import BUILT, Deputy, Device, Json, english, serving, start_task, steps, turns
from websockets.exceptions import ConnectionClosed


def run(coroutine: Any) -> Any:
    return asyncio.run(asyncio.wait_for(coroutine, 120))


async def refused(deputy: Deputy, device: Device) -> str:
    async with deputy.join(device, base=deputy.remote) as mirror:
        message = await mirror.next()
        assert message["type"] == "error", message
        with pytest.raises(ConnectionClosed):
            await mirror.next()
        code: str = message["error"]["code"]
        return code


async def welcomed(deputy: Deputy, device: Device) -> bool:
    async with deputy.join(device, base=deputy.remote) as mirror:
        return (await mirror.next())["type"] == "welcome"


def test_a_port_in_use_is_said_and_nothing_is_served_elsewhere_silently() -> None:
    with sockets.create_server(("127.0.0.1", 0)) as taken, serving() as deputy:
        port = taken.getsockname()[1]
        deputy.stop()
        command = [
            BUILT / "deputy",
            "--home",
            deputy.home,
            "--json",
            "serve",
            "--listen",
            f"127.0.0.1:{port}",
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=deputy.env())
        assert done.returncode == 1
        assert str(port) in done.stderr + done.stdout
        assert "Traceback" not in done.stderr
        assert "panicked" not in done.stderr
        # The listener for devices fails: the desktop keeps working, and says why pairing is not possible.
        deputy.config |= {"server.devices": f"127.0.0.1:{port}"}
        # The server does not wait for a listener that cannot open.
        deputy.config["server.listen"] = "127.0.0.1:0"
        devices = deputy.config.pop("server.devices")
        deputy.write_config()
        with (deputy.home / "config.toml").open("a") as config:
            config.write(f'server.devices = "{devices}"\n')
        served = subprocess.Popen(
            [BUILT / "deputy", "--home", deputy.home, "--json", "serve"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=deputy.env(),
        )  # fmt: skip
        try:
            assert served.stdout is not None
            served.stdout.readline()
            deputy.base = deputy.ask("open")["url"].split("/#")[0]
            with deputy.page() as page:
                failed = page.post("/api/v1/devices/pairing", json={"scopes": ["approve"]})
                assert failed.json()["code"] == "no_door"
                assert str(port) in english(failed.json()["message"])
        finally:
            served.terminate()
            served.wait()


def test_a_lost_certificate_ends_pairings_and_nothing_else() -> None:
    with serving(steps(1)) as deputy:
        phone = Device()
        deputy.pair(phone)
        deputy.restart()
        assert run(welcomed(deputy, phone)), "a certificate that is made anew keeps its key"
        key = deputy.home / "tls.key"
        key.unlink()
        deputy.restart()
        # The device signs for the fingerprint from pairing, which no longer exists.
        assert run(refused(deputy, phone)) == "bad_signature"
        assert key.stat().st_mode & 0o777 == 0o600
        again = Device("again")
        assert deputy.pair(again)["stage"] == "paired"
        assert run(welcomed(deputy, again))
        # A damaged key is not replaced silently.
        deputy.stop()
        kept = key.read_bytes()
        for content in (b"", b"no key at all", kept[:100]):
            key.write_bytes(content)
            said = deputy.say("serve")
            assert said.returncode == 1
            assert "tls.key" in said.stdout
            assert "remove it" in said.stdout
            assert key.read_bytes() == content
        key.write_bytes(kept)
        deputy.start()
        assert run(welcomed(deputy, again))
        log = (deputy.folder / "log").read_text()
        assert "PRIVATE KEY" not in log


def test_a_pairing_that_a_restart_cuts_off_remembers_nobody() -> None:
    """The server is killed between all steps of a pairing. The code is not valid for the next process."""
    with serving() as deputy:
        deputy.pair(Device("first"))
        deputy.restart()
        for steps_before in range(3):
            phone = Device(f"cut off after {steps_before}")
            with deputy.page() as page:
                page.post("/api/v1/devices/pairing", json={"scopes": ["approve"]})
                begun = page.get("/api/v1/devices/pairing").json()
                code = begun["link"].split("pair=")[1].split("&")[0]
                pin = begun["link"].split("pin=")[1]
                claim = {"code": code, "name": phone.name, "sign_key": phone.public(phone.sign_key)}
                number = "000000"
                with deputy.remote_http() as http:
                    if steps_before > 0:
                        number = http.post("/api/v1/pairing", json=claim).json()["number"]
                    signature = phone.sign(f"deputy-pair-1\n{pin}\n{code}\n{number}")
                    finish = {"code": code, "signature": signature}
                    if steps_before > 1:
                        stage = http.post("/api/v1/pairing/finish", json=finish).json()["stage"]
                        assert stage == "claimed"
            deputy.restart()
            with deputy.page() as page, deputy.remote_http() as http:
                confirm = {"number": number, "accept": True}
                assert page.post("/api/v1/devices/pairing/confirm", json=confirm).status_code >= 400
                assert http.post("/api/v1/pairing", json=claim).json()["code"] == "bad_pairing"
                assert http.post("/api/v1/pairing/finish", json=finish).json()["code"] == "bad_pairing"
        listed = deputy.say("devices", "list").stdout.splitlines()
        assert [json.loads(line)["name"] for line in listed] == ["first"]


def test_a_key_that_changed_is_another_device() -> None:
    """A device with a new key has to be paired again, and cannot use the old device's id."""
    with serving(steps(1)) as deputy:
        phone, renewed = Device(), Device()
        deputy.pair(phone)
        deputy.pair(renewed)
        thief = Device()
        thief.id, thief.pin = phone.id, phone.pin
        assert run(refused(deputy, thief)) == "bad_signature"
        deputy.say("devices", "revoke", phone.id)
        assert run(refused(deputy, phone)) == "unknown_device"
        assert run(welcomed(deputy, renewed))

        async def answer() -> str:
            async with deputy.join() as desktop:
                await desktop.do(start_task(deputy))
                request = await desktop.open_request()
            async with deputy.join(renewed, base=deputy.remote) as mirror:
                now = mirror.now_ms()
                code: str = ""
                for by in (thief, phone):
                    # Its own id with another device's key.
                    forged = by.answer(request, now_ms=now, by__device=renewed.id)
                    code = (await mirror.do(forged))["error"]["code"]
                    assert code == "bad_signature"
                return code

        assert run(answer()) == "bad_signature"


ATTACK = """
import json, os, socket, subprocess, sys
port, home, deputy, request = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
told = {}
def attempt(name, what):
    try:
        told[name] = f"open: {what()}"
    except BaseException as error:
        told[name] = type(error).__name__
def unix():
    link = socket.socket(socket.AF_UNIX)
    link.connect(home + "/host.sock")
    link.sendall(b'{"type":"hello","protocol":1,"follow":false}' + bytes([10]))
    return link.recv(1000)
def command():
    done = subprocess.run([deputy, "--home", home, "approve", request], capture_output=True, timeout=60)
    if done.returncode:
        raise PermissionError(done.returncode)
    return done.stdout
attempt("port", lambda: socket.create_connection(("127.0.0.1", port), timeout=5))
attempt("socket", unix)
attempt("session key", lambda: open(home + "/session.key", "rb").read())
attempt("journal", lambda: open(home + "/deputy.db", "r+b").read(10))
attempt("command", command)
attempt("xdotool", lambda: subprocess.run(["xdotool", "key", "Return"], check=True))
told["desktop"] = sorted(set(os.environ) & {
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "DEPUTY_HOME"
})
# A folder of the task's own, with nobody's sockets in it.
told["desktop"] += os.listdir(os.environ["XDG_RUNTIME_DIR"])
open("told.json", "w").write(json.dumps(told))
"""


def test_what_the_agent_runs_cannot_press_approve() -> None:
    """An approved program of the agent tries every way to approve the next request."""

    async def open_one(deputy: Deputy) -> Json:
        async with deputy.join() as desktop:
            await desktop.do(start_task(deputy, "first"))
            request: Json = await desktop.open_request()
            return request

    async def allow_the_other(deputy: Deputy, first: Json) -> None:
        async with deputy.join() as desktop:
            await desktop.do(start_task(deputy, "second"))
            while True:
                state = (await desktop.ask("state"))["answer"]["snapshot"]["state"]
                others = [one for one in state["requests"] if one["id"] != first["id"]]
                if others:
                    break
                await desktop.until("event")
            choice = {"choice": "allow", "lifetime": {"for": "once"}}
            answer = {"request": others[0]["id"], "digest": others[0]["digest"], "choice": choice}
            by = {"by": "local", "screen": "desktop"}
            await desktop.do({"command": "answer_permission", "answer": answer | {"by": by}})
            await desktop.event("tool_finished")

    deputy = Deputy(turns("touch forbidden", "python3 attack.py"))
    try:
        deputy.start()
        first = run(open_one(deputy))
        # The program receives everything that it might need to know.
        words = ["", deputy.base.rsplit(":", 1)[1], str(deputy.home), str(BUILT / "deputy"), first["id"]]
        (deputy.workspace / "attack.py").write_text(f"import sys\nsys.argv = {words}\n{ATTACK}")
        run(allow_the_other(deputy, first))
        told = json.loads((deputy.workspace / "told.json").read_text())
        assert told.pop("desktop") == [], "nothing leads to the person's desktop"
        assert len(told) == 6
        assert not [name for name, outcome in told.items() if outcome.startswith("open")], told
        print(told)
        with deputy.page() as page:
            waiting = page.get("/api/v1/state").json()["snapshot"]["state"]["requests"]
        assert first["id"] in [request["id"] for request in waiting]
        assert not (deputy.workspace / "forbidden").exists()
    finally:
        deputy.close()


def test_nothing_is_unpacked(deputy: Deputy) -> None:
    """A decompression bomb is harmless if nothing decompresses it."""
    bomb = gzip.compress(b"[" * 50_000_000)
    assert len(bomb) < 60_000
    with deputy.page() as page:
        headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
        answer = page.post("/api/v1/commands", content=bomb, headers=headers)
        assert answer.status_code in (400, 415), answer.text
        assert answer.json()["code"] == "bad_body"
        plain = page.get("/api/v1/state", headers={"Accept-Encoding": "gzip, br"})
        assert "content-encoding" not in plain.headers

    async def offer() -> None:
        async with deputy.socket(compression="deflate") as socket:
            assert socket.response is not None
            assert "Sec-WebSocket-Extensions" not in socket.response.headers

    run(offer())


def test_ambiguous_and_unknown_messages_decide_nothing(deputy: Deputy) -> None:
    """Of two fields with the same name, neither is reliable, so the message is refused."""

    async def attack() -> None:
        async with deputy.join(deputy.phone, base=deputy.remote) as mirror:
            request = await mirror.open_request()
            command = deputy.phone.answer(request, now_ms=mirror.now_ms())
            answer = json.dumps(command["answer"])
            deny = '"choice":{"choice":"deny","reason":""}'
            whole = '{"type":"command","envelope":{"id":"d%d","command":%s}}'
            twice = [
                json.dumps(command)[:-2] + f',"digest":"{request["digest"]}"}}}}',
                json.dumps(command)[:-2] + f",{deny}}}}}",
                '{"command":"answer_permission","answer":' + answer + ',"answer":' + answer + "}",
                '{"command":"answer_permission","command":"answer_permission","answer":' + answer + "}",
                '{"command":"approve_all"}',
                "[" * 10_000 + "]" * 10_000,
                '{"command":"answer_permission","answer":' + '{"by":' * 2_000 + "1" + "}" * 2_000 + "}",
            ]
            messages = [whole % (n, text) for n, text in enumerate(twice)]
            full = whole % (50, json.dumps(command))
            messages += [
                full[:-1] + ',"type":"command"}',
                full[:-2] + ',"id":"d51"}}',
                full.replace('"type":"command"', '"type":"command","type":"query"'),
                '{"type":"approve","id":"x"}',
                '{"type":"query","id":"x","query":{"query":"secrets"}}',
                '{"type":"hello","protocol":1,"follow":true}',
            ]
            for text in messages:
                await mirror.socket.send(text)
                while (reply := await mirror.next())["type"] not in ("error", "command_reply"):
                    pass
                assert reply["type"] == "error", text[:200]
                assert reply["error"]["code"] == "bad_message", (text[:200], reply)
            assert (await mirror.open_request())["id"] == request["id"]

    run(attack())
