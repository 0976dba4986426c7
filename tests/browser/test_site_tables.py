"""Tables, hints and replays are complete and usable in all languages, window sizes, colours and typefaces."""

from collections.abc import Callable
from itertools import chain

import pytest

from tests.browser.display import Display
from tests.browser.prepared_tables import PreparedTables
from tests.browser.site_tour import SHORT_AND_LONG, ViewsOf, hints, replays, tables, tour, visitor
from tests.browser.typefaces import Typefaces
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]


@pytest.fixture
def server(own_server: ServerProcess) -> ServerProcess:
    return own_server


@SHORT_AND_LONG
def test_tables_are_complete_in_every_view(
    new_user: NewUser, server: ServerProcess, typefaces: Typefaces, views: ViewsOf
) -> None:
    user = visitor(new_user, "de")
    tour(user, Display(user, typefaces), tables(user, PreparedTables(server.data), "de"), views, "de")


@SHORT_AND_LONG
def test_hints_and_replays_are_complete_in_every_view(
    new_user: NewUser, server: ServerProcess, typefaces: Typefaces, views: ViewsOf
) -> None:
    user = visitor(new_user, "nl")
    stops = chain(hints(user, PreparedTables(server.data), "nl"), replays(user, "nl"))
    tour(user, Display(user, typefaces), stops, views, "nl")
