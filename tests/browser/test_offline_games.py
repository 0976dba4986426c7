"""Whole games against every level in a browser whose server is away, by clicks on the boards."""

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import expect

from sevenhues import load
from sevenhues.bots.budget import Budget
from sevenhues.bots.levels import perfect_information_bot
from sevenhues.core.play import play_text
from sevenhues.core.rng import Rng
from sevenhues.games.flip_and_slide import game as flip_and_slide
from sevenhues.server.answers.games import game_infos
from tests.browser.flip_and_slide_board import play
from tests.browser.flip_and_slide_board import wait_for_ply as wait_for_slide
from tests.browser.offline_user import OfflineUser
from tests.browser.positions import last_round_of_rainbow, last_round_of_rainbow_road, race
from tests.browser.prepared_tables import Start
from tests.browser.rainbow_board import RainbowBoard
from tests.browser.test_flip_and_slide import two
from tests.browser.test_nimble import Racer
from tests.browser.test_nimble import finish as finish_race
from tests.browser.test_rainbow_road import RoadBoard
from tests.browser.test_rainbow_road import finish as finish_road

STARTS: dict[str, Callable[[], Start]] = {
    "rainbow": last_round_of_rainbow,
    "rainbow-road": last_round_of_rainbow_road,
    "flip-and-slide": lambda: two(2),
    "nimble": lambda: race(3),
}
LEVELS = [(info.id, level.name) for info in game_infos() for level in info.levels]
QUICK = {"rainbow": "master", "rainbow-road": "expert", "flip-and-slide": "seedling", "nimble": "player"}
SIMULATIONS = 30  # of the bot whose moves are clicked at Flip & Slide


def finish_rainbow(user: OfflineUser) -> None:
    RainbowBoard(user).finish(Random(2))


def finish_nimble(user: OfflineUser) -> None:
    expect(user.page.locator(".shelf")).to_be_visible()
    finish_race(Racer(user, "mouse"))


def finish_rainbow_road(user: OfflineUser) -> None:
    board = RoadBoard(user)
    board.wait_until_ready()
    finish_road(board)


def finish_flip_and_slide(user: OfflineUser, start: Start) -> None:
    """Play as a bot that knows the deal would."""
    position = flip_and_slide.start(start.setup, 2, user.table["options"])
    bot, rng, played = perfect_information_bot(flip_and_slide, Budget(simulations=SIMULATIONS)), Rng(1), 0
    while True:
        user.wait_until(lambda: bool(user.updates) and bool(user.result or user.updates[-1]["turn"] == [0]))
        moves = {update["ply"]: update["move"] for update in user.updates if update["move"]}
        history = next(update["history"] for update in user.updates if update["history"] is not None)
        moves |= dict(enumerate(history, 1))
        ply = user.updates[-1]["ply"]
        for number in range(played + 1, ply + 1):
            play_text(flip_and_slide, position, moves[number]["seat"], moves[number]["text"])
        played = ply
        wait_for_slide(user, ply)
        if user.result:
            break
        play(user.page, flip_and_slide.text(position, 0, bot.choose(position.copy(), 0, rng)))
        user.wait_for_ply(ply + 1)


def finish(user: OfflineUser, game: str, start: Start) -> None:
    """Play to the end, which the page shows."""
    if game == "flip-and-slide":
        finish_flip_and_slide(user, start)
    else:
        {"rainbow": finish_rainbow, "rainbow-road": finish_rainbow_road, "nimble": finish_nimble}[game](user)
    expect(user.result_title).to_be_visible()


@pytest.mark.parametrize(
    ("game", "level"),
    [pytest.param(*each, marks=[] if QUICK[each[0]] == each[1] else pytest.mark.long) for each in LEVELS],
)
def test_last_round_is_played_to_the_end(offline: OfflineUser, game: str, level: str) -> None:
    start = STARTS[game]()
    offline.play_on(load(game), start, level)
    assert offline.table["id"].startswith("offline-")
    assert [seat["level"] for seat in offline.table["seats"]] == [None, level]
    finish(offline, game, start)


@pytest.mark.long
@pytest.mark.parametrize(("game", "level"), LEVELS)
def test_whole_game_is_played_to_the_end(offline: OfflineUser, game: str, level: str) -> None:
    start = Start(STARTS[game]().setup)
    if game == "flip-and-slide":
        offline.play_on(load(game), start, level)
    else:
        offline.play_level(load(game), level)
    finish(offline, game, start)
