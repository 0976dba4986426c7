"""Notifications in a real Chromium: a push message is shown on the desktop, and a click opens the table.

The headless shell shows no notifications, so the first tests need the whole of Chromium, and a D-Bus for its desktop.
"""

import asyncio
import json
import os
import shutil
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import BrowserContext, BrowserType, CDPSession, Page, expect

from sevenhues.client import Client
from tests.browser.conftest import FLAGS, SERVER_OPTIONS, require
from tests.browser.desktop_notifications import Desktop, wait_until
from tests.browser.user import PATIENCE, SECONDS, User
from tests.server.notified_players import LOOPBACK, join_and_start, subscribe, take_turn, wait_for_push
from tests.server.process import ServerProcess
from tests.server.push_service import Browser, PushService, serving_pushes

T = TypeVar("T")
REGISTER = """async () => {
    await navigator.serviceWorker.register("/service-worker.js", { updateViaCache: "none" });
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 10));
}"""
# Under test every page has the focus, so the page itself notes what the service worker has it open.
NOTE_OPENED = "navigator.serviceWorker.addEventListener('message', ({ data }) => (window.opened = data.path))"


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run asynchronous work beside Playwright, which has an event loop of its own in this thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    with serving_pushes() as running:
        yield running


@pytest.fixture(scope="module")
def notifying(client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("notifying"), *SERVER_OPTIONS, LOOPBACK) as running:
        yield running


class Phone:
    """Chromium with a desktop, whose pages are those of one person."""

    def __init__(self, context: BrowserContext, desktop: Desktop, server: ServerProcess) -> None:
        self.context = context
        self.desktop = desktop
        self.server = server
        self.page = context.new_page()
        with self.page.expect_response("**/api/me"):  # which brings the cookie
            self.page.goto(server.url)
        self.page.evaluate(REGISTER)
        self._cdp: CDPSession = context.new_cdp_session(self.page)
        self._registrations: list[dict[str, Any]] = []
        self._cdp.on(
            "ServiceWorker.workerRegistrationUpdated", lambda event: self._registrations.extend(event["registrations"])
        )
        self._cdp.send("ServiceWorker.enable")

    @property
    def cookie(self) -> str:
        return next(one["value"] for one in self.context.cookies() if one["name"] == "sevenhues")

    def deliver(self, text: bytes, through: Page | None = None) -> None:
        """Deliver a message as the push service of the browser does."""
        wait_until(through or self.page, lambda: self._registrations)
        cdp = self._cdp if through is None else self.context.new_cdp_session(through)
        if through is not None:
            cdp.send("ServiceWorker.enable")
        message = {"origin": self.server.url, "registrationId": self._registrations[0]["registrationId"]}
        cdp.send("ServiceWorker.deliverPushMessage", {**message, "data": text.decode()})


@pytest.fixture
def phone(chromium: BrowserType, notifying: ServerProcess, tmp_path: Path) -> Iterator[Phone]:
    program = shutil.which("chromium") or shutil.which("google-chrome")
    there = program is not None and shutil.which("dbus-daemon") is not None
    require(there, "notifications need Chromium with windows and D-Bus (on Debian: apt install chromium dbus-daemon)")
    with Desktop(tmp_path) as desktop:
        context = chromium.launch_persistent_context(
            tmp_path / "profile",
            executable_path=program,
            args=[*FLAGS, "--headless=new"],
            headless=False,  # the flag asks for the new headless mode, in which Chromium is whole
            env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": desktop.address},
            timeout=PATIENCE * SECONDS,
        )
        context.set_default_timeout(PATIENCE * SECONDS)
        context.grant_permissions(["notifications"], origin=notifying.url)
        yield Phone(context, desktop, notifying)
        context.close()


async def wait_for_turn(phone: Phone, service: PushService, browser: Browser, cookie: str) -> tuple[str, int, bytes]:
    """Have Ada make her first turns in a game with the person, and return the table, its ply, and what was pushed."""
    async with Client(phone.server.url, "Ada") as ada, Client(phone.server.url, "Ben", cookie) as ben:
        await subscribe(ben, browser)
        table = await join_and_start(ada, ben)
        ply = await take_turn(ada, table)
        return table, ply, (await wait_for_push(service, browser, "turn", table))[-1].text


def watch_plies(page: Page) -> list[int]:
    """Collect the plies of the positions that a page gets from now on."""
    plies: list[int] = []

    def collect(frame: Any) -> None:
        message = json.loads(frame)
        if message["type"] == "update":
            plies.append(message["ply"])

    page.on("websocket", lambda socket: socket.on("framereceived", collect))
    return plies


