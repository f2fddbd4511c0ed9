"""Tests that a suite runs all of its stages, and that its last lines say what failed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

STAGES = Path(__file__).with_name("stages.py")
MAKEFILE = """
good:
\t@echo as it should be
bad:
\t@echo something is wrong; exit 3
tests:
\t@printf '<testsuites><testsuite><testcase classname="c" name="a"/>\
<testcase classname="c" name="b"><failure/></testcase>\
<testcase name="s"><skipped/></testcase></testsuite></testsuites>' > $(JUNIT_DIR)/t.xml; exit 1
"""


def run(folder: Path, *stages: str, name: str = "one") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "STAGES_RUN": name}
    command = [sys.executable, str(STAGES), *stages]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_all_stages_run_and_the_last_lines_say_what_failed(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE)
    done = run(tmp_path, "bad", "tests", "good")
    assert done.returncode == 1, done.stdout
    assert done.stdout.index("something is wrong") < done.stdout.index("as it should be")
    assert done.stdout.splitlines()[-5:] == [
        "Failed:",
        "  bad: exit code 2; see test-results/stages/bad.log",
        "  tests: c b",
        "",
        "2 passed, 2 failed",
    ]
    # A second call from the same `make` adds to the count.
    done = run(tmp_path, "good")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "3 passed, 2 failed")
    assert "tests: c b" in done.stdout
    # Another `make` starts a new count.
    done = run(tmp_path, "good", name="other")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "1 passed, 0 failed")


def test_a_report_that_names_no_failure_does_not_hide_one(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE.replace("<failure/>", ""))
    done = run(tmp_path, "tests")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "2 passed, 1 failed")
