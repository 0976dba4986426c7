"""The game Rainbow."""

from sevenhues.core.bot_support import BotSupport
from sevenhues.core.encoder import Encoder
from sevenhues.core.game import Game, Setup
from sevenhues.core.moves import refuse
from sevenhues.core.options import Option, Options
from sevenhues.core.position import Outcome, score_payoffs
from sevenhues.core.renderer import Renderer
from sevenhues.core.rng import Dealer, Rng, unshuffle
from sevenhues.games.rainbow import encoders, notation, view
from sevenhues.games.rainbow.bots.support import RainbowBotSupport
from sevenhues.games.rainbow.pieces import CARDS, MAX_PLIES, MOVE_COUNT, MOVES, PACK, card_byte, face_of, random_deck
from sevenhues.games.rainbow.renderer import RainbowRenderer
from sevenhues.games.rainbow.rules import RainbowPosition
from sevenhues.games.rainbow.view_types import RainbowView


class Rainbow(Game[RainbowPosition]):
    """Rainbow, for two players."""

    id = "rainbow"
    title = "Rainbow"
    min_seats = 2
    max_seats = 2
    rules_version = 1
    options = (
        Option(
            "memory_aid", (False, True), "players also see every face they have seen of the cards in play", helps=True
        ),
    )
    simultaneous = False
    view_type = RainbowView
    move_pattern = notation.MOVE_PATTERN
    move_examples = notation.MOVE_EXAMPLES
    refusals = notation.REFUSALS

    def deal(self, seats: int, options: Options, dealer: Dealer, previous: list[int] | None) -> Setup:
        # RB-3 Shuffle order and orientation. RB-7 The first seat is random.
        pack = list(PACK)
        dealer.shuffle(pack)
        deck = bytes([card_byte(low, high) if dealer.below(2) == 0 else card_byte(high, low) for low, high in pack])
        return {"deck": notation.deck_texts(deck), "first": dealer.below(2)}

    def dealer_choices(self, setup: Setup, seats: int, options: Options) -> list[int]:
        deck, first = notation.read_setup(setup)
        faces = [(face_of(deck, card, 0), face_of(deck, card, 1)) for card in range(len(deck))]
        turned = [int(one > other) for one, other in faces]
        return [*unshuffle(list(PACK), [(min(pair), max(pair)) for pair in faces]), *turned, first]

    def start(self, setup: Setup, seats: int, options: Options) -> RainbowPosition:
        deck, first = notation.read_setup(setup)
        position = RainbowPosition(deck, first, bool(options["memory_aid"]))
        position.deal_hands()
        return position

    def quick_start(self, seats: int, options: Options, rng: Rng) -> RainbowPosition:
        position = RainbowPosition(random_deck(rng), rng.below(2), bool(options["memory_aid"]))
        position.deal_hands()
        return position

    def setup(self, position: RainbowPosition) -> Setup:
        return {"deck": notation.deck_texts(position.deck), "first": position.first}

    def text(self, position: RainbowPosition, seat: int, move: int) -> str:
        return MOVES[move]

    def read(self, position: RainbowPosition, seat: int, text: str) -> int:
        move = notation.MOVE_NUMBERS[text]
        if move not in position.legal(seat):
            key, parameters = notation.why_not(position, move)
            raise refuse(self, position, seat, text, key, parameters)
        return move

    def view(self, position: RainbowPosition, seat: int) -> RainbowView:
        return view.view(position, seat)

    def full_view(self, position: RainbowPosition) -> RainbowView:
        return view.full_view(position)

    def move_count(self, seats: int, options: Options) -> int:
        return MOVE_COUNT

    def observation_encoder(self) -> Encoder[RainbowPosition]:
        return encoders.RainbowObservation()

    def information_state_encoder(self) -> Encoder[RainbowPosition]:
        return encoders.RainbowInformationState()

    def network_input_encoder(self) -> Encoder[RainbowPosition]:
        return encoders.RainbowNetworkInput()

    def renderer(self) -> Renderer:
        return RainbowRenderer()

    def bot_support(self) -> BotSupport[RainbowPosition]:
        return RainbowBotSupport()

    def payoffs(self, position: RainbowPosition, outcome: Outcome) -> list[float]:
        """Return by how many cards each pile is bigger than the other."""
        return score_payoffs(position.scores())

    def max_payoff(self, seats: int, options: Options) -> float:
        return float(CARDS)

    def max_plies(self, seats: int, options: Options) -> int | None:
        return MAX_PLIES
