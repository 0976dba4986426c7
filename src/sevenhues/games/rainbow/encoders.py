"""Encodings of Rainbow positions: the observation, and what else learners read."""

from sevenhues.core.encoder import Encoder, Feature
from sevenhues.core.options import Options
from sevenhues.games.rainbow import network_input, view
from sevenhues.games.rainbow.rules import RainbowPosition


class RainbowObservation(Encoder[RainbowPosition]):
    """What a seat knows now."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return view.LAYOUT

    def encode(self, position: RainbowPosition, seat: int) -> list[int]:
        return view.features(position, seat)


class RainbowInformationState(Encoder[RainbowPosition]):
    """What, with the moves, a seat has seen since the deal."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return view.RECALL_LAYOUT

    def encode(self, position: RainbowPosition, seat: int) -> list[int]:
        return view.recall(position, seat)


class RainbowNetworkInput(Encoder[RainbowPosition]):
    """What a seat remembers, in few numbers."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return network_input.LAYOUT

    def encode(self, position: RainbowPosition, seat: int) -> list[int]:
        return network_input.network_input(position, seat)
