"""A served Deputy in a temporary home, and independent clients that share no code with Deputy."""

from __future__ import annotations

import base64
import collections
import contextlib
import errno
import hashlib
import json
import os
import random
import secrets
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.parse
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from websockets.asyncio.client import ClientConnection, connect

ROOT = Path(__file__).resolve().parents[2]
BUILT = Path(os.environ.get("DEPUTY_BUILT", ROOT / "target/debug"))
Json = dict[str, Any]
UNCHECKED = ssl.create_default_context()
UNCHECKED.check_hostname = False
# The certificate is the server's own. A device pins its key; see `Device.pin` below.
UNCHECKED.verify_mode = ssl.CERT_NONE


def english(phrase: Json | str) -> str:
    """Returns the English text of a message, which is a plain string or has an id and arguments."""
    return phrase if isinstance(phrase, str) else str(phrase["text"])


def b64(content: bytes) -> str:
    """Encodes in base64url without padding, as for all binary data."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class Device:
    """A phone's state: two keys, and the pinned fingerprint."""

    def __init__(self, name: str = "Test phone") -> None:
        self.name = name
        self.sign_key = ec.generate_private_key(ec.SECP256R1())
        self.seal_key = ec.generate_private_key(ec.SECP256R1())
        self.id = ""
        self.pin = ""

    def public(self, key: ec.EllipticCurvePrivateKey) -> str:
        return b64(key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def sign(self, text: str) -> str:
        der = self.sign_key.sign(text.encode(), ec.ECDSA(SHA256()))
        r, s = utils.decode_dss_signature(der)
        return b64(r.to_bytes(32, "big") + s.to_bytes(32, "big"))

    def proof(self, challenge: str, channel: str | None = None) -> Json:
        text = f"deputy-connect-1\n{channel or self.pin}\n{self.id}\n{challenge}"
        return {"proof": "device", "device": self.id, "signature": self.sign(text)}

    def answer(
        self,
        asked: Json,
        words: str = "allow once",
        /,
        *,
        now_ms: int,
        why: str = "",
        nonce: str = "",
        **change: Any,
    ) -> Json:
        """Returns a signed answer. `change` overrides parts of it after signing."""
        nonce, expires = nonce or secrets.token_urlsafe(16), now_ms + 60_000
        text = f"deputy-answer-1\n{self.id}\n{asked['id']}\n{asked['digest']}\n{words}\n{expires}\n{nonce}\n{why}"
        by = {
            "by": "device",
            "device": self.id,
            "expires_at_ms": expires,
            "nonce": nonce,
            "signature": self.sign(text),
        }
        choice = choice_of(words, why)
        answer = {"request": asked["id"], "digest": asked["digest"], "choice": choice, "by": by}
        for path, value in change.items():
            place = answer
            *outer, last = path.split("__")
            for name in outer:
                place = place[name]
            place[last] = value
        return {"command": "answer_permission", "answer": answer}


def choice_of(words: str, reason: str = "") -> Json:
    match words.split():
        case ["allow", *rest, "without", dropped]:
            return {**choice_of(f"allow {' '.join(rest)}"), "dropped": dropped.split(",")}
        case ["deny"]:
            return {"choice": "deny", "reason": reason}
        case ["allow", "wider", *rest]:
            return {**choice_of(f"allow {' '.join(rest)}"), "wider": True}
        case ["allow", "minutes", number]:
            return {"choice": "allow", "lifetime": {"for": "minutes", "minutes": int(number)}}
        case ["allow", "task" | "session" as kind, name]:
            return {"choice": "allow", "lifetime": {"for": kind, kind: name}}
        case ["allow", kind]:
            return {"choice": "allow", "lifetime": {"for": kind}}
    raise ValueError(words)


def free_address() -> str:
    """Returns an address that a server can use again after a restart.

    It is below the kernel's range for outgoing connections, which would block the port for a minute after
    their end.
    """
    first_of_theirs = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        address = ("127.0.0.1", random.randrange(10_000, first_of_theirs))
        with contextlib.suppress(OSError), socket.create_server(address):
            return f"{address[0]}:{address[1]}"


class Deputy:
    """`deputy serve` in its own home."""

    def __init__(self, script: Json | None = None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="deputy-mirror-")
        self.folder = Path(self._folder.name)
        self.home, self.workspace = self.folder / "deputy", self.folder / "workspace"
        for folder in (self.home, self.workspace, self.folder / "user"):
            folder.mkdir()
        self.config = {"server.listen": free_address(), "server.devices": free_address()}
        self.model: subprocess.Popen[str] | None = None
        if script is not None:
            self._play(script)
        self.process: subprocess.Popen[str] | None = None
        self.base = ""
        self.link = ""
        self.remote = ""
        self.phone = self.other = self.gone = self.watcher = Device()

    def _play(self, script: Json) -> None:
        file = self.folder / "script.json"
        file.write_text(json.dumps(script))
        self.model = subprocess.Popen(
            [BUILT / "scripted-model", "--script", file],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.model.stdout is not None
        self.config |= {
            "backend": "openai_compatible",
            "backends.openai_compatible.base_url": self.model.stdout.readline().strip(),
            "backends.openai_compatible.model": "scripted",
        }

    def write_config(self) -> None:
        lines = [
            f"{key} = {value if isinstance(value, int) else json.dumps(value)}"
            for key, value in self.config.items()
        ]
        (self.home / "config.toml").write_text("\n".join(lines) + "\n")

    def start(self) -> Deputy:
        self.write_config()
        self.log = (self.folder / "log").open("a")
        self.process = subprocess.Popen(
            [BUILT / "deputy", "--home", self.home, "--json", "serve"],
            stdout=subprocess.PIPE, stderr=self.log, text=True, env=self.env(),
        )  # fmt: skip
        assert self.process.stdout is not None
        json.loads(self.process.stdout.readline())
        self.link = self.ask("open")["url"]
        self.base = self.link.split("/#")[0]
        host, port = str(self.config["server.devices"]).rsplit(":", 1)
        while self.remote:
            # Retries until the listener for devices is open, as a phone does.
            with contextlib.suppress(ConnectionError):
                socket.create_connection((host, int(port))).close()
                break
        return self

    def env(self) -> dict[str, str]:
        return {**os.environ, "HOME": str(self.folder / "user"), "DEPUTY_LOG": "debug"}

    def stop(self, how: int = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait()
            self.process = None

    def restart(self, how: int = signal.SIGKILL) -> None:
        """Kills the server as a power failure would, and starts it again at the same addresses."""
        self.stop(how)
        self.start()

    def close(self) -> None:
        self.stop(signal.SIGKILL)
        if self.model is not None:
            self.model.kill()
            self.model.wait()
        self._clear()

    def _clear(self) -> None:
        """Removes the folder. Processes started by a killed host may still write for a moment."""
        for _ in range(50):
            try:
                self._folder.cleanup()
                return
            except OSError as error:
                if error.errno != errno.ENOTEMPTY:
                    raise
                time.sleep(0.1)
        self._folder.cleanup()

    def say(self, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        command = [str(BUILT / "deputy"), "--home", str(self.home), "--json", *words]
        return subprocess.run(
            command, input=stdin, capture_output=True, text=True, env=self.env(), check=False
        )

    def ask(self, *words: str) -> Json:
        said: Json = json.loads(self.say(*words).stdout.splitlines()[-1])
        return said

    # Over HTTP, with the session of the desktop's page.

    def http(self) -> httpx.Client:
        return httpx.Client(base_url=self.base, headers={"Origin": self.base}, timeout=60)

    def session(self) -> str:
        token = self.ask("open")["url"].split("#token=")[1]
        with self.http() as http:
            answer = http.post("/api/v1/session", json={"by": "link", "token": token})
            assert answer.status_code == 200, answer.text
            return str(answer.json()["session"])

    def page(self) -> httpx.Client:
        http = self.http()
        http.headers["Authorization"] = f"Bearer {self.session()}"
        return http

    def remote_http(self) -> httpx.Client:
        """Returns an HTTP client as for a device, through TLS."""
        return httpx.Client(base_url=self.remote, headers={"Origin": self.remote}, verify=UNCHECKED)

    # Over the WebSocket.

    @contextlib.asynccontextmanager
    async def socket(self, base: str | None = None, **options: Any) -> AsyncIterator[ClientConnection]:
        base = base or self.base
        if base.startswith("https"):
            options.setdefault("ssl", UNCHECKED)
        options.setdefault("origin", base)
        address = base.replace("http", "ws", 1) + "/ws"
        async with connect(address, max_size=None, **options) as socket:
            yield socket

    @contextlib.asynccontextmanager
    async def join(
        self,
        proof: Json | Device | None = None,
        *,
        base: str | None = None,
        follow: bool = True,
        resume_from: int | None = None,
        through: int | None = None,
    ) -> AsyncIterator[Mirror]:
        """Connects and says hello, through a proxy at port `through` of loopback if given."""
        way = {} if through is None else {"host": "127.0.0.1", "port": through}
        if proof is None:
            # Before connecting, because a hello has to come soon.
            proof = {"proof": "session", "session": self.session()}
        async with self.socket(base, **way) as socket:
            challenge = json.loads(await socket.recv())
            if isinstance(proof, Device):
                proof = proof.proof(challenge["challenge"], None if base else "loopback")
            hello = {
                "type": "hello",
                "protocol": 1,
                "follow": follow,
                "resume_from": resume_from,
                "proof": proof,
            }
            await socket.send(json.dumps(hello))
            yield Mirror(socket, challenge["now_ms"])

    # Devices.

    def pair(self, device: Device, may: str = "approve", accept: str = "yes") -> Json:
        """Pairs a device as a user would: start, scan, compare, and confirm on both sides."""
        with self.page() as page:
            begun = page.post("/api/v1/devices/pairing", json={"scopes": may.split(",")})
            assert begun.status_code == 200, begun.text
            link = page.get("/api/v1/devices/pairing").json()["link"]
            base, parts = link.split("/m/#")
            parts = dict(urllib.parse.parse_qsl(parts))
            device.pin = parts["pin"]
            with httpx.Client(base_url=base, headers={"Origin": base}, verify=UNCHECKED) as http:
                keys = {
                    "sign_key": device.public(device.sign_key),
                    "seal_key": device.public(device.seal_key),
                }
                claimed = http.post(
                    "/api/v1/pairing", json={"code": parts["pair"], "name": device.name, **keys}
                )
                assert claimed.status_code == 200, claimed.text
                text = "\n".join(
                    ["deputy-number-1", parts["pin"], parts["pair"], keys["sign_key"], keys["seal_key"]]
                )
                number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") % 1_000_000
                assert claimed.json()["number"] == f"{number:06}"
                signed = device.sign(f"deputy-pair-1\n{parts['pin']}\n{parts['pair']}\n{number:06}")
                finish = {"code": parts["pair"], "signature": signed}
                assert http.post("/api/v1/pairing/finish", json=finish).json()["stage"] == "claimed"
                confirm = {"number": f"{number:06}", "accept": accept == "yes"}
                page.post("/api/v1/devices/pairing/confirm", json=confirm)
                done: Json = http.post("/api/v1/pairing/finish", json=finish).json()
                if done.get("stage") == "paired":
                    device.id = done["device"]["id"]
                self.remote = base
                return done


class Mirror:
    """A connection after its hello."""

    def __init__(self, socket: ClientConnection, now_ms: int) -> None:
        self.socket = socket
        self._ahead = now_ms - round(time.time() * 1000)
        self.seen: list[Json] = []
        # Messages that arrived before a reply and were skipped. They are delivered like later ones.
        self._passed_over: collections.deque[Json] = collections.deque()

    def now_ms(self) -> int:
        return round(time.time() * 1000) + self._ahead

    async def _receive(self) -> Json:
        message: Json = json.loads(await self.socket.recv())
        self.seen.append(message)
        return message

    async def next(self) -> Json:
        return self._passed_over.popleft() if self._passed_over else await self._receive()

    async def _reply(self, name: str) -> Json:
        while True:
            message = await self._receive()
            if message.get("id") == name:
                return message
            self._passed_over.append(message)

    async def until(self, kind: str, /, **wanted: Any) -> Json:
        """Returns the next message of a type with these fields."""
        while True:
            message = await self.next()
            if message["type"] == kind and all(message.get(name) == value for name, value in wanted.items()):
                return message
            if message["type"] == "error" and message["id"] is None:
                raise ConnectionError(message["error"]["code"])

    async def event(self, kind: str) -> Json:
        while True:
            event: Json = (await self.until("event"))["record"]["event"]
            if event["type"] == kind:
                return event

    async def send(self, message: Json) -> None:
        await self.socket.send(json.dumps(message))

    async def do(self, command: Json, name: str | None = None) -> Json:
        """Sends a command. Returns its reply or its error."""
        name = name or secrets.token_urlsafe(9)
        await self.send({"type": "command", "envelope": {"id": name, "command": command}})
        return await self._reply(name)

    async def ask(self, query: str, **fields: Any) -> Json:
        name = secrets.token_urlsafe(9)
        await self.send({"type": "query", "id": name, "query": {"query": query, **fields}})
        return await self._reply(name)

    async def open_request(self) -> Json:
        """Returns the open request, once there is one. Approves continuing a task after a crash."""
        while True:
            state = (await self.ask("state"))["answer"]["snapshot"]["state"]
            if state.get("requests"):
                request: Json = state["requests"][0]
                return request
            for question in state.get("questions", []):
                text = (question["choices"] or ["yes, go on"])[0]
                await self.do({"command": "answer_question", "request": question["id"], "text": text})
            if not state.get("questions"):
                await self.until("event")


def start_task(deputy: Deputy, goal: str = "go") -> Json:
    return {"command": "start", "goal": goal, "workspace": str(deputy.workspace)}


def steps(count: int, command: str = "echo {n} >> done.txt") -> Json:
    """A model that makes the same call many times."""
    return {"steps": {"tool": "shell", "arguments": {"command": command}, "count": count, "then": "done"}}


def turns(*commands: str | None) -> Json:
    """A model that runs these commands, one per plan. `None` ends a task."""

    def turn(command: str | None) -> Json:
        if command is None:
            return {"type": "text", "text": "done"}
        call = {"name": "shell", "arguments": {"command": command}}
        return {"type": "tool_calls", "calls": [call]}

    return {"turns": [turn(command) for command in commands], "repeat_last": True}


@contextlib.contextmanager
def serving(script: Json | None = None) -> Iterator[Deputy]:
    deputy = Deputy(script)
    try:
        yield deputy.start()
    finally:
        deputy.close()
