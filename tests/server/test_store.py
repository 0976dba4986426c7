"""Stores: concurrent appends, durability, lists, users, backups."""

import asyncio
import resource
import shutil
import signal
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from sevenhues.client import Client
from sevenhues.core.errors import SevenHuesError
from sevenhues.server.main import make_live_tables
from sevenhues.server.query_steps import QuerySteps
from sevenhues.server.settings import Settings
from sevenhues.server.store import (
    Conflict,
    ListedTable,
    Store,
    StoreFailed,
    Summary,
    User,
    WrongDatabase,
    backup,
    sqlite,
)
from sevenhues.server.store.migrations import STEPS
from sevenhues.server.store.postgres import IDLE_SECONDS, NewEvent, PostgresStore
from sevenhues.server.store.sqlite import SqliteStore, open_database
from sevenhues.server.table import events
from sevenhues.server.table.events import ClockSettings, Entry
from tests.cli.command import error_message, invoke, sevenhues
from tests.server.play import seat_to_act, select_view, start_game, wait_until
from tests.server.process import ServerProcess
from tests.server.proxy import Proxy
from tests.server.services import Postgres

pytestmark = pytest.mark.anyio
CREATED = events.Created("rainbow", {}, 2, "ada", True, ClockSettings(), False, False, "00" * 32)
SUMMARY = Summary("rainbow", "waiting", True, ("ada",))


async def open_store(path: Path) -> SqliteStore:
    store = SqliteStore(path)
    await store.open()
    return store


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    """Return a function that makes stores over one database."""
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "s.db")
    address = request.getfixturevalue("postgres").database(f"s{uuid4().hex}")
    return lambda: PostgresStore(address)


async def shorten_idle_time(db: Any) -> None:
    """Shorten the time after which PostgreSQL ends this transaction, so that a test need not wait for it."""
    assert await db.fetchval("SHOW idle_in_transaction_session_timeout") == f"{IDLE_SECONDS}s"
    await db.execute("SET LOCAL idle_in_transaction_session_timeout = '100ms'")


@pytest.mark.slow
async def test_transaction_of_a_paused_process_does_not_block_others(postgres: Postgres) -> None:
    address = postgres.database(f"s{uuid4().hex}")
    paused, running = PostgresStore(address), PostgresStore(address)
    await paused.open()
    await running.open()
    await running.create("t", [Entry(1, CREATED)], SUMMARY)

    async def pause_in_a_transaction() -> None:
        async with paused._transaction() as db:
            await db.execute("UPDATE tables SET updated = 2 WHERE id = 't'")
            await shorten_idle_time(db)
            await running.append("t", 1, 3, events.SeatTaken(1, "ben", None), SUMMARY)

    with pytest.raises(StoreFailed):
        await pause_in_a_transaction()
    assert len(await running.log("t")) == 2
    await asyncio.gather(paused.close(), running.close())


@pytest.mark.slow
async def test_session_ended_by_postgresql_fails_and_is_replaced(postgres: Postgres) -> None:
    """PostgreSQL says that it ends a session before it closes the connection."""
    address = postgres.database(f"s{uuid4().hex}")
    async with Proxy([postgres.port], half_open=True) as proxy:
        store = PostgresStore(address.replace(f":{postgres.port}/", f":{proxy.port}/"))
        await store.open()
        await store.create("t", [Entry(1, CREATED)], SUMMARY)

        async def pause_in_a_transaction() -> None:
            async with store._transaction() as db:
                await db.execute("DELETE FROM tables WHERE id = 't'")
                await shorten_idle_time(db)
                await proxy.server_closed.wait()

        with pytest.raises(StoreFailed, match="another operation"):
            await pause_in_a_transaction()
        assert len(await store.log("t")) == 1
    await store.close()


