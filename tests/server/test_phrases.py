"""Preset phrases: who may say them and how often, who hears them, and that they leave no trace."""

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest

from sevenhues import client, protocol
from sevenhues.client import Client, Live
from sevenhues.core.errors import SevenHuesError
from sevenhues.server.accounts import restrictions
from sevenhues.server.accounts.cookies import SigningKeys
from sevenhues.server.accounts.restrictions import Restriction
from sevenhues.server.http import rate_limits
from sevenhues.server.http.context import AppContext, count_phrase
from sevenhues.server.live import client_messages
from sevenhues.server.live.client_messages import ConnectionLimits
from sevenhues.server.live.live_table import LiveTable, Viewer
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.table import commands
from sevenhues.server.table.commands import SeatSpec, TableSpec
from tests.server.live_tables import RAINBOW, FakeClock, open_live_tables
from tests.server.play import DEADLINE_SECONDS, play_and_resign, start_game
from tests.server.process import ServerProcess
from tests.server.test_live import ask, open_socket

pytestmark = pytest.mark.anyio
ADA, BEN = 0, 1  # their seats
TWO_PLAYERS = TableSpec((SeatSpec("me"), SeatSpec("open")))


async def heard(live: Live, last: protocol.Phrase) -> list[tuple[int, str]]:
    """Return what is said until a phrase comes: the seats and the phrases."""
    said: list[tuple[int, str]] = []
    async with asyncio.timeout(DEADLINE_SECONDS):
        async for message in live.messages():
            if isinstance(message, protocol.Said):
                said.append((message.seat, message.phrase))
                if message.phrase == last:
                    break
    return said


# -- Over a running server


