"""A picture of Nimble: the three stacks, each player's set and pile, and how far the race has come."""

from collections.abc import Sequence
from typing import Final

from sevenhues.games.nimble.drawing import describe_last_move
from sevenhues.games.nimble.pieces import SET, STACKS
from sevenhues.games.nimble.view_types import Card, NimbleView
from sevenhues.render.pieces import INK, PAPER, Sign, blank, empty_place, ring
from sevenhues.render.svg import SANS, Svg, fitted, number
from sevenhues.render.table import DESK, MUTED, PANEL, TEXT, WIDTH, Mat, Place, Plate, Table, full_names

BOOKS: Final = {
    sign.letter: sign
    for sign in (
        Sign(
            "A",
            "Alice",
            "#2DC8E1",
            INK,
            "M2.5 6h14v1.6h1.7a4 4 0 0 1 0 8h-2.6A7 7 0 0 1 9.5 19 7 7 0 0 1 2.5 12Z"
            "M16.5 10v2.2q0 .5-.1 1h1.7a1.6 1.6 0 0 0 0-3.2ZM1.5 20.3h16v2.2h-16Z",
        ),
        Sign(
            "M",
            "Moby-Dick",
            "#141D65",
            PAPER,
            "M12 22.5C11.2 17.6 10.8 14.6 9.3 12.3 5.6 12 2.6 9.4 1 3.6 6 3.2 10 5 12 8.8 "
            "14 5 18 3.2 23 3.6 21.4 9.4 18.4 12 14.7 12.3 13.2 14.6 12.8 17.6 12 22.5Z"
            "M2 17.5q2.2-2 4.4 0l-.9 2q-1.3-1-2.6 0ZM22 17.5q-2.2-2-4.4 0l.9 2q1.3-1 2.6 0Z",
        ),
        Sign(
            "E",
            "Eighty Days",
            "#FFE47D",
            INK,
            "M9.2 1h5.6v2.4h-1.3v1.9a8.9 8.9 0 1 1-3 0V3.4H9.2ZM10.8 8.6v6.6h5.6v-2.4h-3.2V8.6Z",
        ),
        Sign(
            "W",
            "War of the Worlds",
            "#A80017",
            PAPER,
            "M3.5 9.5C3.5 4.6 7 2 12 2s8.5 2.6 8.5 7.5ZM9.5 5.2v2.2h5V5.2ZM6.4 11h3.1L6 22.5H2.9Z"
            "M10.6 11h2.8v11.5h-2.8ZM14.5 11h3.1l3.5 11.5H18Z",
        ),
        Sign(
            "P",
            "Pinocchio",
            "#6C995C",
            INK,
            "M1.8 9.2 10.8 1.2 15 9.2ZM2.6 10.8h11.6v1.7h7.6a1.5 1.5 0 0 1 0 3h-7.7A6 6 0 0 1 2.6 16.5Z"
            "M9.4 12.6v2.2h2.2v-2.2Z",
        ),
        Sign(
            "Q",
            "Don Quixote",
            "#9254C1",
            PAPER,
            "M13.3 9.7L20.7 12.4 19.6 15.4 14.1 13.4ZM11.5 10.5L8.8 17.9 5.8 16.8 7.8 11.3ZM10.7 8.7L3.3 6 4.4 3 9.9 5Z"
            "M12.5 7.9L15.2.5 18.2 1.6 16.2 7.1ZM12 7.6a1.6 1.6 0 1 0 .01 0ZM10.1 12.4h3.8L16.6 23H7.4Z",
        ),
    )
}
BACKS: Final = ("#5A4636", "#37504A", "#5B4A6B", "#6B4A52")  # by owner
BOOK: Final = (
    "M12 6.5C9.5 4.3 6 3.8 2 4.3V19c4-.5 7.5 0 10 2 2.5-2 6-2.5 10-2V4.3c-4-.5-7.5 0-10 2.2Z"
    "M11 8.5V18c-2-1-4.5-1.4-7-1.3V6.2c3-.1 5.5.7 7 2.3Z"
)
SHAPE: Final = 1.37  # a card's height by its width
STACK_WIDTH: Final = 180
STACK_TOP: Final = 46
STACK_STEP: Final = 252
SHELF: Final = Mat("#E0CBBF", "#CDB4A6")
MIDDLE_X: Final = (PANEL + WIDTH) / 2 + 2
PLAYERS_TOP: Final = 414


