"""No board paints over what opens above it: rules, moves, menu, help and result, on a phone.

What is above looks the same with the board and without it.
"""

import io
from collections.abc import Callable

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Locator, Page, expect

from sevenhues import load, names
from tests.browser.board_positions import COUNT, starts
from tests.browser.languages import ENGLISH, messages
from tests.browser.prepared_tables import PreparedTables
from tests.browser.site_tour import race_start
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
TEXTS = messages(ENGLISH)
SHADE = 16  # of 255, by which an edge may be smoothed otherwise
EDGE = 16  # pixels of a sheet's edge, where a rounded corner shows what is under it
BOARD_OPACITY_SCRIPT = "(opacity) => document.querySelector('.board').style.opacity = opacity"


def is_painted_over(user: User, sheet: Locator) -> bool:
    """Tell whether a part of the board is in front of a sheet."""
    expect(sheet).to_be_visible()
    page = user.ready()
    width, height = page.evaluate("[innerWidth, innerHeight]")
    box = sheet.bounding_box()
    assert box is not None
    left, top = max(box["x"], 0) + EDGE, max(box["y"], 0) + EDGE
    right, bottom = min(box["x"] + box["width"], width) - EDGE, min(box["y"] + box["height"], height) - EDGE
    assert right - left > 4 * EDGE
    assert bottom - top > 2 * EDGE
    pictures = []
    for opacity in ("", "0"):
        page.evaluate(BOARD_OPACITY_SCRIPT, opacity)
        pictures.append(
            page.screenshot(clip={"x": left, "y": top, "width": right - left, "height": bottom - top}, scale="css")
        )
    page.evaluate(BOARD_OPACITY_SCRIPT, "")
    with_board, without = (Image.open(io.BytesIO(picture)).convert("L") for picture in pictures)
    return any(ImageChops.difference(with_board, without).histogram()[SHADE:])


def open_table(new_user: NewUser, server: ServerProcess, name: str) -> User:
    """Seat a user with a phone, and one who never moves, halfway through a game."""
    user = new_user(plain=False, still=True, phone=True)
    start = list(starts(name).values())[COUNT // 2]
    PreparedTables(server.data).seat(load(name), start, user, new_user(), began=race_start(name))
    user.wait_for_ply(len(start.moves))
    expect(user.page.locator(f".board[data-ply='{len(start.moves)}']")).to_be_visible()
    return user


def resign(page: Page) -> Locator:
    page.get_by_role("button", name=TEXTS["table.menu"]).click()
    page.get_by_role("button", name=TEXTS["resign"], exact=True).click()
    page.get_by_role("button", name=TEXTS["resign.yes"]).click()
    return page.locator(".stage > .over")


@pytest.mark.parametrize("name", names())
def test_board_is_below_every_sheet(new_user: NewUser, server: ServerProcess, name: str) -> None:
    user = open_table(new_user, server, name)
    page = user.page
    tools, sheet = page.locator("header .tools button"), page.locator("dialog[open]")
    expect(page.get_by_role("button", name=TEXTS["table.menu"])).to_be_visible()
    painted_over = []
    for label in [str(tool.get_attribute("aria-label")) for tool in tools.all()]:
        tools.and_(page.get_by_label(label, exact=True)).click()
        painted_over += [label] * is_painted_over(user, sheet)
        page.keyboard.press("Escape")
        expect(sheet).to_have_count(0)
    page.keyboard.press("h")
    painted_over += ["help"] * is_painted_over(user, page.locator("aside.help"))
    page.keyboard.press("Escape")
    painted_over += ["result"] * is_painted_over(user, resign(page))
    assert painted_over == []


def test_board_above_a_sheet_is_found(new_user: NewUser, server: ServerProcess) -> None:
    user = open_table(new_user, server, "rainbow-road")
    result = resign(user.page)
    assert not is_painted_over(user, result)
    user.page.evaluate("Object.assign(document.querySelector('.board').style, { position: 'relative', zIndex: 9 })")
    assert is_painted_over(user, result)
