"""`sevenhues bot serve`, and the example of its page: programs that keep a bot account online."""

import asyncio
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from sevenhues import protocol
from sevenhues.client import Client
from tests.cli.command import COMMAND, invoke
from tests.server.bot_accounts import wait_until_online
from tests.server.play import play_on, start_game, wait_until
from tests.server.process import DEADLINE_SECONDS, ServerProcess

pytestmark = pytest.mark.anyio
PAGE = Path(__file__).parents[2] / "docs/bots-online.md"
GAME = "rainbow-road"  # the shortest games
FAST = ("--min-move-ms", "0", "--budget", "4")
BROKEN_BOT = """
from sevenhues import Bot

class Broken(Bot):
    def choose(self, position, seat, rng):
        raise KeyError("oops")
"""


@asynccontextmanager
async def bot_process(server: ServerProcess, new: protocol.NewBotToken, *command: str) -> AsyncIterator[Path]:
    """Run a program as a bot account; return its output when the bot is online, and stop it at the end."""
    log = server.data / f"{new.bot.player}.log"
    with open(log, "wb") as output:
        environment = os.environ | {"SEVENHUES_BOT_TOKEN": new.token}
        process = subprocess.Popen(command, stdout=output, stderr=output, env=environment)
    try:
        async with Client(server.url) as client:
            await wait_until_online(client, new.bot.player)
        yield log
        process.send_signal(signal.SIGTERM)
        status = await asyncio.to_thread(process.wait, DEADLINE_SECONDS)
        assert status in (0, -signal.SIGTERM), log.read_text()
        assert new.token not in log.read_text()
    finally:
        process.kill()
        process.wait()


def serve(server: ServerProcess, *options: str) -> tuple[str, ...]:
    return str(COMMAND), "bot", "serve", "--url", server.url, "--game", GAME, *FAST, *options


async def test_bot_serve_accepts_a_challenge_declines_another_and_plays_to_the_end(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        new = await ada.create_bot("Deep Hue", [GAME])
        seats = ["me", f"challenge:{new.bot.player}"]
        async with bot_process(server, new, *serve(server, "--level", "seedling", "--max-tables", "1")) as log:
            table = await ada.create_table(GAME, seats)
            async with ada.live(table.id) as live:
                await start_game(live)
                second = await ada.create_table(GAME, seats)
                await wait_until_declined(ada, second.id, "busy")
                await play_on(live, random.Random(1))
                await wait_until(lambda: live.update is not None and live.update.result is not None)
                assert live.table is not None
                assert live.table.seats[1].bot_account
            for line in ("Declined a challenge", "Finished the game"):
                await wait_until(lambda line=line: line in log.read_text())


async def wait_until_declined(client: Client, table_id: str, reason: str) -> None:
    async with asyncio.timeout(DEADLINE_SECONDS):
        while (await client.table(table_id)).seats[1].declined != reason:
            await asyncio.sleep(0.02)


@pytest.mark.long
async def test_bot_that_fails_resigns(server: ServerProcess, tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text(BROKEN_BOT)
    async with Client(server.url, "Ada") as ada:
        new = await ada.create_bot("Deep Hue")
        async with bot_process(server, new, *serve(server, "--bot", f"{file}:Broken", "--join")) as log:
            table = await ada.create_table(GAME, ["me", "open"], public=True, bots_welcome=True)
            async with ada.live(table.id) as live:
                await live.ready()
                async for view in live.turns():
                    await live.move(view.legal[0], view.seat)
                assert live.update is not None
                assert live.update.result is not None
                assert (live.update.result.reason, live.update.result.winners) == ("resigned", [0])
            assert "KeyError: 'oops'" in log.read_text()


async def test_example_of_the_page_accepts_a_challenge_and_plays(server: ServerProcess, tmp_path: Path) -> None:
    example = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)[0]
    assert len(example.splitlines()) < 40
    file = tmp_path / "example.py"
    file.write_text(example)
    async with Client(server.url, "Ada") as ada:
        new = await ada.create_bot("Deep Hue")
        async with bot_process(server, new, sys.executable, str(file), server.url):
            table = await ada.create_table(GAME, ["me", f"challenge:{new.bot.player}"])
            async with ada.live(table.id) as live:
                await start_game(live)
                await play_on(live, random.Random(1))
                await wait_until(lambda: live.update is not None and live.update.result is not None)


@pytest.mark.long
async def test_bot_plays_on_after_a_restart_of_the_server_and_of_itself(data: Path) -> None:
    with ServerProcess(data, "--no-limits") as server:
        async with Client(server.url, "Ada") as ada:
            new = await ada.create_bot("Deep Hue", [GAME])
            command = serve(server, "--level", "seedling", "--finish-seconds", "0")
            async with bot_process(server, new, *command):
                table = await ada.create_table(GAME, ["me", f"challenge:{new.bot.player}"])
                async with ada.live(table.id) as live:
                    await start_game(live)
                    await play_on(live, random.Random(1), max_moves=2)
                    server.stop()
                    server.start()
                    await play_on(live, random.Random(1), max_moves=2)
            async with bot_process(server, new, *command), ada.live(table.id) as live:
                await play_on(live, random.Random(1))
                await wait_until(lambda: live.update is not None and live.update.result is not None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--level", "expert", "--token=shbot_secret"], "others can see a command line"),
        (["--level", "expert"], "there is no token"),
        (["--level", "expert", "--token-file", "-"], "standard input does not hold a bot token"),
        (["--level", "expert", "--bot", "x.py:X"], "either --level or --bot"),
        (["--level", "expert", "--url", "ftp://x"], "--url"),
    ],
)
def test_bot_serve_refuses_what_cannot_work(options: list[str], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SEVENHUES_BOT_TOKEN", raising=False)
    stdin = "not a token\n" if "-" in options else "shbot_x"
    more = [] if "--token-file" in options or "there is no token" in message else ["--token-file", "-"]
    done = invoke("bot", "serve", "--game", "rainbow", *options, *more, stdin=stdin)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    assert "secret" not in done.stderr


def test_help_of_bot_serve_names_every_option() -> None:
    done = invoke("bot", "serve", "--help")
    for option in ("--url", "--token-file", "--game", "--level", "--bot", "--max-tables", "--join", "--finish-seconds"):
        assert option in done.stdout
    assert "--token TEXT" not in done.stdout
