"""What the browser tests share: a real server with the built client, Debian's Chromium, and people in front of it."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

import sevenhues
from tests.browser.user import User
from tests.server.process import ServerProcess

CLIENT = Path(sevenhues.__file__).parent / "web"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome") or "/usr/bin/chromium"
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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Browser tests are slow, and run once: over the compiled package, which is the one that people play.

    On a busy machine a gesture may come before the page is ready for it: what fails is tried twice more, and says so.
    """
    once = pytest.mark.skip(reason="the browser tests run over the compiled package")
    for item in items:
        if item.path.parent.name == "browser":
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=1))
            if config.getoption("--package") == "plain":
                item.add_marker(once)


def _need(what: bool, reason: str) -> None:
    if not what and os.environ.get("SEVENHUES_STRICT") == "1":
        pytest.fail(reason)
    if not what:
        pytest.skip(reason)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    _need((CLIENT / "index.html").exists(), "the browser client is not built: run `make web`")
    with ServerProcess(tmp_path_factory.mktemp("served")) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    _need(os.access(CHROMIUM, os.X_OK), "there is no Chromium (on Debian: apt install chromium)")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def new_user(browser: Browser, server: ServerProcess) -> Iterator[Callable[..., User]]:
    """Make people, each with a browser of their own; at the end none of them may have seen an error."""
    everybody: list[User] = []

    def make(**settings: Any) -> User:
        everybody.append(User(browser, server.url, **settings))
        return everybody[-1]

    yield make
    for one in everybody:
        one.context.close()
    assert [error for one in everybody for error in one.errors] == []
