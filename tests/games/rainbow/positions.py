"""Rainbow positions in short notation."""

from collections import Counter

from sevenhues.core.moves import legal_texts
from sevenhues.core.play import play_text
from sevenhues.games.rainbow import game
from sevenhues.games.rainbow.notation import COPIES
from sevenhues.games.rainbow.pieces import FACES
from sevenhues.games.rainbow.rules import RainbowPosition

Pair = tuple[int, int]


def full_deck(front: str, back: str = "") -> list[str]:
    """Complete a deck: `front` from seat 0's end, `back` from seat 1's end, the other cards between.

    Cards are written with the face toward seat 0 first.
    """
    first, last = front.split(), back.split()[::-1]
    left = Counter(COPIES)
    for card in first + last:
        left[pair(card)] -= 1
    assert min(left.values()) >= 0, "a card is used too often"
    rest = [FACES[low] + FACES[high] for low, high in left.elements()]
    return first + rest + last


def pair(card: str) -> Pair:
    low, high = sorted(FACES.index(face) for face in card)
    return low, high


def table(front: str, back: str = "", moves: str = "", first: int = 0, memory_aid: bool = False) -> RainbowPosition:
    """Deal a deck, play moves by the seats to act, and return the position."""
    setup = {"deck": full_deck(front, back), "first": first}
    position = game.start(setup, 2, {"memory_aid": memory_aid})
    return play(position, moves)


def play(position: RainbowPosition, moves: str) -> RainbowPosition:
    for move in moves.split():
        play_text(game, position, position.to_act()[0], move)
    return position


def row(position: RainbowPosition) -> str:
    """Return the faces that the row shows."""
    return "".join(card["face"] for card in game.view(position, 0)["row"])


def hand(position: RainbowPosition, seat: int, viewer: int) -> str:
    """Return a hand as a viewer sees it, with - for an empty slot."""
    return "".join("-" if card is None else card["face"] for card in game.view(position, viewer)["hands"][seat])


def legal_moves(position: RainbowPosition) -> str:
    """Return the legal moves of the seat to act; empty when the game is over."""
    turn = position.to_act()
    return " ".join(legal_texts(game, position, turn[0])) if turn else ""
