"""The SQLite store: who was first, what is durable, versions, backups."""

import asyncio
import resource
import shutil
import signal
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest

from sevenhues.client import Client
from sevenhues.server import events
from sevenhues.server.events import Entry
from sevenhues.server.protocol import Clock
from sevenhues.server.store import Identity, Listed, Store, StoreFailed, Summary, Taken, WrongDatabase, keeping
from sevenhues.server.store.migrations import OURS, STEPS, VERSION_1
from sevenhues.server.store.postgres import PostgresStore
from sevenhues.server.store.sqlite import SqliteStore, open_database
from tests.cli.command import complaint, sevenhues
from tests.server.play import until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio
CREATED = events.Created("rainbow", {}, 2, "ada", True, Clock(), False, False, "00" * 32)
SUMMARY = Summary("rainbow", "waiting", True, ("ada",))


async def opened(path: Path) -> SqliteStore:
    store = SqliteStore(path)
    await store.open()
    return store


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    """Make stores that share one database."""
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "s.db")
    address = request.getfixturevalue("postgres").database(f"s{uuid4().hex}")
    return lambda: PostgresStore(address)


async def test_one_of_many_is_first_at_a_number(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    await store.create("t", [Entry(1, CREATED)], SUMMARY)
    wishes = [store.append("t", 1, 2, events.Sat(1, f"p{i}", None), None) for i in range(50)]
    answers = await asyncio.gather(*wishes, return_exceptions=True)
    assert sum(answer is None for answer in answers) == 1
    assert sum(isinstance(answer, Taken) for answer in answers) == 49
    assert len(await store.log("t")) == 2
    with pytest.raises(Taken):
        await store.create("t", [Entry(1, CREATED)], SUMMARY)
    await store.close()


async def test_many_appends_share_a_commit_and_all_are_there_afterwards(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    for table in range(40):
        await store.create(f"t{table}", [Entry(1, CREATED)], SUMMARY)
    before = store.figures()["commits"]
    await asyncio.gather(*[store.append(f"t{i}", 1, 2, events.Left(0), None) for i in range(40)])
    assert store.figures()["commits"] - before < 20
    await store.close()
    again = await opened(tmp_path / "s.db")
    for table in range(40):
        assert (await again.log(f"t{table}"))[1] == Entry(2, events.Left(0))
    await again.close()


async def test_every_event_comes_back_as_it_was(make_store: Callable[[], Store]) -> None:
    log: list[events.Event] = [
        CREATED,
        events.Sat(0, "ada", "Ada 🌈"),
        events.Sat(1, None, None, "master"),
        events.Added("ada", "e" * 20),
        events.Started({"deck": ["RO", "YW"]}, 7),
        events.Played(0, "S1", "id-1"),
        events.TakenOver(0, "player"),
        events.Granted(0, 15),
        events.Resigned(0),
        events.TimedOut(1),
        events.Abandoned(),
        events.Offered("ada"),
        events.Followed("other"),
        events.Left(1),
    ]
    store = make_store()
    await store.open()
    await store.create("t", [Entry(i, event) for i, event in enumerate(log)], SUMMARY)
    assert [entry.event for entry in await store.log("t")] == log
    assert await store.log("t", 12) == [Entry(12, log[12]), Entry(13, log[13])]
    assert await store.log("none") == []
    await store.close()


async def test_lists_go_page_by_page(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    for i in range(10):
        await store.create(f"t{i}", [Entry(i // 2, CREATED)], SUMMARY)
    await store.create("hidden", [Entry(9, CREATED)], Summary("rainbow", "waiting", False, ("bob",)))
    found: list[str] = []
    page: Listed | None = None
    while listed := await store.list_public("waiting", None, page, 3):
        found += [one.id for one in listed]
        page = listed[-1]
    assert found == [f"t{i}" for i in (9, 8, 7, 6, 5, 4, 3, 2, 1, 0)]
    assert [one.id for one in await store.list_of("bob", None, 5)] == ["hidden"]
    assert await store.list_public("waiting", "nimble", None, 5) == []
    await store.remove("hidden")
    assert await store.list_of("bob", None, 5) == []
    assert await store.log("hidden") == []
    await store.close()


async def test_persons_and_codes(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    assert await store.identity("ada") is None
    await store.name_identity("ada", "Ada", 1)
    await store.name_identity("ada", "Ada B", 2)
    assert await store.identity("ada") == Identity("ada", "Ada B", False)
    await store.offer_carry("d1", "ada", 100)
    await store.offer_carry("d2", "ada", 100)
    assert await store.take_carry("d1", 50) is None
    assert await store.take_carry("d2", 101) is None
    await store.offer_carry("d3", "ada", 100)
    taken = await asyncio.gather(*[store.take_carry("d3", 50) for _ in range(5)])
    assert sorted(taken, key=str) == [None, None, None, None, "ada"]
    log: list[events.Event] = [CREATED, events.Sat(0, "ada", "Ada B"), events.Sat(1, "bob", "Bob")]
    await store.create("t", [Entry(1, event) for event in log], Summary("rainbow", "waiting", True, ("ada", "bob")))
    assert await store.delete_identity("ada", 3) == [("t", "waiting")]
    assert await store.identity("ada") == Identity("ada", None, True)
    seated = [entry.event for entry in await store.log("t")][1:]
    assert seated == [events.Sat(0, "ada", "Somebody"), events.Sat(1, "bob", "Bob")]
    await store.check()
    await store.close()


async def test_what_goes_on_and_what_is_stale(make_store: Callable[[], Store]) -> None:
    store = make_store()
    await store.open()
    for name, status, attended in (("a", "waiting", True), ("b", "playing", True), ("c", "playing", False)):
        await store.create(name, [Entry(10, CREATED)], Summary("rainbow", status, True, (), attended))
    assert await store.attended() == ["b"]
    await store.append("b", 1, 20, events.Left(0), None)
    assert sorted(await store.stale("playing", 15)) == ["c"]
    assert await store.heads(["a", "b", "none"]) == {"a": 1, "b": 2}
    await store.append("b", 2, 30, events.Abandoned(), Summary("rainbow", "finished", True, ()))
    assert await store.attended() == []
    await store.close()


async def test_a_vanished_file_fails_loudly(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    await store.create("t", [Entry(1, CREATED)], SUMMARY)
    (tmp_path / "s.db").unlink()
    with pytest.raises(StoreFailed, match="the file is gone"):
        await store.append("t", 1, 2, events.Left(0), None)
    with pytest.raises(StoreFailed):
        await store.check()
    await store.close()


async def test_a_job_that_fails_in_a_way_of_its_own_stops_nobody_else(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    async with asyncio.timeout(10):
        # SQLite's numbers and texts do not hold all that Python's do.
        with pytest.raises(OverflowError):
            await store.create("t", [Entry(2**70, CREATED)], SUMMARY)
        with pytest.raises(UnicodeEncodeError):
            await store.name_identity("ada", "\ud800", 1)
        with pytest.raises(StoreFailed):
            await store.list_of("\ud800", None, 5)
        with pytest.raises(StoreFailed):
            await store.list_of("ada", Listed("t", 2**70), 5)
        await store.create("t", [Entry(1, CREATED)], SUMMARY)
        assert await store.log("t") == [Entry(1, CREATED)]
    await store.close()


async def test_nothing_is_added_to_a_table_that_was_removed(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    await store.create("t", [Entry(1, CREATED)], SUMMARY)
    await store.remove("t")
    with pytest.raises(StoreFailed, match="no table t"):
        await store.append("t", 1, 2, events.Left(0), None)
    assert await store.log("t") == []
    await store.close()


async def test_a_full_disk_fails_loudly_and_all_goes_on_when_there_is_room_again(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    await store.create("t", [Entry(1, CREATED)], SUMMARY)
    long = events.Sat(1, "ben", "x" * 100_000)
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, most[1]))
    try:
        async with asyncio.timeout(20):
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
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
        signal.signal(signal.SIGXFSZ, ignored)
    await store.append("t", written + 1, 2, long, None)
    assert len(await store.log("t")) == written + 2
    await store.close()


def test_only_the_owner_reads_what_is_kept(tmp_path: Path) -> None:
    open_database(tmp_path / "s.db").close()
    keeping.backup(tmp_path / "s.db", tmp_path / "copy.db")
    keeping.restore(tmp_path / "copy.db", tmp_path / "s.db")
    kept = [path for path in tmp_path.iterdir() if path.is_file()]
    assert len(kept) == 3
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}


def test_a_database_of_version_1_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    db = sqlite3.connect(path)
    db.executescript(VERSION_1)
    db.execute(f"PRAGMA application_id = {OURS}")
    db.execute("PRAGMA user_version = 1")
    db.execute("INSERT INTO tables VALUES ('t', 'rainbow', 'waiting', 1, 'ada', 1, 2)")
    log: list[events.Event] = [
        CREATED,
        events.Sat(0, "ada", "Ada"),
        events.Sat(1, "bob", "Bob"),
        events.Left(1),
        events.Sat(1, None, None, "random"),
    ]
    for number, event in enumerate(log):
        db.execute("INSERT INTO events VALUES ('t', ?, 1, ?)", (number, events.encode(event)))
    db.commit()
    db.close()
    opened = open_database(path)
    assert opened.execute("PRAGMA user_version").fetchone()[0] == len(STEPS)
    assert opened.execute("SELECT * FROM persons").fetchall() == [("t", "ada")]
    assert opened.execute("SELECT count(*) FROM events").fetchone()[0] == 5
    opened.close()


def test_a_newer_database_is_refused_and_left_alone(data: Path) -> None:
    data.mkdir()
    open_database(data / "sevenhues.db").close()
    db = sqlite3.connect(data / "sevenhues.db")
    db.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    db.close()
    before = (data / "sevenhues.db").read_bytes()
    told = complaint(sevenhues("serve", "--port", "0", "--data", str(data)), 2)
    assert "written by a newer release" in told
    assert (data / "sevenhues.db").read_bytes() == before


@pytest.mark.parametrize("what", ["text", "foreign"])
def test_what_is_not_ours_is_refused(data: Path, what: str) -> None:
    data.mkdir()
    path = data / "sevenhues.db"
    if what == "text":
        path.write_text("dear diary, " * 500)
    else:
        db = sqlite3.connect(path)
        db.execute("CREATE TABLE diary (line TEXT)")
        db.close()
    before = path.read_bytes()
    with pytest.raises(WrongDatabase):
        open_database(path)
    assert "sevenhues.db is" in complaint(sevenhues("serve", "--port", "0", "--data", str(data)), 2)
    assert path.read_bytes() == before, "it is left as it was"


def test_two_servers_do_not_share_a_data_directory(data: Path) -> None:
    with ServerProcess(data):
        told = complaint(sevenhues("serve", "--port", "0", "--data", str(data)), 2)
        assert "another server is using" in told
        told = complaint(sevenhues("restore", str(data / "sevenhues.db"), "--data", str(data)), 2)
        assert "another server is using" in told


def test_a_port_in_use_is_told(data: Path, tmp_path: Path) -> None:
    with ServerProcess(data) as server:
        told = complaint(sevenhues("serve", "--port", str(server.port), "--data", str(tmp_path / "other")), 2)
        assert "cannot listen at 127.0.0.1" in told


async def test_a_backup_is_taken_while_games_are_played_and_brought_back(data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with ServerProcess(data) as server:
        async with Client(server.url, "Ada") as ada:
            table = await ada.lay("rainbow", ["me", "me"])
            async with ada.live(table.id) as live:
                await live.ready()
                await until(lambda: live.update is not None)
                assert live.update is not None
                await live.move("S1", live.update.turn[0])
                done = await asyncio.to_thread(sevenhues, "backup", str(copy), "--data", str(data))
                assert done.returncode == 0, done.stderr
                assert "1 tables" in done.stdout
                seat = live.update.turn[0]
                await live.look(seat)
                await until(lambda: live.eye().seat == seat)
                await live.move(live.eye().legal[0], seat)
            later = await ada.lay("rainbow", ["me", "open"])
            await asyncio.to_thread(server.stop)
            done = await asyncio.to_thread(sevenhues, "restore", str(copy), "--data", str(data))
            assert done.returncode == 0, done.stderr
            assert "What was there before is in" in done.stdout
            server.start()
            assert (await ada.table(table.id)).ply == 1
            answer = await ada._http.get(f"/api/tables/{later.id}")
            assert answer.status_code == 404
    kept = list(data.glob("sevenhues.db.before-*"))
    assert len(kept) == 1
    shutil.copy(kept[0], tmp_path / "kept.db")
    assert keeping.backup(tmp_path / "kept.db", tmp_path / "again.db") == 2


def test_no_backup_is_made_of_nothing_and_nothing_is_restored_from_nonsense(data: Path, tmp_path: Path) -> None:
    assert "there is no database" in complaint(sevenhues("backup", str(tmp_path / "x"), "--data", str(data)), 2)
    (tmp_path / "nonsense").write_text("nonsense " * 1000)
    told = complaint(sevenhues("restore", str(tmp_path / "nonsense"), "--data", str(data)), 2)
    assert "is no backup of Seven Hues" in told
    assert not (data / "sevenhues.db").exists()


@pytest.mark.parametrize("damage", ["a page", "all"])
def test_a_backup_is_brought_back_over_a_damaged_database(tmp_path: Path, damage: str) -> None:
    path, copy = tmp_path / "s.db", tmp_path / "copy.db"
    open_database(path).close()
    keeping.backup(path, copy)
    whole = path.read_bytes()
    spoilt = whole[:4096] + b"\xff" * (len(whole) - 4096) if damage == "a page" else b"garbage"
    path.write_bytes(spoilt)
    count, kept = keeping.restore(copy, path)
    assert count == 0
    open_database(path).close()
    assert kept is not None
    assert kept.read_bytes() == spoilt, "what was there is kept, as it was"
    assert [*tmp_path.glob("*.new*")] == []


def test_a_backup_does_not_take_the_place_of_the_database(data: Path) -> None:
    path = data / "sevenhues.db"
    data.mkdir()
    open_database(path).close()
    before = path.stat().st_ino
    assert "is the database itself" in complaint(sevenhues("backup", str(path), "--data", str(data)), 2)
    assert "is the database itself" in complaint(sevenhues("restore", str(path), "--data", str(data)), 2)
    assert path.stat().st_ino == before


def test_what_cannot_be_restored_leaves_nothing_behind(tmp_path: Path) -> None:
    path, newer = tmp_path / "s.db", tmp_path / "newer.db"
    open_database(newer).close()
    db = sqlite3.connect(newer)
    db.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    db.execute("PRAGMA journal_mode = DELETE")
    db.close()
    with pytest.raises(WrongDatabase, match="newer release"):
        keeping.restore(newer, path)
    assert [one.name for one in tmp_path.iterdir()] == ["newer.db"]
