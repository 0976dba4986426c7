"""Nimble positions in short notation."""

from typing import Any

import pytest

from sevenhues.core.errors import IllegalMove
from sevenhues.core.moves import legal_texts, parse
from sevenhues.core.play import play_text
from sevenhues.core.position import Outcome
from sevenhues.games.nimble import game
from sevenhues.games.nimble.pieces import PACK, card_text
from sevenhues.games.nimble.rules import NimblePosition
from sevenhues.games.nimble.view_types import Card

ALL_CARDS = [card_text(card) for card in PACK]

# A set in an order in which every card fits on the one before it.
CHAIN = "AM MA AE EA AW WA AP PA AQ QM ME EM MW WM MP PM MQ QE EW WE EP PE EQ QW WP PW WQ QP PQ QA"


def full_set(cards: str) -> list[str]:
    """Complete a set: the given cards on top, the others in order below."""
    first = cards.split()
    assert len(set(first)) == len(first), "a card is used twice"
    return first + [card for card in ALL_CARDS if card not in first]


def setup(*sets: str, targets: str) -> dict[str, Any]:
    return {"sets": [full_set(cards) for cards in sets], "targets": [int(seat) for seat in targets]}


def table(*sets: str, targets: str, moves: str = "", checking: str = "referee") -> NimblePosition:
    """Deal sets that begin with these cards, and play moves like "0f 0p1 1f"."""
    position = game.start(setup(*sets, targets=targets), len(sets), {"checking": checking})
    return play(position, moves)


def play(position: NimblePosition, moves: str) -> NimblePosition:
    for move in moves.split():
        play_text(game, position, int(move[0]), move[1:])
    return position


def lay(seat: int, stack: int, times: int = 1) -> str:
    """Write the moves that flip and place so many cards."""
    return f"{seat}f {seat}p{stack} " * times


def may(position: NimblePosition, seat: int) -> str:
    return " ".join(legal_texts(game, position, seat))


def tops(position: NimblePosition) -> str:
    return " ".join(name(stack["top"]) for stack in game.view(position, 0)["stacks"])


def heights(position: NimblePosition) -> list[int]:
    return [stack["height"] for stack in game.view(position, 0)["stacks"]]


def shown(position: NimblePosition, seat: int) -> str:
    """Write a player's cards as every viewer sees them: the set's count, the pile's top card, the pile's count."""
    player = game.view(position, 0)["players"][seat]
    return f"{player['set']} {name(player['top']) if player['top'] else '-'} {player['pile']}"


def name(card: Card) -> str:
    return card["frame"] + card["circle"]


def refusal(position: NimblePosition, seat: int, move: str) -> IllegalMove:
    """Return why a move is refused, after seeing that nothing changed."""
    before = position.key()
    with pytest.raises(IllegalMove) as caught:
        parse(game, position, seat, move)
    assert position.key() == before
    return caught.value


def ended(position: NimblePosition) -> Outcome:
    """Return how a game ended that must be over."""
    outcome = position.outcome()
    assert outcome is not None
    assert position.to_act() == []
    return outcome
