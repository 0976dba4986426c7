"""The package in Pyodide: one Node process for all tests of a worker."""

import os
from collections.abc import Iterator

import pytest

from tests.offline import pyodide_process
from tests.offline.pyodide_process import Pyodide


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def pyodide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pyodide]:
    require(pyodide_process.parts_are_built(), "the parts of offline play are not built: run `make web`")
    with pyodide_process.start(tmp_path_factory.mktemp("pyodide")) as process:
        yield process


def require(condition: bool, reason: str) -> None:
    """Skip the test, or fail it where nothing may be left out."""
    if not condition and os.environ.get("SEVENHUES_STRICT") == "1":
        pytest.fail(reason)
    if not condition:
        pytest.skip(reason)
