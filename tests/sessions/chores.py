"""The sessions other than programming: histories, data, documents."""

from __future__ import annotations

from calls import COMMITTED, background, patch, read, run, write
from person import Call, Session


def settings() -> list[Session]:
    editor = "root = true\n\n[*]\nindent_style = space\nindent_size = 4\n"
    return [
        # Hidden files are not included in the approval for the task, so each of them would ask.
        Session(
            "settings-for-editors",
            "Give the project settings for editors and formatters, and name them in the README.",
            {"README.md": "# Poems\n\nOne a file.\n", "one.md": "# One\n"},
            [
                [read("README.md")],
                [
                    write(".editorconfig", editor),
                    write(".prettierrc.json", '{ "proseWrap": "always" }\n'),
                    write(".markdownlint.json", '{ "MD013": false }\n'),
                    patch(
                        "README.md",
                        "One a file.",
                        "One a file. Editors find their settings in .editorconfig.",
                    ),
                ],
                [run("cat .editorconfig")],
            ],
            ["grep -q editorconfig README.md", "python3 -m json.tool .prettierrc.json"],
            tree={".editorconfig": editor},
            cards=1,
        )
    ]


def history() -> list[Session]:
    greet = 'def greet(name):\n    return "Hello " + name\n'
    test = 'import unittest\n\nfrom greet import greet\n\n\nclass Greet(unittest.TestCase):\n    def test(self):\n        self.assertIn("Ada", greet("Ada"))\n'
    diverged = [
        "printf '__pycache__\\n' > .gitignore",
        *COMMITTED,
        "git checkout -qb polite",
        "sed -i 's/Hello /Good day, /' greet.py && git commit -qam 'Be polite'",
        "git checkout -q main",
        "sed -i 's/Hello /Hi /' greet.py && git commit -qam 'Be short'",
    ]
    return [
        Session(
            "merge-conflict",
            "Merge the branch polite into main; where it conflicts keep the polite words.",
            {"greet.py": greet, "test_greet.py": test},
            [
                [run("git log --oneline --all"), run("git diff main polite")],
                [run("git merge polite", fails=True)],
                [read("greet.py")],
                [write("greet.py", 'def greet(name):\n    return "Good day, " + name\n')],
                [run("python3 -m unittest -q")],
                [run("git add greet.py && git commit --no-edit")],
            ],
            [
                "python3 -m unittest -q",
                "git merge-base --is-ancestor polite main",
                'test -z "$(git status --short)"',
            ],
            diverged,
            {"greet.py": 'def greet(name):\n    return "Good day, " + name\n'},
        ),
        Session(
            "rebase",
            "Rebase polite onto main, keeping the words of polite.",
            {"greet.py": greet, "test_greet.py": test},
            [
                [run("git log --oneline main..polite")],
                [run("git rebase main", fails=True)],
                [read("greet.py")],
                [write("greet.py", 'def greet(name):\n    return "Good day, " + name\n')],
                [run("git add greet.py && git commit -q --no-edit")],
                [run("git rebase --continue")],
                [run("git log --oneline main..polite")],
            ],
            ["python3 -m unittest -q", "test $(git rev-list --count main..polite) = 1"],
            [*diverged, "git checkout -q polite"],
        ),
        Session(
            "cherry-pick",
            "Take the fix of the branch next over to main, without its other commits.",
            {"greet.py": greet, "test_greet.py": test},
            [
                [run("git log --oneline next")],
                [run("git cherry-pick next")],
                [run("python3 -m unittest -q")],
            ],
            [
                "python3 -m unittest -q",
                "git log -1 --format=%s | grep -qx 'Fix the blank'",
                "! test -e draft.txt",
            ],
            [
                "printf '__pycache__\\n' > .gitignore",
                *COMMITTED,
                "git checkout -qb next",
                "echo draft > draft.txt && git add draft.txt && git commit -qm 'A draft'",
                "sed -i 's/Hello /Hello, /' greet.py && git commit -qam 'Fix the blank'",
                "git checkout -q main",
            ],
        ),
        Session(
            "revert-and-explain",
            "The last commit broke the test. Revert it, and note the reason in NOTES.md.",
            {"greet.py": greet, "test_greet.py": test},
            [
                [run("git log -3 --stat"), run("python3 -m unittest -q", fails=True)],
                [run("git revert --no-edit HEAD")],
                [write("NOTES.md", "# Notes\n\nThe name was left out of the greeting; reverted.\n")],
                [run("python3 -m unittest -q")],
                [run("git add NOTES.md && git commit -qm 'Note why the greeting was reverted'")],
            ],
            ["python3 -m unittest -q", "test $(git rev-list --count HEAD) = 4"],
            [
                "printf '__pycache__\\n' > .gitignore",
                *COMMITTED,
                "printf 'def greet(name):\\n    return \"Hello\"\\n' > greet.py",
                "git commit -qam 'Simplify'",
            ],
        ),
        Session(
            "feature-branch",
            "On a branch farewell add a farewell function with a test, and commit it.",
            {"greet.py": greet, "test_greet.py": test},
            [
                [run("git switch -c farewell"), read("test_greet.py")],
                [
                    patch(
                        "greet.py",
                        "+ name\n",
                        '+ name\n\n\ndef farewell(name):\n    return "Goodbye " + name\n',
                    ),
                    patch("test_greet.py", "import greet", "import farewell, greet"),
                    patch(
                        "test_greet.py",
                        'greet("Ada"))\n',
                        'greet("Ada"))\n        self.assertIn("Bob", farewell("Bob"))\n',
                    ),
                ],
                [run("python3 -m unittest -q")],
                [run("git add greet.py test_greet.py"), run("git commit -m 'Say goodbye'")],
            ],
            ["python3 -m unittest -q", "git log -1 --format=%s farewell | grep -qx 'Say goodbye'"],
            ["printf '__pycache__\\n' > .gitignore", *COMMITTED],
        ),
        Session(
            "changelog",
            "Write a CHANGELOG.md from the commits since the tag v1, newest first.",
            {"a.txt": "a\n"},
            [
                [run("git log v1..HEAD --format=%s")],
                [write("CHANGELOG.md", "# Changes since v1\n\n- Third thing\n- Second thing\n")],
                [run("git add CHANGELOG.md && git commit -qm 'Add a change log'")],
            ],
            ["git show HEAD:CHANGELOG.md | grep -q 'Second thing'"],
            [
                *COMMITTED,
                "git tag v1",
                "echo b >> a.txt && git commit -qam 'Second thing'",
                "echo c >> a.txt && git commit -qam 'Third thing'",
            ],
        ),
    ]


