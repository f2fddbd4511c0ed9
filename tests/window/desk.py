"""A virtual desktop: screen, bus, window manager, tray, notifications; and a home with a model."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parents[2]
BUILT = Path(os.environ.get("DEPUTY_BUILT", ROOT / "target/debug"))
APP = BUILT / "deputy-desktop"
PICTURES = ROOT / "test-results/window"
TRAY = "trayer --edge top --align right --widthtype request --height 28"
# The timeout of external calls on a busy machine, in seconds. Nothing waits for its full length.
PATIENCE = 60.0
# A bus that starts no services, so that a desktop has exactly the parts that a test added.
BUS = """<busconfig>
  <type>session</type>
  <listen>unix:dir={folder}</listen>
  {services}
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""
# A page has more, a window without its page fewer.
FEW_COLORS = 16
Json = dict[str, Any]
T = TypeVar("T")


def until(look: Callable[[], T], what: str) -> T:
    """Polls until there is a result."""
    deadline = time.monotonic() + PATIENCE
    while not (found := look()):
        if time.monotonic() > deadline:
            raise AssertionError(f"did not come to be: {what}")
        # Polls again after a short pause.
        select.select([], [], [], 0.05)
    return found


class Desk:
    """A separate desktop. `parts` are the programs that a user's desktop may or may not have.

    With `services`, its bus starts the services installed on this machine, mainly the desktop portal.
    """

    def __init__(self, *parts: str, bus: bool = True, services: bool = False, size: str = "1440x900") -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="deputy-window-")
        self.folder = Path(self._folder.name)
        self.user, self.home = self.folder / "user", self.folder / "deputy"
        self.workspace = self.folder / "workspace"
        for folder in (self.user, self.home, self.workspace):
            folder.mkdir(mode=0o700)
        self.running: list[subprocess.Popen[str]] = []
        self.log = (self.folder / "log").open("a")
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.user),
            "LANG": "C.UTF-8",
            "DEPUTY_HOME": str(self.home),
            "DEPUTY_LOG": "info",
            "XDG_RUNTIME_DIR": str(self.folder),
            # A virtual screen is rendered without a graphics card.
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "NO_AT_BRIDGE": "1",
            # The settings of this desktop's user are in their home.
            "GSETTINGS_BACKEND": "keyfile",
        }
        # The screen's contents are also in a file, which can be read without other programs.
        glass = ("-fbdir", str(self.folder))
        screen = self.start("Xvfb", "-displayfd", "1", "-screen", "0", f"{size}x24", *glass)
        self.env["DISPLAY"] = f":{self.line(screen)}"
        self.env["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
        if bus:
            config = self.folder / "bus.conf"
            dirs = "<standard_session_servicedirs/>" if services else ""
            config.write_text(BUS.format(folder=self.folder, services=dirs))
            daemon = self.start("dbus-daemon", f"--config-file={config}", "--nofork", "--print-address=1")
            self.env["DBUS_SESSION_BUS_ADDRESS"] = self.line(daemon)
        self.start("openbox")
        # Before that, a window is neither in its charge nor closed by its keys.
        until(self.is_managed, "the window manager")
        for part in parts:
            self.start(*part.split())

    def start(self, *command: str | Path) -> subprocess.Popen[str]:
        """Starts a program that runs until the desktop is closed."""
        process = subprocess.Popen(
            command, env=self.env, cwd=self.workspace, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
        )  # fmt: skip
        self.running.append(process)
        return process

    def line(self, process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        return process.stdout.readline().strip()

    def say(self, *command: str | Path) -> str:
        """Runs a program to its end and returns its output."""
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout

    def deputy(self, *words: str) -> str:
        return self.say(BUILT / "deputy", *words)

    def plays(self, *turns: Json) -> None:
        """Uses a scripted model for the plans of tasks."""
        script = self.folder / "script.json"
        script.write_text(json.dumps({"by_conversation": True, "turns": turns}))
        url = self.line(self.start(BUILT / "scripted-model", "--script", script))
        (self.home / "config.toml").write_text(
            'backend = "openai_compatible"\n'
            "[server]\n"
            'listen = "127.0.0.1:0"\n'
            "[backends.openai_compatible]\n"
            f'base_url = "{url}"\nmodel = "scripted"\n'
        )

    def is_managed(self) -> bool:
        """Whether a window manager has announced what it does."""
        return "_NET_ACTIVE_WINDOW" in self.say("xprop", "-root", "_NET_SUPPORTED")

    def window(self) -> str:
        """Returns the visible window's X11 id, or an empty string."""
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", "^Deputy$"],
            env=self.env, capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
        return found.stdout.strip().split("\n")[0]

    def close_by_key(self) -> None:
        """Closes the visible window with the window manager's key, once it has the keyboard."""
        window = self.window()
        self.say("xdotool", "windowactivate", "--sync", window)
        until(lambda: self.say("xdotool", "getwindowfocus").strip() == window, "the focus in the window")
        self.say("xdotool", "key", "alt+F4")

    def is_drawn(self) -> bool:
        """Whether the visible window has content: one that was just mapped is a single color."""
        if not (window := self.window()):
            return False
        colors = self.say("import", "-window", window, "-format", "%k", "info:")
        return int(colors) > FEW_COLORS

    def icon(self) -> str:
        """Returns the line of the icon that the tray has embedded, from the X11 window tree."""
        lines = self.say("xwininfo", "-root", "-tree").splitlines()
        return next((line for line in lines if "deputy-desktop" in line and "16x16" not in line), "")

    def said(self, words: str) -> int:
        """Returns how often the programs of this desktop have logged a text."""
        return (self.folder / "log").read_text().count(words)

    def picture(self, name: str) -> None:
        """Saves a screenshot for manual review."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.say("import", "-window", "root", PICTURES / f"{name}.png")

    def close(self) -> None:
        for process in reversed(self.running):
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=10)
            process.kill()
            process.wait()
        self.log.close()
        self._folder.cleanup()


@contextlib.contextmanager
def desk(*parts: str, bus: bool = True, services: bool = False, size: str = "1440x900") -> Iterator[Desk]:
    made = Desk(*parts, bus=bus, services=services, size=size)
    try:
        yield made
    except BaseException:
        made.picture("failed")
        print((made.folder / "log").read_text()[-8000:])
        raise
    finally:
        made.close()
