"""Rainbow Road positions in short notation."""

from collections import Counter

import pytest

from sevenhues.core.errors import IllegalMove
from sevenhues.core.game import Setup, resolve_options
from sevenhues.core.moves import legal_texts, parse
from sevenhues.core.play import play_text
from sevenhues.games.rainbow_road import game
from sevenhues.games.rainbow_road.rules import RoadPosition

MARKERS = {0: "a", 1: "b"}


def deal(field: str, moves: str = "", hands: str = "", pranks: str = "", first: int = 0) -> Setup:
    """Return a setup; `field` has the cards on a2 a4 b2 b4.

    Hands ("1 1 2 / 7 7") hold at least these cards and those played in `moves`; pranks ("jump / skip trash") likewise.
    Missing cards and pranks are taken from the rest, the lowest numbers and the first pranks first.
    """
    open_cards = [int(number) for number in field]
    left = Counter(dict.fromkeys(range(1, 8), 3))
    left.subtract(open_cards)
    held: list[list[int]] = [[], []]
    for seat, cards in enumerate((hands or "/").split("/")):
        held[seat] = [int(number) for number in cards.split()]
    for seat in (0, 1):
        played = [int(move[1]) for move in moves.split() if move[0] == "P" and move[2] == "ab"[seat]]
        held[seat] += (Counter(played) - Counter(held[seat])).elements()
        left.subtract(held[seat])
    assert min(left.values()) >= 0, "a card is used too often"
    rest = sorted(left.elements())
    for seat in (0, 1):
        missing = 8 - len(held[seat])
        held[seat] = sorted(held[seat] + rest[:missing])
        rest = rest[missing:]
    dealt_pranks = [names.split() for names in (pranks or "/").split("/")]
    spare = [name for name in ("exchange", "jump", "skip", "trash", "teleport", "recycle") if name not in pranks]
    for names in dealt_pranks:
        while len(names) < 2:
            names.append(spare.pop(0))
    return {"hands": held, "field": [open_cards[:2], open_cards[2:]], "pranks": dealt_pranks, "first": first}


def table(
    field: str, moves: str = "", *, hands: str = "", pranks: str = "", first: int = 0, **options: str
) -> RoadPosition:
    """Deal, play moves by the seats to act, and return the position."""
    position = game.start(deal(field, moves, hands, pranks, first), 2, resolve_options(game, options))
    return play(position, moves)


def play(position: RoadPosition, moves: str) -> RoadPosition:
    for move in moves.split():
        play_text(game, position, position.to_act()[0], move)
    return position


def refusal(position: RoadPosition, move: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        parse(game, position, position.to_act()[0], move)
    return caught.value


def legal_moves(position: RoadPosition) -> str:
    """Return the legal moves of the seat to act; empty when the game is over."""
    turn = position.to_act()
    return " ".join(legal_texts(game, position, turn[0])) if turn else ""


def ring(position: RoadPosition) -> str:
    """Return the ring: numbers, - for none, S and R for the fairies, a and b for the seats' markers.

    "- 3S - 5 - / - 2a - 7R -"
    """
    cells = []
    for spot in game.view(position, -1)["ring"]:
        fairy = {None: "", "sunny": "S", "rain": "R"}[spot["fairy"]]
        marker = "" if spot["marker"] is None else MARKERS[spot["marker"]]
        cells.append((str(spot["card"]["number"]) if spot["card"] else "-") + fairy + marker)
    return " ".join(cells[:5]) + " / " + " ".join(cells[5:])


def discards(position: RoadPosition) -> list[int]:
    """Return the numbers of the discard pile, newest first."""
    return [card["number"] for card in game.view(position, -1)["discards"]]


def reach(position: RoadPosition) -> dict[str, int]:
    """Return the points of each card that the moving fairy can reach, by "way spot"."""
    walk = game.view(position, -1)["walk"]
    assert walk is not None
    return {f"{step['hops'][0]} {step['spot']}": step["points"] for step in walk["reach"]}
