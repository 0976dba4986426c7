"""A user who is deleted while another request of theirs is carried out leaves no name and no seat."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from sevenhues.server.accounts.cookies import SigningKeys
from sevenhues.server.app import make_app
from sevenhues.server.http.context import AppContext
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.settings import Settings
from sevenhues.server.store import User
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.table import commands
from sevenhues.server.table.commands import Command
from tests.server.authenticator import Authenticator
from tests.server.live_tables import RAINBOW
from tests.server.play import wait_until
from tests.server.sample_records import sample_record
from tests.server.test_fairness import finished_table
from tests.server.test_rematches import TWO_USERS

pytestmark = pytest.mark.anyio
AUGUSTA = "a" * 32
NAME = "Augusta King"


class DeletingStore(SqliteStore):
    """A store in which a user is deleted when a request has read them so many times."""

    reads_left = 0
    deletes_before_rematches = False

    async def user(self, user_id: str) -> User | None:
        user = await super().user(user_id)
        self.reads_left -= 1
        if self.reads_left == 0:
            await self.delete_user(user_id, 1)
        return user

    async def create_rematch(self, *values: Any) -> None:
        if self.deletes_before_rematches:
            await self.delete_user(AUGUSTA, 1)
        await super().create_rematch(*values)


@asynccontextmanager
async def requests(data: Path) -> AsyncIterator[tuple[httpx.AsyncClient, LiveTables, DeletingStore]]:
    """Open an application; give a client that is Augusta, its live tables and its store."""
    settings = Settings(data, bot_workers=1)
    store = DeletingStore(settings.database)
    live_tables, keys = LiveTables(settings, store), SigningKeys(["unused"])
    await live_tables.open()
    await store.rename_user(AUGUSTA, NAME, 1)
    app: Any = make_app(AppContext(live_tables, keys))
    transport = httpx.ASGITransport(app)
    cookies = {"sevenhues": keys.sign(AUGUSTA)}
    async with httpx.AsyncClient(transport=transport, base_url="http://any", cookies=cookies) as http:
        yield http, live_tables, store
    await live_tables.close()


async def test_name_chosen_during_the_deletion_is_not_stored(data: Path) -> None:
    async with requests(data) as (http, _, store):
        store.reads_left = 1  # the request is authenticated
        await http.patch("/api/me", json={"name": NAME})
        assert await store.user(AUGUSTA) == User(AUGUSTA, None, True)


async def test_seat_taken_during_the_deletion_is_freed(data: Path) -> None:
    async with requests(data) as (http, live_tables, store):
        table = await live_tables.create(RAINBOW, TWO_USERS, "ben", "Ben")
        store.reads_left = 2  # the request has the name
        answer = await http.post(f"/api/tables/{table.id}/join", json={})
        assert (answer.status_code, answer.json()["key"]) == (401, "no-identity")
        assert table.table.seats[1].open
        assert NAME not in str(await store.log(table.id))


async def test_table_created_during_the_deletion_has_no_name(data: Path) -> None:
    async with requests(data) as (http, live_tables, store):
        store.reads_left = 2
        body = {"game": "rainbow", "seats": [{"kind": "me"}, {"kind": "open"}]}
        assert (await http.post("/api/tables", json=body)).status_code == 401
        (table,) = live_tables.tables.values()
        assert table.table.seats[0].open
        assert NAME not in str(await store.log(table.id))


async def test_game_continued_during_the_deletion_has_no_name(data: Path) -> None:
    async with requests(data) as (http, live_tables, store):
        source = await finished_table(live_tables)
        store.reads_left = 2
        answer = await http.post(f"/api/tables/{source.id}/branch", json={"ply": 0, "seat": 0})
        assert (answer.status_code, answer.json()["key"]) == (401, "no-identity")
        (branch,) = (one for id, one in live_tables.tables.items() if id != source.id)
        assert branch.table.config.branch is not None
        assert branch.table.result is not None, "the deleted player has resigned"
        assert NAME not in str(await store.log(branch.id))


async def test_record_uploaded_during_the_deletion_is_refused(data: Path) -> None:
    async with requests(data) as (http, _, store):
        store.reads_left = 1
        answer = await http.post(
            "/api/records", content=sample_record("rainbow"), headers={"content-type": "application/json"}
        )
        assert (answer.status_code, answer.json()["key"]) == (401, "no-identity")


async def test_passkey_and_recovery_code_added_during_the_deletion_are_deleted(data: Path) -> None:
    async with requests(data) as (http, _, store):
        key = Authenticator("http://any")
        body = key.create((await http.post("/api/me/passkeys/challenge")).json())
        store.reads_left = 1
        assert (await http.post("/api/me/passkeys", json=body)).json()["key"] == "passkey-expired"
        assert await store.read_rows("SELECT * FROM passkeys") == []
    async with requests(data / "other") as (http, _, store):
        store.reads_left = 1
        assert (await http.post("/api/me/recovery-code")).status_code == 401
        assert await store.read_rows("SELECT * FROM recovery_codes") == []


async def test_transfer_code_created_during_the_deletion_is_deleted(data: Path) -> None:
    async with requests(data) as (http, _, store):
        store.reads_left = 1
        assert (await http.post("/api/me/transfer-code")).status_code == 401
        assert await store.read_rows("SELECT * FROM transfer_codes") == []


def reveal(user_id: str) -> Command:
    return lambda table, now_ms: commands.add_entropy(table, user_id, "x" * 20)


def offer_rematch(user_id: str) -> Command:
    return lambda table, now_ms: commands.offer_rematch(table, user_id)


async def test_rematch_created_during_the_deletion_has_no_name(data: Path) -> None:
    async with requests(data) as (_, live_tables, store):
        table = await live_tables.create(RAINBOW, TWO_USERS, AUGUSTA, NAME)
        await table.act(lambda table, now_ms: commands.take_seat(table, "ben", "Ben", 1))
        for user_id in (AUGUSTA, "ben"):
            await table.act(reveal(user_id))
        await table.act(lambda table, now_ms: commands.resign(table, "ben", 1))
        store.deletes_before_rematches = True
        for user_id in (AUGUSTA, "ben"):
            await table.act(offer_rematch(user_id))
        rematch = await live_tables.get(str(table.table.rematch_table))
        await wait_until(lambda: [seat.name for seat in rematch.table.seats] == ["Ben", None])
        assert NAME not in str(await store.log(rematch.id))
