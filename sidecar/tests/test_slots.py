"""The values in a request, by tables."""

from typing import Any

import pytest

from deputy_sidecar.offline.language import concepts
from deputy_sidecar.offline.matching import best_skill
from deputy_sidecar.offline.skills import SKILLS
from deputy_sidecar.offline.skills.search_text import wanted_text
from deputy_sidecar.offline.slots import (
    Sizes,
    Times,
    extension_in,
    file_in,
    folder_in,
    name_pattern_in,
    report_file_in,
    sizes_in,
    times_in,
)


def table(function: Any, cases: dict[str, Any]) -> None:
    assert {text: function(text) for text in cases} == cases


def test_folders() -> None:
    table(
        folder_in,
        {
            "what is in this folder": ".",
            "Find out what is in this folder, find the duplicate files, and write REPORT.md": ".",
            "what is in ~/Downloads?": "~/Downloads",
            "find duplicates in photos/2024": "photos/2024",
            "find duplicates in /srv/data and write dups.md": "/srv/data",
            "what is in the folder invoices": "invoices",
            "what is in the invoices folder": "invoices",
            "find pdf files in Downloads": "Downloads",
            'what is in "./my files/"?': "./my files/",
            "read docs/plan.md": ".",
            'search for "a/b" in the files': ".",
            "how much space does this folder use": ".",
            "how many files are in it": ".",
            "show the files in detail": ".",
            "was ist im Ordner Bilder?": "Bilder",
            "": ".",
        },
    )


def test_files_to_write() -> None:
    table(
        report_file_in,
        {
            "find out what is here and write REPORT.md": "REPORT.md",
            "read notes.md and write a summary to out/summary.md.": "out/summary.md",
            "save the list as files.md": "files.md",
            "schreibe einen Bericht nach BERICHT.md": "BERICHT.md",
            "write a report": None,
            "read notes.md": None,
        },
    )


def test_files_to_read() -> None:
    table(
        file_in,
        {
            "read notes.md": "notes.md",
            "summarise the file docs/plan.v2.md please": "docs/plan.v2.md",
            'read "my notes.txt"': "my notes.txt",
            "Read Meeting Notes copy.txt please": "Meeting Notes copy.txt",
            "summarise the file todo OLD.md.": "todo OLD.md",
            "read notes.md and write the gist to out.md": "notes.md",
            "what does ~/todo.txt say?": "~/todo.txt",
            "read /etc/hostname": "/etc/hostname",
            "read a file": None,
            "lies die Datei liste.csv": "liste.csv",
        },
    )


def test_names_and_kinds() -> None:
    table(
        name_pattern_in,
        {
            "find files named report": "*report*",
            'find files called "budget"': "*budget*",
            "find IMG_*.jpg": "IMG_*.jpg",
            "where is budget.xlsx?": "budget.xlsx",
            'find "notes"': "*notes*",
            "find files": None,
        },
    )
    table(
        extension_in,
        {
            "find all PDFs": "pdf",
            "find .txt files": "txt",
            "find Python files": "py",
            "all jpegs": "jpg",
            'find "pdf"': None,
            "find files": None,
        },
    )


def test_sizes_and_times() -> None:
    table(
        sizes_in,
        {
            "larger than 10 MB": Sizes(10_000_000, None),
            "bigger than 1.5GB": Sizes(1_500_000_000, None),
            "kleiner als 500 KB": Sizes(None, 500_000),
            "smaller than 2 kb but over 100 bytes": Sizes(100, 2_000),
            "files": Sizes(None, None),
        },
    )
    table(
        times_in,
        {
            "changed today": Times("1d", None),
            "seit gestern": Times("2d", None),
            "in the last 3 days": Times("3d", None),
            "in the past week": Times("7d", None),
            "within 12 hours": Times("12h", None),
            "older than 2 months": Times(None, "60d"),
            "not changed for 1 year": Times(None, "365d"),
            "before 2026-01-31": Times(None, "2026-01-31"),
            "since 2026-01-31": Times("2026-01-31", None),
            "since 2026-99-99": Times(None, None),
            "files": Times(None, None),
        },
    )


def test_texts_to_search_for() -> None:
    table(
        wanted_text,
        {
            'search for "red bicycle" in the files': "red bicycle",
            "which files contain invoice?": "invoice",
            "grep TODO": "TODO",
            "find all lines that mention Ann": "Ann",
            "search the files for „Rechnung“": "Rechnung",
            "search for text in the files": None,
        },
    )


@pytest.mark.parametrize("skill", SKILLS, ids=lambda skill: skill.title)
def test_each_sample_means_its_own_skill(skill: Any) -> None:
    for sample in skill.samples:
        assert best_skill(sample) is skill, sample


def test_words_become_concepts() -> None:
    assert concepts('Please find the Duplicates, and WRITE "My Report" to out.md!') == [
        "find",
        "duplicate",
        "write",
        "named file",
    ]
    assert concepts("Finde doppelte Dateien im Ordner") == ["find", "duplicate", "file", "folder"]
