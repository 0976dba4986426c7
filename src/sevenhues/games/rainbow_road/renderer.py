"""Rainbow Road's table to point at: the ring with the viewer's half below, hand, pranks and discards."""

import re
from typing import Final

from sevenhues.core.renderer import Renderer
from sevenhues.games.rainbow_road import drawing
from sevenhues.games.rainbow_road.drawing import MINE, NAMES, ORDERS, PAPERS, PRANK_LINES, THEIRS, asked, counted
from sevenhues.games.rainbow_road.pieces import HALF
from sevenhues.games.rainbow_road.view_types import RoadView, Spot
from sevenhues.render import ansi
from sevenhues.render.canvas import FAINT, NONE, PLAIN, STRONG, Canvas, among, starting

LEFT: Final = 2
LINES: Final = 14  # of text, beside two rows of cards
HIGH: Final = 3  # lines of a card where there is room


class Road:
    """Paints one view."""

    def __init__(self, view: RoadView, legal: list[str], scene: Canvas) -> None:
        self.view = view
        self.legal = legal
        self.scene = scene
        self.me = 1 if view["viewer"] == 1 else 0
        self.card = HIGH if scene.height >= LINES + 3 * HIGH else 1
        self.width = 9 if scene.width >= LEFT + 9 * HALF else 7

    def paint(self) -> None:
        scene, view, me = self.scene, self.view, self.me
        gap = int(scene.height > LINES + 3 * self.card + 3)
        y = scene.say(0, f"Round {view['round']} of 8: {asked(view)}.", STRONG)
        y = self._seat(y + gap, 1 - me)
        y = self._half(y + gap, [*range(HALF * (1 - me) + HALF - 1, HALF * (1 - me) - 1, -1)], 1)
        y = self._middle(y)
        y = self._half(y, [*range(HALF * me, HALF * me + HALF)], -1)
        y = self._seat(y + gap, me)
        self._discards(y)

    def _spots(self, spot: str) -> list[str]:
        """List the moves that a spot is part of: a card played there, a prank with it, a hop onto it."""
        moves = [text for text in self.legal if re.search(f"(?:^P.|[:,>]){spot}", text)]
        walk = self.view["walk"]
        if walk is not None:
            hops = [str(step["hops"][0]) for step in walk["reach"] if step["spot"] == spot and len(step["hops"]) == 1]
            hops += [hop["move"] for hop in walk["prank_hops"] if hop["spot"] == spot]
            moves += among(self.legal, *hops)
        return moves

    def _half(self, y: int, spots: list[int], down: int) -> int:
        """Paint a half from its names inwards, the lower one upside down."""
        high = self.card + (3 if self.card > 1 else 2)
        for i, number in enumerate(spots):
            spot, x = self.view["ring"][number], LEFT + i * self.width
            lines = [y, y + 1, y + 1 + self.card, y + high - 1]
            if down < 0:
                lines = [y + high - 1, y + high - 1 - self.card, y + high - 2 - self.card, y]
            self._spot(x, lines, spot)
            self.scene.place(spot["spot"], x, y, self.width - 1, high, self._spots(spot["spot"]))
        return y + high

    def _spot(self, x: int, lines: list[int], spot: Spot) -> None:
        scene, card, marker = self.scene, spot["card"], spot["marker"]
        wide = self.width - 1
        mark = "" if marker is None else MINE if marker == self.me else THEIRS
        scene.write(x, lines[0], f"{spot['spot'] + mark:^{wide}}", NONE, FAINT)
        if card is not None:
            scene.card(x + 1, lines[1], wide - 2, self.card, str(card["number"]), _hue(card["number"]))
        else:
            empty = "fill" if spot["spot"] == self.view["owed"] else "·"
            scene.write(x, lines[1] + self.card // 2, f"{empty:^{wide}}", NONE, FAINT)
        fairy, walk = spot["fairy"], self.view["walk"]
        if fairy is not None:
            scene.write(x, lines[2], f"{NAMES[fairy]:^{wide}}", PAPERS[fairy], STRONG)
        points = [str(step["points"]) for step in walk["reach"] if step["spot"] == spot["spot"]] if walk else []
        if points:
            scene.write(x, lines[3], f"{'/'.join(points) + ' pt':^{wide}}", NONE, STRONG)

    def _middle(self, y: int) -> int:
        """Write the weather inside the ring, which way is which, and what to do with a fairy."""
        scene, view = self.scene, self.view
        weather, order = ORDERS[view["weather"]]
        inside = self.width * HALF - 1
        scene.write(LEFT, y, f"{'←+':<{inside - 2}}-→", NONE, FAINT)
        paper = PAPERS["sunny" if view["weather"] == "sunny" else "rain"]
        x = LEFT + (inside - len(weather) - len(order) - 3) // 2
        scene.write(x, y, f" {weather} ", paper, STRONG)
        scene.write(x + len(weather) + 3, y, order)
        scene.write(LEFT, y + 1, f"{'←-':<{inside - 2}}+→", NONE, FAINT)
        x = LEFT + 5
        for move, told in (("+", "hop +"), ("-", "hop -"), ("stop", "stop")):
            if among(self.legal, move):
                x = scene.button(x, y + 1, told, [move]) + 1
        return y + 2

    def _seat(self, y: int, seat: int) -> int:
        scene, view = self.scene, self.view
        hand, pranks, movers = view["hands"][seat], view["pranks"][seat], view["movers"]
        parts = [f"{view['scores'][seat]} pt"]
        if movers is not None:
            parts.append("moves " + ("Sunny" if movers["sunny"] == seat else "Rain"))
        if hand["numbers"] is None:
            parts.append(counted(hand["count"], "card"))
        if pranks["held"] is None:
            parts.append(counted(pranks["count"], "prank"))
        if pranks["used"]:
            parts.append("used " + " and ".join(pranks["used"]))
        x = scene.write(LEFT, y, scene.name(seat, view["viewer"]), NONE, STRONG)
        scene.write(x + 2, y, ", ".join(parts)[: max(0, scene.width - x - 3)])
        if hand["numbers"] is not None:
            y = self._hand(y + 1, hand["numbers"])
        else:
            y += 1
        held = pranks["held"] or []
        x = LEFT
        for i, prank in enumerate(held):
            moves = starting(self.legal, prank) if seat == view["viewer"] else []
            if self.card > 1:
                scene.button(LEFT, y + i, prank, moves)
                told = PRANK_LINES[prank]
                scene.write(LEFT + 11, y + i, told[: max(0, scene.width - LEFT - 12)], NONE, PLAIN if moves else FAINT)
            else:
                x = scene.button(x, y, prank, moves) + 1
        return y + (len(held) if self.card > 1 else bool(held))

    def _hand(self, y: int, numbers: list[int]) -> int:
        scene, view = self.scene, self.view
        high = 2 if self.card > 1 else 1
        moves = {choice["number"]: choice["moves"] for choice in view["choices"]}
        told = any(moves.values())
        for i, number in enumerate(numbers):
            x = LEFT + 6 * i
            scene.card(x, y, 5, high, str(number), _hue(number))
            fairy = moves.get(number)
            if told and fairy:
                scene.write(x, y + high, f"{NAMES[fairy]:^5}", NONE, FAINT)
            first = number not in numbers[:i]
            scene.place(f"hand {i}", x, y, 5, high + told, starting(self.legal, f"P{number}") if first else [])
        return y + high + told

    def _discards(self, y: int) -> None:
        scene, cards = self.scene, self.view["discards"]
        scene.write(LEFT, y, "discards", NONE, FAINT)
        x = LEFT + 11
        for i, card in enumerate(cards):
            number = card["number"]
            scene.card(x + 3 * i, y, 3, 1, str(number), _hue(number))
            if number not in [other["number"] for other in cards[:i]]:
                scene.place(f"discard {number}", x + 3 * i, y, 3, 1, starting(self.legal, f"recycle:{number}"))
        if not cards:
            scene.write(x, y, "none", NONE, FAINT)


def _hue(number: int) -> tuple[int, int]:
    return ansi.HUES[number - 1]


def paint(view: RoadView, legal: list[str], scene: Canvas) -> None:
    """Paint the ring, the hands and what the viewer may think of next."""
    Road(view, legal, scene).paint()


class RoadRenderer(Renderer):
    """Renders views of the game."""

    def draw(self, view: RoadView, colour: bool) -> str:
        return drawing.draw(view, colour)

    def describe_last_move(self, view: RoadView) -> str:
        return drawing.describe_last_move(view)

    def render(self, view: RoadView, legal: list[str], canvas: Canvas) -> None:
        paint(view, legal, canvas)
