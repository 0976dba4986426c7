"""Pieces of pictures that several games share: materials, the nine faces, and cards.

The browser client draws the same pieces from `web/src/pieces`; a test compares both.
"""

import math
from typing import Final, NamedTuple

from sevenhues.render.svg import Svg, number

PAPER: Final = "#FFFAEF"
INK: Final = "#150F19"
CORE: Final = "#C8B494"  # the edge of the board a piece is cut from
SHEET: Final = "#F0E4CC"  # every second edge in a pile of cards
BACK: Final = "#DDCFB4"  # a face that the viewer cannot see
RACK: Final = "#A98560"
RACK_SHADE: Final = "#6E553C"
RACK_GRAIN: Final = "#8B6A49"
FOCUS: Final = "#3A2A9C"  # a ring round what the last move changed

CARD_SHAPE: Final = 1.395  # a card's height by its width


class Sign(NamedTuple):
    """What tells a coloured piece apart: its hue, and a glyph (a path on 24 by 24) and a letter printed on it."""

    letter: str
    name: str
    hue: str
    print: str
    glyph: str


FACES: Final = {
    sign.letter: sign
    for sign in (
        Sign(
            "R",
            "red",
            "#A90004",
            PAPER,
            "M12 21.5C6 17 2 13.4 2 8.7A5.2 5.2 0 0 1 12 6.5a5.2 5.2 0 0 1 10 2.2C22 13.4 18 17 12 21.5Z",
        ),
        Sign("O", "orange", "#DD800A", INK, "M3 14.5a9 9 0 0 1 18 0ZM1.5 17h21v3.5h-21Z"),
        Sign(
            "Y",
            "yellow",
            "#FECF35",
            INK,
            "M12 1.6L14.9 8.9 22.7 9.4 16.8 14.4 18.6 22 12 17.9 5.4 22 7.2 14.4 1.3 9.4 9.1 8.9Z",
        ),
        Sign(
            "G", "green", "#358E6B", INK, "M21 3C21.4 14.2 15.8 20 7.9 18.6L5 21.5 2.5 19 5.4 16.1C4 8.2 9.8 2.6 21 3Z"
        ),
        Sign("B", "blue", "#4EBFF0", INK, "M12 1.5C16.2 7 19.5 10.8 19.5 15a7.5 7.5 0 0 1-15 0C4.5 10.8 7.8 7 12 1.5Z"),
        Sign("I", "indigo", "#291581", PAPER, "M15.8 2.2A10.2 10.2 0 1 0 21.8 15.9 8.6 8.6 0 0 1 15.8 2.2Z"),
        Sign("V", "violet", "#9049B8", PAPER, "M12 1 20 12 12 23 4 12Z"),
        Sign(
            "W",
            "light",
            "#FEFBF1",
            INK,
            "M12 1.8a10.2 10.2 0 1 0 0 20.4 10.2 10.2 0 0 0 0-20.4ZM12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10Z",
        ),
        Sign(
            "K",
            "shade",
            "#120D15",
            PAPER,
            "M5.6 2 12 8.4 18.4 2 22 5.6 15.6 12 22 18.4 18.4 22 12 15.6 5.6 22 2 18.4 8.4 12 2 5.6Z",
        ),
    )
}
COLOURS: Final = "ROYGBIV"  # from the outside of the rainbow to the inside; number n of Rainbow Road is the n-th
LIGHT: Final = "W"


def blank(svg: Svg, x: float, y: float, width: float, height: float) -> None:
    """Draw a card without its print: board edge, ink outline and cream rim."""
    radius = max(4, width * 0.085)
    for dy, fill in ((max(2, width * 0.03), CORE), (0, PAPER)):
        svg.add("rect", x=x, y=y + dy, width=width, height=height, rx=radius, fill=fill, stroke=INK, stroke_width=1.4)


def ring(svg: Svg, x: float, y: float, width: float, height: float) -> None:
    """Draw a ring round a card, for what the last move changed."""
    svg.add(
        "rect",
        x=x - 7,
        y=y - 7,
        width=width + 14,
        height=height + 14 + width * 0.03,
        rx=width * 0.085 + 7,
        fill="none",
        stroke=FOCUS,
        stroke_width=5,
    )


def card(svg: Svg, x: float, y: float, width: float, face: str, big: str = "", height: float = 0) -> None:
    """Draw a card with one of the nine faces, or with the back of a face that the viewer cannot see.

    `big` is a digit as the big sign, with the glyph below it.
    """
    height = height or width * CARD_SHAPE
    sign = FACES.get(face)
    svg.begin("g", aria_label=f"{big or sign.name if sign else 'hidden'} card")
    blank(svg, x, y, width, height)
    rim = max(3, width * 0.05)
    inner_width, inner_height = width - 2 * rim, height - 2 * rim
    svg.begin("svg", x=x + rim, y=y + rim, width=inner_width, height=inner_height)
    if sign is None:
        svg.add("rect", width=inner_width, height=inner_height, rx=rim, fill=BACK, stroke=CORE, stroke_width=2)
        arch(svg, inner_width / 2, inner_height / 2 + width * 0.13, width * 0.52, plain=True)
    else:
        line = {"stroke": INK, "stroke_opacity": ".35", "stroke_width": "2"} if face == LIGHT else {}
        svg.add("rect", width=inner_width, height=inner_height, rx=rim, fill=sign.hue, **line)
        arcs = ""
        for i in range(7):
            radius = width * (0.34 + 0.115 * i)
            arcs += _half_circle(inner_width / 2, inner_height, radius)
        svg.add("path", d=arcs, fill="none", stroke=sign.print, stroke_width=width * 0.035, opacity=".11")
    svg.end("svg")
    if sign is not None:
        _print(svg, x, y, width, height, sign, big)
    svg.end("g")


