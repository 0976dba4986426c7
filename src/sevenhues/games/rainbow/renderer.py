"""Rainbow's table to point at: the opponent's hand above, the row in the middle, one's own hand below."""

from typing import Final

from sevenhues.core.renderer import Renderer
from sevenhues.games.rainbow import notation
from sevenhues.games.rainbow.notation import asked, hue
from sevenhues.games.rainbow.pieces import HAND, RAINBOW
from sevenhues.games.rainbow.view_types import RainbowView
from sevenhues.render.canvas import FAINT, NONE, STRONG, Canvas, among

LEFT: Final = 2
LINES: Final = 7  # of text, beside three rows of cards
SIZES: Final = ((9, 5), (7, 3), (5, 1))  # columns and lines of a card


class Table:
    """Paints one view."""

    def __init__(self, view: RainbowView, legal: list[str], scene: Canvas) -> None:
        self.view = view
        self.legal = legal
        self.scene = scene
        fitting = [
            (w, h) for w, h in SIZES if LINES + 3 * h <= scene.height and RAINBOW * (w + 1) + LEFT <= scene.width
        ]
        self.width, self.card = fitting[0] if fitting else SIZES[-1]

    def paint(self) -> None:
        scene, view = self.scene, self.view
        me = 1 if view["viewer"] == 1 else 0
        y = scene.say(0, f"Round {view['round']}: {asked(view)}.", STRONG)
        gap = int(scene.height > y + 3 * self.card + LINES)
        y = self._hand(y + gap, 1 - me)
        y = self._row(y + gap)
        y = self._hand(y + gap, me)
        self._buttons(y)

    def _x(self, i: int) -> int:
        return LEFT + i * (self.width + 1)

    def _face(self, i: int, y: int, face: str) -> None:
        self.scene.card(self._x(i), y, self.width, self.card, face, hue(face))

    def _gap(self, i: int, y: int) -> None:
        self.scene.write(self._x(i), y + self.card // 2, f"{'·':^{self.width}}", NONE, FAINT)

    def _hand(self, y: int, seat: int) -> int:
        scene, view = self.scene, self.view
        pile = view["piles"][seat]
        scene.write(LEFT, y, scene.name(seat, view["viewer"]), NONE, STRONG)
        scene.write(self._x(HAND), y, f"pile {pile}")
        for i, card in enumerate(view["hands"][seat]):
            if card is None:
                self._gap(i, y + 1)
                continue
            self._face(i, y + 1, card["face"])
            if "under" in card:
                scene.write(self._x(HAND) + 5 * i, y + 1, f"/{card['under']}")
            if seat == view["viewer"]:
                moves = among(self.legal, f"S{i + 1}", f"B{i + 1}")
                scene.place(f"card {i + 1}", self._x(i), y + 1, self.width, self.card, moves)
        if seat != view["viewer"] or self.card == 1:
            return y + 1 + self.card
        if view["next"]:
            self.scene.write(self._x(HAND), y + 2, "your next card shows you")
            self.scene.card(self._x(HAND) + 25, y + 2, 3, 1, view["next"], hue(view["next"]))
        return y + 1 + self.card

    def _row(self, y: int) -> int:
        scene, view = self.scene, self.view
        scene.write(LEFT, y, "Row", NONE, STRONG)
        scene.write(self._x(HAND), y, f"deck {view['deck']}")
        for i in range(RAINBOW):
            if i >= len(view["row"]):
                self._gap(i, y + 1)
                continue
            card, moves = view["row"][i], among(self.legal, f"F{i + 1}")
            self._face(i, y + 1, card["face"])
            below = f"F{i + 1}" if moves else str(i + 1)
            if "under" in card:
                below += f"/{card['under']}"
            scene.write(self._x(i), y + 1 + self.card, f"{below:^{self.width}}", NONE, FAINT if not moves else 0)
            scene.place(f"row {i + 1}", self._x(i), y + 1, self.width, self.card + 1, moves)
        return y + 2 + self.card

    def _buttons(self, y: int) -> None:
        """Write below one's hand how each card may be played."""
        for i in range(HAND):
            for at, way in enumerate("SB"):
                moves = among(self.legal, f"{way}{i + 1}")
                if moves:
                    self.scene.button(self._x(i) + at * (self.width // 2 + 1), y, moves[0], moves)
        if among(self.legal, "E"):
            self.scene.button(self._x(HAND), y, "E end the turn", ["E"])


def paint(view: RainbowView, legal: list[str], scene: Canvas) -> None:
    """Paint the table as its viewer sees it."""
    Table(view, legal, scene).paint()


class RainbowRenderer(Renderer):
    """Renders views of the game."""

    def draw(self, view: RainbowView, colour: bool) -> str:
        return notation.draw(view, colour)

    def describe_last_move(self, view: RainbowView) -> str:
        return notation.describe_last_move(view["last"])

    def render(self, view: RainbowView, legal: list[str], canvas: Canvas) -> None:
        paint(view, legal, canvas)
