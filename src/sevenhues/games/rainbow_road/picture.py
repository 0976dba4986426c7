"""A picture of Rainbow Road: the ring with its fairies in the weather of the round, hands, pranks and points."""

import math
from collections.abc import Sequence
from typing import Final

from sevenhues.games.rainbow_road.drawing import FAIRY_NAMES, counted, describe_last_move
from sevenhues.games.rainbow_road.pieces import HALF, RING, ROUNDS
from sevenhues.games.rainbow_road.view_types import Fairy, RoadView, Spot
from sevenhues.render.pieces import COLOURS, CORE, FACES, FOCUS, INK, PAPER, card, empty_place, ring
from sevenhues.render.svg import SANS, Svg, number
from sevenhues.render.table import (
    LEFT,
    MIST,
    MUTED,
    PANEL,
    TEXT,
    WIDTH,
    Mat,
    Plate,
    Table,
    full_names,
)

MIDDLE_X: Final = 786
MIDDLE_Y: Final = 268
CARD_WIDTH: Final = 88
CARD_HEIGHT: Final = 116
SIDE: Final = 340  # from the middle to the outer spots
TOP: Final = 166
LOW: Final = 70
LANE: Final = 70  # width of the road
OFFSETS: Final = ((-SIDE, LOW), (-SIDE / 2, TOP * 0.91), (0.0, TOP), (SIDE / 2, TOP * 0.91), (SIDE, LOW))
HAND_TOP: Final = 524
HAND_WIDTH: Final = 62
HAND_HEIGHT: Final = 82
PRANK: Final = "#4A3A5C"
RAIN_FAIRY: Final = "#3C5A78"
SUN_MAT: Final = "#E9E7CD"
SAND: Final = "#F2E6D0"

WINGS: Final = (
    "M-3 2C-14-14-26-12-24-2c1 6 12 9 21 7ZM3 2C14-14 26-12 24-2 23 4 12 7 3 5Z"
    "M-3 6C-12 7-20 12-16 18c4 4 11-4 13-10ZM3 6C12 7 20 12 16 18c-4 4-11-4-13-10Z"
)
RAYS: Final = (
    "M0-28L3.1-22.5 8.8-25.1 8.1-18.9 14.3-17.6 10-13 14.3-8.4 8.1-7.1 8.8-.9 3.1-3.5 0 2-3.1-3.5-8.8-.9"
    "-8.1-7.1-14.3-8.4-10-13-14.3-17.6-8.1-18.9-8.8-25.1-3.1-22.5Z"
)
BODY: Final = "M0-8C6-2 10 8 10 15a10 8 0 0 1-20 0C-10 8-6-2 0-8Z"
CLOUD: Final = "M-11-15a5 5 0 0 1 2-9.5A8.5 8.5 0 0 1 7-26a5.5 5.5 0 0 1 4 11Z"
SUN: Final = (
    "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10ZM11 1h2v4h-2ZM11 19h2v4h-2ZM1 11h4v2H1ZM19 11h4v2h-4Z"
    "M3.5 4.9 4.9 3.5 7.7 6.3 6.3 7.7ZM16.3 17.7l1.4-1.4 2.8 2.8-1.4 1.4ZM3.5 19.1l2.8-2.8 1.4 1.4-2.8 2.8Z"
    "M16.3 6.3l2.8-2.8 1.4 1.4-2.8 2.8Z"
)
RAIN: Final = (
    "M7 14.5a4.5 4.5 0 0 1-.4-9A6 6 0 0 1 18 6.3a4.2 4.2 0 0 1-.5 8.2ZM7 16.5h2.2L7.6 21.5H5.4Z"
    "M11.5 16.5h2.2l-1.6 5h-2.2ZM16 16.5h2.2l-1.6 5h-2.2Z"
)
CLIMBS: Final = "M4 19h4v-4h4v-4h4V7h4"
DESCENDS: Final = "M4 7h4v4h4v4h4v4h4"
PRANK_STAR: Final = "M12 2 14 10 22 12 14 14 12 22 10 14 2 12 10 10Z"


