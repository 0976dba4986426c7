"""Rainbow Road's board in a real browser: every prank, by mouse, key, touch and drag, and no hidden card."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from sevenhues.core import record
from sevenhues.core.position import WATCHER
from sevenhues.games.rainbow_road import game
from tests.browser.page_checks import check_axe, check_phone
from tests.browser.positions import hop_often, last_round_of_rainbow_road
from tests.browser.prepared_tables import PreparedTables, Start, find_position
from tests.browser.test_hidden_information import check_frames, finished
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
PRANKS = ["exchange", "jump", "skip", "trash", "teleport", "recycle"]
STARTS = ["last-round", pytest.param("home-page", marks=pytest.mark.long)]


@pytest.fixture
def tables(server: ServerProcess) -> PreparedTables:
    return PreparedTables(server.data)


# -- Positions


def moves_rain_fairy(view: Any) -> bool:
    return bool(view["turn"] == 0 and view["phase"] == "rain")


def prank_usable(prank: str) -> Callable[[Any], bool]:
    def wanted(view: Any) -> bool:
        held = moves_rain_fairy(view) and prank in view["pranks"][0]["held"]
        if held and prank in ("jump", "skip"):
            return any(hop["move"].startswith(prank) for hop in view["walk"]["prank_hops"])
        if held and prank == "recycle":
            marked = [spot for spot in view["ring"] if spot["marker"] is not None and spot["fairy"] != "sunny"]
            return bool(view["discards"] and marked)
        return bool(held and not view["walk"]["points"] and view["walk"]["way"] is None)

    return wanted


def secretly_over(view: Any) -> bool:
    """The walk cannot go on, which only its mover knows: a prank could still be held."""
    walk = view["walk"]
    late = {"exchange", "trash", "teleport", "recycle"} >= set(view["pranks"][0]["held"] or ["jump"])
    return moves_rain_fairy(view) and late and walk["points"] > 0 and not walk["reach"] and not walk["forced"]


def walk_in_two(view: Any) -> list[Any]:
    """List two walks of which the second goes on where the first ends, or none."""
    for first in view["walk"]["reach"]:
        for second in view["walk"]["reach"]:
            hops = len(first["hops"])
            if hops < len(second["hops"]) and second["hops"][:hops] == first["hops"]:
                return [first, second]
    return []


WANTED: dict[str, Callable[[Any], bool]] = {
    **{prank: prank_usable(prank) for prank in PRANKS},
    "over": secretly_over,
    "walk": lambda view: moves_rain_fairy(view) and bool(walk_in_two(view)),
}


@cache
def position(name: str) -> Start:
    return find_position(game, WANTED[name], hop_often) if name in WANTED else last_round_of_rainbow_road()


# -- The board

# What the board lets its user do now; nothing while a walk is under way.
OFFERS = """() => {
    if (document.querySelector("#result-title")) return "nothing"
    if (document.querySelector(".hand button[aria-disabled=false]")) return "card"
    const texts = [...document.querySelectorAll(".actions button:not(:disabled)")].map((button) => button.innerText)
    if (texts.length === 0 || texts.some((text) => text.startsWith("Stay"))) return "nothing"
    return texts.length > 1 ? "walk" : "stop"
}"""
# The board shows a position, and nothing moves any more.
READY = """(ply) => Number(document.querySelector(".board")?.dataset.ply ?? -1) >= ply
    && document.getAnimations().every((animation) => animation.playState !== "running")"""


class RoadBoard:
    """A user at Rainbow Road's board."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.page = user.page

    @property
    def ply(self) -> int:
        ply: int = self.user.updates[-1]["ply"]
        return ply

    @property
    def seat_view(self) -> dict[str, Any]:
        seat_view: dict[str, Any] = self.user.updates[-1]["views"][0]
        return seat_view

    @property
    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.seat_view["view"]
        return view

    @property
    def stop(self) -> Locator:
        return self.page.get_by_role("button", name="Stop").last

    def spot(self, name: str) -> Locator:
        return self.page.locator(f"[data-spot={name}]")

    @property
    def lit(self) -> Locator:
        """The spots that may be chosen."""
        return self.page.locator("[data-spot].lit")

    def card(self, number: int) -> Locator:
        """The first card of the hand with this number."""
        return self.page.locator(f".hand button:has([data-at='hand:{number}'])").first

    def prank(self, name: str) -> Locator:
        return self.page.locator(f"[data-prank={name}]")

    def offers(self) -> str:
        offers: str = self.page.evaluate(OFFERS)
        return offers

    def act(self, *, touch: bool = False) -> None:
        """Do what the board offers, if it offers anything: a card to a spot, a walk, a stop."""
        offers = self.offers()
        targets: list[Locator] = []
        if offers == "card":
            targets = [self.page.locator(".hand button[aria-disabled=false]").last, self.lit.last]
        elif offers == "walk":
            targets = [self.page.get_by_role("group", name="Actions").get_by_role("button").first]
        elif offers == "stop":  # not by a click that waits: a forced stop may take the button away
            self.page.evaluate("document.querySelector('.actions button:not(:disabled)')?.click()")
        for target in targets:
            if touch:
                target.tap()
            else:
                target.click()

    def wait_until_ready(self) -> None:
        """Wait until the board shows the newest position that came, and nothing moves."""
        self.user.wait_until(lambda: bool(self.user.updates))
        expect(self.page.get_by_role("list", name="The road")).to_be_visible()
        self.page.wait_for_function(READY, arg=self.ply)

    def wait_for_ply(self, ply: int) -> None:
        self.user.wait_for_ply(ply)
        self.wait_until_ready()


