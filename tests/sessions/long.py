"""Eight long sessions: an afternoon's work each, with the commands, detours and mistakes of real agents."""

from __future__ import annotations

from textwrap import dedent as text

from calls import COMMITTED, background, grep, patch, read, run, steps, write
from person import Session
from projects import PYTEST, SITE

JAVASCRIPT = Session(
    "long-javascript",
    "Amounts such as 1,234.50 are read as 1. Fix that, and give the command line a --json option.",
    {
        "package.json": text("""\
            {
              "name": "invoices",
              "version": "1.2.0",
              "type": "module",
              "scripts": {
                "test": "node --test",
                "lint": "node scripts/lint.mjs",
                "build": "node scripts/build.mjs"
              }
            }
            """),
        "src/money.js": text("""\
            /** @param {string} text @returns {number} cents */
            export function parseAmount(text) {
              return Math.round(parseFloat(text) * 100);
            }

            /** @param {number} cents @returns {string} */
            export function formatAmount(cents) {
              return (cents / 100).toFixed(2);
            }
            """),
        "src/invoice.js": text("""\
            import { parseAmount } from "./money.js";

            export function total(lines, vat) {
              var net = lines.map((line) => parseAmount(line.amount)).reduce((a, b) => a + b, 0);
              return Math.round(net * (1 + vat / 100));
            }
            """),
        "src/cli.js": text("""\
            import { readFileSync } from "node:fs";
            import { total } from "./invoice.js";
            import { formatAmount } from "./money.js";

            const invoice = JSON.parse(readFileSync(process.argv[2], "utf8"));
            console.log(formatAmount(total(invoice.lines, invoice.vat)));
            """),
        "scripts/lint.mjs": text("""\
            import { readdirSync, readFileSync } from "node:fs";

            const bad = readdirSync("src").filter((name) => /^\\s*var /m.test(readFileSync(`src/${name}`, "utf8")));
            for (const name of bad) console.error(`src/${name}: var`);
            process.exit(bad.length ? 1 : 0);
            """),
        "scripts/build.mjs": text("""\
            import { cpSync, rmSync } from "node:fs";

            rmSync("dist", { recursive: true, force: true });
            cpSync("src", "dist", { recursive: true });
            """),
        "test/money.test.js": text("""\
            import assert from "node:assert";
            import { test } from "node:test";
            import { formatAmount, parseAmount } from "../src/money.js";

            test("amounts are read", () => assert.equal(parseAmount("12.50"), 1250));
            test("amounts are written", () => assert.equal(formatAmount(1250), "12.50"));
            """),
        "samples/one.json": '{"vat": 20, "lines": [{"amount": "1,000.00"}, {"amount": "5.00"}]}\n',
        ".gitignore": "dist/\nnode_modules/\n",
    },
    steps(
        "git status --short && git log --oneline | head -5",
        "ls -la && cat package.json",
        "find . -name '*.js' -not -path './node_modules/*' -not -path './.git/*' | xargs wc -l",
        [read("src/money.js"), read("src/invoice.js"), read("src/cli.js")],
        grep("parseAmount", "."),
        "node --version && npm --version",
        "npm test 2>&1 | tail -20",
        """node -e 'import("./src/money.js").then((m) => console.log(m.parseAmount("1,234.50")))'""",
        "git switch -c fix/thousands",
        """
        cat >> test/money.test.js <<'EOF'
        test("thousands are grouped", () => assert.equal(parseAmount("1,234.50"), 123450));
        test("millions, too", () => assert.equal(parseAmount("1,234,567.00"), 123456700));
        EOF
        """,
        run("node --test test/money.test.js", fails=True),
        patch("src/money.js", "parseFloat(text)", 'parseFloat(text.replace(",", ""))'),
        "node --test test/money.test.js 2>&1 | grep -E '^# (pass|fail)'",
        run("npm test", fails=True),
        patch("src/money.js", 'text.replace(",", "")', 'text.replaceAll(",", "")'),
        "npm test",
        'for i in 1 2 3; do npm test --silent > /dev/null || echo "run $i failed"; done',
        run("npm run lint", fails=True),
        r"sed -i 's/^\(\s*\)var /\1const /' src/invoice.js && git diff src/invoice.js",
        "npm run lint",
        "git diff --stat && git add -A && git commit -m 'Read amounts with thousands separators'",
        "node src/cli.js samples/one.json",
        # The first version lacks a bracket.
        """
        cat > src/cli.js <<'EOF'
        import { readFileSync } from "node:fs";
        import { parseArgs } from "node:util";
        import { total } from "./invoice.js";
        import { formatAmount } from "./money.js";

        const { values, positionals } = parseArgs({
          options: { json: { type: "boolean" } },
          allowPositionals: true,
        };
        const invoice = JSON.parse(readFileSync(positionals[0], "utf8"));
        const cents = total(invoice.lines, invoice.vat);
        console.log(values.json ? JSON.stringify({ total: cents }) : formatAmount(cents));
        EOF
        """,
        run("for file in src/*.js; do node --check $file || exit 1; done", fails=True),
        "sed -i 's/^};$/});/' src/cli.js && node --check src/cli.js && echo fine",
        "node src/cli.js --json samples/one.json | python3 -m json.tool",
        write(
            "test/cli.test.js",
            """\
            import assert from "node:assert";
            import { execFileSync } from "node:child_process";
            import { test } from "node:test";

            const cli = (...args) => execFileSync("node", ["src/cli.js", ...args], { encoding: "utf8" }).trim();

            test("the total is printed", () => assert.equal(cli("samples/one.json"), "1206.00"));
            test("the total is JSON", () => assert.equal(cli("--json", "samples/one.json"), '{"total":120600}'));
            """,
        ),
        "npm test 2>&1 | tail -12; npm run lint --silent && echo lint ok",
        "node --test --test-name-pattern='JSON'",
        "npm run build && ls -l dist && diff -r src dist",
        "rm -rf dist && git status --short",
        "git add -A && git commit -qm 'Add --json to the comand line' && git show --stat HEAD",
        "git commit --amend -qm 'Add --json to the command line' && git log --oneline main..HEAD",
        # A detour: an idea that is put aside again.
        "sed -i 's/toFixed(2)/toLocaleString()/' src/money.js",
        run("npm test --silent", fails=True),
        "git stash && npm test --silent 2>&1 | tail -8",
        "git stash list && git stash show -p | head -20",
        """
        cat > server.mjs <<'EOF'
        import { createServer } from "node:http";
        import { readFileSync } from "node:fs";
        import { total } from "./src/invoice.js";

        createServer((_, reply) => {
          const { lines, vat } = JSON.parse(readFileSync("samples/one.json", "utf8"));
          reply.end(JSON.stringify({ total: total(lines, vat) }));
        }).listen(8131, "127.0.0.1");
        EOF
        """,
        background("start", command="node server.mjs"),
        "curl -s --retry 20 --retry-connrefused --retry-delay 1 http://127.0.0.1:8131/ | grep 120600",
        background("stop", id="b1"),
        "rm server.mjs && git status --short",
        "npm version patch --no-git-tag-version && grep version package.json",
        """
        python3 - <<'EOF'
        from pathlib import Path

        Path("CHANGELOG.md").write_text("# Changes\\n\\n## 1.2.1\\n\\n- Thousands separators\\n- `--json`\\n")
        EOF
        cat CHANGELOG.md
        """,
        "git add -A && git commit -q -m 'Version 1.2.1' && git diff main --stat",
        "git switch main && git merge --ff-only fix/thousands 2>&1 | tail -8",
        "git branch -d fix/thousands && git log --oneline --graph | head",
        "npm test && npm run lint && git status --short",
    ),
    [
        "npm test",
        "npm run lint",
        "test $(git rev-list --count main) = 4",
        'test -z "$(git status --short)"',
        "node src/cli.js samples/one.json | grep -qx 1206.00",
    ],
    COMMITTED,
    {"server.mjs": None, "dist/cli.js": None},
    needs=["npm", "curl"],
)

