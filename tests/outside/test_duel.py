"""A game and a bot outside the package, uncompiled, work with the core, compiled or plain."""

import json

import pytest

from sevenhues import Position, Rng, deal, playout
from sevenhues.bots import RandomBot
from sevenhues.core import record
from sevenhues.core.errors import BadNotation, BadRecord, IllegalMove
from sevenhues.core.moves import parse
from sevenhues.core.play import bot_game, bot_move, random_game
from sevenhues.testing import check_game
from tests.toy_games.duel import DuelPosition, Highest, game


def test_game_outside_the_package_keeps_the_laws() -> None:
    assert check_game(game, games=20) == 20 * 5


def test_core_plays_out_a_game_outside_the_package() -> None:
    position = deal(game, b"outside")
    assert playout(position.copy(), Rng(1)) == 4
    moves = random_game(game, position, Rng(1))
    assert [move.seat for move in moves] == [0, 1, 0, 1]
    assert position.outcome() is not None


def test_records_and_refusals_of_a_game_outside_the_package_work() -> None:
    position = DuelPosition([[1, 2], [3, 4]])
    text = record.write(record.begin(game, position, {}))
    assert record.read(text, game).setup == {"hands": [[1, 2], [3, 4]]}
    with pytest.raises(IllegalMove, match=r"You do not hold the 5\. \(DU-1\)"):
        parse(game, position, 0, "5")
    with pytest.raises(IllegalMove, match=r"\(G-1\)"):
        parse(game, position, 1, "3")
    with pytest.raises(BadNotation, match=r"'7' is not a move of Duel; its moves are 1 to 6 \(G-3\)"):
        parse(game, position, 0, "7")
    with pytest.raises(BadRecord, match="expected 'duel', found 'rainbow'"):
        record.read(json.dumps({"format": 1, "game": "rainbow"}), game)


def test_bot_outside_the_package_plays_without_hidden_information() -> None:
    bots = [Highest(), RandomBot()]
    other_hands = set()
    for seed in range(40):
        position = DuelPosition([[1, 2], [3, 4]])
        moves = bot_game(game, position, bots, Rng(seed))
        assert [move.text for move in moves if move.seat == 0] == ["2", "1"]
    highest = bots[0]
    assert isinstance(highest, Highest)
    for shown in highest.positions[::2]:
        assert isinstance(shown, DuelPosition)
        assert shown.hands[0] == [1, 2]
        other_hands.add(tuple(sorted(shown.hands[1])))
    assert len(other_hands) == 6, "all pairs of 3, 4, 5 and 6 are shown, not only the true one"
    assert highest.moves[:4] == [(0, 1), highest.moves[1], (0, 0), highest.moves[3]]


def test_illegal_choice_of_a_bot_is_an_error() -> None:
    class Cheat(Highest):
        def choose(self, position: Position, seat: int, rng: Rng) -> int:
            return 5

    with pytest.raises(ValueError, match="Cheat chose 5, which is not legal here; legal: 1 2"):
        bot_move(game, DuelPosition([[1, 2], [3, 4]]), 0, Cheat(), Rng(1))
