"""Rendering of Rainbow views: as text, and as a table on a canvas."""

from collections.abc import Sequence
from typing import Final

from sevenhues.core.renderer import Renderer
from sevenhues.games.rainbow import drawing, picture
from sevenhues.games.rainbow.drawing import describe_choices, hue
from sevenhues.games.rainbow.pieces import HAND_SIZE, RAINBOW
from sevenhues.games.rainbow.view_types import RainbowView
from sevenhues.render.canvas import BOLD, DEFAULT_COLOURS, DIM, NORMAL, Canvas, legal_among

LEFT: Final = 2  # the column of the first card
TEXT_LINES: Final = 7  # besides three rows of cards
CARD_SIZES: Final = ((9, 5), (7, 3), (5, 1))  # columns and lines of a card


class RainbowRenderer(Renderer):
    """Renders views of Rainbow."""

    def draw(self, view: RainbowView, colour: bool) -> str:
        return drawing.draw(view, colour)

    def describe_last_move(self, view: RainbowView) -> str:
        return drawing.describe_last_move(view["last"])

    def picture(self, view: RainbowView, names: Sequence[str]) -> str:
        return picture.picture(view, names)

    def render(self, view: RainbowView, legal: list[str], canvas: Canvas) -> None:
        _TableRendering(view, legal, canvas).render()


class _TableRendering:
    """Renders one view: the opponent's hand above, the row in the middle, the viewer's hand below."""

    def __init__(self, view: RainbowView, legal: list[str], canvas: Canvas) -> None:
        self.view = view
        self.legal = legal
        self.canvas = canvas
        fitting = [
            (width, height)
            for width, height in CARD_SIZES
            if TEXT_LINES + 3 * height <= canvas.height and RAINBOW * (width + 1) + LEFT <= canvas.width
        ]
        self.card_width, self.card_height = fitting[0] if fitting else CARD_SIZES[-1]

    def render(self) -> None:
        canvas, view = self.canvas, self.view
        me = 1 if view["viewer"] == 1 else 0
        y = canvas.write_paragraph(0, f"Round {view['round']}: {describe_choices(view)}.", BOLD)
        gap = int(canvas.height > y + 3 * self.card_height + TEXT_LINES)
        y = self._hand(y + gap, 1 - me)
        y = self._row(y + gap)
        y = self._hand(y + gap, me)
        self._buttons(y)

    def _x(self, i: int) -> int:
        """Return the column of the i-th card of a row or hand."""
        return LEFT + i * (self.card_width + 1)

    def _card(self, i: int, y: int, face: str) -> None:
        self.canvas.card(self._x(i), y, self.card_width, self.card_height, face, hue(face))

    def _empty_place(self, i: int, y: int) -> None:
        self.canvas.write(self._x(i), y + self.card_height // 2, f"{'·':^{self.card_width}}", DEFAULT_COLOURS, DIM)

    def _hand(self, y: int, seat: int) -> int:
        canvas, view = self.canvas, self.view
        pile = view["piles"][seat]
        canvas.write(LEFT, y, canvas.seat_name(seat, view["viewer"]), DEFAULT_COLOURS, BOLD)
        canvas.write(self._x(HAND_SIZE), y, f"pile {pile}")
        for i, card in enumerate(view["hands"][seat]):
            if card is None:
                self._empty_place(i, y + 1)
                continue
            self._card(i, y + 1, card["face"])
            if "under" in card:
                canvas.write(self._x(HAND_SIZE) + 5 * i, y + 1, f"/{card['under']}")
            if seat == view["viewer"]:
                moves = legal_among(self.legal, f"S{i + 1}", f"B{i + 1}")
                canvas.add_hit_area(f"card {i + 1}", self._x(i), y + 1, self.card_width, self.card_height, moves)
        if seat != view["viewer"] or self.card_height == 1:
            return y + 1 + self.card_height
        if view["next"]:
            canvas.write(self._x(HAND_SIZE), y + 2, "your next card shows you")
            canvas.card(self._x(HAND_SIZE) + 25, y + 2, 3, 1, view["next"], hue(view["next"]))
        return y + 1 + self.card_height

    def _row(self, y: int) -> int:
        canvas, view = self.canvas, self.view
        canvas.write(LEFT, y, "Row", DEFAULT_COLOURS, BOLD)
        canvas.write(self._x(HAND_SIZE), y, f"deck {view['deck']}")
        for i in range(RAINBOW):
            if i >= len(view["row"]):
                self._empty_place(i, y + 1)
                continue
            card, moves = view["row"][i], legal_among(self.legal, f"F{i + 1}")
            self._card(i, y + 1, card["face"])
            below = f"F{i + 1}" if moves else str(i + 1)
            if "under" in card:
                below += f"/{card['under']}"
            y_below = y + 1 + self.card_height
            canvas.write(
                self._x(i), y_below, f"{below:^{self.card_width}}", DEFAULT_COLOURS, DIM if not moves else NORMAL
            )
            canvas.add_hit_area(f"row {i + 1}", self._x(i), y + 1, self.card_width, self.card_height + 1, moves)
        return y + 2 + self.card_height

    def _buttons(self, y: int) -> None:
        """Write a button below the viewer's hand for each way to play a card, and one to end the turn."""
        for i in range(HAND_SIZE):
            for column, way in enumerate("SB"):
                moves = legal_among(self.legal, f"{way}{i + 1}")
                if moves:
                    self.canvas.button(self._x(i) + column * (self.card_width // 2 + 1), y, moves[0], moves)
        if legal_among(self.legal, "E"):
            self.canvas.button(self._x(HAND_SIZE), y, "E end the turn", ["E"])
