"""Scheduled backups: what they hold, which are deleted, what happens when one fails, and a rehearsed restore."""

import asyncio
import os
import random
import shutil
import stat
import threading
import time
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
import pytest

from sevenhues.client import Client, Live
from sevenhues.core import record
from sevenhues.core.errors import SevenHuesError
from sevenhues.server.accounts.cookies import load_keys
from sevenhues.server.jobs.backup_schedule import BackupSchedule
from sevenhues.server.main import check_backups
from sevenhues.server.metrics import Metrics
from sevenhues.server.settings import Settings
from sevenhues.server.store import StoreFailed, WrongDatabase
from sevenhues.server.store.backup_folder import MANIFEST, Backup, BackupFolder, Sources, read_backup, restore_backup
from sevenhues.server.store.sqlite import open_database
from tests.cli.command import error_message, invoke, sevenhues
from tests.server.play import Moves, play_on, wait_until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio


def sources_in(data: Path) -> Sources:
    """Return the files of a server that has been started once."""
    sources = Sources(data / "sevenhues.db", data / "signing.keys", data / "push.key")
    open_database(sources.database).close()
    load_keys(sources.signing_keys)
    sources.push_key.write_bytes(b"a key")
    return sources


def date(backup: Backup, created_ms: int) -> None:
    """Let a backup say that it was written at another time."""
    manifest = msgspec.structs.replace(backup.manifest, created_ms=created_ms)
    (backup.path / MANIFEST).write_bytes(msgspec.json.encode(manifest))


def test_backup_holds_database_and_keys_for_its_owner_alone(tmp_path: Path) -> None:
    sources = sources_in(tmp_path / "data")
    backup = BackupFolder(tmp_path / "backups", sources).write()
    assert read_backup(backup.path) == backup
    assert set(backup.manifest.files) == {"sevenhues.db", "signing.keys", "push.key"}
    assert (backup.path / "signing.keys").read_bytes() == sources.signing_keys.read_bytes()
    modes = {stat.S_IMODE(path.stat().st_mode) for path in backup.path.iterdir()}
    assert modes == {0o600}
    assert stat.S_IMODE(backup.path.stat().st_mode) == 0o700


def test_rotation_keeps_the_newest_backups(tmp_path: Path) -> None:
    folder = BackupFolder(tmp_path / "backups", sources_in(tmp_path / "data"))
    written = [folder.write() for _ in range(4)]
    assert len({backup.path for backup in written}) == 4
    assert folder.rotate(2) == [backup.path for backup in written[:2]]
    assert [backup.path for backup in folder.backups()] == [backup.path for backup in written[2:]]


def test_rotation_deletes_nothing_that_this_server_did_not_write(tmp_path: Path) -> None:
    backups = tmp_path / "backups"
    other = BackupFolder(backups, sources_in(tmp_path / "other")).write()
    folder = BackupFolder(backups, sources_in(tmp_path / "data"))
    old = folder.write()
    (old.path / "notes.txt").write_text("of the operator")
    without_manifest = backups / "sevenhues-20200101T000000Z"
    without_manifest.mkdir()
    (without_manifest / "sevenhues.db").write_text("of the operator")
    (backups / "keep.db").write_text("of the operator")
    newest = folder.write()
    folder.rotate(1)
    assert sorted(backups.iterdir()) == sorted(
        [other.path, old.path, without_manifest, backups / "keep.db", newest.path]
    )
    assert os.listdir(old.path) == ["notes.txt"]
    assert os.listdir(without_manifest) == ["sevenhues.db"]
    assert read_backup(other.path) == other