def data() -> list[Session]:
    shop = [
        "sqlite3 shop.db 'create table sales(day text, item text, cents int);"
        ' insert into sales values ("2026-01-01", "tea", 300), ("2026-01-01", "pot", 2500), ("2026-01-02", "tea", 600);\''
    ]
    return [
        Session(
            "sqlite-analysis",
            "Which item of shop.db earned most? Write a script analyse.py and its answer into RESULT.md.",
            {},
            [
                [run("sqlite3 -readonly shop.db .schema")],
                [
                    write(
                        "analyse.py",
                        """\
                        import sqlite3

                        rows = sqlite3.connect("shop.db").execute(
                            "select item, sum(cents) from sales group by item order by 2 desc"
                        )
                        with open("RESULT.md", "w") as out:
                            for item, cents in rows:
                                out.write(f"- {item}: {cents / 100:.2f}\\n")
                        """,
                    )
                ],
                [run("python3 analyse.py")],
                [read("RESULT.md")],
            ],
            ["head -1 RESULT.md | grep -qx -- '- pot: 25.00'"],
            shop,
            needs=["sqlite3"],
        ),
        Session(
            "sqlite-migration",
            "Add a column currency with EUR to the sales of shop.db; keep the script in migrations/.",
            {},
            [
                [run("sqlite3 -readonly shop.db .schema")],
                [
                    write(
                        "migrations/002.sql",
                        "alter table sales add column currency text not null default 'EUR';\n",
                    )
                ],
                [run("sqlite3 shop.db < migrations/002.sql")],
                [run("sqlite3 -readonly shop.db 'select distinct currency from sales'")],
            ],
            ["test \"$(sqlite3 shop.db 'select distinct currency from sales')\" = EUR"],
            shop,
            needs=["sqlite3"],
        ),
        Session(
            "csv-cleaning",
            "Clean people.csv: trim the fields, drop rows without an address, one row for each address.",
            {
                "people.csv": "name,email\n Ada ,ada@example.org\nBob,\nAda L.,ada@example.org\nEve,eve@example.org \n"
            },
            [
                [read("people.csv"), run("wc -l people.csv")],
                [
                    write(
                        "clean.py",
                        """\
                        import csv

                        with open("people.csv", newline="") as file:
                            rows = [{key: value.strip() for key, value in row.items()} for row in csv.DictReader(file)]
                        seen = {}
                        for row in rows:
                            if row["email"]:
                                seen.setdefault(row["email"], row)
                        with open("people.clean.csv", "w", newline="") as file:
                            writer = csv.DictWriter(file, ["name", "email"], lineterminator="\\n")
                            writer.writeheader()
                            writer.writerows(seen.values())
                        """,
                    )
                ],
                [run("python3 clean.py")],
                [read("people.clean.csv")],
            ],
            [],
            [],
            {"people.clean.csv": "name,email\nAda,ada@example.org\nEve,eve@example.org\n"},
        ),
        Session(
            "log-analysis",
            "What are the most frequent errors in server.log? Put the answer into errors.md.",
            {
                "server.log": "".join(
                    f"10:{n:02} {'ERROR disk full' if n % 3 else 'INFO ok'}\n" for n in range(30)
                )
                + "10:31 ERROR timeout\n"
            },
            [
                [run("head -5 server.log"), run("grep -c ERROR server.log")],
                [run("grep ERROR server.log | cut -d' ' -f3- | sort | uniq -c | sort -rn")],
                [
                    write(
                        "errors.md",
                        "# Errors\n\n| times | error |\n|---|---|\n| 20 | disk full |\n| 1 | timeout |\n",
                    )
                ],
            ],
            ["grep -q '20 | disk full' errors.md"],
        ),
        Session(
            "json-settings",
            "Bring the settings files in conf/ to version 2: host and port become one address.",
            {
                f"conf/{name}.json": f'{{"version": 1, "host": "{name}.example.org", "port": 80}}\n'
                for name in ("a", "b", "c")
            },
            [
                [run("ls conf"), read("conf/a.json")],
                [
                    write(f"conf/{name}.json", f'{{"version": 2, "address": "{name}.example.org:80"}}\n')
                    for name in ("a", "b", "c")
                ],
                [run("jq -r .address conf/a.json conf/b.json conf/c.json")],
            ],
            ["jq -e '.version == 2' conf/*.json"],
            needs=["jq"],
        ),
        Session(
            "development-server",
            "Add a page /about to the site, and see that a server shows it.",
            {"site/index.html": "<h1>Home</h1>\n"},
            [
                [run("ls site"), write("site/about.html", "<h1>About us</h1>\n")],
                [
                    background(
                        "start", command="python3 -m http.server 8123 --bind 127.0.0.1 --directory site"
                    )
                ],
                [
                    run(
                        "curl -s --retry 20 --retry-connrefused --retry-delay 1 http://127.0.0.1:8123/about.html"
                    )
                ],
                [background("stop", id="b1")],
            ],
            ["grep -q 'About us' site/about.html"],
            needs=["curl"],
        ),
    ]