@pytest.fixture
def new_board(new_user: NewUser) -> Callable[..., RoadBoard]:
    return lambda **settings: RoadBoard(new_user(plain=False, **settings))


NewBoard = Callable[..., RoadBoard]


def box(locator: Locator) -> FloatRect:
    found = locator.bounding_box()
    assert found is not None
    return found


def wait_for_next(board: RoadBoard, ply: int, watched: User | None = None) -> None:
    """Wait for a position after a ply, or until the board offers something: a walk under way makes moves by itself."""
    user = watched or board.user
    user.wait_until(lambda: user.updates[-1]["ply"] > ply or board.offers() != "nothing")


def finish(*boards: RoadBoard, touch: bool = False) -> None:
    """Let each user act when they can, until the result is shown to all."""
    first = boards[0].user
    while not first.updates[-1]["result"]:
        ply = first.updates[-1]["ply"]
        for board in boards:
            board.user.wait_for_ply(ply)
        turn = first.updates[-1]["turn"]
        acting = next((board for board in boards if board.seat_view["seat"] in turn), boards[0])
        acting.wait_until_ready()
        acting.act(touch=touch)
        wait_for_next(acting, ply, first)
    for board in boards:
        expect(board.page.locator("#result-title")).to_be_visible()


# -- Tests


@pytest.mark.parametrize("start", STARTS)
def test_two_users_finish_a_game_and_a_watcher_sees_no_hidden_card(
    new_board: NewBoard, tables: PreparedTables, start: str
) -> None:
    ada, jonas, watcher = new_board(), new_board(), new_board()
    if start == "last-round":
        path = tables.seat(game, position("last-round"), ada.user, jonas.user)
    else:
        ada.user.open()
        ada.user.card("Rainbow Road").get_by_role("button", name="Invite").click()
        expect(ada.page.get_by_role("heading", name="Invite a friend")).to_be_visible()
        path = "/t/" + ada.page.url.rsplit("/", 1)[1]
        jonas.user.open(path)
        jonas.page.get_by_label("Your name").fill("Jonas")
        jonas.page.get_by_role("button", name="Join").click()
    watcher.user.open(path)
    for board in (ada, jonas, watcher):
        board.wait_until_ready()
    # A player's own half lies below; a watcher sees the first player's below.
    for board, nearest in ((ada, "a1"), (jonas, "b1"), (watcher, "a1")):
        assert board.page.locator("[data-spot]").first.get_attribute("data-spot") == nearest
    hidden = watcher.page.locator("main").inner_html()
    assert "data-prank" not in hidden
    assert "hand:" not in hidden
    held = "8 cards, 2 pranks" if start == "home-page" else "1 card, 2 pranks"
    expect(watcher.page.get_by_role("img", name=held).first).to_be_visible()

    finish(ada, jonas)
    expect(ada.page.locator("#result-title")).to_contain_text("won")
    whole = finished(ada.user)
    played = [made.copy() for made in record.replay(whole)]
    check_frames(ada.user, game, played, {0})
    check_frames(jonas.user, game, played, {1})
    check_frames(watcher.user, game, played, {WATCHER})


