"""The log: every line is JSON, and no line tells the id of a table."""

import json
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from sevenhues.client import Client
from sevenhues.server.log_format import TABLE_ID, JsonFormatter, table_hash
from sevenhues.server.table import ids
from tests.server.play import start_game, wait_until
from tests.server.process import READY, ServerProcess

# Every way in which a line may get to standard error.
NOISY = """
import asyncio, gc, logging, threading, warnings
from sevenhues.server.log_format import configure

class Unraisable:
    def __del__(self):
        raise ValueError("unraisable")

def fail(message):
    raise ValueError(message)

async def task():
    fail("task")

async def main():
    asyncio.create_task(task())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    gc.collect()

configure("info")
logging.getLogger("sevenhues").info("own")
logging.getLogger("uvicorn.error").error("web server")
logging.getLogger("library").warning("library")
warnings.warn("warned")
thread = threading.Thread(target=fail, args=("thread",))
thread.start()
thread.join()
Unraisable()
asyncio.run(main())
fail("end")
"""


def test_every_line_is_json() -> None:
    done = subprocess.run([sys.executable, "-c", NOISY], capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    texts = [line["message"] + line.get("exception", "") for line in lines]
    for expected in ("own", "web server", "library", "warned", "thread", "unraisable", "task", "end"):
        assert any(expected in text for text in texts), expected


def test_ids_of_tables_in_errors_are_hashed() -> None:
    id = ids.table_id()
    assert TABLE_ID.fullmatch(id)
    try:
        raise ValueError(f"table {id} does not exist any more")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 0, "cannot read %s", (id,), sys.exc_info())
    record.table = id
    text = JsonFormatter().format(record)
    assert id not in text
    line = json.loads(text)
    assert (line["table"], line["message"]) == (table_hash(id), f"cannot read {table_hash(id)}")
    assert f"table {table_hash(id)} does not exist" in line["exception"]


@pytest.mark.anyio
@pytest.mark.slow
async def test_log_of_a_server_is_json_without_ids_of_tables(data: Path) -> None:
    with ServerProcess(data, "--log-level", "debug") as server:
        async with Client(server.url, "Ada") as ada:
            table = await ada.create_table("rainbow", ["me", "bot:random"])
            async with ada.live(table.id) as live:
                await start_game(live)
                await live.resign(0)
            await ada.table(table.id)
            await wait_until(lambda: '"route": "/api/tables/{table}"' in server.logged())
    lines = [json.loads(line) for line in server.logged().splitlines() if READY not in line]
    assert {line["table"] for line in lines if "table" in line} == {table_hash(table.id)}
    assert table.id not in server.logged()
