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
from sevenhues.terminal.app import TerminalApp
from sevenhues.terminal.remote import join_table, server_url
from tests.server.play import play_on
from tests.server.process import ServerProcess
from tests.terminal.sessions import message_text, running_app, screen_text, wait_until

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("server")) as running:
        yield running


async def move_if_turn(app: TerminalApp, pilot: Pilot[None], rng: random.Random) -> None:
    """Make any move by pasting its text, if it is this terminal's turn."""
    if app.snapshot.legal:
        ply = app.snapshot.ply
        app.move_list.input.value = rng.choice(app.snapshot.legal)
        await pilot.press("enter")
        await wait_until(pilot, lambda: app.snapshot.ply > ply or app.snapshot.result_text or not app.snapshot.legal)


@pytest.mark.slow
async def test_two_terminals_play_on_after_the_server_is_killed_and_restarted(
    server: ServerProcess, home: Path
) -> None:
    rng = random.Random(3)
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(Client(server.url, "Host"))
        link = f"{server.url}/t/{(await host.create_table('rainbow-road', ['open', 'open'])).id}"
        ada = await stack.enter_async_context(join_table(link, "Ada"))
        saved_identity.path().unlink()  # so that the next terminal is another user
        ben = await stack.enter_async_context(join_table(link, "Ben"))
        assert [ada.own_seats, ben.own_seats] == [[0], [1]]
        (one, pilot_one) = await stack.enter_async_context(running_app(ada))
        await wait_until(pilot_one, lambda: "Waiting for" in screen_text(one))
        (two, pilot_two) = await stack.enter_async_context(running_app(ben))
        await wait_until(pilot_two, lambda: two.snapshot.view is not None and one.snapshot.view is not None)
        for turn in range(10):
            await move_if_turn(one, pilot_one, rng)
            await move_if_turn(two, pilot_two, rng)
            if turn == 1:
                ply_before = one.snapshot.ply
                await asyncio.to_thread(server.kill)
                await wait_until(pilot_one, lambda: "Can't reach the server" in screen_text(one))
                await asyncio.to_thread(server.start)
                await wait_until(pilot_one, lambda: not ada.status_text() and not ben.status_text())
                assert one.snapshot.ply >= ply_before, "no move is lost"
        await wait_until(pilot_one, lambda: one.snapshot.ply == two.snapshot.ply)
        assert one.snapshot.ply > 5
        await wait_until(pilot_one, lambda: "Ada (you)" in screen_text(one) and "Ben (you)" in screen_text(two))
        hands = [app.snapshot.view["hands"] for app in (one, two)]
        assert hands[0][1]["numbers"] is None
        assert hands[1][0]["numbers"] is None


@pytest.mark.slow
async def test_game_against_a_client_shows_clocks_ends_and_is_followed_by_a_rematch(server: ServerProcess) -> None:
    async with Client(server.url, "Ben") as ben:
        clock = {"kind": "bank", "seconds": 600, "increment": 1}
        table = await ben.create_table("rainbow", ["me", "open"], clock=clock)
        async with join_table(f"{server.url}/t/{table.id}", "Ada") as ada, ben.live(table.id) as live:
            async with running_app(ada) as (app, pilot):
                playing = asyncio.create_task(play_on(live, random.Random(2)))
                rng = random.Random(1)
                while not app.snapshot.result_text:
                    await wait_until(pilot, lambda: app.snapshot.legal or app.snapshot.result_text)
                    await move_if_turn(app, pilot, rng)
                await playing
                assert re.search(r"\b(10|[89]):\d\d\b", screen_text(app)), "a clock of ten minutes"
                await pilot.press("f5")
                await wait_until(pilot, lambda: "offered a rematch" in message_text(app))
                await live.rematch()
                await wait_until(pilot, lambda: ada.table.id != table.id)
                assert ada.own_seats
            async with Client(server.url, "Cleo") as cleo:
                finished = record.read(await cleo.record(table.id))
            assert [*record.replay(finished)][-1].outcome() is not None


