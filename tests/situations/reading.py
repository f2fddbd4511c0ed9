"""Situations of reading files."""

from __future__ import annotations

import re

from situation import Call, Situation

NOTES = "alpha\nbravo\ncharlie\ndelta\necho\nfoxtrot\ngolf\nhotel\n"
GUIDE = "# Guide\n\nTurn the key twice.\n"
COUNTED = "".join(f"entry {number} of the log\n" for number in range(1, 2001))


def rest(results: list[str]) -> dict[str, object]:
    """Reads on where the result of the last call ended."""
    offset = re.search(r"offset=(\d+)", results[-1])
    assert offset is not None, results[-1][-200:]
    return {"path": "app.log", "offset": int(offset[1])}


READING = [
    Situation(
        "read-a-whole-file",
        [Call("read_file", {"path": "notes.txt"}, ["alpha", "bravo", "charlie", "delta", "golf", "hotel"])],
        {"notes.txt": NOTES},
    ),
    Situation(
        "read-a-part",
        [
            Call(
                "read_file",
                {"path": "notes.txt", "offset": 3, "limit": 2},
                ["charlie", "delta"],
                hides=["alpha", "bravo", "echo"],
            )
        ],
        {"notes.txt": NOTES},
        in_every_dialect=True,
    ),
    Situation(
        "read-from-a-line-to-the-end",
        [Call("read_file", {"path": "notes.txt", "offset": 7}, ["golf", "hotel"], hides=["foxtrot"])],
        {"notes.txt": NOTES},
    ),
    Situation(
        "read-past-the-end",
        [
            Call("read_file", {"path": "notes.txt", "offset": 50}, ["notes.txt", "8 lines"], fails=True),
            Call("read_file", {"path": "notes.txt", "offset": 8}, ["hotel"], hides=["golf"]),
        ],
        {"notes.txt": NOTES},
    ),
    Situation(
        "read-a-long-file-in-parts",
        [
            Call("read_file", {"path": "app.log"}, ["entry 1 of", "entry 2 of"], hides=["entry 2000 of"]),
            Call("read_file", rest, ["entry 600 of"], hides=["entry 1 of"]),
        ],
        {"app.log": COUNTED},
    ),
    Situation(
        "read-a-long-line",
        [
            Call("read_file", {"path": "data.json"}, ["aaaa", "cut"], hides=["zzzz"]),
            Call("read_file", {"path": "data.json", "offset": 2}, ["second line"], hides=["aaaa"]),
        ],
        {"data.json": "a" * 30_000 + "zzzz\nsecond line\n"},
    ),
    Situation(
        "read-two-files-at-once",
        [
            [
                Call("read_file", {"path": "notes.txt"}, ["alpha", "hotel"]),
                Call("read_file", {"path": "guide.md"}, ["Turn the key twice."]),
            ]
        ],
        {"notes.txt": NOTES, "guide.md": GUIDE},
    ),
    Situation(
        "read-a-misspelled-path",
        [
            Call("read_file", {"path": "notse.txt"}, ["notse.txt does not exist", "notes.txt"], fails=True),
            Call("read_file", {"path": "notes.txt"}, ["alpha"]),
        ],
        {"notes.txt": NOTES},
    ),
    Situation(
        "read-a-moved-file",
        [
            Call("read_file", {"path": "docs/guide.md"}, ["docs/guide.md does not exist"], fails=True),
            Call("find_files", {"pattern": "guide.md"}, ["manual/guide.md"]),
            Call("read_file", {"path": "manual/guide.md"}, ["Turn the key twice."]),
        ],
        {"manual/guide.md": GUIDE},
    ),
    Situation(
        "read-a-folder",
        [
            Call("read_file", {"path": "manual"}, ["manual is a folder"], fails=True),
            Call("list_dir", {"path": "manual"}, ["guide.md"]),
        ],
        {"manual/guide.md": GUIDE},
    ),
    Situation(
        "read-a-binary-file",
        [Call("read_file", {"path": "photo.bin"}, ["photo.bin", "binary"])],
        {"photo.bin": bytes(range(256)) * 4},
    ),
    Situation(
        "read-an-empty-file",
        [Call("read_file", {"path": "empty.txt"}, ["empty.txt"])],
        {"empty.txt": ""},
    ),
    Situation(
        "read-a-name-with-spaces-and-umlauts",
        [Call("read_file", {"path": "Über uns/Grüße an alle.txt"}, ["schöne Grüße"])],
        {"Über uns/Grüße an alle.txt": "schöne Grüße\n"},
    ),
]
