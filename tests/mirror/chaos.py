"""A proxy between a client and the server that cuts off and delays what goes through it.

Bytes of one connection cannot be doubled or overtake each other; that is done with whole messages, by clients that send
each several times and over several connections at once.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Chaos:
    """What happened, and what is to happen, by one seed."""

    def __init__(self, seed: int, cut: float = 0.05, delay: float = 0.1) -> None:
        self.random = random.Random(seed)
        self.cut, self.delay = cut, delay
        self.cuts = self.delays = 0


@asynccontextmanager
async def proxy(target: tuple[str, int], chaos: Chaos) -> AsyncIterator[int]:
    """Listens on loopback and gives its port. Bytes are cut off anywhere, both ways."""

    async def carry(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, ends: list[asyncio.StreamWriter]
    ) -> None:
        try:
            while data := await reader.read(chaos.random.choice((16, 200, 65_536))):
                if chaos.random.random() < chaos.delay:
                    chaos.delays += 1
                    # A turn or some of the loop: others overtake, and no clock is involved.
                    for _ in range(chaos.random.randrange(50)):
                        await asyncio.sleep(0)
                if chaos.random.random() < chaos.cut:
                    chaos.cuts += 1
                    writer.write(data[: chaos.random.randrange(len(data))])
                    break
                writer.write(data)
                await writer.drain()
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            for end in ends:
                end.transport.abort() if chaos.random.random() < 0.5 else end.close()

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection(*target)
        except ConnectionError:
            writer.close()
            return
        ends = [writer, far_writer]
        await asyncio.gather(carry(reader, far_writer, ends), carry(far_reader, writer, ends))

    server = await asyncio.start_server(meet, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