def _print(svg: Svg, x: float, y: float, width: float, height: float, sign: Sign, big: str) -> None:
    middle = x + width / 2
    if big:
        svg.text(middle, y + height * 0.58, big, width * 0.62, sign.print, anchor="middle")
        svg.glyph(sign.glyph, middle, y + height * 0.79, width * 0.26, sign.print)
        return
    svg.glyph(sign.glyph, middle, y + height / 2, width * 0.52, sign.print)
    letter = width * 0.2
    svg.text(x + width * 0.12, y + width * 0.09 + letter * 0.75, sign.letter, letter, sign.print)
    svg.begin("g", transform=f"rotate(180 {number(middle)} {number(y + height / 2)})")
    svg.text(x + width * 0.12, y + width * 0.09 + letter * 0.75, sign.letter, letter, sign.print)
    svg.end("g")


def chip(svg: Svg, x: float, y: float, size: float, sign: Sign) -> None:
    """Draw a small square with a face: its hue and its glyph. x and y are those of its middle."""
    half = size / 2
    svg.begin("g", aria_label=sign.name)
    svg.add(
        "rect",
        x=x - half,
        y=y - half,
        width=size,
        height=size,
        rx=size * 0.2,
        fill=sign.hue,
        stroke=INK,
        stroke_width=1.2,
    )
    svg.glyph(sign.glyph, x, y, size * 0.66, sign.print)
    svg.end("g")


def empty_place(svg: Svg, x: float, y: float, width: float, height: float) -> None:
    """Draw a place that is printed on the table for a card."""
    svg.add(
        "rect",
        x=x,
        y=y,
        width=width,
        height=height,
        rx=width * 0.085,
        fill="none",
        stroke="#84756A",
        stroke_width=2,
        stroke_dasharray="7 6",
    )


def rack(svg: Svg, x: float, y: float, width: float, height: float) -> None:
    """Draw the wooden rack that a hand of cards stands in."""
    svg.add("rect", x=x, y=y + 5, width=width, height=height, rx=8, fill=RACK_SHADE, stroke=INK, stroke_width=1.4)
    svg.add("rect", x=x, y=y, width=width, height=height, rx=8, fill=RACK, stroke=INK, stroke_width=1.4)
    grain = f"M{number(x + 16)} {number(y + height * 0.36)}h{number(width - 32)}"
    grain += f"M{number(x + 36)} {number(y + height * 0.66)}h{number(width * 0.74)}"
    svg.add("path", d=grain, fill="none", stroke=RACK_GRAIN, stroke_width=2, stroke_linecap="round")


def pile(svg: Svg, x: float, bottom: float, width: float, cards: int, max_height: float) -> None:
    """Draw cards lying on each other, seen from the side: one edge a card."""
    step = min(6, max_height / max(cards, 1))
    for i in range(cards):
        lean = (3, 6, 1, 4, 0, 5)[i % 6]  # no pile is quite straight
        svg.add(
            "rect",
            x=x + lean,
            y=bottom - (i + 1) * step - 1.5,
            width=width,
            height=step + 1.5,
            rx=2.5,
            fill=PAPER if i % 2 else SHEET,
            stroke=INK,
            stroke_width=1 if step > 3 else 0.6,
        )


def arch(svg: Svg, x: float, y: float, width: float, plain: bool = False) -> None:
    """Draw the seven-band arch, the mark of Seven Hues; x and y are those of the middle of its foot."""
    step = width / 19.7
    for i, colour in enumerate(COLOURS):
        radius = width / 2 - step / 2 - step * i
        hue = PAPER if plain else FACES[colour].hue
        svg.add("path", d=_half_circle(x, y, radius), fill="none", stroke=hue, stroke_width=step * 0.92)


def _half_circle(x: float, y: float, radius: float) -> str:
    r = number(radius)
    return f"M{number(x - radius)} {number(y)}a{r} {r} 0 0 1 {number(2 * radius)} 0"


def hexagon(radius: float, rounding: float) -> str:
    """Return the outline of a hexagon around the origin with rounded corners, one corner up."""
    corners = []
    for i in range(6):
        angle = math.pi / 3 * i - math.pi / 2
        corners.append((radius * math.cos(angle), radius * math.sin(angle)))
    part = rounding / radius
    path = ""
    for i, (x, y) in enumerate(corners):
        before_x, before_y = corners[i - 1]
        after_x, after_y = corners[(i + 1) % 6]
        path += f"{'L' if i else 'M'}{number(x + (before_x - x) * part)} {number(y + (before_y - y) * part)}"
        path += f"Q{number(x)} {number(y)} {number(x + (after_x - x) * part)} {number(y + (after_y - y) * part)}"
    return path + "Z"
