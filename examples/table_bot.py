"""A bot that takes a seat at a table: `python examples/table_bot.py http://127.0.0.1:8777/t/amber-otter-k7m2qp3`.

It needs no rules: the server lists the legal moves. It plays the last of them; replace `choose` by something better.
"""

import asyncio
import sys
from urllib.parse import urlsplit

from sevenhues.client import Client, Refused
from sevenhues.protocol import SeatView


def choose(view: SeatView) -> str:
    """Choose one of the moves in `view.legal`; `view.view` is what the seat sees, as JSON."""
    return view.legal[-1]


async def main(link: str) -> None:
    parts = urlsplit(link)
    async with Client(f"{parts.scheme}://{parts.netloc}", name="Table Bot") as me:
        table = await me.join(link)
        async with me.live(table.id) as live:
            async for view in live.turns():
                try:
                    await live.move(choose(view), view.seat)
                except Refused as error:
                    print(error)
            print(live.update.result if live.update else "The table was removed.")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