RUST = Session(
    "long-rust",
    "wordstat needs an option --top N that prints the N most frequent words; test it, and commit.",
    {
        "Cargo.toml": '[package]\nname = "wordstat"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs": text("""\
            //! Counts words.

            use std::collections::HashMap;

            pub fn words(text: &str) -> impl Iterator<Item = String> + '_ {
                text.split_whitespace().map(str::to_lowercase)
            }

            pub fn count(text: &str) -> HashMap<String, usize> {
                let mut counts = HashMap::new();
                for word in words(text) {
                    *counts.entry(word).or_insert(0) += 1;
                }
                counts
            }

            #[cfg(test)]
            mod tests {
                use super::*;

                #[test]
                fn words_are_counted() {
                    assert_eq!(count("a b A")["a"], 2);
                }
            }
            """),
        "src/main.rs": text("""\
            use std::{env, fs};

            fn main() {
                let path = env::args().nth(1).expect("usage: wordstat FILE");
                let text = fs::read_to_string(path).expect("a readable file");
                println!("{}", wordstat::count(&text).len());
            }
            """),
        "tests/cli.rs": text("""\
            use std::process::Command;

            fn wordstat(args: &[&str]) -> String {
                let out = Command::new(env!("CARGO_BIN_EXE_wordstat")).args(args).output().unwrap();
                String::from_utf8(out.stdout).unwrap()
            }

            #[test]
            fn the_number_of_words() {
                assert_eq!(wordstat(&["sample.txt"]), "4\\n");
            }
            """),
        "sample.txt": "the cat and the dog and the\n",
        ".gitignore": "/target\n",
    },
    steps(
        "git log --oneline -5 && git status -sb",
        "cargo --version; rustc --version; ls -R src tests",
        [read("src/lib.rs"), read("src/main.rs"), read("tests/cli.rs")],
        "cat Cargo.toml && wc -l src/*.rs",
        "cargo test 2>&1 | tail -5",
        "cargo tree && cargo metadata --format-version 1 --no-deps | python3 -m json.tool | head -20",
        "git switch -c top",
        "grep -n 'pub fn' src/lib.rs",
        patch(
            "src/lib.rs",
            "#[cfg(test)]\n",
            """\
/// Returns the most frequent words, the most frequent first.
pub fn top(text: &str, most: usize) -> Vec<(String, usize)> {
    let mut counted: Vec<(String, usize)> = count(text).into_iter().collect();
    counted.sort_by_key(|(_, times)| times);
    counted.truncate(most);
    return counted;
}

#[cfg(test)]
""",
        ),
        run("cargo check", fails=True),
        run("cargo check 2>&1 | grep -A6 '^error'"),
        patch(
            "src/lib.rs", "counted.sort_by_key(|(_, times)| times);", "counted.sort_by_key(|word| word.1);"
        ),
        "cargo check 2>&1 | tail -3",
        """
        python3 - <<'EOF'
        path = "src/lib.rs"
        text = open(path).read()
        test = '''
            #[test]
            fn the_most_frequent_come_first() {
                assert_eq!(top("b a b c", 1), [("b".to_string(), 2)]);
            }
        }
        '''
        open(path, "w").write(text.rstrip().removesuffix("}").rstrip() + "\\n" + test)
        EOF
        """,
        "tail -20 src/lib.rs",
        run("cargo test --lib", fails=True),
        run("RUST_BACKTRACE=1 cargo test --lib most_frequent -- --nocapture 2>&1 | grep -B2 -A8 panicked"),
        "sed -i 's/sort_by_key(|word| word.1)/sort_by_key(|word| std::cmp::Reverse(word.1))/' src/lib.rs",
        "cargo test --lib 2>&1 | grep 'test result'",
        "for i in 1 2 3 4 5; do cargo test -q --lib 2>&1 | grep -q 'FAILED' && echo flaky; done; echo done",
        run("cargo clippy -- -D warnings", fails=True),
        "cargo clippy --fix --allow-dirty --lib 2>&1 | tail -3; git diff src/lib.rs | grep -n counted",
        "cargo clippy --all-targets -- -D warnings",
        write(
            "src/main.rs",
            """\
            use std::{env, fs};

            fn main() {
                let mut args: Vec<String> = env::args().skip(1).collect();
                let top = args.iter().position(|arg| arg == "--top").map(|at| {
                    args.remove(at);
                    args.remove(at).parse::<usize>().expect("a number")
                });
                let path = args.first().expect("usage: wordstat [--top N] FILE");
                let text = fs::read_to_string(path).expect("a readable file");
                match top {
                    Some(most) => wordstat::top(&text, most).iter().for_each(|(word, times)| println!("{times} {word}")),
                    None => println!("{}", wordstat::count(&text).len()),
                }
            }
            """,
        ),
        "cargo run -q -- --top 2 sample.txt",
        "cargo run -q -- sample.txt | tee /tmp/wordstat-count.txt; cat /tmp/wordstat-count.txt",
        """
        cat >> tests/cli.rs <<'EOF'

        #[test]
        fn the_most_frequent_words() {
            assert_eq!(wordstat(&["--top", "2", "sample.txt"]), "3 the\\n2 and\\n");
        }
        EOF
        """,
        "cargo test --test cli",
        "cargo test 2>&1 | grep -E 'test result|running'",
        run("cargo fmt --check", fails=True),
        "cargo fmt && git diff --stat",
        "cargo test -q 2>&1 | tail -5 && cargo clippy -q -- -D warnings",
        'git add -A && git commit -m "Print the most frequent words with --top"',
        # Words with the same frequency come in any order: a mistake that shows only now and then.
        "for i in $(seq 5); do target/debug/wordstat --top 4 sample.txt | tail -2 | tr '\\n' ' '; done | fold",
        patch(
            "src/lib.rs",
            "counted.sort_by_key(|word| std::cmp::Reverse(word.1));",
            "counted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));",
        ),
        "cargo build 2>&1 | tail -1 && for i in $(seq 5); do target/debug/wordstat --top 4 sample.txt; done | sort | uniq -c",
        """
        python3 -c "
        import subprocess
        for most in range(1, 5):
            out = subprocess.run(['target/debug/wordstat', '--top', str(most), 'sample.txt'], capture_output=True, text=True)
            assert len(out.stdout.splitlines()) == most
        print('ok')
        "
        """,
        "git diff | cat && git commit -qa --amend --no-edit && git log --stat -1",
        "cargo build --release 2>&1 | tail -2 && ls -lh target/release/wordstat",
        "seq 1 200000 > /tmp/wordstat-many.txt && time ./target/release/wordstat --top 1 /tmp/wordstat-many.txt",
        "cargo doc --no-deps 2>&1 | tail -2",
        patch("Cargo.toml", 'version = "0.1.0"', 'version = "0.2.0"'),
        run("cargo test -q --locked", fails=True),
        "cargo check --offline 2>&1 | tail -1; git diff --stat",
        "cargo test -q --locked 2>&1 | grep -c 'test result: ok'",
        "printf '# wordstat\\n\\n    wordstat [--top N] FILE\\n' > README.md && cat README.md",
        "git add -A && git commit -qm 'Version 0.2.0' && git switch -q main && git merge -q top && git log --oneline",
        "cargo clean 2>&1 | tail -1; git status --short --ignored",
        "cargo test 2>&1 | tail -5",
    ),
    [
        "cargo test -q --offline",
        "test $(git rev-list --count main) = 3",
        'test -z "$(git status --short)"',
        "cargo run -q --offline -- --top 2 sample.txt | grep -qx '3 the'",
    ],
    ["cargo generate-lockfile --offline -q", *COMMITTED],
    needs=["cargo", "cargo-clippy", "rustfmt"],
    # A fault: `time` does not change the program that it runs.
    high={"time ./target/release/wordstat": "cargo gives the program a second name"},
    # A fault: nobody else changed it, and undo removed all of target.
    left=["target/debug/wordstat"],
)

PYTHON = Session(
    "long-python",
    "The balances of the ledger are wrong for dates at the end of a month. Fix them, add types and tests.",
    {
        "ledger/__init__.py": "",
        "ledger/dates.py": text("""\
            import datetime


            def month_end(day):
                return datetime.date(day.year, day.month, 30)


            def parse(text):
                return datetime.datetime.strptime(text, "%d/%m/%Y").date()
            """),
        "ledger/book.py": text("""\
            from ledger.dates import month_end, parse


            class Book:
                def __init__(self, rows=[]):
                    self.rows = rows

                def add(self, day, amount):
                    self.rows.append((parse(day), amount))

                def balance(self, day):
                    last = month_end(parse(day))
                    return sum(amount for at, amount in self.rows if at <= last)
            """),
        "ledger/__main__.py": text("""\
            import csv
            import sys

            from ledger.book import Book

            book = Book()
            with open(sys.argv[1], newline="") as file:
                for row in csv.DictReader(file):
                    book.add(row["day"], int(row["amount"]))
            print(book.balance(sys.argv[2]))
            """),
        "tests/__init__.py": "",
        "tests/test_book.py": text("""\
            import unittest

            from ledger.book import Book


            class BookTest(unittest.TestCase):
                def test_balance(self):
                    book = Book()
                    book.add("01/02/2023", 10)
                    self.assertEqual(book.balance("05/03/2023"), 10)

                def test_an_end_of_a_month(self):
                    book = Book()
                    book.add("31/01/2023", 10)
                    self.assertEqual(book.balance("05/01/2023"), 10)


            if __name__ == "__main__":
                unittest.main()
            """),
        "samples/rows.csv": "day,amount\n30/01/2023,10\n31/01/2023,5\n01/02/2023,1\n",
        ".gitignore": "__pycache__/\n.venv/\n*.egg-info/\n",
        "README.md": "# ledger\n\nThe balance at the end of a month.\n",
    },
    steps(
        "git log --oneline && git status",
        "find . -name '*.py' -not -path './.venv/*' | sort | xargs wc -l",
        [read("ledger/dates.py"), read("ledger/book.py"), read("tests/test_book.py")],
        "cat ledger/__main__.py samples/rows.csv",
        run("python3 -m unittest 2>&1", fails=True),
        run("python3 -m unittest discover -s tests -t . -v 2>&1 | tail -25"),
        PYTEST + " --version",
        run(PYTEST + " -x", fails=True),
        'python3 -c "print(1)"',
        'python3 -c "import datetime; print(datetime.date(2023, 2, 30))" || true',
        "git switch -c fix-month-ends",
        "python3 -m ledger samples/rows.csv 05/01/2023",
        patch(
            "ledger/dates.py",
            "return datetime.date(day.year, day.month, 30)",
            "return datetime.date(day.year, day.month, calendar.monthrange(day.year, day.month))",
        ),
        run("python3 -m unittest -q", fails=True),
        "sed -i 's/^import datetime$/import calendar\\nimport datetime/' ledger/dates.py && head -5 ledger/dates.py",
        run(PYTEST + " --tb=short 2>&1 | tail -15"),
        patch(
            "ledger/dates.py",
            "calendar.monthrange(day.year, day.month))",
            "calendar.monthrange(day.year, day.month)[1])",
        ),
        PYTEST + " -k end_of_a_month",
        run(PYTEST, fails=True),
        """
        python3 - <<'EOF'
        from ledger.book import Book

        one = Book()
        one.add("01/01/2023", 1)
        print("rows of another book:", Book().rows)
        EOF
        """,
        grep("rows=\\[\\]", "ledger"),
        patch(
            "ledger/book.py",
            "def __init__(self, rows=[]):\n        self.rows = rows",
            "def __init__(self, rows=None):\n        self.rows = list(rows or [])",
        ),
        "for test in tests/test_*.py; do python3 -m unittest $test || break; done",
        "python3 -m ledger samples/rows.csv 05/01/2023 | grep -x 15",
        "git add -p < /dev/null; git diff --stat",
        'git add -A && git commit -m "Count the last days of months" -m "Books no longer share their rows."',
        write(
            "tests/test_dates.py",
            """\
            import datetime

            import pytest
            from ledger.dates import month_end, parse


            @pytest.mark.parametrize(
                ("day", "end"),
                [("05/01/2023", 31), ("05/02/2023", 28), ("05/02/2024", 29), ("05/04/2023", 30)],
            )
            def test_month_ends(day, end):
                assert month_end(parse(day)).day == end


            def test_iso_dates():
                assert parse("2023-01-31") == datetime.date(2023, 1, 31)
            """,
        ),
        run(PYTEST + " tests/test_dates.py", fails=True),
        """
        cat > ledger/dates.py <<'EOF'
        import calendar
        import datetime


        def month_end(day: datetime.date) -> datetime.date:
            return day.replace(day=calendar.monthrange(day.year, day.month)[1])


        def parse(text: str) -> datetime.date:
            if "-" in text:
                return datetime.date.fromisoformat(text)
            return datetime.datetime.strptime(text, "%d/%m/%Y").date()
        EOF
        """,
        PYTEST + " tests 2>&1 | tail -3",
        PYTEST + " --durations=3 | tail -8",
        "python3 -m compileall -q ledger && echo compiled",
        """python3 -c 'import ast,sys; [ast.parse(open(p).read()) for p in sys.argv[1:]]' ledger/*.py""",
        r"sed -i -E 's/def add\(self, day, amount\)/def add(self, day: str, amount: int) -> None/; s/def balance\(self, day\)/def balance(self, day: str) -> int/' ledger/book.py",
        "grep -n 'def ' ledger/book.py",
        "PYTHONPATH=. .venv/bin/python -W error -m unittest -q tests.test_book",
        "git add -A; git commit -qm 'Read ISO dates, and say the types'; git log --oneline",
        # A detour with the stash.
        "echo 'print(\"here\")' >> ledger/book.py && python3 -m ledger samples/rows.csv 2023-02-01",
        "git stash push -q -m debugging && git stash list && git diff --quiet && echo clean",
        "git stash drop && git status --short",
        "mkdir -p scratch && for n in $(seq 1 20); do echo \"$(printf '%02d' $n)/01/2023,$n\"; done > scratch/rows.csv; sed -i '1i day,amount' scratch/rows.csv",
        'python3 -m ledger scratch/rows.csv 2023-01-01 && test "$(python3 -m ledger scratch/rows.csv 2023-01-01)" = 210',
        "rm -r scratch && find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +",
        """
        python3 - <<'EOF'
        import re
        from pathlib import Path

        readme = Path("README.md")
        readme.write_text(re.sub(r"\\Z", "\\n    python3 -m ledger FILE DAY\\n", readme.read_text()))
        EOF
        git diff README.md
        """,
        PYTEST
        + " && git commit -qam 'Show how it is called' && git commit --amend -qm 'Say in the README how it is called'",
        "git switch main && git merge --no-ff -m 'Merge the fix of month ends' fix-month-ends && git branch -d fix-month-ends",
        "git log --oneline --graph && git diff HEAD~1 --stat",
        "python3 -m unittest 2>&1 | tail -3; timeout 60 " + PYTEST,
    ),
    [
        PYTEST,
        "python3 -m ledger samples/rows.csv 05/01/2023 | grep -qx 15",
        "git log -1 --format=%s | grep -q 'Merge the fix'",
        'test -z "$(git status --short)"',
    ],
    [
        "python3 -m venv --without-pip .venv",
        f"cp -r {SITE}/{{pytest,_pytest,pluggy,iniconfig,packaging,pygments,py.py}} .venv/lib/python3*/site-packages/",
        *COMMITTED,
    ],
    {"scratch/rows.csv": None},
    # A fault: the same program asks nothing without `timeout` in front.
    high={"timeout 60 .venv/bin/python": "the interpreter is the system's"},
)

