"""How long the window takes to be of use, and what it holds of the memory: prints a table."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
from pathlib import Path

from desk import BUILT, PATIENCE, Desk, desk, until

APP = BUILT / "deputy-desktop"
STANDS = re.compile(r"the page's line stands (\d+) ms")


def family(of: int) -> list[int]:
    """A process and all below it."""
    said = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = {int(pid): int(parent) for pid, parent in (line.split() for line in said.splitlines())}
    found = [of]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def proportional_mb(pid: int) -> float:
    """What the process holds, shared pages by their share."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def start(its: Desk, number: int) -> tuple[int, dict[str, float]]:
    log = its.folder / f"start-{number}"
    with log.open("w") as file:
        app = subprocess.Popen([APP], env=its.env, stderr=file, cwd=its.workspace)
    until(lambda: STANDS.search(log.read_text()), "a line of the page")
    until(its.window, "the window")
    # Fonts, the sidecar and the first paint have come when the memory stands still.
    before = -1.0
    while abs((now := sum(map(proportional_mb, family(app.pid)))) - before) > 1.0:
        before = now
        subprocess.run(["sleep", "2"], check=True)
    held: dict[str, float] = {}
    for pid in family(app.pid):
        name = Path(f"/proc/{pid}/comm").read_text().strip()
        held[name] = held.get(name, 0.0) + proportional_mb(pid)
    app.terminate()
    app.wait(timeout=PATIENCE)
    found = STANDS.search(log.read_text())
    return int(found[1]) if found else 0, held


def main(times: int) -> None:
    with desk("trayer --edge top --align right") as its:
        its.plays()
        runs = [start(its, number) for number in range(times)]
    took = [took for took, _ in runs[1:]]
    print("| what | figure |\n|---|---|")
    print(f"| first start, a new home | {runs[0][0]} ms |")
    print(f"| later starts, median of {len(took)} | {statistics.median(took):.0f} ms |")
    print(f"| the slowest of them | {max(took)} ms |")
    for name, mb in runs[-1][1].items():
        print(f"| memory (PSS) of {name} | {mb:.0f} MB |")
    print(f"| memory (PSS) of all | {sum(runs[-1][1].values()):.0f} MB |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 6)
