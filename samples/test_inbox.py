"""The committed samples are what the script makes, and every file opens with a reader of its kind."""

import ast
import configparser
import csv
import email
import email.policy
import hashlib
import json
import re
import struct
import tomllib
import wave
import xml.etree.ElementTree as ElementTree
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import make_inbox
import pytest

INBOX = Path(__file__).parent / "inbox"
PATHS = sorted(path for path in INBOX.rglob("*") if path.is_file())


def with_ending(*endings: str) -> list[Path]:
    """The files with one of these endings; at least one, or the test would test nothing."""
    found = [path for path in PATHS if path.suffix.lower() in endings]
    assert found, endings
    return found


def test_the_script_makes_what_is_committed() -> None:
    assert make_inbox.differences(INBOX, make_inbox.files()) == []


def test_differences_are_seen(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_bytes(b"1")
    (tmp_path / "more.txt").write_bytes(b"")
    wanted = {"one.txt": b"2", "two.txt": b"2"}
    assert make_inbox.differences(tmp_path, wanted) == [
        "extra: more.txt",
        "different: one.txt",
        "missing: two.txt",
    ]


def test_there_is_enough_of_everything() -> None:
    assert len(PATHS) >= 60
    assert len({path.suffix.lower() for path in PATHS}) >= 12
    assert sum(path.stat().st_size for path in PATHS) < 3_000_000


def test_duplicates_are_eight_groups() -> None:
    groups = defaultdict(list)
    for path in PATHS:
        groups[hashlib.sha256(path.read_bytes()).hexdigest()].append(path)
    sizes = sorted(len(group) for group in groups.values() if len(group) > 1)
    assert sizes == [2, 2, 2, 2, 2, 2, 2, 3]


def test_some_files_are_equal_in_size_alone() -> None:
    march, april = ((INBOX / f"zähler {month}.txt").read_bytes() for month in ("märz", "april"))
    assert len(march) == len(april)
    assert march != april


@pytest.mark.parametrize("path", with_ending(".pdf"), ids=str)
def test_pdf(path: Path) -> None:
    data = path.read_bytes()
    table = int(data.rpartition(b"startxref\n")[2].split()[0])
    places = [int(line.split()[0]) for line in data[table:].splitlines()[3:] if line.endswith(b" n ")]
    assert len(places) >= 7
    for number, place in enumerate(places, start=1):
        assert data[place:].startswith(f"{number} 0 obj\n".encode())
    for length, content in re.findall(rb"/Length (\d+) >>\nstream\n(.*?)\nendstream", data, re.DOTALL):
        assert len(content) == int(length)


@pytest.mark.parametrize("path", with_ending(".png"), ids=str)
def test_png(path: Path) -> None:
    data = path.read_bytes()
    chunks, place = {}, 8
    while place < len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        body = data[place + 8 : place + 8 + length]
        assert zlib.crc32(kind + body) == int.from_bytes(data[place + 8 + length :][:4], "big")
        chunks[kind] = body
        place += 12 + length
    width, height = struct.unpack_from(">II", chunks[b"IHDR"])
    assert len(zlib.decompress(chunks[b"IDAT"])) == height * (width + 1)


@pytest.mark.parametrize("path", with_ending(".jpg", ".jpeg"), ids=str)
def test_jpeg(path: Path) -> None:
    data = path.read_bytes()
    assert data.startswith(b"\xff\xd8\xff\xe1")
    assert data.endswith(b"\xff\xd9")
    assert re.search(rb"Exif\0\0II\*\0.*202[56]:\d\d:\d\d \d\d:\d\d:\d\d\0", data[:400], re.DOTALL)


def test_archives_hold_the_files_that_lie_beside_them() -> None:
    with zipfile.ZipFile(INBOX / "website-backup.zip") as archive:
        assert archive.testzip() is None
        assert len(archive.namelist()) == 3
        for name in archive.namelist():
            assert archive.read(name) == (INBOX / name).read_bytes()


@pytest.mark.parametrize("path", with_ending(".docx"), ids=str)
def test_docx(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        document = ElementTree.fromstring(archive.read("word/document.xml"))
        ElementTree.fromstring(archive.read("[Content_Types].xml"))
        ElementTree.fromstring(archive.read("_rels/.rels"))
    assert len("".join(document.itertext())) > 200


@pytest.mark.parametrize("path", with_ending(".wav"), ids=str)
def test_wav(path: Path) -> None:
    with wave.open(str(path)) as sound:
        assert sound.getnframes() == len(sound.readframes(sound.getnframes())) > 8000


@pytest.mark.parametrize("path", with_ending(".csv"), ids=str)
def test_csv(path: Path) -> None:
    with path.open(newline="", encoding="utf-8") as file:
        dialect = csv.Sniffer().sniff(file.readline(), delimiters=",;")
        file.seek(0)
        rows = list(csv.reader(file, dialect))
    assert len(rows) > 3
    assert len({len(row) for row in rows}) == 1


@pytest.mark.parametrize("path", with_ending(".eml"), ids=str)
def test_mail(path: Path) -> None:
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    assert message["Subject"]
    assert message["Date"].datetime.year == 2026
    body = message.get_body()
    assert body is not None
    assert len(body.get_content()) > 20


@pytest.mark.parametrize("path", with_ending(".ics", ".vcf"), ids=str)
def test_calendars_and_cards(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    opened = [line.removeprefix("BEGIN:") for line in lines if line.startswith("BEGIN:")]
    closed = [line.removeprefix("END:") for line in lines if line.startswith("END:")]
    assert opened == closed[::-1] != []


@pytest.mark.parametrize("path", with_ending(".json", ".xml", ".svg", ".toml", ".ini", ".py"), ids=str)
def test_other_texts(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    readers: dict[str, Callable[[str], object]] = {
        ".json": json.loads,
        ".toml": tomllib.loads,
        ".ini": configparser.ConfigParser().read_string,
        ".py": ast.parse,
    }
    readers.get(path.suffix, ElementTree.fromstring)(text)