@pytest.mark.parametrize("start", STARTS)
def test_game_against_a_bot_ends_on_a_phone_by_touch(new_board: NewBoard, tables: PreparedTables, start: str) -> None:
    ada = new_board(phone=True)
    if start == "last-round":
        tables.seat(game, position("last-round"), ada.user, bots=["greedy"])
    else:
        ada.user.play_bot("Rainbow Road")
    ada.wait_until_ready()
    check_phone(ada.page, "road")
    finish(ada, touch=True)
    expect(ada.page.get_by_text("After eight rounds").or_(ada.page.get_by_text("points are tied"))).to_be_visible()


def test_shared_device_shows_each_player_their_own_pranks_only(new_board: NewBoard, tables: PreparedTables) -> None:
    ada = new_board()
    tables.seat(game, position("last-round"), ada.user, ada.user)
    curtain = ada.page.get_by_role("heading", name="Pass the device to")
    road = ada.page.get_by_role("list", name="The road")
    result = ada.page.locator("#result-title")
    seen: set[int] = set()
    while True:
        expect(curtain.or_(result)).to_be_visible()
        if result.count():
            break
        assert ada.page.locator("[data-spot], [data-prank], [data-at]").count() == 0
        ada.user.open_curtain()
        expect(road).to_be_visible()
        seat = ada.seat_view["seat"]
        seen.add(seat)
        held = ada.view["pranks"][seat]["held"]
        assert [prank.get_attribute("data-prank") for prank in ada.page.locator("[data-prank]").all()] == held
        assert ada.page.locator("[data-spot]").first.get_attribute("data-spot") == ("b1" if seat else "a1")
        while ada.user.updates[-1]["turn"] == [seat]:
            ply = ada.ply
            ada.wait_until_ready()
            ada.act()
            wait_for_next(ada, ply)
    assert seen == {0, 1}


def play_prank(ada: RoadBoard, prank: str) -> None:
    """Play a prank by click, two of them by dragging it onto its target."""
    if prank in ("trash", "jump"):
        start = box(ada.prank(prank))
        ada.page.mouse.move(start["x"] + 40, start["y"] + 20)
        ada.page.mouse.down()
        ada.page.mouse.move(start["x"] + 60, start["y"] - 40, steps=3)
        expect(ada.lit.first).to_be_visible()
        target = box(ada.lit.first)
        ada.page.mouse.move(target["x"] + 30, target["y"] + 40, steps=4)
        ada.page.mouse.up()
        return
    ada.prank(prank).click()
    if prank == "recycle":
        ada.page.get_by_role("button", name="bring it back").first.click()
    ada.lit.first.click()
    if prank == "exchange":
        expect(ada.page.locator("[data-spot][aria-pressed=true]")).to_have_count(1)
        ada.lit.last.click()


