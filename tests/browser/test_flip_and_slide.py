"""Flip & Slide in a real browser: whole games by mouse, finger and key, puzzles, and how much work the meadow is."""

import re
from collections.abc import Callable
from statistics import median

import pytest
from playwright.sync_api import FloatRect, expect

from sevenhues.core.play import deal, random_game
from sevenhues.core.rng import Rng
from tests.browser.flip_and_slide_board import GAME, Prepared, play, setup, wait_for_move
from tests.browser.test_accessibility import check_axe, check_phone
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]

# A rainbow lies in order along the rim; the rest is shuffled.
ALONE = setup("GVIYRBOROYGBIV")
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
TWO = setup("BOGVIGBYOYROYGBIVIRRV", ["1,-2", "0,-2", "-1,-1", "-2,0"])
TWO_MOVES = ["@-1,3", "@3,-2", "S-1,3>-2,3", "F-1,2", "S3,-2>-1,3", "S-1,3>2,1", "F-2,2", "F-2,1"]
TWO_SEATS = [0, 1, 0, 0, 1, 1, 0, 0]
FOUR = setup("BVGORGVVIIYYRBROIBOGYROYGBIV", ["3,-2", "3,-3", "2,-3", "1,-3"])
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
PLAYERS = ["Ada", "Ines", "Jonas", "Mira"]
MANY = "many11"  # a deal, and a random game from it, that comes to 490 legal moves
MANY_PLIES = 116


@pytest.fixture(scope="module")
def prepared(server: ServerProcess) -> Prepared:
    tables = Prepared(server.data)
    tables.lay("alone", ALONE, [("Ada", "Ada")], seed="4K7-M2Q")
    tables.lay("alone-phone", ALONE, [("Ines", "Ines")], seed="4K7-M2Q")
    tables.lay("two", TWO, [("Ada", "Ada"), ("Ines", "Ines")])
    tables.lay("keys", TWO, [("Ada", "Ada"), ("Ines", "Ines")])
    tables.lay("shared", TWO, [("Ada", "Ada"), ("Ada", "Ines")])
    tables.lay("shared-whole", TWO, [("Ada", "Ada"), ("Ada", "Ines")])
    tables.lay("four", FOUR, [(name, name) for name in PLAYERS])
    placed = list(zip(TWO_SEATS, TWO_MOVES, strict=True))[:4]
    tables.lay("looked-at", TWO, [("Ada", "Ada"), ("Ada", "Ines")], placed)
    tables.lay("looked-at-alone", ALONE, [("Ada", "Ada")], [(0, text) for text in ALONE_MOVES[:2]], seed="4K7-M2Q")
    position = deal(GAME, MANY.encode(), 4)
    start = GAME.setup(position)
    made = random_game(GAME, position, Rng(int(MANY[4:])))[:MANY_PLIES]
    everybody = [("Ada", name) for name in PLAYERS]
    tables.lay("many", start, everybody, [(move.seat, move.text) for move in made])
    return tables


def test_two_people_play_to_a_rainbow(new_user: NewUser, prepared: Prepared) -> None:
    ada, ines = (prepared.let_in(new_user(plain=False), name) for name in ("Ada", "Ines"))
    for one in (ada, ines):
        one.open("/t/two")
    expect(ada.page.get_by_role("heading", name="Place your pot beside the patch")).to_be_visible()
    expect(ines.page.get_by_role("heading", name="Ada places the pot.")).to_be_visible()
    for ply, (seat, text) in enumerate(zip(TWO_SEATS, TWO_MOVES, strict=True), 1):
        play((ada, ines)[seat].page, text)
        for one in (ada, ines):
            wait_for_move(one, ply)
    expect(ada.page.get_by_text("A whole rainbow touches your pot.")).to_be_visible()
    expect(ines.page.get_by_text("A whole rainbow touches Ada’s pot.")).to_be_visible()
    assert ada.updates[-1]["result"]["winners"] == [0]


