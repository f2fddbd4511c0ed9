"""Plays lists of requests through the built binary with its host up, and prints what came of each.

.venv/bin/python tests/requests/measure.py [LIST ...] [--all]
"""

from __future__ import annotations

import importlib
import statistics
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from checks import Request, Talk, conversations, tree, verdict
from host import Host, Told, serving

__all__ = ["LISTS", "Played", "play", "play_all"]

# Conversations that are played side by side where nobody looks at the time they take.
AT_ONCE = 4
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
        folder.mkdir()
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


def play_all(lists: list[Path], connect: Callable[[], Host]) -> list[Played]:
    """Plays lists side by side, a few conversations at a time: most of a request is waiting for a disk or a process."""
    waiting = iter([talk for path in lists for talk in conversations(path)])
    lock = threading.Lock()

    def some() -> list[Played]:
        host, played = connect(), []
        while True:
            with lock:
                talk = next(waiting, None)
            if talk is None:
                return played
            played += play(talk, host)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return [each for part in [pool.submit(some) for _ in range(AT_ONCE)] for each in part.result()]


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
