"""Kuhn and Leduc poker, written in our contract, have the histories and payoffs of OpenSpiel's games."""

from itertools import permutations
from typing import Any

import pyspiel
import pytest

from sevenhues.testing import check_game
from tests.toy_games.poker import Kuhn, Leduc, Poker, PokerPosition

Histories = dict[tuple[tuple[int, ...], tuple[int, ...]], list[float]]  # cards that came, moves: payoffs


def openspiel_histories(state: Any, cards: tuple[int, ...] = (), moves: tuple[int, ...] = ()) -> Histories:
    """Return the payoffs of all ends that can be reached from a state of OpenSpiel."""
    if state.is_terminal():
        return {(cards, moves): state.returns()}
    ends: Histories = {}
    for action in state.legal_actions():
        if state.is_chance_node():
            ends |= openspiel_histories(state.child(action), (*cards, action), moves)
        else:
            ends |= openspiel_histories(state.child(action), cards, (*moves, action))
    return ends


def own_histories(position: PokerPosition) -> Histories:
    """Return the payoffs of all ends that can be reached from a position."""
    turn = position.to_act()
    if not turn:
        cards = tuple(position.pack[: 2 + position.public_cards()])
        return {(cards, tuple(position.moves)): [float(chips) for chips in position.scores()]}
    ends: Histories = {}
    for move in position.legal(turn[0]):
        after = position.copy()
        after.play(turn[0], move)
        ends |= own_histories(after)
    return ends


@pytest.mark.parametrize(
    ("game", "name", "dealt", "count"), [(Kuhn(), "kuhn_poker", 2, 30), (Leduc(), "leduc_poker", 3, 5520)]
)
def test_poker_has_the_histories_and_payoffs_of_openspiel(game: Poker, name: str, dealt: int, count: int) -> None:
    own: Histories = {}
    for first in permutations(range(game.cards), dealt):
        rest = [card for card in range(game.cards) if card not in first]
        own |= own_histories(game.start({"pack": [*first, *rest]}, 2, {}))
    theirs = openspiel_histories(pyspiel.load_game(name).new_initial_state())
    assert own == theirs
    assert len(own) == count


@pytest.mark.parametrize("game", [Kuhn(), Leduc()])
def test_poker_keeps_the_laws(game: Poker) -> None:
    check_game(game, games=20)
