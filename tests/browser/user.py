"""A user in front of a browser: the page, the frames that reached it, and the gestures that tests share."""

import json
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Frame,
    Locator,
    Page,
    Request,
    WebSocket,
    expect,
)

from sevenhues import load, names

PHONE: Any = {"width": 360, "height": 780}
DESKTOP: Any = {"width": 1440, "height": 900}
ZOOMED: dict[str, int] = {"width": 1280, "height": 1024}  # of the window whose page is magnified
SECONDS = 1000.0
PATIENCE = 60.0  # seconds; reached on failure only

expect.set_options(timeout=30 * SECONDS)  # reached on failure only

# Resolves once the client is mounted, its fonts are there, nothing moves, and two frames in a row are laid out alike.
# An observer tells of frames that were drawn; under a test's clock, requestAnimationFrame does not wait for them.
SETTLED = """async () => {
    const frame = () =>
        new Promise((resolve) => {
            const observer = new IntersectionObserver(() => {
                observer.disconnect();
                resolve();
            });
            observer.observe(document.documentElement);
        });
    const running = (animation) =>
        animation.playState === "running" && animation.effect?.getComputedTiming().endTime !== Infinity;
    const layout = () => {
        const elements = [...document.getElementsByTagName("*")];
        return elements.map(({ offsetWidth, offsetHeight }) => [offsetWidth, offsetHeight]).join();
    };
    for (let before = null; ; ) {
        await frame();
        const now = layout();
        const there = document.readyState === "complete" && document.querySelector("main");
        const still = there && document.fonts.status === "loaded" && !document.getAnimations().some(running);
        if (still && now === before) return;
        before = still ? now : null;
    }
}"""

# Settings chosen in another tab take effect at once, a language a little later.
CHOOSE = """async (choices) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const key = "sevenhues.settings";
    localStorage[key] = JSON.stringify({ ...JSON.parse(localStorage[key] ?? "{}"), ...choices });
    dispatchEvent(new StorageEvent("storage", { key }));
    while (choices.language && document.documentElement.lang !== choices.language) await frame();
}"""


