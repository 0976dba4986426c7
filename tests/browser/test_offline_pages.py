"""The states of offline play fit every window, in all languages, colours and typefaces: settings, and pages offline."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.display import Display
from tests.browser.languages import messages, offline_messages
from tests.browser.site_tour import SHORT_AND_LONG, Stop, ViewsOf, tour, visitor
from tests.browser.typefaces import Typefaces
from tests.browser.user import SECONDS, User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
STARTED = 120 * SECONDS  # within which the worker has started; reached on failure only
# Holds the download of a part until the page calls `breakDownload`.
HOLD_DOWNLOAD = """
const fetchNow = window.fetch;
window.fetch = (...request) => {
    const isHeld = window.breakDownload !== null && String(request[0]).includes("/offline/sevenhues-");
    if (!isHeld) return fetchNow(...request);
    return new Promise((_, reject) => {
        window.breakDownload = () => {
            window.breakDownload = null;
            reject(new TypeError("the connection is lost"));
        };
    });
};
"""
TAG = "de"


@pytest.fixture
def server(own_server: ServerProcess) -> ServerProcess:
    return own_server


def settings_stops(user: User) -> Iterator[Stop]:
    """The section of the settings: while it downloads, after a failure, and when all is there."""
    page, shell, offline = user.page, messages(TAG), offline_messages(TAG)
    page.add_init_script(HOLD_DOWNLOAD)
    user.open()
    page.get_by_role("button", name=shell["me.menu"]).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name=offline["go"]).click()
    expect(dialog.get_by_role("progressbar")).to_be_visible()
    page.wait_for_function("() => window.breakDownload !== undefined")
    yield Stop("settings while downloading")
    page.evaluate("breakDownload()")
    expect(dialog.get_by_text(offline["failed.network"]).first).to_be_visible()
    yield Stop("settings after a failed download")
    dialog.get_by_role("button", name=shell["again"], exact=True).click()
    expect(dialog.get_by_role("button", name=offline["remove"])).to_be_visible(timeout=STARTED)
    yield Stop("settings when available offline")


def offline_stops(user: User, server: ServerProcess) -> Iterator[Stop]:
    """Pages without a server: what is on this device, what needs the server, and a game on another device."""
    page, shell, offline = user.page, messages(TAG), offline_messages(TAG)
    server.kill()
    user.expect_error("net::ERR_")
    user.open()
    band = page.locator(".band", has_text=offline["status.offline"])
    expect(band).to_be_visible(timeout=STARTED)
    page.get_by_role("button", name=shell["play.bot"]).first.click()
    page.wait_for_url("**/t/offline-*")
    page.locator("a[href='/']").first.click()
    expect(page.locator(".tables li")).to_have_count(1)
    yield Stop("home without a server")
    page.get_by_role("button", name=shell["play.invite"]).first.click()
    expect(page.get_by_role("alert").get_by_text(shell["problem.offline"])).to_be_visible()
    yield Stop("an invitation without a server")
    page.locator("a[href='/new/rainbow']").click()
    expect(page.get_by_text(offline["new.device"])).to_be_visible()
    yield Stop("a new game without a server")
    for path in ("/watch", "/ratings"):
        page.locator(f"a[href='{path}']").click()
        expect(page.get_by_role("alert").get_by_text(shell["problem.offline"])).to_be_visible()
        yield Stop(f"{path} without a server")
    user.open("/t/offline-elsewhere")
    expect(page.get_by_role("heading", name=offline["elsewhere"])).to_be_visible(timeout=STARTED)
    yield Stop("a game on another device")


@SHORT_AND_LONG
def test_settings_of_offline_play_are_complete_in_every_view(
    new_user: NewUser, typefaces: Typefaces, views: ViewsOf
) -> None:
    user = visitor(new_user, TAG)
    tour(user, Display(user, typefaces), settings_stops(user), views, TAG)


@pytest.mark.long
@SHORT_AND_LONG
def test_pages_without_a_server_are_complete_in_every_view(
    new_user: NewUser, server: ServerProcess, typefaces: Typefaces, views: ViewsOf
) -> None:
    user = visitor(new_user, TAG)
    user.open()
    user.page.get_by_role("button", name=messages(TAG)["me.menu"]).click()
    dialog, offline = user.page.get_by_role("dialog"), offline_messages(TAG)
    dialog.get_by_role("button", name=offline["go"]).click()
    expect(dialog.get_by_role("button", name=offline["remove"])).to_be_visible(timeout=STARTED)
    tour(user, Display(user, typefaces), offline_stops(user, server), views, TAG)
