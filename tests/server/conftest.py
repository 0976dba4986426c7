"""What tests of the server share: a running one, and the event loop they use."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.process import ServerProcess


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that the tests of one file share: each lays tables of its own."""
    with ServerProcess(tmp_path_factory.mktemp("served")) as running:
        yield running


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"
