"""Nimble's table to point at: the stacks above, the others in a line each, one's own cards below."""

from typing import Final

from sevenhues.core.renderer import Renderer
from sevenhues.games.nimble import notation
from sevenhues.games.nimble.notation import HUES, asked, result_lines
from sevenhues.games.nimble.pieces import COLOURS
from sevenhues.games.nimble.view_types import Card, NimbleView
from sevenhues.render import ansi
from sevenhues.render.canvas import FAINT, NONE, STRONG, Canvas, among

LEFT: Final = 2
LINES: Final = 10  # of text, beside two rows of cards and a line for each other player
SIZES: Final = ((15, 5), (11, 3))  # columns and lines of a card
SMALL: Final = 6  # columns of a card in a line


class Table:
    """Paints one view."""

    def __init__(self, view: NimbleView, legal: list[str], scene: Canvas) -> None:
        self.view = view
        self.legal = legal
        self.scene = scene
        lines = LINES + len(view["players"])
        self.width, self.card = SIZES[0] if lines + 2 * SIZES[0][1] <= scene.height else SIZES[1]
        for i, stack in enumerate(view["stacks"]):
            scene.sends[f"p{i + 1}"] = f"p{i + 1}/{stack['height']}"  # NB-11

    def paint(self) -> None:
        view = self.view
        y = 0
        for line in asked(view, False).split("\n")[: 2 if self.card > SIZES[1][1] else 1]:
            y = self.scene.say(y, f"{line}.", FAINT if y else STRONG)
        used = y + 2 * self.card + 5 + len(view["players"])
        y = self._stacks(y + (used + 2 < self.scene.height))
        result = view["result"]
        if result is not None:
            for line in result_lines(result, False):
                y = self.scene.say(y, line)
        y += used + 1 < self.scene.height
        for seat in range(len(view["players"])):
            if seat != view["viewer"]:
                y = self._other(y, seat)
        if view["viewer"] >= 0:
            self._mine(y + (used < self.scene.height), view["viewer"])

    def _x(self, i: int) -> int:
        return LEFT + i * (self.width + 3)

    def _lay(self, x: int, y: int, card: Card) -> None:
        """Lay a card: its circle in the middle of its frame."""
        scene, frame, circle = self.scene, card["frame"], card["circle"]
        middle = (self.card - 1) // 2
        scene.card(x, y, self.width, self.card, "", _hue(frame))
        scene.write(x + 2, y + middle, frame, _hue(frame), STRONG)
        scene.write(x + self.width - 3, y + middle, frame, _hue(frame), STRONG)
        wide = 5 if self.card == SIZES[1][1] else 7
        for line in range(1, self.card - 1) if self.card > SIZES[1][1] else (middle,):
            text = circle if line == middle else ""
            shown = f"{text:^{wide}}" if scene.colour else f"({text:^{wide - 2}})" if text else " " * wide
            scene.write(x + (self.width - wide) // 2, y + line, shown, _hue(circle), STRONG)

    def _stacks(self, y: int) -> int:
        scene = self.scene
        for i, stack in enumerate(self.view["stacks"]):
            moves, x = among(self.legal, f"p{i + 1}"), self._x(i)
            scene.write(x, y, f"{f'stack {i + 1}':^{self.width}}", NONE, STRONG)
            self._lay(x, y + 1, stack["top"])
            takes = f"takes {stack['top']['circle']} · {stack['height']}"
            scene.write(x, y + 1 + self.card, f"{takes:^{self.width}}")
            scene.place(f"stack {i + 1}", x, y, self.width, self.card + 2, moves)
        return y + 2 + self.card

    def _other(self, y: int, seat: int) -> int:
        scene, player = self.scene, self.view["players"][seat]
        scene.write(LEFT, y, scene.name(seat, self.view["viewer"])[:14])
        x = LEFT + 15
        top = player["top"]
        if top is None:
            scene.write(x, y, f"{'--':^{SMALL}}", NONE, FAINT)
        elif scene.colour:
            for at, letter in enumerate((top["frame"], top["circle"])):
                scene.write(x + 3 * at, y, f" {letter} ", _hue(letter), STRONG)
        else:
            scene.write(x, y, f" [{top['frame']}{top['circle']}] ")
        x = scene.write(x + SMALL + 1, y, f"left {player['left']:>2} ")
        scene.write(x, y, "▪" * min(player["left"], max(0, scene.width - x - 2)), NONE, FAINT)
        for at, card in enumerate(player.get("coming", [])):
            scene.write(x + 4 * at, y, f"{card['frame']}{card['circle']} ")
        return y + 1

    def _mine(self, y: int, seat: int) -> None:
        scene, player = self.scene, self.view["players"][seat]
        scene.write(LEFT, y, scene.name(seat, seat), NONE, STRONG)
        scene.write(self._x(1), y, f"left {player['left']}", NONE, STRONG)
        pile, held = self._x(0), self._x(1)
        if player["top"] is None:
            scene.write(pile, y + 1 + self.card // 2, f"{'no card yet':^{self.width}}", NONE, FAINT)
        else:
            self._lay(pile, y + 1, player["top"])
        scene.write(pile, y + 1 + self.card, f"{'pile of ' + str(player['pile']):^{self.width}}")
        if player["set"]:
            scene.card(held, y + 1, self.width, self.card, "?", ansi.HIDDEN)
        scene.write(held, y + 1 + self.card, f"{'set of ' + str(player['set']):^{self.width}}")
        scene.place("set", held, y + 1, self.width, self.card + 1, among(self.legal, "f", "t"))
        x = self._x(2)
        for i, (move, told) in enumerate((("f", "flip"), ("b", "take back"), ("t", "turn over"))):
            if among(self.legal, move):
                scene.button(x, y + 1 + i, f"{move} {told}", [move])


def _hue(letter: str) -> tuple[int, int]:
    return HUES[COLOURS.index(letter)]


def paint(view: NimbleView, legal: list[str], scene: Canvas) -> None:
    """Paint the table as everybody sees it."""
    Table(view, legal, scene).paint()


class NimbleRenderer(Renderer):
    """Renders views of the game."""

    def draw(self, view: NimbleView, colour: bool) -> str:
        return notation.draw(view, colour)

    def describe_last_move(self, view: NimbleView) -> str:
        return notation.describe_last_move(view["last"])

    def render(self, view: NimbleView, legal: list[str], canvas: Canvas) -> None:
        paint(view, legal, canvas)