def test_click_opens_the_table_at_its_position(phone: Phone, service: PushService) -> None:
    page, desktop = phone.page, phone.desktop
    table, ply, text = run(wait_for_turn(phone, service, service.browser("click"), phone.cookie))
    plies = watch_plies(page)
    phone.deliver(text)
    shown = desktop.wait_for(page, 1)
    assert shown.title == "Your turn"
    assert "Rainbow with Ada" in shown.body
    desktop.click(shown)
    # In the tab that shows another page of ours.
    page.wait_for_url(f"**/t/{table}")
    wait_until(page, lambda: plies[-1:] == [ply])
    assert len(phone.context.pages) == 2  # and the empty one with which Chromium began

    # The table is open in another tab: that one is used, and the first stays where it is.
    other = phone.context.new_page()
    other.goto(f"{phone.server.url}/rules")
    page.evaluate(NOTE_OPENED)
    phone.deliver(text)
    desktop.click(desktop.wait_for(page, 2))
    wait_until(page, lambda: page.evaluate("window.opened") == f"/t/{table}")
    assert (other.url, page.url) == (f"{phone.server.url}/rules", f"{phone.server.url}/t/{table}")

    # Without a tab of ours a new one is opened.
    empty = phone.context.pages[0]
    other.close()
    page.close()
    phone.deliver(text, through=empty)
    shown = desktop.wait_for(empty, 3)
    with phone.context.expect_page() as opened:
        desktop.click(shown)
    opened.value.wait_for_url(f"**/t/{table}")
    assert phone.context.pages == [empty, opened.value]


def test_later_message_replaces_the_earlier_one_and_looking_closes_it(phone: Phone, service: PushService) -> None:
    page, desktop = phone.page, phone.desktop
    table, _, text = run(wait_for_turn(phone, service, service.browser("replaced"), phone.cookie))
    phone.deliver(text)
    first = desktop.wait_for(page, 1)
    phone.deliver(text.replace(b"Your turn", b"You have one day left"))
    second = desktop.wait_for(page, 2)
    assert (second.title, second.id) == ("You have one day left", first.id)
    page.goto(f"{phone.server.url}/t/{table}")
    wait_until(page, lambda: desktop.closed == [first.id])


@pytest.mark.parametrize("text", ["", "nonsense", "[]", '"text"', '{"link": "https://example.org/"}'])
def test_message_that_is_not_ours_is_shown_without_harm(phone: Phone, text: str) -> None:
    page, desktop = phone.page, phone.desktop
    phone.deliver(text.encode())
    shown = desktop.wait_for(page, 1)
    assert shown.title == "Seven Hues"
    desktop.click(shown)
    wait_until(page, lambda: desktop.closed == [shown.id])
    phone.deliver(b'{"title": "Next", "link": "/rules"}')
    desktop.click(desktop.wait_for(page, 2))
    page.wait_for_url("**/rules")  # all clicks before have been handled
    assert [one.url for one in phone.context.pages] == ["about:blank", f"{phone.server.url}/rules"]


def test_choices_are_stored_and_one_click_stops_all(
    new_user: Callable[..., User], notifying: ServerProcess, service: PushService
) -> None:
    user = new_user()
    user.url = notifying.url
    user.open()
    body = service.browser("choices").body
    assert user.page.request.post(f"{notifying.url}/api/me/notifications/push", data=body).ok

    def stored() -> dict[str, Any]:
        settings: dict[str, Any] = user.page.request.get(f"{notifying.url}/api/me/notifications").json()
        return settings

    user.ready().get_by_role("button", name="Profile and settings").click()
    page = user.page
    page.get_by_label("someone wants a rematch").uncheck()
    user.wait_until(lambda: stored()["kinds"] == ["turn", "joined", "deadline"])
    page.get_by_label("Quiet hours").check()
    page.get_by_label("From", exact=True).fill("23:30")
    user.wait_until(lambda: (stored()["quiet"] or {}).get("start") == 23 * 60 + 30)
    assert stored()["quiet"]["end"] == 8 * 60
    page.get_by_role("button", name="Stop all messages").click()
    user.wait_until(lambda: stored()["devices"] == 0)
    expect(page.get_by_role("button", name="Stop all messages")).to_have_count(0)


def test_links_in_email_need_a_click(new_user: Callable[..., User], notifying: ServerProcess) -> None:
    user = new_user()
    user.url = notifying.url
    user.expect_error("status of 404")
    user.open("/confirm-email#unknown")
    user.page.get_by_role("button", name="Confirm").click()
    expect(user.page.get_by_role("alert").filter(has_text="too old")).to_be_visible()
    user.open("/unsubscribe#unknown")
    user.page.get_by_role("button", name="Stop e-mails").click()
    expect(user.page.get_by_role("status").filter(has_text="Done.")).to_be_visible()
