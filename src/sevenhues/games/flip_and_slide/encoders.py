"""Encodings of FlipAndSlide positions: the observation, and what else learners read."""

from sevenhues.core.encoder import Encoder, Feature
from sevenhues.core.options import Options
from sevenhues.games.flip_and_slide import view
from sevenhues.games.flip_and_slide.rules import FlipAndSlidePosition


class FlipAndSlideObservation(Encoder[FlipAndSlidePosition]):
    """What a seat knows now."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return view.layout(seats)

    def encode(self, position: FlipAndSlidePosition, seat: int) -> list[int]:
        return view.features(position, seat)


class FlipAndSlideInformationState(Encoder[FlipAndSlidePosition]):
    """What, with the moves, a seat has seen since the deal."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return view.information_state_layout(seats)

    def encode(self, position: FlipAndSlidePosition, seat: int) -> list[int]:
        return view.faces(position)
