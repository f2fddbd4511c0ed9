"""Situations of functions that a task in another folder than a repository has, or that a model opens first."""

from __future__ import annotations

import re

from situation import Call, Situation

SALES = "Region,Amount\nNorth,10\nSouth,5\nNorth,7\n"
TALL = "".join(f"line {number}\n" for number in range(1, 31))
SUMS = {
    "path": "sales.csv",
    "group": ["Region"],
    "compute": [{"of": "sum", "column": "Amount"}],
    "sort": "sum Amount",
    "descending": True,
}
TWO_FOLDERS: dict[str, str | bytes] = {
    "old/same.txt": "same\n",
    "old/gone.txt": "gone\n",
    "new/same.txt": "same\n",
    "new/added.txt": "added\n",
}


def drafted(results: list[str]) -> dict[str, object]:
    """Submits the draft that the last call made."""
    draft = re.search(r"draft: (\w+)", results[-1])
    assert draft is not None, results[-1]
    return {"draft": draft[1]}


def job(results: list[str]) -> dict[str, object]:
    """Undoes the job that the last call listed."""
    found = re.search(r"\b(j\w{6,})\b", results[-1])
    assert found is not None, results[-1]
    return {"job": found[1]}


GROUPS = [
    Situation(
        "open-a-group-and-call-its-function",
        [
            Call(
                "open_tools",
                {"group": "table"},
                ["query_table(path: string", "Filters, sorts, groups and sums"],
            ),
            Call("query_table", SUMS, ["North", "17", "South", "5"]),
        ],
        {"sales.csv": SALES},
        repository=True,
        in_every_dialect=True,
    ),
    Situation(
        "call-a-function-of-a-group-that-is-not-open",
        [
            Call("query_table", SUMS, ["North", "17", "South", "5"], fits=False),
            Call(
                "tail_file", {"path": "tall.txt", "lines": 2}, ["line 29", "line 30"], ["line 28"], fits=False
            ),
        ],
        {"sales.csv": SALES, "tall.txt": TALL},
        repository=True,
    ),
    Situation(
        "open-a-group-that-does-not-exist",
        [
            Call(
                "open_tools",
                {"group": "spreadsheets"},
                ["spreadsheets", "look", "table"],
                fails=True,
                fits=False,
            ),
            Call("open_tools", {"group": "table"}, ["query_table("]),
        ],
        repository=True,
    ),
    Situation(
        "open-two-groups",
        [
            Call(
                "open_tools", {"group": "look"}, ["list_tree(", "tail_file(", "count_lines(", "compare_dirs("]
            ),
            Call(
                "open_tools", {"group": "archive"}, ["list_archive(", "create_archive(", "extract_archive("]
            ),
            [
                Call("tail_file", {"path": "tall.txt", "lines": 1}, ["line 30"], hides=["line 29"]),
                Call("create_archive", {"paths": ["tall.txt"], "to": "tall.zip"}, ["tall.zip"]),
            ],
        ],
        {"tall.txt": TALL},
        repository=True,
    ),
    Situation(
        "look-at-a-tree",
        [
            Call("open_tools", {"group": "look"}, ["list_tree("]),
            Call("list_tree", {"depth": 1}, ["new/", "old/"], hides=["same.txt"]),
            Call("list_tree", {"path": "old"}, ["gone.txt", "same.txt"]),
        ],
        TWO_FOLDERS,
    ),
    Situation(
        "count-lines-and-compare-folders",
        [
            Call("open_tools", {"group": "look"}, ["count_lines(", "compare_dirs("]),
            Call("count_lines", {"path": "old/same.txt"}, ["1", "5", "old/same.txt"]),
            Call("compare_dirs", {"path": "old", "other": "new"}, ["gone.txt", "added.txt"]),
        ],
        TWO_FOLDERS,
    ),
    Situation(
        "filter-a-table",
        [
            Call(
                "query_table",
                {
                    "path": "sales.csv",
                    "where": [{"column": "Amount", "is": ">", "value": "6"}],
                    "columns": ["Amount"],
                },
                ["Amount", "10", "7"],
                hides=["Region", "South"],
            )
        ],
        {"sales.csv": SALES},
        in_every_dialect=True,
    ),
    Situation(
        "pack-list-and-unpack",
        [
            Call("create_archive", {"paths": ["old"], "to": "old.tar.gz"}, ["old.tar.gz"]),
            Call("list_archive", {"path": "old.tar.gz"}, ["old/", "gone.txt"]),
            Call("extract_archive", {"path": "old.tar.gz", "to": "copy"}, ["copy"]),
        ],
        TWO_FOLDERS,
        {"copy/old/gone.txt": "gone\n", "copy/old/same.txt": "same\n"},
    ),
    Situation(
        "select-files-by-conditions",
        [
            Call(
                "select_files",
                {"types": ["code"], "min_bytes": 5},
                ["main.py"],
                hides=["notes.txt", "empty.py"],
            ),
            Call(
                "select_files",
                {"any": [{"extension": "txt"}, {"empty": True}]},
                ["empty.py", "notes.txt"],
                ["main.py"],
            ),
        ],
        {"main.py": "print(1)\n", "empty.py": "", "notes.txt": "milk\n"},
    ),
    Situation(
        "facts-about-files",
        [Call("file_info", {"path": "notes.txt"}, ["notes.txt", "lines=2", "words=3"])],
        {"notes.txt": "milk\nbrown bread\n"},
    ),
    Situation(
        "duplicates-and-sizes",
        [
            Call("find_duplicates", {}, ["new/same.txt", "old/same.txt"], hides=["gone.txt"]),
            Call("disk_usage", {"by": "extension"}, ["4", "txt"]),
        ],
        TWO_FOLDERS,
    ),
    Situation(
        "tag-files-and-find-them",
        [
            Call("tag_files", {"paths": ["bill.txt"], "add": ["tax"]}, ["bill.txt", "tax"]),
            Call("select_files", {"tags": ["tax"]}, ["bill.txt"], hides=["other.txt"]),
        ],
        {"bill.txt": "9\n", "other.txt": "1\n"},
    ),
    Situation(
        "draft-submit-and-undo-a-plan",
        [
            Call(
                "organize_draft",
                {"changes": [{"do": "move", "where": {"extension": "csv"}, "to": "Tables"}]},
                ["draft: ", "sales.csv", "Tables/sales.csv"],
            ),
            Call("organize_submit_plan", drafted, ["2 of 2 steps"]),
            Call("organize_status", {}, ["2 of 2"]),
            Call("organize_undo", job),
        ],
        {"sales.csv": SALES},
        {"sales.csv": SALES, "Tables/sales.csv": None},
    ),
    Situation(
        "submit-a-plan-of-its-own",
        [
            Call(
                "organize_submit_plan",
                {
                    "operations": [
                        {"type": "create_folder", "path": "Tables"},
                        {"type": "move", "path": "sales.csv", "to": "Tables/sales.csv"},
                    ],
                    "reasoning": "Tables belong together.",
                },
            )
        ],
        {"sales.csv": SALES},
        {"sales.csv": None, "Tables/sales.csv": SALES},
    ),
    Situation(
        "scan-a-folder",
        [Call("organize_scan", {"by": "kind"}, ["draft", "sales.csv"])],
        {"sales.csv": SALES, "photo.jpg": "x", "letter.pdf": "x"},
    ),
]
