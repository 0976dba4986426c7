"""Renders Flip & Slide on a canvas: the patch, with tiles as large as fit, and the runs below."""

from collections.abc import Sequence
from typing import Final

from sevenhues.core.renderer import Renderer
from sevenhues.games.flip_and_slide import drawing, picture
from sevenhues.games.flip_and_slide.drawing import BARRED, CLOVER, heading, open_cells, parse_cell, prompt
from sevenhues.games.flip_and_slide.pieces import COLOURS
from sevenhues.games.flip_and_slide.view_types import FlipAndSlideView, Tile
from sevenhues.render import ansi
from sevenhues.render.canvas import BOLD, DEFAULT_COLOURS, DIM, Canvas, legal_among, legal_starting_with

SIZES: Final = ((7, 3), (5, 2), (3, 1))  # columns and lines of a tile
LEFT: Final = 2
NAME_WIDTH: Final = 16


class FlipAndSlideRenderer(Renderer):
    """Renders views of Flip & Slide."""

    def draw(self, view: FlipAndSlideView, colour: bool) -> str:
        return drawing.draw(view, colour)

    def describe_last_move(self, view: FlipAndSlideView) -> str:
        return drawing.describe_last_move(view)

    def picture(self, view: FlipAndSlideView, names: Sequence[str]) -> str:
        return picture.picture(view, names)

    def render(self, view: FlipAndSlideView, legal: list[str], canvas: Canvas) -> None:
        _TableRendering(view, legal, canvas).render()


class _TableRendering:
    """Renders one view, with the largest size of tiles that fits the canvas."""

    def __init__(self, view: FlipAndSlideView, legal: list[str], canvas: Canvas) -> None:
        self.view = view
        self.legal = legal
        self.canvas = canvas
        self.tiles = {parse_cell(tile["cell"]): tile for tile in view["tiles"]}
        self.open = {parse_cell(cell): cell for cell in open_cells(view)}
        cells = [*self.tiles, *self.open]
        self.top = min([r for _, r in cells])
        self.first = min([2 * q + r for q, r in cells])
        self.rows = max([r for _, r in cells]) - self.top + 1
        self.columns = max([2 * q + r for q, r in cells]) - self.first + 2  # in halves of a tile

    def render(self) -> None:
        """Render the view."""
        canvas, view = self.canvas, self.view
        y = canvas.write_paragraph(0, f"{heading(view)}: {prompt(view)}.", BOLD)
        below = len(view["runs"]) + 1
        room = canvas.height - y - below
        fitting = [(w, h) for w, h in SIZES if self.rows * h <= room and self._fits(w)]
        self.width, self.height = fitting[0] if fitting else SIZES[-1]
        spare = room - self.rows * self.height
        y += max(0, min(spare, 2) // 2)
        for (q, r), cell in self.open.items():
            self._draw_target(q, r, y, cell)
        for (q, r), tile in self.tiles.items():
            self._draw_tile(q, r, y, tile)
        y += self.rows * self.height + max(0, min(spare, 1))
        for seat in range(len(view["runs"])):
            self._draw_run(y + seat, seat)
        hidden = " ".join([f"{letter}{count}" for letter, count in view["hidden"].items() if count])
        canvas.write(
            LEFT, y + len(view["runs"]), f"{'under clovers':<{NAME_WIDTH}}{hidden or 'nothing'}", DEFAULT_COLOURS, DIM
        )

    def _fits(self, width: int) -> bool:
        """Return whether tiles of this width fit, and the coordinates of cells fit in them unless they are left out."""
        longest = max([len(f"{q},{r}") for q, r in [*self.tiles, *self.open]])
        texts_fit = longest <= width or width == SIZES[-1][0]
        return texts_fit and self.columns * (width + 1) // 2 + LEFT <= self.canvas.width

    def _corner(self, q: int, r: int, y: int) -> tuple[int, int]:
        return LEFT + (2 * q + r - self.first) * (self.width + 1) // 2, y + (r - self.top) * self.height

    def _draw_target(self, q: int, r: int, top: int, cell: str) -> None:
        x, y = self._corner(q, r, top)
        slides = [text for text in self.legal if text[0] == "S" and text.endswith(">" + cell)]
        moves = legal_among(self.legal, "@" + cell, "J" + cell) + slides
        text = cell if self.width > SIZES[-1][0] else "·"
        self.canvas.write(x, y + self.height // 2, f"{text:^{self.width}}", DEFAULT_COLOURS, DIM)
        self.canvas.add_hit_area(cell, x, y, self.width, self.height, moves)

    def _draw_tile(self, q: int, r: int, top: int, tile: Tile) -> None:
        x, y = self._corner(q, r, top)
        face, cell = tile["face"], tile["cell"]
        if face is None:
            text, colours = f"P{tile['seat']}", ansi.LIGHT
        elif face in COLOURS:
            text, colours = face, ansi.HUES[COLOURS.index(face)]
        else:
            text, colours = tile.get("under", CLOVER).lower(), ansi.HIDDEN
        if tile["barred"]:
            text += BARRED
        self.canvas.card(x, y, self.width, self.height, text, colours)
        if self.height > 1:
            self.canvas.write(x, y + self.height - 1, f"{cell:^{self.width}}", colours)
        moves = legal_among(self.legal, "F" + cell) + legal_starting_with(self.legal, f"S{cell}>")
        self.canvas.add_hit_area(cell, x, y, self.width, self.height, moves)

    def _draw_run(self, y: int, seat: int) -> None:
        canvas, view = self.canvas, self.view
        faces = {tile["tile"]: tile["face"] for tile in view["tiles"]}
        run = {faces[tile] for tile in view["runs"][seat]}
        name = f"P{seat} {canvas.seat_name(seat, view['viewer'])}"
        x = canvas.write(LEFT, y, f"{name[: NAME_WIDTH - 1]:<{NAME_WIDTH}}")
        for hue, letter in enumerate(COLOURS):
            if letter in run:
                canvas.card(x, y, 3, 1, letter, ansi.HUES[hue])
            else:
                canvas.write(x, y, " · ", DEFAULT_COLOURS, DIM)
            x += 3
        canvas.write(x + 1, y, f"{len(run)} of {len(COLOURS)} in a run")
