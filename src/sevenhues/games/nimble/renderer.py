"""Renders Nimble on a canvas: the stacks, one line for each other player, and the viewer's own cards."""

from collections.abc import Sequence
from typing import Final

from sevenhues.core.renderer import Renderer
from sevenhues.games.nimble import drawing, picture
from sevenhues.games.nimble.drawing import HUES, prompt, result_lines
from sevenhues.games.nimble.pieces import COLOURS
from sevenhues.games.nimble.view_types import Card, NimbleView
from sevenhues.render import ansi
from sevenhues.render.canvas import BOLD, DEFAULT_COLOURS, DIM, Canvas, legal_among

LEFT: Final = 2
TEXT_LINES: Final = 10  # besides two rows of cards and a line for each player
SIZES: Final = ((15, 5), (11, 3))  # columns and lines of a card
SMALL_WIDTH: Final = 6  # columns of a card in the line of another player


class NimbleRenderer(Renderer):
    """Renders views of Nimble."""

    def draw(self, view: NimbleView, colour: bool) -> str:
        return drawing.draw(view, colour)

    def describe_last_move(self, view: NimbleView) -> str:
        return drawing.describe_last_move(view["last"])

    def picture(self, view: NimbleView, names: Sequence[str]) -> str:
        return picture.picture(view, names)

    def render(self, view: NimbleView, legal: list[str], canvas: Canvas) -> None:
        _TableRendering(view, legal, canvas).render()


class _TableRendering:
    """Renders one view, with the largest size of cards that fits the canvas."""

    def __init__(self, view: NimbleView, legal: list[str], canvas: Canvas) -> None:
        self.view = view
        self.legal = legal
        self.canvas = canvas
        lines = TEXT_LINES + len(view["players"])
        self.width, self.card_height = SIZES[0] if lines + 2 * SIZES[0][1] <= canvas.height else SIZES[1]
        for i, stack in enumerate(view["stacks"]):
            canvas.conditional_texts[f"p{i + 1}"] = f"p{i + 1}/{stack['height']}"  # NB-11

    def render(self) -> None:
        """Render the view."""
        view = self.view
        y = 0
        for line in prompt(view, False).split("\n")[: 2 if self.card_height > SIZES[1][1] else 1]:
            y = self.canvas.write_paragraph(y, f"{line}.", DIM if y else BOLD)
        used = y + 2 * self.card_height + 5 + len(view["players"])
        y = self._draw_stacks(y + (used + 2 < self.canvas.height))
        result = view["result"]
        if result is not None:
            for line in result_lines(result, False):
                y = self.canvas.write_paragraph(y, line)
        y += used + 1 < self.canvas.height
        for seat in range(len(view["players"])):
            if seat != view["viewer"]:
                y = self._draw_other(y, seat)
        if view["viewer"] >= 0:
            self._draw_own(y + (used < self.canvas.height), view["viewer"])

    def _x(self, i: int) -> int:
        return LEFT + i * (self.width + 3)

    def _draw_card(self, x: int, y: int, card: Card) -> None:
        """Draw a card: its circle in the middle of its frame."""
        canvas, frame, circle = self.canvas, card["frame"], card["circle"]
        middle = (self.card_height - 1) // 2
        canvas.card(x, y, self.width, self.card_height, "", _hue(frame))
        canvas.write(x + 2, y + middle, frame, _hue(frame), BOLD)
        canvas.write(x + self.width - 3, y + middle, frame, _hue(frame), BOLD)
        wide = 5 if self.card_height == SIZES[1][1] else 7
        for line in range(1, self.card_height - 1) if self.card_height > SIZES[1][1] else (middle,):
            text = circle if line == middle else ""
            shown = f"{text:^{wide}}" if canvas.colour else f"({text:^{wide - 2}})" if text else " " * wide
            canvas.write(x + (self.width - wide) // 2, y + line, shown, _hue(circle), BOLD)

    def _draw_stacks(self, y: int) -> int:
        canvas = self.canvas
        for i, stack in enumerate(self.view["stacks"]):
            moves, x = legal_among(self.legal, f"p{i + 1}"), self._x(i)
            canvas.write(x, y, f"{f'stack {i + 1}':^{self.width}}", DEFAULT_COLOURS, BOLD)
            self._draw_card(x, y + 1, stack["top"])
            takes = f"takes {stack['top']['circle']} · {stack['height']}"
            canvas.write(x, y + 1 + self.card_height, f"{takes:^{self.width}}")
            canvas.add_hit_area(f"stack {i + 1}", x, y, self.width, self.card_height + 2, moves)
        return y + 2 + self.card_height

    def _draw_other(self, y: int, seat: int) -> int:
        canvas, player = self.canvas, self.view["players"][seat]
        canvas.write(LEFT, y, canvas.seat_name(seat, self.view["viewer"])[:14])
        x = LEFT + 15
        top = player["top"]
        if top is None:
            canvas.write(x, y, f"{'--':^{SMALL_WIDTH}}", DEFAULT_COLOURS, DIM)
        elif canvas.colour:
            for at, letter in enumerate((top["frame"], top["circle"])):
                canvas.write(x + 3 * at, y, f" {letter} ", _hue(letter), BOLD)
        else:
            canvas.write(x, y, f" [{top['frame']}{top['circle']}] ")
        x = canvas.write(x + SMALL_WIDTH + 1, y, f"left {player['left']:>2} ")
        canvas.write(x, y, "▪" * min(player["left"], max(0, canvas.width - x - 2)), DEFAULT_COLOURS, DIM)
        for at, card in enumerate(player.get("coming", [])):
            canvas.write(x + 4 * at, y, f"{card['frame']}{card['circle']} ")
        return y + 1

    def _draw_own(self, y: int, seat: int) -> None:
        canvas, player = self.canvas, self.view["players"][seat]
        canvas.write(LEFT, y, canvas.seat_name(seat, seat), DEFAULT_COLOURS, BOLD)
        canvas.write(self._x(1), y, f"left {player['left']}", DEFAULT_COLOURS, BOLD)
        pile, held = self._x(0), self._x(1)
        if player["top"] is None:
            canvas.write(pile, y + 1 + self.card_height // 2, f"{'no card yet':^{self.width}}", DEFAULT_COLOURS, DIM)
        else:
            self._draw_card(pile, y + 1, player["top"])
        canvas.write(pile, y + 1 + self.card_height, f"{'pile of ' + str(player['pile']):^{self.width}}")
        if player["set"]:
            canvas.card(held, y + 1, self.width, self.card_height, "?", ansi.HIDDEN)
        canvas.write(held, y + 1 + self.card_height, f"{'set of ' + str(player['set']):^{self.width}}")
        canvas.add_hit_area("set", held, y + 1, self.width, self.card_height + 1, legal_among(self.legal, "f", "t"))
        x = self._x(2)
        for i, (move, label) in enumerate((("f", "flip"), ("b", "take back"), ("t", "turn over"))):
            if legal_among(self.legal, move):
                canvas.button(x, y + 1 + i, f"{move} {label}", [move])


def _hue(letter: str) -> tuple[int, int]:
    return HUES[COLOURS.index(letter)]
