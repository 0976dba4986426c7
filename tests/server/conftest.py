"""Fixtures of the server's tests: running servers over either store, and the databases behind them.

A test that uses a running server is slow. Tests of what PostgreSQL may do differently run over both stores in
`make test`; all others run over SQLite there, and over PostgreSQL too in `make test-long`.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from tests.server.process import ServerProcess
from tests.server.services import Postgres, Redis

ANALYSIS_SIMULATIONS = 8
OPTIONS = ("--no-limits", "--log-level", "debug", "--analysis-simulations", str(ANALYSIS_SIMULATIONS))


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with Postgres() as service:
        yield service


@pytest.fixture(scope="session")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    with Redis(tmp_path_factory.mktemp("redis") / "data") as service:
        yield service


@pytest.fixture(scope="session")
def new_shared_store(postgres: Postgres, redis: Redis) -> Callable[[], tuple[str, ...]]:
    """Return a function that creates a PostgreSQL database, and returns options to serve it with Redis."""

    def create() -> tuple[str, ...]:
        return "--database-url", postgres.database(f"t{uuid4().hex}"), "--redis-url", redis.address

    return create


@pytest.fixture(scope="session")
def sqlite_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server over SQLite that all tests of a worker share; each creates tables of its own."""
    with ServerProcess(tmp_path_factory.mktemp("sqlite-server"), *OPTIONS) as running:
        yield running


@pytest.fixture(scope="session")
def postgres_server(
    tmp_path_factory: pytest.TempPathFactory, new_shared_store: Callable[[], tuple[str, ...]]
) -> Iterator[ServerProcess]:
    """A server over PostgreSQL and Redis that all tests of a worker share; each creates tables of its own."""
    with ServerProcess(tmp_path_factory.mktemp("postgres-server"), *OPTIONS, *new_shared_store()) as running:
        yield running


@pytest.fixture(
    params=[pytest.param("sqlite", marks=pytest.mark.slow), pytest.param("postgres", marks=pytest.mark.long)]
)
def server(request: pytest.FixtureRequest) -> ServerProcess:
    """A running server: over SQLite in `make test`, over PostgreSQL too in `make test-long`."""
    return _started(request)


@pytest.fixture(
    params=[pytest.param("sqlite", marks=pytest.mark.slow), pytest.param("postgres", marks=pytest.mark.slow)]
)
def each_server(request: pytest.FixtureRequest) -> ServerProcess:
    """A running server: over both stores in `make test`."""
    return _started(request)


def _started(request: pytest.FixtureRequest) -> ServerProcess:
    """Return the shared server over the store that is named, in the state that every test expects."""
    server: ServerProcess = request.getfixturevalue(f"{request.param}_server")
    if not server.running:  # a test that failed may have left it stopped
        server.start()
    return server


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"
