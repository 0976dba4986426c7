"""Positions near the end of each game, from which tests finish it in seconds."""

from functools import cache
from itertools import cycle, takewhile
from random import Random
from typing import Any

from sevenhues import load
from sevenhues.core.moves import legal_texts
from sevenhues.core.play import deal, play_text
from tests.browser.prepared_tables import Start, find_position

RAINBOW = load("rainbow")
ROAD = load("rainbow-road")
NIMBLE = load("nimble")
ALONE_PLIES = 8  # moves that are left where the first player of Nimble finishes alone


@cache
def last_round_of_rainbow() -> Start:
    """Seat 0 is to act, a dozen moves before the end."""
    return find_position(RAINBOW, lambda view: view["turn"] == 0 and view["deck"] <= 4)


@cache
def last_turn_of_rainbow() -> Start:
    """Seat 0 ends the game in a few moves: it plays its first card as it is seen while it may, then ends its turn."""
    for number in range(4000):
        position, rng = deal(RAINBOW, number.to_bytes(32, "big"), 2), Random(number)
        setup = RAINBOW.setup(position)
        moves: list[tuple[int, str]] = []
        while position.outcome() is None:
            (seat,) = position.to_act()
            legal = legal_texts(RAINBOW, position, seat)
            first = min(legal, key=lambda text: ("SEFB".index(text[0]), text))
            moves.append((seat, first if seat == 0 else rng.choice(legal)))
            play_text(RAINBOW, position, *moves[-1])
        own = len(list(takewhile(lambda move: move[0] == 0, reversed(moves))))
        if 2 <= own <= 4 and moves[-own][1][0] == "S" and moves[-1][1] == "E":
            return Start(setup, moves[:-own])
    raise AssertionError("no such game")


def hop_often(rng: Random, legal: list[str]) -> str:
    """Choose a move of Rainbow Road: walk more often than not, and keep all pranks."""
    walks = [text for text in legal if text in ("+", "-")]
    if walks and rng.random() < 0.8:
        return rng.choice(walks)
    return rng.choice([text for text in legal if text in ("stop", "+", "-") or text[0] == "P"])


@cache
def last_round_of_rainbow_road() -> Start:
    """Seat 0 plays its last card."""
    return find_position(ROAD, lambda view: view["turn"] == 0 and view["round"] == 8, hop_often)


def race_move(position: Any, seat: int) -> str:
    """Choose a move of Nimble: a card that fits, else flip, else turn the pile over."""
    legal = legal_texts(NIMBLE, position, seat)
    return ([text for text in legal if text[0] == "p"] or [text for text in ("f", "t") if text in legal])[0]


@cache
def race(left: int = 99, seats: int = 2) -> Start:
    """A race of Nimble in which somebody has so many cards left, or one that has just begun."""
    position = deal(NIMBLE, b"race" * 8, seats)
    setup = NIMBLE.setup(position)
    moves: list[tuple[int, str]] = []
    for seat in cycle(range(seats)):
        if min(player["left"] for player in NIMBLE.view(position, 0)["players"]) <= left:
            break
        moves.append((seat, race_move(position, seat)))
        play_text(NIMBLE, position, *moves[-1])
    return Start(setup, moves)


@cache
def race_to_finish_alone() -> Start:
    """A race of Nimble that seat 0 finishes in a few moves if nobody else acts."""
    for number in range(1000):
        position = deal(NIMBLE, number.to_bytes(32, "big"), 2)
        setup = NIMBLE.setup(position)
        moves: list[tuple[int, str]] = []
        while position.outcome() is None and len(moves) < 200:
            alone = NIMBLE.view(position, 0)["players"][0]["left"] <= 5
            seat = 0 if alone else len(moves) % 2
            moves.append((seat, race_move(position, seat)))
            play_text(NIMBLE, position, *moves[-1])
        if position.outcome() is not None and {seat for seat, _ in moves[-ALONE_PLIES:]} == {0}:
            return Start(setup, moves[:-ALONE_PLIES])
    raise AssertionError("no such race")