def test_nothing_behind_a_link_is_deleted(tmp_path: Path) -> None:
    backups, sources = tmp_path / "backups", sources_in(tmp_path / "data")
    folder = BackupFolder(backups, sources)
    elsewhere = tmp_path / "elsewhere"
    folder.write().path.rename(elsewhere)
    (backups / "sevenhues-20200101T000000Z").symlink_to(elsewhere)
    (backups / ".sevenhues-20200101T000000Z.new").symlink_to(sources.database.parent)
    folder.write()
    folder.write()
    assert len(folder.rotate(1)) == 1
    assert read_backup(elsewhere) is not None
    assert sources.signing_keys.exists()


def test_rotation_keeps_the_backup_that_was_just_written_after_the_clock_was_set_back(tmp_path: Path) -> None:
    folder = BackupFolder(tmp_path / "backups", sources_in(tmp_path / "data"))
    future = folder.write()
    newest = folder.write()
    date(future, newest.created_ms + 10**9)
    os.utime(future.path, (1, 1))
    folder.rotate(1)
    assert [backup.path for backup in folder.backups()] == [newest.path, future.path]


def test_incomplete_backup_is_no_backup_and_an_interrupted_one_is_cleared_away(tmp_path: Path) -> None:
    sources = sources_in(tmp_path / "data")
    folder = BackupFolder(tmp_path / "backups", sources)
    cut = folder.write()
    with open(cut.path / "sevenhues.db", "r+b") as file:
        file.truncate(100)
    assert folder.backups() == []
    with pytest.raises(WrongDatabase, match="not a complete backup"):
        restore_backup(cut.path, sources, replace_keys=False)
    interrupted = folder.path / ".sevenhues-20200101T000000Z.new"
    interrupted.mkdir()
    (interrupted / "sevenhues.db").write_bytes(b"half")
    folder.write()
    assert not interrupted.exists()


def test_backup_that_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    folder = BackupFolder(tmp_path / "backups", sources_in(tmp_path / "data"))
    stop = threading.Event()
    stop.set()
    with pytest.raises(StoreFailed, match="was given up"):
        folder.write(stop)
    assert os.listdir(folder.path) == []


def test_restore_keeps_other_keys_unless_they_are_to_be_replaced(tmp_path: Path) -> None:
    sources = sources_in(tmp_path / "data")
    backup = BackupFolder(tmp_path / "backups", sources).write()
    saved = sources.signing_keys.read_bytes()
    sources.signing_keys.unlink()
    load_keys(sources.signing_keys)
    other = sources.signing_keys.read_bytes()
    sources.push_key.unlink()
    assert restore_backup(backup.path, sources, replace_keys=False)[2] == [sources.signing_keys]
    assert sources.signing_keys.read_bytes() == other
    assert sources.push_key.read_bytes() == b"a key"
    assert restore_backup(backup.path, sources, replace_keys=True)[2] == []
    assert sources.signing_keys.read_bytes() == saved


class CountedBackups(Metrics):
    def __init__(self) -> None:
        self.outcomes: list[str] = []
        self.last = 0.0

    def count_backup(self, outcome: str) -> None:
        self.outcomes.append(outcome)

    def set_last_backup(self, at_seconds: float) -> None:
        self.last = at_seconds


async def test_failed_backup_is_logged_counted_and_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = BackupFolder(tmp_path / "disk" / "backups", sources_in(tmp_path / "data"))
    (tmp_path / "disk").write_text("not a directory yet")
    metrics = CountedBackups()
    schedule = BackupSchedule(folder, 0.05, 2, metrics)
    await schedule.open()
    await wait_until(lambda: "failed" in metrics.outcomes)
    assert schedule.error
    # The thread that writes backups logs the failure after it has counted it.
    await wait_until(
        lambda: any(
            entry.levelname == "ERROR" and "a backup failed" in entry.getMessage() for entry in [*caplog.records]
        )
    )
    (tmp_path / "disk").unlink()
    await wait_until(lambda: "written" in metrics.outcomes)
    await wait_until(lambda: schedule.error is None)
    await schedule.close()
    assert folder.backups()


