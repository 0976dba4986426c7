"""The game of Rainbow Flip & Slide: its options, deals, notation, views and encoders."""

from sevenhues.core.bot_support import BotSupport
from sevenhues.core.encoder import Encoder
from sevenhues.core.game import Game, Setup
from sevenhues.core.moves import refuse
from sevenhues.core.options import Option, Options
from sevenhues.core.renderer import Renderer
from sevenhues.core.rng import Dealer, Rng, unshuffle
from sevenhues.games.flip_and_slide import encoders, notation, view
from sevenhues.games.flip_and_slide.bots.support import FlipAndSlideBotSupport
from sevenhues.games.flip_and_slide.geometry import spiral
from sevenhues.games.flip_and_slide.pieces import ACTIONS_PER_TURN, COLOURS, FIRST_UP, MAX_TURNS, SETS, move_count
from sevenhues.games.flip_and_slide.renderer import FlipAndSlideRenderer
from sevenhues.games.flip_and_slide.rules import FlipAndSlidePosition, quick_position, start_position
from sevenhues.games.flip_and_slide.view_types import FlipAndSlideView


class FlipAndSlide(Game[FlipAndSlidePosition]):
    """Rainbow Flip & Slide, for one to four players."""

    id = "flip-and-slide"
    title = "Rainbow Flip & Slide"
    min_seats = 1
    max_seats = 4
    rules_version = 1
    options = (
        Option("red_start", (False, True), "the red tile of a rainbow must touch the player tile"),
        Option("short_slides", (False, True), "a slide is at most 3 spaces"),
    )
    simultaneous = False
    hidden_information = False
    view_type = FlipAndSlideView
    move_pattern = notation.MOVE_PATTERN
    move_examples = notation.MOVE_EXAMPLES
    refusals = notation.REFUSALS

    def deal(self, seats: int, options: Options, dealer: Dealer, previous: list[int] | None) -> Setup:
        # FS-3 The shuffled tiles lie in a spiral. FS-4 Four random tiles are turned up; in solo none.
        colours = _unshuffled(seats)
        dealer.shuffle(colours)
        cells = [f"{q},{r}" for q, r in spiral(len(colours))]
        tiles = [[cell, colour] for cell, colour in zip(cells, colours, strict=True)]
        up = [cells.pop(dealer.below(len(cells))) for _ in range(0 if seats == 1 else FIRST_UP)]
        return {"tiles": tiles, "up": up}

    def dealer_choices(self, setup: Setup, seats: int, options: Options) -> list[int]:
        choices = unshuffle(_unshuffled(seats), [colour for _, colour in setup["tiles"]])
        cells = [cell for cell, _ in setup["tiles"]]
        if cells != [f"{q},{r}" for q, r in spiral(len(cells))]:
            raise ValueError("only the spiral is ever dealt")
        for cell in setup["up"]:
            choices.append(cells.index(cell))
            cells.remove(cell)
        return choices

    def start(self, setup: Setup, seats: int, options: Options) -> FlipAndSlidePosition:
        deal = notation.read_setup(setup, seats)
        return start_position(deal, bool(options["red_start"]), bool(options["short_slides"]))

    def quick_start(self, seats: int, options: Options, rng: Rng) -> FlipAndSlidePosition:
        return quick_position(seats, bool(options["red_start"]), bool(options["short_slides"]), rng)

    def setup(self, position: FlipAndSlidePosition) -> Setup:
        return notation.setup_json(position.deal)

    def text(self, position: FlipAndSlidePosition, seat: int, move: int) -> str:
        return notation.move_text(position, move)

    def read(self, position: FlipAndSlidePosition, seat: int, text: str) -> int:
        try:
            return notation.read_move(position, text)
        except notation.Refused as refused:
            raise refuse(self, position, seat, text, refused.key, refused.parameters) from None

    def view(self, position: FlipAndSlidePosition, seat: int) -> FlipAndSlideView:
        return view.view(position, seat)

    def full_view(self, position: FlipAndSlidePosition) -> FlipAndSlideView:
        return view.full_view(position)

    def move_count(self, seats: int, options: Options) -> int:
        return move_count(seats)

    def observation_encoder(self) -> Encoder[FlipAndSlidePosition]:
        return encoders.FlipAndSlideObservation()

    def information_state_encoder(self) -> Encoder[FlipAndSlidePosition]:
        return encoders.FlipAndSlideInformationState()

    def renderer(self) -> Renderer:
        return FlipAndSlideRenderer()

    def bot_support(self) -> BotSupport[FlipAndSlidePosition]:
        return FlipAndSlideBotSupport()

    def max_plies(self, seats: int, options: Options) -> int | None:
        return seats + MAX_TURNS * ACTIONS_PER_TURN


def _unshuffled(seats: int) -> list[str]:
    return [colour for colour in COLOURS for _ in range(SETS[seats])]
