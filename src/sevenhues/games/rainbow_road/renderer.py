"""Rendering of Rainbow Road views: as text, and as a table on a canvas."""

import re
from collections.abc import Sequence
from typing import Final

from sevenhues.core.renderer import Renderer
from sevenhues.games.rainbow_road import drawing, picture
from sevenhues.games.rainbow_road.drawing import (
    FAIRY_COLOURS,
    FAIRY_NAMES,
    OTHER_MARKER,
    OWN_MARKER,
    PRANK_TEXTS,
    WEATHER_TEXTS,
    counted,
    describe_choices,
)
from sevenhues.games.rainbow_road.pieces import HALF
from sevenhues.games.rainbow_road.view_types import RoadView, Spot
from sevenhues.render import ansi
from sevenhues.render.canvas import BOLD, DEFAULT_COLOURS, DIM, NORMAL, Canvas, legal_among, legal_starting_with

LEFT: Final = 2  # the first column
TEXT_LINES: Final = 14  # besides two rows of cards
CARD_HEIGHT: Final = 3  # where there is room


class RoadRenderer(Renderer):
    """Renders views of Rainbow Road."""

    def draw(self, view: RoadView, colour: bool) -> str:
        return drawing.draw(view, colour)

    def describe_last_move(self, view: RoadView) -> str:
        return drawing.describe_last_move(view)

    def picture(self, view: RoadView, names: Sequence[str]) -> str:
        return picture.picture(view, names)

    def render(self, view: RoadView, legal: list[str], canvas: Canvas) -> None:
        _TableRendering(view, legal, canvas).render()


