"""Situations of changing files."""

from __future__ import annotations

from situation import Call, Situation

SHOP = "TAX = 1\n\n\ndef net(price):\n    return price\n\n\ndef gross(price):\n    return price + TAX\n"
CONFIG = "[server]\nport = 80\n\n[backup]\nport = 80\n"


def edit(old: str, new: str, path: str = "shop.py", **more: object) -> dict[str, object]:
    return {"path": path, "old_string": old, "new_string": new, **more}


CHANGING = [
    Situation(
        "edit-a-line",
        [Call("edit_file", edit("TAX = 1\n", "TAX = 19\n"), ["shop.py"])],
        {"shop.py": SHOP},
        {"shop.py": SHOP.replace("TAX = 1\n", "TAX = 19\n")},
    ),
    Situation(
        "read-and-edit-what-was-read",
        [
            Call(
                "read_file",
                {"path": "shop.py", "offset": 8, "limit": 2},
                ["def gross", "    return price + TAX"],
            ),
            Call("edit_file", edit("    return price + TAX", "    return price * (1 + TAX)"), ["shop.py"]),
        ],
        {"shop.py": SHOP},
        {"shop.py": SHOP.replace("price + TAX", "price * (1 + TAX)")},
    ),
    Situation(
        "two-edits-in-one-file-at-once",
        [
            [
                Call("edit_file", edit("def net(price):", "def net(price: float) -> float:"), ["shop.py"]),
                Call(
                    "edit_file", edit("def gross(price):", "def gross(price: float) -> float:"), ["shop.py"]
                ),
            ]
        ],
        {"shop.py": SHOP},
        {"shop.py": SHOP.replace("(price):", "(price: float) -> float:")},
        in_every_dialect=True,
    ),
    Situation(
        "edit-several-lines",
        [
            Call(
                "edit_file",
                edit(
                    "def net(price):\n    return price\n",
                    "def net(price):\n    if price < 0:\n        raise ValueError(price)\n    return price\n",
                ),
                ["shop.py"],
            )
        ],
        {"shop.py": SHOP},
        {
            "shop.py": SHOP.replace(
                "    return price\n\n",
                "    if price < 0:\n        raise ValueError(price)\n    return price\n\n",
            )
        },
    ),
    Situation(
        "edit-every-occurrence",
        [Call("edit_file", edit("price", "amount", replace_all=True), ["shop.py"])],
        {"shop.py": SHOP},
        {"shop.py": SHOP.replace("price", "amount")},
    ),
    Situation(
        "edit-a-text-that-occurs-twice",
        [
            Call(
                "edit_file",
                edit("port = 80", "port = 8080", "app.ini"),
                ["`old_string`", "2", "app.ini", "2", "5", "replace_all"],
                fails=True,
            ),
            Call("edit_file", edit("[backup]\nport = 80", "[backup]\nport = 8080", "app.ini"), ["app.ini"]),
        ],
        {"app.ini": CONFIG},
        {"app.ini": "[server]\nport = 80\n\n[backup]\nport = 8080\n"},
    ),
    Situation(
        "edit-a-text-that-is-not-there",
        [
            Call(
                "edit_file",
                edit("TAX=1", "TAX = 19"),
                ["`old_string`", "shop.py", "nothing was changed"],
                fails=True,
            ),
            Call("read_file", {"path": "shop.py", "limit": 1}, ["TAX = 1"]),
            Call("edit_file", edit("TAX = 1\n", "TAX = 19\n"), ["shop.py"]),
        ],
        {"shop.py": SHOP},
        {"shop.py": SHOP.replace("TAX = 1\n", "TAX = 19\n")},
    ),
    Situation(
        "delete-a-line",
        [Call("edit_file", edit("[backup]\n", "", "app.ini"), ["app.ini"])],
        {"app.ini": CONFIG},
        {"app.ini": CONFIG.replace("[backup]\n", "")},
    ),
    Situation(
        "edit-a-file-from-windows",
        [Call("edit_file", edit("one\ntwo", "one\n2", "list.txt"), ["list.txt"])],
        {"list.txt": b"one\r\ntwo\r\nthree\r\n"},
        {"list.txt": b"one\r\n2\r\nthree\r\n"},
    ),
    Situation(
        "edit-a-missing-file",
        [
            Call("edit_file", edit("TAX = 1", "TAX = 2", "shpo.py"), ["shpo.py does not exist"], fails=True),
            Call("find_files", {"pattern": "*.py"}, ["shop.py"]),
            Call("edit_file", edit("TAX = 1", "TAX = 2"), ["shop.py"]),
        ],
        {"shop.py": SHOP},
        {"shop.py": SHOP.replace("TAX = 1", "TAX = 2"), "shpo.py": None},
    ),
    Situation(
        "write-a-new-file",
        [
            Call("write_file", {"path": "hello.py", "content": "print('hello')\n"}, ["hello.py"]),
            Call("shell", {"command": "python3 hello.py"}, ["hello"]),
        ],
        after={"hello.py": "print('hello')\n"},
    ),
    Situation(
        "write-into-a-new-folder",
        [Call("write_file", {"path": "a/b/c.txt", "content": "deep\n"}, ["a/b/c.txt"])],
        after={"a/b/c.txt": "deep\n"},
    ),
    Situation(
        "replace-a-whole-file",
        [Call("write_file", {"path": "shop.py", "content": "TAX = 2\n"}, ["shop.py"])],
        {"shop.py": SHOP},
        {"shop.py": "TAX = 2\n"},
    ),
    Situation(
        "write-quotes-backslashes-and-other-scripts",
        [
            Call("write_file", {"path": "Größe 日本.txt", "content": 'a "b" \\n \\\\ $HOME `x` 日本語 🙂\n'}),
            Call("read_file", {"path": "Größe 日本.txt"}, ['a "b" \\n \\\\ $HOME `x` 日本語 🙂']),
        ],
        after={"Größe 日本.txt": 'a "b" \\n \\\\ $HOME `x` 日本語 🙂\n'},
        in_every_dialect=True,
    ),
    Situation(
        "move-a-file",
        [
            Call("move_file", {"source": "shop.py", "destination": "src/store.py"}, ["src/store.py"]),
            Call("read_file", {"path": "src/store.py", "limit": 1}, ["1\tTAX = 1"]),
        ],
        {"shop.py": SHOP},
        {"shop.py": None, "src/store.py": SHOP},
        in_every_dialect=True,
    ),
    Situation(
        "move-a-file-over-another",
        [
            Call(
                "move_file",
                {"source": "shop.py", "destination": "app.ini"},
                ["app.ini already exists"],
                fails=True,
            ),
            Call("move_file", {"source": "shop.py", "destination": "app.py"}, ["app.py"]),
        ],
        {"shop.py": SHOP, "app.ini": CONFIG},
        {"shop.py": None, "app.py": SHOP, "app.ini": CONFIG},
    ),
    Situation(
        "delete-a-file",
        [Call("delete_file", {"path": "app.ini"}, ["deleted app.ini"])],
        {"app.ini": CONFIG},
        {"app.ini": None},
    ),
    Situation(
        "delete-a-folder-that-is-not-empty",
        [
            Call("delete_file", {"path": "old"}, ["old is not empty", "rm -r"], fails=True),
            Call("shell", {"command": "rm -r old"}, ["exit code 0"]),
        ],
        {"old/app.ini": CONFIG},
        {"old/app.ini": None},
    ),
    Situation(
        "edit-with-the-numbers-of-the-lines",
        [
            Call("read_file", {"path": "shop.py", "limit": 5}, ["4\tdef net(price):", "5\t    return price"]),
            Call(
                "edit_file",
                edit("4\tdef net(price):\n5\t    return price\n", "4\tdef net(price):\n5\t    return 0\n"),
                ["not part of the file"],
                fails=True,
            ),
            Call("edit_file", edit("def net(price):\n    return price\n", "def net(price):\n    return 0\n")),
        ],
        {"shop.py": SHOP},
        {"shop.py": SHOP.replace("    return price\n\n", "    return 0\n\n")},
    ),
    Situation(
        "create-a-folder",
        [
            Call("create_dir", {"path": "drafts/2026"}, ["drafts/2026"], fits=False),
            Call("find_files", {"kind": "folder"}, ["drafts/2026"]),
        ],
    ),
]
