"""The first page: few requests, nothing shifts, and every game can be started at once."""

from collections.abc import Callable
from itertools import product
from typing import Any

from playwright.sync_api import Request, expect

from sevenhues import names
from tests.browser.display import WINDOWS
from tests.browser.languages import ENGLISH, LANGUAGES
from tests.browser.layout_checks import layout_faults
from tests.browser.test_layout_shift import MAX_SHIFT, OBSERVE
from tests.browser.typefaces import Typefaces
from tests.browser.user import User

NewUser = Callable[..., User]
MAX_REQUESTS = 15
MAX_TABLE_REQUESTS = 16
LAPTOPS = [(1280, 650), (1366, 650), (1440, 900), (1920, 1080)]
FIRST_GAMES = 4  # that a laptop shows without scrolling
PLAY_BUTTONS = "main article .btn.primary"
OUTSIDE_CARD_SCRIPT = """() => [...document.querySelectorAll(".ways > *")].filter((way) => {
    const [own, card] = [way, way.closest("article")].map((one) => one.getBoundingClientRect());
    return own.left < card.left || own.right > card.right || way.scrollWidth > way.clientWidth;
}).map((way) => way.textContent)"""


def size(width: int, height: int) -> Any:
    return {"width": width, "height": height}


def test_first_games_are_started_on_a_laptop_without_scrolling(new_user: NewUser) -> None:
    ada = new_user()
    ada.open()
    expect(ada.page.locator(PLAY_BUTTONS)).to_have_count(len(names()))
    for language, (width, height) in product(LANGUAGES, LAPTOPS):
        ada.page.set_viewport_size(size(width, height))
        ada.choose(language=language)
        boxes = [one.bounding_box() for one in ada.ready().locator(PLAY_BUTTONS).all()]
        bottoms = [box["y"] + box["height"] for box in boxes if box][:FIRST_GAMES]
        assert len(bottoms) == FIRST_GAMES
        assert max(bottoms) <= height, (language, width, height, bottoms)


def test_other_ways_to_play_stand_in_one_line_on_a_laptop(new_user: NewUser) -> None:
    ada = new_user()
    ada.open()
    expect(ada.page.locator(PLAY_BUTTONS)).to_have_count(len(names()))
    for language, (width, height) in [*product([ENGLISH], LAPTOPS), *product(LANGUAGES, LAPTOPS[2:])]:
        ada.page.set_viewport_size(size(width, height))
        ada.choose(language=language)
        lines = (
            ada.ready()
            .locator(".ways")
            .evaluate_all("(all) => all.map((ways) => new Set([...ways.children].map((way) => way.offsetTop)).size)")
        )
        assert lines == [1] * len(names()), (language, width, height)


def test_other_ways_to_play_wrap_on_a_phone(new_user: NewUser, typefaces: Typefaces) -> None:
    ada = new_user()
    ada.open()
    expect(ada.page.locator(".ways")).to_have_count(len(names()))
    typefaces.show(ada.page, "wide")  # in Japanese the client's own
    for language, width in product(LANGUAGES, (360, 390)):
        ada.page.set_viewport_size(size(width, 664))
        ada.choose(language=language)
        outside = ada.ready().evaluate(OUTSIDE_CARD_SCRIPT)
        assert (language, width, outside, layout_faults(ada.page)) == (language, width, [], [])


def test_nothing_shifts_while_the_home_page_loads(new_user: NewUser) -> None:
    ada = new_user()
    ada.context.add_init_script(OBSERVE)
    for visit, windows in {"first": list(WINDOWS.values()), "with tables": list(WINDOWS.values())[:5:2]}.items():
        for width, height in windows:
            ada.page.set_viewport_size(size(width, height))
            ada.open()
            expect(ada.page.locator(PLAY_BUTTONS)).to_have_count(len(names()))
            shifts = ada.ready().evaluate("window.shifts")
            assert sum(shift["value"] for shift in shifts) < MAX_SHIFT, (visit, width, height, shifts)
        for game in names()[:3]:
            ada.create_table(game, {"kind": "me"}, {"kind": "bot", "level": "random"})


def test_first_page_and_table_need_few_requests(new_user: NewUser) -> None:
    ada = new_user(plain=False)
    requests: list[Request] = []
    ada.page.on("request", lambda request: requests.append(request))
    ada.open()
    expect(ada.page.locator(PLAY_BUTTONS)).to_have_count(len(names()))
    ada.ready()
    assert len(requests) <= MAX_REQUESTS, [request.url for request in requests]
    table = ada.create_table("rainbow", {"kind": "me"}, {"kind": "bot", "level": "random"})
    requests.clear()
    ada.open(table)
    expect(ada.page.locator(".board[data-ply]")).to_be_visible()
    ada.ready()
    assert len(requests) <= MAX_TABLE_REQUESTS, [request.url for request in requests]
