"""Rainbow Flip & Slide, as the contract asks for it."""

from importlib import import_module
from typing import Any

from sevenhues.core.game import Feature, Game, Guide, Level, Option, Options, Setup
from sevenhues.core.rng import Dealer, unshuffle
from sevenhues.games.flip_and_slide import drawing, notation, view
from sevenhues.games.flip_and_slide.bots import heuristics
from sevenhues.games.flip_and_slide.geometry import spiral
from sevenhues.games.flip_and_slide.pieces import ACTIONS, COLOURS, FIRST_UP, MOST_TURNS, SETS, move_count
from sevenhues.games.flip_and_slide.renderer import paint
from sevenhues.games.flip_and_slide.rules import FlipAndSlidePosition, laid_out
from sevenhues.games.flip_and_slide.view_types import FlipAndSlideView
from sevenhues.render.canvas import Scene


class FlipAndSlide(Game[FlipAndSlidePosition]):
    """Rainbow Flip & Slide, for one to four."""

    id = "flip-and-slide"
    title = "Rainbow Flip & Slide"
    min_seats = 1
    max_seats = 4
    rules_version = 1
    options = (
        Option("red_start", (False, True), "a rainbow must touch the player tile with its red tile"),
        Option("short_slides", (False, True), "a slide is at most 3 spaces"),
    )
    simultaneous = False
    hides = False
    view_type = FlipAndSlideView
    move_pattern = notation.MOVE_PATTERN
    move_examples = notation.MOVE_EXAMPLES
    refusals = notation.REFUSALS

    def deal(self, seats: int, options: Options, dealer: Dealer, previous: list[int] | None) -> Setup:
        # FS-3 The shuffled tiles lie in a spiral. FS-4 Four of them, at random, are turned up; in solo none.
        colours = _unshuffled(seats)
        dealer.shuffle(colours)
        cells = [f"{q},{r}" for q, r in spiral(len(colours))]
        tiles = [[cell, colour] for cell, colour in zip(cells, colours, strict=True)]
        up = [cells.pop(dealer.below(len(cells))) for _ in range(0 if seats == 1 else FIRST_UP)]
        return {"tiles": tiles, "up": up}

    def undeal(self, setup: Setup, seats: int, options: Options) -> list[int]:
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
        return laid_out(deal, bool(options["red_start"]), bool(options["short_slides"]))

    def setup(self, position: FlipAndSlidePosition) -> Setup:
        return notation.setup_of(position.deal)

    def text(self, position: FlipAndSlidePosition, seat: int, move: int) -> str:
        return notation.move_text(position, move)

    def read(self, position: FlipAndSlidePosition, seat: int, text: str) -> int:
        try:
            return notation.read_move(position, text)
        except notation.Refused as why:
            raise self.refuse(position, seat, text, why.key, why.parameters) from None

    def view(self, position: FlipAndSlidePosition, seat: int) -> FlipAndSlideView:
        return view.view(position, seat)

    def opened(self, position: FlipAndSlidePosition) -> FlipAndSlideView:
        return view.opened(position)

    def move_count(self, seats: int, options: Options) -> int:
        return move_count(seats)

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return view.layout(seats)

    def features(self, position: FlipAndSlidePosition, seat: int) -> list[int]:
        return view.features(position, seat)

    def most_plies(self, seats: int, options: Options) -> int | None:
        return seats + MOST_TURNS * ACTIONS

    def recall_layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return view.recall_layout(seats)

    def recall(self, position: FlipAndSlidePosition, seat: int) -> list[int]:
        return view.faces(position)

    def draw(self, view: FlipAndSlideView, colour: bool) -> str:
        return drawing.draw(view, colour)

    def paint(self, view: FlipAndSlideView, legal: list[str], scene: Scene) -> None:
        paint(view, legal, scene)

    def tell(self, view: FlipAndSlideView) -> str:
        return drawing.tell(view)

    def twin(self, seats: int, options: Options) -> Any:
        return import_module("sevenhues.games.flip_and_slide.batch.game").FlipAndSlideTwin(seats, options)

    def guide(self) -> Guide:
        return heuristics.FlipAndSlideGuide()

    def levels(self) -> list[Level]:
        return heuristics.levels()


def _unshuffled(seats: int) -> list[str]:
    return [colour for colour in COLOURS for _ in range(SETS[seats])]