def picture(view: RoadView, names: Sequence[str]) -> str:
    """Draw a view as SVG, with the viewer's half below."""
    players = full_names(names, 2)
    sunny = view["weather"] == "sunny"
    table = Table("Rainbow Road", Mat(MIST.ground, SUN_MAT if sunny else MIST.motif), players)
    me = 1 if view["viewer"] == 1 else 0
    _weather(table, sunny)
    _road(table.svg)
    for index in range(RING):
        _spot(table.svg, view, view["ring"][(index + HALF * me) % RING], index, me)
    _figures(table.svg, view, me)
    _middle(table.svg, view)
    _hand(table.svg, view, 1 - me, PANEL + 24, 16, 36, 48)
    _pranks(table.svg, view, 1 - me, WIDTH - 20, 16, 36, 48)
    _hand(table.svg, view, me, PANEL + 24, HAND_TOP, HAND_WIDTH, HAND_HEIGHT)
    _pranks(table.svg, view, me, WIDTH - 24, HAND_TOP, 116, HAND_HEIGHT)
    table.panel(_status(view, players))
    table.plates([_plate(view, seat) for seat in (1 - me, me)])
    _bars(table.svg, view, me)
    table.caption(describe_last_move(view), 505)
    return table.document()


def _status(view: RoadView, names: Sequence[str]) -> str:
    if view["result"] is not None:
        return f"{names[view['result']['winner']]} wins"
    return f"Round {view['round']} of {ROUNDS}"


def _plate(view: RoadView, seat: int) -> Plate:
    movers, walk = view["movers"], view["walk"]
    cards = counted(view["hands"][seat]["count"], "card")
    if view["turn"] == seat and walk is None:
        detail = "to play a card"
    elif movers is not None and view["turn"] is not None:
        detail = f"moves {FAIRY_NAMES['sunny' if movers['sunny'] == seat else 'rain']}"
        if walk is not None and walk["seat"] == seat:
            detail += f", +{walk['points']}"
    else:
        detail = f"{cards} in hand"
    result = view["result"]
    won = result is not None and result["winner"] == seat
    return Plate(seat, detail, view["scores"][seat], "points", view["turn"] == seat, won)


def _weather(table: Table, sunny: bool) -> None:
    """Draw the weather on the mat: rays of the sun, or strokes of rain."""
    path = ""
    if sunny:
        for i in range(18):
            angle = math.pi / 9 * i
            for turn, command in ((0.0, f"M{number(MIDDLE_X)} {number(MIDDLE_Y)}L"), (math.pi / 18, "L")):
                x = MIDDLE_X + 900 * math.cos(angle + turn)
                y = MIDDLE_Y + 900 * math.sin(angle + turn)
                path += f"{command}{number(x)} {number(y)}"
            path += "Z"
        table.svg.add("path", d=path, fill=table.mat.motif)
        return
    for row in range(9):
        for column in range(15):
            path += f"M{PANEL + 20 + 62 * column + 31 * (row % 2)} {12 + 72 * row}l-12 34"
    table.svg.add("path", d=path, fill="none", stroke=table.mat.motif, stroke_width=5, stroke_linecap="round")


def _road(svg: Svg) -> None:
    for width, colour in ((LANE + 4, INK), (LANE, SAND)):
        svg.add(
            "ellipse", cx=MIDDLE_X, cy=MIDDLE_Y, rx=SIDE + 22, ry=TOP, fill="none", stroke=colour, stroke_width=width
        )
    svg.add(
        "ellipse",
        cx=MIDDLE_X,
        cy=MIDDLE_Y,
        rx=SIDE + 22,
        ry=TOP,
        fill="none",
        stroke=CORE,
        stroke_width=3,
        stroke_dasharray="3 12",
        stroke_linecap="round",
    )


def _at(index: int) -> tuple[float, float]:
    """Return the middle of a spot, counted from the viewer's first one."""
    x, y = OFFSETS[index % HALF]
    return (MIDDLE_X + x, MIDDLE_Y + y) if index < HALF else (MIDDLE_X - x, MIDDLE_Y - y)


