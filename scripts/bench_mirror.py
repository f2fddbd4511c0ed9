"""Measures the mirror: a thousand clients of one host, clients that were away, the way of an approval.

Both sides run on this machine and share its processors, so the clients' own work is in the figures too.
`make bench-mirror` builds what is needed, prints a table, and writes it to docs/benchmarks-mirror.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from measured import ROOT, Spoken, commit, machine

BUILT = ROOT / "target/release"
LOAD = os.environ.get("MIRROR_LOAD", "mirror_load")
PAGE = ROOT / "docs/benchmarks-mirror.md"
os.environ["DEPUTY_BUILT"] = str(BUILT)
sys.path.insert(0, str(ROOT / "tests/mirror"))

Rows = list[tuple[str, str, str]]
# The clients represent other machines, so they yield to the task as the host's threads for screens do.
NICER = "10"


@dataclass
class Round:
    """The same task alone, alongside the clients, and alone again, in its own home."""

    alone: list[Any]
    beside: Any
    seen: Any
    before_mib: float
    memory_mib: float
    processor: float

    def slower(self, rate: int) -> float:
        """The additional time of a step next to the clients, in percent of the time between two events."""
        alone = statistics.mean(run["mean_us"] for run in self.alone)
        return float((self.beside["mean_us"] - alone) / (1_000_000 / rate) * 100)


def crowd(clients: int, rate: int, seconds: int) -> Round:
    with tempfile.TemporaryDirectory(prefix="deputy-bench-") as home:
        host = Spoken(LOAD, "serve", home, str(rate))
        try:
            link = host.read()
            # The first events open files and connections that stay open.
            host.ask("run 1")
            alone = [host.ask(f"run {seconds}")]
            before = host.memory_mib()
            people = Spoken("nice", "-n", NICER, LOAD, "crowd", link, str(clients))
            assert people.read() == "ready"
            busy = host.processor_seconds()
            beside = host.ask(f"run {seconds}")
            busy = host.processor_seconds() - busy
            memory = host.memory_mib()
            # Waits for messages that are still in flight.
            time.sleep(1)
            seen = people.ask("end")
            people.end()
            time.sleep(1)
            alone.append(host.ask(f"run {seconds}"))
            return Round(alone, beside, seen, before, memory, busy / seconds * 100)
        finally:
            host.end()


def away(rate: int) -> Rows:
    """Measures clients that reconnect after this many events."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="deputy-bench-") as home:
        host = Spoken(LOAD, "serve", home, str(rate))
        try:
            host.read()
            for behind, goal in ((1_000, "100 ms"), (100_000, "1,000 ms")):
                last = host.ask(f"fill {behind}")["last"]
                runs = []
                for _ in range(7):
                    client = Spoken(LOAD, "away", host.ask("link"), str(last - behind))
                    runs.append(json.loads(client.read()))
                    client.child.wait()
                took = [run["us"] / 1000 for run in runs]
                rows.append(
                    (f"reconnect after {behind:,} events ({runs[0]['got']})", between(took, "ms", 1), goal)
                )
        finally:
            host.end()
    return rows


