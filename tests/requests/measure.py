"""Plays lists of requests through the built binary with its host up, and prints what came of each.

.venv/bin/python tests/requests/measure.py [LIST ...] [--all]
"""

from __future__ import annotations

import importlib
import os
import shutil
import statistics
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "drive"))
from checks import Request, Talk, Tree, conversations, known_as, tree, verdict
from host import Host, Told, serving

__all__ = ["LISTS", "Played", "play", "play_all"]

# Hosts that share the lists where nobody looks at the time they take, and conversations that each plays side by side: a sidecar
# reads one request at a time, and most of the rest is waiting for a disk or a process.
HOSTS = max(1, min(4, os.cpu_count() or 1))
AT_ONCE = 2
LISTS = sorted(Path(__file__).parent.glob("*.txt"))


@dataclass(frozen=True)
class Played:
    """What came of a request."""

    request: Request
    told: Told
    verdict: str
    changes: list[str]


def play(talk: Talk, host: Host) -> Iterator[Played]:
    """Plays a conversation in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="household-") as root:
        folder = Path(root) / "files"
        first = before = copied(talk.folder, folder)
        last = None
        for request in talk.requests:
            told = host.run(request.text, folder, after=last)
            after = tree(folder)
            changes = sorted(f"-{n}" for n in before.keys() - after.keys())
            changes += sorted(f"+{n}" for n in after if before.get(n) != after[n])
            came = verdict(request, told.end, told.said, folder, first, before, after)
            yield Played(request, told, came, changes)
            before, last = after, told.task


@cache
def built(name: str) -> tuple[Path, Tree]:
    """A folder that is made once, and what it holds; the process's end takes it away."""
    root = tempfile.TemporaryDirectory(prefix="household-")
    _KEPT.append(root)
    importlib.import_module(name).build(Path(root.name))
    return Path(root.name), tree(Path(root.name))


_KEPT: list[tempfile.TemporaryDirectory[str]] = []
_BUILDING = threading.Lock()


def copied(name: str, to: Path) -> Tree:
    """A copy of a folder with all dates, and what it holds, which nobody has to read again."""
    with _BUILDING:
        source, holds = built(name)
    shutil.copytree(source, to)
    for path, digest in holds.items():
        if not path.endswith("/"):
            known_as(to / path, digest)
    return dict(holds)


def play_all(lists: list[Path]) -> list[Played]:
    """Plays lists side by side, on several hosts and a few conversations at a time."""
    waiting = iter([talk for path in lists for talk in conversations(path)])
    lock = threading.Lock()

    def some(connect: Callable[[], Host]) -> list[Played]:
        host, played = connect(), []
        while True:
            with lock:
                talk = next(waiting, None)
            if talk is None:
                return played
            played += play(talk, host)

    with ExitStack() as stack:
        # What is remembered of a request has no part in how the next one is read, and takes half of the time.
        connects = [stack.enter_context(serving(embeds=False)) for _ in range(HOSTS)]
        with ThreadPoolExecutor(HOSTS * AT_ONCE) as pool:
            parts = [pool.submit(some, connects[at % HOSTS]) for at in range(HOSTS * AT_ONCE)]
            return [each for part in parts for each in part.result()]


def main(words: list[str]) -> None:
    lists = [Path(word) for word in words if word != "--all"] or LISTS
    with serving() as connect:
        host = connect()
        for path in lists:
            played = []
            for each in (each for talk in conversations(path) for each in play(talk, host)):
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
