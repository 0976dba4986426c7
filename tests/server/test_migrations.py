"""Migrations: a database of an older release is upgraded as a whole or not at all, and no table changes."""

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import asyncpg
import httpx
import pytest

from sevenhues.server.accounts import passkey_queries
from sevenhues.server.accounts.cookies import SigningKeys, transfer_code_digest
from sevenhues.server.app import make_app
from sevenhues.server.http.context import AppContext
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.query_steps import QuerySteps, Rows
from sevenhues.server.ratings import queries, rating_model
from sevenhues.server.settings import Settings
from sevenhues.server.store import DELETED_USER_NAME, Store, WrongDatabase, migrations, postgres_migrations
from sevenhues.server.store.backup import COLUMNS
from sevenhues.server.store.migrations import APPLICATION_ID
from sevenhues.server.store.postgres import PostgresStore
from sevenhues.server.store.renamed_events import RENAMED, rename_event
from sevenhues.server.store.sqlite import SqliteStore, open_database
from sevenhues.server.table import commands, events
from sevenhues.server.table.events import ClockSettings

pytestmark = pytest.mark.anyio
FIXTURES = Path(__file__).parent / "fixtures"
# A database that the last release with version 5 wrote, and what a client, Ada, saw of it then.
DUMP = (FIXTURES / "version_5.sql").read_text(encoding="utf-8")
SEEN: dict[str, Any] = json.loads((FIXTURES / "version_5.json").read_text(encoding="utf-8"))
KEYS = SigningKeys(["66ab8215b871456abd80f892783c1d458a881ce189135b3f7ba8d8f2b1ee9e5f"])
ADA = SEEN["cookie"].partition(".")[0]
DELETED = "Kim"  # a user who was deleted
NOW = 1_794_812_560_000  # some seconds after the last event
CODE_EXPIRES = 1_794_813_152_466
EVENTS = 219
OLD_BOOLEANS = ("public", "attended")


def load_dump(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path)
    db.executescript(DUMP)
    return db


def old_rows() -> dict[str, tuple[tuple[str, ...], Rows]]:
    """Return the columns and rows of every table of the dump, as version 3 of PostgreSQL stores them."""
    with closing(load_dump(Path(":memory:"))) as db:
        names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        tables = {}
        for name in names:
            columns = tuple(row[1] for row in db.execute(f"PRAGMA table_info({name})"))
            rows: Rows = [
                tuple(bool(value) if key in OLD_BOOLEANS else value for key, value in zip(columns, row, strict=True))
                for row in db.execute(f"SELECT * FROM {name}")
            ]
            tables[name] = columns, rows
    return tables


async def load_into_postgres(address: str) -> None:
    db = await asyncpg.connect(address)
    for script in (postgres_migrations.VERSION_1, postgres_migrations.VERSION_2, postgres_migrations.VERSION_3):
        await db.execute(script)
    await db.execute("UPDATE sevenhues_version SET version = 3")
    await db.execute("DELETE FROM checks")
    for name, (columns, rows) in old_rows().items():
        await db.copy_records_to_table(name, records=rows, columns=columns)
    await db.close()


class Old(NamedTuple):
    """A database of the older release."""

    kind: str
    location: str
    make_store: Callable[[], Store]
    content: Callable[[], Awaitable[object]]  # everything in it, with its version


