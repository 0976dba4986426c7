"""A page in any browser engine: what scenarios do with it and read from it.

An engine implements the primitives. Whatever can be asked of the page by a script is the same in every engine.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from sevenhues.server.accounts.cookies import COOKIE_NAME
from tests.browser.engines.gateway import Gateway
from tests.browser.user import CHOOSE, SETTLED

WIDTH, HEIGHT = 1280, 800  # of the page in its window
LOOK_MS = 500  # for which a page looks by itself whether it has come to a state
PATIENCE_SECONDS = 180.0  # reached on failure only
POLL_SECONDS = 0.02

# The middle of the first element that matches, once it can be pressed: visible, still, and not covered.
LOCATE = Path(__file__).with_name("locate.js").read_text("utf-8")

# Calls a function again and again until it returns something true, in the page: a call from outside costs more.
LOOK = """async (milliseconds, ...all) => {
    const end = performance.now() + milliseconds;
    for (;;) {
        const value = await (%s)(...all);
        if (value || performance.now() > end) return value;
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}"""


class Point(NamedTuple):
    """A place in the window, in CSS pixels."""

    x: float
    y: float


class Step(NamedTuple):
    """A part of a gesture."""

    action: Literal["move", "down", "up"]
    to: Point


class EnginePage(ABC):
    """A page of one user, at a gateway of its own."""

    def __init__(self, gateway: Gateway) -> None:
        self.gateway = gateway

    # -- Primitives

    @abstractmethod
    def goto(self, url: str) -> None: ...

    @abstractmethod
    def reload(self) -> None: ...

    @abstractmethod
    def evaluate(self, script: str, *arguments: Any) -> Any:
        """Call a function of JavaScript, wait for its promise, and return its value."""

    @abstractmethod
    def add_cookie(self, name: str, value: str) -> None:
        """Set a cookie of the gateway's address."""

    @abstractmethod
    def gesture(self, steps: Sequence[Step], *, touch: bool = False) -> None: ...

    @abstractmethod
    def press(self, key: str) -> None:
        """Press a key by its name in JavaScript, such as `a`, `Enter` or `ArrowRight`."""

    @abstractmethod
    def screenshot(self) -> bytes:
        """Return what the window shows, as PNG."""

    @abstractmethod
    def resize(self, width: int, height: int) -> None:
        """Give the page this size."""

    @abstractmethod
    def close(self) -> None: ...

    # -- Navigation

    @property
    def url(self) -> str:
        url: str = self.evaluate("() => location.href")
        return url

    @property
    def path(self) -> str:
        return self.url.removeprefix(self.gateway.url)

    def open(self, path: str = "/") -> None:
        self.goto(self.gateway.url + path)

    def sign_in(self, cookie: str) -> None:
        self.add_cookie(COOKIE_NAME, cookie)

    def choose(self, **settings: Any) -> None:
        """Change settings of the client at once, without its menu."""
        self.evaluate(CHOOSE, settings)

    # -- Waiting

    def wait_for(self, script: str, *arguments: Any) -> Any:
        """Wait until a function of JavaScript returns something true, and return it."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (value := self.evaluate(LOOK.replace("%s", script.strip()), LOOK_MS, *arguments)):
            assert time.monotonic() < deadline, (script, arguments, self.text()[:2000], self.gateway.errors)
        return value

    def settle(self) -> None:
        """Wait until the client is mounted, nothing moves, and two frames in a row are laid out alike."""
        self.evaluate(SETTLED)

    def wait_for_text(self, text: str, selector: str = "body") -> None:
        self.wait_for(
            "(selector, text) => [...document.querySelectorAll(selector)].some((one) => one.innerText.includes(text))",
            selector,
            text,
        )

    def wait_for_count(self, selector: str, count: int) -> None:
        self.wait_for("(selector, count) => document.querySelectorAll(selector).length === count", selector, count)

    # -- Gestures

    def locate(self, selector: str, name: str | None = None) -> Point:
        """Wait until the first element that matches, and is called so, can be pressed; return its middle."""
        return Point(*self.wait_for(LOCATE, selector, name))

    def click(self, selector: str, name: str | None = None) -> None:
        self._press_at(self.locate(selector, name))

    def tap(self, selector: str, name: str | None = None) -> None:
        self._press_at(self.locate(selector, name), touch=True)

    def click_at(self, point: Point) -> None:
        self._press_at(point)

    def move_away(self) -> None:
        """Move the mouse to a corner, where it points at nothing."""
        self.gesture([Step("move", Point(1, 1))])

    def _press_at(self, point: Point, *, touch: bool = False) -> None:
        self.gesture([Step("move", point), Step("down", point), Step("up", point)], touch=touch)

    def drag(self, start: Point, end: Point, *, steps: int = 5) -> None:
        """Pull from one point to another with the mouse."""
        way = [
            Point(start.x + (end.x - start.x) * step / steps, start.y + (end.y - start.y) * step / steps)
            for step in range(1, steps + 1)
        ]
        moves = [Step("move", point) for point in way]
        self.gesture([Step("move", start), Step("down", start), *moves, Step("up", end)])

    def fill(self, selector: str, text: str) -> None:
        """Type a text in place of the one in a field."""
        self.click(selector)
        self.evaluate("(selector) => document.querySelector(selector).select()", selector)
        for letter in text:
            self.press(letter)

    def select(self, selector: str, value: str) -> None:
        """Choose an option of a list, as its native menu would."""
        self.wait_for("(selector) => document.querySelector(selector) !== null", selector)
        self.evaluate(
            """(selector, value) => {
                const list = document.querySelector(selector);
                list.value = value;
                list.dispatchEvent(new Event("change", { bubbles: true }));
            }""",
            selector,
            value,
        )

    # -- What the page shows

    def text(self, selector: str = "body") -> str:
        text: str = self.evaluate("(selector) => document.querySelector(selector)?.innerText ?? ''", selector)
        return text

    def count(self, selector: str) -> int:
        count: int = self.evaluate("(selector) => document.querySelectorAll(selector).length", selector)
        return count

    def attribute(self, selector: str, name: str) -> str | None:
        value: str | None = self.evaluate(
            "(selector, name) => document.querySelector(selector)?.getAttribute(name) ?? null", selector, name
        )
        return value

    def errors(self) -> list[str]:
        """Return the errors of all documents that the page has shown."""
        unsent: list[str] = self.evaluate("() => window.allErrorsReported?.() ?? []")
        return self.gateway.errors + unsent

    def wait_for_error(self, note: str) -> None:
        """Wait until an error is noted that contains a text."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not any(note in error for error in self.errors()):
            assert time.monotonic() < deadline, (note, self.errors())
            time.sleep(POLL_SECONDS)


class Engine(Protocol):
    """A running browser."""

    name: str

    def new_page(self, gateway: Gateway) -> EnginePage: ...
