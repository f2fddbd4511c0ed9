"""Tests the built window on a virtual desktop: start, approval, undo, tray, second start, failures."""

from __future__ import annotations

import json
import signal
import socketserver
import threading
from pathlib import Path

import pytest
from desk import APP, BUILT, TRAY, desk, until
from driver import Driver, assign

WRITE = {
    "type": "tool_calls",
    "text": "I write the report now.",
    "calls": [
        {
            "name": "code",
            "arguments": {"action": "write", "path": "REPORT.md", "content": "# Report\n"},
        }
    ],
}
DONE = {"type": "text", "text": "REPORT.md is written."}


def test_a_task_is_assigned_approved_and_undone() -> None:
    with desk(TRAY) as its:
        its.plays(WRITE, DONE)
        window = Driver(its)
        window.see("What should Deputy do?")
        window.picture("start")
        assign(window, "Write a report", its.workspace)
        window.see("Write REPORT.md")
        window.picture("request")
        window.click("//article//button[contains(., 'Approve') or contains(., 'Write it')]")
        window.see("REPORT.md is written.")
        report = its.workspace / "REPORT.md"
        assert report.read_text() == "# Report\n"
        assert '"screen":"window"' in its.deputy("--json", "show", "last")
        window.click("//button[contains(., 'Undo changes')]")
        window.see("1 change undone")
        assert not report.exists()
        window.picture("undone")
        window.close()


def test_a_second_start_shows_its_place_in_the_first_window() -> None:
    with desk(TRAY) as its:
        its.plays()
        window = Driver(its)
        window.see("What should Deputy do?")
        its.say(APP, "deputy://task/t123")
        until(lambda: window.hash() == "#/tasks/t123", "the task of the link")
        its.say(APP, "deputy://request/r5")
        until(lambda: window.hash() == "#/inbox/r5", "the request of the link")
        # An invalid link changes nothing, and a link only ever shows something.
        its.say(APP, "deputy://approve/r5")
        its.say(APP, "https://example.org/#/new")
        assert window.hash() == "#/inbox/r5"
        assert len(its.say("xdotool", "search", "--onlyvisible", "--name", "^Deputy$").split()) == 1
        window.close()


def test_the_window_closes_to_the_tray_and_comes_back() -> None:
    with desk(TRAY) as its:
        its.plays()
        window = Driver(its)
        window.see("What should Deputy do?")
        until(lambda: its.icon(), "an icon in the tray")
        its.close_by_key()
        until(lambda: not its.window(), "no window")
        assert "Nothing running" in its.deputy("status"), "the host is still up"
        its.say(APP)
        until(its.window, "the window again")
        its.close_by_key()
        until(lambda: not its.window(), "no window")
        its.say("xdotool", "key", "ctrl+alt+n")
        until(its.window, "the window, by its key")
        until(lambda: window.hash() == "#/new", "a new task")
        window.close()


def test_without_a_tray_closing_ends_it() -> None:
    with desk() as its:
        its.plays()
        app = its.start(APP, "--hidden")
        # Without a tray the window could not be found, so it is shown anyway.
        until(its.window, "the window")
        its.close_by_key()
        assert app.wait(timeout=60) == 0


def test_without_a_bus_the_window_opens() -> None:
    with desk(bus=False) as its:
        its.plays(WRITE, DONE)
        window = Driver(its)
        window.see("What should Deputy do?")
        assign(window, "Write a report", its.workspace)
        window.see("Write REPORT.md")
        window.close()


def test_a_click_on_a_notification_opens_its_request() -> None:
    with desk(TRAY, "dunst") as its:
        its.say("gdbus", "wait", "--session", "--timeout", "60", "org.freedesktop.Notifications")
        its.plays(WRITE, DONE)
        window = Driver(its)
        window.see("What should Deputy do?")
        its.close_by_key()
        until(lambda: not its.window(), "no window")
        its.deputy("run", "Write a report", "--in", str(its.workspace), "--detach")
        until(lambda: its.say("dunstctl", "count", "displayed").strip() == "1", "a notification")
        its.picture("notification")
        its.say("dunstctl", "action", "0")
        until(its.window, "the window")
        until(lambda: window.hash().startswith("#/inbox/r"), "the request")
        window.see("Write REPORT.md")
        request = window.hash().removeprefix("#/inbox/")
        its.deputy("approve", request)
        window.see("REPORT.md")
        window.close()


