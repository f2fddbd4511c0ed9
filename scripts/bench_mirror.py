"""Measures the mirror: a thousand clients of one host, clients that were away, the way of an approval.

Both sides run on this machine and share its processors, so the clients' own work is in the figures too.
`make bench-mirror` builds what is needed, prints a table, and writes it to docs/benchmarks-mirror.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BUILT = ROOT / "target/release"
LOAD = BUILT / "examples/mirror_load"
os.environ["DEPUTY_BUILT"] = str(BUILT)
sys.path.insert(0, str(ROOT / "tests/mirror"))


class Process:
    """One side of the load, spoken to in lines."""

    def __init__(self, *words: str) -> None:
        self.child = subprocess.Popen(
            [LOAD, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def read(self) -> str:
        assert self.child.stdout is not None
        line = self.child.stdout.readline()
        assert line, "the load ended"
        return line.strip()

    def ask(self, line: str) -> Any:
        assert self.child.stdin is not None
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()
        answer = self.read()
        return json.loads(answer) if answer.startswith("{") else answer

    def memory_mib(self) -> float:
        """Proportional: pages that are shared count once."""
        rollup = Path(f"/proc/{self.child.pid}/smaps_rollup").read_text()
        return next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")) / 1024

    def processor_seconds(self) -> float:
        fields = Path(f"/proc/{self.child.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        self.child.kill()
        self.child.wait()


def crowd(clients: int, rate: int, seconds: int) -> list[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory(prefix="deputy-bench-") as home:
        host = Process("serve", home, str(rate))
        try:
            link = host.read()
            alone = host.ask(f"run {seconds}")
            before = host.memory_mib()
            people = Process("crowd", link, str(clients))
            assert people.read() == "ready"
            busy = host.processor_seconds()
            with_all = host.ask(f"run {seconds}")
            busy = host.processor_seconds() - busy
            memory = host.memory_mib()
            time.sleep(1)
            seen = people.ask("end")
            people.end()
            slower = (with_all["mean_us"] - alone["mean_us"]) / (1_000_000 / rate) * 100
            expected = clients * rate * seconds
            away = []
            for behind in (1_000, 100_000):
                last = host.ask(f"fill {behind}")["last"]
                runs = []
                for _ in range(7):
                    client = Process("away", host.ask("link"), str(last - behind))
                    runs.append(json.loads(client.read()))
                    client.child.wait()
                away.append((runs[0]["got"], statistics.median(run["us"] for run in runs) / 1000))
            return [
                ("journal to client, p99", f"{seen['p99_ms']} ms", "50 ms"),
                ("journal to client, median", f"{seen['median_ms']} ms", ""),
                ("journal to client, worst", f"{seen['worst_ms']} ms", ""),
                ("messages that arrived", f"{seen['messages']} of {expected}", "all"),
                (
                    "memory of the host, before and with the clients",
                    f"{before:.0f} and {memory:.0f} MiB",
                    "300 MiB",
                ),
                ("processor of the host", f"{busy / seconds * 100:.0f} % of one", ""),
                ("an event written alone, mean and p99", f"{alone['mean_us']} and {alone['p99_us']} µs", ""),
                (
                    "an event written beside the clients",
                    f"{with_all['mean_us']} and {with_all['p99_us']} µs",
                    "",
                ),
                ("the task slowed by", f"{slower:.1f} % of its {1000 // rate} ms a step", "5 %"),
                (f"away for 1,000 events ({away[0][0]})", f"{away[0][1]:.1f} ms", "100 ms"),
                (f"away for 100,000 events ({away[1][0]})", f"{away[1][1]:.1f} ms", "1,000 ms"),
            ]
        finally:
            host.end()


async def approvals(count: int) -> tuple[float, float]:
    """From the click, which is the message leaving the client, to `tool_started` being back at the client."""
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=1_000)
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--approvals", type=int, default=45)
    arguments = parser.parse_args()
    rows = crowd(arguments.clients, arguments.rate, arguments.seconds)
    median, p99 = asyncio.run(approvals(arguments.approvals))
    rows.append(("approval: click to the tool's start, median", f"{median:.1f} ms", "30 ms"))
    rows.append(("approval: click to the tool's start, p99", f"{p99:.1f} ms", ""))
    lines = ["| what | measured | to reach |", "|---|---|---|", *(f"| {a} | {b} | {c} |" for a, b, c in rows)]
    table = "\n".join(lines)
    print(table)
    load = os.getloadavg()[0]
    text = f"""# The mirror, measured

Made by `make bench-mirror`: {arguments.clients} WebSocket clients of one host on loopback while its
task writes {arguments.rate} events a second for {arguments.seconds} seconds, about 500 bytes each.
Host and clients share {os.cpu_count()} processors ({platform.machine()}; load {load:.1f} at the end,
other work included). Release build.

A client's delay is counted from the event's own time, before it is committed and synced, in
whole milliseconds.
With more than 16 clients events go out in batches of at most 20 ms: most of the median.

{table}
"""
    (ROOT / "docs/benchmarks-mirror.md").write_text(text)


if __name__ == "__main__":
    main()
