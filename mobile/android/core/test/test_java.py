"""The phone's Java against a real host: pairing, answers, cuts, other certificates and addresses, revocation.

The Java knows no Android, so the very classes that a phone would run are run here on the desktop's JVM.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from deputy import Deputy, serving, start_task, steps

CORE = Path(__file__).parents[1]
ROOT = CORE.parents[2]
JSON = "/usr/share/java/com.android.json.jar"
#: What the Java knows of the wire. Where its schema moves, look at the Java, then put the sum right.
WIRE = (
    "Challenge",
    "Hello",
    "Welcome",
    "PermissionRequest",
    "PermissionAnswer",
    "DeviceAnswerer",
    "PairingClaim",
    "PairingFinish",
)
WIRE_SUM = "e361b62cf30343c7"


def test_the_wire_is_the_one_that_the_java_was_written_for() -> None:
    schema = json.loads((ROOT / "crates/protocol/generated/protocol.schema.json").read_text())
    known = {name: schema["$defs"][name] for name in WIRE}
    assert hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:16] == WIRE_SUM


@pytest.fixture(scope="session")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("classes")
    sources = [str(file) for file in CORE.rglob("*.java")]
    subprocess.run(
        ["javac", "--release", "8", "-Xlint:-options", "-Werror", "-cp", JSON, "-d", folder, *sources],
        check=True,
    )
    return folder


class Java:
    """A phone in a process of its own."""

    def __init__(self, classes: Path) -> None:
        command = ["java", "-cp", f"{classes}:{JSON}", "dev.deputy.phone.Drive"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, said: str) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(said + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@pytest.fixture
def java(classes: Path) -> Iterator[Java]:
    phone = Java(classes)
    yield phone
    phone.process.communicate("")


def pair(deputy: Deputy, java: Java) -> str:
    """Pairs as a person does; gives where devices connect."""
    with deputy.page() as page:
        page.post("/api/v1/devices/pairing", json={"scopes": ["approve"]})
        link = str(page.get("/api/v1/devices/pairing").json()["link"])
        number = java(f"claim {link}")["number"]
        stage = page.get("/api/v1/devices/pairing").json()["stage"]
        assert stage["number"] == number, "both sides show the same number"
        assert java("finish")["device"] is None, "the desktop has not said yes"
        page.post("/api/v1/devices/pairing/confirm", json={"number": number, "accept": True})
    assert java("finish")["device"].startswith("d")
    return link.split("/m/#")[0].removeprefix("https://")


def start(deputy: Deputy) -> None:
    async def begin() -> None:
        async with deputy.join() as desktop:
            await desktop.do(start_task(deputy))

    asyncio.run(begin())


def done(deputy: Deputy) -> list[str]:
    file = deputy.workspace / "done.txt"
    return file.read_text().split() if file.exists() else []


def test_samples_of_the_wire_are_understood(java: Java) -> None:
    def sample(name: str) -> Any:
        return json.loads((ROOT / "tests/golden" / f"{name}.json").read_text())["value"]

    for snapshot in ("server_snapshot_active", "server_snapshot_idle"):
        state = sample(snapshot)["snapshot"]["state"]
        ids = [request["id"] for request in state.get("requests", [])]
        assert java(f"take {json.dumps(sample(snapshot))}")["open"] == f"[{', '.join(ids)}]"
    asked = sample("event_permission_requested_command")["event"]
    envelope = sample("server_event")
    seq = 1_000_000
    for event, count in ((asked, 1), (asked, 1), ("stopped", 0)):
        record = {**envelope["record"], "seq": (seq := seq + 1)}
        if event == "stopped":
            record["event"] = sample("event_stopped_completed")["event"]
            record["task"] = asked["request"]["task"]
        else:
            record["event"] = event
        said = java(f"take {json.dumps({**envelope, 'record': record})}")
        assert said["open"].count(asked["request"]["id"]) == count


def test_it_pairs_answers_and_comes_back_after_a_cut(java: Java) -> None:
    with serving(steps(3)) as deputy:
        pair(deputy, java)
        assert java("connect")["scopes"] == ["monitor", "approve"]
        start(deputy)
        java("wait 1")
        assert java("allow") == {"done": "allow", "unlock": False, "reply": "command_reply"}
        java("wait 0")
        java("wait 1")
        java("cut")
        java("connect")
        assert java("deny not this one")["reply"] == "command_reply"
        java("wait 0")
        assert len(done(deputy)) == 1


def test_another_certificate_is_told_nothing(java: Java, tmp_path: Path) -> None:
    with serving(steps(1)) as deputy, Impostor(tmp_path) as (address, heard):
        real = pair(deputy, java)
        java(f"addresses {address}")
        assert "another server" in java("connect")["failed"]
        assert heard == [], "nothing was sent to it"
        # The right key decides, not the place: the next address is tried.
        java(f"addresses {address},{real}")
        assert "scopes" in java("connect")


def test_a_revoked_phone_is_cut_and_stays_out(java: Java) -> None:
    with serving(steps(2)) as deputy:
        pair(deputy, java)
        java("connect")
        start(deputy)
        java("wait 1")
        with deputy.page() as page:
            [device] = page.get("/api/v1/devices").json()["devices"]
            page.delete(f"/api/v1/devices/{device['id']}")
        assert java("allow").keys() & {"failed", "refused"}, "its answer does not count"
        assert java("connect") == {"refused": "unknown_device"}
        assert done(deputy) == []


class Impostor:
    """A TLS server with a key of its own, that notes what it hears."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.heard: list[bytes] = []

    def __enter__(self) -> tuple[str, list[bytes]]:
        key, certificate = self.folder / "key.pem", self.folder / "certificate.pem"
        options = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=Deputy"]
        command = ["openssl", "req", "-x509", *options, "-keyout", str(key), "-out", str(certificate)]
        subprocess.run(command, check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.serve, args=(context,), daemon=True).start()
        return f"127.0.0.1:{self.server.getsockname()[1]}", self.heard

    def serve(self, context: ssl.SSLContext) -> None:
        while True:
            try:
                connection, _ = self.server.accept()
            except OSError:
                return
            try:
                with context.wrap_socket(connection, server_side=True) as tls:
                    if said := tls.recv(4096):
                        self.heard.append(said)
            except OSError:
                pass

    def __exit__(self, *_: object) -> None:
        self.server.close()
