"""Flip & Slide's board in a real browser: by mouse, touch, key and drag, puzzles, and how much a gesture changes."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from sevenhues.core import record
from sevenhues.core.play import deal, random_game
from sevenhues.core.position import WATCHER
from sevenhues.core.rng import Rng
from tests.browser.flip_and_slide_board import GAME, play, start_of, wait_for_ply
from tests.browser.page_checks import check_axe, check_phone
from tests.browser.prepared_tables import PreparedTables, Start
from tests.browser.test_hidden_information import check_frames, finished
from tests.browser.user import PHONE, User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]

# A rainbow lies in order along the rim; the rest is shuffled.
ALONE = "GVIYRBOROYGBIV"
ALONE_MOVES = [
    "@-1,2",
    "F-1,-1",
    "J-1,-2",
    "F-2,0",
    "J3,-2",
    "S3,-2>-3,1",
    "J1,-3",
    "F2,0",
    "J1,1",
    "S1,1>-1,-2",
    "J3,-2",
    "F2,-2",
    "J-1,2",
    "F0,-2",
    "J-1,-2",
    "F2,-1",
    "J3,-2",
    "F1,-2",
]
PUZZLE = "4K7-M2Q"
TWO = "BOGVIGBYOYROYGBIVIRRV"
TWO_UP = ["1,-2", "0,-2", "-1,-1", "-2,0"]
TWO_MOVES = ["@-1,3", "@3,-2", "S-1,3>-2,3", "F-1,2", "S3,-2>-1,3", "S-1,3>2,1", "F-2,2", "F-2,1"]
TWO_SEATS = [0, 1, 0, 0, 1, 1, 0, 0]
FOUR = "BVGORGVVIIYYRBROIBOGYROYGBIV"
FOUR_UP = ["3,-2", "3,-3", "2,-3", "1,-3"]
FOUR_MOVES = [
    "@3,-4",
    "@4,-2",
    "@5,-2",
    "@4,-4",
    "S3,-4>-3,3",
    "S-3,3>-2,3",
    "F0,-3",
    "F-1,-2",
    "S5,-2>-3,2",
    "S-3,2>5,-5",
    "F-2,-1",
]
FOUR_SEATS = [0, 1, 2, 3, 0, 0, 1, 1, 2, 2, 3]
MANY = "many11"  # a deal, and a random game from it, that comes to 490 legal moves
MANY_PLIES = 116


@pytest.fixture
def tables(server: ServerProcess) -> PreparedTables:
    return PreparedTables(server.data)


def alone(plies: int = 0) -> Start:
    return start_of(ALONE, moves=[(0, text) for text in ALONE_MOVES[:plies]])


def two(plies: int = 0) -> Start:
    return start_of(TWO, TWO_UP, list(zip(TWO_SEATS, TWO_MOVES, strict=True))[:plies])


def four(plies: int = 0) -> Start:
    return start_of(FOUR, FOUR_UP, list(zip(FOUR_SEATS, FOUR_MOVES, strict=True))[:plies])


@cache
def many_moves() -> Start:
    """A position of four players with hundreds of legal moves."""
    position = deal(GAME, MANY.encode(), 4)
    setup = GAME.setup(position)
    made = random_game(GAME, position, Rng(int(MANY[4:])))[:MANY_PLIES]
    return Start(setup, [(move.seat, move.text) for move in made])


def box(locator: Locator) -> FloatRect:
    found = locator.bounding_box()
    assert found is not None
    return found


def middle(locator: Locator) -> tuple[float, float]:
    rect = box(locator)
    return rect["x"] + rect["width"] / 2, rect["y"] + rect["height"] / 2


def test_two_users_finish_a_game_and_a_watcher_sees_no_hidden_colour(new_user: NewUser, tables: PreparedTables) -> None:
    ada, ines, watcher = (new_user(plain=False) for _ in range(3))
    watcher.open(tables.seat(GAME, two(), ada, ines))
    expect(ada.page.get_by_role("heading", name="Place your pot beside the patch")).to_be_visible()
    expect(ines.page.get_by_role("heading", name="Ada is placing the pot.")).to_be_visible()
    expect(watcher.page.get_by_text("Watching")).to_be_visible()
    for ply, (seat, text) in enumerate(zip(TWO_SEATS, TWO_MOVES, strict=True), 1):
        play((ada, ines)[seat].page, text)
        for user in (ada, ines, watcher):
            wait_for_ply(user, ply)
        # Face-down tiles look and sound alike: a clover, whatever colour is under it.
        down = [tile["tile"] for tile in watcher.updates[-1]["views"][0]["view"]["tiles"] if tile["face"] is None]
        assert down
        labels = {
            str(watcher.page.locator(f'.piece[data-tile="{tile}"]').get_attribute("aria-label")).split()[0].strip(",.")
            for tile in down
        }
        assert labels <= {"Clover", "Ada’s", "Ines’s"}, labels
    expect(ada.page.get_by_text("A whole rainbow touches your pot.")).to_be_visible()
    expect(ines.page.get_by_text("A whole rainbow touches Ada’s pot.")).to_be_visible()
    assert ada.updates[-1]["result"]["winners"] == [0]
    whole = finished(ada)
    played = [position.copy() for position in record.replay(whole)]
    for user, seats in ((ada, {0}), (ines, {1}), (watcher, {WATCHER})):
        check_frames(user, GAME, played, seats)


@pytest.mark.parametrize("plies", [8, pytest.param(0, marks=pytest.mark.long)], ids=["last-moves", "whole-game"])
def test_four_users_finish_a_game(new_user: NewUser, tables: PreparedTables, plies: int) -> None:
    users = [new_user(plain=False) for _ in range(4)]
    tables.seat(GAME, four(plies), *users)
    for ply, (seat, text) in list(enumerate(zip(FOUR_SEATS, FOUR_MOVES, strict=True), 1))[plies:]:
        play(users[seat].page, text)
        for user in users:
            wait_for_ply(user, ply)
    mira = users[3]
    assert mira.updates[-1]["result"]["winners"] == [3]
    expect(mira.page.get_by_text("A whole rainbow touches your key.")).to_be_visible()


def test_barred_tile_says_who_slid_it_on_a_shared_device(new_user: NewUser, tables: PreparedTables) -> None:
    ada = new_user(plain=False, still=True)
    tables.seat(GAME, two(2), ada, ada)
    page = ada.page
    wait_for_ply(ada, 2)
    red = "1,-2"
    page.locator(f'.piece[data-cell="{red}"]').click()
    target = page.locator(".spot").first.get_attribute("data-cell")
    page.keyboard.press("Escape")
    expect(page.locator(".spot")).to_have_count(0)
    play(page, f"S{red}>{target}")
    wait_for_ply(ada, 3)
    play(page, f"S{target}>{red}")
    wait_for_ply(ada, 4)
    barred = page.locator(f'.piece[data-cell="{red}"]')
    expect(barred).to_have_attribute("aria-label", re.compile("Barred: Ada slid it last turn"))
    barred.click()
    expect(page.locator(".warning")).to_contain_text("That tile was slid the turn before yours. Choose another one.")
    for ply in (5, 6):  # the next player goes on, on the same device, without a curtain
        page.keyboard.press("n")
        clover = page.locator(".piece.able[aria-label^=Clover]").first
        play(page, f"F{clover.get_attribute('data-cell')}")
        wait_for_ply(ada, ply)


@pytest.mark.parametrize("plies", [5, pytest.param(0, marks=pytest.mark.long)], ids=["last-moves", "whole-game"])
def test_shared_device_finishes_a_game_without_a_curtain(new_user: NewUser, tables: PreparedTables, plies: int) -> None:
    ada = new_user(plain=False, still=True)
    tables.seat(GAME, two(plies), ada, ada)
    for ply, text in list(enumerate(TWO_MOVES, 1))[plies:]:
        play(ada.page, text)
        wait_for_ply(ada, ply)
    assert ada.updates[-1]["result"]["winners"] == [0]


@pytest.mark.parametrize("plies", [13, pytest.param(0, marks=pytest.mark.long)], ids=["last-moves", "whole-game"])
def test_puzzle_names_each_step_until_it_is_solved(new_user: NewUser, tables: PreparedTables, plies: int) -> None:
    ada = new_user(plain=False)
    tables.seat(GAME, alone(plies), ada, seed=PUZZLE)
    page = ada.page
    expect(page.get_by_text(f"puzzle {PUZZLE}").first).to_be_visible()
    for ply, text in list(enumerate(ALONE_MOVES, 1))[plies:]:
        if text[0] == "J":
            expect(page.get_by_role("heading", name="Now your pot must jump")).to_be_visible()
        play(page, text)
        view = wait_for_ply(ada, ply)
        if view["phase"] == "act" and ply < len(ALONE_MOVES):
            step = page.get_by_role("listitem").filter(has_text="1 Flip or slide")
            expect(step).to_have_attribute("aria-current", "step")
    expect(page.get_by_text("A whole rainbow touches your pot.")).to_be_visible()
    assert ada.updates[-1]["result"]["winners"] == [0]


def test_puzzle_on_a_phone_is_played_by_touch_and_by_numbered_jumps(new_user: NewUser, tables: PreparedTables) -> None:
    ines = new_user(plain=False, phone=True)
    begun = 2
    tables.seat(GAME, alone(begun), ines, seed=PUZZLE)
    page = ines.page
    for ply, text in list(enumerate(ALONE_MOVES[:7], 1))[begun:]:
        if text[0] == "J" and ply > 3:
            wait_for_ply(ines, ply - 1)
            cells = [jump["cell"] for jump in ines.updates[-1]["views"][0]["view"]["jumps"]]
            number = cells.index(text[1:]) + 1
            page.get_by_role("group", name="Actions").get_by_role("button", name=f"Jump {number}, over").tap()
        else:
            play(page, text, touch=True)
        wait_for_ply(ines, ply)
    # One tap does not flip a clover, and it can be put back.
    clover = page.locator(".piece.able[aria-label^=Clover]").first
    clover.tap()
    expect(clover).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Put back").tap()
    expect(clover).to_have_attribute("aria-pressed", "false")
    assert ines.updates[-1]["ply"] == 7
    check_phone(page, "puzzle")


def test_puzzle_link_deals_the_same_tiles_and_options(new_user: NewUser) -> None:
    ada, mira = new_user(plain=False, still=True), new_user(plain=False, still=True)
    ada.open()
    expect(ada.card("Rainbow")).to_be_visible()
    created = ada.page.request.post(
        ada.url + "/api/tables",
        data={"game": GAME.id, "seats": [{"kind": "me"}], "options": {"short_slides": True}},
    ).json()
    page = ada.open(f"/t/{created['id']}")
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share puzzle").click()
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()
    address = page.evaluate("navigator.clipboard.readText()")
    assert address == f"{ada.url}/new/flip-and-slide?puzzle={created['seed']}&short_slides=true"

    mira.page.goto(address)
    mira.page.get_by_role("button", name="Start game").click()
    mira.page.wait_for_url("**/t/*")
    expect(mira.page.get_by_text(f"puzzle {created['seed']}").first).to_be_visible()
    assert (mira.table["seed"], mira.table["options"]) == (created["seed"], created["options"])
    # The same tiles lie there: flipped, they show the same colours.
    for user in (ada, mira):
        for ply, text in enumerate(["@3,-2", "F2,0"], 1):
            play(user.page, text)
            wait_for_ply(user, ply)
    assert ada.updates[-1]["views"][0]["view"]["tiles"] == mira.updates[-1]["views"][0]["view"]["tiles"]
    begun = mira.page.url
    mira.page.get_by_role("button", name="Start over").click()
    mira.page.wait_for_url(lambda url: url != begun)
    expect(mira.page.get_by_text("14 clovers left")).to_be_visible()
    assert mira.table["seed"] == created["seed"]


def test_keys_place_flip_and_slide(new_user: NewUser, tables: PreparedTables) -> None:
    ada, ines = new_user(plain=False, still=True), new_user(plain=False)
    tables.seat(GAME, two(), ada, ines)
    page = ada.page
    focused = page.locator("[data-cell]:focus")
    wait_for_ply(ada, 0)
    expect(page.locator(".spot").first).to_be_visible()
    page.keyboard.press("n")
    expect(page.locator(".spot:focus")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".spot:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    wait_for_ply(ada, 1)
    wait_for_ply(ines, 1)
    play(ines.page, f"@{ines.page.locator('.spot').first.get_attribute('data-cell')}")
    wait_for_ply(ada, 2)

    def press_until(key: str, label: str) -> None:
        """Go from tile to tile until the focused one is called so."""
        for _ in range(40):
            page.keyboard.press(key)
            expect(focused).to_have_count(1)
            if re.search(label, focused.get_attribute("aria-label") or ""):
                return
        raise AssertionError(f"{key} never reaches {label}")

    press_until("n", "^Clover")
    page.keyboard.press("f")
    wait_for_ply(ada, 3)
    press_until("Shift+n", "Can slide")
    page.keyboard.press("s")
    expect(page.locator(".piece[aria-pressed=true]")).to_have_count(1)
    for _ in range(3):
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
    expect(page.locator(".spot:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    view = wait_for_ply(ada, 4)
    assert view["last"]["kind"] == "slide"
    assert view["turn"] == 1


def test_board_pans_zooms_and_fits_by_mouse_wheel_and_key(new_user: NewUser, tables: PreparedTables) -> None:
    ada = new_user(plain=False, still=True)
    tables.seat(GAME, many_moves(), ada, ada, ada, ada)
    page = ada.page
    wait_for_ply(ada, MANY_PLIES)
    world = page.locator(".world")
    fitted = world.get_attribute("style") or ""
    ground = box(page.locator(".patch"))
    assert 24 <= box(page.locator(".piece").first)["width"] <= 101
    page.mouse.move(ground["x"] + 30, ground["y"] + ground["height"] - 30)
    page.mouse.down()
    page.mouse.move(ground["x"] + 130, ground["y"] + ground["height"] - 90, steps=4)
    page.mouse.up()
    expect(world).not_to_have_attribute("style", fitted)
    page.keyboard.press("0")
    expect(world).to_have_attribute("style", fitted)
    page.mouse.wheel(0, -240)
    expect(world).not_to_have_attribute("style", fitted)
    page.get_by_role("button", name="Show the whole patch").click()
    expect(world).to_have_attribute("style", fitted)


def test_patch_spans_a_phone_and_a_pinch_zooms(new_user: NewUser, tables: PreparedTables) -> None:
    ada = new_user(plain=False, still=True, phone=True)
    tables.seat(GAME, two(4), ada, ada)
    page = ada.page
    wait_for_ply(ada, 4)
    before = box(page.locator(".piece").first)["height"]
    ground = box(page.locator(".patch"))
    assert ground["width"] == PHONE["width"]
    x, y = ground["x"] + ground["width"] / 2, ground["y"] + ground["height"] / 2
    touches = ada.context.new_cdp_session(page)

    def touch(kind: str, *apart: float) -> None:
        points = [{"x": x + side * each, "y": y, "id": side + 1} for each in apart for side in (-1, 1)]
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 20)
    for apart in (30, 45, 60):
        touch("touchMove", apart)
    touch("touchEnd")
    page.wait_for_function(
        "(height) => document.querySelector('.piece').getBoundingClientRect().height > 1.5 * height", arg=before
    )
    assert ada.updates[-1]["ply"] == 4


def test_dragged_tile_slides_to_the_cell_it_is_dropped_on(new_user: NewUser, tables: PreparedTables) -> None:
    ada = new_user(plain=False)
    tables.seat(GAME, many_moves(), ada, ada, ada, ada)
    page = ada.page
    wait_for_ply(ada, MANY_PLIES)
    acting = next(seat_view for seat_view in ada.updates[-1]["views"] if seat_view["legal"])
    tile = max(acting["view"]["tiles"], key=lambda one: len(one["reach"]))
    target = list(tile["reach"])[-1]
    piece = page.locator(f'.piece[data-tile="{tile["tile"]}"]')
    piece.click()
    there = middle(page.locator(f'.spot[data-cell="{target}"]'))
    page.keyboard.press("Escape")
    expect(page.locator(".spot")).to_have_count(0)
    page.mouse.move(*middle(piece))
    page.mouse.down()
    page.mouse.move(*there, steps=6)
    expect(page.locator(".spot.aimed")).to_have_attribute("data-cell", target)
    page.mouse.up()
    ada.wait_for_ply(MANY_PLIES + 1)
    expect(piece).to_have_attribute("data-cell", target)


@pytest.mark.long  # `make test` has axe look at a table of each game on its tour
@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_axe_finds_nothing_on_the_board(new_user: NewUser, tables: PreparedTables, phone: bool) -> None:
    ada = new_user(plain=False, still=True, phone=phone, dark=phone, bypass_csp=True)
    for name, start, seats in (("two", two(4), 2), ("puzzle", alone(2), 1)):
        tables.seat(GAME, start, *[ada] * seats, seed=PUZZLE if seats == 1 else None)
        page = ada.page
        wait_for_ply(ada, len(start.moves))
        expect(page.locator(".spot, .piece.able").first).to_be_visible()
        check_axe(page, name)
        slides = page.locator(".piece.able:not([aria-label^=Clover])")
        (slides if name == "two" else page.locator(".spot")).first.focus()
        page.keyboard.press("s")
        expect(page.locator(".spot").first).to_be_visible()
        check_axe(page, f"{name}, picked")
        if phone:
            check_phone(page, name)


def test_hovering_among_hundreds_of_moves_changes_few_elements(new_user: NewUser, tables: PreparedTables) -> None:
    ada = new_user(plain=False, still=True)
    tables.seat(GAME, many_moves(), ada, ada, ada, ada)
    page = ada.page
    wait_for_ply(ada, MANY_PLIES)
    acting: Any = next(seat_view for seat_view in ada.updates[-1]["views"] if seat_view["legal"])
    assert len(acting["legal"]) > 300
    tile = max(acting["view"]["tiles"], key=lambda one: len(one["reach"]))
    piece = page.locator(f'.piece[data-tile="{tile["tile"]}"]')
    page.evaluate(
        """() => {
            window.changes = 0;
            new MutationObserver((records) => { changes += records.length }).observe(document.querySelector(".board"), {
                subtree: true, childList: true, attributes: true, characterData: true });
        }"""
    )

    def changes() -> int:
        """Return how many changes of the page there were since the last call."""
        count: int = page.evaluate(
            "async () => { await new Promise(requestAnimationFrame); const made = changes; changes = 0; return made }"
        )
        return count

    piece.click()
    expect(piece).to_have_attribute("aria-pressed", "true")
    spots = page.locator(".spot").count()
    assert spots == len(tile["reach"])
    assert changes() <= 200 + 3 * spots
    for cell in [middle(spot) for spot in page.locator(".spot").all()[::5]]:
        page.mouse.move(*cell)
        assert changes() <= 20
