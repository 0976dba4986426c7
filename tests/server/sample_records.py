"""Records of random games."""

from sevenhues.core import record, registry
from sevenhues.core.play import deal, random_game
from sevenhues.core.rng import Rng


def sample_record(name: str, seed: int = 1, seats: int = 2, names: list[str] | None = None) -> str:
    """Return the record of a random game, played to its end."""
    game = registry.load(name)
    position = deal(game, b"%d" % seed, seats)
    sample = record.begin(game, position, {}, names)
    sample.moves = random_game(game, position, Rng(seed))
    sample.result = record.result_of(position)
    return record.write(sample)