def test_four_people_play_to_a_rainbow(new_user: NewUser, prepared: Prepared) -> None:
    everybody = [prepared.let_in(new_user(plain=False), name) for name in PLAYERS]
    for one in everybody:
        one.open("/t/four")
    for ply, (seat, text) in enumerate(zip(FOUR_SEATS, FOUR_MOVES, strict=True), 1):
        play(everybody[seat].page, text)
        for one in everybody:
            wait_for_move(one, ply)
    mira = everybody[3]
    assert mira.updates[-1]["result"]["winners"] == [3]
    expect(mira.page.get_by_text("A whole rainbow touches your key.")).to_be_visible()


def test_a_shared_device_needs_no_curtain(new_user: NewUser, prepared: Prepared) -> None:
    ada = prepared.let_in(new_user(plain=False, still=True), "Ada")
    page = ada.open("/t/shared")
    for ply, text in enumerate(TWO_MOVES[:2], 1):
        play(page, text)
        wait_for_move(ada, ply)
    # A colour that one player slides is barred for the next, who is told why.
    red = "1,-2"
    page.locator(f'.piece[data-cell="{red}"]').click()
    target = page.locator(".spot").first.get_attribute("data-cell")
    page.keyboard.press("Escape")
    expect(page.locator(".spot")).to_have_count(0)
    play(page, f"S{red}>{target}")
    wait_for_move(ada, 3)
    play(page, f"S{target}>{red}")
    wait_for_move(ada, 4)
    locked = page.locator(f'.piece[data-cell="{red}"]')
    expect(locked).to_have_attribute("aria-label", re.compile("Barred: Ada slid it last turn"))
    locked.click()
    expect(page.get_by_text("Ada slid this tile last turn, so it rests now.")).to_be_visible()
    # The rest of the game, with both hands on one device.
    for ply in range(5, 9):
        page.keyboard.press("n")
        piece = page.locator(".piece.able[aria-label^=Clover]").first
        play(page, f"F{piece.get_attribute('data-cell')}")
        wait_for_move(ada, ply)


def test_one_device_is_enough_for_a_whole_game(new_user: NewUser, prepared: Prepared) -> None:
    ada = prepared.let_in(new_user(plain=False, still=True), "Ada")
    page = ada.open("/t/shared-whole")
    for ply, text in enumerate(TWO_MOVES, 1):
        play(page, text)
        wait_for_move(ada, ply)
    assert ada.updates[-1]["result"]["winners"] == [0]


def test_a_puzzle_is_solved_and_its_steps_are_led(new_user: NewUser, prepared: Prepared) -> None:
    ada = prepared.let_in(new_user(plain=False), "Ada")
    page = ada.open("/t/alone")
    expect(page.get_by_text("puzzle 4K7-M2Q").first).to_be_visible()
    for ply, text in enumerate(ALONE_MOVES, 1):
        if text[0] == "J":
            expect(page.get_by_role("heading", name="Now your pot must jump")).to_be_visible()
        play(page, text)
        view = wait_for_move(ada, ply)
        if view["phase"] == "act":
            expect(page.get_by_role("listitem").filter(has_text="1 Flip or slide")).to_have_attribute(
                "aria-current", "step"
            )
    expect(page.get_by_text("A whole rainbow touches your pot.")).to_be_visible()
    assert ada.updates[-1]["result"]["winners"] == [0]


