"""Flip & Slide's table to point at: the patch in as large hexagons as there is room for, and the runs below."""

from typing import Final

from sevenhues.core.renderer import Renderer
from sevenhues.games.flip_and_slide import drawing
from sevenhues.games.flip_and_slide.drawing import BARRED, CLOVER, asked, heading, numbers, open_cells
from sevenhues.games.flip_and_slide.pieces import COLOURS
from sevenhues.games.flip_and_slide.view_types import FlipAndSlideView, Tile
from sevenhues.render import ansi
from sevenhues.render.canvas import FAINT, NONE, STRONG, Canvas, among, starting

SIZES: Final = ((7, 3), (5, 2), (3, 1))  # columns and lines of a tile
LEFT: Final = 2
NAME: Final = 16


class Patch:
    """Paints one view."""

    def __init__(self, view: FlipAndSlideView, legal: list[str], scene: Canvas) -> None:
        self.view = view
        self.legal = legal
        self.scene = scene
        self.tiles = {numbers(tile["cell"]): tile for tile in view["tiles"]}
        self.open = {numbers(cell): cell for cell in open_cells(view)}
        cells = [*self.tiles, *self.open]
        self.top = min([r for _, r in cells])
        self.first = min([2 * q + r for q, r in cells])
        self.rows = max([r for _, r in cells]) - self.top + 1
        self.columns = max([2 * q + r for q, r in cells]) - self.first + 2  # in halves of a tile

    def paint(self) -> None:
        scene, view = self.scene, self.view
        y = scene.say(0, f"{heading(view)}: {asked(view)}.", STRONG)
        below = len(view["runs"]) + 1
        room = scene.height - y - below
        fitting = [(w, h) for w, h in SIZES if self.rows * h <= room and self._fits(w)]
        self.width, self.height = fitting[0] if fitting else SIZES[-1]
        spare = room - self.rows * self.height
        y += max(0, min(spare, 2) // 2)
        for (q, r), cell in self.open.items():
            self._target(q, r, y, cell)
        for (q, r), tile in self.tiles.items():
            self._tile(q, r, y, tile)
        y += self.rows * self.height + max(0, min(spare, 1))
        for seat in range(len(view["runs"])):
            self._run(y + seat, seat)
        hidden = " ".join([f"{letter}{count}" for letter, count in view["hidden"].items() if count])
        scene.write(LEFT, y + len(view["runs"]), f"{'under clovers':<{NAME}}{hidden or 'nothing'}", NONE, FAINT)

    def _fits(self, width: int) -> bool:
        """Tell whether there is room for tiles so wide, and in them for the cells' names, if they are written."""
        longest = max([len(f"{q},{r}") for q, r in [*self.tiles, *self.open]])
        named = longest <= width or width == SIZES[-1][0]
        return named and self.columns * (width + 1) // 2 + LEFT <= self.scene.width

    def _corner(self, q: int, r: int, y: int) -> tuple[int, int]:
        return LEFT + (2 * q + r - self.first) * (self.width + 1) // 2, y + (r - self.top) * self.height

    def _target(self, q: int, r: int, top: int, cell: str) -> None:
        x, y = self._corner(q, r, top)
        slides = [text for text in self.legal if text[0] == "S" and text.endswith(">" + cell)]
        moves = among(self.legal, "@" + cell, "J" + cell) + slides
        shown = cell if self.width > SIZES[-1][0] else "·"
        self.scene.write(x, y + self.height // 2, f"{shown:^{self.width}}", NONE, FAINT)
        self.scene.place(cell, x, y, self.width, self.height, moves)

    def _tile(self, q: int, r: int, top: int, tile: Tile) -> None:
        x, y = self._corner(q, r, top)
        shown, cell = tile["face"], tile["cell"]
        if shown is None:
            text, colours = f"P{tile['seat']}", ansi.LIGHT
        elif shown in COLOURS:
            text, colours = shown, ansi.HUES[COLOURS.index(shown)]
        else:
            text, colours = tile.get("under", CLOVER).lower(), ansi.HIDDEN
        if tile["barred"]:
            text += BARRED
        self.scene.card(x, y, self.width, self.height, text, colours)
        if self.height > 1:
            self.scene.write(x, y + self.height - 1, f"{cell:^{self.width}}", colours)
        moves = among(self.legal, "F" + cell) + starting(self.legal, f"S{cell}>")
        self.scene.place(cell, x, y, self.width, self.height, moves)

    def _run(self, y: int, seat: int) -> None:
        scene, view = self.scene, self.view
        faces = {tile["tile"]: tile["face"] for tile in view["tiles"]}
        run = {faces[tile] for tile in view["runs"][seat]}
        name = f"P{seat} {scene.name(seat, view['viewer'])}"
        x = scene.write(LEFT, y, f"{name[: NAME - 1]:<{NAME}}")
        for hue, letter in enumerate(COLOURS):
            if letter in run:
                scene.card(x, y, 3, 1, letter, ansi.HUES[hue])
            else:
                scene.write(x, y, " · ", NONE, FAINT)
            x += 3
        scene.write(x + 1, y, f"{len(run)} of {len(COLOURS)} in a run")


def paint(view: FlipAndSlideView, legal: list[str], scene: Canvas) -> None:
    """Paint the table."""
    Patch(view, legal, scene).paint()


class FlipAndSlideRenderer(Renderer):
    """Renders views of the game."""

    def draw(self, view: FlipAndSlideView, colour: bool) -> str:
        return drawing.draw(view, colour)

    def describe_last_move(self, view: FlipAndSlideView) -> str:
        return drawing.describe_last_move(view)

    def render(self, view: FlipAndSlideView, legal: list[str], canvas: Canvas) -> None:
        paint(view, legal, canvas)
