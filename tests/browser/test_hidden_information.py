"""Nothing secret reaches a browser that may not know it: neither its page nor any frame it received."""

from collections.abc import Callable
from typing import Any

import httpx
from playwright.sync_api import expect

from sevenhues.core import record
from sevenhues.core.game import WATCHER, Game, Position
from tests.browser.user import User

NewUser = Callable[..., User]


def check_frames(one: User, game: Game[Any], played: list[Position], eyes: set[int]) -> None:
    """Every view that came is, to the letter, what those eyes may see, and all else holds no secret."""
    assert one.updates
    for update in one.updates:
        for eye in update["eyes"]:
            assert eye["seat"] in eyes
            assert eye["view"] == game.view(played[update["ply"]], eye["seat"])
    for frame in one.frames:
        if frame["type"] == "table" and frame["table"]["status"] != "finished":
            assert frame["table"]["proof"] is None


def finished(one: User) -> record.Record:
    cookies = {cookie["name"]: cookie["value"] for cookie in one.context.cookies()}
    answer = httpx.get(f"{one.url}/api/tables/{one.table['id']}/record", cookies=cookies)
    assert answer.status_code == 200, answer.text
    return record.read(answer.text)


def test_a_watcher_and_an_opponent_are_sent_just_what_they_may_see(new_user: NewUser) -> None:
    ada, mira, watcher = new_user(), new_user(), new_user()
    ada.open()
    ada.card("Rainbow").get_by_role("button", name="Invite").click()
    expect(ada.page.get_by_role("heading", name="The table is laid")).to_be_visible()
    link = "/t/" + ada.page.url.rsplit("/", 1)[1]
    mira.open(link)
    mira.page.get_by_role("button", name="Sit down").click()
    expect(mira.drawing).to_be_visible()
    watcher.open(link)
    expect(watcher.drawing).to_be_visible()
    expect(watcher.page.get_by_text("Watching")).to_be_visible()
    assert watcher.moves.count() == 0

    for ply in range(8):
        turn = ada.updates[-1]["turn"]
        mover = ada if turn == [0] else mira
        mover.move()
        for one in (ada, mira, watcher):
            one.wait_for_ply(ply + 1)
    ada.resign()
    expect(mira.page.get_by_text("resigned.").first).to_be_visible()

    whole = finished(ada)
    game = whole.game
    played = [position.copy() for position in record.replay(whole)]
    check_frames(ada, game, played, {0})
    check_frames(mira, game, played, {1})
    check_frames(watcher, game, played, {WATCHER})
    expect(watcher.drawing).to_have_text(game.draw(game.view(played[-1], WATCHER), False))


def test_behind_the_curtain_there_is_nothing(new_user: NewUser) -> None:
    ada = new_user()
    ada.open()
    ada.card("Rainbow").get_by_role("button", name="Share").click()
    ada.page.get_by_label("Name at seat 1").fill("Ada")
    ada.page.get_by_label("Name at seat 2").fill("Jonas")
    ada.page.get_by_role("button", name="Lay the table").click()
    names = ["Ada", "Jonas"]
    expect(ada.page.get_by_role("heading", name="Hand over to")).to_be_visible()

    looked: list[int] = []
    for _ in range(4):
        seat = ada.updates[-1]["turn"][0]
        expect(ada.page.get_by_role("heading", name=f"Hand over to {names[seat]}")).to_be_visible()
        # Nothing of the board: no drawing, no moves, no story; and the newest view is a watcher's.
        assert ada.drawing.count() == 0
        assert ada.moves.count() == 0
        assert ada.page.get_by_role("listitem").count() == 0
        assert [eye["seat"] for eye in ada.updates[-1]["eyes"]] == [WATCHER]
        said = ada.page.locator("main").inner_text()
        assert set(said.replace("\n", " ").split()) <= set(
            f"Hand over to {names[seat]} Nothing of the table is behind this page. {names[seat]}, hold look "
            "Or press Enter twice.".split()
        )
        ada.page.keyboard.press("Enter")
        expect(ada.drawing).to_have_count(0)
        ada.page.keyboard.press("Enter")
        expect(ada.drawing).to_be_visible()
        assert [eye["seat"] for eye in ada.updates[-1]["eyes"]] == [seat]
        looked.append(seat)
        while ada.updates[-1]["turn"] == [seat]:
            ply = ada.updates[-1]["ply"]
            ends = ada.moves.filter(has_text="E")
            (ends if ends.count() else ada.moves).first.click()
            ada.wait_for_ply(ply + 1)
        expect(ada.page.get_by_role("heading", name="Hand over to")).to_be_visible()
    assert len(set(looked)) == 2


def test_the_curtain_opens_by_holding_not_by_a_slip(new_user: NewUser) -> None:
    ada = new_user()
    ada.open()
    ada.card("Rainbow").get_by_role("button", name="Share").click()
    ada.page.get_by_role("button", name="Lay the table").click()
    hold = ada.page.get_by_role("button", name="hold to look")
    hold.click()
    ada.page.wait_for_timeout(800)
    expect(hold).to_be_visible()
    hold.hover()
    ada.page.mouse.down()
    expect(ada.drawing).to_be_visible()
    ada.page.mouse.up()
