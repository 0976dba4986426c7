"""Positions of every game that its board looks different in, found without knowing the game.

They come from games of random moves: the first position, one for each set of kinds of moves that a player can have,
and others spread over the game. Any game that is added is walked through in the same way.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from sevenhues import load
from sevenhues.core import record
from sevenhues.core.game import Setup
from sevenhues.core.moves import legal_texts
from sevenhues.core.play import deal, play_text, random_game
from sevenhues.core.rng import Rng
from tests.browser.prepared_tables import Start

SEEDS = ("story", "walk")
COUNT = 10


class Played(NamedTuple):
    """A game that was played to its end."""

    setup: Setup
    moves: list[tuple[int, str]]


@cache
def played(name: str, seats: int = 2, seed: str = "story") -> Played:
    """Return a game of random moves, always the same."""
    game = load(name)
    position = deal(game, seed.encode(), seats)
    written = record.begin(game, position, {}, [f"Player {seat + 1}" for seat in range(seats)])
    moves = random_game(game, written.start(), Rng.seeded(seed))
    return Played(written.setup, [(move.seat, move.text) for move in moves])


def _positions(name: str, seats: int, seed: str) -> Iterator[tuple[int, Any]]:
    """Yield every position of a game and its ply."""
    game, moves = load(name), played(name, seats, seed)
    position = deal(game, seed.encode(), seats)
    for ply, (seat, text) in enumerate(moves.moves):
        yield ply, position
        play_text(game, position, seat, text)


def _kinds(name: str, position: Any) -> frozenset[str]:
    """Return the kinds of moves that seat 0 may make: what their texts begin with."""
    return frozenset(text[:1] for text in legal_texts(load(name), position, 0))


@cache
def starts(name: str, count: int = COUNT, seats: int = 2) -> dict[str, Start]:
    """Return so many positions in which seat 0 is to act, by a name that tells how far the game is."""
    found: dict[tuple[str, int], frozenset[str]] = {}
    for seed in SEEDS:
        for ply, position in _positions(name, seats, seed):
            if 0 in position.to_act():
                found[seed, ply] = _kinds(name, position)
    order = list(found)
    chosen = dict.fromkeys(order[:1])
    for at, kinds in found.items():
        if kinds not in {found[one] for one in chosen}:
            chosen[at] = None
    spread = [order[len(order) * part // count] for part in range(count)]
    chosen |= dict.fromkeys(spread)
    return {f"{seed} {ply}": _start(name, seats, seed, ply) for seed, ply in sorted(list(chosen)[:count])}


def _start(name: str, seats: int, seed: str, ply: int) -> Start:
    game = played(name, seats, seed)
    return Start(game.setup, game.moves[:ply])


def waits(name: str) -> list[Start]:
    """Return positions in which seat 0 waits for another: early, halfway and late; none in a game without turns."""
    found = [ply for ply, position in _positions(name, 2, "story") if 0 not in position.to_act()]
    chosen = sorted({found[len(found) * part // 8] for part in (1, 4, 7)}) if found else []
    return [_start(name, 2, "story", ply) for ply in chosen]


def before_the_end(name: str) -> tuple[Start, int, str]:
    """Return the position before the last move of a game, the seat that makes that move, and its text."""
    game = played(name)
    return Start(game.setup, game.moves[:-1]), *game.moves[-1]


def before_a_new_round(name: str) -> tuple[Start, int, str] | None:
    """Return the position before a move that ends a round, its seat and its text; None in a game without rounds."""
    before = None
    for ply, position in _positions(name, 2, "story"):
        number = load(name).view(position, 0).get("round")
        if before is not None and number != before and ply > 1:
            return _start(name, 2, "story", ply - 1), *played(name).moves[ply - 1]
        before = number
    return None
