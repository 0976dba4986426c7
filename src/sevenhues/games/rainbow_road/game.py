"""The game Rainbow Road."""

from typing import Final, TypeVar

from sevenhues.core.bits import bit
from sevenhues.core.bot_support import BotSupport
from sevenhues.core.encoder import Encoder
from sevenhues.core.game import Game, Setup
from sevenhues.core.moves import refuse
from sevenhues.core.options import Option, Options
from sevenhues.core.position import Outcome, score_payoffs
from sevenhues.core.renderer import Renderer
from sevenhues.core.rng import Dealer, Rng, unshuffle
from sevenhues.games.rainbow_road import encoders, notation, view
from sevenhues.games.rainbow_road.bots.support import RoadBotSupport
from sevenhues.games.rainbow_road.pieces import (
    COPIES,
    HAND_SIZE,
    MAX_PLIES,
    MOVE_COUNT,
    MOVES,
    NUMBERS,
    OPEN,
    PRANKS,
    PRANKS_EACH,
    RING,
    ROUNDS,
    tally_of,
)
from sevenhues.games.rainbow_road.renderer import RoadRenderer
from sevenhues.games.rainbow_road.rules import RoadPosition
from sevenhues.games.rainbow_road.view_types import RoadView

T = TypeVar("T")

NUMBER_PACK: Final = bytes([number for number in range(1, NUMBERS + 1) for _ in range(COPIES)])
PRANK_PACK: Final = bytes(range(len(PRANKS)))


class RainbowRoad(Game[RoadPosition]):
    """Rainbow Road, for two players."""

    id = "rainbow-road"
    title = "Rainbow Road"
    min_seats = 2
    max_seats = 2
    rules_version = 1
    options = (
        Option("direction", ("free", "clockwise"), "which way fairies go: either way, or always clockwise"),
        Option("leap", ("ordered", "free"), "the card that the Sunny Fairy leaps over: in order, or any card"),
    )
    simultaneous = False
    view_type = RoadView
    move_pattern = notation.MOVE_PATTERN
    move_examples = notation.MOVE_EXAMPLES
    refusals = notation.REFUSALS

    def deal(self, seats: int, options: Options, dealer: Dealer, previous: list[int] | None) -> Setup:
        # RR-1 Eight cards in each hand, two open for each player. RR-5 Two pranks each. RR-4 The first seat is random.
        pack = [number for number in range(1, NUMBERS + 1) for _ in range(COPIES)]
        dealer.shuffle(pack)
        pranks = list(PRANKS)
        dealer.shuffle(pranks)
        hands = [sorted(pack[seat * HAND_SIZE : (seat + 1) * HAND_SIZE]) for seat in range(2)]
        open_cards = pack[2 * HAND_SIZE :]
        return {
            "hands": hands,
            "field": [open_cards[seat * OPEN : (seat + 1) * OPEN] for seat in range(2)],
            "pranks": [
                sorted(pranks[seat * PRANKS_EACH : (seat + 1) * PRANKS_EACH], key=PRANKS.index) for seat in range(2)
            ],
            "first": dealer.below(2),
        }

    def dealer_choices(self, setup: Setup, seats: int, options: Options) -> list[int]:
        pack = [number for number in range(1, NUMBERS + 1) for _ in range(COPIES)]
        dealt: list[int] = setup["hands"][0] + setup["hands"][1] + setup["field"][0] + setup["field"][1]
        dealt_pranks: list[str] = setup["pranks"][0] + setup["pranks"][1]
        return [
            *unshuffle(pack, dealt + _rest(pack, dealt)),
            *unshuffle(list(PRANKS), dealt_pranks + _rest(list(PRANKS), dealt_pranks)),
            setup["first"],
        ]

    def start(self, setup: Setup, seats: int, options: Options) -> RoadPosition:
        position = RoadPosition(options["direction"] == "clockwise", options["leap"] == "free")
        notation.read_setup(setup, position)
        return position

    def quick_start(self, seats: int, options: Options, rng: Rng) -> RoadPosition:
        position = RoadPosition(options["direction"] == "clockwise", options["leap"] == "free")
        pack, pranks = rng.shuffled(NUMBER_PACK), rng.shuffled(PRANK_PACK)
        hands = [int(tally_of(list(pack[seat * HAND_SIZE : (seat + 1) * HAND_SIZE]))) for seat in range(2)]
        sets = [int(bit(pranks[PRANKS_EACH * seat]) | bit(pranks[PRANKS_EACH * seat + 1])) for seat in range(2)]
        position.lay_out(hands, list(pack[2 * HAND_SIZE : 2 * (HAND_SIZE + OPEN)]), sets, rng.below(2))
        return position

    def setup(self, position: RoadPosition) -> Setup:
        return notation.setup_of(position)

    def text(self, position: RoadPosition, seat: int, move: int) -> str:
        return MOVES[seat][move]

    def read(self, position: RoadPosition, seat: int, text: str) -> int:
        move = notation.MOVE_NUMBERS[seat].get(text, -1)
        if move not in position.legal(seat):
            key, parameters = notation.why_not(position, text)
            raise refuse(self, position, seat, text, key, parameters)
        return move

    def view(self, position: RoadPosition, seat: int) -> RoadView:
        return view.view(position, seat)

    def full_view(self, position: RoadPosition) -> RoadView:
        return view.full_view(position)

    def move_count(self, seats: int, options: Options) -> int:
        return MOVE_COUNT

    def observation_encoder(self) -> Encoder[RoadPosition]:
        return encoders.RoadObservation()

    def information_state_encoder(self) -> Encoder[RoadPosition]:
        return encoders.RoadInformationState()

    def renderer(self) -> Renderer:
        return RoadRenderer()

    def bot_support(self) -> BotSupport[RoadPosition]:
        return RoadBotSupport()

    def payoffs(self, position: RoadPosition, outcome: Outcome) -> list[float]:
        """Return by how many points each seat is ahead."""
        return score_payoffs(position.scores())

    def max_payoff(self, seats: int, options: Options) -> float:
        return float(ROUNDS * RING)

    def max_plies(self, seats: int, options: Options) -> int | None:
        return MAX_PLIES


def _rest(pack: list[T], dealt: list[T]) -> list[T]:
    """Return the cards of a pack that were not dealt: those in the box."""
    left = pack.copy()
    for card in dealt:
        left.remove(card)
    return left
