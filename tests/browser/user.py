"""A person in front of a browser: what they see, what they do, and every frame that reached them."""

import json
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, WebSocket, expect

PHONE: Any = {"width": 360, "height": 780}
DESKTOP: Any = {"width": 1440, "height": 900}
ZOOMED: dict[str, int] = {"width": 1280, "height": 1024}  # where the page is magnified
SECONDS = 1000.0
PATIENCE = 60.0

expect.set_options(timeout=30 * SECONDS)  # reached on failure only


class User:
    """One visitor with storage of their own. `plain` plays on the generic table, whatever boards there are."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        *,
        plain: bool = True,
        phone: bool = False,
        dark: bool = False,
        still: bool = False,
        bypass_csp: bool = False,
        locale: str = "en",
        zoom: int = 1,
        forced: bool = False,
    ) -> None:
        self.url = url
        viewport: Any = {side: ZOOMED[side] // zoom for side in ZOOMED} if zoom > 1 else PHONE if phone else DESKTOP
        self.context = browser.new_context(
            viewport=viewport,
            device_scale_factor=zoom,
            forced_colors="active" if forced else "none",
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if still else "no-preference",
            has_touch=phone,
            is_mobile=phone,
            bypass_csp=bypass_csp,
            locale=locale,
        )
        self.context.set_default_timeout(30 * SECONDS)
        if plain:
            self.context.add_init_script("localStorage['sevenhues.settings'] ??= JSON.stringify({ plain: true })")
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.offline = False  # while set, failed requests are what the test wants
        self.frames: list[dict[str, Any]] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._hear)
        self.page.on("websocket", self._listen)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not (self.offline and "ERR_" in message.text):
            self.errors.append(message.text)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(json.loads(frame)))

    # -- Going places

    def open(self, path: str = "/") -> Page:
        self.page.goto(self.url + path)
        return self.page

    def card(self, title: str) -> Locator:
        return self.page.get_by_role("article", name=title, exact=True)

    def play_bot(self, title: str) -> None:
        self.open()
        self.card(title).get_by_role("button", name="Play a bot").click()
        self.page.wait_for_url("**/t/*")

    # -- At a plain table

    @property
    def moves(self) -> Locator:
        return self.page.get_by_role("list", name="Moves you may make").get_by_role("button")

    @property
    def drawing(self) -> Locator:
        return self.page.locator("pre")

    def move(self) -> str:
        """Make the first legal move; return its text."""
        expect(self.moves.first).to_be_visible()
        text = self.moves.first.inner_text()
        self.moves.first.click()
        return text

    @property
    def table(self) -> dict[str, Any]:
        """The table as the server told it last."""
        return next(frame["table"] for frame in reversed(self.frames) if frame["type"] == "table")

    @property
    def updates(self) -> list[dict[str, Any]]:
        return [frame for frame in self.frames if frame["type"] == "update"]

    def wait_until(self, reached: Callable[[], bool]) -> None:
        """Wait until the frames that came say so."""
        deadline = time.monotonic() + PATIENCE
        while not reached():
            assert time.monotonic() < deadline, self.updates[-1:]
            self.page.wait_for_timeout(30)

    def wait_for_ply(self, ply: int) -> None:
        self.wait_until(lambda: bool(self.updates) and self.updates[-1]["ply"] >= ply)

    def resign(self) -> None:
        self.page.get_by_role("button", name="This table").click()
        self.page.get_by_role("button", name="Resign").click()
        self.page.get_by_role("button", name="Yes, resign").click()