def test_it_attaches_to_a_host_and_takes_over_when_that_dies() -> None:
    with desk(TRAY) as its:
        its.plays(WRITE, DONE)
        host = its.start(BUILT / "deputy", "--json", "serve")
        its.line(host)
        window = Driver(its)
        window.see("What should Deputy do?")
        assign(window, "Write a report", its.workspace)
        window.see("Write REPORT.md")
        host.send_signal(signal.SIGKILL)
        host.wait()
        # The request was in the journal: the window is the host now, and asks again.
        press = """[...document.querySelectorAll("article button:enabled")]
            .find((button) => /Approve|Write it/.test(button.textContent))?.click()"""

        def approved() -> bool:
            # A click while disconnected is not sent later, so users click again.
            window.run(press)
            return (its.workspace / "REPORT.md").exists()

        until(approved, "the file that was approved")
        window.see("REPORT.md is written.")
        refused = its.start(BUILT / "deputy", "--json", "serve")
        assert "already_served" in its.line(refused)
        window.close()


class OtherVersion(socketserver.StreamRequestHandler):
    """A host with another protocol version, which reports it as every version does."""

    def handle(self) -> None:
        self.rfile.readline()
        message, hint = "This host uses version 7.", "Update the older one."
        error = {"code": "protocol", "message": message, "hints": [hint]}
        said = {"type": "error", "id": None, "error": error}
        self.wfile.write(json.dumps(said).encode() + b"\n")


def test_a_host_of_another_version_is_told_and_let_go() -> None:
    with desk() as its:
        its.plays()
        socket = its.home / "host.sock"
        with socketserver.ThreadingUnixStreamServer(str(socket), OtherVersion) as other:
            threading.Thread(target=other.serve_forever, daemon=True).start()
            window = Driver(its)
            window.see("This host uses version 7.")
            window.see("Update the older one.")
            # Regression: the page said that the client had no right to connect.
            window.unsee("authorized")
            window.picture("other-version")
            other.shutdown()
        socket.unlink()
        # The old host is gone, so the window becomes the host.
        window.click("//button[contains(., 'Reload')]")
        window.unsee("This host uses")
        assert "Nothing running" in its.deputy("status")
        window.close()


def test_a_folder_that_is_not_there_is_told_where_the_task_was_typed() -> None:
    with desk() as its:
        its.plays(DONE)
        window = Driver(its)
        window.see("What should Deputy do?")
        assign(window, "Write a report", its.folder / "nowhere")
        window.see("nowhere")
        assert window.run("return document.querySelector('form textarea').value") == "Write a report"
        window.picture("no-folder")
        window.close()


def test_a_home_that_cannot_be_used_is_told() -> None:
    with desk() as its:
        its.plays()
        (its.home / "config.toml").write_text("nonsense\n")
        window = Driver(its)
        window.see("Deputy can't start:")
        window.see("config.toml")
        window.picture("config")
        window.close()


@pytest.mark.parametrize("wish", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(wish: signal.Signals) -> None:
    with desk(TRAY) as its:
        its.plays()
        app = its.start(APP)
        until(its.window, "the window")
        until(lambda: (its.home / "host.sock").exists(), "a host")
        app.send_signal(wish)
        assert app.wait(timeout=60) == 0
        assert not (its.home / "host.sock").exists()


def test_what_is_built_is_what_is_tested() -> None:
    assert APP.is_file(), f"{APP} is missing; make test-app builds it"
    assert Path(BUILT / "scripted-model").is_file()