class _TableRendering:
    """Renders one view: the ring with the viewer's half below, hands, pranks and discards."""

    def __init__(self, view: RoadView, legal: list[str], canvas: Canvas) -> None:
        self.view = view
        self.legal = legal
        self.canvas = canvas
        self.me = 1 if view["viewer"] == 1 else 0
        self.card_height = CARD_HEIGHT if canvas.height >= TEXT_LINES + 3 * CARD_HEIGHT else 1
        self.spot_width = 9 if canvas.width >= LEFT + 9 * HALF else 7

    def render(self) -> None:
        canvas, view, me = self.canvas, self.view, self.me
        gap = int(canvas.height > TEXT_LINES + 3 * self.card_height + 3)
        y = canvas.write_paragraph(0, f"Round {view['round']} of 8: {describe_choices(view)}.", BOLD)
        y = self._seat(y + gap, 1 - me)
        y = self._half(y + gap, [*range(HALF * (1 - me) + HALF - 1, HALF * (1 - me) - 1, -1)], False)
        y = self._middle(y)
        y = self._half(y, [*range(HALF * me, HALF * me + HALF)], True)
        y = self._seat(y + gap, me)
        self._discards(y)

    def _moves_of(self, spot: str) -> list[str]:
        """Return the legal moves that a spot is part of: a card played there, a prank with it, a hop onto it."""
        moves = [text for text in self.legal if re.search(f"(?:^P.|[:,>]){spot}", text)]
        walk = self.view["walk"]
        if walk is not None:
            hops = [str(step["hops"][0]) for step in walk["reach"] if step["spot"] == spot and len(step["hops"]) == 1]
            hops += [hop["move"] for hop in walk["prank_hops"] if hop["spot"] == spot]
            moves += legal_among(self.legal, *hops)
        return moves

    def _half(self, y: int, spots: list[int], upside_down: bool) -> int:
        """Render a half of the ring from its labels inward."""
        height = self.card_height + (3 if self.card_height > 1 else 2)
        bottom = y + height - 1
        for i, number in enumerate(spots):
            spot, x = self.view["ring"][number], LEFT + i * self.spot_width
            if upside_down:
                lines = [bottom, bottom - self.card_height, bottom - 1 - self.card_height, y]
            else:
                lines = [y, y + 1, y + 1 + self.card_height, bottom]
            self._spot(x, lines, spot)
            self.canvas.add_hit_area(spot["spot"], x, y, self.spot_width - 1, height, self._moves_of(spot["spot"]))
        return y + height

    def _spot(self, x: int, lines: list[int], spot: Spot) -> None:
        """Render a spot; `lines` are those of the label, the card, the fairy and the points."""
        canvas, card, marker = self.canvas, spot["card"], spot["marker"]
        width = self.spot_width - 1
        mark = "" if marker is None else OWN_MARKER if marker == self.me else OTHER_MARKER
        canvas.write(x, lines[0], f"{spot['spot'] + mark:^{width}}", DEFAULT_COLOURS, DIM)
        if card is not None:
            canvas.card(x + 1, lines[1], width - 2, self.card_height, str(card["number"]), _hue(card["number"]))
        else:
            empty = "fill" if spot["spot"] == self.view["owed"] else "·"
            canvas.write(x, lines[1] + self.card_height // 2, f"{empty:^{width}}", DEFAULT_COLOURS, DIM)
        fairy, walk = spot["fairy"], self.view["walk"]
        if fairy is not None:
            canvas.write(x, lines[2], f"{FAIRY_NAMES[fairy]:^{width}}", FAIRY_COLOURS[fairy], BOLD)
        points = [str(step["points"]) for step in walk["reach"] if step["spot"] == spot["spot"]] if walk else []
        if points:
            canvas.write(x, lines[3], f"{'/'.join(points) + ' pt':^{width}}", DEFAULT_COLOURS, BOLD)

    def _middle(self, y: int) -> int:
        """Render the inside of the ring: the weather, the ways, and the moves of a fairy."""
        canvas, view = self.canvas, self.view
        weather, order = WEATHER_TEXTS[view["weather"]]
        width = self.spot_width * HALF - 1
        canvas.write(LEFT, y, f"{'←+':<{width - 2}}-→", DEFAULT_COLOURS, DIM)
        colours = FAIRY_COLOURS["sunny" if view["weather"] == "sunny" else "rain"]
        x = LEFT + (width - len(weather) - len(order) - 3) // 2
        canvas.write(x, y, f" {weather} ", colours, BOLD)
        canvas.write(x + len(weather) + 3, y, order)
        canvas.write(LEFT, y + 1, f"{'←-':<{width - 2}}+→", DEFAULT_COLOURS, DIM)
        x = LEFT + 5
        for move, label in (("+", "hop +"), ("-", "hop -"), ("stop", "stop")):
            if legal_among(self.legal, move):
                x = canvas.button(x, y + 1, label, [move]) + 1
        return y + 2

    def _seat(self, y: int, seat: int) -> int:
        """Render a seat: its name and points, its hand and its pranks."""
        canvas, view = self.canvas, self.view
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
        x = canvas.write(LEFT, y, canvas.seat_name(seat, view["viewer"]), DEFAULT_COLOURS, BOLD)
        canvas.write(x + 2, y, ", ".join(parts)[: max(0, canvas.width - x - 3)])
        y = y + 1 if hand["numbers"] is None else self._hand(y + 1, hand["numbers"])
        return self._pranks(y, seat)

    def _pranks(self, y: int, seat: int) -> int:
        """Render a seat's pranks: one per line with its text, or all in one line where there is little room."""
        canvas = self.canvas
        held = self.view["pranks"][seat]["held"] or []
        x = LEFT
        for i, prank in enumerate(held):
            moves = legal_starting_with(self.legal, prank) if seat == self.view["viewer"] else []
            if self.card_height > 1:
                canvas.button(LEFT, y + i, prank, moves)
                text = PRANK_TEXTS[prank][: max(0, canvas.width - LEFT - 12)]
                canvas.write(LEFT + 11, y + i, text, DEFAULT_COLOURS, NORMAL if moves else DIM)
            else:
                x = canvas.button(x, y, prank, moves) + 1
        return y + (len(held) if self.card_height > 1 else bool(held))

    def _hand(self, y: int, numbers: list[int]) -> int:
        canvas, view = self.canvas, self.view
        height = 2 if self.card_height > 1 else 1
        fairies = {choice["number"]: choice["moves"] for choice in view["choices"]}
        shows_fairies = any(fairies.values())
        for i, number in enumerate(numbers):
            x = LEFT + 6 * i
            canvas.card(x, y, 5, height, str(number), _hue(number))
            fairy = fairies.get(number)
            if shows_fairies and fairy:
                canvas.write(x, y + height, f"{FAIRY_NAMES[fairy]:^5}", DEFAULT_COLOURS, DIM)
            moves = [] if number in numbers[:i] else legal_starting_with(self.legal, f"P{number}")
            canvas.add_hit_area(f"hand {i}", x, y, 5, height + shows_fairies, moves)
        return y + height + shows_fairies

    def _discards(self, y: int) -> None:
        canvas, cards = self.canvas, self.view["discards"]
        canvas.write(LEFT, y, "discards", DEFAULT_COLOURS, DIM)
        x = LEFT + 11
        for i, card in enumerate(cards):
            number = card["number"]
            canvas.card(x + 3 * i, y, 3, 1, str(number), _hue(number))
            if number not in [other["number"] for other in cards[:i]]:
                moves = legal_starting_with(self.legal, f"recycle:{number}")
                canvas.add_hit_area(f"discard {number}", x + 3 * i, y, 3, 1, moves)
        if not cards:
            canvas.write(x, y, "none", DEFAULT_COLOURS, DIM)


def _hue(number: int) -> tuple[int, int]:
    return ansi.HUES[number - 1]