class User:
    """One visitor with storage of their own. `plain` plays on the generic table, whatever boards there are.

    In a context that is given instead of a browser, the settings of a context are as they are.
    """

    def __init__(
        self,
        browser: Browser | BrowserContext,
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
        self.context = (
            browser
            if isinstance(browser, BrowserContext)
            else browser.new_context(
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
        )
        self.context.set_default_timeout(30 * SECONDS)
        if plain:
            self.context.add_init_script("localStorage['sevenhues.settings'] ??= JSON.stringify({ plain: true })")
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self._expected_errors: list[str] = []
        self.frames: list[dict[str, Any]] = []
        self._pending: set[Request] = set()
        self._leaving = False
        self._visit = 0
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._note_error)
        self.page.on("framenavigated", self._note_visit)
        self.page.on("websocket", self._collect_frames)
        self.page.on("request", lambda request: self._pending.add(request))
        self.page.on("requestfinished", lambda request: self._pending.discard(request))
        self.page.on("requestfailed", lambda request: self._pending.discard(request))

    def _note_error(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not any(text in message.text for text in self._expected_errors):
            self.errors.append(message.text)

    def expect_error(self, text: str) -> None:
        """Allow errors of the console that contain a text, such as `status of 404`; they may come late."""
        self._expected_errors.append(text)

    def _note_visit(self, frame: Frame) -> None:
        if self._leaving and frame == self.page.main_frame:
            self._leaving = False
            self.forget_frames()

    def forget_frames(self) -> None:
        """Drop the frames of all connections until now, late ones too: they would pass for those of the next page."""
        self._visit += 1
        self.frames.clear()

    def _collect_frames(self, socket: WebSocket) -> None:
        visit = self._visit

        def collect(frame: str | bytes) -> None:
            if visit == self._visit:
                self.frames.append(json.loads(frame))

        socket.on("framereceived", collect)

    # -- Navigation

    def open(self, path: str = "/") -> Page:
        self._pending.clear()
        self._leaving = True
        self.page.goto(self.url + path)
        return self.page

    def reload(self) -> None:
        self._leaving = True
        self.page.reload()

    def ready(self) -> Page:
        """Wait until the page takes gestures: mounted, its requests answered, laid out, and nothing moving.

        A live table needs more: its board shows a position once it has come, so wait for that (`wait_for_ply`).
        """
        deadline = time.monotonic() + PATIENCE
        self.page.evaluate(SETTLED)
        while self._pending:
            assert time.monotonic() < deadline, f"requests without an answer: {self._pending}"
            self.page.evaluate(SETTLED)
        return self.page

    def choose(self, **settings: Any) -> None:
        """Change settings of the client at once, without its menu."""
        self.page.evaluate(CHOOSE, settings)

    def card(self, title: str) -> Locator:
        return self.page.get_by_role("article", name=title, exact=True)

    def play_bot(self, title: str) -> None:
        self.open()
        self.card(title).get_by_role("button", name="Play a bot").click()
        self.page.wait_for_url("**/t/*")
        if any(load(name).simultaneous for name in names() if load(name).title == title):
            self.page.get_by_role("button", name="Ready", exact=True).click()

    def rename(self, name: str) -> None:
        self.page.request.get(f"{self.url}/api/me")
        answer = self.page.request.patch(f"{self.url}/api/me", data={"name": name})
        assert answer.ok, answer.text()

    def create_table(self, game: str, *seats: dict[str, Any], **more: Any) -> str:
        """Create a table over the API as this user, and return its path."""
        self.page.request.get(f"{self.url}/api/me")
        answer = self.page.request.post(f"{self.url}/api/tables", data={"game": game, "seats": list(seats), **more})
        assert answer.ok, answer.text()
        return f"/t/{answer.json()['id']}"

    def pause_clock(self) -> None:
        """Stop the page's clock, which must have been installed before the page was opened."""
        try:
            self._pause_clock_after_a_second()
        except Error:  # on a busy machine that second had passed; now the clock has stopped
            self._pause_clock_after_a_second()

    def _pause_clock_after_a_second(self) -> None:
        self.page.clock.pause_at(self.page.evaluate("Date.now()") / 1000 + 1)

    def open_curtain(self) -> None:
        """Press Enter twice in one step: on a busy machine two steps could be too far apart to count as one."""
        self.page.evaluate(
            """() => {
                const press = { key: "Enter", bubbles: true, cancelable: true };
                for (let i = 0; i < 2; i++) document.activeElement.dispatchEvent(new KeyboardEvent("keydown", press));
            }"""
        )

    # -- At a plain table

    @property
    def moves(self) -> Locator:
        return self.page.get_by_role("list", name="What you can play").get_by_role("button")

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
        """The table as the server sent it last."""
        return next(frame["table"] for frame in reversed(self.frames) if frame["type"] == "table")

    @property
    def updates(self) -> list[dict[str, Any]]:
        return [frame for frame in self.frames if frame["type"] == "update"]

    def wait_until(self, reached: Callable[[], bool]) -> None:
        """Wait until a condition holds, which the frames received usually decide."""
        deadline = time.monotonic() + PATIENCE
        while not reached():
            assert time.monotonic() < deadline, self.updates[-1:]
            self.page.wait_for_timeout(30)

    def wait_for_ply(self, ply: int) -> None:
        self.wait_until(lambda: bool(self.updates) and self.updates[-1]["ply"] >= ply)

    def wait_for_turn(self, seat: int = 0) -> None:
        self.wait_until(lambda: bool(self.updates) and self.updates[-1]["turn"] == [seat])

    def resign(self) -> None:
        self.page.get_by_role("button", name="This game").click()
        self.page.get_by_role("button", name="Resign").click()
        self.page.get_by_role("button", name="Yes, resign").click()
