"""The window under WebKit's driver, with the small part of the WebDriver protocol that the tests need."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from desk import APP, PATIENCE, Desk, Json, until

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
ENTER = "\ue007"


class Driver:
    """A window that the driver started."""

    def __init__(self, desk: Desk, *args: str) -> None:
        self.desk = desk
        desk.env |= {"TAURI_AUTOMATION": "true", "TAURI_WEBVIEW_AUTOMATION": "true"}
        port = 4600 + int(desk.env["DISPLAY"].removeprefix(":"))
        self.base = f"http://127.0.0.1:{port}"
        self.process = desk.start("WebKitWebDriver", f"--port={port}")
        until(self._is_up, "WebKit's driver")
        program = {"binary": str(APP), "args": list(args)}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": program}}}
        self.session = f"/session/{self.call('POST', '/session', wanted)['sessionId']}"

    def _is_up(self) -> bool:
        try:
            return bool(self.call("GET", "/status")["ready"])
        except (ConnectionError, urllib.error.URLError):
            return False

    def call(self, method: str, path: str, body: Json | None = None) -> Any:
        request = urllib.request.Request(
            self.base + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"content-type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from error

    def run(self, script: str, *values: Any) -> Any:
        """Runs a script in the page. If it returns a promise, waits for that."""
        return self.call("POST", f"{self.session}/execute/sync", {"script": script, "args": values})

    def ask(self, command: str, **values: Any) -> str:
        """Calls a command of the shell, as a script in the page could."""
        script = (
            "return window.__TAURI_INTERNALS__.invoke(arguments[0], arguments[1])"
            ".then((value) => 'yes ' + JSON.stringify(value), (error) => 'no ' + JSON.stringify(error))"
        )
        return str(self.run(script, command, values))

    def find(self, xpath: str) -> str:
        """Waits for an element and returns it."""
        wanted = {"using": "xpath", "value": xpath}

        def look() -> list[Json]:
            return list(self.call("POST", f"{self.session}/elements", wanted))

        return str(until(look, xpath)[0][ELEMENT])

    def see(self, text: str) -> None:
        """Waits for a text on the page."""
        until(lambda: text in (self._text() or ""), f"“{text}” on the page")

    def unsee(self, text: str) -> None:
        """Waits until a text is no longer on the page."""
        until(lambda: (page := self._text()) is not None and text not in page, f"no “{text}” on the page")

    def _text(self) -> str | None:
        """Returns the text of the page. None while another page replaces it."""
        try:
            return str(self.run("return document.body.innerText"))
        except AssertionError as error:
            if "no such frame" in str(error):
                return None
            raise

    def click(self, xpath: str) -> None:
        self.call("POST", f"{self.session}/element/{self.find(xpath)}/click", {})

    def type(self, xpath: str, text: str) -> None:
        self.call("POST", f"{self.session}/element/{self.find(xpath)}/value", {"text": text})

    def picture(self, name: str) -> None:
        """Saves a screenshot, once the page is drawn."""
        drawn = "requestAnimationFrame(() => requestAnimationFrame(drawn))"
        self.run(f"return new Promise((drawn) => {drawn})")
        self.desk.picture(name)

    def hash(self) -> str:
        return str(self.run("return window.location.hash"))

    def close(self) -> None:
        self.call("DELETE", self.session)


def assign(driver: Driver, goal: str, folder: Path) -> None:
    """Starts a task as a user does."""
    driver.type("//input[@list='folders']", str(folder))
    driver.type("//form//textarea", goal + ENTER)
