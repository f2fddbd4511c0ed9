"""Situations of calls that are wrong: what the model reads leads it to the right one, or the call is understood."""

from __future__ import annotations

from situation import Call, Situation

NOTES: dict[str, str | bytes] = {"notes.txt": "alpha\nbravo\ncharlie\ndelta\necho\nfoxtrot\ngolf\nhotel\n"}
READ_FILE = "read_file(path: string, limit?: integer, offset?: integer)"

MISTAKES = [
    Situation(
        "misspell-a-function",
        [
            Call(
                "raed_file",
                {"path": "notes.txt"},
                ["no function `raed_file`", READ_FILE],
                fails=True,
                fits=False,
            ),
            Call("read_file", {"path": "notes.txt"}, ["alpha"]),
        ],
        NOTES,
        in_every_dialect=True,
    ),
    Situation(
        "call-a-function-by-a-similar-name",
        [
            Call(
                "find_file",
                {"pattern": "*.txt"},
                ["no function `find_file`", "find_files("],
                fails=True,
                fits=False,
            ),
            Call("find_files", {"pattern": "*.txt"}, ["notes.txt"]),
        ],
        NOTES,
    ),
    Situation(
        "call-a-function-that-nothing-is-like",
        [
            Call(
                "quantum_leap",
                {},
                ["no function `quantum_leap`", "read_file", "shell"],
                fails=True,
                fits=False,
            )
        ],
    ),
    Situation(
        "leave-out-a-parameter",
        [
            Call("read_file", {"limit": 2}, ["`path`", "missing", READ_FILE], fails=True, fits=False),
            Call("read_file", {"path": "notes.txt", "limit": 2}, ["alpha", "bravo"], hides=["charlie"]),
        ],
        NOTES,
        in_every_dialect=True,
    ),
    Situation(
        "leave-out-one-of-two-parameters",
        [
            Call(
                "write_file",
                {"path": "new.txt"},
                ["`content`", "missing", "write_file(path: string, content: string)"],
                fails=True,
                fits=False,
            ),
            Call("write_file", {"path": "new.txt", "content": "new\n"}, ["new.txt"]),
        ],
        after={"new.txt": "new\n"},
    ),
    Situation(
        "add-a-parameter",
        [
            Call(
                "read_file",
                {"path": "notes.txt", "encoding": "utf-8"},
                ["`encoding`", "no such parameter", READ_FILE],
                fails=True,
                fits=False,
            ),
            Call("read_file", {"path": "notes.txt"}, ["alpha"]),
        ],
        NOTES,
    ),
    Situation(
        "write-a-number-as-text",
        [
            Call(
                "read_file",
                {"path": "notes.txt", "offset": "5", "limit": "2"},
                ["echo", "foxtrot"],
                hides=["delta", "golf"],
                fits=False,
            )
        ],
        NOTES,
        in_every_dialect=True,
    ),
    Situation(
        "write-a-boolean-as-text",
        [
            Call(
                "edit_file",
                {"path": "notes.txt", "old_string": "o", "new_string": "0", "replace_all": "true"},
                ["notes.txt"],
                fits=False,
            )
        ],
        NOTES,
        {"notes.txt": str(NOTES["notes.txt"]).replace("o", "0")},
    ),
    Situation(
        "write-a-list-as-text",
        [
            Call(
                "todo",
                {"steps": '[{"title": "Read", "state": "active"}, {"title": "Test", "state": "pending"}]'},
                ["0 of 2", "Read"],
                fits=False,
            )
        ],
    ),
    Situation(
        "write-words-as-a-number",
        [
            Call(
                "read_file",
                {"path": "notes.txt", "offset": "the fifth"},
                ["`offset`", READ_FILE],
                fails=True,
                fits=False,
            ),
            Call("read_file", {"path": "notes.txt", "offset": 5}, ["echo"], hides=["delta"]),
        ],
        NOTES,
    ),
    Situation(
        "write-null-for-optional-parameters",
        [
            Call(
                "read_file",
                {"path": "notes.txt", "offset": None, "limit": None},
                ["alpha", "hotel"],
                fits=False,
            ),
            Call("list_dir", {"path": None, "glob": None, "hidden": None}, ["notes.txt"], fits=False),
        ],
        NOTES,
    ),
    Situation(
        "write-null-for-a-required-parameter",
        [
            Call("read_file", {"path": None}, ["`path`", "missing", READ_FILE], fails=True, fits=False),
            Call("read_file", {"path": "notes.txt"}, ["alpha"]),
        ],
        NOTES,
    ),
    Situation(
        "write-a-word-that-is-not-a-choice",
        [
            Call(
                "find_files",
                {"sort": "biggest"},
                ["`sort`", "largest", "find_files("],
                fails=True,
                fits=False,
            ),
            Call("find_files", {"sort": "largest"}, ["notes.txt"]),
        ],
        NOTES,
    ),
    Situation(
        "call-apply-patch",
        [
            Call(
                "apply_patch",
                {
                    "input": "*** Begin Patch\n*** Update File: notes.txt\n@@\n-alpha\n+ALPHA\n"
                    "*** Add File: more.txt\n+more\n*** End Patch"
                },
                ["changed 2 files: notes.txt, more.txt"],
                fits=False,
            ),
            Call(
                "apply_patch",
                {"input": "--- a/notes.txt\n+++ b/notes.txt\n"},
                ["line 1", "*** Begin Patch"],
                fails=True,
                fits=False,
            ),
        ],
        {"notes.txt": "alpha\nbravo\n"},
        {"notes.txt": "ALPHA\nbravo\n", "more.txt": "more\n"},
    ),
    Situation(
        "call-bash",
        [
            Call("bash", {"command": "cat notes.txt"}, ["exit code 0", "alpha", "hotel"], fits=False),
            Call("Bash", {"command": "ls"}, ["exit code 0", "notes.txt"], fits=False),
        ],
        NOTES,
    ),
    Situation(
        "call-str-replace",
        [
            Call(
                "str_replace",
                {"path": "notes.txt", "old_str": "alpha\n", "new_str": "first\n"},
                ["notes.txt"],
                fits=False,
            ),
            Call("view", {"path": "notes.txt"}, ["first", "bravo"], hides=["alpha"], fits=False),
        ],
        NOTES,
        {"notes.txt": str(NOTES["notes.txt"]).replace("alpha", "first")},
        in_every_dialect=True,
    ),
    Situation(
        "call-write-edit-and-read-by-file-path",
        [
            Call("Write", {"file_path": "new.txt", "content": "red\n"}, ["new.txt"], fits=False),
            Call(
                "Edit",
                {"file_path": "new.txt", "old_string": "red", "new_string": "blue"},
                ["new.txt"],
                fits=False,
            ),
            Call("Read", {"file_path": "new.txt"}, ["blue"], hides=["red"], fits=False),
        ],
        after={"new.txt": "blue\n"},
    ),
    Situation(
        "call-glob-and-search-files",
        [
            Call("Glob", {"pattern": "*.txt"}, ["notes.txt"], fits=False),
            Call("search_files", {"path": ".", "regex": "^go"}, ["notes.txt:7:golf"], fits=False),
        ],
        NOTES,
    ),
]
