"""Plays lists of requests through the built binary with its host up, and prints what came of each.

.venv/bin/python tests/requests/measure.py [LIST ...] [--all]
"""

from __future__ import annotations

import importlib
import shutil
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from checks import Request, conversations, tree, verdict
from host import Host, Told, serving

__all__ = ["LISTS", "Played", "play"]

LISTS = sorted(Path(__file__).parent.glob("*.txt"))


@dataclass(frozen=True)
class Played:
    """What came of a request."""

    request: Request
    told: Told
    verdict: str
    changes: list[str]


def play(path: Path, host: Host) -> Iterator[Played]:
    """Plays the conversations of a list, each in a folder of its own."""
    root = Path(tempfile.mkdtemp(prefix="household-"))
    try:
        for number, talk in enumerate(conversations(path)):
            folder = root / str(number) / "files"
            folder.mkdir(parents=True)
            importlib.import_module(talk.folder).build(folder)
            first = before = tree(folder)
            last = None
            for request in talk.requests:
                told = host.run(request.text, folder, after=last)
                after = tree(folder)
                changes = sorted(f"-{n}" for n in before.keys() - after.keys())
                changes += sorted(f"+{n}" for n in after if before.get(n) != after[n])
                came = verdict(request, told.end, told.said, folder, first, before, after)
                yield Played(request, told, came, changes)
                before, last = after, told.task
            shutil.rmtree(root / str(number))
    finally:
        shutil.rmtree(root, ignore_errors=True)


def main(words: list[str]) -> None:
    lists = [Path(word) for word in words if word != "--all"] or LISTS
    with serving() as host:
        for path in lists:
            played = []
            for each in play(path, host):
                played.append(each)
                if each.verdict != "right" or "--all" in words:
                    print(
                        f"{each.verdict.upper()}: {each.request.text}  [{each.told.end}, {each.told.calls} calls]"
                    )
                    print("    " + each.told.said[:900].replace("\n", "\n    "), flush=True)
                    if each.changes:
                        print("    changed: " + "; ".join(each.changes[:12]))
            count = Counter(each.verdict for each in played)
            secs = statistics.median(each.told.secs for each in played)
            print(
                f"{path.stem}: {len(played)} requests, {dict(count)}, {count['right'] / len(played):.0%} right, median {secs:.3f} s"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