async def test_restarted_server_waits_until_the_next_backup_is_due(tmp_path: Path) -> None:
    folder = BackupFolder(tmp_path / "backups", sources_in(tmp_path / "data"))
    newest = folder.write()
    metrics = CountedBackups()
    schedule = BackupSchedule(folder, 3600, 2, metrics)
    await schedule.open()
    await wait_until(lambda: metrics.last)
    assert metrics.last == newest.created_ms / 1000
    await schedule.close()
    assert folder.backups() == [newest]


def test_unusable_options_of_backups_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    data = ["--data", str(tmp_path / "data"), "--port", "0"]
    message = error_message(invoke("serve", *data, "--backup-dir", str(tmp_path / "file" / "backups")), 2)
    assert "--backup-dir" in message
    assert "Not a directory" in message
    settings = Settings(tmp_path, backup_dir=tmp_path / "b", database_url="postgresql://x/y")
    with pytest.raises(SevenHuesError, match="back up PostgreSQL by its own means"):
        check_backups(settings)


async def make_moves(live: Live, rng: random.Random, acknowledged: list[tuple[float, Moves]]) -> None:
    """Move whenever it is the player's turn, and keep each move with the time at which it was acknowledged."""
    while live.update is None or live.update.result is None:
        moves = await play_on(live, rng, 1, pause=0.02)
        acknowledged.append((time.time() * 1000, moves))


@pytest.mark.slow
async def test_tables_of_a_destroyed_server_are_restored_from_a_backup_and_go_on(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    options = ("--backup-dir", str(folder), "--backup-every", "1s", "--backup-keep", "3")
    with ServerProcess(data, *options) as server:
        async with AsyncExitStack() as stack:
            ada = await stack.enter_async_context(Client(server.url, "Ada"))
            ben = await stack.enter_async_context(Client(server.url, "Ben"))
            ids = [(await ada.create_table("rainbow-road", ["me", "open"])).id for _ in range(2)]
            playing, acknowledged = [], [[list[tuple[float, Moves]]() for _ in (ada, ben)] for _ in ids]
            for number, id in enumerate(ids):
                await ben.join(id)
                for player, client in enumerate((ada, ben)):
                    live = await stack.enter_async_context(client.live(id))
                    moving = make_moves(live, random.Random(player), acknowledged[number][player])
                    playing.append(asyncio.create_task(moving))
            # A backup that began when each player had moved.
            await wait_until(lambda: all(moves for players in acknowledged for moves in players))
            moved_ms = time.time() * 1000
            backups = BackupFolder(folder, Sources(server.data / "sevenhues.db", Path(), Path())).backups
            await wait_until(lambda: any(backup.created_ms > moved_ms for backup in backups()))
            await asyncio.to_thread(server.kill)
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            cookies = ada.cookie, ben.cookie
        newest = backups()[-1]
        shutil.rmtree(data)
        data.mkdir()
        done = await asyncio.to_thread(sevenhues, "restore", str(newest.path), "--data", str(data))
        assert done.returncode == 0, done.stderr
        assert "Restored 2 tables." in done.stdout
        server.start()
        async with Client(server.url, cookie=cookies[0]) as ada, Client(server.url, cookie=cookies[1]) as ben:
            for id, players in zip(ids, acknowledged, strict=True):
                async with ada.live(id) as first, ben.live(id) as second:
                    assert first.update is not None
                    restored = first.update.ply
                    await asyncio.gather(play_on(first, random.Random(3)), play_on(second, random.Random(4)))
                played = record.read(await ada.record(id))
                recorded = [(ply + 1, move.seat, move.text) for ply, move in enumerate(played.moves)]
                timed = [(at_ms, move) for one in players for at_ms, moves in one for move in moves]
                before = {move for at_ms, move in timed if at_ms < newest.created_ms}
                assert before <= set(recorded[:restored])
                assert {move for _, move in timed if move[0] <= restored} <= set(recorded[:restored])