C = Session(
    "long-c",
    "The calculator rpn crashes on long expressions and cannot divide. Fix both; make test has to pass.",
    {
        "Makefile": text("""\
            CFLAGS = -Wall -Wextra -g
            OBJECTS = build/main.o build/stack.o

            rpn: $(OBJECTS)
            \t$(CC) $(CFLAGS) -o $@ $(OBJECTS)

            build/%.o: src/%.c src/stack.h
            \tmkdir -p build
            \t$(CC) $(CFLAGS) -c -o $@ $<

            test: rpn
            \tsh tests/run.sh

            clean:
            \trm -rf build rpn

            .PHONY: test clean
            """),
        "src/stack.h": "struct stack {\n  double values[8];\n  int size;\n};\n\nvoid push(struct stack *stack, double value);\ndouble pop(struct stack *stack);\n",
        "src/stack.c": text("""\
            #include "stack.h"

            void push(struct stack *stack, double value) { stack->values[stack->size++] = value; }

            double pop(struct stack *stack) { return stack->values[--stack->size]; }
            """),
        "src/main.c": text("""\
            #include <stdio.h>
            #include <stdlib.h>
            #include "stack.h"

            int main(int argc, char **argv) {
              struct stack stack = {0};
              for (int at = 1; at < argc; at++) {
                double b;
                switch (argv[at][0]) {
                case '+': push(&stack, pop(&stack) + pop(&stack)); break;
                case 'x': push(&stack, pop(&stack) * pop(&stack)); break;
                case '-': b = pop(&stack); push(&stack, pop(&stack) - b); break;
                default: push(&stack, atof(argv[at]));
                }
              }
              printf("%g\\n", pop(&stack));
              return 0;
            }
            """),
        "tests/run.sh": text("""\
            set -e
            test "$(./rpn 1 2 +)" = 3
            test "$(./rpn 2 3 4 + x)" = 14
            test "$(./rpn 5 2 -)" = 3
            echo all passed
            """),
        ".gitignore": "build/\nrpn\n",
        "README": "rpn: a calculator\n\nIt knows + - x.\n",
    },
    steps(
        "git log --oneline | head; git status --short",
        "cat Makefile README && ls src tests",
        [read("src/main.c"), read("src/stack.c"), read("src/stack.h")],
        "gcc --version | head -1; make --version | head -1",
        "make 2>&1 | tail -3",
        "make test",
        "./rpn 1 2 +",
        run("./rpn 6 2 / | grep -x 3", fails=True),
        run("./rpn $(seq 1 400) $(yes + | head -399)", fails=True),
        "gcc -g -fsanitize=address,undefined -o /tmp/rpn-checked src/*.c && echo built",
        "git switch -c fix/stack",
        """
        cat >> tests/run.sh <<'EOF'
        test "$(./rpn 6 2 /)" = 3
        test "$(./rpn $(seq 1 400) $(yes + | head -399))" = 80200
        if ./rpn 1 0 / 2> /dev/null; then echo "dividing by zero worked"; exit 1; fi
        if ./rpn + 2> /dev/null; then echo "an empty stack worked"; exit 1; fi
        EOF
        """,
        # The line that says so has to be the last.
        "sed -i '/^echo all passed$/d' tests/run.sh && echo 'echo all passed' >> tests/run.sh && tail -4 tests/run.sh",
        run("make test", fails=True),
        "sed -i 's/double values\\[8\\];/double *values;\\n  int room;/' src/stack.h && cat src/stack.h",
        write(
            "src/stack.c",
            """\
            #include "stack.h"

            void push(struct stack *stack, double value) {
              if (stack->size == stack->room) {
                stack->room = stack->room ? 2 * stack->room : 8;
                stack->values = realloc(stack->values, stack->room * sizeof *stack->values);
              }
              stack->values[stack->size++] = value;
            }

            double pop(struct stack *stack) {
              if (stack->size == 0) {
                fputs("rpn: too few values\\n", stderr);
                exit(2);
              }
              return stack->values[--stack->size];
            }
            """,
        ),
        run("make CFLAGS='-Wall -Wextra -Werror' 2>&1 | grep -E 'error|warning' | head -5"),
        r"sed -i 's/#include \"stack.h\"/#include \"stack.h\"\n\n#include <stdio.h>\n#include <stdlib.h>/' src/stack.c && head -6 src/stack.c",
        "make 2>&1 | tail -3",
        run("make test", fails=True),
        patch(
            "src/main.c",
            "    default:",
            "    case '/':\n      b = pop(&stack);\n      if (b == 0) return fprintf(stderr, \"rpn: division by zero\\n\"), 2;\n      push(&stack, pop(&stack) / b); break;\n    default:",
        ),
        "make test 2>&1 | tail -2",
        "for i in 1 2 3; do make -s test || break; done",
        "make -n && make -q && echo up to date",
        "touch src/stack.h && make | grep -c -- -c",
        "git add -A && git commit -m 'Let the stack grow, and divide'",
        # Negative numbers begin with a minus: found by trying things out.
        './rpn -5 2 x || echo "status $?"',
        patch(
            "src/main.c",
            "case '-': b",
            "case '-':\n      if (argv[at][1]) { push(&stack, atof(argv[at])); break; }\n      b",
        ),
        "make -s && ./rpn -5 2 x | grep -x -- -10",
        """
        python3 - <<'EOF'
        import random
        import subprocess

        random.seed(1)
        for _ in range(50):
            a, b = random.randint(-99, 99), random.randint(1, 99)
            for sign, wanted in (("+", a + b), ("-", a - b), ("x", a * b)):
                out = subprocess.run(["./rpn", str(a), str(b), sign], capture_output=True, text=True)
                assert float(out.stdout) == wanted, (a, sign, b, out)
        print("150 cases")
        EOF
        """,
        "sed -i 's|^echo all passed|test \"$(./rpn -5 2 x)\" = -10\\necho all passed|' tests/run.sh && make test",
        "git commit -qam 'Read negative numbers' && git show --stat",
        "make clean && git status --short --ignored && make -j4 2>&1 | tail -1",
        "gcc -Wall -Wextra -g -fsanitize=address,undefined -fno-sanitize=leak -o build/checked src/*.c",
        "ASAN_OPTIONS=detect_leaks=0 build/checked $(seq 1 400) $(yes + | head -399)",
        run("build/checked + ", fails=True),
        "nm rpn | grep -E ' T (push|pop|main)' | sort",
        "objdump -d rpn --disassemble=pop | head -20; size rpn",
        grep("atof", "src"),
        r"""sed -i '1i /* Reverse Polish notation: sh$ ./rpn 1 2 + */' src/main.c && head -2 src/main.c""",
        "make test CFLAGS='-O2 -Wall' | tail -1",
        "sed -i 's/It knows + - x\\./It knows + - x and \\//' README && cat README",
        "mkdir -p docs && cat > docs/rpn.1 <<EOF\n.TH RPN 1\n.SH NAME\nrpn \\- a calculator, made on $(uname -s)\nEOF\ncat docs/rpn.1",
        "git add -A && git commit -qm 'Document division' && git log --oneline main..",
        "git stash list; git diff HEAD~2 --stat",
        run("make install", fails=True),
        """
        printf '\\ninstall: rpn\\n\\tinstall -D rpn $(DESTDIR)/usr/local/bin/rpn\\n' >> Makefile
        make install DESTDIR="$PWD/build/root" && find build/root -type f
        """,
        "git commit -qam 'Install' && git commit --amend -qm 'Add make install' && git log -1 --format=%s",
        "git switch -q main && git merge -q --ff-only fix/stack && git branch -d fix/stack",
        "make clean && make test 2>&1 | tail -1; rm -f build/checked; git status --short",
    ),
    [
        "make test",
        "./rpn 6 2 / | grep -qx 3",
        "test $(git rev-list --count main) = 5",
        'test -z "$(git status --short)"',
    ],
    COMMITTED,
    needs=["make", "gcc", "objdump"],
    # A fault: the word is a sign of division, and a program in the folder cannot search the home.
    high={"./rpn 6 2 / | grep": "one word is the root folder"},
)

