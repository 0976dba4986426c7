"""Rainbow, as the contract asks for it."""

from importlib import import_module
from typing import Any

from sevenhues.core.game import Feature, Game, Guide, Level, Option, Options, Setup
from sevenhues.core.report_types import Beliefs
from sevenhues.core.rng import Dealer, unshuffle
from sevenhues.games.rainbow import exact_odds, network_input, notation, view
from sevenhues.games.rainbow.bots import heuristics
from sevenhues.games.rainbow.pieces import MOST_PLIES, MOVE_COUNT, MOVES, PACK, card_byte, face_of
from sevenhues.games.rainbow.renderer import paint
from sevenhues.games.rainbow.rules import RainbowPosition
from sevenhues.games.rainbow.view_types import RainbowView
from sevenhues.render.canvas import Scene


class Rainbow(Game[RainbowPosition]):
    """Rainbow, for two."""

    id = "rainbow"
    title = "Rainbow"
    min_seats = 2
    max_seats = 2
    rules_version = 1
    options = (
        Option(
            "memory_aid", (False, True), "views also show every face the seat has seen of cards in play", helps=True
        ),
    )
    simultaneous = False
    view_type = RainbowView
    move_pattern = notation.MOVE_PATTERN
    move_examples = notation.MOVE_EXAMPLES
    refusals = notation.REFUSALS

    def deal(self, seats: int, options: Options, dealer: Dealer, previous: list[int] | None) -> Setup:
        # RB-3 Shuffle order and orientation. RB-7 Who begins is random.
        pack = list(PACK)
        dealer.shuffle(pack)
        deck = bytes([card_byte(low, high) if dealer.below(2) == 0 else card_byte(high, low) for low, high in pack])
        return {"deck": notation.deck_texts(deck), "first": dealer.below(2)}

    def undeal(self, setup: Setup, seats: int, options: Options) -> list[int]:
        deck, first = notation.read_setup(setup)
        faces = [(face_of(deck, card, 0), face_of(deck, card, 1)) for card in range(len(deck))]
        turned = [int(one > other) for one, other in faces]
        return [*unshuffle(list(PACK), [(min(pair), max(pair)) for pair in faces]), *turned, first]

    def start(self, setup: Setup, seats: int, options: Options) -> RainbowPosition:
        deck, first = notation.read_setup(setup)
        position = RainbowPosition(deck, first, bool(options["memory_aid"]))
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
            raise self.refuse(position, seat, text, key, parameters)
        return move

    def view(self, position: RainbowPosition, seat: int) -> RainbowView:
        return view.view(position, seat)

    def opened(self, position: RainbowPosition) -> RainbowView:
        return view.opened(position)

    def move_count(self, seats: int, options: Options) -> int:
        return MOVE_COUNT

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return view.LAYOUT

    def features(self, position: RainbowPosition, seat: int) -> list[int]:
        return view.features(position, seat)

    def most_plies(self, seats: int, options: Options) -> int | None:
        return MOST_PLIES

    def recall_layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return view.RECALL_LAYOUT

    def recall(self, position: RainbowPosition, seat: int) -> list[int]:
        return view.recall(position, seat)

    def memory_layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return network_input.LAYOUT

    def memory(self, position: RainbowPosition, seat: int) -> list[int]:
        return network_input.memory(position, seat)

    def twin(self, seats: int, options: Options) -> Any:
        return import_module("sevenhues.games.rainbow.batch.game").RainbowTwin(seats, options)

    def beliefs(self, position: RainbowPosition, seat: int) -> Beliefs | None:
        return exact_odds.beliefs(position, seat)

    def draw(self, view: RainbowView, colour: bool) -> str:
        return notation.draw(view, colour)

    def paint(self, view: RainbowView, legal: list[str], scene: Scene) -> None:
        paint(view, legal, scene)

    def tell(self, view: RainbowView) -> str:
        return notation.tell(view["last"])

    def guide(self) -> Guide:
        return heuristics.RainbowGuide()

    def levels(self) -> list[Level]:
        return heuristics.levels()

    def yardsticks(self) -> list[Level]:
        return heuristics.yardsticks()
