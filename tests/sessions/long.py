"""Eight long sessions: an afternoon's work each, with the commands, detours and mistakes of real agents."""

from __future__ import annotations

from textwrap import dedent as text

from calls import COMMITTED, background, grep, patch, read, run, steps, write
from long_chores import DATA, DOCS, HISTORY, SHELL
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


def sessions() -> list[Session]:
    """Returns all long sessions."""
    return [JAVASCRIPT, RUST, PYTHON, C, SHELL, DATA, DOCS, HISTORY]
