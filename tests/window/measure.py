"""How long the window takes to be of use, and what it holds of the memory.

`make bench-window` builds what is needed, prints a table, and writes it to docs/benchmarks-window.md.
"""

from __future__ import annotations

import argparse
import mmap
import os
import platform
import re
import statistics
import struct
import subprocess
import time
import zlib
from dataclasses import dataclass
from pathlib import Path

from desk import APP, PATIENCE, ROOT, Desk, desk

STANDS = re.compile(r"the page's line stands (\d+) ms")
# The rows of the tray, whose icon appears and disappears.
TRAY_ROWS = 40
# Every eighth row is checked. A blinking caret covers three of those.
ROWS = 8
CARET = 4
# A picture that does not change for this many seconds is complete.
CALM = 2.5


class Glass:
    """The screen's picture, from the file that Xvfb draws into."""

    def __init__(self, its: Desk) -> None:
        file = (its.folder / "Xvfb_screen0").open("rb")
        self.map = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        words = struct.unpack(">25I", self.map[:100])
        self.height, self.stride = words[5], words[12]
        # The header is followed by a color table with twelve bytes per entry.
        self.begin = words[0] + 12 * words[19]

    def look(self) -> list[int]:
        """Returns a checksum for every eighth row."""
        rows = range(TRAY_ROWS, self.height, ROWS)
        begins = (self.begin + row * self.stride for row in rows)
        return [zlib.crc32(self.map[begin : begin + self.stride]) for begin in begins]


@dataclass
class Run:
    """The times of one start, in milliseconds since the program was started."""

    shown: float
    line: float
    drawn: float
    held: dict[str, float]

    @property
    def usable(self) -> float:
        """The time until it can be read and typed into, and input reaches the host."""
        return max(self.line, self.drawn)


def family(of: int) -> list[int]:
    """Returns a process and all its descendants."""
    said = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = {int(pid): int(parent) for pid, parent in (line.split() for line in said.splitlines())}
    found = [of]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return [pid for pid in found if Path(f"/proc/{pid}/smaps_rollup").exists()]


def proportional_mb(pid: int) -> float:
    """Returns the process's proportional memory (PSS)."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def held_by(pids: list[int]) -> dict[str, float]:
    held: dict[str, float] = {}
    for pid in pids:
        name = Path(f"/proc/{pid}/comm").read_text().strip()
        held[name] = held.get(name, 0.0) + proportional_mb(pid)
    return held


def start(its: Desk, glass: Glass, number: int) -> Run:
    log = its.folder / f"start-{number}"
    shown = line = drawn = 0.0
    before = glass.look()
    with log.open("w") as file:
        begun = time.monotonic()
        app = subprocess.Popen([APP], env=its.env, stderr=file, cwd=its.workspace)
    while not line or not drawn or time.monotonic() - begun - drawn < CALM:
        now = time.monotonic() - begun
        assert now < PATIENCE, log.read_text()
        seen = glass.look()
        if sum(one != other for one, other in zip(seen, before, strict=True)) > CARET:
            shown, drawn, before = shown or now, now, seen
        if not line and STANDS.search(log.read_text()):
            line = now
        time.sleep(0.01)
    # Once the memory is stable, the fonts, the sidecar and the first paint are done.
    held = held_by(family(app.pid))
    while True:
        time.sleep(2)
        again = held_by(family(app.pid))
        if abs(sum(again.values()) - sum(held.values())) < 1.0:
            break
        held = again
    app.terminate()
    app.wait(timeout=PATIENCE)
    # Waits until the screen is empty before the next start.
    empty = glass.look()
    while (now_empty := glass.look()) != empty:
        empty = now_empty
        time.sleep(0.1)
    return Run(shown * 1000, line * 1000, drawn * 1000, again)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=8, help="starts; the first is of a new home")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks-window.md")
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    with desk("trayer --edge top --align right") as its:
        its.plays()
        glass = Glass(its)
        first, *runs = [start(its, glass, number) for number in range(arguments.times)]
    usable = [run.usable for run in runs]
    total = [sum(run.held.values()) for run in runs]
    rows = [
        ("usable, later starts, median", f"{statistics.median(usable):.0f} ms", "1500 ms"),
        ("the fastest and the slowest of them", f"{min(usable):.0f} and {max(usable):.0f} ms", ""),
        (
            "of this: the window is visible",
            f"{statistics.median(run.shown for run in runs):.0f} ms",
            "",
        ),
        (
            "of this: the page is connected to the host",
            f"{statistics.median(run.line for run in runs):.0f} ms",
            "",
        ),
        ("of this: drawing is complete", f"{statistics.median(run.drawn for run in runs):.0f} ms", ""),
        ("usable, the first start in a new home", f"{first.usable:.0f} ms", ""),
        ("memory (PSS) of all, median", f"{statistics.median(total):.0f} MB", "300 MB"),
    ]
    for name in runs[-1].held:
        mb = statistics.median(run.held.get(name, 0.0) for run in runs)
        rows.append((f"of this: {name}", f"{mb:.0f} MB", ""))
    lines = ["| what | measured | goal |", "|---|---|---|", *(f"| {a} | {b} | {c} |" for a, b, c in rows)]
    table = "\n".join(lines)
    print(table)
    if not arguments.write:
        return
    work = f"load {load:.1f} at the beginning, {os.getloadavg()[0]:.1f} at the end, other work included"
    text = f"""# Window benchmarks

Made by `make bench-window`: the release build is started {arguments.times} times on a virtual
desktop (Xvfb without a graphics card, a bus, a window manager, a tray), and is the host itself.
The machine has {os.cpu_count()} processors ({platform.machine()}; {work}).

Times are measured from the start of the program. *Usable* is the later of two moments: the page is
connected to the host, and the screen changes for the last time, so that everything is drawn,
including fonts. Memory is the proportional set size of the window, its web view and the planner, once
the screen no longer changes.

{table}
"""
    (ROOT / "docs/benchmarks-window.md").write_text(text)


if __name__ == "__main__":
    main()
