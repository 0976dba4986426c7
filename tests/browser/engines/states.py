"""States of the site that look alike in every engine: pages, sheets, lessons, tables and replays of one user."""

from collections.abc import Iterator

from sevenhues import load, names
from sevenhues.server.accounts.cookies import new_user_id
from tests.browser.engines.page import EnginePage
from tests.browser.finished_games import upload
from tests.browser.languages import ENGLISH, messages
from tests.browser.prepared_tables import PreparedTables, Seat
from tests.browser.site_tour import halfway, race_start
from tests.server.process import ServerProcess

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


def states(page: EnginePage, visit: Visit, replays: dict[str, str], language: str = ENGLISH) -> Iterator[str]:
    """Lead a page from state to state; yield the name of each when it is reached and nothing moves."""
    texts = messages(language)
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
    page.click("button", texts["me.menu"])
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
    page.click("button", texts["table.menu"])
    page.wait_for_count("dialog[open]", 1)
    yield settled(page, "menu of a table")


def settled(page: EnginePage, name: str) -> str:
    page.move_away()
    page.settle()
    return name
