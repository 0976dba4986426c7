"""Rainbow's board in a real browser: by mouse, key, touch and drag, with a watcher, and without a hidden face."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, WebSocketRoute, expect

from sevenhues import load
from sevenhues.core import record
from sevenhues.core.position import WATCHER
from tests.browser.layout_checks import ACTIONS, layout_faults
from tests.browser.page_checks import check_axe, check_phone
from tests.browser.positions import last_round_of_rainbow
from tests.browser.prepared_tables import PreparedTables, find_position
from tests.browser.rainbow_board import RainbowBoard, invite, play_bot
from tests.browser.site_tour import LATIN
from tests.browser.test_hidden_information import check_frames, finished
from tests.browser.typefaces import Typefaces
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
GAME = load("rainbow")
STARTS = ["last-round", pytest.param("home-page", marks=pytest.mark.long)]


@pytest.fixture
def tables(server: ServerProcess) -> PreparedTables:
    return PreparedTables(server.data)


def must_turn_over(view: Any) -> bool:
    """Seat 0 has played a card of several in the row, and may turn one over before another."""
    return bool(view["turn"] == 0 and view["played"] and view["may_turn_over"] and len(view["row"]) > 1)


@pytest.mark.parametrize("start", STARTS)
def test_two_users_finish_a_game_and_a_watcher_sees_no_hidden_card(
    new_user: NewUser, tables: PreparedTables, start: str
) -> None:
    ada, mira, watcher = (new_user(plain=False, still=still) for still in (False, True, True))
    path = tables.seat(GAME, last_round_of_rainbow(), ada, mira) if start == "last-round" else invite(ada, mira)
    watcher.open(path)
    expect(watcher.page.get_by_text("Watching")).to_be_visible()
    boards = [RainbowBoard(user) for user in (ada, mira, watcher)]
    boards[0].user.wait_until(lambda: bool(ada.updates))
    rng = Random(1)
    begun = ply = boards[0].ply
    while ada.updates[-1]["result"] is None:
        for board in boards:
            board.wait_for_ply(ply)
        if ply % (3 if start == "last-round" else 9) == 0:
            for board in boards:
                board.check_no_hidden_face()
        assert boards[2].enabled.count() == 0
        ply = boards[boards[0].update["turn"][0]].make_random_move(rng)
        for board in boards:
            board.user.wait_for_ply(ply)

    result = ada.updates[-1]["result"]
    assert result["reason"] == "deck"
    assert ply - begun >= 6
    for board in boards:
        board.wait_for_ply(ply)  # the last move may end a round, which is held until its button is pressed
        page = board.page
        won = page.get_by_role("heading", name="won," if result["winners"] else "Draw")
        expect(won).to_be_visible()
        page.get_by_role("button", name="Back to the board").click()
        expect(won).to_have_count(0)
        for score in result["scores"]:
            expect(page.locator(".plate .score b").get_by_text(str(score), exact=True).first).to_be_visible()
        board.check_no_hidden_face()

    whole = finished(ada)
    played = [position.copy() for position in record.replay(whole)]
    check_frames(ada, whole.game, played, {0})
    check_frames(mira, whole.game, played, {1})
    check_frames(watcher, whole.game, played, {WATCHER})


@pytest.mark.parametrize("start", STARTS)
def test_game_against_a_bot_ends_with_a_rematch(new_user: NewUser, tables: PreparedTables, start: str) -> None:
    ada = new_user(plain=False, still=True)
    if start == "last-round":
        tables.seat(GAME, last_round_of_rainbow(), ada, bots=["seedling"])
    else:
        play_bot(ada)
    board = RainbowBoard(ada)
    board.finish(Random(2))
    won = ada.page.get_by_role("heading", name="won,")
    expect(won.or_(ada.page.get_by_role("heading", name="Draw"))).to_be_visible()
    finished_table = ada.page.url
    ada.page.get_by_role("button", name="Rematch").click()
    ada.page.wait_for_url(lambda url: url != finished_table)
    ada.wait_until(lambda: board.update["result"] is None)
    board.wait_for_turn(board.update["views"][0]["seat"])


def test_shared_device_shows_each_player_their_own_cards_only(new_user: NewUser) -> None:
    ada = new_user(plain=False, still=True)
    names = ["Ada", "Jonas"]
    ada.open()
    ada.card("Rainbow").get_by_role("button", name="Same device").click()
    for seat, name in enumerate(names):
        ada.page.get_by_label(f"Name of player {seat + 1}").fill(name)
    ada.page.get_by_role("button", name="Start game").click()
    board = RainbowBoard(ada)
    rng = Random(3)
    for turn in range(3):
        expect(ada.page.get_by_role("heading", name="Pass the device to")).to_be_visible()
        seat = board.update["turn"][0]
        expect(ada.page.get_by_role("heading", name=f"Pass the device to {names[seat]}")).to_be_visible()
        # The curtain is alone in the page: no board, no log, no face; and the newest view is a watcher's.
        ada.wait_until(lambda: [seat_view["seat"] for seat_view in board.update["views"]] == [WATCHER])
        assert ada.page.locator("[data-at], .table, .log, li").count() == 0
        assert ada.page.locator("[aria-label], [role=img], [title]").count() == 0
        assert board.faces_in_page() <= set("ROYGBIV"), "more than the arch"
        ada.open_curtain()
        board.wait_for_turn(seat)
        if turn == 2:
            break
        while board.update["turn"] == [seat]:
            board.wait_for_turn(seat)
            assert [seat_view["seat"] for seat_view in board.update["views"]] == [seat]
            board.check_no_hidden_face()
            ada.wait_for_ply(board.make_random_move(rng))
        board.hand_over()
    ada.resign()
    expect(ada.page.get_by_text("resigned.").first).to_be_visible()
    whole = finished(ada)
    check_frames(ada, whole.game, [position.copy() for position in record.replay(whole)], {0, 1, WATCHER})


@pytest.mark.long
def test_reload_and_killed_server_in_the_middle_of_a_turn_lose_nothing(browser: Browser, tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        ada = User(browser, server.url, plain=False, still=True)
        board = RainbowBoard(ada)
        PreparedTables(server.data).seat(GAME, find_position(GAME, must_turn_over), ada, bots=["seedling"])
        board.wait_for_turn()
        row, ply = board.row_labels(), board.ply
        expect(board.action("End turn")).to_be_visible()
        ada.reload()
        board.wait_for_turn()
        assert board.row_labels() == row

        ada.expect_error("ERR_")
        server.kill()
        band = ada.page.locator(".band")
        expect(band).to_contain_text("Connection lost.")
        assert board.row_labels() == row
        board.action("End turn").click()
        expect(board.enabled).to_have_count(0)
        server.start()
        expect(band).to_contain_text("Back online. Nothing was lost.")
        ada.wait_for_ply(ply + 1)
        ada.reload()
        board.wait_for_turn()
        history = next(update["history"] for update in reversed(ada.updates) if update["history"])
        assert (history[ply]["seat"], history[ply]["text"]) == (0, "E")
        assert [(move["seat"], move["text"]) for move in history[ply:]].count((0, "E")) == 1
        assert ada.errors == []
        ada.context.close()


def test_tab_arrows_enter_and_single_keys_are_enough(new_user: NewUser) -> None:
    ada = new_user(plain=False, still=True)
    board = play_bot(ada)
    keys = ada.page.keyboard
    focused = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()"

    def tab_to(start: str) -> None:
        for _ in range(40):
            if ada.page.evaluate(focused).startswith(start):
                return
            keys.press("Tab")
        raise AssertionError(f"Tab never reaches {start}")

    # Tab, arrows and Enter.
    ply = board.ply
    tab_to("Your card 1")
    keys.press("ArrowRight")
    assert ada.page.evaluate(focused).startswith("Your card 2")
    assert ada.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    keys.press("Enter")
    expect(ada.page.locator(".mine button[aria-pressed=true]")).to_have_count(1)
    tab_to("Play ")
    keys.press("Enter")
    ada.wait_for_ply(ply + 1)
    move = next(update["move"] for update in ada.updates if update["ply"] == ply + 1)
    assert (move["seat"], move["text"]) == (0, "S2")

    # Single keys: a card's number, S as seen, E ends the turn; H says what can be done, ? opens the rules.
    for _ in range(3):
        board.wait_for_turn()
        ply = board.ply
        if board.playable.count():
            keys.press(str(board.playable.first.get_attribute("aria-label")).split()[2].strip(","))
            expect(ada.page.locator(".mine button[aria-pressed=true]")).to_have_count(1)
            keys.press("s")
        else:
            keys.press("e")
        ada.wait_for_ply(ply + 1)
    keys.press("h")
    expect(ada.page.get_by_role("complementary", name="What can I do now?")).to_contain_text("left in the deck")
    keys.press("Escape")
    keys.press("?")
    expect(ada.page.get_by_role("complementary", name="Rules")).to_contain_text("RB-15")


def test_touch_on_a_phone_turns_a_card_over_by_a_second_tap(new_user: NewUser, tables: PreparedTables) -> None:
    ada = new_user(plain=False, phone=True, still=True)
    tables.seat(GAME, find_position(GAME, must_turn_over), ada, bots=["seedling"])
    board = RainbowBoard(ada)
    board.wait_for_turn()
    check_phone(ada.page, "your turn")
    ply = board.ply
    board.turnable.first.tap()
    expect(ada.page.get_by_text("Tap again to turn it over")).to_be_visible()
    assert board.ply == ply
    board.turnable.first.tap()
    ada.wait_for_ply(ply + 1)
    for _ in range(4):
        board.wait_for_turn()
        ply = board.ply
        if board.playable.count():
            board.playable.first.tap()
            check_phone(ada.page, "picked")
            board.action("Play").first.tap()
        else:
            board.action("End turn").tap()
        ada.wait_for_ply(ply + 1)
    board.wait_for_turn()
    ada.page.get_by_role("button", name="Moves").tap()
    expect(ada.page.get_by_role("dialog")).to_contain_text("You played card")


def test_reduced_motion_replaces_animations_by_a_ring(new_user: NewUser) -> None:
    ada = new_user(plain=False, still=True)
    # The ring is gone after a second: the page records what it sees meanwhile.
    ada.page.add_init_script(
        """window.seen = { rings: 0, animations: 0 };
        new MutationObserver(() => {
            seen.rings = Math.max(seen.rings, document.querySelectorAll(".fresh").length);
            seen.animations += document.getAnimations().filter((one) => one.playState === "running").length;
        }).observe(document, { subtree: true, childList: true, attributes: true });"""
    )
    board = play_bot(ada, level="random")
    ada.page.evaluate("seen.rings = seen.animations = 0")
    board.wait_for_ply(board.play_card())
    ada.page.wait_for_function("() => seen.rings > 0")
    assert ada.page.evaluate("seen.animations") == 0
    expect(ada.page.locator(".fresh")).to_have_count(0)


def box(locator: Locator) -> FloatRect:
    found = locator.bounding_box()
    assert found is not None
    return found


def test_dragging_plays_a_card_turns_one_over_and_puts_one_back(new_user: NewUser, tables: PreparedTables) -> None:
    ada = new_user(plain=False)
    mouse = ada.page.mouse
    board = RainbowBoard(ada)

    def made(ply: int) -> str:
        ada.wait_for_ply(ply)
        return str(next(update["move"]["text"] for update in ada.updates if update["ply"] == ply))

    def drag_card(offset: float) -> str:
        """Drag the first card to the next place of the row: above its middle (offset < 0) or below."""
        board.wait_for_turn()
        ply = board.ply
        card = box(board.playable.first)
        place = box(ada.page.locator(f"[data-place='{len(board.view['row'])}']"))
        mouse.move(card["x"] + card["width"] / 2, card["y"] + 30)
        mouse.down()
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        mouse.move(x, y + offset + 12, steps=4)
        mouse.move(x, y + offset, steps=2)
        expect(ada.page.locator(".half.aimed")).to_have_count(1)
        mouse.up()
        return made(ply + 1)

    def can_play(view: Any) -> bool:
        return bool(view["turn"] == 0 and view["may_play"] and not view["may_turn_over"] and view["deck"] > 30)

    for offset, kind in ((-30, "S"), (30, "B")):
        tables.seat(GAME, find_position(GAME, can_play), ada, bots=["seedling"])
        assert drag_card(offset)[0] == kind

    tables.seat(GAME, find_position(GAME, must_turn_over), ada, bots=["seedling"])
    board.wait_for_turn()
    ply = board.ply
    card = box(board.turnable.first)
    x, y = card["x"] + card["width"] / 2, card["y"] + card["height"] / 2
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 48, y, steps=4)
    mouse.up()
    assert made(ply + 1) == "F1"

    # A card that is dropped elsewhere goes back, and the next one dragged to the row is the first move.
    tables.seat(GAME, find_position(GAME, can_play), ada, bots=["seedling"])
    board.wait_for_turn()
    ply = board.ply
    card = box(board.playable.first)
    mouse.move(card["x"] + 20, card["y"] + 20)
    mouse.down()
    mouse.move(card["x"] + 120, card["y"] + 60, steps=4)
    mouse.up()
    ada.page.wait_for_function(
        "([selector, x, y]) => { const at = document.querySelector(selector).getBoundingClientRect();"
        " return Math.abs(at.x - x) < 8 && Math.abs(at.y - y) < 8 }",
        arg=[".mine button:not([aria-disabled='true'])", card["x"], card["y"]],
    )
    assert board.ply == ply
    assert drag_card(-30)[0] == "S"
    assert [move["text"][0] for update in ada.updates if (move := update["move"]) and update["ply"] == ply + 1] == ["S"]


def test_refused_move_is_explained_and_links_to_its_rule(new_user: NewUser, tables: PreparedTables) -> None:
    ada = new_user(plain=False, still=True)

    def allow_ending(route: WebSocketRoute) -> None:
        """Tell the page that it may end its turn when it may not."""
        server = route.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            frame: dict[str, Any] = json.loads(message)
            if frame["type"] == "update":
                for seat_view in frame["views"]:
                    if seat_view["legal"] and "E" not in seat_view["legal"]:
                        seat_view["legal"].append("E")
            route.send(json.dumps(frame))

        server.on_message(pass_on)

    ada.page.route_web_socket("**/live", allow_ending)
    tables.seat(GAME, find_position(GAME, lambda view: view["turn"] == 0), ada, bots=["seedling"])
    board = RainbowBoard(ada)
    expect(board.playable.first).to_be_visible()
    board.action("End turn").click()
    note = ada.page.locator(".warning")
    expect(note).to_contain_text("Play a card before you end your turn.")
    expect(ada.page.get_by_role("alert").first).to_contain_text("Play a card before you end your turn.")
    note.get_by_role("button", name="RB-12").click()
    rules = ada.page.get_by_role("complementary", name="Rules")
    expect(rules.get_by_text("RB-12")).to_be_in_viewport()
    board.playable.first.click()
    board.action("Play").first.click()
    expect(note).to_have_count(0)


def before_the_end_of_a_round(view: Any) -> bool:
    """Return whether any card that seat 0 can play ends the round."""
    # Whatever comes up clashes: shade lies in the row already, or the hand holds nothing else.
    row = {card["face"] for card in view["row"]}
    hand = {card["face"] for card in view["hands"][0] if card}
    return bool(view["turn"] == 0 and view["may_play"] and hand and hand <= row and 10 < view["deck"] < 40)


def test_end_of_a_round_is_held_until_its_button_or_any_place_is_pressed(
    new_user: NewUser, tables: PreparedTables
) -> None:
    ada = new_user(plain=False, still=True)
    board = RainbowBoard(ada)
    go_on = ada.page.get_by_role("button", name="Go on")
    for by_button in (True, False):
        tables.seat(GAME, find_position(GAME, before_the_end_of_a_round), ada, bots=["seedling"])
        board.wait_for_turn()
        board.playable.first.click()
        board.action("Play").first.click()
        expect(go_on).to_be_visible()
        if by_button:
            go_on.click()
        else:
            ada.page.locator(".board").click(position={"x": 5, "y": 5})
        expect(go_on).to_have_count(0)


@pytest.mark.parametrize("face", ["own", "wide"])
def test_hand_and_deck_keep_clear_of_each_other_on_a_magnified_page(
    new_user: NewUser, tables: PreparedTables, typefaces: Typefaces, face: str
) -> None:
    ada = new_user(plain=False, still=True, zoom=2)
    start = find_position(GAME, must_turn_over)
    tables.seat(GAME, start, ada, new_user())
    ada.wait_for_ply(len(start.moves))
    if face != "own":
        typefaces.show(ada.page, face)
    for tag in LATIN:
        ada.choose(language=tag)
        ada.ready()
        assert (tag, layout_faults(ada.page, ACTIONS)) == (tag, [])


@pytest.mark.long  # `make test` has axe look at a table of each game on its tour
@pytest.mark.parametrize("dark", [False, True], ids=["light-desktop", "dark-phone"])
def test_axe_finds_nothing_on_the_board(new_user: NewUser, tables: PreparedTables, dark: bool) -> None:
    ada = new_user(plain=False, dark=dark, phone=dark, still=True, bypass_csp=True)
    board = RainbowBoard(ada)

    tables.seat(GAME, find_position(GAME, before_the_end_of_a_round), ada, bots=["seedling"])
    board.wait_for_turn()
    check_axe(ada.page, "your turn")
    board.playable.first.click()
    check_axe(ada.page, "picked")
    board.action("Play").first.click()
    expect(ada.page.get_by_role("button", name="Go on")).to_be_visible()
    check_axe(ada.page, "a round has ended")
    ada.resign()
    expect(ada.page.get_by_role("heading", name="won")).to_be_visible()
    check_axe(ada.page, "result")
