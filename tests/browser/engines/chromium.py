"""Chromium by Playwright, which the other browser tests use too."""

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Browser

from tests.browser.engines.gateway import Gateway
from tests.browser.engines.page import HEIGHT, WIDTH, EnginePage, Step
from tests.browser.user import SECONDS


class ChromiumPage(EnginePage):
    """A page in a browser context of its own."""

    def __init__(self, browser: Browser, gateway: Gateway) -> None:
        super().__init__(gateway)
        self._context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, locale="en")
        self._context.set_default_timeout(60 * SECONDS)
        self._page = self._context.new_page()

    def goto(self, url: str) -> None:
        self._page.goto(url)

    def reload(self) -> None:
        self._page.reload()

    def evaluate(self, script: str, *arguments: Any) -> Any:
        return self._page.evaluate(f"(all) => ({script.strip()})(...all)", list(arguments))

    def add_cookie(self, name: str, value: str) -> None:
        self._context.add_cookies([{"name": name, "value": value, "url": self.gateway.url}])

    def gesture(self, steps: Sequence[Step], *, touch: bool = False) -> None:
        assert not touch, "the other browser tests touch in Chromium, in pages of phones"
        for step in steps:
            if step.action == "move":
                self._page.mouse.move(*step.to)
            elif step.action == "down":
                self._page.mouse.down()
            else:
                self._page.mouse.up()

    def press(self, key: str) -> None:
        self._page.keyboard.press(key)

    def screenshot(self) -> bytes:
        return self._page.screenshot()

    def resize(self, width: int, height: int) -> None:
        self._page.set_viewport_size({"width": width, "height": height})

    def close(self) -> None:
        self._context.close()


class ChromiumEngine:
    """A running Chromium."""

    name = "chromium"

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def new_page(self, gateway: Gateway) -> ChromiumPage:
        return ChromiumPage(self._browser, gateway)