async def approvals(count: int) -> tuple[float, float]:
    """Measures from the click (the message leaves the client) until `tool_started` is back at the client."""
    from deputy import Device, serving, start_task, steps

    with serving(steps(count)) as deputy:
        phone = Device()
        deputy.pair(phone)
        took = []
        async with deputy.join(phone, base=deputy.remote) as mirror, deputy.join() as desktop:
            await desktop.do(start_task(deputy))
            for _ in range(count):
                request = (await mirror.event("permission_requested"))["request"]
                command = phone.answer(request, now_ms=mirror.now_ms())
                envelope = {"type": "command", "envelope": {"id": request["id"], "command": command}}
                began = time.perf_counter()
                await mirror.send(envelope)
                await mirror.event("tool_started")
                took.append((time.perf_counter() - began) * 1000)
    took.sort()
    return statistics.median(took), took[len(took) * 99 // 100]


def between(figures: Iterable[float], unit: str, digits: int = 0) -> str:
    """Returns the median, with the minimum and maximum if there are several values."""
    found = sorted(figures)
    middle = f"{statistics.median(found):.{digits}f} {unit}"
    if len(found) == 1:
        return middle
    return f"{middle} ({found[0]:.{digits}f} to {found[-1]:.{digits}f})"


def of_crowd(rounds: list[Round], clients: int, rate: int, seconds: int) -> Rows:
    def delay(which: str) -> str:
        return between([one.seen[which] for one in rounds], "ms")

    def written(which: str) -> Rows:
        of = {
            "without clients": [run for one in rounds for run in one.alone],
            "with clients": [one.beside for one in rounds],
        }
        name = which.removesuffix("_us")
        return [
            (f"an event written {where}, {name}", between([run[which] / 1000 for run in runs], "ms", 2), "")
            for where, runs in of.items()
        ]

    arrived = sum(one.seen["messages"] for one in rounds)
    return [
        ("journal to client, p99", delay("p99_ms"), "50 ms"),
        ("journal to client, median", delay("median_ms"), ""),
        ("journal to client, worst", delay("worst_ms"), ""),
        ("messages that arrived", f"{arrived:,} of {clients * rate * seconds * len(rounds):,}", "all"),
        ("memory of the host without clients", between([one.before_mib for one in rounds], "MiB"), ""),
        ("memory of the host with clients", between([one.memory_mib for one in rounds], "MiB"), "300 MiB"),
        ("CPU of the host, of one core", between([one.processor for one in rounds], "%"), ""),
        *written("mean_us"),
        *written("median_us"),
        *written("p99_us"),
        (
            f"slowdown of the task, of its {1000 // rate} ms a step",
            between([one.slower(rate) for one in rounds], "%", 1),
            "5 %",
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=1_000)
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=5, help="homes, one after the other")
    parser.add_argument("--approvals", type=int, default=45, help="0 leaves them out")
    parser.add_argument("--dry", action="store_true", help="print only, and write no page")
    arguments = parser.parse_args()
    clients, rate, seconds = arguments.clients, arguments.rate, arguments.seconds
    rounds = []
    for number in range(arguments.rounds):
        one = crowd(clients, rate, seconds)
        rounds.append(one)
        print(
            f"round {number + 1}: p99 {one.seen['p99_ms']} ms, slowed by {one.slower(rate):.1f} %", flush=True
        )
    rows = of_crowd(rounds, clients, rate, seconds) + away(rate)
    if arguments.approvals:
        median, p99 = asyncio.run(approvals(arguments.approvals))
        rows.append(("approval: click to the tool's start, median", f"{median:.1f} ms", "30 ms"))
        rows.append(("approval: click to the tool's start, p99", f"{p99:.1f} ms", ""))
    table = "\n".join(
        ["| what | measured | goal |", "|---|---|---|", *(f"| {a} | {b} | {c} |" for a, b, c in rows)]
    )
    print(table)
    if arguments.dry:
        return
    PAGE.write_text(f"""# Mirror benchmarks

Made by `make bench-mirror`: {clients:,} WebSocket clients of one host on loopback while its task
writes {rate} events a second for {seconds} seconds, about 500 bytes each; before and after that the
same task without a client. {arguments.rounds} such rounds, each in a new home: medians, with the
range in parentheses. Host and clients share the machine; the clients have the same priority as the
host's threads for screens: {machine()};
load {os.getloadavg()[0]:.1f} at the end, other work included.
Release build of commit {commit()}, {time.strftime("%Y-%m-%d")}.

A client's delay is measured from the event's timestamp, before it is committed and synced, in whole
milliseconds. With more than 16 clients, events are sent in batches of at most 20 ms, which is most of
the median.
The slowdown of the task is the additional time for writing an event, which is a commit and a sync; a
round that starts while another program uses the disk can show a negative value.

{table}

Separate threads serve the screens; they yield to the task if both need a core
([decision 0011](decisions/0011-screens-are-behind-the-work.md)).
""")
    print(f"\nWritten to {PAGE.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
