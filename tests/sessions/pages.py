"""The sessions with Node and web pages."""

from __future__ import annotations

from textwrap import dedent as text

from calls import COMMITTED, patch, read, run, write
from person import Session


def node() -> list[Session]:
    return [
        Session(
            "node-feature",
            "Add a remove function to the todo list, with a test, and commit.",
            {
                "package.json": '{"name": "todo", "version": "1.0.0", "type": "module", "scripts": {"test": "node --test"}}\n',
                "todo.js": "export class Todo {\n  items = [];\n  add(text) {\n    this.items.push(text);\n  }\n}\n",
                "todo.test.js": 'import assert from "node:assert";\nimport test from "node:test";\nimport { Todo } from "./todo.js";\n\ntest("adds", () => {\n  const todo = new Todo();\n  todo.add("a");\n  assert.deepEqual(todo.items, ["a"]);\n});\n',
            },
            [
                [read("todo.js"), read("todo.test.js"), read("package.json")],
                [
                    patch(
                        "todo.js",
                        "    this.items.push(text);\n  }\n",
                        "    this.items.push(text);\n  }\n  remove(text) {\n    this.items = this.items.filter((item) => item !== text);\n  }\n",
                    ),
                    patch(
                        "todo.test.js",
                        '["a"]);\n});\n',
                        '["a"]);\n  todo.remove("a");\n  assert.deepEqual(todo.items, []);\n});\n',
                    ),
                ],
                [run("npm test")],
                [run('git add -A && git commit -m "Remove items"')],
            ],
            ["npm test", "git log --format=%s | grep -q Remove"],
            COMMITTED,
            needs=["npm"],
        ),
        Session(
            "node-bug",
            "Prices over a thousand are formatted wrongly. Fix format.mjs.",
            {
                "format.mjs": "export const price = (cents) => `${Math.floor(cents / 100)}.${cents % 100} EUR`;\n",
                "format.test.mjs": 'import assert from "node:assert";\nimport { test } from "node:test";\nimport { price } from "./format.mjs";\n\ntest("cents have two digits", () => assert.equal(price(1205), "12.05 EUR"));\ntest("thousands are grouped", () => assert.equal(price(123456), "1,234.56 EUR"));\n',
            },
            [
                [run("node --test", fails=True), read("format.mjs")],
                [
                    write(
                        "format.mjs",
                        """\
                    const digits = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2 });

                    export const price = (cents) => `${digits.format(cents / 100)} EUR`;
                    """,
                    )
                ],
                [run("node --test")],
            ],
            ["node --test"],
            needs=["node"],
        ),
        Session(
            "merge-translations",
            "Bring de.json up to the keys of en.json; mark what is missing with TODO.",
            {
                "en.json": '{\n  "hello": "Hello",\n  "bye": "Goodbye",\n  "save": "Save"\n}\n',
                "de.json": '{\n  "hello": "Hallo"\n}\n',
            },
            [
                [read("en.json"), read("de.json")],
                [
                    write(
                        "merge.mjs",
                        """\
                    import { readFileSync, writeFileSync } from "node:fs";

                    const read = (name) => JSON.parse(readFileSync(name, "utf8"));
                    const [en, de] = [read("en.json"), read("de.json")];
                    const merged = Object.fromEntries(Object.keys(en).map((key) => [key, de[key] ?? `TODO ${en[key]}`]));
                    writeFileSync("de.json", `${JSON.stringify(merged, null, 2)}\\n`);
                    """,
                    )
                ],
                [run("node merge.mjs"), read("de.json")],
            ],
            ['jq -e \'.save == "TODO Save" and .hello == "Hallo"\' de.json'],
            needs=["node", "jq"],
        ),
        Session(
            "static-site",
            "Add a page about prices to the site, link it, and build the site.",
            {
                "build.py": text("""\
                    import pathlib

                    frame = pathlib.Path("frame.html").read_text()
                    out = pathlib.Path("public")
                    out.mkdir(exist_ok=True)
                    for page in sorted(pathlib.Path("pages").glob("*.html")):
                        (out / page.name).write_text(frame.replace("{content}", page.read_text()))
                        print("built", page.name)
                    """),
                "frame.html": "<nav><a href=index.html>Home</a></nav><main>{content}</main>\n",
                "pages/index.html": "<h1>Welcome</h1>\n",
            },
            [
                [read("build.py"), read("frame.html"), run("ls pages")],
                [
                    write("pages/prices.html", "<h1>Prices</h1>\n<p>Ten a month.</p>\n"),
                    patch("frame.html", "</nav>", " <a href=prices.html>Prices</a></nav>"),
                ],
                [run("python3 build.py")],
                [run("grep -c prices.html public/index.html public/prices.html")],
            ],
            ["grep -q 'Ten a month' public/prices.html", "grep -q 'href=prices.html' public/index.html"],
        ),
        Session(
            "accessible-pages",
            "Every image of the pages needs a text for people who cannot see it; check.mjs finds those without.",
            {
                "check.mjs": 'import { readdirSync, readFileSync } from "node:fs";\n\nconst pages = readdirSync(".").filter((name) => name.endsWith(".html"));\nconst bad = pages.flatMap((name) => (readFileSync(name, "utf8").match(/<img(?![^>]*alt=)[^>]*>/g) ?? []).map((tag) => `${name}: ${tag}`));\nconsole.log(bad.join("\\n"));\nprocess.exit(bad.length ? 1 : 0);\n',
                "index.html": '<img src="cat.png">\n<img src="dog.png" alt="A dog">\n',
                "about.html": '<img src="us.png">\n',
            },
            [
                [run("node check.mjs", fails=True)],
                [
                    patch("index.html", 'src="cat.png"', 'src="cat.png" alt="A cat"'),
                    patch("about.html", 'src="us.png"', 'src="us.png" alt="The four of us"'),
                ],
                [run("node check.mjs")],
            ],
            ["node check.mjs"],
            needs=["node"],
        ),
    ]