SHELL = Session(
    "long-shell",
    "Make the scripts of this project work with names that hold blanks, and give each a --dry-run.",
    {
        "bin/backup.sh": "#!/bin/sh\nfor file in `ls $1`; do\n  cp $1/$file $2\ndone\n",
        "bin/rename.sh": "#!/bin/sh\ncd $1\nfor file in *.TXT; do\n  mv $file `basename $file .TXT`.txt\ndone\n",
        "bin/report.sh": '#!/bin/sh\nsh -c "ls $1 | wc -l"\n',
        "test/run.sh": text("""\
            #!/bin/bash
            set -u
            cd "$(dirname "$0")/.."
            failed=0
            for test in test/cases/*.sh; do
              room=$(mktemp -d)
              if bash -e "$test" "$room" > "$room.log" 2>&1; then echo "ok $test"; else echo "FAILED $test"; cat "$room.log"; failed=1; fi
              rm -rf "$room" "$room.log"
            done
            exit $failed
            """),
        "test/cases/backup.sh": 'mkdir "$1/from" "$1/to"\necho 1 > "$1/from/a b"\nbin/backup.sh "$1/from" "$1/to"\ntest -f "$1/to/a b"\n',
        "test/cases/report.sh": 'echo 1 > "$1/a"\ntest "$(bin/report.sh "$1")" = 1\n',
        "README.md": "# Scripts\n\nRun `sh test/run.sh`.\n",
        "fixtures/notes one.TXT": "one\n",
        "fixtures/notes two.TXT": "two\n",
    },
    steps(
        "git log --oneline; git status --short; ls -lR bin test",
        "head -50 bin/*.sh",
        [read("test/run.sh"), read("test/cases/backup.sh"), read("README.md")],
        'for script in bin/*.sh test/run.sh; do bash -n $script && echo "$script parses"; done',
        "command -v shellcheck || echo 'no shellcheck here'",
        run("bash test/run.sh", fails=True),
        "bash -x bin/report.sh fixtures 2>&1 | tail -3",
        grep("`", "bin"),
        "git switch -c blanks",
        """
        cat > bin/backup.sh <<'EOF'
        #!/bin/sh
        set -eu
        run() { if [ "${dry:-}" ]; then echo "would: $*"; else "$@"; fi; }
        if [ "$1" = --dry-run ]; then dry=1; shift; fi
        for file in "$1"/*; do
          run cp -- "$file" "$2"
        done
        EOF
        """,
        "bash test/run.sh",
        "sh bin/backup.sh --dry-run fixtures /nowhere",
        "git diff --stat && git commit -qam 'Back up names with blanks'",
        'sed -i \'s/sh -c "ls $1 | wc -l"/find "$1" -type f | wc -l/\' bin/report.sh && cat bin/report.sh',
        run('test "$(bin/report.sh fixtures)" = 2 && echo right'),
        "cp -r fixtures scratch && bash bin/rename.sh scratch 2>&1 | head -3; ls scratch",
        write(
            "bin/rename.sh",
            """\
            #!/bin/sh
            set -eu
            run() { if [ "${dry:-}" ]; then echo "would: $*"; else "$@"; fi; }
            if [ "$1" = --dry-run ]; then dry=1; shift; fi
            cd "$1"
            for file in *.TXT; do
              run mv -- "$file" "${file%.TXT}.txt"
            done
            """,
        ),
        "bin/rename.sh --dry-run scratch && bin/rename.sh scratch && ls scratch",
        run("bin/rename.sh scratch", fails=True),
        patch(
            "bin/rename.sh",
            "for file in *.TXT; do\n",
            'for file in *.TXT; do\n  [ -e "$file" ] || continue\n',
        ),
        "bin/rename.sh scratch && echo nothing left to rename",
        "rm -r scratch && git status --short",
        """
        cat > test/cases/rename.sh <<'EOF'
        cp fixtures/*.TXT "$1"
        bin/rename.sh --dry-run "$1"
        test -f "$1/notes one.TXT"
        bin/rename.sh "$1"
        test -f "$1/notes one.txt"
        test ! -e "$1/notes one.TXT"
        EOF
        bash test/run.sh
        """,
        'for i in 1 2 3 4 5; do bash test/run.sh > /dev/null || echo "failed in round $i"; done',
        "git add -A && git commit -qm 'Rename names with blanks' && git log --oneline",
        # What all need goes into a file of its own; the first try forgets where it is.
        """
        mkdir -p lib
        sed -n '/^run()/,/^if/p' bin/backup.sh > lib/dry.sh
        cat lib/dry.sh
        for script in backup rename; do
          sed -i -e '/^run()/d' -e 's|^if \\[ \"$1\" = --dry-run.*|. lib/dry.sh|' bin/$script.sh
        done
        git diff bin
        """,
        "bash test/run.sh",
        run("cd /tmp && $OLDPWD/bin/rename.sh --dry-run $OLDPWD/fixtures", fails=True),
        'sed -i \'s|^\\. lib/dry.sh|. "$(dirname "$0")/../lib/dry.sh"|\' bin/*.sh && grep -n dry.sh bin/*.sh',
        "cd test && ../bin/rename.sh --dry-run ../fixtures",
        "bash test/run.sh | grep -c ^ok",
        "grep -L 'set -eu' bin/*.sh | xargs -r sed -i '1a set -eu'; head -2 bin/report.sh",
        'grep -q dry.sh bin/report.sh || sed -i \'2a . "$(dirname "$0")/../lib/dry.sh"\' bin/report.sh; cat bin/report.sh',
        "find bin -name '*.sh' ! -perm -u+x -print; chmod +x bin/*.sh test/run.sh; git diff --summary",
        "git add -A && git commit -qm 'Share what runs dry' && git show --stat --summary",
        "awk '/would:/ {print FILENAME \": \" $0}' bin/*.sh lib/*.sh",
        """
        while read -r name; do
          printf '%s: %s lines\\n' "$name" "$(wc -l < "$name")"
        done < <(git ls-files '*.sh')
        """,
        "time (seq 1 200 | xargs -I{} -P4 sh -c 'test {} -gt 0')",
        "sed -i 's/sh test/bash test/' README.md && git diff README.md",
        "printf '\\n| script | does |\\n|---|---|\\n' >> README.md; for script in bin/*.sh; do echo \"| $(basename $script) | \\`$script --dry-run\\` shows what it would do |\" >> README.md; done; cat README.md",
        "(sleep 1; echo late) & wait; echo finished",
        "trap 'echo bye' EXIT; mkfifo pipe && (echo through > pipe &) && cat pipe && rm pipe",
        run("set -o pipefail; false | true", fails=True),
        'env -i PATH="$PATH" bash test/run.sh',
        "TMPDIR=$PWD/room; mkdir room; export TMPDIR; bash test/run.sh; rmdir room",
        "diff <(sort bin/backup.sh) <(sort bin/rename.sh) || true",
        "git stash -q && git stash pop -q && git status --short",
        "git commit -qam 'Explain the scripts' && git commit --amend -q -m 'Name the scripts in the README'",
        "tar czf scripts.tar.gz bin lib && tar tzf scripts.tar.gz && rm scripts.tar.gz",
        "git switch -q main && git merge -q blanks && git branch -d blanks && bash test/run.sh",
    ),
    [
        "bash test/run.sh",
        "bin/rename.sh --dry-run fixtures | grep -q 'would: mv'",
        "test $(git rev-list --count main) = 5",
        'test -z "$(git status --short)"',
    ],
    ["chmod +x bin/*.sh", *COMMITTED],
    {"scratch/notes one.TXT": None, "scripts.tar.gz": None},
)