@pytest.mark.parametrize("prank", PRANKS)
def test_prank_lights_its_legal_targets_and_is_announced(
    new_board: NewBoard, tables: PreparedTables, prank: str
) -> None:
    ada, jonas = new_board(), new_board()
    tables.seat(game, position(prank), ada.user, jonas.user)
    ada.wait_until_ready()
    jonas.wait_until_ready()
    ply = ada.ply
    assert f"data-prank={prank}" not in jonas.page.content()
    expect(jonas.prank(prank)).to_have_count(int(prank in jonas.view["pranks"][1]["held"]))
    expect(ada.prank(prank)).to_have_attribute("aria-disabled", "false")
    ada.prank(prank).click()
    lit = {spot.get_attribute("data-spot") for spot in ada.lit.all()}
    legal = [text for text in ada.seat_view["legal"] if text.startswith(prank)]
    if ":" in legal[0]:
        assert lit == {spot for text in legal for spot in text.split(":")[1].split(">")[-1].split(",")}
    else:
        assert lit == {hop["spot"] for hop in ada.view["walk"]["prank_hops"] if hop["move"] in legal}
    ada.page.keyboard.press("Escape")
    expect(ada.page.get_by_role("button", name="Cancel")).to_have_count(0)

    play_prank(ada, prank)
    for board in (ada, jonas):
        board.user.wait_for_ply(ply + 1)
    move = next(update["move"]["text"] for update in ada.user.updates if update["ply"] == ply + 1)
    assert move in legal
    expect(jonas.page.get_by_text(f"Ada plays {prank.capitalize()}", exact=False).first).to_be_visible()
    expect(ada.page.locator(".used")).to_contain_text(prank.capitalize())
    if prank == "exchange":
        ada.page.reload()
        expect(ada.stop).to_be_visible()


def test_click_walks_hop_by_hop_and_a_fairy_can_be_dragged(new_board: NewBoard, tables: PreparedTables) -> None:
    ada = new_board()
    tables.seat(game, position("walk"), ada.user, bots=["greedy"])
    ada.wait_until_ready()
    ply = ada.ply
    first, second = walk_in_two(ada.view)
    fairy = box(ada.page.locator(f"[data-fairy={ada.view['walk']['fairy']}]"))
    target = box(ada.spot(first["spot"]))
    ada.page.mouse.move(fairy["x"] + fairy["width"] / 2, fairy["y"] + fairy["height"] / 2)
    ada.page.mouse.down()
    ada.page.mouse.move(target["x"] + 40, target["y"] + 70, steps=5)
    expect(ada.page.locator("[data-spot].aimed")).to_have_attribute("data-spot", first["spot"])
    ada.page.mouse.up()
    ply += len(first["hops"])
    ada.wait_for_ply(ply)
    expect(ada.page.get_by_role("button", name="Stay here")).to_have_count(0)
    ada.spot(second["spot"]).click()
    ply += len(second["hops"]) - len(first["hops"])
    ada.user.wait_for_ply(ply)
    reached = next(update for update in ada.user.updates if update["ply"] == ply)
    assert reached["views"][0]["view"]["last"]["spots"][-1] == second["spot"]


def test_rr28_walk_that_only_its_mover_knows_to_be_over_sends_nothing_by_itself(
    new_board: NewBoard, tables: PreparedTables
) -> None:
    ada, jonas = new_board(), new_board()
    ada.page.clock.install()
    tables.seat(game, position("over"), ada.user, jonas.user)
    ada.wait_until_ready()
    ply = ada.ply
    assert ada.seat_view["legal"] == ["stop"]
    expect(jonas.page.get_by_role("heading", name="Ada is moving the Rain Fairy.")).to_be_visible()
    ada.page.clock.run_for(10_000)
    # Whatever the page sent would come before the answer to the stop.
    ada.stop.click()
    jonas.user.wait_for_ply(ply + 1)
    assert [update["move"]["text"] for update in jonas.user.updates if update["ply"] > ply] == ["stop"]


