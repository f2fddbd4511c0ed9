"""Runs the phone's Java in a separate process, and the host that it connects to."""

from __future__ import annotations

import asyncio
import json
import queue
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from deputy import Deputy, Json, start_task

CORE = Path(__file__).parents[1]
ROOT = CORE.parents[2]
#: `org.json` as Android has it, and what reads QR codes.
LIBRARIES = "/usr/share/java/com.android.json.jar:/usr/share/java/core.jar"


def compiled(folder: Path) -> Path:
    sources = [str(file) for file in CORE.rglob("*.java")]
    command = ["javac", "--release", "8", "-Xlint:-options", "-Werror", "-cp", LIBRARIES, "-d", str(folder)]
    subprocess.run([*command, *sources], check=True)
    return folder


class Java:
    """A phone that takes commands line by line and prints its reports."""

    def __init__(self, classes: Path) -> None:
        strings = f"-Dstrings={ROOT}/mobile/android/shell/res/values/strings.xml"
        command = ["java", strings, "-cp", f"{classes}:{LIBRARIES}", "dev.deputy.phone.Drive"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.told: list[Json] = []
        self._said: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._said.put(line)
        self._said.put("")

    def say(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def _next(self) -> Json:
        line = self._said.get()
        assert line, "the phone has ended"
        return dict(json.loads(line))

    def __call__(self, said: str) -> Any:
        """Runs a command and returns its result. Reports that arrive meanwhile are kept."""
        self.say(said)
        while "told" in (answer := self._next()):
            self.told.append(answer)
        return answer

    def until(self, is_it: Callable[[Json], bool]) -> Json:
        """Returns the next message that matches. Earlier ones are dropped."""
        while True:
            told = self.told.pop(0) if self.told else self._next()
            if is_it(told):
                return told

    def next_told(self) -> Json:
        return self.until(lambda told: "told" in told)

    def end(self) -> None:
        self.process.communicate("")


def pair(deputy: Deputy, java: Java) -> str:
    """Pairs as a user does. Returns the address for devices."""
    with deputy.page() as page:
        page.post("/api/v1/devices/pairing", json={"scopes": ["approve"]})
        link = str(page.get("/api/v1/devices/pairing").json()["link"])
        number = java(f"claim {link}")["number"]
        stage = page.get("/api/v1/devices/pairing").json()["stage"]
        assert stage["number"] == number, "both sides show the same number"
        assert java("finish")["device"] is None, "the desktop has not said yes"
        page.post("/api/v1/devices/pairing/confirm", json={"number": number, "accept": True})
    assert java("finish")["device"].startswith("d")
    deputy.remote = link.split("/m/#")[0]
    return deputy.remote.removeprefix("https://")


def start(deputy: Deputy) -> None:
    async def begin() -> None:
        async with deputy.join() as desktop:
            await desktop.do(start_task(deputy))

    asyncio.run(begin())


def done(deputy: Deputy) -> list[str]:
    file = deputy.workspace / "done.txt"
    return file.read_text().split() if file.exists() else []


def history(deputy: Deputy) -> list[Json]:
    """Returns all events of the only task."""
    with deputy.page() as page:
        task = page.get("/api/v1/tasks").json()["tasks"][0]["id"]
        events: list[Json] = []
        while True:
            after = events[-1]["seq"] if events else 0
            part = page.get(f"/api/v1/tasks/{task}/history?limit=500&after={after}").json()["events"]
            if not part:
                return events
            events += part
