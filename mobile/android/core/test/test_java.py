"""Tests the phone's Java with a real host: pairing, answers, broken connections, other keys, revocation.

The Java does not depend on Android, so the classes of the app run here on the desktop's JVM.
"""

from __future__ import annotations

import hashlib
import json
import socket
import ssl
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
from deputy import serving, steps
from phone import ROOT, Java, done, pair, start

#: What the Java knows of the wire. Where its schema moves, look at the Java, then put the sum right.
WIRE = (
    "Challenge",
    "Hello",
    "Proof",
    "Welcome",
    "PermissionRequest",
    "RequestDetails",
    "Offer",
    "Risk",
    "PermissionAnswer",
    "Choice",
    "AllowChoice",
    "DenyChoice",
    "Lifetime",
    "TaskLifetime",
    "SessionLifetime",
    "MinutesLifetime",
    "DeviceAnswerer",
    "PermissionAnswered",
    "Question",
    "QuestionAsked",
    "QuestionAnswered",
    "Snapshot",
    "EventRecord",
    "ErrorBody",
    "Notice",
    "PairingClaim",
    "PairingFinish",
    "PairingStage",
    "Device",
)
WIRE_SUM = "255ff79b0a791e5a"


def undescribed(schema: Any) -> Any:
    """Returns a schema without descriptions, which do not affect the wire format."""
    if isinstance(schema, list):
        return [undescribed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = ((key, part) for key, part in schema.items() if key != "description" or not isinstance(part, str))
    return {key: undescribed(part) for key, part in kept}


def test_the_wire_is_the_one_that_the_java_was_written_for() -> None:
    schema = json.loads((ROOT / "crates/protocol/generated/protocol.schema.json").read_text())
    known = {name: undescribed(schema["$defs"][name]) for name in WIRE}
    assert hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:16] == WIRE_SUM


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


#: Choices as the host has them signed, by the sample that has them.
SIGNED = {
    "always": "allow always",
    "change": "change",
    "deny": "deny",
    "device": "allow once",
    "expired": "deny",
    "minutes": "allow minutes 30",
    "names": "allow names",
    "once": "allow once",
    "session": "allow session s4h8w1c6re",
    "task": "allow task t7k3m9q2xa",
    "overtaken": "deny",
    "without": None,
}


def test_every_kind_of_choice_is_signed_as_the_host_reads_it(java: Java) -> None:
    samples = {
        file.stem.removeprefix("event_permission_answered_"): file
        for file in (ROOT / "tests/golden").glob("event_permission_answered_*.json")
    }
    assert sorted(samples) == sorted(SIGNED), "the samples cover what there is"
    for name, file in samples.items():
        choice = json.loads(file.read_text())["value"]["event"]["choice"]
        said = java(f"words {json.dumps(choice)}")["words"]
        if wanted := SIGNED[name]:
            assert said == wanted, name
        else:
            lifetime = choice["lifetime"]["for"]
            assert said == f"allow {lifetime} without {','.join(choice['dropped'])}", name


def test_every_sample_of_the_host_is_taken_in(java: Java) -> None:
    for file in sorted((ROOT / "tests/golden").glob("*.json")):
        sample = json.loads(file.read_text())
        if sample["type"] == "ServerMessage":
            assert "open" in java(f"take {json.dumps(sample['value'])}"), file.name
        elif sample["type"] == "EventRecord":
            message = {"type": "event", "record": sample["value"], "update": None, "shortened": False}
            assert "open" in java(f"take {json.dumps(message)}"), file.name


@pytest.mark.smoke
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
        # The key identifies the host, not the address: the next address is tried.
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
    """A TLS server with its own key that records what it receives."""

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