DATA = Session(
    "long-data",
    "Analyse the orders in data/: revenue by month and country, doubtful rows apart. Write report.md and a chart.",
    {
        "data/orders-2023.csv": "id,day,country,cents\n"
        + "".join(
            f"{n},2023-{n % 12 + 1:02}-{n % 28 + 1:02},{('de', 'fr', ' AT', 'it')[n % 4]},{n * 37 % 5000}\n"
            for n in range(1, 241)
        )
        + "241,2023-13-01,de,100\n242,2023-05-05,,700\n7,2023-08-08,it,259\n",
        "data/orders-2024.csv": "id;day;country;cents\n"
        + "".join(
            f"{n};2024-{n % 12 + 1:02}-{n % 28 + 1:02};{('DE', 'fr', 'at')[n % 3]};{n * 41 % 7000}\n"
            for n in range(300, 420)
        ),
        "data/countries.json": '{"de": "Germany", "fr": "France", "at": "Austria", "it": "Italy"}\n',
        "README.md": "# Orders\n\nThe raw data is in data/ and stays as it is.\n",
    },
    steps(
        "ls -lh data && wc -l data/*.csv",
        "head -3 data/orders-2023.csv data/orders-2024.csv; tail -4 data/orders-2023.csv",
        [read("README.md"), read("data/countries.json")],
        "file data/* && sha256sum data/* > before.sha256",
        "cut -d, -f3 data/orders-2023.csv | sort | uniq -c | sort -rn",
        "cut -d';' -f3 data/orders-2024.csv | tail -n +2 | sort | uniq -c",
        "awk -F, 'NR > 1 {sum[substr($2, 1, 7)] += $4} END {for (m in sum) print m, sum[m]}' data/orders-2023.csv | sort",
        "grep -nE ',2023-(1[3-9]|00)-' data/orders-2023.csv",
        "cut -d, -f1 data/orders-2023.csv | sort | uniq -d",
        "python3 -c \"import pandas\" 2> /dev/null && echo pandas || echo 'no pandas'",
        """
        python3 - <<'EOF'
        import csv

        rows = list(csv.DictReader(open("data/orders-2023.csv")))
        print(len(rows), sum(int(row["cents"]) for row in rows), {row["country"] for row in rows})
        EOF
        """,
        # The first version does not see that the second file has another separator.
        write(
            "clean.py",
            """\
            import csv
            import datetime
            import sys
            from pathlib import Path


            def rows():
                for path in sorted(Path("data").glob("orders-*.csv")):
                    with path.open(newline="") as file:
                        yield from csv.DictReader(file)


            def good(row):
                row["country"] = row["country"].strip().lower()
                try:
                    datetime.date.fromisoformat(row["day"])
                except ValueError:
                    return False
                return bool(row["country"])


            def main():
                seen, kept, doubtful = set(), [], []
                for row in rows():
                    fine = good(row) and row["id"] not in seen
                    (kept if fine else doubtful).append(row)
                    seen.add(row["id"])
                Path("out").mkdir(exist_ok=True)
                for name, chosen in (("clean", kept), ("doubtful", doubtful)):
                    with open(f"out/{name}.csv", "w", newline="") as file:
                        writer = csv.DictWriter(file, ["id", "day", "country", "cents"], lineterminator="\\n")
                        writer.writeheader()
                        writer.writerows(chosen)
                print(len(kept), "kept,", len(doubtful), "doubtful", file=sys.stderr)


            main()
            """,
        ),
        run("python3 clean.py", fails=True),
        run("python3 clean.py 2>&1 | tail -1"),
        patch(
            "clean.py",
            "            yield from csv.DictReader(file)",
            '            sample = file.read(200)\n            file.seek(0)\n            yield from csv.DictReader(file, delimiter=csv.Sniffer().sniff(sample, ",;").delimiter)',
        ),
        "python3 clean.py && head -3 out/clean.csv && cat out/doubtful.csv",
        "wc -l out/*.csv && test $(wc -l < out/clean.csv) -gt 300",
        "sqlite3 :memory: -cmd '.import --csv out/clean.csv orders' 'select country, count(*), sum(cents) from orders group by 1'",
        "sqlite3 out/orders.db '.import --csv out/clean.csv orders' && sqlite3 out/orders.db .schema",
        'sqlite3 -header -column out/orders.db "select substr(day, 1, 7) as month, sum(cents) / 100.0 as eur from orders group by 1 order by 1 limit 5"',
        run("sqlite3 out/orders.db 'select sum(cent) from orders'", fails=True),
        "sqlite3 out/orders.db 'select sum(cents) from orders'",
        "jq -r 'to_entries[] | \"\\(.key) \\(.value)\"' data/countries.json | sort",
        write(
            "report.py",
            """\
            import collections
            import csv
            import json

            names = json.load(open("data/countries.json"))
            months, countries = collections.Counter(), collections.Counter()
            for row in csv.DictReader(open("out/clean.csv")):
                months[row["day"][:7]] += int(row["cents"])
                countries[names[row["country"]]] += int(row["cents"])
            with open("report.md", "w") as out:
                for title, sums in (("Month", months), ("Country", countries)):
                    out.write(f"| {title} | Revenue |\\n|---|---|\\n")
                    for name, cents in sorted(sums.items()):
                        out.write(f"| {name} | {cents / 100} |\\n")
                    out.write("\\n")
            """,
        ),
        "python3 report.py && head -5 report.md",
        "sed -i 's/{cents \\/ 100}/{cents \\/ 100:,.2f}/' report.py && python3 report.py && grep -A6 Country report.md",
        # Does the sum of both tables agree with the database?
        """
        total=$(sqlite3 out/orders.db 'select sum(cents) from orders')
        for title in Month Country; do
          sum=$(awk -v title=$title -F'|' '$2 ~ title {on = 1; next} /^$/ {on = 0} on {gsub(/[ ,]/, "", $3); sum += $3} END {printf "%d", sum * 100 + 0.5}' report.md)
          echo "$title: $sum of $total"
        done
        """,
        """
        cat > chart.py <<'EOF'
        import re

        rows = re.findall(r"^\\| (\\d{4}-\\d\\d) \\| ([\\d,.]+) \\|$", open("report.md").read(), re.M)
        most = max(float(value.replace(",", "")) for _, value in rows)
        bars = []
        for at, (month, value) in enumerate(rows):
            height = 180 * float(value.replace(",", "")) / most
            bars.append(f'<rect x="{at * 20}" y="{200 - height:.0f}" width="16" height="{height:.0f}"><title>{month}</title></rect>')
        open("chart.svg", "w").write('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 200">' + "".join(bars) + "</svg>\\n")
        EOF
        python3 chart.py && wc -c chart.svg
        """,
        "python3 -c \"import xml.etree.ElementTree as x; print(len(x.parse('chart.svg').getroot()))\"",
        "for country in de fr at it; do printf '%s ' $country; grep -c \",$country,\" out/clean.csv; done",
        "sort -t, -k4,4nr out/clean.csv | head -5",
        "paste -sd+ <(cut -d, -f4 out/clean.csv | tail -n +2) | bc 2> /dev/null || echo 'no bc'",
        "python3 -m json.tool data/countries.json > /dev/null && echo valid",
        grep("2023-13", "data"),
        patch(
            "clean.py",
            '    return bool(row["country"])',
            '    return bool(row["country"]) and int(row["cents"]) >= 0',
        ),
        "python3 clean.py && python3 report.py && git diff --stat",
        "python3 -m cProfile -s cumtime report.py | head -8",
        "python3 - <<< 'print(sum(1 for _ in open(\"out/clean.csv\")))'",
        "printf 'out/\\n__pycache__/\\n' > .gitignore; git status --short",
        "cat >> report.md <<EOF\n![Revenue by month](chart.svg)\n\nMade on $(date +%Y-%m-%d) from $(ls data/*.csv | wc -l) files; $(($(wc -l < out/doubtful.csv) - 1)) rows are doubtful.\nEOF\ntail -4 report.md",
        run("sha256sum --check before.sha256"),
        "rm before.sha256 && git add -A && git commit -qm 'Analyse the orders' && git show --stat",
        write(
            "Makefile",
            "report.md: clean.py report.py $(wildcard data/*)\n\tpython3 clean.py\n\tpython3 report.py\n\tpython3 chart.py\n",
        ),
        "make -B 2>&1 | tail -3 && git diff --stat",
        "git checkout report.md && git status --short",
        "touch report.md && make | grep 'up to date'",
        "split -l 100 -d out/clean.csv out/part- && ls out && rm out/part-*",
        "gzip -k out/clean.csv && zcat out/clean.csv.gz | cmp - out/clean.csv && rm out/clean.csv.gz",
        "sed -i '$a\\\\nRun `make` for the report.' README.md && cat README.md",
        "git add -A && git commit -qm 'Make the report with make' && git log --oneline && git status --short",
    ),
    [
        "grep -q '^| Germany | ' report.md",
        "test $(wc -l < out/doubtful.csv) = 4",
        "test $(grep -o '<rect' chart.svg | wc -l) = 24",
        "git diff --quiet HEAD~2 HEAD -- data",
        'test -z "$(git status --short)"',
    ],
    COMMITTED,
    {"before.sha256": None, "out/clean.csv.gz": None},
    needs=["sqlite3", "jq", "make"],
)

