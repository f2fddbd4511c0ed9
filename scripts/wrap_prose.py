"""Wraps the prose of the docs at 120 characters. `--check` lists the files with longer lines."""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

WIDTH = 120
ITEM = re.compile(r"(\s*)([-*]|\d+\.) +")
# Lines that are not wrapped: headings, tables, quotes, HTML, link definitions, and indented code.
KEPT = re.compile(r"#|\||>|<|!\[|\[[^\]]+\]: |    ")


def wrapped(text: str) -> str:
    """Returns the text with each paragraph and list item that has a too long line filled again."""
    lines: list[str] = []
    paragraph: list[str] = []
    fenced = False

    def close() -> None:
        lines.extend(filled(paragraph) if any(len(line) > WIDTH for line in paragraph) else paragraph)
        paragraph.clear()

    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            close()
            fenced = not fenced
            lines.append(line)
        elif (
            fenced or not line.strip() or (KEPT.match(line) and not paragraph) or line.startswith(("|", "#"))
        ):
            close()
            lines.append(line)
        else:
            if ITEM.match(line):
                close()
            paragraph.append(line)
    close()
    return "\n".join(lines) + "\n"


def is_kept(line: str, is_inside: bool) -> bool:
    """Returns whether a line stays unchanged. Inside a paragraph, only a table or a heading ends it."""
    return line.startswith(("|", "#")) or (not is_inside and KEPT.match(line) is not None)


def filled(paragraph: list[str]) -> list[str]:
    """Fills a paragraph or list item, keeping its indentation."""
    found = ITEM.match(paragraph[0])
    indent = paragraph[0][: len(paragraph[0]) - len(paragraph[0].lstrip())]
    first = found.group(0) if found else indent
    words = " ".join(line.strip() for line in paragraph)[len(first.strip()) :].strip()
    # No line may begin with characters that would make it a list, a heading or a table.
    words = re.sub(r" (?=(?:[-*+>#|]|\d+[.)]) )", "\0", words)
    # Code and links are not broken.
    words = re.sub(r"`[^`]+`|\[[^\]]*\]\([^)]*\)", lambda whole: whole.group(0).replace(" ", "\0"), words)
    wrapper = textwrap.TextWrapper(
        width=WIDTH,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace("\0", " ") for line in wrapper.wrap(words)]


def main(arguments: list[str]) -> int:
    """Rewrites the files. With `--check`, fails if a file would change."""
    check = "--check" in arguments
    failed = 0
    for path in map(Path, (argument for argument in arguments if argument != "--check")):
        before = path.read_text("utf-8")
        after = wrapped(before)
        if before == after:
            continue
        if check:
            failed += 1
            print(f"{path}: prose beyond {WIDTH} characters; scripts/wrap_prose.py {path} wraps it")
        else:
            path.write_text(after, "utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