def _spot(svg: Svg, view: RoadView, spot: Spot, index: int, me: int) -> None:
    x, y = _at(index)
    left, top = x - CARD_WIDTH / 2, y - CARD_HEIGHT / 2
    below = index < HALF
    shown, last = spot["card"], view["last"]
    svg.text(
        x, y + (CARD_HEIGHT / 2 + 26 if below else -CARD_HEIGHT / 2 - 12), spot["spot"], 19, MUTED, SANS, 700, "middle"
    )
    if shown is None:
        svg.add("rect", x=left, y=top, width=CARD_WIDTH, height=CARD_HEIGHT, rx=8, fill=SAND)
        empty_place(svg, left, top, CARD_WIDTH, CARD_HEIGHT)
        return
    if last is not None and last["card"] is not None and last["card"]["card"] == shown["card"]:
        ring(svg, left, top, CARD_WIDTH, CARD_HEIGHT)
    face = COLOURS[shown["number"] - 1]
    card(svg, left, top, CARD_WIDTH, face, str(shown["number"]), CARD_HEIGHT)
    if spot["marker"] is not None:
        corner = y + (CARD_HEIGHT / 2 - 4 if below else -CARD_HEIGHT / 2 + 4)
        own = spot["marker"] == me
        svg.add(
            "circle",
            cx=left + CARD_WIDTH - 4,
            cy=corner,
            r=13,
            fill=INK if own else PAPER,
            stroke=PAPER if own else INK,
            stroke_width=2.5,
        )
        if not own:
            svg.add("circle", cx=left + CARD_WIDTH - 4, cy=corner, r=5, fill=INK)


def _figures(svg: Svg, view: RoadView, me: int) -> None:
    """Draw the fairies, and the points of each card that the moving fairy can reach."""
    walk = view["walk"]
    for index in range(RING):
        spot = view["ring"][(index + HALF * me) % RING]
        x, y = _at(index)
        points = [str(step["points"]) for step in walk["reach"] if step["spot"] == spot["spot"]] if walk else []
        if spot["fairy"] is not None:
            fairy(svg, spot["fairy"], x - CARD_WIDTH / 2 - 8, y - CARD_HEIGHT / 2 + 20, 1.5)
        if points:
            text = "+" + "/".join(points)
            width = 26 + 13 * len(text)
            inner = y + (-CARD_HEIGHT / 2 if index < HALF else CARD_HEIGHT / 2)
            if index % HALF in (0, HALF - 1):  # at the sides the cards are close above each other
                inner = y
                x += CARD_WIDTH / 2 if x < MIDDLE_X else -CARD_WIDTH / 2
            svg.add(
                "rect",
                x=x - width / 2,
                y=inner - 17,
                width=width,
                height=34,
                rx=17,
                fill=PAPER,
                stroke=FOCUS,
                stroke_width=3,
            )
            svg.text(x, inner + 8, text, 23, FOCUS, SANS, anchor="middle")


def fairy(svg: Svg, kind: Fairy, x: float, y: float, scale: float) -> None:
    """Draw a fairy: the Sunny Fairy with a mane of rays, the Rain Fairy under a cloud. It is 56 units high."""
    sunny = kind == "sunny"
    body = FACES["Y"].hue if sunny else RAIN_FAIRY
    svg.begin(
        "g",
        transform=f"translate({number(x)} {number(y)}) scale({scale})",
        stroke=INK,
        stroke_width=1.6,
        stroke_linejoin="round",
        aria_label=f"{FAIRY_NAMES[kind]} Fairy",
    )
    svg.add("ellipse", cy=23, rx=15, ry=4.5, fill=INK, opacity=".35", stroke="none")
    svg.add("path", d=WINGS, fill=PAPER)
    if sunny:
        svg.add("path", d=RAYS, fill=FACES["O"].hue)
    svg.add("path", d=BODY, fill=body)
    svg.add("circle", cy=-13, r=8, fill=body)
    if not sunny:
        svg.add("path", d=CLOUD, fill=PAPER)
    eyes = INK if sunny else PAPER
    for side in (-3, 3):
        svg.add("circle", cx=side, cy=-11.5, r=1.3, fill=eyes, stroke="none")
    sign, transform = (
        (SUN, "translate(-6.6 5.5) scale(.55)") if sunny else (FACES["B"].glyph, "translate(-6 5.5) scale(.5)")
    )
    svg.add("path", d=sign, transform=transform, fill=eyes, stroke="none")
    svg.end("g")


