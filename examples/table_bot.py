"""A bot that sits down at a table: `python examples/table_bot.py http://127.0.0.1:8777/t/amber-otter-k7m2qp3`.

It needs no rules: the server lists what is legal. It prefers moves that end its turn soonest, so replace `choose`.
"""

import asyncio
import sys
from urllib.parse import urlsplit

from sevenhues.client import Client, Refused
from sevenhues.protocol import Eye


def choose(eye: Eye) -> str:
    """Choose among the texts in `eye.legal`; `eye.view` is what the seat sees, as JSON."""
    return eye.legal[-1]


async def main(link: str) -> None:
    parts = urlsplit(link)
    async with Client(f"{parts.scheme}://{parts.netloc}", name="Table Bot") as me:
        table = await me.join(link)
        async with me.live(table.id) as live:
            async for eye in live.turns():
                try:
                    await live.move(choose(eye), eye.seat)
                except Refused as why:
                    print(why)
            print(live.update.result if live.update else "The table is gone.")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
