"""A server with a task that waits for approval, and still does after every attack."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from deputy import Deputy, Device, serving, start_task, steps


async def start(deputy: Deputy) -> None:
    async with deputy.join() as desktop:
        await desktop.do(start_task(deputy))
        await desktop.open_request()


@pytest.fixture(scope="module")
def deputy() -> Iterator[Deputy]:
    """Yields a server with four devices: a phone, another one, a revoked one, and one that may only view."""
    with serving(steps(3)) as served:
        phone, other, gone, watcher = Device("phone"), Device("other"), Device("gone"), Device("watcher")
        for device in (phone, other, gone):
            assert served.pair(device)["stage"] == "paired"
        assert served.pair(watcher, may="monitor")["stage"] == "paired"
        assert served.say("devices", "revoke", gone.id).returncode == 0
        served.phone, served.other, served.gone, served.watcher = phone, other, gone, watcher
        asyncio.run(asyncio.wait_for(start(served), 120))
        yield served
