"""Tools for the benchmarks: processes, their memory and CPU time, and facts about the machine."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


class Spoken:
    """A process that answers each line with a line."""

    def __init__(self, *command: str | Path) -> None:
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def read(self) -> str:
        assert self.child.stdout is not None
        line = self.child.stdout.readline()
        assert line, f"{self.child.args!r} ended"
        return line.strip()

    def ask(self, line: str) -> Any:
        assert self.child.stdin is not None
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()
        answer = self.read()
        return json.loads(answer) if answer.startswith("{") else answer

    def memory_mib(self) -> float:
        """Returns the proportional set size (PSS) in MiB, which counts shared pages once."""
        return pss_kb(self.child.pid)[1] / 1024

    def processor_seconds(self) -> float:
        fields = Path(f"/proc/{self.child.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        self.child.kill()
        self.child.wait()


class MemoryWatch:
    """Samples the proportional memory of a process and its descendants, and records the peak."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._pid = process.pid
        self._peak_kb = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._sample)
        self._thread.start()

    def _sample(self) -> None:
        while not self._ended.wait(0.02):
            # While a command runs, its keeper shares Deputy's memory. Each address space counts once.
            memories = dict(pss_kb(pid) for pid in tree(self._pid))
            self._peak_kb = max(self._peak_kb, sum(memories.values()))

    def stop(self) -> float:
        self._ended.set()
        self._thread.join()
        return self._peak_kb / 1024


def tree(pid: int) -> list[int]:
    """Returns a process and all its descendants."""
    found, queue = [], [pid]
    while queue:
        one = queue.pop()
        found.append(one)
        try:
            for thread in Path(f"/proc/{one}/task").iterdir():
                queue += [int(child) for child in (thread / "children").read_text().split()]
        except OSError:
            continue
    return found


def pss_kb(pid: int) -> tuple[str, int]:
    """Returns the start of a process's address space, which identifies it, and its PSS in kB."""
    try:
        place, *lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        for line in lines:
            if line.startswith("Pss:"):
                return place, int(line.split()[1])
    except (OSError, ValueError):
        pass
    return "", 0


def machine() -> str:
    model = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    memory_gb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores of {model}, {memory_gb:.0f} GiB, Linux {platform.release()}"


def commit() -> str:
    git = ["git", "-C", str(ROOT)]
    head = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    dirty = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=False)
    return (head.stdout.strip() or "unknown") + (" with changes" if dirty.stdout.strip() else "")
