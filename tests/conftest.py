"""Options of the test run: which build of the package is under test."""

import os
import shutil
import signal

import pytest

import sevenhues


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--package", choices=("plain", "compiled"), help="Fail unless sevenhues is installed like this.")


def pytest_sessionstart(session: pytest.Session) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell ignore SIGINT
    expected = session.config.getoption("--package")
    if expected == "plain" and sevenhues.COMPILED:
        pytest.exit("the package under test is compiled, not plain", 4)
    required = os.environ.get("SEVENHUES_STRICT") == "1" or shutil.which("cc")
    if expected == "compiled" and not sevenhues.COMPILED and required:
        pytest.exit("the package under test is not compiled, but a C compiler is installed or required", 4)


def pytest_report_header() -> str:
    return f"sevenhues: {'compiled' if sevenhues.COMPILED else 'plain'} ({os.path.dirname(sevenhues.__file__)})"
