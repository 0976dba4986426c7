"""Two tabs of a browser whose server is away, at one game against a bot."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from sevenhues import load
from tests.browser.offline_user import OfflineUser
from tests.browser.rainbow_board import RainbowBoard

RAINBOW = load("rainbow")
LOCKS = """async (table) => {
    const { held, pending } = await navigator.locks.query();
    const clients = (locks) => locks.filter(({ name }) => name.endsWith(table)).map(({ clientId }) => clientId);
    return [clients(held), clients(pending)];
}"""


@pytest.fixture
def second(offline: OfflineUser) -> Iterator[OfflineUser]:
    """Another tab of the same browser."""
    user = OfflineUser(offline.context, offline.server)
    yield user
    user.page.close()
    assert user.errors == []


def moves(user: OfflineUser) -> dict[int, Any]:
    """Return the moves that a page was sent one by one, by the ply they lead to, each of which may come once."""
    sent = [(update["ply"], update["move"]) for update in user.updates if update["move"]]
    assert len(dict(sent)) == len(sent), sent
    return dict(sent)


def play_turn(mover: RainbowBoard, rng: Random) -> None:
    """Make moves until the bot is to act."""
    mover.wait_for_turn()
    while mover.update["turn"] == [0]:
        mover.wait_for_turn()
        mover.user.wait_for_ply(mover.make_random_move(rng))


def test_two_tabs_share_a_game_and_one_plays_its_bot(offline: OfflineUser, second: OfflineUser) -> None:
    rng, boards = Random(5), [RainbowBoard(second), RainbowBoard(offline)]
    second.open()
    second.play_level(RAINBOW, "seedling")
    boards[0].wait_for_turn()
    offline.follow("/")
    expect(offline.card("Rainbow")).to_be_visible()
    offline.frames.clear()
    table = second.page.url.rsplit("/", 1)[1]
    offline.follow(f"/t/{table}")
    offline.wait_until(lambda: bool(offline.updates))
    history = offline.updates[0]["history"]

    for mover, other in (boards, reversed(boards)):
        play_turn(mover, rng)
        mover.wait_for_turn()
        other.wait_for_ply(mover.ply)
    assert boards[0].ply == boards[1].ply
    held, waiting = offline.page.evaluate(LOCKS, table)
    assert (len(held), len(waiting)) == (1, 1), "one tab plays the bot"

    play_turn(boards[0], rng)
    offline.wait_for_ply(boards[0].ply)
    second.page.close()
    offline.wait_until(lambda: offline.page.evaluate(LOCKS, table) == [waiting, []])
    play_turn(boards[1], rng)
    boards[1].wait_for_turn()

    shown = [moves(second), moves(offline)]
    assert sorted(shown[1]) == list(range(len(history) + 1, boards[1].ply + 1)), "every move came, once"
    known = dict(enumerate(history, 1)) | shown[1]
    assert all(known[ply] == move for ply, move in shown[0].items())
    for user in (offline, second):
        assert not [frame for frame in user.frames if frame["type"] == "refused"]
    expect(offline.page.locator("[role=alert]:not(.unseen)")).to_have_count(0)
