"""How the tests are run: over the plain package or the compiled one, and which is meant."""

import os
import shutil
import signal

import pytest

import sevenhues


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--package", choices=("plain", "compiled"), help="Fail unless sevenhues is installed like this.")


def pytest_sessionstart(session: pytest.Session) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it, and so would ours
    wanted = session.config.getoption("--package")
    if wanted == "plain" and sevenhues.COMPILED:
        pytest.exit("the package under test is compiled, not plain", 4)
    if wanted == "compiled" and not sevenhues.COMPILED:
        strict = os.environ.get("SEVENHUES_STRICT") == "1"
        if strict or shutil.which("cc"):
            pytest.exit("the package under test is not compiled, though there is a C compiler or there must be", 4)
        print("There is no C compiler: these tests run on the plain package once more.")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The tests of the server run once, over the compiled package: the server itself is never compiled."""
    once = pytest.mark.skip(reason="the tests of the server run over the compiled package")
    for item in items:
        if item.path.parent.name == "server" and _plain(config):
            item.add_marker(once)


def _plain(config: pytest.Config) -> bool:
    return bool(config.getoption("--package") == "plain")


def pytest_report_header() -> str:
    return f"sevenhues: {'compiled' if sevenhues.COMPILED else 'plain'} ({os.path.dirname(sevenhues.__file__)})"
