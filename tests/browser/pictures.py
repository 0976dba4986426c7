"""Takes the pictures of the documents, docs/pictures: each game in the middle of a match, in the real client.

Also of the installed app: its icons, and the screenshots of web/public/manifest.webmanifest.

`make pictures` writes them. What is on them follows from seeds, so that they change only when the client does.
"""

import io
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import resvg_py
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from sevenhues import load, names
from sevenhues.bots import make
from sevenhues.core.game import Game
from sevenhues.core.play import bot_move, deal
from sevenhues.core.rng import Rng
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.prepared_tables import PreparedTables, Seat, Start
from tests.browser.user import User
from tests.server.process import ServerProcess

WIDE = 1080  # pixels of a picture, taken at 1440
PHONE_WIDTH = 360
COLOURS = 256
LEVEL = "player"
ADA, MIRA = "a" * 32, "b" * 32
RACE_TIME = 41_000  # ms since the start of a race
ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs/pictures"
PUBLIC = ROOT / "web/public"
SHOWN_IN_STORES = ("rainbow", "flip-and-slide")
ICON_SIZES = (192, 512)
MASKED = 'transform="translate(32 32) scale(0.8) translate(-32 -34)"'  # what a mask shows: a circle of 80 %


class Moment(NamedTuple):
    """A match to be photographed: after so many moves, as soon as seat 0 is to act and sees what is wanted."""

    seed: str
    plies: int
    wanted: Callable[[Any], bool] = bool


MOMENT = Moment("a", 34)
# Of games that show more at another moment.
MOMENTS = {
    "rainbow": Moment("a", 40, lambda view: len(view["row"]) == 4),
    "flip-and-slide": Moment("a", 26),
    "nimble": Moment("a", 70),
}


def play_until(game: Game[Any], moment: Moment) -> Start:
    """Let bots play from a seed until the moment has come."""
    position, rng = deal(game, moment.seed.encode()), Rng.seeded(moment.seed)
    bots = [make(game, LEVEL, "40") for _ in range(position.seats)]
    setup = game.setup(position)
    moves: list[tuple[int, str]] = []
    while len(moves) < moment.plies or 0 not in position.to_act() or not moment.wanted(game.view(position, 0)):
        turn = position.to_act()
        seat = turn[len(moves) % len(turn)]
        move = bot_move(game, position, seat, bots[seat], rng)
        moves.append((seat, game.text(position, seat, move)))
        position.play(seat, move)
    return Start(setup, moves)


def open_table(
    browser: Browser, url: str, tables: PreparedTables, table: str, user_id: str, phone: bool = False
) -> User:
    user = User(browser, url, plain=False, still=True, phone=phone)
    tables.sign_in(user, user_id)
    user.open(f"/t/{table}")
    user.page.get_by_role("region", name="Board", exact=True).wait_for()
    user.ready()
    return user


def small(picture: bytes, width: int = WIDE) -> Image.Image:
    """Scale a picture down and keep as many colours as flat drawings need, also those of small pieces."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image = image.resize((width, image.height * width // image.width), Image.Resampling.LANCZOS)
    return image.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


def draw_icons(folder: Path) -> None:
    """Draw the icon in pixels, as it is and for systems that cut it to a shape of their own."""
    folder.mkdir(parents=True, exist_ok=True)
    icon = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    masked = icon.replace(' rx="14"', "").replace("<g ", f"<g {MASKED} ")
    for size in ICON_SIZES:
        for name, svg in {"icon": icon, "maskable": masked}.items():
            pixels = resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size)
            image = Image.open(io.BytesIO(pixels)).quantize(COLOURS, Image.Quantize.FASTOCTREE)
            image.save(folder / f"{name}-{size}.png", optimize=True)


def main(folder: Path) -> None:
    draw_icons(PUBLIC / "icons")
    (PUBLIC / "screenshots").mkdir(exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        tables, seats = PreparedTables(Path(data)), [Seat("Ada", ADA), Seat("Mira", MIRA)]
        with ServerProcess(Path(data)) as server:
            for name in names():
                game, moment = load(name), MOMENTS.get(name, MOMENT)
                began = int(time.time() * 1000) - RACE_TIME if game.simultaneous else 0
                tables.create(game, play_until(game, moment), seats, table=name, began=began)
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for name in names():
                mira, ada = (open_table(browser, server.url, tables, name, each) for each in (MIRA, ADA))
                small(ada.page.screenshot()).save(folder / f"{name}.png", optimize=True)
                if name in SHOWN_IN_STORES:
                    wide, narrow = (PUBLIC / f"screenshots/{name}-{form}.png" for form in ("wide", "narrow"))
                    small(ada.page.screenshot()).save(wide, optimize=True)
                    phone = open_table(browser, server.url, tables, name, ADA, phone=True)
                    small(phone.page.screenshot(), PHONE_WIDTH).save(narrow, optimize=True)
                    phone.context.close()
                mira.context.close()
                ada.context.close()
            browser.close()
    print("\n".join(f"{file.stat().st_size // 1000:>4} kB  {file.name}" for file in sorted(folder.glob("*.png"))))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
