"""Runs targets of the Makefile one after another, whatever fails, and says at the end what failed.

    stages.py TARGET [TARGET+TARGET ...]

Targets joined by `+` run side by side. The output of each is in test-results/stages/TARGET.log as well.
Test runners write JUnit reports into the folder that JUNIT_DIR names, from which tests are counted. A target
without a report counts as one test, so that a check that fails is a failure in the last line. `make check
test` is two calls of this program with the same STAGES_RUN, and the second summary includes the first.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import asdict, dataclass, field
from pathlib import Path

RESULTS = Path("test-results/stages")


@dataclass
class Stage:
    """What became of a target."""

    target: str
    seconds: float
    exit_code: int
    passed: int
    # The names of the tests that failed, or a sentence if the target failed without naming a test.
    failed: list[str] = field(default_factory=list)


class Running:
    """A target that runs. Its output goes to a file, because what it leaves behind may hold a pipe open."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.reports = RESULTS / f"{target}.junit"
        self.log = RESULTS / f"{target}.log"
        shutil.rmtree(self.reports, ignore_errors=True)
        self.reports.mkdir(parents=True)
        self.begun = time.monotonic()
        # The flags of the `make` that calls this are not for what tests do with `make`.
        own = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL"}
        environment = {name: value for name, value in os.environ.items() if name not in own}
        environment["JUNIT_DIR"] = str(self.reports.resolve())
        command = [os.environ.get("MAKE", "make"), "--no-print-directory", target]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
        self.seconds = 0.0
        self.waiting = threading.Thread(target=self._wait)
        self.waiting.start()

    def _wait(self) -> None:
        """Notes when the target ends, also while the output of another one is printed."""
        self.process.wait()
        self.seconds = time.monotonic() - self.begun

    def end(self) -> Stage:
        """Prints the output until the target ends, and returns the result."""
        with self.log.open(errors="replace") as output:
            while self.waiting.is_alive():
                self.waiting.join(0.2)
                print(output.read(), end="", flush=True)
            # A target may have ended before the loop began, or after it last read.
            print(output.read(), end="", flush=True)
        exit_code = self.process.returncode
        passed, failed = counted(self.reports)
        if exit_code != 0 and not failed:
            failed = [f"exit code {exit_code}; see {self.log}"]
        elif exit_code == 0 and passed == 0 and not failed:
            passed = 1
        return Stage(self.target, self.seconds, exit_code, passed, failed)


def counted(reports: Path) -> tuple[int, list[str]]:
    """Returns how many tests passed by the reports of a target, and the names of those that failed."""
    passed, failed = 0, []
    for report in sorted(reports.glob("**/*.xml")):
        for case in ElementTree.parse(report).iter("testcase"):
            name = f"{case.get('classname', '')} {case.get('name', '')}".strip()
            if case.find("failure") is not None or case.find("error") is not None:
                failed.append(name)
            elif case.find("skipped") is None:
                passed += 1
    return passed, failed


def summary(stages: list[Stage]) -> str:
    """Returns the closing lines: the time of each stage, what failed, and the count."""
    wide = max(len(stage.target) for stage in stages)
    lines = ["", f"{'stage':<{wide}}  minutes  passed  failed"]
    for stage in stages:
        minutes = f"{int(stage.seconds) // 60}:{int(stage.seconds) % 60:02}"
        lines.append(f"{stage.target:<{wide}}  {minutes:>7}  {stage.passed:>6}  {len(stage.failed):>6}")
    failures = [f"  {stage.target}: {name}" for stage in stages for name in stage.failed]
    if failures:
        lines += ["", "Failed:", *failures]
    passed = sum(stage.passed for stage in stages)
    return "\n".join([*lines, "", f"{passed} passed, {len(failures)} failed"])


def earlier(record: Path, run: str) -> list[Stage]:
    """Returns the stages that another call ran for the same `make`."""
    try:
        kept = json.loads(record.read_text())
    except (OSError, ValueError):
        return []
    return [Stage(**stage) for stage in kept["stages"]] if kept["run"] == run else []


def main(groups: list[str]) -> int:
    """Runs the groups of targets, and returns the exit code."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    record, run = RESULTS / "record.json", os.environ.get("STAGES_RUN", "")
    stages = earlier(record, run) if run else []
    mine: list[Stage] = []
    for group in groups:
        targets = group.split("+")
        print(f"\n=== {', '.join(targets)}", flush=True)
        running = [Running(target) for target in targets]
        mine += [each.end() for each in running]
        record.write_text(json.dumps({"run": run, "stages": [asdict(stage) for stage in stages + mine]}))
    print(summary(stages + mine), flush=True)
    return int(any(stage.exit_code != 0 or stage.failed for stage in mine))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
