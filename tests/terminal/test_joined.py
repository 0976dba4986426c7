"""Remote games in the terminal: two terminals, a restarted server, clocks and rematch."""

import asyncio
import random
import re
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from textual.pilot import Pilot

from sevenhues.client import Client
from sevenhues.core import record
from sevenhues.core.errors import BadOption
from sevenhues.terminal import saved_identity
from sevenhues.terminal.app import Terminal
from sevenhues.terminal.remote import server_of, sit_down
from tests.server.play import play_on
from tests.server.process import ServerProcess
from tests.terminal.sessions import message_text, running_app, screen_text, wait_until

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("server")) as running:
        yield running


async def move_if_may(app: Terminal, pilot: Pilot[None], chance: random.Random) -> None:
    """Make any move by pasting its text, if it is this terminal's turn."""
    if app.seen.legal:
        ply = app.seen.ply
        app.moves.line.value = chance.choice(app.seen.legal)
        await pilot.press("enter")
        await wait_until(pilot, lambda: app.seen.ply > ply or app.seen.over or not app.seen.legal)


@pytest.mark.slow
async def test_two_terminals_play_on_after_the_server_is_killed_and_restarted(
    server: ServerProcess, home: Path
) -> None:
    chance = random.Random(3)
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(Client(server.url, "Host"))
        link = f"{server.url}/t/{(await host.lay('rainbow-road', ['open', 'open'])).id}"
        ada = await stack.enter_async_context(sit_down(link, "Ada"))
        saved_identity.place().unlink()  # a second person, at a terminal of their own
        ben = await stack.enter_async_context(sit_down(link, "Ben"))
        assert [ada.mine, ben.mine] == [[0], [1]]
        (one, at_one) = await stack.enter_async_context(running_app(ada))
        await wait_until(at_one, lambda: ada.note())
        assert "Waiting for" in screen_text(one)
        (two, at_two) = await stack.enter_async_context(running_app(ben))
        await wait_until(at_two, lambda: two.seen.view is not None and one.seen.view is not None)
        for turn in range(10):
            await move_if_may(one, at_one, chance)
            await move_if_may(two, at_two, chance)
            if turn == 1:
                stood = one.seen.ply
                await asyncio.to_thread(server.kill)
                await wait_until(at_one, lambda: "does not answer" in screen_text(one))
                await asyncio.to_thread(server.start)
                await wait_until(at_one, lambda: not ada.note() and not ben.note())
                assert one.seen.ply >= stood, "what stood stands"
        assert one.seen.ply == two.seen.ply > 5
        assert "Ada (you)" in screen_text(one)
        assert "Ben (you)" in screen_text(two)
        hands = [app.seen.view["hands"] for app in (one, two)]
        assert hands[0][1]["numbers"] is None
        assert hands[1][0]["numbers"] is None


@pytest.mark.slow
async def test_game_against_a_client_shows_clocks_ends_and_is_followed_by_a_rematch(server: ServerProcess) -> None:
    async with Client(server.url, "Ben") as ben:
        clock = {"kind": "bank", "seconds": 600, "increment": 1}
        table = await ben.lay("rainbow", ["me", "open"], clock=clock)
        async with sit_down(f"{server.url}/t/{table.id}", "Ada") as ada, ben.live(table.id) as live:
            async with running_app(ada) as (app, pilot):
                playing = asyncio.create_task(play_on(live, random.Random(2)))
                chance = random.Random(1)
                while not app.seen.over:
                    await wait_until(pilot, lambda: app.seen.legal or app.seen.over)
                    await move_if_may(app, pilot, chance)
                await playing
                assert re.search(r"\b(10|[89]):\d\d\b", screen_text(app)), "the clock of ten minutes"
                await pilot.press("f5")
                await wait_until(pilot, lambda: "You offer a rematch" in message_text(app))
                await live.rematch()
                await wait_until(pilot, lambda: ada.table.id != table.id)
                assert ada.mine
            async with Client(server.url, "Cleo") as cleo:
                finished = record.read(await cleo.record(table.id))
            assert [*record.replay(finished)][-1].outcome() is not None


@pytest.mark.slow
async def test_player_returns_to_the_same_seat_and_a_stranger_watches(server: ServerProcess, home: Path) -> None:
    async with Client(server.url, "Ben") as ben:
        table = await ben.lay("rainbow", ["open", "bot:seedling"])
        link = f"{server.url}/t/{table.id}"
        async with sit_down(link, "Ada") as ada, running_app(ada) as (app, pilot):
            await wait_until(pilot, lambda: app.seen.view is not None)
        assert (home / "sevenhues" / "identities.json").stat().st_mode & 0o077 == 0
        async with sit_down(link) as again, running_app(again) as (app, pilot):
            assert again.mine == [0]
            await wait_until(pilot, lambda: app.seen.legal)
            await pilot.press("e", "enter")
            await wait_until(pilot, lambda: "Play a card before you end your turn." in message_text(app))
        saved_identity.place().unlink()
        async with sit_down(link) as watching, running_app(watching) as (app, pilot):
            assert watching.mine == []
            await wait_until(pilot, lambda: app.seen.view is not None)
            assert app.seen.view["viewer"] == -1
            assert app.seen.legal == []
            await pilot.press(*"s1", "enter")
            assert message_text(app) == "You are watching."


@pytest.mark.slow
async def test_race_starts_after_a_countdown(server: ServerProcess) -> None:
    async with Client(server.url, "Ben") as ben:
        table = await ben.lay("nimble", ["open", "open"])
        async with sit_down(f"{server.url}/t/{table.id}", "Ada") as ada, running_app(ada) as (app, pilot):
            await wait_until(pilot, lambda: "Waiting for" in screen_text(app))
            async with Client(server.url, "Cleo") as cleo:
                await cleo.join(table.id)
                async with cleo.live(table.id) as live:
                    await live.ready()
                    await wait_until(pilot, lambda: "It starts in" in screen_text(app))
                    assert app.seen.legal == []
                    await wait_until(pilot, lambda: app.seen.legal)
                    ply = app.seen.ply
                    await pilot.press("f")
                    await wait_until(pilot, lambda: app.seen.ply > ply)


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("https://hues.example/t/amber-fox-42", "https://hues.example"),
        ("http://127.0.0.1:8777/t/amber-fox-42/", "http://127.0.0.1:8777"),
        ("localhost:8777/t/amber-fox-42", "http://localhost:8777"),
        ("https://example.org/games/t/amber-fox-42?x=1#y", "https://example.org/games"),
    ],
)
def test_server_address_is_taken_from_the_link(link: str, address: str) -> None:
    assert server_of(link) == address


@pytest.mark.parametrize("link", ["", "amber-fox-42", "ftp://example.org/t/x", "https://example.org/new/rainbow"])
def test_malformed_link_is_refused(link: str) -> None:
    with pytest.raises(BadOption, match="a table's link looks like"):
        server_of(link)


def test_identities_survive_a_corrupt_file(home: Path) -> None:
    saved_identity.keep("http://a", "one")
    saved_identity.place().write_text("{broken")
    assert saved_identity.recall("http://a") is None
    saved_identity.keep("http://b", "two")
    assert saved_identity.recall("http://b") == "two"