def sqlite_content(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as db:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        return [f"version {version}", *db.iterdump()]


async def postgres_content(address: str) -> dict[str, list[str]]:
    db = await asyncpg.connect(address)
    names = [row[0] for row in await db.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
    rows = {name: sorted(str(dict(row)) for row in await db.fetch(f"SELECT * FROM {name}")) for name in names}
    await db.close()
    return rows


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
async def old(request: pytest.FixtureRequest, tmp_path: Path) -> Old:
    """The dump in a database."""
    if request.param == "sqlite":
        path = tmp_path / "sevenhues.db"
        load_dump(path).close()

        async def content() -> object:
            return sqlite_content(path)

        return Old("sqlite", str(path), lambda: SqliteStore(path), content)
    address = request.getfixturevalue("postgres").database(f"m{uuid4().hex}")
    await load_into_postgres(address)
    return Old("postgres", address, lambda: PostgresStore(address), lambda: postgres_content(address))


@asynccontextmanager
async def opened(store: Store) -> AsyncIterator[Store]:
    await store.open()
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def served(store: Store, data: Path) -> AsyncIterator[tuple[LiveTables, httpx.AsyncClient]]:
    """Serve a store in this process, at the time of the dump, to Ada."""
    live_tables = LiveTables(Settings(data, bot_workers=1), store, now=lambda: NOW)
    transport = httpx.ASGITransport(make_app(AppContext(live_tables, KEYS)))  # type: ignore[arg-type]
    await live_tables.open()
    try:
        cookies = {"sevenhues": SEEN["cookie"]}
        async with httpx.AsyncClient(transport=transport, base_url="http://hues", cookies=cookies) as ada:
            yield live_tables, ada
    finally:
        await live_tables.close()


def all_rows() -> QuerySteps[dict[str, Rows]]:
    rows = {}
    for name, columns in COLUMNS.items():
        rows[name] = yield f"SELECT {', '.join(columns)} FROM {name}", ()
    return rows


async def test_every_table_is_as_a_client_saw_it_before(old: Old, tmp_path: Path) -> None:
    async with served(old.make_store(), tmp_path / "data") as (_, ada):
        assert (await ada.get("/api/me")).json()["id"] == ADA
        for table_id, seen in SEEN["tables"].items():
            table = (await ada.get(f"/api/tables/{table_id}")).json()
            for field in (
                "status",
                "game",
                "ply",
                "turn",
                "scores",
                "next",
                "previous",
                "options",
                "public",
                "unrated",
            ):
                assert table[field] == seen[field], (seen["name"], field)
            assert [[seat["kind"], seat["name"], seat["level"]] for seat in table["seats"]] == seen["seats"]
            assert table["your_seats"] == seen["mine"]
            assert (table["result"] or {}).get("winners") == seen["winners"]
            record = await ada.get(f"/api/tables/{table_id}/record")
            assert record.content == seen["record"].encode() if "record" in seen else record.status_code == 409


async def test_lists_are_as_before(old: Old) -> None:
    async with opened(old.make_store()) as store:
        for status in ("waiting", "playing", "finished"):
            listed = await store.list_public(status, None, None, 50)
            seen = {id for id, table in SEEN["tables"].items() if table["public"] and table["status"] == status}
            assert {table.id for table in listed} == seen
        own = await store.list_of_user(ADA, None, 50)
        assert {table.id for table in own} == {id for id, table in SEEN["tables"].items() if table["mine"]}
        assert [table.updated for table in own] == sorted((table.updated for table in own), reverse=True)


async def test_ratings_are_as_before_until_they_are_rebuilt(old: Old, tmp_path: Path) -> None:
    from sevenhues.server.jobs.rating_rebuild import rebuild_ratings
    from tests.server.rated_games import all_rating_rows

    async with served(old.make_store(), tmp_path / "data") as (live_tables, ada):
        profile = (await ada.get(f"/api/players/{SEEN['player']}")).json()
        assert {one["game"]: [one["rating"], one["games"]] for one in profile["ratings"]} == {
            game: [rating, games] for game, (rating, _, games) in SEEN["ratings"].items()
        }
        stored = await live_tables.store.read(queries.player_ratings(SEEN["player"]))
        assert {one.game: rating_model.deviation_points(one.sigma) for one in stored} == {
            game: deviation for game, (_, deviation, _) in SEEN["ratings"].items()
        }
        before = await live_tables.store.read(all_rating_rows())
    # Rebuilding rates the same games in the same order, by the rules of this release.
    assert await rebuild_ratings(old.make_store()) == (3, 5, 0)
    async with opened(old.make_store()) as store:
        rebuilt = await store.read(all_rating_rows())
    assert [row[:3] for row in rebuilt["rated_games"]] == [row[:3] for row in before["rated_games"]]
    assert await rebuild_ratings(old.make_store()) == (3, 5, 0)
    async with opened(old.make_store()) as store:
        assert await store.read(all_rating_rows()) == rebuilt


async def test_transfer_code_is_valid_until_it_expires(old: Old) -> None:
    digest = transfer_code_digest(SEEN["code"])
    async with opened(old.make_store()) as store:
        assert await store.redeem_transfer_code(digest, CODE_EXPIRES) == ADA
        assert await store.redeem_transfer_code(digest, CODE_EXPIRES) is None


async def test_transfer_code_is_invalid_after_it_expires(old: Old) -> None:
    async with opened(old.make_store()) as store:
        assert await store.redeem_transfer_code(transfer_code_digest(SEEN["code"]), CODE_EXPIRES + 1) is None


async def test_passkey_and_recovery_code_are_stored_in_a_migrated_database(old: Old) -> None:
    passkey = passkey_queries.Passkey("id", ADA, "Key", "https://games.example.org", b"\0key", 2**32 - 1, NOW)
    async with opened(old.make_store()) as store:
        assert await store.read(passkey_queries.passkeys_of(ADA)) == []
        assert await store.write(passkey_queries.add_passkey(passkey, 1))
        await store.write(passkey_queries.save_recovery_code(ADA, "digest", NOW))
    async with opened(old.make_store()) as store:
        assert await store.read(passkey_queries.passkeys_of(ADA)) == [passkey]
        await store.delete_user(ADA, NOW)
        rows = await store.read(all_rows())
        assert (rows["passkeys"], rows["recovery_codes"]) == ([], [])


async def test_name_of_a_deleted_user_is_nowhere(old: Old) -> None:
    async with opened(old.make_store()) as store:
        rows = await store.read(all_rows())
        (deleted,) = [row[0] for row in rows["users"] if row[3] is not None]
        user = await store.user(deleted)
        assert user is not None
        assert user.name is None
        taken = [json.loads(row[3]) for row in rows["events"] if deleted.encode() in row[3]]
        assert {event["name"] for event in taken if event["kind"] == "seat-taken"} == {DELETED_USER_NAME}
        assert DELETED not in str(rows)
    if old.kind == "sqlite":
        for file in Path(old.location).parent.glob("sevenhues.db*"):
            assert DELETED.encode() not in file.read_bytes()


async def test_analyses_are_deleted_so_that_they_are_computed_again(old: Old) -> None:
    async with opened(old.make_store()) as store:
        assert (await store.read(all_rows()))["analyses"] == []


async def test_game_in_play_is_continued(old: Old, tmp_path: Path) -> None:
    (race,) = [id for id, table in SEEN["tables"].items() if table["name"] == "race"]
    async with served(old.make_store(), tmp_path / "data") as (live_tables, ada):
        live_table = await live_tables.get(race)
        await live_table.act(lambda table, now: commands.resign(table, ADA, 0))
        assert (await ada.get(f"/api/tables/{race}")).json()["result"]["winners"] == [1]
        assert (await ada.get(f"/api/tables/{race}/record")).status_code == 200


async def test_failed_migration_changes_nothing_and_is_done_at_the_next_start(
    old: Old, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await old.content()
    renamed: list[bytes] = []

    def fail_late(body: bytes) -> bytes:
        renamed.append(body)
        if len(renamed) == EVENTS:
            raise ValueError("the last event cannot be read")
        return rename_event(body)

    with monkeypatch.context() as patched:
        for module in (migrations, postgres_migrations):
            patched.setattr(module, "rename_event", fail_late)
        with pytest.raises(Exception, match=r"user-defined function|cannot be read"):
            await old.make_store().open()
    assert len(renamed) == EVENTS
    assert await old.content() == before
    await check_migrated(old)


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from sevenhues.server.store import migrations, postgres_migrations, renamed_events
from sevenhues.server.store.postgres import PostgresStore
from sevenhues.server.store.sqlite import SqliteStore

count = 0

def rename_until_killed(body):
    global count
    count += 1
    if count == 200:
        os.kill(os.getpid(), signal.SIGKILL)
    return renamed_events.rename_event(body)

migrations.rename_event = postgres_migrations.rename_event = rename_until_killed
kind, location = sys.argv[1:]
asyncio.run((SqliteStore(Path(location)) if kind == "sqlite" else PostgresStore(location)).open())
"""


async def test_killed_migration_changes_nothing_and_is_done_at_the_next_start(old: Old) -> None:
    before = await old.content()
    command = [sys.executable, "-c", KILLED, old.kind, old.location]
    done = await asyncio.to_thread(subprocess.run, command, check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    assert await old.content() == before
    await check_migrated(old)


async def check_migrated(old: Old) -> None:
    async with opened(old.make_store()) as store:
        assert len((await store.read(all_rows()))["events"]) == EVENTS
        for table_id in SEEN["tables"]:
            assert await store.log(table_id)


async def test_migrated_database_is_opened_again_unchanged(old: Old) -> None:
    async with opened(old.make_store()):
        pass
    migrated = await old.content()
    async with opened(old.make_store()):
        pass
    assert await old.content() == migrated


async def test_database_of_a_newer_release_is_refused_and_not_changed(old: Old) -> None:
    async with opened(old.make_store()):
        pass
    if old.kind == "sqlite":
        with closing(sqlite3.connect(old.location)) as db:
            db.execute(f"PRAGMA user_version = {len(migrations.STEPS) + 1}")
    else:
        connection = await asyncpg.connect(old.location)
        await connection.execute("UPDATE sevenhues_version SET version = version + 1")
        await connection.close()
    before = await old.content()
    with pytest.raises(WrongDatabase, match="written by a newer release"):
        await old.make_store().open()
    assert await old.content() == before


@pytest.mark.slow
async def test_processes_that_start_together_migrate_once(request: pytest.FixtureRequest) -> None:
    address = request.getfixturevalue("postgres").database(f"m{uuid4().hex}")
    await load_into_postgres(address)
    stores = [PostgresStore(address) for _ in range(3)]
    await asyncio.gather(*[store.open() for store in stores])
    for store in stores:
        assert len((await store.read(all_rows()))["events"]) == EVENTS
        await store.close()


@pytest.mark.slow
async def test_postgresql_of_version_1_is_migrated(request: pytest.FixtureRequest) -> None:
    address = request.getfixturevalue("postgres").database(f"m{uuid4().hex}")
    db = await asyncpg.connect(address)
    await db.execute(postgres_migrations.VERSION_1)
    await db.execute("INSERT INTO identities (id, name, created) VALUES ($1, $2, 1)", ADA, "Ada")
    await db.close()
    async with opened(PostgresStore(address)) as store:
        user = await store.user(ADA)
        assert user is not None
        assert user.name == "Ada"
        assert await store.read(queries.leaderboard("rainbow", 0, 9)) == []


def test_sqlite_of_version_1_is_migrated(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    log: list[dict[str, Any]] = [
        {"kind": "created", "game": "rainbow", "options": {}, "seats": 2, "owner": "ada", "public": True},
        {"kind": "sat", "seat": 0, "by": "ada", "name": "Ada", "level": None},
        {"kind": "sat", "seat": 1, "by": "bob", "name": "Bob", "level": None},
        {"kind": "left", "seat": 1},
        {"kind": "sat", "seat": 1, "by": None, "name": None, "level": "random"},
    ]
    with closing(sqlite3.connect(path)) as db:
        db.executescript(migrations.VERSION_1)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute("PRAGMA user_version = 1")
        db.execute("INSERT INTO tables VALUES ('t', 'rainbow', 'waiting', 1, 'ada', 1, 2)")
        rows = [(number, json.dumps(event).encode()) for number, event in enumerate(log)]
        db.executemany("INSERT INTO events VALUES ('t', ?, 1, ?)", rows)
        db.commit()
    with closing(open_database(path)) as migrated:
        assert migrated.execute("PRAGMA user_version").fetchone()[0] == len(migrations.STEPS)
        assert migrated.execute("SELECT * FROM seated_users").fetchall() == [("t", "ada")]
        bodies = [row[0] for row in migrated.execute("SELECT body FROM events ORDER BY number")]
        assert events.decode(1, bodies[1]).event == events.SeatTaken(0, "ada", "Ada")
        assert len(bodies) == 5


RENAMED_EVENTS: list[tuple[dict[str, Any], events.Event]] = [
    (
        {
            "kind": "created",
            "game": "rainbow",
            "options": {"memory_aid": True},
            "seats": 2,
            "owner": "ada",
            "public": True,
            "clock": {"kind": "bank", "seconds": 60, "increment": 5},
            "takeover": True,
            "waits": True,
            "secret": "00",
            "winners": [1],
            "previous": "t",
            "seed": None,
            "hints": True,
            "imported": False,
            "branch": {"table": "u", "ply": 3},
        },
        events.Created(
            "rainbow",
            {"memory_aid": True},
            2,
            "ada",
            True,
            ClockSettings("bank", 60, 5),
            True,
            True,
            "00",
            [1],
            "t",
            None,
            True,
            False,
            events.Branch("u", 3),
        ),
    ),
    (
        {"kind": "sat", "seat": 1, "by": "ada", "name": "Ada 🌈", "level": None},
        events.SeatTaken(1, "ada", "Ada 🌈"),
    ),
    ({"kind": "left", "seat": 1}, events.SeatLeft(1)),
    ({"kind": "added", "by": "ada", "entropy": "e"}, events.EntropyAdded("ada", "e")),
    ({"kind": "started", "setup": {"by": 1, "id": [2]}, "begins": 7}, events.Started({"by": 1, "id": [2]}, 7)),
    ({"kind": "played", "seat": 0, "text": "S1", "id": "x", "at": 5}, events.MovePlayed(0, "S1", "x", 5)),
    ({"kind": "resigned", "seat": 0}, events.Resigned(0)),
    ({"kind": "timeout", "seat": 0}, events.TimedOut(0)),
    ({"kind": "abandoned"}, events.Abandoned()),
    ({"kind": "taken-over", "seat": 0, "level": "player"}, events.BotTookOver(0, "player")),
    ({"kind": "granted", "seat": 0, "milliseconds": 15}, events.TimeGranted(0, 15)),
    ({"kind": "offered", "by": "ada"}, events.RematchOffered("ada")),
    ({"kind": "followed", "table": "t"}, events.RematchCreated("t")),
]


@pytest.mark.parametrize(("body", "event"), RENAMED_EVENTS, ids=[body["kind"] for body, _ in RENAMED_EVENTS])
def test_event_keeps_its_values_under_new_names(body: dict[str, Any], event: events.Event) -> None:
    renamed = rename_event(json.dumps(body).encode())
    assert events.decode(1, renamed).event == event
    assert set(json.loads(renamed)) <= set(json.loads(events.encode(event))), "every field is known"


def test_every_old_event_is_renamed() -> None:
    assert [body["kind"] for body, _ in RENAMED_EVENTS] == list(RENAMED)
