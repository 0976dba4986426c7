"""Fixtures of the browser tests: one Chromium and one server with the built client per worker, and users.

Playwright's synchronous API keeps an event loop running in the main thread, so these tests run in a pytest session of
their own, without asyncio tests beside them.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserType, sync_playwright

import sevenhues
from tests.browser.offline_user import OfflineUser
from tests.browser.typefaces import Typefaces
from tests.browser.user import User
from tests.server.process import ServerProcess

# Playwright's own Node needs a library that a bare Debian lacks; the one that builds the client does not.
os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", str(Path(sys.executable).with_name("node")))
CLIENT = Path(sevenhues.__file__).parent / "web"
# The headless shell is the same engine without a window's interface: a third of the processor time.
CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "google-chrome")
CHROMIUM = next((path for name in CHROMIUM_NAMES if (path := shutil.which(name))), "chromium-headless-shell")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# All tests share an address, so its rate limits are off; analyses of few simulations are fast.
SERVER_OPTIONS = ["--no-limits", "--max-connections-per-address", "0", "--analysis-simulations", "4"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)


def require(condition: bool, reason: str) -> None:
    """Skip the test, or fail it where nothing may be left out."""
    if not condition and os.environ.get("SEVENHUES_STRICT") == "1":
        pytest.fail(reason)
    if not condition:
        pytest.skip(reason)


@pytest.fixture(scope="session")
def client() -> None:
    """Require the built browser client, which every server of these tests serves."""
    require((CLIENT / "index.html").exists(), "the browser client is not built: run `make web`")


@pytest.fixture(scope="session")
def server(client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """The server that the tests of a worker share. A test that depends on what else is on it starts its own."""
    with ServerProcess(tmp_path_factory.mktemp("served"), *SERVER_OPTIONS) as running:
        yield running


@pytest.fixture(scope="session")
def chromium(client: None) -> Iterator[BrowserType]:
    require(os.access(CHROMIUM, os.X_OK), "there is no Chromium (on Debian: apt install chromium-headless-shell)")
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def browser(chromium: BrowserType) -> Iterator[Browser]:
    running = chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield running
    running.close()


@pytest.fixture(scope="module")
def own_server(client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server for the tests of one module, where nothing is but what they leave there."""
    with ServerProcess(tmp_path_factory.mktemp("own"), *SERVER_OPTIONS) as running:
        yield running


@pytest.fixture(scope="session")
def typefaces() -> Typefaces:
    return Typefaces()


@pytest.fixture
def new_user(browser: Browser, server: ServerProcess) -> Iterator[Callable[..., User]]:
    """Make users, each with a browser context of its own; at the end none of them may have seen an error."""
    users: list[User] = []

    def make(**settings: Any) -> User:
        users.append(User(browser, server.url, **settings))
        return users[-1]

    yield make
    for user in users:
        user.context.close()
    assert [error for user in users for error in user.errors] == []


@pytest.fixture(scope="session")
def offline_device(browser: Browser, tmp_path_factory: pytest.TempPathFactory, client: None) -> Iterator[OfflineUser]:
    """A page of a site that was made available offline, before its server was killed and the network went away."""
    with ServerProcess(tmp_path_factory.mktemp("away"), *SERVER_OPTIONS) as server:
        user = OfflineUser(browser, server, still=True)
        user.make_available()
        user.lose_server()
        user.open()
        user.wait_for_worker()
        yield user
        user.context.close()


@pytest.fixture
def offline(offline_device: OfflineUser) -> Iterator[OfflineUser]:
    """The page that all tests of a worker share, whose games are played in it; at the end it may have seen no error."""
    yield offline_device
    errors, offline_device.errors = offline_device.errors, []
    assert errors == []