def _middle(svg: Svg, view: RoadView) -> None:
    """Draw the weather's dial, what each fairy does in it, and the discards."""
    sunny = view["weather"] == "sunny"
    x, y = MIDDLE_X - 120, MIDDLE_Y - 18
    svg.add("circle", cx=x, cy=y, r=48, fill=FACES["Y"].hue if sunny else RAIN_FAIRY, stroke=INK, stroke_width=2)
    svg.glyph(SUN if sunny else RAIN, x, y, 62, INK if sunny else PAPER)
    svg.text(x + 66, y - 20, "Sunny" if sunny else "Rainy", 32, TEXT)
    for line, (kind, climbs) in enumerate(
        ((view["climbs"], True), ("rain" if view["climbs"] == "sunny" else "sunny", False))
    ):
        top = y + 8 + 34 * line
        svg.begin("g", transform=f"translate({number(x + 172)} {number(top - 16)}) scale(.9)")
        svg.add("path", d=CLIMBS if climbs else DESCENDS, fill="none", stroke=TEXT, stroke_width=2.5)
        svg.end("g")
        svg.text(x + 66, top + 4, f"{FAIRY_NAMES[kind]}", 22, TEXT, SANS)
        svg.text(x + 202, top + 4, "climbs" if climbs else "descends", 22, MUTED, SANS, 400)
    discards = view["discards"]
    if discards:
        step = min(34, 300 / len(discards))
        left = MIDDLE_X - (step * (len(discards) - 1) + 30) / 2 + 30
        svg.text(left - 12, y + 92, "discards", 19, MUTED, SANS, 400, "end")
        for i in range(len(discards) - 1, -1, -1):
            digit = discards[i]["number"]
            card(svg, left + step * i, y + 66, 30, COLOURS[digit - 1], str(digit), 40)


def _hand(svg: Svg, view: RoadView, seat: int, left: float, top: float, width: float, height: float) -> None:
    hand = view["hands"][seat]
    faces = [str(digit) for digit in hand["numbers"]] if hand["numbers"] is not None else [""] * hand["count"]
    room = 4.2 * width if width < HAND_WIDTH else 8 * width
    step = min(width * (0.5 if hand["numbers"] is None else 1.12), room / max(1, len(faces) - 1))
    for i, digit in enumerate(faces):
        x = left + i * step
        card(svg, x, top, width, COLOURS[int(digit) - 1] if digit else "", digit, height)


def _pranks(svg: Svg, view: RoadView, seat: int, right: float, top: float, width: float, height: float) -> None:
    """Draw a seat's pranks from the right: their names if the viewer may see them; used ones are crossed out."""
    pranks = view["pranks"][seat]
    cards: list[tuple[str, bool]] = [(prank, False) for prank in pranks["held"] or []]
    if pranks["held"] is None:
        cards = [("", False)] * pranks["count"]
    cards += [(prank, True) for prank in pranks["used"]]
    x = right
    for prank, used in cards:
        card_width = width if width > 60 or not prank else 84
        x -= card_width
        svg.begin("g", aria_label=f"{'used ' if used else ''}prank {prank}".strip(), opacity=".5" if used else None)
        svg.add("rect", x=x, y=top + 3, width=card_width, height=height, rx=8, fill=CORE, stroke=INK, stroke_width=1.4)
        svg.add("rect", x=x, y=top, width=card_width, height=height, rx=8, fill=PRANK, stroke=INK, stroke_width=1.4)
        middle = x + card_width / 2
        svg.glyph(PRANK_STAR, middle, top + height * (0.36 if prank else 0.5), height * 0.42, PAPER)
        if prank:
            svg.text(middle, top + height * 0.84, prank, 16 if card_width < 100 else 22, PAPER, anchor="middle")
        svg.end("g")
        x -= 8


def _bars(svg: Svg, view: RoadView, me: int) -> None:
    """Draw the points of each round as paired bars: the viewer's solid, the other's outlined."""
    bottom, step = 468, 37
    for i in range(ROUNDS):
        x = LEFT + i * step
        gains = view["gains"][i] if i < len(view["gains"]) else [0, 0]
        svg.add("path", d=f"M{x} {bottom}h{step - 7}", stroke=MUTED, stroke_width=1.5)
        for at, seat in enumerate((me, 1 - me)):
            height = 8.4 * gains[seat]
            if height:
                svg.add(
                    "rect",
                    x=x + 2 + 14 * at,
                    y=bottom - height,
                    width=11,
                    height=height,
                    fill=TEXT if seat == me else "#FFFFFF",
                    stroke=INK,
                    stroke_width=1.4,
                )
        current = i == len(view["gains"]) - 1
        svg.text(
            x + 15, bottom + 22, str(i + 1), 18, TEXT if current else MUTED, SANS, 700 if current else 400, "middle"
        )
