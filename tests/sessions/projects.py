"""The sessions: small projects in the languages and with the chores that users delegate."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import chores
import pages
import pytest
from calls import COMMITTED, patch, read, run, write
from person import Session


def text(content: str) -> str:
    return dedent(content)


PYTEST = ".venv/bin/python -m pytest -q -p no:cacheprovider"
SITE = Path(pytest.__file__).parents[1]

PRICES = """\
    def total(prices, discount=0):
        return sum(prices) - discount / 100


    def cheapest(prices):
        return min(prices)
    """
PRICES_TEST = """\
    import unittest

    from prices import cheapest, total


    class Prices(unittest.TestCase):
        def test_a_discount_is_a_percentage(self):
            self.assertEqual(total([100, 50], discount=10), 135)

        def test_cheapest(self):
            self.assertEqual(cheapest([3, 1, 2]), 1)
    """


def python() -> list[Session]:
    fixed = "sum(prices) * (1 - discount / 100)"
    return [
        Session(
            "fix-a-failing-test",
            "The test of the discount fails. Find out why, fix it and commit.",
            {"prices.py": text(PRICES), "test_prices.py": text(PRICES_TEST)},
            [
                [read("test_prices.py"), read("prices.py"), run("git status --short")],
                [run("python3 -m unittest -q", fails=True)],
                [patch("prices.py", "sum(prices) - discount / 100", fixed)],
                [run("python3 -m unittest -q")],
                [run("git add prices.py"), run("git commit -q -m 'Take discounts as percentages'")],
            ],
            [
                "python3 -m unittest -q",
                'test -z "$(git status --short)"',
                "git log --format=%s | grep -q percentages",
            ],
            ["printf '__pycache__\\n' > .gitignore", *COMMITTED],
        ),
        Session(
            "pytest-edge-case",
            "slugify breaks on empty titles; add a test for that and fix it.",
            {
                "slug.py": text("""\
                    import re


                    def slugify(title):
                        words = re.findall(r"[a-z0-9]+", title.lower())
                        return words[0] + "".join("-" + word for word in words[1:])
                    """),
                "tests/test_slug.py": text("""\
                    from slug import slugify


                    def test_words_are_joined():
                        assert slugify("Hello, World") == "hello-world"
                    """),
                "conftest.py": "",
            },
            [
                [read("slug.py"), read("tests/test_slug.py")],
                [
                    write(
                        "tests/test_slug.py",
                        """\
                        from slug import slugify


                        def test_words_are_joined():
                            assert slugify("Hello, World") == "hello-world"


                        def test_an_empty_title_has_an_empty_slug():
                            assert slugify("  ") == ""
                        """,
                    )
                ],
                [run(PYTEST, fails=True)],
                [patch("slug.py", 'words[0] + "".join("-" + word for word in words[1:])', '"-".join(words)')],
                [run(PYTEST)],
            ],
            [PYTEST],
            [
                "python3 -m venv --without-pip .venv",
                f"cp -r {SITE}/{{pytest,_pytest,pluggy,iniconfig,packaging,pygments,py.py}} .venv/lib/python3*/site-packages/",
            ],
        ),
        Session(
            "add-an-option",
            "Give wc.py a --words option, with a test, and commit it.",
            {
                "wc.py": text("""\
                    import argparse


                    def count(text):
                        return len(text.splitlines())


                    def main(argv=None):
                        parser = argparse.ArgumentParser()
                        parser.add_argument("file")
                        options = parser.parse_args(argv)
                        with open(options.file) as file:
                            print(count(file.read()))


                    if __name__ == "__main__":
                        main()
                    """),
                "test_wc.py": text("""\
                    import unittest

                    import wc


                    class Count(unittest.TestCase):
                        def test_lines(self):
                            self.assertEqual(wc.count("a b\\nc\\n"), 2)
                    """),
                "sample.txt": "one two\nthree\n",
            },
            [
                [read("wc.py"), read("test_wc.py")],
                [
                    patch(
                        "wc.py",
                        "def count(text):\n    return len(text.splitlines())",
                        "def count(text, words=False):\n    return len(text.split() if words else text.splitlines())",
                    ),
                    patch(
                        "wc.py",
                        "    options = parser",
                        '    parser.add_argument("--words", action="store_true")\n    options = parser',
                    ),
                    patch("wc.py", "count(file.read())", "count(file.read(), options.words)"),
                    patch(
                        "test_wc.py",
                        '"), 2)\n',
                        '"), 2)\n\n    def test_words(self):\n        self.assertEqual(wc.count("a b\\nc\\n", words=True), 3)\n',
                    ),
                ],
                [run("python3 -m unittest -q && python3 wc.py --words sample.txt")],
                [run("git add -A && git commit -qm 'Count words with --words'")],
            ],
            [
                "python3 -m unittest -q",
                'test "$(python3 wc.py --words sample.txt)" = 3',
                "git show --stat | grep -q wc.py",
            ],
            ["printf '__pycache__\\n' > .gitignore", *COMMITTED],
        ),
        Session(
            "rename-across-files",
            "Rename the function fetch_all to load_records everywhere.",
            {
                "store.py": "def fetch_all(rows):\n    return list(rows)\n",
                "report.py": "from store import fetch_all\n\n\ndef report(rows):\n    return len(fetch_all(rows))\n",
                "export.py": "import store\n\n\ndef export(rows):\n    return store.fetch_all(rows)\n",
                "test_all.py": "import unittest\n\nfrom export import export\nfrom report import report\n\n\nclass All(unittest.TestCase):\n    def test(self):\n        self.assertEqual((report([1, 2]), export([3])), (2, [3]))\n",
            },
            [
                [run("grep -rn fetch_all --include=*.py .")],
                [
                    patch("store.py", "fetch_all", "load_records"),
                    patch("report.py", "fetch_all", "load_records", every=True),
                    patch("export.py", "store.fetch_all", "store.load_records"),
                ],
                [run("python3 -m unittest -q")],
                [run("grep -rn fetch_all --include=*.py .", fails=True)],
            ],
            ["python3 -m unittest -q", "! grep -rn fetch_all --include=*.py ."],
        ),
        Session(
            "test-what-is-untested",
            "Write tests for dates.py; fix what they find.",
            {
                "dates.py": text("""\
                    def is_leap(year):
                        return year % 4 == 0 and year % 100 != 0


                    def days(year):
                        return 366 if is_leap(year) else 365
                    """)
            },
            [
                [read("dates.py")],
                [
                    write(
                        "test_dates.py",
                        """\
                        import unittest

                        from dates import days, is_leap


                        class Dates(unittest.TestCase):
                            def test_centuries(self):
                                self.assertFalse(is_leap(1900))
                                self.assertTrue(is_leap(2000))

                            def test_days(self):
                                self.assertEqual(days(2023), 365)
                        """,
                    )
                ],
                [run("python3 -m unittest test_dates", fails=True)],
                [
                    patch(
                        "dates.py",
                        "year % 4 == 0 and year % 100 != 0",
                        "year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)",
                    )
                ],
                [run("python3 -m unittest test_dates")],
            ],
            ["python3 -m unittest test_dates"],
        ),
        Session(
            "split-a-module",
            "Move the parsing functions of app.py into a module parsing.py.",
            {
                "app.py": "def parse(line):\n    key, value = line.split('=', 1)\n    return key.strip(), value.strip()\n\n\ndef load(text):\n    return dict(parse(line) for line in text.splitlines() if '=' in line)\n",
                "test_app.py": "import unittest\n\nimport app\n\n\nclass App(unittest.TestCase):\n    def test_load(self):\n        self.assertEqual(app.load('a = 1\\n\\nb=2'), {'a': '1', 'b': '2'})\n",
            },
            [
                [read("app.py"), run("ls")],
                [
                    write(
                        "parsing.py",
                        "def parse(line):\n    key, value = line.split('=', 1)\n    return key.strip(), value.strip()\n",
                    ),
                    write(
                        "app.py",
                        "from parsing import parse\n\n\ndef load(text):\n    return dict(parse(line) for line in text.splitlines() if '=' in line)\n",
                    ),
                ],
                [run("python3 -m unittest -q 2>&1 | tail -5")],
            ],
            ["python3 -m unittest -q", "grep -q 'from parsing import parse' app.py"],
        ),
    ]


def compiled() -> list[Session]:
    cargo = '[package]\nname = "shapes"\nversion = "0.1.0"\nedition = "2021"\n'
    return [
        Session(
            "rust-refactor",
            "Replace the match on strings in area() with an enum, and keep the tests green.",
            {
                "Cargo.toml": cargo,
                "src/lib.rs": text("""\
                    pub fn area(shape: &str, a: f64, b: f64) -> f64 {
                        match shape {
                            "square" => a * a,
                            "rectangle" => a * b,
                            _ => 0.0,
                        }
                    }

                    #[test]
                    fn areas() {
                        assert_eq!(area("square", 2.0, 0.0), 4.0);
                        assert_eq!(area("rectangle", 2.0, 3.0), 6.0);
                    }
                    """),
            },
            [
                [read("src/lib.rs"), run("cargo test -q --offline")],
                [
                    write(
                        "src/lib.rs",
                        """\
                    pub enum Shape {
                        Square(f64),
                        Rectangle(f64, f64),
                    }

                    pub fn area(shape: &Shape) -> f64 {
                        match shape {
                            Shape::Square(side) => side * side,
                            Shape::Rectangle(width, height) => width * height,
                        }
                    }

                    #[test]
                    fn areas() {
                        assert_eq!(area(&Shape::Square(2.0)), 4.0);
                        assert_eq!(area(&Shape::Rectangle(2.0, 3.0)), 6.0);
                    }
                    """,
                    )
                ],
                [run("cargo test -q --offline")],
                [run("git commit -qam 'Shapes as an enum'")],
            ],
            ["grep -q 'pub enum Shape' src/lib.rs", 'test -z "$(git status --short)"'],
            ["printf 'target\\n' > .gitignore", "cargo generate-lockfile --offline -q", *COMMITTED],
            needs=["cargo"],
        ),
        Session(
            "rust-new-module",
            "Add a module with a median function to the crate.",
            {
                "Cargo.toml": cargo,
                "src/lib.rs": "//! Statistics.\n\npub fn mean(of: &[f64]) -> f64 {\n    of.iter().sum::<f64>() / of.len() as f64\n}\n",
            },
            [
                [read("src/lib.rs")],
                [
                    write(
                        "src/median.rs",
                        """\
                        pub fn median(of: &[f64]) -> f64 {
                            let mut sorted = of.to_vec();
                            sorted.sort_by(f64::total_cmp);
                            sorted[sorted.len() / 2]
                        }

                        #[test]
                        fn middle() {
                            assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
                        }
                        """,
                    ),
                    patch("src/lib.rs", "//! Statistics.\n", "//! Statistics.\n\npub mod median;\n"),
                ],
                [run("cargo test -q --offline median")],
                [run("cargo test -q --offline")],
            ],
            ["grep -q 'pub mod median' src/lib.rs"],
            needs=["cargo"],
        ),
        Session(
            "make-a-c-project-pass",
            "make test fails. Find the bug in the stack and fix it.",
            {
                "Makefile": "CFLAGS = -Wall\n\ntest: check\n\t./check\n\ncheck: check.c stack.c stack.h\n\t$(CC) $(CFLAGS) -o $@ check.c stack.c\n\n.PHONY: test\n",
                "stack.h": "void push(int value);\nint pop(void);\n",
                "stack.c": '#include "stack.h"\n\nstatic int values[16];\nstatic int size;\n\nvoid push(int value) { values[size++] = value; }\nint pop(void) { return values[size--]; }\n',
                "check.c": '#include <stdio.h>\n#include "stack.h"\n\nint main(void) {\n  push(1);\n  push(2);\n  int ok = pop() == 2 && pop() == 1;\n  puts(ok ? "ok" : "wrong order");\n  return !ok;\n}\n',
            },
            [
                [run("make test", fails=True), read("stack.c")],
                [patch("stack.c", "values[size--]", "values[--size]")],
                [run("make test")],
                [run("git commit -am 'Pop the last value, not the one behind it'")],
            ],
            ["make test", "git show --format= --name-only | grep -qx stack.c"],
            ["printf 'check\\n' > .gitignore", *COMMITTED],
            needs=["make", "cc"],
        ),
        Session(
            "c-header",
            "Move the greeting of hello.c into a header, and build it with make.",
            {
                "Makefile": "hello: hello.c\n\t$(CC) -Wall -o $@ hello.c\n",
                "hello.c": '#include <stdio.h>\n\nint main(void) {\n  puts("Hello, world");\n  return 0;\n}\n',
            },
            [
                [read("hello.c"), read("Makefile")],
                [
                    write("greeting.h", '#define GREETING "Hello, world"\n'),
                    patch("hello.c", "#include <stdio.h>\n", '#include <stdio.h>\n\n#include "greeting.h"\n'),
                    patch("hello.c", '"Hello, world"', "GREETING"),
                    patch("Makefile", "hello: hello.c\n", "hello: hello.c greeting.h\n"),
                ],
                [run("make")],
                [run("./hello")],
            ],
            ["make -q", "test \"$(./hello)\" = 'Hello, world'"],
            needs=["make", "cc"],
        ),
    ]


def sessions() -> list[Session]:
    """Returns all sessions."""
    besides = [*chores.settings(), *chores.history(), *chores.data(), *chores.documents()]
    return [*python(), *pages.node(), *compiled(), *besides]
