"""Records of games that were played somewhere else."""

from sevenhues.core import record, registry
from sevenhues.core.play import deal, random_game
from sevenhues.core.rng import Rng


def written(name: str, seed: int = 1, seats: int = 2, names: list[str] | None = None) -> str:
    """Return the record of a random game that was played to its end."""
    game = registry.load(name)
    position = deal(game, b"%d" % seed, seats)
    found = record.begin(game, position, {}, names)
    found.moves = random_game(game, position, Rng(seed))
    found.result = record.result_of(position)
    return record.write(found)
