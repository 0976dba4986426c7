"""Encodings of Nimble positions: the observation, and what else learners read."""

from sevenhues.core.encoder import Encoder, Feature
from sevenhues.core.options import Options
from sevenhues.games.nimble import view
from sevenhues.games.nimble.rules import NimblePosition


class NimbleObservation(Encoder[NimblePosition]):
    """What a seat knows now."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return view.layout(seats)

    def encode(self, position: NimblePosition, seat: int) -> list[int]:
        return view.features(position, seat)