def picture(view: NimbleView, names: Sequence[str]) -> str:
    """Draw a view as SVG."""
    seats = len(view["players"])
    players = full_names(names, seats)
    table = Table("Nimble", DESK, players)
    _stacks(table.svg, view)
    for seat in range(seats):
        _player(table.svg, view, seat, players[seat])
    table.panel(_status(view, players))
    places = table.plates([_plate(view, seat) for seat in range(seats)])
    out = [] if view["result"] is None else view["result"]["disqualified"]
    for seat, place in enumerate(places):
        if seat not in out:
            _lane(table.svg, view, seat, place)
    bottom = places[-1].y + places[-1].height
    table.caption(describe_last_move(view["last"]), bottom)
    return table.document()


def _status(view: NimbleView, names: Sequence[str]) -> str:
    result = view["result"]
    if result is None:
        return "Everybody plays at once"
    winners = [names[seat] for seat in result["winners"]]
    if not winners:
        return "Nobody wins"
    return f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} win"


def _plate(view: NimbleView, seat: int) -> Plate:
    result = view["result"]
    won = result is not None and seat in result["winners"]
    detail = "disqualified" if result is not None and seat in result["disqualified"] else ""
    return Plate(seat, detail, view["players"][seat]["left"], "left", False, won)


def _lane(svg: Svg, view: NimbleView, seat: int, place: Place) -> None:
    """Draw how many cards a player has got rid of, as a line on the plate."""
    y, width = place.y + place.height - 24, place.width - 110
    part = 1 - max(0, view["players"][seat]["left"] - view["goal"]) / (SET - view["goal"])
    colour = PAPER if place.inverted else TEXT
    x = place.x + 18
    svg.add(
        "path", d=f"M{number(x)} {number(y)}h{number(width)}", stroke="#8D8096", stroke_width=3, stroke_linecap="round"
    )
    if part > 0:
        svg.add(
            "path",
            d=f"M{number(x)} {number(y)}h{number(width * part)}",
            stroke=colour,
            stroke_width=8,
            stroke_linecap="round",
        )


def _stacks(svg: Svg, view: NimbleView) -> None:
    """Draw the three stacks on their shelf, with what each takes."""
    height = STACK_WIDTH * SHAPE
    left = MIDDLE_X - STACK_STEP * (STACKS - 1) / 2 - STACK_WIDTH / 2
    svg.add(
        "rect",
        x=left - 36,
        y=STACK_TOP - 26,
        width=STACK_STEP * 2 + STACK_WIDTH + 72,
        height=height + 92,
        rx=20,
        fill=SHELF.ground,
        stroke=SHELF.motif,
        stroke_width=3,
    )
    last = view["last"]
    for i, stack in enumerate(view["stacks"]):
        x = left + STACK_STEP * i
        for edge in range(min(4, stack["height"] - 1), 0, -1):
            blank(svg, x, STACK_TOP + 5 * edge, STACK_WIDTH, height)
        if last is not None and last["stack"] == i + 1:
            ring(svg, x, STACK_TOP, STACK_WIDTH, height)
        book_card(svg, x, STACK_TOP, STACK_WIDTH, stack["top"])
        svg.text(
            x + STACK_WIDTH / 2, STACK_TOP + height + 50, f"{stack['height']} high", 22, MUTED, SANS, 400, "middle"
        )