PAGES = {
    name: f"---\ntitle: {name.title()}\n---\n# {name.title()}\n\nSee [the start](index.md) of Gizmo 1.x.\n\n```sh\ngizmo {name}\n```\n"
    for name in ("index", "install", "usage", "faq", "api", "themes")
}
DOCS = Session(
    "long-docs",
    "The documentation speaks of Gizmo 1.x; bring it to 2.0, find broken links, and add a page on upgrading.",
    {
        **{f"docs/{name}.md": page for name, page in PAGES.items()},
        "docs/guide/first.md": "---\ntitle: First steps\n---\n# First steps\n\nAfter [installing](../instal.md) read [usage](../usage.md).\n",
        "build.py": text("""\
            import html
            import pathlib
            import re
            import shutil

            shutil.rmtree("site", ignore_errors=True)
            for page in sorted(pathlib.Path("docs").rglob("*.md")):
                _, front, body = page.read_text().split("---\\n", 2)
                title = re.search("title: (.*)", front)[1]
                body = re.sub(r"^# (.*)$", r"<h1>\\1</h1>", html.escape(body, quote=False), flags=re.M)
                body = re.sub(r"\\[(.*?)\\]\\((.*?)\\.md\\)", r'<a href="\\2.html">\\1</a>', body)
                out = pathlib.Path("site") / page.relative_to("docs").with_suffix(".html")
                out.parent.mkdir(parents=True, exist_ok=True)
                out.write_text(f"<!doctype html><title>{title}</title>\\n{body}")
            """),
        ".gitignore": "site/\n",
    },
    steps(
        "git log --oneline && git status --short && ls -R docs",
        "cat docs/index.md docs/guide/first.md",
        [read("build.py"), read("docs/usage.md")],
        "grep -rn '1\\.x' docs | wc -l",
        grep("Gizmo 1", "docs"),
        "python3 build.py && find site -name '*.html' | sort",
        "git switch -c docs-2.0",
        """
        for page in docs/*.md docs/guide/*.md; do
          grep -o '](.*\\.md)' "$page" | tr -d '()]' | while read -r link; do
            [ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
          done
        done
        """,
        "sed -i 's/instal\\.md/install.md/' docs/guide/first.md && git diff",
        "sed -i 's/Gizmo 1\\.x/Gizmo 2.0/' docs/*.md && git diff --stat",
        run("grep -rn '1\\.x' docs", fails=True),
        # The language of the examples is `console` now.
        "sed -i 's/^```sh$/```console/' docs/*.md && grep -c console docs/*.md",
        "sed -i '/^```console$/,/^```$/ s/^gizmo/$ gizmo/' docs/*.md && tail -4 docs/usage.md",
        "git commit -qam 'Bring the pages to version 2.0' && git show --stat | tail -10",
        write(
            "docs/upgrading.md",
            """\
            # Upgrading

            From 1.x to 2.0: see [usage](usage.md) and [the changes](changes.md).
            """,
        ),
        run("python3 build.py", fails=True),
        "sed -i '1i ---\\ntitle: Upgrading\\n---' docs/upgrading.md && head -4 docs/upgrading.md && python3 build.py",
        write(
            "check_links.py",
            """\
            import pathlib
            import re
            import sys

            bad = []
            for page in pathlib.Path("site").rglob("*.html"):
                for link in re.findall('href="(.*?)"', page.read_text()):
                    if not (page.parent / link).exists():
                        bad.append(f"{page}: {link}")
            print("\\n".join(bad) or "all links work")
            sys.exit(bool(bad))
            """,
        ),
        run("python3 check_links.py", fails=True),
        """
        cat > docs/changes.md <<'EOF'
        ---
        title: Changes
        ---
        # Changes

        ## 2.0

        - `gizmo usage` takes `--fast`; see [upgrading](upgrading.md).
        - The token of the api is read from the environment variable `GIZMO_TOKEN`.
        EOF
        python3 build.py && python3 check_links.py
        """,
        "git add -A && git commit -qm 'Say how to upgrade' && git log --oneline",
        background("start", command="python3 -m http.server 8132 --bind 127.0.0.1 --directory site"),
        "curl -s --retry 20 --retry-connrefused --retry-delay 1 http://127.0.0.1:8132/upgrading.html | head -3",
        'for page in index install usage faq api themes upgrading changes; do curl -s -o /dev/null -w "%{http_code} $page\\n" http://127.0.0.1:8132/$page.html; done',
        run("curl -sf http://127.0.0.1:8132/nothing.html", fails=True),
        background("output", id="b1"),
        background("stop", id="b1"),
        "python3 -m http.server 8133 --bind 127.0.0.1 -d site > /dev/null 2>&1 & sleep 1; curl -s http://127.0.0.1:8133/faq.html | grep title; kill %1",
        "git grep -n title: | head -20",
        """
        python3 - <<'EOF'
        import pathlib

        for page in sorted(pathlib.Path("docs").rglob("*.md")):
            lines = page.read_text().splitlines()
            long = [number for number, line in enumerate(lines, 1) if len(line) > 100]
            print(page, len(lines), long)
        EOF
        """,
        # A navigation for every page, first in the wrong place.
        patch(
            "build.py",
            'out.write_text(f"<!doctype html><title>{title}</title>\\n{body}")',
            'out.write_text(f"{NAV}<!doctype html><title>{title}</title>\\n{body}")',
        ),
        run("python3 build.py", fails=True),
        'sed -i \'0,/^$/s||\\nNAV = "".join(f"<a href=\\\\"{page.stem}.html\\\\">{page.stem}</a> " for page in sorted(pathlib.Path("docs").glob("*.md")))\\n|\' build.py && head -8 build.py',
        "python3 build.py && head -c 200 site/faq.html",
        run("python3 check_links.py", fails=True),
        """
        python3 - <<'EOF'
        from pathlib import Path

        build = Path("build.py")
        text = build.read_text()
        text = text.replace('f"{NAV}<!doctype html><title>{title}</title>\\\\n{body}"', 'f"<!doctype html><title>{title}</title>\\\\n{nav}{body}"')
        text = text.replace("    out.write_text", '    up = "../" * (len(out.parts) - 2)\\n    nav = NAV.replace(\\'href="\\', f\\'href="{up}\\')\\n    out.write_text')
        build.write_text(text)
        EOF
        git diff build.py
        """,
        "python3 build.py && python3 check_links.py && head -c 120 site/guide/first.html",
        "git commit -qam 'Add a navigation' && git status --short",
        "mkdir -p docs/images && printf '<svg xmlns=\"http://www.w3.org/2000/svg\"/>\\n' > docs/images/logo.svg && ls docs/images",
        "rm -r docs/images && git status --short",
        "git mv docs/faq.md docs/questions.md && grep -rln 'faq' docs",
        "sed -i 's/Faq/Questions/g; s/gizmo faq/gizmo questions/' docs/questions.md && python3 build.py && python3 check_links.py",
        "git add -A && git commit -q -m 'Call the FAQ questions' && git show --stat --find-renames | tail -3",
        "find docs -name '*.md' -print0 | xargs -0 wc -w | sort -n",
        "find docs -name '*.md' -exec sed -i 's/[ \\t]*$//' {} + && git diff --quiet && echo 'no blanks at ends'",
        "printf '.PHONY: site\\nsite:\\n\\tpython3 build.py\\n\\tpython3 check_links.py\\n' > Makefile && make site",
        "cat > README.md <<EOF\n# Gizmo\n\n\\`make site\\` builds $(ls docs/*.md docs/*/*.md | wc -l) pages.\nEOF\ncat README.md",
        "git add Makefile README.md && git commit -qm 'Build the site with make' && git commit --amend -q -m 'Build the site by make'",
        "git switch -q main && git merge --no-edit docs-2.0 | tail -3 && git branch -d docs-2.0 && git tag v2.0",
        "make site && git log --oneline --decorate | head -3",
    ),
    [
        "python3 build.py && python3 check_links.py",
        "! grep -rn 'Gizmo 1' docs",
        "git tag | grep -qx v2.0",
        'test -z "$(git status --short)"',
    ],
    COMMITTED,
    {"docs/faq.md": None, "docs/images/logo.svg": None},
    needs=["curl", "make"],
    # A fault: a server that the same command started and stops is no other program's.
    high={"python3 -m http.server 8133": "reaches a local service, and signals a process"},
)