def test_a_puzzle_on_a_phone_by_finger_and_by_number(new_user: NewUser, prepared: Prepared) -> None:
    ines = prepared.let_in(new_user(plain=False, phone=True), "Ines")
    page = ines.open("/t/alone-phone")
    for ply, text in enumerate(ALONE_MOVES[:7], 1):
        if text[0] == "J" and ply > 3:
            cells = [jump["cell"] for jump in ines.updates[-1]["eyes"][0]["view"]["jumps"]]
            number = cells.index(text[1:]) + 1
            page.get_by_role("group", name="Actions").get_by_role("button", name=f"Jump {number}, over").tap()
        else:
            play(page, text, touch=True)
        wait_for_move(ines, ply)
    # One tap is never enough for a clover, and ground puts it back.
    clover = page.locator(".piece.able[aria-label^=Clover]").first
    clover.tap()
    expect(clover).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Put back").tap()
    expect(clover).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_puzzle_is_shared_by_its_address(new_user: NewUser) -> None:
    ada, mira = new_user(plain=False), new_user(plain=False)
    ada.open()
    expect(ada.card("Rainbow")).to_be_visible()
    laid = ada.page.request.post(
        ada.url + "/api/tables",
        data={"game": GAME.id, "seats": [{"kind": "me"}], "options": {"short_slides": True}},
    ).json()
    page = ada.open(f"/t/{laid['id']}")
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share puzzle").click()
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()
    address = page.evaluate("navigator.clipboard.readText()")
    assert address == f"{ada.url}/new/flip-and-slide?puzzle={laid['seed']}&short_slides=true"

    mira.page.goto(address)
    mira.page.get_by_role("button", name="Lay the table").click()
    mira.page.wait_for_url("**/t/*")
    expect(mira.page.get_by_text(f"puzzle {laid['seed']}").first).to_be_visible()
    assert (mira.table["seed"], mira.table["options"]) == (laid["seed"], laid["options"])
    # The same tiles lie there: flipped, they show the same colours.
    for one in (ada, mira):
        for ply, text in enumerate(["@3,-2", "F2,0"], 1):
            play(one.page, text)
            wait_for_move(one, ply)
    assert ada.updates[-1]["eyes"][0]["view"]["tiles"] == mira.updates[-1]["eyes"][0]["view"]["tiles"]
    begun = mira.page.url
    mira.page.get_by_role("button", name="Start over").click()
    mira.page.wait_for_url(lambda url: url != begun)
    expect(mira.page.get_by_text("14 clovers left")).to_be_visible()
    assert mira.table["seed"] == laid["seed"]


