"""A desktop in memory: screen, bus, window manager, tray, notifications; and a home with a model."""

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
# What a call to the outside may take on a busy machine. Nothing waits for it to pass.
PATIENCE = 60.0
# A bus that starts nothing by itself, so that a desk has what a test put on it and no more.
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
    """Looks until there is something."""
    deadline = time.monotonic() + PATIENCE
    while not (found := look()):
        if time.monotonic() > deadline:
            raise AssertionError(f"did not come to be: {what}")
        # Looks again as soon as something else had its turn.
        select.select([], [], [], 0.05)
    return found


class Desk:
    """A desktop of its own. `parts` are the programs that a person's desktop may or may not have.

    With `services` its bus starts what is installed on this machine, the desktop's portal above all.
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
            # The frames of a screen in memory are drawn without a graphics card.
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "NO_AT_BRIDGE": "1",
            # What the person of this desk wishes lies in their home.
            "GSETTINGS_BACKEND": "keyfile",
        }
        # What is on the screen lies in a file as well, where it can be looked at without asking anybody.
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
        for part in ("openbox", *parts):
            self.start(*part.split())

    def start(self, *command: str | Path) -> subprocess.Popen[str]:
        """Starts a program that lives until the desk is closed."""
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
        """Runs a program to its end and gives what it printed."""
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout

    def deputy(self, *words: str) -> str:
        return self.say(BUILT / "deputy", *words)

    def plays(self, *turns: Json) -> None:
        """A scripted model plans what tasks do."""
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

    def window(self) -> str:
        """The visible window's number at the screen, or nothing."""
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", "^Deputy$"],
            env=self.env, capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
        return found.stdout.strip().split("\n")[0]

    def is_drawn(self) -> bool:
        """Whether the visible window has content: one that was just mapped is a single color."""
        if not (window := self.window()):
            return False
        colors = self.say("import", "-window", window, "-format", "%k", "info:")
        return int(colors) > FEW_COLORS

    def icon(self) -> str:
        """The icon that the tray has taken in, as the screen's number of it."""
        lines = self.say("xwininfo", "-root", "-tree").splitlines()
        return next((line for line in lines if "deputy-desktop" in line and "16x16" not in line), "")

    def said(self, words: str) -> int:
        """How often the programs of this desk have logged something."""
        return (self.folder / "log").read_text().count(words)

    def picture(self, name: str) -> None:
        """Keeps what is on the screen, for people who look."""
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