def documents() -> list[Session]:
    photos = {f"{name}.jpg": name for name in ("2023-05-01 beach", "2023-05-02 hut", "2024-01-09 snow")}
    moves = [
        {"type": "move", "path": f"{name}.jpg", "to": f"{name[:4]}/{name}.jpg"}
        for name in ("2023-05-01 beach", "2023-05-02 hut", "2024-01-09 snow")
    ]
    folders = [{"type": "create_folder", "path": year} for year in ("2023", "2024")]
    return [
        Session(
            "photo-folder",
            "Sort these photos into a folder for each year.",
            photos,
            [
                [run("ls")],
                [
                    Call(
                        "organize",
                        {"action": "submit_plan", "paths": ["."], "operations": [*folders, *moves]},
                    )
                ],
            ],
            ["test $(ls 2023 | wc -l) = 2", "test -f '2024/2024-01-09 snow.jpg'"],
        ),
        Session(
            "shell-script",
            "backup.sh breaks on names with blanks. Fix it; test.sh says whether it works.",
            {
                "backup.sh": "#!/bin/bash\nmkdir -p copies\nfor file in $(ls *.txt); do\n  cp $file copies/\ndone\n",
                "test.sh": "#!/bin/bash\nset -e\nbash backup.sh\ntest -f 'copies/a b.txt'\necho works\n",
                "a b.txt": "text\n",
            },
            [
                [read("backup.sh"), run("bash test.sh", fails=True)],
                [
                    write(
                        "backup.sh",
                        '#!/bin/bash\nset -e\nmkdir -p copies\nfor file in *.txt; do\n  cp "$file" copies/\ndone\n',
                    )
                ],
                [run("bash test.sh")],
            ],
            ["bash test.sh"],
        ),
        Session(
            "rewrite-docs",
            "The README speaks of version 1 all over. Bring it and docs/ to version 2, with the new flag --fast.",
            {
                "README.md": "# Tool 1\n\nRun `tool --quick` (version 1). See docs/usage.md.\n",
                "docs/usage.md": "# Usage of version 1\n\n`tool --quick FILE`\n",
                "docs/install.md": "# Installing version 1\n\n`pip install tool==1`\n",
            },
            [
                [
                    run("grep -rn 'version 1' README.md docs"),
                    read("README.md"),
                    read("docs/usage.md"),
                    read("docs/install.md"),
                ],
                [
                    write(
                        "README.md",
                        "# Tool 2\n\nRun `tool --fast` (version 2). See [usage](docs/usage.md).\n",
                    ),
                    write("docs/usage.md", "# Usage of version 2\n\n`tool --fast FILE`\n"),
                    write("docs/install.md", "# Installing version 2\n\n`pip install tool==2`\n"),
                ],
                [run("grep -rn 'version 1' README.md docs", fails=True)],
            ],
            ["! grep -rn -- --quick ."],
        ),
        Session(
            "collect-todos",
            "Collect the TODO comments of src/ in TODO.md.",
            {
                "src/a.py": "# TODO: cache this\nx = 1\n",
                "src/b.py": "y = 2  # TODO: name it well\n",
            },
            [
                [Call("search", {"action": "grep", "pattern": "TODO", "path": "src"})],
                [write("TODO.md", "# To do\n\n- src/a.py: cache this\n- src/b.py: name it well\n")],
            ],
            ["test $(grep -c '^- ' TODO.md) = 2"],
        ),
        Session(
            "notes-index",
            "Write an index.md that links every note by its title.",
            {f"notes/{name}.md": f"# {name.title()}\n\nText.\n" for name in ("bread", "soup", "cake")},
            [
                [run("head -n 1 notes/bread.md notes/cake.md notes/soup.md")],
                [
                    write(
                        "index.md",
                        "- [Bread](notes/bread.md)\n- [Cake](notes/cake.md)\n- [Soup](notes/soup.md)\n",
                    )
                ],
            ],
            ['for note in notes/*.md; do grep -q "($note)" index.md; done'],
        ),
    ]
