"""All that is done beside games in a browser whose server is away, and what a reload and a killed browser leave."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from sevenhues import load
from sevenhues.core import record
from sevenhues.core.position import WATCHER
from sevenhues.core.resources import rules_text
from tests.browser.flip_and_slide_board import GAME as FLIP_AND_SLIDE
from tests.browser.flip_and_slide_board import play, wait_for_ply
from tests.browser.offline_user import STARTED, OfflineUser
from tests.browser.positions import last_turn_of_rainbow
from tests.browser.rainbow_board import RainbowBoard
from tests.browser.test_flip_and_slide import ALONE_MOVES, alone
from tests.browser.test_hidden_information import check_frames
from tests.browser.test_hints import Asker
from tests.browser.test_learn import steps, wait_for_step
from tests.browser.test_learn_boards import on_flip_and_slide, take_step

RAINBOW = load("rainbow")


def test_lesson_is_finished_offline(offline: OfflineUser) -> None:
    offline.follow("/learn/flip-and-slide")
    for step in steps("flip-and-slide"):
        wait_for_step(offline.page, step)
        take_step(offline.page, "flip-and-slide", step, on_flip_and_slide)
    expect(offline.page.get_by_role("heading", name="You can play")).to_be_visible()


@pytest.mark.parametrize("plies", [13, pytest.param(0, marks=pytest.mark.long)], ids=["last-moves", "whole"])
def test_puzzle_is_solved_offline(offline: OfflineUser, plies: int) -> None:
    offline.play_on(FLIP_AND_SLIDE, alone(plies))
    for ply, text in list(enumerate(ALONE_MOVES, 1))[plies:]:
        wait_for_ply(offline, ply - 1)
        play(offline.page, text)
    wait_for_ply(offline, len(ALONE_MOVES))
    assert offline.result["winners"] == [0]
    expect(offline.page.get_by_text("A whole rainbow touches your pot.")).to_be_visible()


def test_rules_are_read_in_two_languages_offline(offline: OfflineUser) -> None:
    offline.follow("/rules/nimble")
    for language in ("de", "en"):
        offline.choose(language=language)
        headings = re.findall(r"^## (.+)$", rules_text(load("nimble"), language), re.MULTILINE)
        for heading in headings:
            expect(offline.page.get_by_role("heading", name=heading, exact=True)).to_be_visible(timeout=STARTED)


def test_hint_replay_and_analysis_of_a_game_offline(offline: OfflineUser) -> None:
    page = offline.page
    offline.play_level(RAINBOW, "seedling")
    asker, board = Asker(offline), RainbowBoard(offline)
    seat = asker.wait_for_turn()
    page.keyboard.press("i")
    expect(asker.lines.first).to_be_visible(timeout=STARTED)
    moves = [line.get_attribute("data-move") for line in asker.lines.all()]
    assert moves
    assert set(moves) <= set(asker.legal(seat))
    expect(asker.marks.first).to_be_attached()
    page.keyboard.press("Escape")
    ply = board.make_random_move(Random(1))
    offline.wait_for_ply(ply)
    offline.resign()
    expect(page.get_by_text("You resigned.")).to_be_visible()
    page.get_by_role("button", name="Proof of a fair deal").click()
    expect(page.get_by_text("matches the seal your device saved")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Game record").click()
    written = record.read(download.value.path().read_bytes())
    check_frames(offline, RAINBOW, [position.copy() for position in record.replay(written)], {seat})

    page.get_by_role("link", name="Replay", exact=True).click()
    expect(page.locator(".board[data-ply='0']")).to_be_visible()
    page.get_by_role("button", name="Next move").click()
    expect(page.locator(".board[data-ply='1']")).to_be_visible()
    page.get_by_role("button", name="Analyse game").click()
    expect(page.get_by_role("img", name="Chances.")).to_be_visible(timeout=STARTED)


def test_players_share_a_device_behind_a_curtain_offline(offline: OfflineUser) -> None:
    page, names = offline.page, ["Ada", "Jonas"]
    offline.follow("/")
    offline.card("Rainbow").get_by_role("button", name="Same device").click()
    for seat, name in enumerate(names):
        page.get_by_label(f"Name of player {seat + 1}").fill(name)
    offline.frames.clear()
    page.get_by_role("button", name="Start game").click()
    board, rng = RainbowBoard(offline), Random(3)
    for _ in names:
        expect(page.get_by_role("heading", name="Pass the device to")).to_be_visible()
        offline.wait_until(lambda: [view["seat"] for view in offline.updates[-1]["views"]] == [WATCHER])
        seat = board.update["turn"][0]
        assert page.locator("[data-at], .table, .log, li").count() == 0
        offline.open_curtain()
        board.wait_for_turn(seat)
        while board.update["turn"] == [seat]:
            board.wait_for_turn(seat)
            assert [view["seat"] for view in board.update["views"]] == [seat]
            board.check_no_hidden_face()
            offline.wait_for_ply(board.make_random_move(rng))
        board.hand_over()


def test_reload_in_the_middle_of_a_game_goes_on_offline(offline: OfflineUser) -> None:
    offline.play_on(RAINBOW, last_turn_of_rainbow(), "seedling")
    board = RainbowBoard(offline)
    board.wait_for_turn()
    offline.wait_for_ply(board.play_card())
    made = board.ply
    offline.reload()
    offline.wait_until(lambda: bool(offline.updates))
    assert board.ply == made
    board.finish(Random(1))
    expect(offline.result_title).to_be_visible()
