"""Tests the check of the sample run's report: it accepts a correct report and finds each kind of error."""

from pathlib import Path

import check_report
import pytest

FILES = {"a.txt": b"1", "copy of a.txt": b"1", "b.txt": b"2", "sub/b.txt": b"2", "c.txt": b"3"}
REPORT = """# Report

5 files. 2 groups of duplicates:

- `a.txt`, `copy of a.txt`
- `sub/b.txt`
- `b.txt`

Others: `c.txt`
"""


def test_a_right_report_passes() -> None:
    assert check_report.faults(REPORT, FILES) == []


def test_wrong_counts_are_found() -> None:
    assert (
        len(
            check_report.faults(REPORT.replace("5 files", "15 files").replace("2 groups", "no groups"), FILES)
        )
        == 2
    )


def test_a_missing_member_is_found() -> None:
    assert len(check_report.faults(REPORT.replace("copy of a.txt", "copy"), FILES)) == 1


def test_mixed_groups_are_found() -> None:
    mixed = REPORT.replace(
        "- `a.txt`, `copy of a.txt`\n- `sub/b.txt`", "- `a.txt`, `sub/b.txt`\n- `copy of a.txt`"
    )
    assert len(check_report.faults(mixed, FILES)) == 2


def test_a_changed_file_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inbox, run = tmp_path / "inbox", tmp_path / "run"
    for folder in (inbox, run):
        for name, content in FILES.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    monkeypatch.setattr(check_report, "INBOX", inbox)
    (run / "REPORT.md").write_text(REPORT)
    assert check_report.main(run / "REPORT.md") == 0
    (run / "c.txt").write_bytes(b"changed")
    assert check_report.main(run / "REPORT.md") == 1
