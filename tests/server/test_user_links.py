"""Links between users in the store: what is stored of browsers, passkeys and networks, and for how long."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

import pytest

from sevenhues.server.accounts import cookies, links
from sevenhues.server.accounts.links import DAY_MS
from sevenhues.server.http.link_recorder import LinkRecorder
from sevenhues.server.http.rate_limits import UNLIMITED, Rate, RateLimit
from sevenhues.server.query_steps import QuerySteps, run
from sevenhues.server.ratings.contests import player_of
from sevenhues.server.store import Store
from sevenhues.server.store.postgres import PostgresStore
from sevenhues.server.store.sqlite import SqliteStore, open_database
from sevenhues.server.table.errors import Refused
from tests.server.rated_games import ADA, BEN, ZOE

pytestmark = pytest.mark.anyio
HOUR_MS = 3600 * 1000
NOON = 20_000 * DAY_MS + 12 * HOUR_MS
BROWSER, LAPTOP = "1" * 32, "2" * 32
HOME = "8.8.4.4"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "s.db")
    address = request.getfixturevalue("postgres").database(f"l{uuid4().hex}")
    return lambda: PostgresStore(address)


class Recorder:
    """A recorder of a process that was started with the keys in a file, at a time that a test sets."""

    def __init__(self, store: Store, key_file: Path, limit: Rate = UNLIMITED) -> None:
        self.now = NOON
        self._store = store
        self._recorder = LinkRecorder(store, cookies.load_keys(key_file), lambda: self.now, RateLimit(limit))

    async def see(self, *user_ids: str, device: str = "", address: str = "127.0.0.1") -> None:
        """Record a request of each user."""
        request = SimpleNamespace(cookies={cookies.DEVICE_COOKIE_NAME: device}, scope={"client": (address, 1)})
        for user_id in user_ids:
            await self._recorder.see_request(cast(Any, request), user_id)

    async def linked(self, one: str, other: str, since: int = 0) -> bool:
        return await self._store.read(links.any_linked([one, other], since))


async def test_links_do_not_show_what_they_are_made_of(make_store: Callable[[], Store], tmp_path: Path) -> None:
    store = make_store()
    await store.open()
    recorder = Recorder(store, tmp_path / "keys")
    await recorder.see(ADA, device=BROWSER, address=HOME)
    rows = await store.read(stored_links())
    assert sorted(kind for _, _, kind in rows) == ["device", "network", "network"]
    assert not any(secret in str(rows) for secret in (BROWSER, HOME))
    await store.close()


def stored_links() -> QuerySteps[list[tuple[str, str, str]]]:
    return [(row[0], row[1], row[2]) for row in (yield "SELECT link, user_id, kind FROM user_links", ())]


async def test_added_key_keeps_browsers_linked(make_store: Callable[[], Store], tmp_path: Path) -> None:
    store, keys = make_store(), tmp_path / "keys"
    await store.open()
    await Recorder(store, keys).see(ADA, device=BROWSER)
    cookies.rotate_key(keys)
    await Recorder(store, keys).see(BEN, device=BROWSER)
    assert await Recorder(store, keys).linked(ADA, BEN)
    # Ben's link was stored by both keys: it is found when the older one is gone.
    cookies.rotate_key(keys)
    recorder = Recorder(store, keys)
    await recorder.see(ZOE, device=BROWSER)
    assert await recorder.linked(BEN, ZOE)
    assert await recorder.linked(ADA, ZOE), "by way of Ben"
    # With a leaked key all users are signed out. Linked users stay linked; the browser gets a new digest.
    cookies.rotate_key(keys, keep=0)
    recorder, newcomer = Recorder(store, keys), "d" * 32
    await recorder.see(newcomer, device=BROWSER)
    assert await recorder.linked(ADA, BEN)
    assert not await recorder.linked(ADA, newcomer)
    await recorder.see(ADA, device=BROWSER)
    assert await recorder.linked(BEN, newcomer)
    await store.close()


async def test_network_links_users_of_half_a_day(make_store: Callable[[], Store], tmp_path: Path) -> None:
    store = make_store()
    await store.open()
    recorder = Recorder(store, tmp_path / "keys")
    await recorder.see(ADA, address=HOME)
    recorder.now += 12 * HOUR_MS - 1
    await recorder.see(BEN, address=HOME)
    recorder.now = NOON + DAY_MS
    await recorder.see(ZOE, address=HOME)
    assert await recorder.linked(ADA, BEN)
    assert not await recorder.linked(ADA, ZOE), "a day apart"
    assert not await recorder.linked(ADA, BEN, since=NOON + 1), "before the game"
    await store.close()


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.9",
        "100.64.1.1",
        "fd00::1",
        "::1",
        "::ffff:10.1.2.3",
        "fe80::1%eth0",
        "unknown",
    ],
)
async def test_private_network_links_nobody(tmp_path: Path, address: str) -> None:
    store = SqliteStore(tmp_path / "s.db")
    await store.open()
    recorder = Recorder(store, tmp_path / "keys")
    await recorder.see(ADA, BEN, address=address)
    assert not await recorder.linked(ADA, BEN)
    assert await store.read(stored_links()) == []
    await store.close()


async def test_network_does_not_lead_from_user_to_user(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    await store.open()
    recorder = Recorder(store, tmp_path / "keys")
    await recorder.see(ADA, BEN, address=HOME)
    await recorder.see(BEN, ZOE, address="9.9.9.9")
    assert await recorder.linked(ADA, BEN)
    assert await recorder.linked(BEN, ZOE)
    assert not await recorder.linked(ADA, ZOE)
    await store.close()


async def test_addresses_of_one_ipv6_network_link_users(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    await store.open()
    recorder = Recorder(store, tmp_path / "keys")
    await recorder.see(ADA, address="2001:4860:4860:1::1")
    await recorder.see(BEN, address="2001:4860:4860:1::2")
    await recorder.see(ZOE, address="2001:4860:4860:2::1")
    assert await recorder.linked(ADA, BEN)
    assert not await recorder.linked(ADA, ZOE)
    await store.close()


def test_work_grows_with_the_users_of_a_browser_and_not_with_their_pairs(tmp_path: Path) -> None:
    """Anybody can invent guests and let all of them use one browser."""
    with closing(open_database(tmp_path / "s.db")) as db:
        few, many = steps_to_find_links(db, 500), steps_to_find_links(db, 2000)
    assert many < 8 * few


def steps_to_find_links(db: sqlite3.Connection, users: int) -> int:
    """Let users share a browser; return in how many steps SQLite finds out that another user shares nothing."""
    ids = [f"{number:032x}" for number in range(users)]
    rows = [("browser", user_id, "device", NOON, NOON) for user_id in ids]
    db.execute("BEGIN")
    db.executemany(
        "INSERT OR REPLACE INTO user_links (link, user_id, kind, seen, expires) VALUES (?, ?, ?, ?, ?)", rows
    )
    db.execute("COMMIT")
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    db.set_progress_handler(count, 100)
    linked = run(links.any_linked([ids[0], ADA], 0), lambda asked: db.execute(*cast(Any, asked)).fetchall())
    db.set_progress_handler(None, 0)
    assert not linked
    return steps


async def test_links_are_deleted_when_they_expire(make_store: Callable[[], Store], tmp_path: Path) -> None:
    store = make_store()
    await store.open()
    recorder = Recorder(store, tmp_path / "keys")
    await recorder.see(ADA, device=BROWSER, address=HOME)
    await store.delete_expired(NOON + 7 * DAY_MS)
    assert len(await store.read(stored_links())) == 3
    await store.delete_expired(NOON + 7 * DAY_MS + 1)
    assert [kind for _, _, kind in await store.read(stored_links())] == ["device"]
    # Being seen again renews a link.
    recorder.now += DAY_MS
    await recorder.see(ADA, device=BROWSER)
    await store.delete_expired(NOON + 180 * DAY_MS + 1)
    assert len(await store.read(stored_links())) == 1
    await store.delete_expired(NOON + 181 * DAY_MS + 1)
    assert await store.read(stored_links()) == []
    await store.close()


async def test_links_of_a_deleted_user_are_anonymous(make_store: Callable[[], Store], tmp_path: Path) -> None:
    store = make_store()
    await store.open()
    recorder = Recorder(store, tmp_path / "keys")
    await recorder.see(ADA, device=BROWSER)
    await recorder.see(ZOE, device=BROWSER, address=HOME)
    await recorder.see(ZOE, device=LAPTOP)
    await store.delete_user(ZOE, NOON)
    rows = await store.read(stored_links())
    assert ZOE not in str(rows)
    assert "network" not in str(rows)
    await recorder.see(ZOE, device="3" * 32)
    assert len(await store.read(stored_links())) == len(rows), "nothing is stored about a deleted user"
    await recorder.see(BEN, device=LAPTOP)
    assert await recorder.linked(ADA, BEN)
    # A user with one browser leaves nothing at all.
    await store.delete_user(BEN, NOON)
    assert BEN not in str(await store.read(stored_links()))
    assert len(await store.read(stored_links())) == len(rows)
    await store.close()


async def test_invented_cookies_of_an_address_are_limited(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    await store.open()
    recorder = Recorder(store, tmp_path / "keys", Rate(2, 0.001))
    for device in (BROWSER, LAPTOP):
        await recorder.see(ADA, device=device)
    with pytest.raises(Refused, match="too-many"):
        await recorder.see(ADA, device="3" * 32)
    assert len(await store.read(stored_links())) == 2
    await recorder.see(ADA, device=BROWSER)  # is known
    await recorder.see(BEN, device=BROWSER, address=HOME)
    assert await recorder.linked(ADA, BEN)
    await store.close()


async def test_bot_account_is_linked_to_its_owner(make_store: Callable[[], Store], tmp_path: Path) -> None:
    store = make_store()
    await store.open()
    recorder, bots = Recorder(store, tmp_path / "keys"), ("e" * 32, "f" * 32)
    await store.write(own_bots(ADA, *bots))
    await recorder.see(ADA, BEN, device=BROWSER)
    assert await recorder.linked(bots[0], ADA)
    assert await recorder.linked(ADA, bots[1])
    assert await recorder.linked(*bots), "two bots of one owner"
    assert await recorder.linked(bots[0], BEN), "another account of the owner"
    assert not await recorder.linked(bots[0], ZOE)
    await recorder.see(bots[0], ZOE, address=HOME)
    assert await recorder.linked(bots[0], ZOE)
    await store.close()


def own_bots(owner: str, *bots: str) -> QuerySteps[None]:
    for bot in bots:
        columns = "user_id, player, owner_id, games, may_create, created"
        sql = f"INSERT INTO bot_accounts ({columns}) VALUES (?, ?, ?, '', ?, 1)"
        yield sql, (bot, player_of(bot).id, owner, False)
