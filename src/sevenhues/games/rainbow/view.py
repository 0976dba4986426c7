"""Views of Rainbow positions, built only from faces that the viewer has seen."""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.bits import bit
from sevenhues.core.position import WATCHER
from sevenhues.games.rainbow.pieces import (
    CARDS,
    END,
    FACE_COUNT,
    FACES,
    HAND_SIZE,
    MOVES,
    NO_CARD,
    STANDARD,
    UNSEEN,
    card_in,
    face_of,
    row_entry,
)
from sevenhues.games.rainbow.rules import (
    LOST_TO_CLASH,
    LOST_TO_SHADE,
    MADE_RAINBOW,
    NO_MOVE,
    TURN_CONTINUES,
    TURN_ENDED,
    RainbowPosition,
)
from sevenhues.games.rainbow.view_types import End, HandCard, Last, RainbowView, RoundEnd, RowCard

HIDDEN: Final = "?"

ENDS: Final[dict[int, End]] = {
    TURN_ENDED: "turn",
    LOST_TO_SHADE: "shade",
    LOST_TO_CLASH: "clash",
    MADE_RAINBOW: "rainbow",
}


class KnownFaces:
    """The faces that a viewer has seen; with `everything`, all faces."""

    def __init__(self, position: RainbowPosition, viewer: i64, everything: bool = False) -> None:
        self.deck = position.deck
        self.viewer: i64 = viewer
        self.everything = everything
        self.shows_under = everything or position.memory_aid
        self.known_0 = bit(CARDS) - 1 if everything else position.known(viewer, 0)
        self.known_1 = bit(CARDS) - 1 if everything else position.known(viewer, 1)

    def face(self, card: i64, side: i64) -> i64:
        """Return the face of a card toward `side`, or UNSEEN."""
        known = self.known_1 if side else self.known_0
        return face_of(self.deck, card, side) if (known >> card) & 1 else UNSEEN

    def facing(self, card: i64) -> i64:
        """Return the face toward the viewer of a card in a hand or the deck, or UNSEEN."""
        return UNSEEN if self.viewer < 0 else self.face(card, self.viewer)


def letter(face: i64) -> str:
    """Return the letter of a face, or HIDDEN."""
    return FACES[face] if face < FACE_COUNT else HIDDEN


def view(position: RainbowPosition, viewer: int) -> RainbowView:
    """Build the view of a seat or WATCHER."""
    return _build(position, KnownFaces(position, viewer))


def full_view(position: RainbowPosition) -> RainbowView:
    """Build a watcher's view with both faces of every card in play."""
    known = KnownFaces(position, WATCHER, True)
    view = _build(position, known)
    view["ends"] = [_open_card(known, position.back if seat else position.front, seat) for seat in range(2)]
    if position.deck_count() == 0:
        view["ends"] = []
    return view


def _build(position: RainbowPosition, known: KnownFaces) -> RainbowView:
    moves = position.legal(position.turn)
    return RainbowView(
        viewer=known.viewer,
        round=position.round,
        turn=None if position.over else position.turn,
        played=position.played,
        may_turn_over=any([move < STANDARD for move in moves]),
        may_play=any([STANDARD <= move < END for move in moves]),
        may_end=END in moves,
        row=_row(known, position.row, position.row_length),
        hands=[_hand(known, position, seat) for seat in range(2)],
        deck=position.deck_count(),
        next=_next(known, position),
        piles=position.scores(),
        last=_last(known, position),
    )


def _row(known: KnownFaces, row: i64, length: i64) -> list[RowCard]:
    cards: list[RowCard] = []
    for place in range(length):
        entry = row_entry(row, place)
        shown = RowCard(card=entry >> 1, face=letter(known.face(entry >> 1, entry & 1)))
        if known.shows_under:
            shown["under"] = letter(known.face(entry >> 1, 1 - (entry & 1)))
        cards.append(shown)
    return cards


def _hand(known: KnownFaces, position: RainbowPosition, seat: i64) -> list[HandCard | None]:
    # RB-5 A seat sees the face toward itself of every card in both hands.
    cards: list[HandCard | None] = []
    for slot in range(HAND_SIZE):
        card = card_in(position.hands, seat, slot)
        if card == NO_CARD:
            cards.append(None)
        elif known.everything:
            cards.append(_open_card(known, card, seat))
        else:
            cards.append(HandCard(card=card, face=letter(known.facing(card))))
    return cards


def _open_card(known: KnownFaces, card: i64, seat: i64) -> HandCard:
    """Build a card with both faces; `face` is the one toward the seat."""
    return HandCard(card=card, face=letter(known.face(card, seat)), under=letter(known.face(card, 1 - seat)))


def _next(known: KnownFaces, position: RainbowPosition) -> str | None:
    # RB-6 A seat sees the next card at its own end of the deck.
    if position.deck_count() == 0 or known.viewer == WATCHER:
        return None
    return letter(known.facing(position.back if known.viewer else position.front))


def _last(known: KnownFaces, position: RainbowPosition) -> Last | None:
    # RB-23 Every viewer sees the slot, the kind and the face of a play.
    if position.last_move == NO_MOVE:
        return None
    ended_round = position.last_end > TURN_ENDED
    place: int | None = None
    face: str | None = None
    if position.last_move != END:
        row = position.last_row if ended_round else position.row
        entry = row_entry(row, position.last_place)
        place = position.last_place
        face = letter(known.face(entry >> 1, entry & 1))
    return Last(
        seat=position.last_seat,
        move=MOVES[position.last_move],
        place=place,
        face=face,
        end=None if position.last_end == TURN_CONTINUES else ENDS[position.last_end],
        round_end=_round_end(known, position) if ended_round else None,
        drawn=position.last_drawn,
    )


def _round_end(known: KnownFaces, position: RainbowPosition) -> RoundEnd:
    row = _row(known, position.last_row, position.last_length)
    clash: int | None = None
    if position.last_end == LOST_TO_CLASH:
        offender = row[position.last_place]
        for place, card in enumerate(row):
            if card["face"] == offender["face"] and card["card"] != offender["card"]:
                clash = place
    taker = position.last_seat if position.last_end == MADE_RAINBOW else 1 - position.last_seat
    return RoundEnd(row=row, taker=taker, clashes_with=clash)
