"""Fixtures of the scenarios: each engine runs once per worker, and every user has their own page and address."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import require
from tests.browser.engines import webdriver
from tests.browser.engines.chromium import ChromiumEngine
from tests.browser.engines.gateway import Gateway
from tests.browser.engines.page import Engine, EnginePage
from tests.browser.prepared_tables import PreparedTables
from tests.server.process import ServerProcess

NewPage = Callable[..., EnginePage]
ENGINES = ["firefox", "webkit", "chromium"]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of each engine next to each other and first, so that one worker runs them and starts it once."""

    def place(item: pytest.Item) -> int:
        parameters = getattr(item, "callspec", None)
        name = parameters and parameters.params.get("engine")
        return ENGINES.index(name) if name else len(ENGINES)

    items.sort(key=place)


@pytest.fixture(scope="session")
def chromium_engine(browser: Browser) -> ChromiumEngine:
    return ChromiumEngine(browser)


@pytest.fixture(scope="session")
def firefox_engine(client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.WebDriverEngine]:
    require(webdriver.has_firefox(), "there is no Firefox (on Debian: apt install firefox-esr)")
    with webdriver.firefox(tmp_path_factory.mktemp("firefox")) as running:
        yield running


@pytest.fixture(scope="session")
def webkit_engine(client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.WebDriverEngine]:
    require(webdriver.has_webkit(), "there is no WebKit (on Debian: apt install webkit2gtk-driver xvfb)")
    with webdriver.webkit(tmp_path_factory.mktemp("webkit")) as running:
        yield running


# The other browser tests play in Chromium, so it is left to the long tests here.
@pytest.fixture(params=["firefox", "webkit", pytest.param("chromium", marks=pytest.mark.long)])
def engine(request: pytest.FixtureRequest) -> Engine:
    running: Engine = request.getfixturevalue(f"{request.param}_engine")
    return running


@pytest.fixture
def new_page(engine: Engine, server: ServerProcess) -> Iterator[NewPage]:
    """Open pages, each of another user; at the end none of them may have seen an error."""
    pages: list[EnginePage] = []
    with ExitStack() as opened:

        def make(at: ServerProcess = server) -> EnginePage:
            gateway = opened.enter_context(Gateway(at.port))
            page = engine.new_page(gateway)
            opened.callback(page.close)
            pages.append(page)
            return page

        yield make
        assert [error for page in pages for error in page.errors()] == []


@pytest.fixture
def tables(server: ServerProcess) -> PreparedTables:
    return PreparedTables(server.data)
