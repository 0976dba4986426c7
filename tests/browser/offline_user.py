"""A user who made the site available offline: games are played in the page's worker when the server is away."""

import json
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, expect

from sevenhues.core import record
from sevenhues.core.game import Game, resolve_options
from sevenhues.core.moves import legal_texts
from sevenhues.core.play import TimedMove, play_text
from sevenhues.core.record import ABANDONED
from tests.browser.languages import offline_messages
from tests.browser.prepared_tables import Start
from tests.browser.user import SECONDS, User
from tests.server.process import ServerProcess

STARTED = 120 * SECONDS  # within which the worker has started; reached on failure only
# Messages of the worker over the open connection of the page, as a websocket would carry them. A worker that is
# thinking sends more over a connection that the page has closed in between.
COLLECT_FRAMES = """
window.Worker = class extends Worker {
    constructor(...options) {
        super(...options);
        this.addEventListener("message", ({ data }) => {
            if (data.type === "message" && data.connection === this.connection) collectFrame(data.text);
        });
    }
    postMessage(message) {
        if (message.type === "connect") this.connection = message.connection;
        if (message.type === "disconnect" && message.connection === this.connection) this.connection = null;
        super.postMessage(message);
    }
};
"""
FOLLOW = """(path) => {
    const link = Object.assign(document.createElement("a"), { href: path });
    document.body.append(link);
    link.click();
    link.remove();
}"""


def record_of(game: Game[Any], start: Start, *names: str) -> str:
    """Return the record of a game that was abandoned one move after a position."""
    options = resolve_options(game, {})
    position = game.start(start.setup, len(names), options)
    for seat, text in start.moves:
        play_text(game, position, seat, text)
    seat = position.to_act()[0]
    moves = [*start.moves, (seat, legal_texts(game, position, seat)[0])]
    play_text(game, position, *moves[-1])
    result = {"reason": ABANDONED, "scores": position.scores(), "winners": []}
    at_ms = 0 if game.simultaneous else None
    timed = [TimedMove(seat, text, at_ms) for seat, text in moves]
    return record.write(record.Record(game, options, list(names), start.setup, timed, result, {}))


class OfflineUser(User):
    """A user whose frames come from the worker of their page."""

    def __init__(self, browser: Browser | BrowserContext, server: ServerProcess, **settings: Any) -> None:
        super().__init__(browser, server.url, plain=False, **settings)
        self.server = server
        self.page.expose_function("collectFrame", self._collect_frame)
        self.page.add_init_script(COLLECT_FRAMES)
        self.expect_error("net::ERR_")  # the server is away

    def _collect_frame(self, text: str) -> None:
        self.frames.append(json.loads(text))

    # -- Going offline

    def make_available(self) -> None:
        """Visit the site and download all that offline play needs."""
        self.open()
        self.page.get_by_role("button", name="Profile and settings").click()
        you = self.page.get_by_role("dialog")
        you.get_by_role("button", name="Make available offline").click()
        expect(you.locator(".line").get_by_text("Available offline")).to_be_visible(timeout=STARTED)
        you.get_by_role("button", name="Close").click()

    def lose_server(self) -> None:
        self.server.kill()
        self.context.set_offline(True)

    def wait_for_worker(self) -> None:
        """Wait until the worker answers in place of the server, after a page without a board was opened."""
        status = offline_messages("en")["status.offline"]
        expect(self.page.locator(".band").get_by_text(status)).to_be_visible(timeout=STARTED)

    # -- Tables on the device

    def follow(self, path: str) -> None:
        """Follow a link, as one on the page: the worker goes on."""
        self.page.evaluate(FOLLOW, path)

    def upload(self, text: str) -> None:
        """Upload a record on the page of replays, and see its replay."""
        self.follow("/replay")
        choose = self.page.get_by_label("Choose a file")
        expect(choose).to_be_attached(timeout=STARTED)
        choose.set_input_files({"name": "game.json", "mimeType": "application/json", "buffer": text.encode()})
        self.page.wait_for_url("**/t/offline-*/replay", timeout=STARTED)
        expect(self.page.locator(".board[data-ply='0']")).to_be_visible()

    def play_on(self, game: Game[Any], start: Start, level: str = "") -> None:
        """Upload a game, and go on with it in the first seat against a level, or alone."""
        self.upload(record_of(game, start, *(("Ada", "Bo") if level else ("Ada",))))
        replay = self.page.url
        self.page.get_by_role("button", name="Go to the end").click()
        self.page.get_by_role("button", name="Previous move").click()
        self.page.get_by_role("button", name="Play from here").click()
        sheet = self.page.get_by_role("dialog", name=f"Play from move {len(start.moves)}")
        if level:
            sheet.get_by_label("Ada").check()
            sheet.get_by_role("combobox").select_option(level)
        self.frames.clear()
        sheet.get_by_role("button", name="Start game").click()
        self.page.wait_for_url(lambda url: url != replay)
        self.wait_until(lambda: bool(self.updates))

    def play_level(self, game: Game[Any], level: str) -> None:
        """Begin a new game against a level, with hints."""
        self.follow(f"/new/{game.id}")
        seats = self.page.get_by_role("combobox", name="Player 2")
        seats.select_option(f"bot:{level}", timeout=STARTED)
        self.page.get_by_label("Hints").check()
        self.frames.clear()
        self.page.get_by_role("button", name="Start game").click()
        self.page.wait_for_url("**/t/offline-*", timeout=STARTED)
        if game.simultaneous:
            self.page.get_by_role("button", name="Ready", exact=True).click()
        self.wait_until(lambda: bool(self.updates))

    @property
    def result(self) -> Any:
        return self.updates[-1]["result"] if self.updates else None

    @property
    def result_title(self) -> Locator:
        return self.page.locator("#result-title")