def test_by_keys_alone(new_user: NewUser, prepared: Prepared) -> None:
    ada = prepared.let_in(new_user(plain=False, still=True), "Ada")
    ines = prepared.let_in(new_user(plain=False), "Ines")
    page = ada.open("/t/keys")
    ines.open("/t/keys")
    expect(page.locator(".spot").first).to_be_visible()
    page.keyboard.press("n")
    expect(page.locator(".spot:focus")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    wait_for_move(ada, 1)
    play(ines.page, f"@{ines.page.locator('.spot').first.get_attribute('data-cell')}")
    wait_for_move(ada, 2)
    while page.evaluate("document.activeElement.ariaLabel?.startsWith('Clover')") is not True:
        page.keyboard.press("n")
    page.keyboard.press("f")
    wait_for_move(ada, 3)
    while page.evaluate("/Can slide/.test(document.activeElement.ariaLabel)") is not True:
        page.keyboard.press("Shift+n")
    page.keyboard.press("s")
    expect(page.locator(".piece[aria-pressed=true]")).to_have_count(1)
    for _ in range(3):
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
    expect(page.locator(".spot:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    view = wait_for_move(ada, 4)
    assert view["last"]["kind"] == "slide"
    assert view["turn"] == 1


def test_the_meadow_pans_zooms_and_fits(new_user: NewUser, prepared: Prepared) -> None:
    ada = prepared.let_in(new_user(plain=False, still=True), "Ada")
    page = ada.open("/t/many")
    expect(page.locator(".piece.able").first).to_be_visible()
    world = page.locator(".world")
    fitted = world.get_attribute("style")
    meadow = page.locator(".meadow").bounding_box()
    assert meadow is not None
    radius = page.locator(".piece").first.bounding_box()
    assert radius is not None
    assert 52 <= radius["height"] <= 116
    page.mouse.move(meadow["x"] + 30, meadow["y"] + meadow["height"] - 30)
    page.mouse.down()
    page.mouse.move(meadow["x"] + 130, meadow["y"] + meadow["height"] - 90, steps=4)
    page.mouse.up()
    assert world.get_attribute("style") != fitted
    page.keyboard.press("0")
    expect(world).to_have_attribute("style", fitted or "")
    page.mouse.wheel(0, -240)
    assert world.get_attribute("style") != fitted
    page.get_by_role("button", name="Show the whole patch").click()
    expect(world).to_have_attribute("style", fitted or "")


def test_a_tile_is_pulled_to_its_cell(new_user: NewUser, prepared: Prepared) -> None:
    ada = prepared.let_in(new_user(plain=False), "Ada")
    page = ada.open("/t/many")
    expect(page.locator(".piece.able").first).to_be_visible()
    before = ada.updates[-1]
    view = before["eyes"][0]["view"] if len(before["eyes"]) == 1 else before["eyes"][before["turn"][0]]["view"]
    tile = max(view["tiles"], key=lambda one: len(one["reach"]))
    target = list(tile["reach"])[-1]
    page.locator(f'.piece[data-cell="{tile["cell"]}"]').click()
    there = page.locator(f'.spot[data-cell="{target}"]').bounding_box()
    page.keyboard.press("Escape")
    here = page.locator(f'.piece[data-cell="{tile["cell"]}"]').bounding_box()
    assert here is not None
    assert there is not None
    page.mouse.move(here["x"] + here["width"] / 2, here["y"] + here["height"] / 2)
    page.mouse.down()
    page.mouse.move(there["x"] + there["width"] / 2, there["y"] + there["height"] / 2, steps=6)
    expect(page.locator(".spot.aimed")).to_have_attribute("data-cell", target)
    page.mouse.up()
    ada.wait_for_ply(before["ply"] + 1)
    expect(page.locator(f'.piece[data-tile="{tile["tile"]}"]')).to_have_attribute("data-cell", target)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_axe_finds_nothing_on_the_meadow(new_user: NewUser, prepared: Prepared, phone: bool) -> None:
    ada = prepared.let_in(new_user(plain=False, still=True, phone=phone, dark=phone, bypass_csp=True), "Ada")
    for table in ("looked-at", "looked-at-alone"):
        page = ada.open(f"/t/{table}")
        lit = page.locator(".spot, .piece.able")
        expect(lit.first).to_be_visible()
        check_axe(page, table)
        slides = page.locator(".piece.able:not([aria-label^=Clover])")
        (slides if table == "looked-at" else page.locator(".spot")).first.focus()
        page.keyboard.press("s")
        expect(page.locator(".spot").first).to_be_visible()
        check_axe(page, f"{table}, picked")
        if phone:
            check_phone(page, table)


def test_hundreds_of_moves_stay_light(new_user: NewUser, prepared: Prepared) -> None:
    ada = prepared.let_in(new_user(plain=False, still=True), "Ada")
    page = ada.open("/t/many")
    expect(page.locator(".piece.able").first).to_be_visible()
    acting = next(eye for eye in ada.updates[-1]["eyes"] if eye["legal"])
    assert len(acting["legal"]) > 300
    tile = max(acting["view"]["tiles"], key=lambda one: len(one["reach"]))
    piece = page.locator(f'.piece[data-tile="{tile["tile"]}"]')
    work = ada.context.new_cdp_session(page)
    work.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        """Milliseconds of the page's own time: script, styles and layout, however busy the machine is."""
        found = {metric["name"]: metric["value"] for metric in work.send("Performance.getMetrics")["metrics"]}
        return float(1000 * (found["ScriptDuration"] + found["RecalcStyleDuration"] + found["LayoutDuration"]))

    def middle(box: FloatRect | None) -> tuple[float, float]:
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    at = middle(piece.bounding_box())
    picks, aims = [], []
    for _ in range(5):
        page.mouse.move(*at)
        before = spent()
        page.mouse.click(*at)
        expect(piece).to_have_attribute("aria-pressed", "true")
        picks.append(spent() - before)
        cells = [middle(spot.bounding_box()) for spot in page.locator(".spot").all()[::5]]
        before = spent()
        for cell in cells:
            page.mouse.move(*cell)
            page.wait_for_timeout(20)
        aims.append((spent() - before) / len(cells))
        page.keyboard.press("Escape")
        expect(page.locator(".spot")).to_have_count(0)
    assert median(aims) < 8
    assert median(picks) < 16  # with what it takes to ask: by itself about half
