"""Situations of running commands, also in the background."""

from __future__ import annotations

import re

from situation import Call, Situation


def kept(results: list[str]) -> dict[str, object]:
    """Reads the middle of a long output, by the id that its result gave."""
    found = re.search(r"id `([^`]+)`", results[-1])
    assert found is not None, results[-1][:300]
    return {"id": found[1], "offset": 48_000}


def served(results: list[str]) -> dict[str, object]:
    """Fetches a file from the server whose output was just read."""
    found = re.search(r"http://127\.0\.0\.1:\d+/", results[-1])
    assert found is not None, results[-1]
    return {"url": found[0] + "index.html"}


PAGE = "<html><title>Menu</title><body><h1>Menu</h1><p>Soup of the day: leek</p></body></html>"

COMMANDS = [
    Situation(
        "search-a-long-output",
        [
            Call("shell", {"command": "seq 1 100000"}, ["1\n2\n", "omitted", "99999\n100000"]),
            Call(
                "grep",
                lambda results: {"pattern": "^4242$", "output_id": results[0].split("`")[1]},
                [":4242:4242", "1 match"],
                hides=["14242"],
            ),
            Call(
                "background_output",
                lambda results: {"id": results[0].split("`")[1], "offset": 300_000},
                ["51852\n51853\n"],
            ),
        ],
    ),
    Situation(
        "run-a-command",
        [Call("shell", {"command": "cat notes.txt"}, ["exit code 0", "milk"])],
        {"notes.txt": "milk\n"},
    ),
    Situation(
        "run-a-command-that-fails",
        [Call("shell", {"command": "echo checked; exit 3"}, ["exit code 3", "checked"], fails=True)],
    ),
    Situation(
        "run-a-command-that-writes-errors",
        [
            Call(
                "shell",
                {"command": "ls missing.txt"},
                ["exit code 2", "missing.txt", "No such file"],
                fails=True,
            )
        ],
    ),
    Situation(
        "run-a-command-without-output", [Call("shell", {"command": "true"}, ["exit code 0", "no output"])]
    ),
    Situation(
        "run-pipes-and-quotes",
        [
            Call(
                "shell",
                {"command": "printf '%s\\n' pear apple 'ripe fig' | sort | tr a-z A-Z | tail -n 2"},
                ["exit code 0", "PEAR", "RIPE FIG"],
                hides=["APPLE"],
            )
        ],
    ),
    Situation(
        "run-a-command-of-several-lines",
        [
            Call(
                "shell",
                {
                    "command": "cat > poem.txt <<'END'\nRoses are $RED\nViolets are \"blue\"\nEND\nwc -l poem.txt"
                },
                ["exit code 0", "2 poem.txt"],
            )
        ],
        after={"poem.txt": 'Roses are $RED\nViolets are "blue"\n'},
    ),
    Situation(
        "run-in-a-folder",
        [Call("shell", {"command": "ls", "working_dir": "src"}, ["exit code 0", "main.c"], hides=["README"])],
        {"README.md": "# Here\n", "src/main.c": "int main(void) { return 0; }\n"},
    ),
    Situation(
        "run-with-other-scripts-in-names",
        [
            Call(
                "shell",
                {"command": "mv 'alt ü.txt' 'neu ß.txt' && ls"},
                ["exit code 0", "neu ß.txt"],
                ["alt ü.txt"],
            )
        ],
        {"alt ü.txt": "x\n"},
        {"neu ß.txt": "x\n", "alt ü.txt": None},
    ),
    Situation(
        "run-two-commands-at-once",
        [
            [
                Call("shell", {"command": "echo first > one.txt; cat one.txt"}, ["exit code 0", "first"]),
                Call("shell", {"command": "echo second > two.txt; cat two.txt"}, ["exit code 0", "second"]),
            ]
        ],
        after={"one.txt": "first\n", "two.txt": "second\n"},
    ),
    Situation(
        "variables-do-not-carry-over",
        [
            Call("shell", {"command": "cd src && NAME=set && pwd"}, ["exit code 0", "/src"]),
            Call("shell", {"command": 'ls; echo "name=$NAME."'}, ["exit code 0", "src", "name=."]),
        ],
        {"src/main.c": "\n"},
    ),
    Situation(
        "long-output-shows-both-ends",
        [
            Call(
                "shell",
                {"command": "seq -f 'row %g' 1 20000"},
                ["exit code 0", "row 1\n", "row 20000"],
                ["row 9000\n"],
            ),
            Call("background_output", kept, ["row 5"], hides=["row 20000"]),
        ],
        in_every_dialect=True,
    ),
    Situation(
        "a-command-runs-out-of-time",
        [
            Call(
                "shell",
                {"command": "echo begun; sleep 1000", "timeout_secs": 1},
                ["time limit of 1 s", "begun"],
                fails=True,
            )
        ],
    ),
    Situation(
        "start-read-and-stop-a-command",
        [
            Call("background_start", {"command": "echo listening; sleep 1000"}, ["b1"]),
            Call("background_output", {"id": "b1", "until": "listening"}, ["b1", "running", "listening"]),
            Call("background_list", {}, ["b1", "echo listening"]),
            Call("background_stop", {"id": "b1"}, ["b1", "stopped"]),
            Call("background_list", {}, hides=["b1\trunning"]),
        ],
    ),
    Situation(
        "a-background-command-that-ends",
        [
            Call("background_start", {"command": "echo crashed; exit 4"}, ["b1"]),
            Call("background_output", {"id": "b1", "until": "never written"}, ["4", "crashed"]),
        ],
    ),
    Situation(
        "read-a-background-command-that-does-not-exist",
        [
            Call("background_output", {"id": "b7"}, ["b7"], fails=True),
        ],
    ),
    Situation(
        "fetch-a-page-of-an-own-server",
        [
            Call(
                "background_start",
                {"command": "python3 -u -m http.server 0 --bind 127.0.0.1", "working_dir": "site"},
                ["b1"],
            ),
            Call("background_output", {"id": "b1", "until": "Serving HTTP"}, ["Serving HTTP on 127.0.0.1"]),
            Call("fetch_page", served, ["127.0.0.1", "Menu", "Soup of the day: leek"], hides=["<p>"]),
        ],
        {"site/index.html": PAGE},
    ),
]
