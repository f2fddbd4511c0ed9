"""Situations of listing folders, finding files and searching in them."""

from __future__ import annotations

from situation import Call, Situation

PROJECT: dict[str, str | bytes] = {
    "README.md": "# Birds\n\nCounts birds. See count(birds).\n",
    "src/count.py": "def count(birds):\n    total = len(birds)\n    return total\n",
    "src/show.py": "from count import count\n\n\ndef show(birds):\n    print(count(birds))\n",
    "src/data/birds.csv": "name,seen\nRobin,3\nWren,1\n",
    "tests/test_count.py": "from count import count\n\n\ndef test_count():\n    assert count([]) == 0\n",
}
IGNORING = {**PROJECT, ".gitignore": "build/\n", "build/count.py": "def count(): ...\n"}

LOOKING = [
    Situation("list-the-workspace", [Call("list_dir", {}, ["README.md", "src", "tests"])], PROJECT),
    Situation(
        "list-a-folder",
        [Call("list_dir", {"path": "src"}, ["count.py", "data", "show.py"], hides=["README"])],
        PROJECT,
    ),
    Situation(
        "list-by-a-glob",
        [
            Call(
                "list_dir",
                {"path": "src", "glob": "*.py"},
                ["count.py", "show.py"],
                hides=["data\t", "birds"],
            )
        ],
        PROJECT,
    ),
    Situation(
        "list-hidden-files",
        [
            Call("list_dir", {}, ["README.md"], hides=[".gitignore\t"]),
            Call("list_dir", {"hidden": True}, [".gitignore", "README.md"]),
        ],
        IGNORING,
    ),
    Situation(
        "find-by-a-glob",
        [
            Call(
                "find_files",
                {"pattern": "**/*.py"},
                ["src/count.py", "src/show.py", "tests/test_count.py"],
                ["csv"],
            )
        ],
        PROJECT,
    ),
    Situation(
        "find-by-a-name-anywhere",
        [Call("find_files", {"pattern": "*.csv"}, ["src/data/birds.csv"], hides=[".py"])],
        PROJECT,
    ),
    Situation(
        "find-the-largest",
        [
            Call(
                "find_files",
                {"path": "src", "pattern": "*.py", "sort": "largest", "limit": 1},
                ["show.py"],
                ["count.py"],
            )
        ],
        PROJECT,
    ),
    Situation(
        "find-folders",
        [Call("find_files", {"kind": "folder"}, ["src/", "src/data/", "tests/"], hides=["README", ".py"])],
        PROJECT,
    ),
    Situation("find-nothing", [Call("find_files", {"pattern": "*.zip"}, ["nothing found"])], PROJECT),
    Situation(
        "find-in-a-missing-folder",
        [
            Call("find_files", {"path": "scr", "pattern": "*.py"}, ["scr does not exist"], fails=True),
            Call("find_files", {"path": "src", "pattern": "*.py"}, ["count.py"]),
        ],
        PROJECT,
    ),
    Situation(
        "find-what-git-ignores",
        [
            Call("find_files", {"pattern": "count.py"}, ["src/count.py"], hides=["build/count.py"]),
            Call(
                "find_files", {"pattern": "count.py", "no_ignore": True}, ["build/count.py", "src/count.py"]
            ),
        ],
        IGNORING,
        repository=True,
    ),
    Situation(
        "grep-everywhere",
        [
            Call(
                "grep",
                {"pattern": "count"},
                [
                    "README.md:3:",
                    "src/count.py:1:def count(birds):",
                    "src/show.py:5:",
                    "tests/test_count.py:5:",
                ],
            )
        ],
        PROJECT,
    ),
    Situation(
        "grep-in-a-folder",
        [
            Call(
                "grep",
                {"pattern": "count", "path": "src"},
                ["src/count.py:1:", "src/show.py:1:"],
                ["README", "test_"],
            )
        ],
        PROJECT,
    ),
    Situation(
        "grep-in-a-file",
        [Call("grep", {"pattern": "return", "path": "src/count.py"}, ["src/count.py:3:    return total"])],
        PROJECT,
    ),
    Situation(
        "grep-with-context",
        [
            Call(
                "grep",
                {"pattern": "total = ", "context": 1},
                ["def count(birds):", "total = len(birds)", "return total"],
            )
        ],
        PROJECT,
    ),
    Situation(
        "grep-a-regular-expression",
        [
            Call(
                "grep",
                {"pattern": r"^def \w+\(birds\)"},
                ["src/count.py:1:def count(birds):", "src/show.py:4:def show(birds):"],
                hides=["test_count"],
            )
        ],
        PROJECT,
    ),
    Situation(
        "grep-a-plain-text",
        [
            Call(
                "grep",
                {"pattern": "count([])", "literal": True},
                ["tests/test_count.py:5:    assert count([]) == 0"],
            )
        ],
        PROJECT,
    ),
    Situation(
        "grep-a-broken-regular-expression",
        [
            Call("grep", {"pattern": "count("}, ["`pattern`", "literal", "grep(pattern: string"], fails=True),
            Call("grep", {"pattern": "count(", "literal": True}, ["src/count.py:1:"]),
        ],
        PROJECT,
    ),
    Situation(
        "grep-for-the-files-alone",
        [
            Call(
                "grep",
                {"pattern": "BIRDS", "ignore_case": True, "files_only": True, "include": "*.py"},
                ["src/count.py", "src/show.py"],
                hides=["README", "def "],
            )
        ],
        PROJECT,
    ),
    Situation("grep-nothing", [Call("grep", {"pattern": "penguin"}, ["0 matches"])], PROJECT),
]
