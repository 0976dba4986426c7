"""Takes a picture of every page and state, light and dark, on phone, tablet and desktop, and of some in every language;
of every board also as eyes see it that tell fewer colours, in forced colours, and magnified.

`make screenshots` writes them. Japanese needs a font for it on the machine, such as Debian's fonts-ipafont-gothic.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from sevenhues import names
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.finished_games import upload
from tests.browser.languages import ENGLISH, LANGUAGES, messages
from tests.browser.user import User
from tests.server.process import ServerProcess

WIDTHS = {"phone": (360, 780), "tablet": (768, 1024), "desktop": (1440, 900)}
DEFICIENCIES = ("protanopia", "deuteranopia", "tritanopia")
COLOURFUL = {"flip-and-slide": 44, "nimble": 60}  # moves into a game, where 20 show fewer colours
PAGES = {
    "home": "/",
    "watch": "/watch",
    "replay": "/replay",
    "ratings": "/ratings",
    "rules": "/rules",
    "new": "/new/flip-and-slide",
    "transfer": "/transfer#code",
    "lost": "/nowhere",
    "gone": "/t/no-such-table",
}


def states(make: Callable[..., User]) -> Iterator[tuple[str, User]]:
    """Yield every state worth a picture, with the person who sees it."""
    ada = make()
    for name, path in PAGES.items():
        ada.open(path)
        yield name, ada
    ada.open()
    ada.page.get_by_role("article").first.wait_for()
    titles = ada.page.get_by_role("article").get_by_role("heading").all_inner_texts()

    ada.page.get_by_role("button", name="Profile and settings").click()
    yield "me", ada
    ada.open()
    ada.card(titles[0]).get_by_role("button", name="Same device").click()
    yield "share", ada
    ada.page.get_by_role("button", name="Start game").click()
    ada.page.get_by_role("heading", name="Pass the device to").wait_for()
    yield "curtain", ada

    ada.open()
    ada.card(titles[0]).get_by_role("button", name="Invite").click()
    ada.page.get_by_role("textbox", name="Link to this game").wait_for()
    yield "waiting", ada
    guest = make()
    guest.open("/t/" + ada.page.url.rsplit("/", 1)[1])
    guest.page.get_by_role("button", name="Join").wait_for()
    yield "invited", guest

    for title in titles:
        name = title.lower().replace(" & ", " ").replace(" ", "-")
        for plain in (False, True):
            player = make(plain=plain)
            player.play_bot(title)
            player.page.get_by_role("region", name="Board", exact=True).wait_for()
            yield f"table-{name}{'-plain' if plain else ''}", player

    player.page.get_by_role("button", name="Rules").click()
    yield "table-rules", player
    player.page.get_by_role("button", name="Close").first.click()
    player.page.get_by_role("button", name="This game").click()
    yield "table-menu", player
    player.page.keyboard.press("Escape")
    player.resign()
    player.page.get_by_role("button", name="Proof of a fair deal").click()
    yield "table-result", player
    watcher = make(plain=False)
    ada.page.get_by_role("button", name="Add a bot").click()
    ada.page.get_by_role("region", name="Board", exact=True).wait_for()
    watcher.open("/t/" + ada.page.url.rsplit("/", 1)[1])
    watcher.page.get_by_role("region", name="Board", exact=True).wait_for()
    yield "table-watching", watcher


def photograph(browser: Browser, url: str, folder: Path) -> None:
    for theme in ("light", "dark"):
        for width, (across, down) in WIDTHS.items():
            people: list[User] = []

            def make(plain: bool = False) -> User:
                one = User(browser, url, plain=plain, phone=width == "phone", dark=theme == "dark")  # noqa: B023
                one.page.set_viewport_size({"width": across, "height": down})  # noqa: B023
                people.append(one)  # noqa: B023
                return one

            for name, one in states(make):
                one.ready()
                one.page.screenshot(path=folder / f"{name}-{theme}-{width}.png", full_page=True)
            for one in people:
                one.context.close()


def translate(browser: Browser, url: str, folder: Path) -> None:
    """Take the pages with the most words, and a table of every game, in the other languages."""
    for tag in LANGUAGES:
        for width in ("phone", "desktop") if tag != ENGLISH else ():
            texts = messages(tag)
            one = User(browser, url, plain=False, phone=width == "phone", locale=tag)

            def take(name: str) -> None:
                one.ready()  # noqa: B023
                one.page.screenshot(path=folder / f"{name}-{tag}-{width}.png", full_page=True)  # noqa: B023

            for name in ("new", "rules", "home"):
                one.open(PAGES[name])
                take(name)
            one.page.get_by_role("button", name=texts["me.menu"]).click()
            take("me")
            for at in range(one.page.get_by_role("article").count()):
                one.open()
                one.page.get_by_role("button", name=texts["play.bot"]).nth(at).click()
                ready = one.page.get_by_role("button", name=texts["ready.go"], exact=True)
                board = one.page.get_by_role("region", name=texts["board"], exact=True)
                board.or_(ready).first.wait_for()
                if ready.is_visible():
                    ready.click()
                board.wait_for()
                take(f"table-{at + 1}")
            one.context.close()


def other_eyes(browser: Browser, url: str, folder: Path) -> None:
    """Take every board, most colours on it: without red, green or blue cones, in forced colours, magnified."""
    moments = {name: f"/t/{upload(url, name)}/replay?move={COLOURFUL.get(name, 20)}&as=0" for name in names()}

    def take(one: User, sight: str, width: str = "desktop") -> None:
        for name, path in moments.items():
            one.open(path)
            one.page.get_by_role("region", name="Board", exact=True).wait_for()
            one.ready()
            one.page.screenshot(path=folder / f"board-{name}-{sight}-{width}.png")

    for sight in DEFICIENCIES:
        one = User(browser, url, plain=False, still=True)
        eyes = one.context.new_cdp_session(one.page)
        eyes.send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
        take(one, sight)
        one.context.close()
    for theme in ("light", "dark"):
        one = User(browser, url, plain=False, still=True, dark=theme == "dark", forced=True)
        take(one, f"forced-{theme}")
        one.context.close()
    for zoom in (2, 4):
        one = User(browser, url, plain=False, still=True, zoom=zoom)
        take(one, f"{zoom}00", "percent")
        one.context.close()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        ServerProcess(Path(data)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        photograph(browser, server.url, folder)
        translate(browser, server.url, folder)
        other_eyes(browser, server.url, folder)
        browser.close()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}/")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
