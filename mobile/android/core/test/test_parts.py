"""Tests the other parts of a phone: pairing codes, encrypted notices, the text of notifications."""

from __future__ import annotations

import json
import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from deputy import serving, steps
from phone import ROOT, Java, done, history, pair, start

#: Pixels a module of the code has in a picture of the camera's.
SCALE = 5


def squares(text: str) -> list[list[bool]]:
    """Returns the code as the desktop draws it."""
    script = "import { encode } from 'uqr'; console.log(JSON.stringify(encode(process.argv[1]).data))"
    command = ["node", "--input-type=module", "-e", script, text]
    said = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [[bool(module) for module in row] for row in json.loads(said)]


def picture(modules: list[list[bool]], file: Path, margin: int = 4) -> tuple[int, int]:
    """Writes the code in gray, unevenly lit and noisy, as from a camera: rows first, then the color data."""
    side = (len(modules) + 2 * margin) * SCALE
    pixels = bytearray()
    for y in range(side):
        for x in range(side):
            row, column = y // SCALE - margin, x // SCALE - margin
            is_dark = 0 <= row < len(modules) and 0 <= column < len(modules) and modules[row][column]
            light = 150 + 60 * x // side
            pixels.append((light // 4 if is_dark else light) + (x * 7 + y * 13) % 11)
    file.write_bytes(bytes(pixels) + bytes(side * side // 2))
    return side, side


def test_a_pairing_code_is_read_however_the_phone_is_held(java: Java, tmp_path: Path) -> None:
    with serving() as deputy, deputy.page() as page:
        page.post("/api/v1/devices/pairing", json={"scopes": ["approve"]})
        link = page.get("/api/v1/devices/pairing").json()["link"]
    modules = squares(link)
    for turn in range(4):
        read = []
        # A camera delivers many pictures per second. About 1 in 200 is not recognized, and none is read as a
        # different text.
        for margin in (4, 5, 6):
            width, height = picture(modules, tmp_path / "picture", margin)
            read.append(java(f"picture {width} {height} {tmp_path / 'picture'}")["text"])
        assert link in read, (turn, read)
        assert set(read) <= {link, None}, (turn, read)
        modules = [list(row) for row in zip(*modules[::-1], strict=True)]
    picture([[False] * 40] * 40, tmp_path / "nothing")
    assert java(f"picture {48 * SCALE} {48 * SCALE} {tmp_path / 'nothing'}")["text"] is None


def test_a_link_that_pairs_nothing_is_refused(java: Java) -> None:
    for link in (
        "https://192.168.1.2:9121/m/",
        "http://192.168.1.2:9121/m/#pair=a&pin=b",
        "https://user@192.168.1.2:9121/m/#pair=a&pin=b",
        "deputy://pair#pair=a&pin=b",
        "deputy://other#at=192.168.1.2:9121&pair=a&pin=b",
        "deputy://pair#at=192.168.1.2:99999&pair=a&pin=b",
        "deputy://pair#at=a/b:1&pair=a&pin=b",
        "no link at all",
    ):
        assert "not a code" in java(f"claim {link}")["failed"], link


class Relay:
    """The part of ntfy that the host and the phone use: stores messages, and returns them on request."""

    def __init__(self, certificate: Path | None = None) -> None:
        self.kept: dict[str, list[str]] = {}
        self.came = threading.Semaphore(0)
        relay = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"])).decode()
                relay.kept.setdefault(self.path, []).append(body)
                relay.came.release()
                self.send_response(200)
                self.end_headers()

            def do_GET(self) -> None:
                topic, _, asked = self.path.partition("/json?")
                assert asked == "poll=1&since=12h"
                self.send_response(200)
                self.end_headers()
                messages = [{"event": "message", "message": body} for body in relay.kept.get(topic, [])]
                for message in [{"event": "open"}, *messages]:
                    self.wfile.write(json.dumps(message).encode() + b"\n")

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        scheme = "http" if certificate is None else "https"
        self.topic = f"{scheme}://127.0.0.1:{self.server.server_port}/topic"


def mine(relay: Relay, java: Java) -> list[str]:
    """Returns the relay's messages that this phone can decrypt."""
    bodies = [body for kept in relay.kept.values() for body in kept]
    return [body for body in bodies if java(f"push x {body}")["notice"] is not None]


def test_a_relay_says_what_waits_to_the_phone_alone(java: Java, classes: Path) -> None:
    relay, other = Relay(), Java(classes)
    with serving(steps(1)) as deputy:
        deputy.config["notify.ntfy"] = relay.topic
        deputy.restart()
        pair(deputy, java)
        pair(deputy, other)
        start(deputy)
        for _ in range(2):
            relay.came.acquire()
        java("connect")
        [request] = java("wait 1")["open"].strip("[]").split(", ")
        assert java(f"ask_relay {relay.topic}")["open"] == f"[{request}]"
        # Messages that were encrypted to another phone, modified, or written by someone else are ignored.
        [mine], [theirs] = [bodies for _, bodies in sorted(relay.kept.items())]
        for topic in list(relay.kept):
            changed = [body[:-4] + "AAAA" for body in (mine, theirs)]
            relay.kept[topic] = [theirs if relay.kept[topic] == [mine] else mine, *changed, "hello", ""]
        assert java(f"ask_relay {relay.topic}")["open"] == "[]"
        # Withdrawn: the request is no longer open. The end of the task is announced too, at any later time.
        relay.kept = {topic: [mine, theirs] for topic in relay.kept}
        java("deny")
        while request in java(f"ask_relay {relay.topic}")["open"]:
            relay.came.acquire()
        assert done(deputy) == []
        assert sum(record["event"]["type"] == "permission_answered" for record in history(deputy)) == 1
    other.end()


def test_a_push_reaches_the_phone_that_asked_for_it(
    java: Java, classes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = tmp_path / "push.pem"
    names = [
        "-subj",
        "/CN=push",
        "-addext",
        "subjectAltName=IP:127.0.0.1",
        "-addext",
        "basicConstraints=critical,CA:FALSE",
    ]
    key = [
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-keyout",
        str(certificate),
        "-out",
        str(certificate),
    ]
    subprocess.run(["openssl", "req", "-x509", *key, *names], check=True, capture_output=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    push, relay, other = Relay(certificate), Relay(), Java(classes)
    address = push.topic.replace("/topic", "/up1?up=1")
    with serving(steps(3)) as deputy:
        deputy.config["notify.ntfy"] = relay.topic
        deputy.restart()
        pair(deputy, java)
        pair(deputy, other)
        registered = java(f"pushed {address}")
        assert registered["endpoint"] == address
        token = registered["token"]
        java("connect")
        start(deputy)
        [request] = java("wait 1")["open"].strip("[]").split(", ")
        push.came.acquire()
        relay.came.acquire()
        # One phone has a push address, the other still uses the topic.
        [body], [theirs] = push.kept.pop("/up1?up=1"), relay.kept.popitem()[1]
        assert push.kept == relay.kept == {}
        pushed = java(f"push {token} {body}")
        assert pushed["ours"]
        assert (pushed["notice"]["id"], pushed["notice"]["withdrawn"]) == (request, False)
        assert not java(f"push {token[:-1]} {body}")["ours"], "another app's"
        for strange in (theirs, body[:-4] + "AAAA", "hello"):
            assert java(f"push {token} {strange}")["notice"] is None
        # After push is turned off, the old token is useless, and notices use the relay again.
        off = java("pushed")
        assert (off["token"], off["endpoint"]) == ("", "")
        assert not java(f"push {token} {body}")["ours"]
        java("connect")
        java("deny")
        while not any(java(f"push x {body}")["notice"]["withdrawn"] for body in mine(relay, java)):
            relay.came.acquire()
        assert push.kept == {}
        # An address without https is not a push server's.
        for wrong in ("http://push.example/up1", "https://user@push.example/", "file:///etc/passwd", "push"):
            assert java(f"pushed {wrong}")["endpoint"] == "", wrong
    other.end()


def test_a_notification_shows_the_whole_command_or_leads_into_the_app(java: Java) -> None:
    def card(name: str, **change: Any) -> Any:
        sample = json.loads((ROOT / f"tests/golden/event_permission_requested_{name}.json").read_text())
        request = sample["value"]["event"]["request"]
        details = {**request["details"], **change.pop("details", {})}
        return java(f"card {json.dumps({**request, **change, 'details': details})}")

    shown = card("command", risk="low", details={"command": "cargo test"}, summary="Run cargo test")
    assert (shown["text"], shown["allow"]) == ("Run cargo test", True)
    assert not card("command", risk="high")["allow"]
    assert not card("command", risk="unheard of")["allow"]
    assert not card("command", risk="low", offered=[])["allow"]
    assert not card("command", risk="low", details={"command": "echo " + "a" * 500})["allow"], "not whole"
    for files in ("steps", "plan", "write", "midway"):
        assert not card(files, risk="low")["allow"], files
    hidden = card(
        "command", risk="low", details={"command": "ls \u202e\u200b\x1b[2K\n\u00a0rm"}, summary="ls"
    )
    assert hidden["text"] == r"ls \u{202e}\u{200b}\u{1b}[2K⏎ \u{a0}rm"
