"""The first page: few requests, nothing shifts, and every game can be started at once."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Request, expect

from tests.browser.page_checks import cut_off, overflowing
from tests.browser.test_layout_shift import MAX_SHIFT, OBSERVE
from tests.browser.user import User

NewUser = Callable[..., User]
MAX_REQUESTS = 15
MAX_TABLE_REQUESTS = 16
LAPTOPS = [(1280, 650), (1366, 650), (1440, 900), (1920, 1080)]
SIZES = [
    *LAPTOPS,
    (320, 640),
    (360, 560),
    (390, 664),
    (390, 844),
    (720, 450),
    (740, 360),
    (768, 1024),
    (844, 390),
    (1024, 768),
]
LANGUAGES = ["en", "nl", "de", "ja"]
PLAY_BUTTONS = "main article .btn.primary"


def size(width: int, height: int) -> Any:
    return {"width": width, "height": height}


@pytest.mark.parametrize("language", LANGUAGES)
def test_home_page_fits_every_window(new_user: NewUser, language: str) -> None:
    ada = new_user(locale=language)
    ada.open()
    expect(ada.page.locator(PLAY_BUTTONS)).to_have_count(4)
    for width, height in SIZES:
        ada.page.set_viewport_size(size(width, height))
        page = ada.ready()
        assert (width, height, overflowing(page), cut_off(page)) == (width, height, [], [])
        bottoms = [box["y"] + box["height"] for one in page.locator(PLAY_BUTTONS).all() if (box := one.bounding_box())]
        if (width, height) in LAPTOPS:
            assert max(bottoms) <= height, (width, height, bottoms)


def test_nothing_shifts_while_the_home_page_loads(new_user: NewUser) -> None:
    ada = new_user()
    ada.context.add_init_script(OBSERVE)
    for visit in ("first", "with tables"):
        for width, height in SIZES:
            ada.page.set_viewport_size(size(width, height))
            ada.open()
            expect(ada.page.locator(PLAY_BUTTONS)).to_have_count(4)
            shifts = ada.ready().evaluate("window.shifts")
            assert sum(shift["value"] for shift in shifts) < MAX_SHIFT, (visit, width, height, shifts)
        for game in ("rainbow", "rainbow-road", "nimble"):
            ada.create_table(game, {"kind": "me"}, {"kind": "bot", "level": "random"})


def test_first_page_and_table_need_few_requests(new_user: NewUser) -> None:
    ada = new_user(plain=False)
    requests: list[Request] = []
    ada.page.on("request", lambda request: requests.append(request))
    ada.open()
    expect(ada.page.locator(PLAY_BUTTONS)).to_have_count(4)
    ada.ready()
    assert len(requests) <= MAX_REQUESTS, [request.url for request in requests]
    table = ada.create_table("rainbow", {"kind": "me"}, {"kind": "bot", "level": "random"})
    requests.clear()
    ada.open(table)
    expect(ada.page.locator(".board[data-ply]")).to_be_visible()
    ada.ready()
    assert len(requests) <= MAX_TABLE_REQUESTS, [request.url for request in requests]