@pytest.mark.slow
async def test_player_returns_to_the_same_seat_and_a_stranger_watches(server: ServerProcess, home: Path) -> None:
    async with Client(server.url, "Ben") as ben:
        table = await ben.create_table("rainbow", ["open", "bot:seedling"])
        link = f"{server.url}/t/{table.id}"
        async with join_table(link, "Ada") as ada, running_app(ada) as (app, pilot):
            await wait_until(pilot, lambda: app.snapshot.view is not None)
        assert (home / "sevenhues" / "identities.json").stat().st_mode & 0o077 == 0
        async with join_table(link) as returned, running_app(returned) as (app, pilot):
            assert returned.own_seats == [0]
            await wait_until(pilot, lambda: app.snapshot.legal)
            await pilot.press("e", "enter")
            await wait_until(pilot, lambda: "Play a card before you end your turn." in message_text(app))
        saved_identity.path().unlink()
        async with join_table(link) as watching, running_app(watching) as (app, pilot):
            assert watching.own_seats == []
            await wait_until(pilot, lambda: app.snapshot.view is not None)
            assert app.snapshot.view["viewer"] == -1
            assert app.snapshot.legal == []
            await pilot.press(*"s1", "enter")
            assert message_text(app) == "You're watching this game."


@pytest.mark.slow
async def test_phrases_are_shown_in_the_log_and_said_by_typing_them(server: ServerProcess) -> None:
    async with Client(server.url, "Ben") as ben:
        table = await ben.create_table("rainbow", ["me", "open"])
        link = f"{server.url}/t/{table.id}"
        async with join_table(link, "Ada") as ada, ben.live(table.id) as live, running_app(ada) as (app, pilot):
            await live.ready()
            await wait_until(pilot, lambda: app.snapshot.view is not None)
            await live.say("well-played")
            await wait_until(pilot, lambda: "Ben: Well played!" in app.snapshot.log)
            app.move_list.input.value = "say good luck"
            await pilot.press("enter")
            await wait_until(pilot, lambda: "Ada: Good luck!" in app.snapshot.log)
            app.move_list.input.value = "say you cheat"
            await pilot.press("enter")
            await wait_until(pilot, lambda: "'you-cheat' is not a phrase" in message_text(app))
            assert app.snapshot.log == ["Ben: Well played!", "Ada: Good luck!"]


@pytest.mark.slow
async def test_race_starts_after_a_countdown(server: ServerProcess) -> None:
    async with Client(server.url, "Ben") as ben:
        table = await ben.create_table("nimble", ["open", "open"])
        async with join_table(f"{server.url}/t/{table.id}", "Ada") as ada, running_app(ada) as (app, pilot):
            await wait_until(pilot, lambda: "Waiting for" in screen_text(app))
            async with Client(server.url, "Cleo") as cleo:
                await cleo.join(table.id)
                async with cleo.live(table.id) as live:
                    await live.ready()
                    await wait_until(pilot, lambda: "Starting in" in screen_text(app))
                    assert app.snapshot.legal == []
                    await wait_until(pilot, lambda: app.snapshot.legal)
                    ply = app.snapshot.ply
                    await pilot.press("f")
                    await wait_until(pilot, lambda: app.snapshot.ply > ply)


@pytest.mark.parametrize(
    ("link", "server"),
    [
        ("https://hues.example/t/amber-fox-42", "https://hues.example"),
        ("http://127.0.0.1:8777/t/amber-fox-42/", "http://127.0.0.1:8777"),
        ("localhost:8777/t/amber-fox-42", "http://localhost:8777"),
        ("https://example.org/games/t/amber-fox-42?x=1#y", "https://example.org/games"),
    ],
)
def test_server_address_is_taken_from_the_link(link: str, server: str) -> None:
    assert server_url(link) == server


@pytest.mark.parametrize("link", ["", "amber-fox-42", "ftp://example.org/t/x", "https://example.org/new/rainbow"])
def test_malformed_link_is_refused(link: str) -> None:
    with pytest.raises(BadOption, match="a table's link looks like"):
        server_url(link)


def test_identities_survive_a_corrupt_file(home: Path) -> None:
    saved_identity.save("http://a", "one")
    saved_identity.path().write_text("{broken")
    assert saved_identity.load("http://a") is None
    saved_identity.save("http://b", "two")
    assert saved_identity.load("http://b") == "two"
