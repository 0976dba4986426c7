"""The frame of every picture: a panel with the game's name and its players beside the table they play on."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from sevenhues.render.pieces import CORE, INK, PAPER, arch
from sevenhues.render.svg import SANS, Svg, fitted, number, text_width, wrapped

WIDTH: Final = 1200  # the size of a link preview
HEIGHT: Final = 630
PANEL: Final = 352  # the width of the panel; the table is to its right
LEFT: Final = 28
INNER: Final = PANEL - 2 * LEFT
TEXT: Final = "#2A2230"
MUTED: Final = "#655A62"
LINE: Final = "#DCCFB7"
ON_INK_MUTED: Final = "#D9CFD0"
PLATES_TOP: Final = 168
STAR: Final = "M12 1.6L14.9 8.9 22.7 9.4 16.8 14.4 18.6 22 12 17.9 5.4 22 7.2 14.4 1.3 9.4 9.1 8.9Z"
SEAT: Final = re.compile(r"\b[Ss]eat (\d)\b")


class Mat(NamedTuple):
    """The ground of a table, and the colour of what is printed on it."""

    ground: str
    motif: str


LINEN: Final = Mat("#E9DDC8", "#DDCFB5")
MIST: Final = Mat("#DCE6E4", "#CBDAD7")
MEADOW: Final = Mat("#DBE2C3", "#C4CFA4")
DESK: Final = Mat("#EADAD0", "#DFCBBF")


class Plate(NamedTuple):
    """What a picture shows of a seat beside the table."""

    seat: int
    detail: str
    score: int
    unit: str
    to_act: bool
    won: bool
    indent: float = 0  # room before the name, for a sign of the player


class Place(NamedTuple):
    """Where a plate was drawn."""

    x: float
    y: float
    width: float
    height: float
    inverted: bool  # paper on ink


def full_names(names: Sequence[str], seats: int) -> list[str]:
    """Return the names of all seats: their numbers for players without a name."""
    return [names[seat] if seat < len(names) and names[seat] else f"Seat {seat}" for seat in range(seats)]


def with_names(sentence: str, names: Sequence[str]) -> str:
    """Replace the numbers of seats in a sentence by names."""
    return SEAT.sub(lambda match: names[int(match[1])] if int(match[1]) < len(names) else match[0], sentence)


class Table:
    """A picture of a table: `svg` is open for what lies on it, at the right of PANEL."""

    def __init__(self, title: str, mat: Mat, names: Sequence[str]) -> None:
        self.title = title
        self.names = names
        self.mat = mat
        self.svg = Svg(WIDTH, HEIGHT, title)
        self.svg.add("rect", width=WIDTH, height=HEIGHT, fill=mat.ground)

    def panel(self, status: str) -> None:
        """Draw the panel; what the table bears must be drawn before."""
        svg = self.svg
        svg.title = f"{self.title}: {status}" if status else self.title
        svg.add("rect", x=PANEL, width=5, height=HEIGHT, fill=CORE)
        svg.add("rect", width=PANEL, height=HEIGHT, fill=PAPER)
        svg.add("path", d=f"M{PANEL} 0V{HEIGHT}", stroke=INK, stroke_width=2)
        arch(svg, LEFT + 32, 56, 64)
        svg.text(LEFT + 78, 54, "Seven Hues", 24, MUTED)
        svg.text(LEFT, 110, self.title, 44, TEXT)
        svg.text(LEFT, 146, fitted(status, 24, INNER), 24, MUTED, SANS, 400)

    def plates(self, plates: Sequence[Plate]) -> list[Place]:
        """Draw a plate for each seat, from the top down. Return their places, for a sign of each player."""
        height = 98 if len(plates) <= 2 else 88 if len(plates) == 3 else 82
        places = []
        for i, plate in enumerate(plates):
            place = Place(LEFT, PLATES_TOP + i * (height + 12), INNER, height, plate.to_act or plate.won)
            self._plate(place, plate)
            places.append(place)
        return places

    def _plate(self, place: Place, plate: Plate) -> None:
        svg, x, y = self.svg, place.x, place.y
        ink, muted = (PAPER, ON_INK_MUTED) if place.inverted else (TEXT, MUTED)
        middle = y + place.height / 2
        right = x + place.width
        svg.begin("g", aria_label=f"{self.names[plate.seat]}: {plate.score} {plate.unit}")
        outline = f"M{number(x + 14)} {number(y)}h{number(place.width - 28)}q14 0 14 14"
        if plate.to_act:  # a pointer to the table
            outline += f"V{number(middle - 14)}l18 14l-18 14"
        outline += f"V{number(y + place.height - 14)}q0 14 -14 14h{number(28 - place.width)}q-14 0 -14 -14"
        outline += f"V{number(y + 14)}q0 -14 14 -14Z"
        svg.add("path", d=outline, fill=TEXT if place.inverted else "#FFFFFF", stroke=INK, stroke_width=2)
        score = str(plate.score)
        svg.text(right - 16, middle + 6, score, 48, ink, anchor="end")
        svg.text(right - 16, middle + 32, plate.unit, 18, muted, SANS, 400, "end")
        room = place.width - 44 - 30 * len(score)
        start = x + 16 + plate.indent
        if plate.won:
            svg.glyph(STAR, start + 12, middle - 15, 26, "#FECF35")
            start += 32
        name, width = self.names[plate.seat], room - (start - x - 16)
        size = 28 if text_width(name, 28) <= width else 22
        svg.text(start, middle - 5, fitted(name, size, width), size, ink)
        svg.text(x + 16, middle + 27, fitted(plate.detail, 19, room), 19, muted, SANS, 400)
        svg.end("g")

    def caption(self, sentence: str, top: float) -> None:
        """Write a sentence at the bottom of the panel, below `top`."""
        size, line = 20, 26
        room = int((HEIGHT - 20 - top) / line)
        lines = wrapped(with_names(sentence, self.names), size, INNER, min(room, 4))
        for i, text in enumerate(lines):
            self.svg.text(LEFT, HEIGHT - 24 - line * (len(lines) - 1 - i), text, size, MUTED, SANS, 400)

    def document(self) -> str:
        """Return the picture."""
        self.svg.add("rect", x=1.5, y=1.5, width=WIDTH - 3, height=HEIGHT - 3, fill="none", stroke=INK, stroke_width=3)
        return self.svg.document()
