"""The lock on a PostgreSQL database: servers that do not know of each other cannot share it."""

import logging
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest

from sevenhues.core.errors import SevenHuesError
from sevenhues.server.main import locked
from sevenhues.server.settings import Settings
from sevenhues.server.store import StoreFailed, postgres_lock
from sevenhues.server.store.postgres_lock import SERVER_LOCK, locked_database
from tests.cli.command import error_message, sevenhues
from tests.server.play import wait_until
from tests.server.process import ServerProcess
from tests.server.services import Postgres

pytestmark = pytest.mark.slow
HOLDERS = (
    "FROM pg_locks JOIN pg_database ON pg_database.oid = database"
    " WHERE locktype = 'advisory' AND objid = $1 AND granted AND datname = current_database()"
)


@pytest.fixture
def database(postgres: Postgres) -> str:
    return postgres.database(f"l{uuid4().hex}")


def refusal(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> str:
    """Try to lock a database once, and return why that is refused."""
    with monkeypatch.context() as patch:
        patch.setattr(postgres_lock, "WAIT_SECONDS", 0.0)
        with pytest.raises(SevenHuesError) as refused, locked(settings):
            raise AssertionError
    return str(refused.value)


def test_servers_without_redis_are_alone_and_servers_with_redis_share(
    data: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = Settings(data, database_url=database)
    with_redis = alone._replace(redis_url="redis://127.0.0.1")
    with locked(alone):
        assert "another server is using the database '127.0.0.1:" in refusal(alone, monkeypatch)
        assert "a server without --redis-url is using the database" in refusal(with_redis, monkeypatch)
    with locked(with_redis), locked(with_redis):
        assert "start both with the same --redis-url" in refusal(alone, monkeypatch)
    with locked(alone):
        pass


def test_address_without_a_database_is_reported() -> None:
    with pytest.raises(StoreFailed, match="cannot open the database"), locked_database("postgresql://x@127.0.0.1:1/x"):
        raise AssertionError


@pytest.mark.anyio
async def test_lost_lock_is_taken_again_and_logged(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(postgres_lock, "CHECK_SECONDS", 0.01)
    caplog.set_level(logging.INFO, "sevenhues")
    with locked_database(database):
        db = await asyncpg.connect(database)
        assert await db.fetchval(f"SELECT count(pg_terminate_backend(pid)) {HOLDERS}", SERVER_LOCK) == 1
        await wait_until(lambda: "the lock on the database is held again" in caplog.text)
        assert "the lock on the database is lost and taken again" in caplog.text
        await db.close()


@pytest.mark.long
def test_second_server_is_refused_and_a_killed_one_starts_again(data: Path, database: str) -> None:
    with ServerProcess(data / "one", "--database-url", database) as server:
        arguments = ("serve", "--port", "0", "--data", str(data / "two"), "--database-url", database)
        assert "another server is using the database" in error_message(sevenhues(*arguments), 2)
        server.kill()
        server.start()
