"""What tests of the server share: a running one over either store, and the real databases behind it."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from tests.server.process import ServerProcess
from tests.server.services import Postgres, Redis


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    service = Postgres(tmp_path_factory.mktemp("services") / "postgres")
    service.start()
    yield service
    service.stop()


@pytest.fixture(scope="session")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    service = Redis(tmp_path_factory.mktemp("services") / "redis")
    service.start()
    yield service
    service.stop()


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that the tests of one file share, over either store: each lays tables of its own."""
    more = shared(request) if request.param == "postgres" else ()
    with ServerProcess(tmp_path_factory.mktemp("served"), *more) as running:
        yield running


def shared(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """Return how to serve a new PostgreSQL database with Redis."""
    database: Postgres = request.getfixturevalue("postgres")
    bus: Redis = request.getfixturevalue("redis")
    return "--store", database.database(f"t{uuid4().hex}"), "--bus", bus.address


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"