def test_keyboard_is_enough_for_the_last_round(new_board: NewBoard, tables: PreparedTables) -> None:
    ada = new_board()
    tables.seat(game, position("last-round"), ada.user, bots=["greedy"])
    keys = ada.page.keyboard

    def choose_spot() -> None:
        keys.press("ArrowRight")
        expect(ada.page.locator("[data-spot].lit:focus")).to_have_count(1)
        keys.press("Enter")

    ada.wait_until_ready()
    while not ada.user.updates[-1]["result"]:
        ply = ada.ply
        if 0 in ada.user.updates[-1]["turn"]:
            ada.wait_until_ready()
            offers = ada.offers()
            if offers == "card":
                keys.press(ada.seat_view["legal"][0][1])
                choose_spot()
            elif offers == "walk" and ada.lit.count():
                ada.page.evaluate("document.activeElement.blur()")
                choose_spot()
            elif offers == "stop":
                keys.press("x")
        wait_for_next(ada, ply)
    expect(ada.page.locator("#result-title")).to_be_visible()
    assert ada.user.updates[-1]["result"]["reason"] == "rounds"


def test_reduced_motion_replaces_animations_by_a_ring(new_board: NewBoard, tables: PreparedTables) -> None:
    ada = new_board(still=True)
    # The ring is gone after a second: the page records what it sees meanwhile.
    ada.page.add_init_script(
        """window.seen = { rings: 0, floats: 0, animations: 0 };
        new MutationObserver(() => {
            seen.rings += document.querySelectorAll("[data-spot].fresh").length;
            seen.floats += document.querySelectorAll(".float").length;
            seen.animations += document.getAnimations().filter((one) => one.playState === "running").length;
        }).observe(document, { subtree: true, childList: true, attributes: true });"""
    )
    tables.seat(game, position("last-round"), ada.user, bots=["greedy"])
    ada.wait_until_ready()
    ada.page.evaluate("seen.animations = 0")
    text = ada.seat_view["legal"][0]
    ada.card(int(text[1])).click()
    ada.spot(text[2:]).click()
    ada.page.wait_for_function("() => seen.rings > 0")
    assert ada.page.evaluate("[seen.floats, seen.animations]") == [0, 0]


def test_card_dragged_to_a_wrong_spot_returns_with_the_rule(new_board: NewBoard, tables: PreparedTables) -> None:
    ada = new_board()
    tables.seat(game, position("last-round"), ada.user, bots=["greedy"])
    ada.wait_until_ready()
    legal = {text[2:] for text in ada.seat_view["legal"]}
    wrong = next(spot["spot"] for spot in ada.view["ring"] if spot["spot"] not in legal)
    card = box(ada.card(int(ada.seat_view["legal"][0][1])))
    target = box(ada.spot(wrong))
    ada.page.mouse.move(card["x"] + 20, card["y"] + 30)
    ada.page.mouse.down()
    ada.page.mouse.move(target["x"] + 30, target["y"] + 40, steps=5)
    ada.page.mouse.up()
    expect(ada.page.get_by_role("button", name="RR-").first).to_be_visible()
    expect(ada.page.locator(".held")).to_have_count(0)


@pytest.mark.long  # `make test` has axe look at a table of each game on its tour
@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_axe_finds_nothing_on_the_board(new_board: NewBoard, tables: PreparedTables, phone: bool) -> None:
    ada = new_board(phone=phone, dark=phone, bypass_csp=True)
    tables.seat(game, position("last-round"), ada.user, bots=["greedy"])
    ada.wait_until_ready()
    check_axe(ada.page, "a card")
    ada.card(int(ada.seat_view["legal"][0][1])).click()
    check_axe(ada.page, "a spot")
    tables.seat(game, position("recycle"), ada.user, bots=["greedy"])
    ada.wait_until_ready()
    check_axe(ada.page, "a walk")
    ada.page.get_by_role("button", name="Show them").click()
    check_axe(ada.page, "the discards")
    ada.prank("recycle").click()
    check_axe(ada.page, "a prank")
    if phone:
        check_phone(ada.page, "a prank")
