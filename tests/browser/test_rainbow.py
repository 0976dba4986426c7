"""Rainbow's board in a real browser: whole games, every way to hold it, and no face that its viewer may not see."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from sevenhues.core import record
from sevenhues.core.game import WATCHER
from tests.browser.rainbow_board import LIT, Mat, sit_together, sit_with_bot
from tests.browser.test_accessibility import check_axe, check_phone
from tests.browser.test_hidden_information import check_frames, finished
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]


def test_two_people_play_a_whole_game_and_a_watcher_sees_no_secret(new_user: NewUser) -> None:
    ada, mira, watcher = (new_user(plain=False, still=still) for still in (False, True, True))
    link = sit_together(ada, mira)
    watcher.open(link)
    expect(watcher.page.get_by_text("Watching")).to_be_visible()
    mats = [Mat(ada), Mat(mira), Mat(watcher)]
    chance = Random(1)
    ply = 0
    while ada.updates[-1]["result"] is None:
        mover = mats[ada.updates[-1]["turn"][0]]
        ply = mover.act(chance)
        for mat in mats:
            mat.wait(ply)
        assert mats[2].page.locator(LIT).count() == 0
        if ply % 9 == 0:
            for mat in mats:
                mat.check_faces()

    result = ada.updates[-1]["result"]
    piles = result["scores"]
    assert result["reason"] == "deck"
    assert ply > 20
    for one, mat in zip((ada, mira, watcher), mats, strict=True):
        won = one.page.get_by_role("heading", name="won," if result["winners"] else "A draw")
        expect(won).to_be_visible()
        one.page.get_by_role("button", name="Look at the table").click()
        expect(won).to_have_count(0)
        for score in piles:
            expect(one.page.locator(".plate .score b").get_by_text(str(score), exact=True).first).to_be_visible()
        mat.check_faces()

    whole = finished(ada)
    played = [position.copy() for position in record.replay(whole)]
    check_frames(ada, whole.game, played, {0})
    check_frames(mira, whole.game, played, {1})
    check_frames(watcher, whole.game, played, {WATCHER})


def test_a_whole_game_against_a_bot(new_user: NewUser) -> None:
    ada = new_user(plain=False, still=True)
    mat = sit_with_bot(ada)
    chance = Random(2)
    go_on = ada.page.get_by_role("button", name="Go on")
    over = ada.page.get_by_role("button", name="Look at the table")
    while over.count() == 0:
        ada.page.locator(f"{LIT}, .on").first.or_(over).first.wait_for()
        if ada.page.locator(".on").count():
            go_on.click()
        elif mat.page.locator(LIT).count():
            mat.person.wait_for_ply(mat.act(chance))
    expect(
        ada.page.get_by_role("heading", name="won,").or_(ada.page.get_by_role("heading", name="A draw"))
    ).to_be_visible()
    ada.page.get_by_role("button", name="Rematch").click()
    mat.lit()


def test_a_device_that_is_handed_round(new_user: NewUser) -> None:
    ada = new_user(plain=False, still=True)
    names = ["Ada", "Jonas"]
    ada.open()
    ada.card("Rainbow").get_by_role("button", name="Share").click()
    for seat, name in enumerate(names):
        ada.page.get_by_label(f"Name at seat {seat + 1}").fill(name)
    ada.page.get_by_role("button", name="Lay the table").click()
    mat = Mat(ada)
    chance = Random(3)
    looked: list[int] = []
    for _ in range(3):
        expect(ada.page.get_by_role("heading", name="Hand over to")).to_be_visible()
        seat = ada.updates[-1]["turn"][0]
        expect(ada.page.get_by_role("heading", name=f"Hand over to {names[seat]}")).to_be_visible()
        # Behind the curtain there is no board, no story and no face; and the newest view is a watcher's.
        ada.wait_until(lambda: [eye["seat"] for eye in ada.updates[-1]["eyes"]] == [WATCHER])
        assert ada.page.locator("[data-at], .table, .log, li").count() == 0
        assert ada.page.locator("[aria-label], [role=img], [title]").count() == 0
        assert mat.faces() == mat.faces() & set("ROYGBIV"), "only the arch"
        ada.page.keyboard.press("Enter")
        ada.page.keyboard.press("Enter")
        mat.lit()
        looked.append(seat)
        while ada.updates[-1]["turn"] == [seat]:
            assert [eye["seat"] for eye in ada.updates[-1]["eyes"]] == [seat]
            mat.check_faces()
            mat.wait(mat.act(chance))
        ada.page.get_by_role("button", name="Hand over now").click()
    assert len(set(looked)) == 2
    expect(ada.page.get_by_role("heading", name="Hand over to")).to_be_visible()
    ada.page.keyboard.press("Enter")
    ada.page.keyboard.press("Enter")
    mat.lit()
    ada.resign()
    expect(ada.page.get_by_text("resigned.").first).to_be_visible()
    whole = finished(ada)
    check_frames(ada, whole.game, [position.copy() for position in record.replay(whole)], {0, 1, WATCHER})


def test_a_reload_and_a_lost_line_in_the_middle_of_a_turn(new_user: NewUser, server: ServerProcess) -> None:
    ada = new_user(plain=False, still=True)
    mat = sit_with_bot(ada)
    while True:  # until a card lies and the turn goes on
        mat.lit()
        ply = ada.updates[-1]["ply"]
        mat.cards.first.click()
        mat.do("Play").first.click()
        ada.wait_for_ply(ply + 1)
        if ada.updates[-1]["turn"] == [0] and mat.view["played"]:
            break
        mat.my_turn()
    mat.wait(ply + 1)
    lying = mat.lying()
    expect(mat.do("End turn")).to_be_visible()
    ada.page.reload()
    mat.lit()
    assert [name.replace(" Just came up.", "") for name in mat.lying() if name] == [
        name.replace(" Just came up.", "") for name in lying if name
    ]

    ply = ada.updates[-1]["ply"]
    ada.offline = True
    server.kill()
    band = ada.page.locator(".band")
    expect(band).to_contain_text("Connection lost.")
    assert len(mat.lying()) == len(lying)
    mat.do("End turn").click()
    expect(ada.page.locator(LIT)).to_have_count(0)
    server.start()
    expect(band).to_contain_text("Back. Nothing is lost.")
    ada.wait_for_ply(ply + 1)
    ada.page.reload()
    mat.lit()
    history = next(update["history"] for update in reversed(ada.updates) if update["history"])
    assert history[ply] == {"seat": 0, "text": "E", "at": history[ply]["at"]}
    assert [move["text"] for move in history if move["seat"] == 0].count("E") == 1


def test_the_keyboard_is_enough(new_user: NewUser) -> None:
    ada = new_user(plain=False, still=True)
    mat = sit_with_bot(ada)
    keys = ada.page.keyboard
    focused = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()"

    def tab_to(start: str) -> None:
        for _ in range(40):
            if ada.page.evaluate(focused).startswith(start):
                return
            keys.press("Tab")
        raise AssertionError(f"Tab never reaches {start}")

    # By Tab, arrows and Enter alone.
    ply = ada.updates[-1]["ply"]
    tab_to("Your card 1")
    keys.press("ArrowRight")
    assert ada.page.evaluate(focused).startswith("Your card 2")
    assert ada.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    keys.press("Enter")
    expect(ada.page.locator(".mine button[aria-pressed=true]")).to_have_count(1)
    tab_to("Play ")
    keys.press("Enter")
    ada.wait_for_ply(ply + 1)
    assert ada.updates[-1]["move"] is not None

    # By single letters: card, as seen or blind, turn over, end; H tells how it stands, ? opens the rules.
    for _ in range(3):
        mat.my_turn()
        ply = ada.updates[-1]["ply"]
        if mat.cards.count():
            number = str(ada.page.locator(".mine button").first.get_attribute("aria-label")).split()[2].strip(",")
            keys.press(number)
            keys.press("s")
        elif mat.do("End turn").and_(ada.page.locator("[aria-disabled=false]")).count():
            keys.press("e")
        ada.wait_for_ply(ply + 1)
    keys.press("h")
    expect(ada.page.get_by_role("complementary", name="What can I do now?")).to_contain_text("left in the deck")
    keys.press("Escape")
    keys.press("?")
    expect(ada.page.get_by_role("complementary", name="Rules")).to_contain_text("RB-15")


def test_a_phone_by_touch(new_user: NewUser) -> None:
    ada = new_user(plain=False, phone=True, still=True)
    mat = sit_with_bot(ada)
    check_phone(ada.page, "your turn")
    turned = False
    for _ in range(12):
        mat.lit()
        ply = ada.updates[-1]["ply"]
        if mat.row.count() and not turned:
            mat.row.first.tap()
            expect(ada.page.get_by_text("Tap it again to turn it over")).to_be_visible()
            assert ada.updates[-1]["ply"] == ply, "one tap is not enough"
            mat.row.first.tap()
            turned = True
        elif mat.cards.count():
            mat.cards.first.tap()
            check_phone(ada.page, "picked")
            mat.do("Play").first.tap()
        else:
            mat.do("End turn").tap()
        ada.wait_for_ply(ply + 1)
        mat.my_turn()
    assert turned
    check_phone(ada.page, "later")
    ada.page.get_by_role("button", name="Story").tap()
    expect(ada.page.get_by_role("dialog")).to_contain_text("You played card")


def test_nothing_moves_under_reduced_motion_and_the_place_is_ringed(new_user: NewUser) -> None:
    ada = new_user(plain=False, still=True)
    mat = sit_with_bot(ada, level="random")
    mat.cards.first.click()
    mat.do("Play").first.click()
    expect(ada.page.locator(".fresh").first).to_be_attached()
    assert ada.page.evaluate("document.getAnimations().filter((one) => one.playState === 'running').length") == 0
    expect(ada.page.locator(".fresh")).to_have_count(0)


def test_cards_are_pulled_to_the_row_and_turned_by_a_pull(new_user: NewUser) -> None:
    ada = new_user(plain=False)
    mat = sit_with_bot(ada)
    mouse = ada.page.mouse

    def pull(dy: float) -> str:
        """Pull the first card to the next place: above its middle (dy < 0) or below."""
        card = mat.cards.first.bounding_box()
        place = ada.page.locator(f"[data-place='{len(mat.view['row'])}']").bounding_box()
        assert card
        assert place
        mouse.move(card["x"] + card["width"] / 2, card["y"] + 30)
        mouse.down()
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        mouse.move(x, y + dy + 12, steps=4)
        mouse.move(x, y + dy, steps=2)
        expect(ada.page.locator(".half.aimed")).to_have_count(1)
        ply = ada.updates[-1]["ply"]
        mouse.up()
        ada.wait_for_ply(ply + 1)
        return str(next(update["move"]["text"] for update in ada.updates if update["ply"] == ply + 1))

    assert pull(-30)[0] == "S"
    for _ in range(20):
        mat.my_turn()
        if mat.row.count() and mat.cards.count() == 0:
            break
        if mat.cards.count():
            assert pull(30)[0] == "B"
    box = mat.row.first.bounding_box()
    assert box
    ply = ada.updates[-1]["ply"]
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.down()
    mouse.move(box["x"] + box["width"] / 2 + 48, box["y"] + box["height"] / 2, steps=4)
    mouse.up()
    ada.wait_for_ply(ply + 1)
    assert next(update["move"]["text"] for update in ada.updates if update["ply"] == ply + 1) == "F1"

    # A card that is let go elsewhere goes back.
    mat.my_turn()
    while mat.cards.count() == 0:
        mat.wait(mat.act(Random(0)))
        mat.my_turn()
    ply = ada.updates[-1]["ply"]
    mat.land()
    card = mat.cards.first.bounding_box()
    assert card
    mouse.move(card["x"] + 20, card["y"] + 20)
    mouse.down()
    mouse.move(card["x"] + 120, card["y"] + 60, steps=4)
    mouse.up()
    ada.page.wait_for_timeout(300)
    assert ada.updates[-1]["ply"] == ply
    assert mat.cards.first.bounding_box() == pytest.approx(card, abs=8)


def test_a_refusal_is_said_kindly_and_opens_its_rule(new_user: NewUser) -> None:
    ada = new_user(plain=False, still=True)

    def mislead(route: WebSocketRoute) -> None:
        """Tell the page that it may end its turn when it may not."""
        server = route.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            frame: dict[str, Any] = json.loads(message)
            if frame["type"] == "update":
                for eye in frame["eyes"]:
                    eye["legal"] = [*eye["legal"], "E"] if eye["legal"] and "E" not in eye["legal"] else eye["legal"]
            route.send(json.dumps(frame))

        server.on_message(pass_on)

    ada.page.route_web_socket("**/live", mislead)
    mat = sit_with_bot(ada)
    mat.do("End turn").click()
    note = ada.page.locator(".warning")
    expect(note).to_contain_text("Play a card before you end your turn.")
    expect(ada.page.get_by_role("alert").first).to_contain_text("Play a card before you end your turn.")
    note.get_by_role("button", name="RB-12").click()
    rules = ada.page.get_by_role("complementary", name="Rules")
    expect(rules.get_by_text("RB-12")).to_be_in_viewport()
    mat.cards.first.click()
    mat.do("Play").first.click()
    expect(note).to_have_count(0)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_on_the_board(new_user: NewUser, dark: bool) -> None:
    ada = new_user(plain=False, dark=dark, phone=dark, still=True, bypass_csp=True)
    mat = sit_with_bot(ada)
    check_axe(ada.page, "your turn")
    mat.cards.first.click()
    check_axe(ada.page, "picked")
    mat.do("Play").first.click()
    ada.wait_for_ply(1)
    chance = Random(5)
    go_on = ada.page.get_by_role("button", name="Go on")
    while go_on.count() == 0:
        ada.page.locator(f"{LIT}, .on").first.wait_for()
        if go_on.count() == 0:
            ada.wait_for_ply(mat.act(chance))
            ada.page.wait_for_timeout(100)
    check_axe(ada.page, "a round has ended")
    ada.resign()
    expect(ada.page.get_by_role("heading", name="won")).to_be_visible()
    check_axe(ada.page, "result")
