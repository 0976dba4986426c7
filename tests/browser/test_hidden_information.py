"""No hidden information reaches a browser: neither its page nor any frame it receives."""

from collections.abc import Callable
from typing import Any

import httpx
from playwright.sync_api import expect

from sevenhues.core import record
from sevenhues.core.game import Game
from sevenhues.core.position import WATCHER, Position
from tests.browser.user import User

NewUser = Callable[..., User]


def check_frames(one: User, game: Game[Any], played: list[Position], eyes: set[int]) -> None:
    """Every view that came is, to the letter, what those eyes may see, and all else holds no secret."""
    assert one.updates
    for update in one.updates:
        for seat_view in update["views"]:
            assert seat_view["seat"] in eyes
            assert seat_view["view"] == game.view(played[update["ply"]], seat_view["seat"])
    for frame in one.frames:
        if frame["type"] == "table" and frame["table"]["status"] != "finished":
            assert frame["table"]["proof"] is None


def finished(one: User) -> record.Record:
    cookies = {cookie["name"]: cookie["value"] for cookie in one.context.cookies()}
    answer = httpx.get(f"{one.url}/api/tables/{one.table['id']}/record", cookies=cookies, timeout=60)
    assert answer.status_code == 200, answer.text
    return record.read(answer.text)


def test_watcher_and_opponent_receive_only_what_they_may_see(new_user: NewUser) -> None:
    ada, mira, watcher = new_user(), new_user(), new_user()
    ada.open()
    ada.card("Rainbow").get_by_role("button", name="Invite").click()
    expect(ada.page.get_by_role("heading", name="Invite a friend")).to_be_visible()
    link = "/t/" + ada.page.url.rsplit("/", 1)[1]
    mira.open(link)
    mira.page.get_by_role("button", name="Join").click()
    expect(mira.drawing).to_be_visible()
    watcher.open(link)
    expect(watcher.drawing).to_be_visible()
    expect(watcher.page.get_by_text("Watching")).to_be_visible()
    assert watcher.moves.count() == 0

    for ply in range(6):
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
    expect(watcher.drawing).to_have_text(game.renderer().draw(game.view(played[-1], WATCHER), False))


def share_device(ada: User, *names: str) -> None:
    """Start a game of Rainbow for players who share a device; its clock moves only as far as a test says."""
    ada.page.clock.install()
    ada.open()
    ada.card("Rainbow").get_by_role("button", name="Same device").click()
    for number, name in enumerate(names):
        ada.page.get_by_label(f"Name of player {number + 1}").fill(name)
    ada.page.get_by_role("button", name="Start game").click()
    expect(ada.page.get_by_role("heading", name="Pass the device to")).to_be_visible()


def test_nothing_of_the_game_is_behind_the_curtain(new_user: NewUser) -> None:
    ada, names = new_user(), ["Ada", "Jonas"]
    share_device(ada, *names)
    seats: list[int] = []
    for _ in names:
        seat = ada.updates[-1]["turn"][0]
        expect(ada.page.get_by_role("heading", name=f"Pass the device to {names[seat]}")).to_be_visible()
        # Nothing of the board: no drawing, no moves, no log; and the newest view is a watcher's.
        assert ada.drawing.count() == 0
        assert ada.moves.count() == 0
        assert ada.page.get_by_role("listitem").count() == 0
        ada.wait_until(lambda: [seat_view["seat"] for seat_view in ada.updates[-1]["views"]] == [WATCHER])
        texts = ada.page.locator("main").inner_text()
        assert set(texts.replace("\n", " ").split()) <= set(
            f"Pass the device to {names[seat]} The game is hidden until you look. {names[seat]}, hold to look "
            "Or press Enter twice.".split()
        )
        ada.pause_clock()
        ada.page.keyboard.press("Enter")
        expect(ada.page.get_by_text("Press Enter again")).to_have_count(1)
        expect(ada.drawing).to_have_count(0)
        ada.page.keyboard.press("Enter")
        ada.page.clock.resume()
        expect(ada.drawing).to_be_visible()
        assert [seat_view["seat"] for seat_view in ada.updates[-1]["views"]] == [seat]
        seats.append(seat)
        while ada.updates[-1]["turn"] == [seat]:
            ply = ada.updates[-1]["ply"]
            expect(ada.page.locator(f".board[data-ply='{ply}']")).to_be_visible()
            ends = ada.moves.filter(has_text="E")
            (ends if ends.count() else ada.moves).first.click()
            ada.wait_for_ply(ply + 1)
        expect(ada.page.get_by_role("heading", name="Pass the device to")).to_be_visible()
    assert sorted(seats) == [0, 1]


def test_curtain_opens_by_holding_and_not_by_a_click(new_user: NewUser) -> None:
    ada = new_user()
    share_device(ada)
    hold = ada.page.get_by_role("button", name="hold to look")
    hold.hover()
    ada.pause_clock()
    ada.page.mouse.down()
    ada.page.clock.run_for(500)
    ada.page.mouse.up()
    ada.page.clock.run_for(5000)
    expect(hold).to_be_visible()
    expect(ada.drawing).to_have_count(0)
    ada.page.mouse.down()
    ada.page.clock.run_for(700)
    ada.page.clock.resume()
    expect(ada.drawing).to_be_visible()
    ada.page.mouse.up()