def _player(svg: Svg, view: NimbleView, seat: int, name: str) -> None:
    """Draw a player's set and pile."""
    seats, player = len(view["players"]), view["players"][seat]
    column = (WIDTH - PANEL - 30) / max(2, seats)
    middle = MIDDLE_X + (seat - (seats - 1) / 2) * column
    width = 100 if seats < 4 else 88
    gap = 18 if seats < 4 else 8
    svg.text(middle, PLAYERS_TOP + 22, fitted(name, 22, column - 14), 22, TEXT, anchor="middle")
    top = PLAYERS_TOP + 40
    left = middle - width - gap / 2
    if player["set"]:
        _back(svg, left, top, width, seat, player["set"])
    else:
        empty_place(svg, left, top, width, width * SHAPE)
    x = middle + gap / 2
    if player["top"] is not None:
        for edge in range(min(2, player["pile"] - 1), 0, -1):
            blank(svg, x, top + 4 * edge, width, width * SHAPE)
        last = view["last"]
        if last is not None and last["card"] is not None and last["card"]["card"] == player["top"]["card"]:
            ring(svg, x, top, width, width * SHAPE)
        book_card(svg, x, top, width, player["top"])
    else:
        empty_place(svg, x, top, width, width * SHAPE)
    coming = player.get("coming", [])
    for i, card in enumerate(coming):
        book_card(svg, left + 4 + 30 * i, top + 10, 26, card)


def _back(svg: Svg, x: float, y: float, width: float, owner: int, count: int) -> None:
    """Draw a set that lies face down: its owner's colour, and how many cards it has."""
    height = width * SHAPE
    svg.begin("g", aria_label=f"set of {count} cards")
    for edge in range(min(3, count - 1), 0, -1):
        blank(svg, x, y + 4 * edge, width, height)
    blank(svg, x, y, width, height)
    rim = width * 0.05
    svg.add("rect", x=x + rim, y=y + rim, width=width - 2 * rim, height=height - 2 * rim, rx=6, fill=BACKS[owner % 4])
    middle_x, middle_y = x + width / 2, y + height / 2
    svg.add("circle", cx=middle_x, cy=middle_y - 14, r=width * 0.26, fill=PAPER, stroke=INK)
    svg.glyph(BOOK, middle_x, middle_y - 14, width * 0.3, BACKS[owner % 4])
    svg.text(middle_x, y + height - 16, str(count), 28, PAPER, anchor="middle")
    svg.end("g")


def book_card(svg: Svg, x: float, y: float, width: float, card: Card) -> None:
    """Draw a card: a frame of one book's colour, a circle of another's."""
    frame, circle = BOOKS[card["frame"]], BOOKS[card["circle"]]
    height = width * SHAPE
    svg.begin("g", aria_label=f"{frame.name} around {circle.name}")
    blank(svg, x, y, width, height)
    rim = max(2, width * 0.045)
    svg.add("rect", x=x + rim, y=y + rim, width=width - 2 * rim, height=height - 2 * rim, rx=rim * 1.4, fill=frame.hue)
    middle_x, middle_y = x + width / 2, y + height / 2
    svg.add("circle", cx=middle_x, cy=middle_y, r=width * 0.355, fill=PAPER, stroke=INK)
    svg.add("circle", cx=middle_x, cy=middle_y, r=width * 0.31, fill=circle.hue)
    svg.glyph(circle.glyph, middle_x, middle_y, width * 0.4, circle.print)
    corner, letter = width * 0.2, width * 0.17
    for turn in (0, 180):
        svg.begin("g", transform=f"rotate({turn} {number(middle_x)} {number(middle_y)})")
        svg.glyph(frame.glyph, x + width * 0.19, y + width * 0.2, corner, frame.print)
        svg.text(x + width * 0.88, y + width * 0.25, frame.letter, letter, frame.print, anchor="end")
        svg.end("g")
    svg.end("g")