HISTORY = Session(
    "long-history",
    "Clean up my branch feature before I share it: no fixups, no debug prints, good messages; keep main as it is.",
    {
        "shop.py": "def price(cents):\n    return cents\n",
        "test_shop.py": "import unittest\n\nfrom shop import price\n\n\nclass Shop(unittest.TestCase):\n    def test_price(self):\n        self.assertEqual(price(100), 100)\n",
        "notes.txt": "kept\n",
    },
    steps(
        "git status -sb && git branch -avv",
        "git log --oneline --graph --all",
        "git log -p main..feature | head -60",
        [read("shop.py"), read("test_shop.py"), run("git stash list")],
        "git diff main...feature --stat",
        "python3 -m unittest -q",
        "git show HEAD~1:shop.py | grep -n debug",
        "git blame shop.py | head; git shortlog -sn main..",
        "git tag before-cleanup && git branch backup",
        "git rev-list --count main..feature",
        # Half-finished work of the user: it is put aside and comes back at the end.
        "git stash push -m 'work in progress' && git status --short",
        "git log --format='%h %s' main.. --reverse",
        "GIT_SEQUENCE_EDITOR=: git rebase -i --autosquash main",
        "git log --oneline main..",
        "python3 -m unittest -q 2>&1 | tail -3",
        grep("debug", "."),
        "sed -i '/debug/d' shop.py && git diff",
        "python3 -m unittest -q",
        "git add shop.py && git commit --fixup=HEAD~1 && git log --oneline main..",
        "GIT_SEQUENCE_EDITOR=true git rebase -q -i --autosquash main && git log --oneline main.. && git status -sb",
        "git log -p main.. | grep -c '^+.*debug' || true",
        "git log -1 --format=%B && git commit --amend -m 'Add a discount' -m 'It is a percentage of the price.'",
        "for commit in $(git rev-list --reverse main..); do git checkout -q $commit && python3 -m unittest -q 2>&1 | tail -1; done; git switch -q feature",
        "git log --format='%h %s%n%b' main..",
        # The first message is bad, too; a soft reset makes one commit of it and the one after it.
        "git reset --soft main && git status --short",
        "git diff --cached --stat && git restore --staged test_shop.py && git status --short",
        "git commit -q -m 'Add prices with taxes and discounts' && git add test_shop.py && git commit -qm 'Test taxes and discounts'",
        "git log --oneline --stat main..",
        "python3 -m unittest -q",
        "git diff backup feature",
        run("git diff --exit-code backup feature -- test_shop.py"),
        "git switch -q -c experiment && echo 'x = (' > broken.py && git add broken.py && git commit -qm 'Try something'",
        run("python3 -m py_compile broken.py", fails=True),
        "git switch feature && git branch -D experiment && ls",
        "git reflog | head -15",
        "git cherry-pick --no-commit backup~3 2>&1 | tail -1; git status --short; git cherry-pick --abort 2>/dev/null; git reset -q --hard && git status --short",
        "git log --all --oneline -- '*.tmp'",
        """
        git log --format=%s main.. | while read -r subject; do
          [ ${#subject} -le 50 ] || echo "too long: $subject"
        done
        """,
        "git merge-base --is-ancestor main feature && echo 'on top of main'",
        "git range-diff main backup feature | head -20",
        "git format-patch -o patches main && ls patches && head -5 patches/0001-*",
        "git switch -q -c check main && git am -q patches/*.patch && git diff feature --stat && git switch -q feature && git branch -D check",
        "rm -r patches && git status --short",
        "git branch -d backup || git branch -D backup",
        "git tag -d before-cleanup && git tag -l",
        "git stash list && git stash pop",
        "git diff && cat notes.txt",
        "git fsck 2>&1 | tail -2; git count-objects -v | head -2",
        "git log --oneline --graph --all && git status -sb",
        "python3 -m unittest 2>&1 | tail -3",
    ),
    [
        "python3 -m unittest -q",
        "test $(git rev-list --count main..feature) = 2",
        "test $(git rev-list --count main) = 1",
        "grep -qx 'half finished' notes.txt",
        "! git log -p main..feature | grep '^+.*debug'",
        'test -z "$(git stash list)"',
    ],
    [
        "printf '__pycache__\\n' > .gitignore",
        *COMMITTED,
        "git checkout -qb feature",
        "printf '\\n\\ndef taxed(cents):\\n    print(\"debug\", cents)\\n    return cents * 119 / 100\\n' >> shop.py && git commit -qam wip",
        "sed -i 's/taxed(cents):/taxed(cents, percent=19):/; s/119 /(100 + percent) /' shop.py && git commit -qam 'fixup! wip'",
        "sed -i 's/import price/import price, taxed/' test_shop.py && printf '\\n    def test_taxed(self):\\n        self.assertEqual(taxed(100), 119)\\n' >> test_shop.py && git commit -qam 'more tests'",
        "printf '\\n\\ndef discounted(cents, percent):\\n    return cents * (100 - percent) / 100\\n' >> shop.py && git commit -qam 'discoutn'",
        "echo 'half finished' >> notes.txt",
    ],
    {"broken.py": None, "patches/0001-Add-prices-with-taxes-and-discounts.patch": None},
    # Two rebases, `git am` and `git cherry-pick --abort` ask each time: they replay commits.
    cards=5,
)


def sessions() -> list[Session]:
    """Returns all long sessions."""
    return [JAVASCRIPT, RUST, PYTHON, C, SHELL, DATA, DOCS, HISTORY]