async def test_one_of_concurrent_appends_gets_the_number(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    await store.create("t", [Entry(1, CREATED)], SUMMARY)
    appends = [store.append("t", 1, 2, events.SeatTaken(1, f"p{i}", None), None) for i in range(50)]
    answers = await asyncio.gather(*appends, return_exceptions=True)
    assert sum(answer is None for answer in answers) == 1
    assert sum(isinstance(answer, Conflict) for answer in answers) == 49
    assert len(await store.log("t")) == 2
    with pytest.raises(Conflict):
        await store.create("t", [Entry(1, CREATED)], SUMMARY)
    await store.close()


async def test_concurrent_appends_share_commits_and_are_all_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_store(tmp_path / "s.db")
    for table in range(40):
        await store.create(f"t{table}", [Entry(1, CREATED)], SUMMARY)
    commits: list[int] = []

    def count_commit(db: sqlite3.Connection, batch: list[sqlite.Job], path: Path) -> list[sqlite.Result]:
        commits.append(len(batch))
        return commit(db, batch, path)

    commit = sqlite._commit
    monkeypatch.setattr(sqlite, "_commit", count_commit)
    release = threading.Event()

    def block_writer() -> QuerySteps[None]:
        release.wait()
        yield "SELECT 1", ()

    blocked = asyncio.create_task(store.change_ratings(block_writer()))
    appends = [asyncio.create_task(store.append(f"t{i}", 1, 2, events.SeatLeft(0), None)) for i in range(40)]
    await asyncio.sleep(0)  # every task has run as far as it can: its job is queued
    release.set()
    await asyncio.gather(blocked, *appends)
    assert len(commits) <= 2
    assert sum(commits) == 41
    await store.close()
    again = await open_store(tmp_path / "s.db")
    for table in range(40):
        assert (await again.log(f"t{table}"))[1] == Entry(2, events.SeatLeft(0))
    await again.close()


@pytest.mark.slow
async def test_concurrent_appends_and_reads_of_postgresql_share_statements_and_fail_alone(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = PostgresStore(postgres.database(f"s{uuid4().hex}"))
    await store.open()
    tables = [f"t{number}" for number in range(40)]
    for table in tables:
        await store.create(table, [Entry(1, CREATED)], SUMMARY)
    statements: list[str] = []
    fetch = store._fetch

    def count_statement(sql: str, *values: object) -> Any:
        statements.append(sql)
        return fetch(sql, *values)

    monkeypatch.setattr(store, "_fetch", count_statement)
    appends = [store.append(table, 1, 2, events.SeatLeft(0), None) for table in tables]
    conflicting, removed = (store.append(table, 0, 2, events.SeatLeft(0), None) for table in ("t0", "none"))
    *stored, conflict, failed = await asyncio.gather(*appends, conflicting, removed, return_exceptions=True)
    assert stored == [None] * 40
    assert isinstance(conflict, Conflict)
    assert isinstance(failed, StoreFailed)
    assert await asyncio.gather(*[store.log(table, 1) for table in tables]) == [[Entry(2, events.SeatLeft(0))]] * 40
    assert len(statements) == 2
    await fetch("UPDATE events SET body = 'nonsense' WHERE table_id = 't0'")
    unreadable, log = await asyncio.gather(store.log("t0"), store.log("t1"), return_exceptions=True)
    assert isinstance(unreadable, msgspec.DecodeError)
    assert log == [Entry(1, CREATED), Entry(2, events.SeatLeft(0))]
    await store.close()


@pytest.mark.slow
async def test_batches_of_two_processes_with_the_same_events_do_not_wait_for_each_other(postgres: Postgres) -> None:
    address = postgres.database(f"s{uuid4().hex}")
    stores = PostgresStore(address), PostgresStore(address)
    for store in stores:
        await store.open()
    await stores[0].create("t", [Entry(1, CREATED)], SUMMARY)
    batch = [NewEvent("t", number, 2, events.encode(events.SeatLeft(0)), ()) for number in range(1, 5001)]
    answers = await asyncio.gather(stores[0]._append_batch(batch), stores[1]._append_batch(batch[::-1]))
    assert all(one != other for one, other in zip(answers[0], answers[1][::-1], strict=True))
    assert len(await stores[0].log("t")) == 5001
    await asyncio.gather(*[store.close() for store in stores])


async def test_every_event_is_read_as_it_was_written(make_store: Callable[[], Store]) -> None:
    log: list[events.Event] = [
        CREATED,
        events.SeatTaken(0, "ada", "Ada 🌈"),
        events.SeatTaken(1, None, None, "master"),
        events.EntropyAdded("ada", "e" * 20),
        events.Started({"deck": ["RO", "YW"]}, 7),
        events.MovePlayed(0, "S1", "id-1"),
        events.BotTookOver(0, "player"),
        events.TimeGranted(0, 15),
        events.Resigned(0),
        events.TimedOut(1),
        events.Abandoned(),
        events.RematchOffered("ada"),
        events.RematchCreated("other"),
        events.SeatLeft(1),
    ]
    store = make_store()
    await store.open()
    await store.create("t", [Entry(i, event) for i, event in enumerate(log)], SUMMARY)
    assert [entry.event for entry in await store.log("t")] == log
    assert await store.log("t", 12) == [Entry(12, log[12]), Entry(13, log[13])]
    assert await store.log("none") == []
    await store.close()


async def test_lists_are_paged(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    for i in range(10):
        await store.create(f"t{i}", [Entry(i // 2, CREATED)], SUMMARY)
    await store.create("hidden", [Entry(9, CREATED)], Summary("rainbow", "waiting", False, ("bob",)))
    ids: list[str] = []
    page: ListedTable | None = None
    while listed := await store.list_public("waiting", None, page, 3):
        ids += [one.id for one in listed]
        page = listed[-1]
    assert ids == [f"t{i}" for i in (9, 8, 7, 6, 5, 4, 3, 2, 1, 0)]
    assert [one.id for one in await store.list_of_user("bob", None, 5)] == ["hidden"]
    assert await store.list_public("waiting", "nimble", None, 5) == []
    await store.remove("hidden")
    assert await store.list_of_user("bob", None, 5) == []
    assert await store.log("hidden") == []
    await store.close()


async def test_users_and_transfer_codes(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    assert await store.user("ada") is None
    await store.rename_user("ada", "Ada", 1)
    await store.rename_user("ada", "Ada B", 2)
    assert await store.user("ada") == User("ada", "Ada B", False)
    await store.save_transfer_code("d1", "ada", 100, 1)
    await store.save_transfer_code("d2", "ada", 100, 1)
    assert await store.redeem_transfer_code("d1", 50) is None
    assert await store.redeem_transfer_code("d2", 101) is None
    await store.save_transfer_code("d3", "ada", 100, 1)
    taken = await asyncio.gather(*[store.redeem_transfer_code("d3", 50) for _ in range(5)])
    assert sorted(taken, key=str) == [None, None, None, None, "ada"]
    log: list[events.Event] = [CREATED, events.SeatTaken(0, "ada", "Ada B"), events.SeatTaken(1, "bob", "Bob")]
    await store.create("t", [Entry(1, event) for event in log], Summary("rainbow", "waiting", True, ("ada", "bob")))
    assert await store.delete_user("ada", 3) == [("t", "waiting")]
    assert await store.user("ada") == User("ada", None, True)
    seated = [entry.event for entry in await store.log("t")][1:]
    assert seated == [events.SeatTaken(0, "ada", "Somebody"), events.SeatTaken(1, "bob", "Bob")]
    await store.check_writable()
    await store.close()


async def test_name_of_a_user_who_left_a_table_is_deleted_there(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    log: list[events.Event] = [CREATED, events.SeatTaken(0, "ada", "Ada B"), events.SeatTaken(1, "bob", "Bob")]
    await store.create("t", [Entry(1, event) for event in log], Summary("rainbow", "waiting", True, ("ada", "bob")))
    await store.append("t", 3, 2, events.SeatLeft(0), Summary("rainbow", "waiting", True, ("bob",)))
    stored = [entry.event for entry in await store.log("t")]
    left = [events.SeatTaken(0, "ada", "Somebody"), events.SeatTaken(1, "bob", "Bob"), events.SeatLeft(0)]
    assert stored == [CREATED, *left]
    await store.close()


@pytest.mark.parametrize("reading", [False, True], ids=["alone", "during a backup"])
async def test_deleted_name_is_in_no_file_while_the_server_runs(tmp_path: Path, reading: bool) -> None:
    name = "Augusta King"
    store = await open_store(tmp_path / "s.db")
    await store.rename_user("ada", name, 1)
    seated = [Entry(1, CREATED), Entry(1, events.SeatTaken(0, "ada", name))]
    await store.create("t", seated, SUMMARY)

    def files_with_name() -> list[str]:
        return [path.name for path in tmp_path.iterdir() if name.encode() in path.read_bytes()]

    assert files_with_name() == ["s.db-wal"]
    reader = sqlite3.connect(tmp_path / "s.db", isolation_level=None)
    if reading:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM users").fetchone()
    await store.delete_user("ada", 2)
    assert reading or files_with_name() == []
    reader.close()
    await wait_until(lambda: files_with_name() == [])
    await store.append("t", 2, 3, events.SeatLeft(1), None)
    await store.close()


async def test_expired_transfer_codes_of_others_are_deleted(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "s.db")
    await store.save_transfer_code("d1", "ada", 100, 1)
    await store.save_transfer_code("d2", "ben", 200, 100)
    await store.save_transfer_code("d3", "zoe", 200, 101)
    assert await store.read_rows("SELECT digest FROM transfer_codes ORDER BY digest") == [("d2",), ("d3",)]
    await store.close()


async def test_deleted_names_are_overwritten_in_the_database(tmp_path: Path) -> None:
    """SQLite would leave some of them in the free space of pages."""
    names = {f"user-{number}": f"Augusta number {number} of the Kings" for number in range(20)}
    store = await open_store(tmp_path / "s.db")
    for user_id, name in names.items():
        await store.rename_user(user_id, name, 1)
    for user_id in names:
        await store.delete_user(user_id, 2)
    stored = (tmp_path / "s.db").read_bytes() + (tmp_path / "s.db-wal").read_bytes()
    assert [name for name in names.values() if name.encode() in stored] == []
    await store.close()


async def test_tables_that_need_an_owner_and_inactive_tables(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    for name, status, needs_owner in (("a", "waiting", True), ("b", "playing", True), ("c", "playing", False)):
        await store.create(name, [Entry(10, CREATED)], Summary("rainbow", status, True, (), needs_owner))
    assert await store.tables_needing_owner() == ["b"]
    await store.append("b", 1, 20, events.SeatLeft(0), None)
    assert sorted(await store.inactive_tables("playing", 15)) == ["c"]
    assert await store.log_lengths(["a", "b", "none"]) == {"a": 1, "b": 2}
    await store.append("b", 2, 30, events.Abandoned(), Summary("rainbow", "finished", True, ()))
    assert await store.tables_needing_owner() == []
    await store.close()


async def test_append_to_a_deleted_file_fails(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "s.db")
    await store.create("t", [Entry(1, CREATED)], SUMMARY)
    (tmp_path / "s.db").unlink()
    with pytest.raises(StoreFailed, match="the file was deleted"):
        await store.append("t", 1, 2, events.SeatLeft(0), None)
    with pytest.raises(StoreFailed):
        await store.check_writable()
    await store.close()


async def test_unstorable_values_fail_alone(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "s.db")
    async with asyncio.timeout(60):
        # Python has integers and strings that SQLite cannot store.
        with pytest.raises(OverflowError):
            await store.create("t", [Entry(2**70, CREATED)], SUMMARY)
        with pytest.raises(UnicodeEncodeError):
            await store.rename_user("ada", "\ud800", 1)
        with pytest.raises(StoreFailed):
            await store.list_of_user("\ud800", None, 5)
        with pytest.raises(StoreFailed):
            await store.list_of_user("ada", ListedTable("t", 2**70), 5)
        await store.create("t", [Entry(1, CREATED)], SUMMARY)
        assert await store.log("t") == [Entry(1, CREATED)]
    await store.close()


async def test_append_to_a_removed_table_fails(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    await store.create("t", [Entry(1, CREATED)], SUMMARY)
    await store.remove("t")
    with pytest.raises(StoreFailed, match="table t does not exist"):
        await store.append("t", 1, 2, events.SeatLeft(0), None)
    assert await store.log("t") == []
    await store.close()


async def test_append_fails_on_a_full_disk_and_succeeds_afterwards(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "s.db")
    await store.create("t", [Entry(1, CREATED)], SUMMARY)
    long = events.SeatTaken(1, "ben", "x" * 100_000)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, limits[1]))
    try:
        async with asyncio.timeout(60):
            written = 0
            with suppress(StoreFailed):
                for number in range(1, 9):
                    await store.append("t", number, 2, long, None)
                    written = number
            assert written < 8
            with pytest.raises(StoreFailed):
                await store.append("t", written + 1, 2, long, None)
            assert len(await store.log("t")) == written + 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)
    await store.append("t", written + 1, 2, long, None)
    assert len(await store.log("t")) == written + 2
    await store.close()


def test_database_and_backups_are_readable_by_the_owner_alone(tmp_path: Path) -> None:
    open_database(tmp_path / "s.db").close()
    backup.backup(tmp_path / "s.db", tmp_path / "copy.db")
    backup.restore(tmp_path / "copy.db", tmp_path / "s.db")
    kept = [path for path in tmp_path.iterdir() if path.is_file()]
    assert len(kept) == 3
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}


@pytest.mark.slow
def test_database_of_a_newer_release_is_refused_and_not_changed(data: Path) -> None:
    data.mkdir()
    open_database(data / "sevenhues.db").close()
    db = sqlite3.connect(data / "sevenhues.db")
    db.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    db.close()
    before = (data / "sevenhues.db").read_bytes()
    message = error_message(sevenhues("serve", "--port", "0", "--data", str(data)), 2)
    assert "written by a newer release" in message
    assert (data / "sevenhues.db").read_bytes() == before


@pytest.mark.parametrize("content", ["text", "foreign"])
def test_file_of_another_program_is_refused_and_not_changed(data: Path, content: str) -> None:
    data.mkdir()
    path = data / "sevenhues.db"
    if content == "text":
        path.write_text("dear diary, " * 500)
    else:
        db = sqlite3.connect(path)
        db.execute("CREATE TABLE diary (line TEXT)")
        db.close()
    before = path.read_bytes()
    with pytest.raises(WrongDatabase):
        open_database(path)
    with pytest.raises(SevenHuesError, match=r"sevenhues\.db is"):
        make_live_tables(Settings(data))
    assert path.read_bytes() == before


@pytest.mark.slow
def test_data_directory_in_use_is_refused(sqlite_server: ServerProcess) -> None:
    data = str(sqlite_server.data)
    assert "another server is using" in error_message(sevenhues("serve", "--port", "0", "--data", data), 2)
    restore = invoke("restore", str(sqlite_server.data / "sevenhues.db"), "--data", data)
    assert "another server is using" in error_message(restore, 2)


@pytest.mark.slow
def test_port_in_use_is_reported(sqlite_server: ServerProcess, data: Path) -> None:
    done = sevenhues("serve", "--port", str(sqlite_server.port), "--data", str(data))
    assert "cannot listen on 127.0.0.1" in error_message(done, 2)


def test_database_of_a_server_killed_in_a_checkpoint_is_opened(tmp_path: Path) -> None:
    source, path = tmp_path / "source.db", tmp_path / "killed.db"
    source_wal, wal = source.with_name("source.db-wal"), path.with_name("killed.db-wal")
    db = open_database(source)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.execute("PRAGMA wal_autocheckpoint = 0")
    db.execute("CREATE TABLE later (body TEXT)")
    db.executemany("INSERT INTO later VALUES (?)", [(str(number) * 900,) for number in range(20)])
    before, log = source.read_bytes(), source_wal.read_bytes()
    db.execute("PRAGMA wal_checkpoint(PASSIVE)")
    after = source.read_bytes()
    db.close()
    page_size = int.from_bytes(after[16:18])
    assert len(after) > len(before) + 5 * page_size
    # A checkpoint writes pages in their order; the server may be killed after any of them.
    for written in range(0, len(after) + 1, page_size):
        for stale in path.parent.glob("killed.db*"):
            stale.unlink()
        path.write_bytes(after[:written] + before[written:])
        wal.write_bytes(log)
        killed = open_database(path)
        assert killed.execute("SELECT count(*) FROM later").fetchone() == (20,), written
        assert killed.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        killed.close()


def test_newer_database_whose_version_is_in_the_wal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    writer = open_database(path)
    writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    writer.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    with pytest.raises(WrongDatabase, match="written by a newer release"):
        open_database(path)
    writer.close()


@pytest.mark.slow
async def test_backup_of_a_running_server_is_restored(data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with ServerProcess(data) as server:
        async with Client(server.url, "Ada") as ada:
            table = await ada.create_table("rainbow", ["me", "me"])
            async with ada.live(table.id) as live:
                await start_game(live)
                await live.move("S1", seat_to_act(live))
                done = await asyncio.to_thread(sevenhues, "backup", str(copy), "--data", str(data))
                assert done.returncode == 0, done.stderr
                assert "1 tables" in done.stdout
                seat = seat_to_act(live)
                await select_view(live, seat)
                await live.move(live.seat_view().legal[0], seat)
            later = await ada.create_table("rainbow", ["me", "open"])
            await asyncio.to_thread(server.stop)
            done = await asyncio.to_thread(sevenhues, "restore", str(copy), "--data", str(data))
            assert done.returncode == 0, done.stderr
            assert "The replaced database is in" in done.stdout
            server.start()
            assert (await ada.table(table.id)).ply == 1
            answer = await ada._http.get(f"/api/tables/{later.id}")
            assert answer.status_code == 404
    kept = list(data.glob("sevenhues.db.before-*"))
    assert len(kept) == 1
    shutil.copy(kept[0], tmp_path / "kept.db")
    assert backup.backup(tmp_path / "kept.db", tmp_path / "again.db") == 2


def test_backup_of_nothing_and_restore_of_garbage_fail(data: Path, tmp_path: Path) -> None:
    assert "there is no database" in error_message(invoke("backup", str(tmp_path / "x"), "--data", str(data)), 2)
    (tmp_path / "nonsense").write_text("nonsense " * 1000)
    message = error_message(invoke("restore", str(tmp_path / "nonsense"), "--data", str(data)), 2)
    assert "is not a backup of Seven Hues" in message
    assert not (data / "sevenhues.db").exists()


@pytest.mark.parametrize("damage", ["a page", "all"])
def test_backup_is_restored_over_a_damaged_database(tmp_path: Path, damage: str) -> None:
    path, copy = tmp_path / "s.db", tmp_path / "copy.db"
    open_database(path).close()
    backup.backup(path, copy)
    whole = path.read_bytes()
    damaged = whole[:4096] + b"\xff" * (len(whole) - 4096) if damage == "a page" else b"garbage"
    path.write_bytes(damaged)
    count, previous = backup.restore(copy, path)
    assert count == 0
    open_database(path).close()
    assert previous is not None
    assert previous.read_bytes() == damaged, "the damaged file is kept"
    assert [*tmp_path.glob("*.new*")] == []


def test_backup_onto_the_database_itself_is_refused(data: Path) -> None:
    path = data / "sevenhues.db"
    data.mkdir()
    open_database(path).close()
    before = path.stat().st_ino
    assert "is the database itself" in error_message(invoke("backup", str(path), "--data", str(data)), 2)
    assert "is the database itself" in error_message(invoke("restore", str(path), "--data", str(data)), 2)
    assert path.stat().st_ino == before


def test_failed_restore_leaves_no_files(tmp_path: Path) -> None:
    path, newer = tmp_path / "s.db", tmp_path / "newer.db"
    open_database(newer).close()
    db = sqlite3.connect(newer)
    db.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    db.execute("PRAGMA journal_mode = DELETE")
    db.close()
    with pytest.raises(WrongDatabase, match="newer release"):
        backup.restore(newer, path)
    assert [one.name for one in tmp_path.iterdir()] == ["newer.db"]
