"""Repeats tests while the processors and the disk are busy, and prints which failed how often.

    soak.py N TEST...

A TEST is a filter of nextest such as `package(deputy-browser)`, a Python file or folder with tests, or a
file of browser tests that ends in `.spec.ts`. A test that fails now and then is a defect of the product or of
the test; the output of each run with a failure is in test-results/soak. The load ends with this program.
"""

from __future__ import annotations

import collections
import contextlib
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from stages import counted

RESULTS = Path("test-results/soak")
#: What the disk's load writes at a time: little enough for any machine. It is synced, so it reaches the disk.
WRITTEN = 32 * 1024 * 1024


def spin(parent: int) -> None:
    """Keeps a processor busy as long as the parent is there."""
    while os.getppid() == parent:
        for _ in range(1_000_000):
            pass


def write(parent: int, folder: str) -> None:
    """Keeps the disk busy as long as the parent is there."""
    block = os.urandom(WRITTEN)
    while os.getppid() == parent:
        with (Path(folder) / "load").open("wb") as file:
            file.write(block)
            file.flush()
            os.fsync(file.fileno())


@contextlib.contextmanager
def load() -> Iterator[None]:
    """Keeps twice the processors and the disk busy."""
    parent = os.getpid()
    with tempfile.TemporaryDirectory(dir=RESULTS) as folder:
        loads = [
            multiprocessing.Process(target=spin, args=(parent,)) for _ in range(2 * (os.cpu_count() or 1))
        ]
        loads.append(multiprocessing.Process(target=write, args=(parent, folder)))
        for each in loads:
            each.start()
        try:
            yield
        finally:
            for each in loads:
                each.terminate()
                each.join()


def command(test: str, reports: Path) -> list[str]:
    """Returns the command that runs a test once and writes its report."""
    if test.endswith(".spec.ts"):
        return ["npx", "playwright", "test", test]
    if Path(test.split("::")[0]).exists():
        return [sys.executable, "-m", "pytest", "-q", test, f"--junitxml={reports / 'pytest.xml'}"]
    return ["scripts/cargo_test.sh", "--all", "-E", test]


def run(test: str, reports: Path) -> tuple[int, list[str]]:
    """Runs a test once. Returns how many passed, and the names of those that failed."""
    reports.mkdir()
    log = reports / "log"
    environment = {**os.environ, "JUNIT_DIR": str(reports)}
    with log.open("wb") as output:
        done = subprocess.run(
            command(test, reports), env=environment, stdout=output, stderr=output, check=False
        )
    passed, failed = counted(reports)
    if done.returncode != 0 and not failed:
        failed = [f"{test}: exit code {done.returncode}; see {log}"]
    return passed, failed


def main(times: int, tests: list[str]) -> int:
    """Runs each test `times` times. Returns 1 if any run failed, otherwise 0."""
    shutil.rmtree(RESULTS, ignore_errors=True)
    RESULTS.mkdir(parents=True)
    failures: collections.Counter[str] = collections.Counter()
    good = 0
    with load():
        for number in range(1, times + 1):
            for index, test in enumerate(tests):
                begun = time.monotonic()
                passed, failed = run(test, (RESULTS / f"{number}-{index}").resolve())
                good += passed
                failures.update(failed)
                secs = time.monotonic() - begun
                print(f"{number}/{times} {test}: {passed} passed, {len(failed)} failed, {secs:.0f} s")
                print("".join(f"    {name}\n" for name in failed), end="", flush=True)
    print("\n".join(["", *(f"{count} of {times}  {name}" for name, count in failures.most_common())]))
    print(f"{good} passed, {failures.total()} failed")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
