"""Records of random games played by the core, to compare adapters with."""

from collections.abc import Iterator
from typing import Any

import pytest

from sevenhues import Position, Rng, load, names
from sevenhues.core import record
from sevenhues.core.game import Game
from sevenhues.core.moves import parse
from sevenhues.core.play import quick_deal, random_game

TABLES = [(name, seats) for name in names() for seats in range(load(name).min_seats, load(name).max_seats + 1)]
# One table of each game, the rest in `make test-long`.
FEW_TABLES = [
    pytest.param(name, seats, marks=[] if seats == 2 else [pytest.mark.long], id=f"{name}-{seats}")
    for name, seats in TABLES
]


def random_record(game: Game[Any], seed: str, seats: int | None = None, **options: object) -> record.Record:
    """Return the record of a random game, dealt from the seed."""
    position = quick_deal(game, Rng.seeded(seed), seats, options)
    written = record.begin(game, position, options)
    written.moves = random_game(game, position, Rng.seeded(seed))
    written.result = record.result_of(position)
    return record.read(record.write(written))


def replayed_moves(written: record.Record) -> Iterator[tuple[Position, int, int]]:
    """Yield each position before a move, the seat that makes it and the move; at last the end, with -1 and -1."""
    game = written.game
    for ply, position in enumerate(record.replay(written)):
        if ply == len(written.moves):
            yield position, -1, -1
        else:
            move = written.moves[ply]
            yield position, move.seat, parse(game, position, move.seat, move.text)
