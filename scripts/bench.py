"""Measures what Deputy costs alongside the model, and writes the table to docs/benchmarks.md.

`deputy run` works against a scripted OpenAI-compatible server on loopback that asks for `echo step` N times.
The server logs when each request arrives, so a step is the time from one request to the next: planned,
decided, journalled, confined, run, journalled, planned again. Medians of several runs; nothing here fails for
being slow.
"""

from __future__ import annotations

import argparse
import itertools
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from measured import ROOT, MemoryWatch, commit, machine

DEPUTY = ROOT / "target/release/deputy"
MODEL = ROOT / "target/release/scripted-model"
PAGE = ROOT / "docs/benchmarks.md"


@dataclass
class Run:
    """The measurements of one run: when each request arrived, and the peak memory."""

    first_ms: float
    steps_ms: list[float]
    peak_mb: float


@contextmanager
def scripted_model(folder: Path, count: int) -> Iterator[tuple[str, Path]]:
    """Starts a scripted model that calls `echo step` `count` times. Yields its address and its log."""
    script, log = folder / "script.json", folder / "requests.jsonl"
    steps = {"tool": "shell", "arguments": {"command": "echo step {n}"}, "count": count, "then": "done"}
    script.write_text(json.dumps({"steps": steps}))
    log.unlink(missing_ok=True)
    command = [str(MODEL), "--script", str(script), "--log", str(log)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip(), log
        finally:
            server.communicate()


def configure(home: Path, url: str) -> None:
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text(
        f'backend = "openai_compatible"\n[limits]\nmax_iterations = 0\nmax_tokens = 0\n'
        f'[backends.openai_compatible]\nbase_url = "{url}"\nmodel = "scripted"\n'
    )


def run_task(folder: Path, count: int, *, served: bool = False) -> Run:
    """Runs a task from start to end, in a new home."""
    home, work = folder / "home", folder / "work"
    shutil.rmtree(home, ignore_errors=True)
    work.mkdir(exist_ok=True)
    with scripted_model(folder, count) as (url, log):
        configure(home, url)
        host = start_host(home) if served else None
        command = [str(DEPUTY), "--home", str(home), "--json", "run", "count", "--in", str(work)]
        started_ns = time.time_ns()
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as task:
            watch = MemoryWatch(host or task)
            task.wait()
            peak_mb = watch.stop()
        if task.returncode != 0:
            sys.exit(f"bench: the task ended with exit code {task.returncode}")
        if host:
            host.terminate()
            host.wait()
        arrivals = [json.loads(line) for line in log.read_text().splitlines()]
    times = [arrival["at_ns"] for arrival in arrivals]
    if len(times) != count + 1:
        sys.exit(f"bench: {len(times)} requests came instead of {count + 1}")
    steps = [(later - earlier) / 1e6 for earlier, later in itertools.pairwise(times)]
    return Run((arrivals[0]["at_unix_ns"] - started_ns) / 1e6, steps, peak_mb)


def start_host(home: Path) -> subprocess.Popen[bytes]:
    host = subprocess.Popen([str(DEPUTY), "--home", str(home), "serve"], stdout=subprocess.DEVNULL)
    # The socket shows that the host is up. Then the sidecar warms up, which is not visible from outside.
    while not (home / "host.sock").exists():
        time.sleep(0.02)
    time.sleep(2)
    return host


def measure(rounds: int) -> list[tuple[str, str, str]]:
    """Returns all rows of the table: the measurement, its value and the goal."""
    with tempfile.TemporaryDirectory(prefix="deputy-bench-") as temporary:
        folder = Path(temporary)
        run_task(folder, 5)
        middle = [run_task(folder, 200) for _ in range(rounds)]
        long = run_task(folder, 1050)
        cold = [run_task(folder, 1).first_ms for _ in range(rounds * 2)]
        warm = [run_task(folder, 1, served=True).first_ms for _ in range(rounds)]
    step = statistics.median(ms for run in middle for ms in run.steps_ms)
    slowest = statistics.quantiles([ms for run in middle for ms in run.steps_ms], n=100)[98]
    early = statistics.median(long.steps_ms[5:55])
    late = statistics.median(long.steps_ms[975:1025])
    peak = statistics.median(run.peak_mb for run in middle)
    return [
        ("overhead a step, N = 200, median", f"{step:.1f} ms", "under 8 ms, 5 wished"),
        ("overhead a step, N = 200, 99th percentile", f"{slowest:.1f} ms", ""),
        (
            "step 1000 against step 10 (medians of 50 around)",
            f"{late / early:.2f} times",
            "at most 1.5 times",
        ),
        ("first model request from process start", f"{statistics.median(cold):.0f} ms", "within 400 ms"),
        ("first model request, host up", f"{statistics.median(warm):.0f} ms", "within 60 ms"),
        ("peak memory of core and sidecar, N = 200", f"{peak:.0f} MB", "under 80 MB"),
        (
            "peak memory of core and sidecar, N = 1050",
            f"{long.peak_mb:.0f} MB",
            "no more than the transcript",
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="runs that a median is taken of")
    rows = measure(parser.parse_args().rounds)
    width = max(len(what) for what, _, _ in rows)
    for what, figure, goal in rows:
        print(f"{what:{width}}  {figure:>10}  {goal}")
    table = "".join(f"| {what} | {figure} | {goal} |\n" for what, figure, goal in rows)
    # The sections after the table are measured by other commands.
    _, heading, others = PAGE.read_text().partition("\n## ")
    PAGE.write_text(
        "# Benchmarks\n\n"
        "Made by `make bench`: `deputy run` against a scripted OpenAI-compatible server on loopback that\n"
        "asks for `echo step N`. A step is the time from one model request to the next: planned, decided,\n"
        "journalled, run under confinement, journalled. Memory is the proportional set size of the core,\n"
        "the sidecar and their children.\n\n"
        f"Machine: {machine()}. Commit {commit()}, {time.strftime('%Y-%m-%d')}.\n\n"
        f"| what | measured | goal |\n|---|---|---|\n{table}{heading}{others}"
    )
    print(f"\nWritten to {PAGE.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
