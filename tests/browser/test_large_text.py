"""The site is complete where the browser is set to text of twice the usual size."""

from collections.abc import Callable, Iterator
from itertools import chain

import pytest
from playwright.sync_api import Browser, BrowserType

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.display import Display, View
from tests.browser.prepared_tables import PreparedTables
from tests.browser.site_tour import Views, hints, layout, lessons, pages, replays, sheets, tables, tour, visitor
from tests.browser.typefaces import Typefaces
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
DESKTOP: Views = [(View("nl"), [layout])]
PHONE: Views = [(View("en", "phone"), [layout])]


@pytest.fixture(scope="module")
def browser(chromium: BrowserType) -> Iterator[Browser]:
    running = chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, "--blink-settings=defaultFontSize=32"])
    yield running
    running.close()


@pytest.fixture
def server(own_server: ServerProcess) -> ServerProcess:
    return own_server


@pytest.mark.parametrize("views", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.long)], ids=["desktop", "phone"])
@pytest.mark.parametrize("section", ["pages", "tables"])
def test_nothing_is_cut_off_at_twice_the_text_size(
    new_user: NewUser, server: ServerProcess, typefaces: Typefaces, section: str, views: Views
) -> None:
    user = visitor(new_user, "nl")
    if section == "pages":
        stops = chain(pages(user), sheets(user, new_user(), "nl"), lessons(user, "nl"))
    else:
        prepared = PreparedTables(server.data)
        stops = chain(tables(user, prepared, "nl"), hints(user, prepared, "nl"), replays(user, "nl"))
    tour(user, Display(user, typefaces), stops, lambda number: views, "nl")
