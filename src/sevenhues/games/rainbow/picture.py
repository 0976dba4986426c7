"""A picture of Rainbow: the row between both hands, the deck on edge, and the won cards."""

from collections.abc import Sequence
from typing import Final

from sevenhues.games.rainbow.drawing import describe_last_move
from sevenhues.games.rainbow.pieces import HAND_SIZE, RAINBOW
from sevenhues.games.rainbow.view_types import HandCard, RainbowView, RowCard
from sevenhues.render.pieces import (
    CARD_SHAPE,
    FACES,
    INK,
    PAPER,
    SHEET,
    arch,
    card,
    chip,
    empty_place,
    pile,
    rack,
    ring,
)
from sevenhues.render.svg import SANS
from sevenhues.render.table import HEIGHT, LINEN, MUTED, PANEL, TEXT, WIDTH, Plate, Table, full_names

ROW_LEFT: Final = PANEL + 26
ROW_TOP: Final = 218
ROW_WIDTH: Final = 106  # of a card
ROW_GAP: Final = 14
HAND_X: Final = 731  # the middle of both hands
OTHER_TOP: Final = 22
OTHER_WIDTH: Final = 98
OWN_TOP: Final = 436
OWN_WIDTH: Final = 116
HAND_GAP: Final = 18
DECK_LEFT: Final = 1094
DECK_WIDTH: Final = 80
DECK_MIDDLE: Final = 292
DECK_STEP: Final = 8  # of an edge
UNDER_SIZE: Final = 38  # of the sign of a face below, where a view has it


def picture(view: RainbowView, names: Sequence[str]) -> str:
    """Draw a view as SVG."""
    players = full_names(names, 2)
    table = Table("Rainbow", LINEN, players)
    me = 1 if view["viewer"] == 1 else 0
    _motif(table)
    _hand(table, view, 1 - me, False)
    _row(table, view)
    _hand(table, view, me, True)
    _deck(table, view, me)
    for seat, bottom in ((1 - me, 150), (me, 596)):
        pile(table.svg, ROW_LEFT, bottom, 82, view["piles"][seat], 112)
    table.panel(_status(view, players))
    table.plates([_plate(view, seat) for seat in (1 - me, me)])
    table.caption(describe_last_move(view["last"]), 400)
    return table.document()


def _status(view: RainbowView, names: Sequence[str]) -> str:
    if view["turn"] is not None:
        return f"Round {view['round']}"
    first, second = view["piles"]
    if first == second:
        return "A draw"
    return f"{names[0] if first > second else names[1]} wins"


def _plate(view: RainbowView, seat: int) -> Plate:
    turn = view["turn"]
    won = turn is None and view["piles"][seat] > view["piles"][1 - seat]
    if turn == seat:
        detail = "to play" if view["may_play"] else "to turn one over"
        if view["may_play"] and view["may_turn_over"]:
            detail = "to play or turn"
    else:
        held = len([card for card in view["hands"][seat] if card is not None])
        detail = f"{held} cards in hand" if held != 1 else "1 card in hand"
    return Plate(seat, detail, view["piles"][seat], "won", turn == seat, won)


def _motif(table: Table) -> None:
    arcs = ""
    for i in range(7):
        radius = 300 + 62 * i
        arcs += f"M{(PANEL + WIDTH) // 2 - radius} {HEIGHT + 70}a{radius} {radius} 0 0 1 {2 * radius} 0"
    table.svg.add("path", d=arcs, fill="none", stroke=table.mat.motif, stroke_width=18)


def _row(table: Table, view: RainbowView) -> None:
    svg, last = table.svg, view["last"]
    height = ROW_WIDTH * CARD_SHAPE
    for place in range(RAINBOW):
        x = ROW_LEFT + place * (ROW_WIDTH + ROW_GAP)
        if place < len(view["row"]):
            shown = view["row"][place]
            if last is not None and last["place"] == place and last["round_end"] is None:
                ring(svg, x, ROW_TOP, ROW_WIDTH, height)
            card(svg, x, ROW_TOP, ROW_WIDTH, shown["face"])
            _under(table, x, ROW_TOP, ROW_WIDTH, shown)
        else:
            empty_place(svg, x, ROW_TOP, ROW_WIDTH, height)
            if place == RAINBOW - 1:
                arch(svg, x + ROW_WIDTH / 2, ROW_TOP + height * 0.62, ROW_WIDTH * 0.62)
        svg.text(x + ROW_WIDTH / 2, ROW_TOP + height + 30, str(place + 1), 20, MUTED, SANS, anchor="middle")


def _hand(table: Table, view: RainbowView, seat: int, own: bool) -> None:
    svg = table.svg
    top, width = (OWN_TOP, OWN_WIDTH) if own else (OTHER_TOP, OTHER_WIDTH)
    whole = HAND_SIZE * width + (HAND_SIZE - 1) * HAND_GAP
    left = HAND_X - whole / 2
    for slot, held in enumerate(view["hands"][seat]):
        x = left + slot * (width + HAND_GAP)
        if held is None:
            empty_place(svg, x, top, width, width * CARD_SHAPE)
        else:
            card(svg, x, top, width, held["face"])
            _under(table, x, top, width, held)
    rack_top = top + width * 1.06
    rack(svg, left - 24, rack_top, whole + 48, 36)
    for slot in range(HAND_SIZE):
        x = left + slot * (width + HAND_GAP) + width / 2
        svg.text(x, rack_top + 27, str(slot + 1), 22, PAPER, SANS, anchor="middle")


def _under(table: Table, x: float, y: float, width: float, shown: HandCard | RowCard) -> None:
    """Draw the other face of a card as a small sign in its corner, where the view has it."""
    sign = FACES.get(shown.get("under", ""))
    if sign is not None:
        chip(table.svg, x + width - 12, y + 12, UNDER_SIZE, sign)


def _deck(table: Table, view: RainbowView, me: int) -> None:
    """Draw the deck on edge, with the next cards that the view shows at its ends."""
    svg, count = table.svg, view["deck"]
    ends = view.get("ends", [])
    first, last = (ends[1 - me]["face"], ends[me]["face"]) if ends else ("", view["next"] or "")
    small = DECK_WIDTH * 0.9
    space = small * CARD_SHAPE + 8
    edges = max(0, count - len([face for face in (first, last) if face]))
    length = edges * DECK_STEP + space * len([face for face in (first, last) if face])
    y = DECK_MIDDLE - length / 2
    if count == 0:
        empty_place(svg, DECK_LEFT, DECK_MIDDLE - space / 2, DECK_WIDTH, space)
        y -= space / 2
        length = space
    if first:
        card(svg, DECK_LEFT + 4, y, small, first)
        y += space
    for i in range(edges):
        svg.add(
            "rect",
            x=DECK_LEFT,
            y=y + i * DECK_STEP,
            width=DECK_WIDTH,
            height=DECK_STEP + 1.6,
            rx=2,
            fill=PAPER if i % 2 else SHEET,
            stroke=INK,
            stroke_width=0.8,
        )
    if last:
        card(svg, DECK_LEFT + 4, y + edges * DECK_STEP + 8, small, last)
    bottom = DECK_MIDDLE + length / 2 + 40
    svg.text(DECK_LEFT + DECK_WIDTH / 2, bottom, f"{count} left", 24, TEXT, anchor="middle")
