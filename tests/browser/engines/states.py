"""States of the site that look alike in every engine: pages, sheets, lessons, tables and replays of one user.

`python -m tests.browser.engines.states FOLDER` takes a picture of each in every engine that is installed, side by side.
"""

import io
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from sevenhues import load, names
from sevenhues.server.accounts.cookies import new_user_id
from tests.browser.conftest import CHROMIUM, FLAGS, SERVER_OPTIONS
from tests.browser.engines import webdriver
from tests.browser.engines.chromium import ChromiumEngine
from tests.browser.engines.gateway import Gateway
from tests.browser.engines.page import Engine, EnginePage
from tests.browser.finished_games import upload
from tests.browser.languages import messages
from tests.browser.prepared_tables import PreparedTables, Seat
from tests.browser.site_tour import halfway, race_start
from tests.server.process import ServerProcess

TEXTS = messages("en")
PAGES = ["/", "/watch", "/replay", "/ratings", "/rules", "/new/flip-and-slide", "/transfer#code", "/nowhere"]
# Chromium without a window refuses notifications before it is asked.
ASK_FOR_PERMISSION = "() => void Object.defineProperty(Notification, 'permission', { value: 'default' })"
TURN_GAMES = [name for name in names() if not load(name).simultaneous]


class Visit:
    """A new user with a table of each game, halfway. A race ends by itself, so its table is created when opened."""

    def __init__(self, server: ServerProcess) -> None:
        self._tables = PreparedTables(server.data)
        self._seats = [Seat(name, new_user_id()) for name in ("Ada", "Mira")]
        self._paths = {name: self._create(name) for name in TURN_GAMES}

    @property
    def cookie(self) -> str:
        return self._tables.cookie(str(self._seats[0].user_id))

    def table(self, name: str) -> str:
        """Return the path of a table."""
        return self._paths.get(name) or self._create(name)

    def _create(self, name: str) -> str:
        return f"/t/{self._tables.create(load(name), halfway(name), self._seats, began=race_start(name))}"


def upload_replays(server: ServerProcess) -> dict[str, str]:
    """Upload a finished game of each kind, and return the paths of their replays."""
    return {name: f"/t/{upload(server.url, name, most_moves=40)}/replay?move=24&as=everything" for name in names()}


def states(page: EnginePage, visit: Visit, replays: dict[str, str]) -> Iterator[str]:
    """Lead a page from state to state; yield the name of each when it is reached and nothing moves."""
    page.sign_in(visit.cookie)
    for path in PAGES:
        page.open(path)
        page.wait_for_count("main", 1)
        if path == "/":
            page.wait_for_count(".tables li", len(TURN_GAMES))
            page.wait_for_count("article", len(names()))
        yield settled(page, path)
    page.open()
    page.wait_for_count(".tables li", len(TURN_GAMES))
    page.click("button", TEXTS["me.menu"])
    page.wait_for_count("dialog[open]", 1)
    yield settled(page, "settings")
    for name in names():
        page.open(f"/learn/{name}")
        page.wait_for_count(".board", 1)
        yield settled(page, f"lesson of {name}")
    for name in names():
        page.open(visit.table(name))
        page.wait_for("() => Number(document.querySelector('.board')?.dataset.ply ?? -1) > 0")
        yield settled(page, f"table of {name}")
    for name, path in replays.items():
        page.open(path)
        page.wait_for_count(".board[data-ply='24']", 1)
        yield settled(page, f"replay of {name}")
    page.open(visit.table("rainbow"))
    page.evaluate(ASK_FOR_PERMISSION)
    page.click("button", TEXTS["table.menu"])
    page.wait_for_count("dialog[open]", 1)
    yield settled(page, "menu of a table")


def settled(page: EnginePage, name: str) -> str:
    page.move_away()
    page.settle()
    return name


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack, tempfile.TemporaryDirectory() as scratch:
        server = stack.enter_context(ServerProcess(Path(scratch) / "data", *SERVER_OPTIONS))
        playwright = stack.enter_context(sync_playwright())
        engines: list[Engine] = [
            ChromiumEngine(playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)),
            stack.enter_context(webdriver.firefox(Path(scratch))),
            stack.enter_context(webdriver.webkit(Path(scratch))),
        ]
        replays = upload_replays(server)
        pages = [engine.new_page(stack.enter_context(Gateway(server.port))) for engine in engines]
        visits = [states(page, Visit(server), replays) for page in pages]
        for number, (name, *_) in enumerate(zip(*visits, strict=True), 1):
            pictures = [Image.open(io.BytesIO(page.screenshot())) for page in pages]
            sheet = Image.new("RGB", (sum(picture.width for picture in pictures), pictures[0].height))
            for at, picture in enumerate(pictures):
                sheet.paste(picture, (at * pictures[0].width, 0))
            sheet.save(folder / f"{number:02} {name.strip('/').replace('/', ' ') or 'home'}.png")
        for page in pages:
            print(page.errors())
            page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
