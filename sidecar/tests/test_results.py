"""Results as the real tools write them, copied from their own tests."""

import pytest

from deputy_sidecar.offline.kinds import kind_of, odd_names
from deputy_sidecar.offline.results import (
    DuplicateGroup,
    Entry,
    Share,
    Totals,
    duplicate_groups,
    entries,
    listing,
    plural,
    shares,
    size_text,
    totals,
)

LS = """README.md\tfile\t6\t2026-01-31
etc\tlink\t-\t2023-03-03
photos\tfolder\t-\t2024-04-04
3 files, 3 folders, 8 bytes; 1 link; 1 special file; 3 hidden or ignored"""

USAGE = """2000000\t1\ttarget/
4000\t2\tphotos/
0\t0\tetc
11 files, 7 folders, 2.0 MB; 1 link; 1 special file"""

DUPLICATES = """3 files of 1 bytes, 2 wasted
  caf\\xe9.txt
  two\\nlines
  \\u{202e}gpj.exe
... and 12 more
5 groups, 15 files, 2 bytes wasted; 2 hidden or ignored"""


def test_ls() -> None:
    assert entries(LS) == [
        Entry("README.md", "file", 6, "2026-01-31"),
        Entry("etc", "link", None, "2023-03-03"),
        Entry("photos", "folder", None, "2024-04-04"),
    ]
    assert totals(listing(LS).summary) == Totals(3, 3, "8 bytes", "1 link; 1 special file; 3 hidden or ignored")


def test_usage() -> None:
    assert shares(USAGE) == [Share(2000000, 1, "target/"), Share(4000, 2, "photos/"), Share(0, 0, "etc")]


def test_duplicates() -> None:
    paths = ["caf\\xe9.txt", "two\\nlines", "\\u{202e}gpj.exe"]
    assert duplicate_groups(DUPLICATES) == [DuplicateGroup(1, 2, paths)]
    assert listing(DUPLICATES).more == 12
    assert [path for path, _ in odd_names(paths)] == paths


@pytest.mark.parametrize(
    ("size_bytes", "text"),
    [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 KB"), (999_949, "999.9 KB"), (999_950, "1.0 MB")]
    + [(2_100_000, "2.1 MB"), (5 * 10**9, "5.0 GB"), (10**18, "1000.0 PB")],
)
def test_sizes_for_people(size_bytes: int, text: str) -> None:
    assert size_text(size_bytes) == text


def test_numbers_with_nouns() -> None:
    assert [plural(1, "file"), plural(2, "file"), plural(1200, "entry"), plural(0, "match")] == [
        "1 file",
        "2 files",
        "1,200 entries",
        "0 matches",
    ]


def test_kinds() -> None:
    assert [kind_of("pdf"), kind_of("xyz"), kind_of("")] == ["Documents", "Other", "Without an extension"]
