"""Long sessions with scripts, data, documents, and the history of a repository."""

from __future__ import annotations

from textwrap import dedent as text

from calls import COMMITTED, background, grep, patch, read, run, steps, write
from person import Session

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
