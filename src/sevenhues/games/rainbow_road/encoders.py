"""Encodings of Road positions: the observation, and what else learners read."""

from sevenhues.core.encoder import Encoder, Feature
from sevenhues.core.options import Options
from sevenhues.games.rainbow_road import view
from sevenhues.games.rainbow_road.rules import RoadPosition


class RoadObservation(Encoder[RoadPosition]):
    """What a seat knows now."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return view.LAYOUT

    def encode(self, position: RoadPosition, seat: int) -> list[int]:
        return view.features(position, seat)


class RoadInformationState(Encoder[RoadPosition]):
    """What, with the moves, a seat has seen since the deal."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return view.RECALL_LAYOUT

    def encode(self, position: RoadPosition, seat: int) -> list[int]:
        return view.recall(position, seat)
