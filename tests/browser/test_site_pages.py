"""Pages, sheets and lessons are complete and usable in all languages, window sizes, colours and typefaces."""

from collections.abc import Callable

import pytest

from tests.browser.display import Display
from tests.browser.site_tour import SHORT_AND_LONG, ViewsOf, lessons, pages, sheets, tour, visitor
from tests.browser.typefaces import Typefaces
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]


@pytest.fixture
def server(own_server: ServerProcess) -> ServerProcess:
    return own_server


@SHORT_AND_LONG
def test_pages_are_complete_in_every_view(new_user: NewUser, typefaces: Typefaces, views: ViewsOf) -> None:
    user = visitor(new_user, "nl")
    tour(user, Display(user, typefaces), pages(user), views, "nl")


@SHORT_AND_LONG
def test_sheets_and_waiting_tables_are_complete_in_every_view(
    new_user: NewUser, typefaces: Typefaces, views: ViewsOf
) -> None:
    user, host = visitor(new_user, "de"), new_user()
    tour(user, Display(user, typefaces), sheets(user, host, "de"), views, "de")


@SHORT_AND_LONG
def test_lessons_are_complete_in_every_view(new_user: NewUser, typefaces: Typefaces, views: ViewsOf) -> None:
    user = visitor(new_user, "ja")
    tour(user, Display(user, typefaces), lessons(user, "ja"), views, "ja")