async def test_phrase_reaches_players_and_watchers_before_during_and_after_a_game(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben, Client(server.url) as zoe:
        table = await ada.create_table("rainbow", ["me", "open"])
        await ben.join(table.id)
        async with ada.live(table.id) as first, ben.live(table.id) as second, zoe.live(table.id) as watcher:
            await first.say("good-luck")
            await start_game(first, second)
            await second.say("one-moment")
            await first.resign(ADA)
            await second.say("good-game")
            for live in (first, second, watcher):
                expected = [(ADA, "good-luck"), (BEN, "one-moment"), (BEN, "good-game")]
                assert await heard(live, "good-game") == expected


async def test_phrase_is_said_in_a_race_for_the_seat_that_the_client_names(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table = await ada.create_table("nimble", ["me", "open", "me:Mira"])
        await ben.join(table.id)
        async with ada.live(table.id) as first, ben.live(table.id) as second:
            await start_game(first, second)
            await first.say("smile", seat=2)
            await first.say("wow")
            assert await heard(second, "wow") == [(2, "smile"), (ADA, "wow")]


async def test_watchers_and_players_of_other_seats_are_refused(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben, Client(server.url) as zoe:
        table = await ada.create_table("rainbow", ["me", "open"])
        await ben.join(table.id)
        async with ada.live(table.id) as first, ben.live(table.id) as second, zoe.live(table.id) as watcher:
            with pytest.raises(client.Refused) as refused:
                await watcher.say("hello")
            assert refused.value.key == "not-seated"
            for seat in (ADA, 15):
                with pytest.raises(client.Refused) as refused:
                    await second.say("hello", seat)
                assert (refused.value.key, refused.value.text) == ("not-your-seat", f"Seat {seat} is not yours.")
            await second.say("thanks")
            assert await heard(first, "thanks") == [(BEN, "thanks")]


async def test_unknown_phrase_is_refused_and_the_connection_stays(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["me", "open"])
        async with open_socket(server, ada, table.id) as socket:
            for phrase in ("You cheat!", "", None, 7, ["hello"]):
                answer = await ask(socket, {"type": "say", "id": "a", "seat": 0, "phrase": phrase})
                assert (answer["type"], answer["key"]) == ("refused", "bad-request")
            for message in ({"phrase": "hello"}, {"seat": 0}, {"seat": -1, "phrase": "hello"}):
                assert (await ask(socket, {"type": "say", "id": "a", **message}))["key"] == "bad-request"
            more = {"type": "say", "id": "a", "seat": 0, "phrase": "hello", "text": "You cheat!"}
            assert (await ask(socket, more))["key"] == "bad-request"
            said = await ask(socket, {"type": "say", "id": "a", "seat": 0, "phrase": "hello"}, ("said",))
            assert (said["seat"], said["phrase"]) == (0, "hello")


async def test_client_names_the_phrases_for_another_one(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["me", "open"])
        async with ada.live(table.id) as live:
            with pytest.raises(SevenHuesError, match="'you cheat' is not a phrase; the phrases are hello, good-luck, "):
                await live.say("you cheat")  # type: ignore[arg-type]


async def test_record_and_replay_hold_no_phrases(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table = await play_and_resign(ada, ben)
        before = await ada.record(table), await ada.replay(table, "everything")
        async with ada.live(table) as live:
            await live.say("well-played")
            await heard(live, "well-played")
        assert (await ada.record(table), await ada.replay(table, "everything")) == before
        async with ada.live(table) as live, ben.live(table) as other:  # who comes later does not hear it
            await other.say("thanks")
            assert await heard(live, "thanks") == [(BEN, "thanks")]


# -- In this process


class Tables:
    """A table of Ada and Ben in an application with all limits."""

    def __init__(self, live_tables: LiveTables, live_table: LiveTable) -> None:
        self.live_tables = live_tables
        self.live_table = live_table
        self._context = AppContext(live_tables, SigningKeys(["unused"]))

    async def say(self, user_id: str, seat: int, phrase: str, id: str = "a") -> Any:
        """Say a phrase over a new connection; return the answer."""
        viewer = Viewer(user_id)
        counted = partial(count_phrase, self._context, user_id, self.live_table.id)
        data = json.dumps({"type": "say", "id": id, "seat": seat, "phrase": phrase})
        limits = ConnectionLimits(count_phrase=counted)
        await client_messages.answer(data, self.live_tables.services, self.live_table, viewer, limits)
        return json.loads((await viewer.next_messages())[0])


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    live_tables = await open_live_tables(tmp_path, now=FakeClock())
    try:
        yield await new_table(live_tables)
    finally:
        await live_tables.close()


async def new_table(live_tables: LiveTables) -> Tables:
    live_table = await live_tables.create(RAINBOW, TWO_PLAYERS, "ada", "Ada")
    await live_table.act(lambda table, now_ms: commands.take_seat(table, "ben", "Ben", BEN))
    return Tables(live_tables, live_table)


async def test_phrases_of_a_user_are_limited_at_each_table(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(rate_limits, "monotonic", lambda: now[0])
    for number in range(3):
        assert (await tables.say("ada", ADA, "hello", str(number)))["type"] == "accepted"
    for number in range(40):  # over as many connections
        answer = await tables.say("ada", ADA, "hello", f"more{number}")
        assert (answer["key"], answer["parameters"]) == ("too-many", {"seconds": 4})
    assert (await tables.say("ben", BEN, "hello"))["type"] == "accepted"
    now[0] += 4
    assert (await tables.say("ada", ADA, "hello", "later"))["type"] == "accepted"
    assert (await tables.say("ada", ADA, "hello", "soon"))["key"] == "too-many"


async def test_phrase_sent_twice_with_one_id_is_said_and_counted_once(tables: Tables) -> None:
    listener = Viewer("ben")
    tables.live_table.enter(listener)
    for _ in range(10):
        assert (await tables.say("ada", ADA, "hello", "same"))["type"] == "accepted"
    assert (await tables.say("ada", ADA, "thanks", "other"))["type"] == "accepted"
    kinds = [(message["type"], message.get("phrase")) for message in map(json.loads, await listener.next_messages())]
    assert [one for one in kinds if one[0] == "said"] == [("said", "hello"), ("said", "thanks")]


@pytest.mark.parametrize(
    ("until", "key", "text"),
    [
        (None, "muted", "You cannot say anything: an operator has muted you."),
        (1_000_000_060_000, "muted-until", "You cannot say anything until 2001-09-09 01:47 UTC."),
    ],
    ids=["for-good", "for-a-while"],
)
async def test_muted_user_is_refused(tables: Tables, until: int | None, key: str, text: str) -> None:
    store = tables.live_tables.store
    await store.write(restrictions.restrict(Restriction("ada", "muted", until, "rude", 1)))
    answer = await tables.say("ada", ADA, "hello")
    assert (answer["key"], answer["text"]) == (key, text)
    assert (await tables.say("ben", BEN, "hello"))["type"] == "accepted"
    await store.write(restrictions.restrict(Restriction("ada", "muted", 999_999_999_999, "rude", 1)))
    assert (await tables.say("ada", ADA, "hello"))["type"] == "accepted", "it was until then"


async def test_phrase_is_not_in_the_log(tables: Tables) -> None:
    stored = await tables.live_tables.store.log(tables.live_table.id)
    for number, phrase in enumerate(["hello", "smile"]):
        assert (await tables.say("ada", ADA, phrase, str(number)))["type"] == "accepted"
    assert await tables.live_tables.store.log(tables.live_table.id) == stored
    assert tables.live_table.event_count == len(stored)


def test_every_phrase_has_an_english_text() -> None:
    assert tuple(protocol.PHRASE_TEXTS) == get_args(protocol.Phrase)
