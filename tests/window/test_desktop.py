"""The window on a desktop: dark and light, a dropped folder, a small screen, a page that crashes."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from pathlib import Path

import pytest
from desk import APP, TRAY, desk, until
from driver import Driver
from measure import family


def page_process(app: int) -> int:
    """Returns the id of the page's process."""
    names = {pid: Path(f"/proc/{pid}/comm").read_text().strip() for pid in family(app)}
    return next((pid for pid, name in names.items() if name.startswith("WebKitWebProces")), 0)


def test_dark_and_light_are_the_desktops() -> None:
    with desk(services=True) as its:
        its.plays()
        wish = ("gsettings", "set", "org.gnome.desktop.interface", "color-scheme")
        its.say(*wish, "prefer-dark")
        window = Driver(its)
        window.see("What should Deputy do?")
        theme = "return document.documentElement.dataset.theme"
        until(lambda: window.run(theme) == "dark", "a dark page")
        window.picture("dark")
        its.say(*wish, "default")
        until(lambda: window.run(theme) == "light", "a light page")
        its.say(*wish, "prefer-dark")
        until(lambda: window.run(theme) == "dark", "a dark page again")
        window.close()


@pytest.mark.parametrize(
    ("theme", "shown"),
    [("Adwaita-dark", ("dark", "normal")), ("HighContrast", ("light", "more"))],
)
def test_the_toolkits_theme_is_followed(theme: str, shown: tuple[str, str]) -> None:
    with desk() as its:
        its.plays()
        settings = its.user / ".config/gtk-3.0/settings.ini"
        settings.parent.mkdir(parents=True)
        settings.write_text(f"[Settings]\ngtk-theme-name={theme}\n")
        window = Driver(its)
        window.see("What should Deputy do?")
        data = window.run("return {...document.documentElement.dataset}")
        window.picture(theme)
        assert (data["theme"], data["contrast"]) == shown
        window.close()


def test_a_folder_is_dropped_onto_it() -> None:
    with desk() as its:
        its.plays()
        folder = its.user / "Papers & more"
        folder.mkdir()
        (folder / "note.txt").write_text("a note")
        drag = its.folder / "drag"
        flags = shlex.split(its.say("pkg-config", "--cflags", "--libs", "gtk+-3.0"))
        source = Path(__file__).with_name("drag.c")
        subprocess.run(["cc", "-o", drag, source, *flags], check=True)
        window = Driver(its)
        window.see("What should Deputy do?")
        its.start(drag, folder / "note.txt", folder)
        find = ["xdotool", "search", "--sync", "--onlyvisible", "--name", "^Files$"]
        files = its.say(*find).split()[0]
        its.say("xdotool", "windowmove", "--sync", files, "20", "20", "windowactivate", "--sync", files)
        pull = ["xdotool", "mousemove", "80", "70", "mousedown", "1"]
        for step in range(12):
            pull += ["mousemove", str(80 + 50 * step), str(70 + 30 * step)]
        its.say(*pull)
        # A drag involves three programs. Each mouse movement gives them another chance to respond.
        field = "return document.querySelector(\"input[list='folders']\")?.value"

        def dropped() -> bool:
            its.say("xdotool", "mousemove_relative", "3", "2", "mouseup", "1")
            if window.run(field) == f"~/{folder.name}":
                return True
            its.say("xdotool", "mousemove", "80", "70", "mousedown", "1")
            its.say("xdotool", "mousemove", "120", "90", "mousemove", "500", "400")
            return False

        until(dropped, "the folder in its field")
        window.picture("dropped")
        window.close()


@pytest.mark.parametrize("size", ["900x600", "1024x768", "1440x900"])
def test_it_fits_onto_the_screen(size: str) -> None:
    width, height = map(int, size.split("x"))
    with desk(TRAY, size=size) as its:
        its.plays()
        window = Driver(its)
        window.see("What should Deputy do?")
        geometry = its.say("xdotool", "getwindowgeometry", "--shell", its.window())
        place = dict(line.split("=") for line in geometry.split())
        right, bottom = (int(place[at]) + int(place[of]) for at, of in (("X", "WIDTH"), ("Y", "HEIGHT")))
        assert min(int(place["X"]), int(place["Y"]), width - right, height - bottom) >= 0, geometry
        window.picture(f"screen-{size}")
        window.close()


def test_a_page_that_dies_comes_back() -> None:
    with desk(TRAY) as its:
        its.plays()
        app = its.start(APP)
        stands = "the page's line stands"
        until(lambda: its.said(stands) == 1 and its.window(), "the window")
        os.kill(page_process(app.pid), signal.SIGKILL)
        until(lambda: its.said(stands) == 2, "the page again")
        assert its.window()
        # A hidden window stays hidden.
        its.close_by_key()
        until(lambda: not its.window(), "no window")
        os.kill(page_process(app.pid), signal.SIGKILL)
        until(lambda: its.said(stands) == 3, "the page again")
        assert not its.window()
        assert app.poll() is None


def test_it_waits_in_the_tray() -> None:
    with desk(TRAY) as its:
        its.plays()
        app = its.start(APP, "--hidden")
        until(lambda: its.icon(), "an icon in the tray")
        until(lambda: its.said("the page's line stands"), "the page")
        assert not its.window()
        its.say(APP, "deputy://new")
        # A picture taken before the first frame is black.
        until(its.is_drawn, "the drawn window")
        its.picture("from-the-tray")
        assert app.poll() is None


def test_what_the_engine_keeps_is_private_and_in_the_home() -> None:
    with desk() as its:
        its.plays()
        window = Driver(its)
        window.see("What should Deputy do?")
        kept = its.home / "window"
        until(kept.is_dir, "the engine's folder")
        assert its.home.stat().st_mode & 0o077 == 0
        ours = [path for path in its.user.rglob("*") if "deputy" in path.name.lower()]
        assert ours == []
        window.close()
