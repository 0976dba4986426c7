"""Builds what a viewer may see of a position, only from faces that viewer has seen."""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.bits import bit
from sevenhues.core.encoder import Feature
from sevenhues.core.position import WATCHER
from sevenhues.games.rainbow.pieces import (
    CARDS,
    END,
    FACE_COUNT,
    FACES,
    HAND,
    MOST_TURNED,
    MOVES,
    NO_CARD,
    STANDARD,
    UNSEEN,
    card_in,
    face_of,
    lying_at,
)
from sevenhues.games.rainbow.rules import (
    GOES_ON,
    LOST_TO_CLASH,
    LOST_TO_SHADE,
    MADE_RAINBOW,
    NO_MOVE,
    TURN_ENDED,
    RainbowPosition,
)
from sevenhues.games.rainbow.view_types import End, HandCard, Last, RainbowView, RoundEnd, RowCard

HIDDEN: Final = "?"
NOTHING: Final = 10  # in features: no card there

ENDS: Final[dict[int, End]] = {
    TURN_ENDED: "turn",
    LOST_TO_SHADE: "shade",
    LOST_TO_CLASH: "clash",
    MADE_RAINBOW: "rainbow",
}

FACE_CODES: Final = "0-8 a face (ROYGBIVWK), 9 unseen, 10 no card"
LAYOUT: Final = (
    Feature("my_turn", 1, 1, "1 if the viewer is to act (for a watcher: seat 0)"),
    Feature("over", 1, 1, "1 if the game is over"),
    Feature("played", 1, HAND, "cards played this turn"),
    Feature("turned", 1, 1, "1 if the turn's last action was a turning-over"),
    Feature("my_hand", HAND, NOTHING, f"the viewer's hand by slot: {FACE_CODES}"),
    Feature("other_hand", HAND, NOTHING, f"the opponent's hand by slot: {FACE_CODES}"),
    Feature("row", MOST_TURNED, NOTHING, f"the row by place: {FACE_CODES}"),
    Feature("row_under", MOST_TURNED, NOTHING, f"the faces below, as far as ever seen: {FACE_CODES}"),
    Feature("deck", 1, CARDS, "cards left in the deck"),
    Feature("next", 1, NOTHING, f"the next card at the viewer's end: {FACE_CODES}"),
    Feature("my_pile", 1, CARDS, "cards the viewer has won"),
    Feature("other_pile", 1, CARDS, "cards the opponent has won"),
)

RECALL_LAYOUT: Final = (
    Feature("my_first", 1, 1, "1 if the viewer (for a watcher: seat 0) began the game"),
    Feature("toward_me", CARDS, UNSEEN, "of each card as dealt, from the viewer's end, the face toward the viewer"),
    Feature("away", CARDS, UNSEEN, "and the face toward the opponent; 9 where the viewer has not seen it"),
)


class Eyes:
    """The faces one viewer has seen; or all, once everything is open."""

    def __init__(self, position: RainbowPosition, viewer: i64, everything: bool = False) -> None:
        self.deck = position.deck
        self.viewer: i64 = viewer
        self.everything = everything
        self.aided = everything or position.memory_aid
        self.known_0 = bit(CARDS) - 1 if everything else position.known(viewer, 0)
        self.known_1 = bit(CARDS) - 1 if everything else position.known(viewer, 1)

    def face(self, card: i64, side: i64) -> i64:
        """Return the face of a card toward a side, or UNSEEN."""
        known = self.known_1 if side else self.known_0
        return face_of(self.deck, card, side) if (known >> card) & 1 else UNSEEN

    def facing(self, card: i64) -> i64:
        """Return the face that a card in a hand or the deck turns toward the viewer, or UNSEEN."""
        return UNSEEN if self.viewer < 0 else self.face(card, self.viewer)


def letter(face: i64) -> str:
    """Write a face."""
    return FACES[face] if face < FACE_COUNT else HIDDEN


def view(position: RainbowPosition, viewer: int) -> RainbowView:
    """Build the view of a seat or WATCHER."""
    return _seen(position, Eyes(position, viewer))


def full_view(position: RainbowPosition) -> RainbowView:
    """Build the view of somebody who may see both faces of every card in play."""
    eyes = Eyes(position, WATCHER, True)
    whole = _seen(position, eyes)
    whole["ends"] = [_open_card(eyes, position.back if seat else position.front, seat) for seat in range(2)]
    if position.deck_count() == 0:
        whole["ends"] = []
    return whole


def _seen(position: RainbowPosition, eyes: Eyes) -> RainbowView:
    moves = position.legal(position.turn)
    return RainbowView(
        viewer=eyes.viewer,
        round=position.round,
        turn=None if position.over else position.turn,
        played=position.played,
        may_turn_over=any([move < STANDARD for move in moves]),
        may_play=any([STANDARD <= move < END for move in moves]),
        may_end=END in moves,
        row=_row(eyes, position.row, position.row_length),
        hands=[_hand(eyes, position, seat) for seat in range(2)],
        deck=position.deck_count(),
        next=_next(eyes, position),
        piles=position.scores(),
        last=_last(eyes, position),
    )


def _row(eyes: Eyes, row: i64, length: i64) -> list[RowCard]:
    cards: list[RowCard] = []
    for place in range(length):
        lying = lying_at(row, place)
        seen = RowCard(card=lying >> 1, face=letter(eyes.face(lying >> 1, lying & 1)))
        if eyes.aided:
            seen["under"] = letter(eyes.face(lying >> 1, 1 - (lying & 1)))
        cards.append(seen)
    return cards


def _hand(eyes: Eyes, position: RainbowPosition, seat: i64) -> list[HandCard | None]:
    # RB-5 Of every card in either hand one sees the face turned to oneself.
    cards: list[HandCard | None] = []
    for slot in range(HAND):
        card = card_in(position.hands, seat, slot)
        if card == NO_CARD:
            cards.append(None)
        elif eyes.everything:
            cards.append(_open_card(eyes, card, seat))
        else:
            cards.append(HandCard(card=card, face=letter(eyes.facing(card))))
    return cards


def _open_card(eyes: Eyes, card: i64, seat: i64) -> HandCard:
    """Show both sides of a card that stands toward a seat."""
    return HandCard(card=card, face=letter(eyes.face(card, seat)), under=letter(eyes.face(card, 1 - seat)))


def _next(eyes: Eyes, position: RainbowPosition) -> str | None:
    # RB-6 Of the deck one sees the next card at one's own end.
    if position.deck_count() == 0 or eyes.viewer == WATCHER:
        return None
    return letter(eyes.facing(position.back if eyes.viewer else position.front))


def _last(eyes: Eyes, position: RainbowPosition) -> Last | None:
    # RB-23 A play is made openly.
    if position.last_move == NO_MOVE:
        return None
    ended_round = position.last_end > TURN_ENDED
    place: int | None = None
    face: str | None = None
    if position.last_move != END:
        row = position.last_row if ended_round else position.row
        lying = lying_at(row, position.last_place)
        place = position.last_place
        face = letter(eyes.face(lying >> 1, lying & 1))
    return Last(
        seat=position.last_seat,
        move=MOVES[position.last_move],
        place=place,
        face=face,
        end=None if position.last_end == GOES_ON else ENDS[position.last_end],
        round_end=_round_end(eyes, position) if ended_round else None,
        drawn=position.last_drawn,
    )


def _round_end(eyes: Eyes, position: RainbowPosition) -> RoundEnd:
    row = _row(eyes, position.last_row, position.last_length)
    clash: int | None = None
    if position.last_end == LOST_TO_CLASH:
        offender = row[position.last_place]
        for place, card in enumerate(row):
            if card["face"] == offender["face"] and card["card"] != offender["card"]:
                clash = place
    taker = position.last_seat if position.last_end == MADE_RAINBOW else 1 - position.last_seat
    return RoundEnd(row=row, taker=taker, clashes_with=clash)


def features(position: RainbowPosition, viewer: int) -> list[int]:
    """Number what a seat or WATCHER knows, in the order of LAYOUT."""
    eyes = Eyes(position, viewer)
    me: i64 = max(viewer, 0)
    scores = position.scores()
    numbers: list[int] = [
        int(not position.over and position.turn == me),
        int(position.over),
        position.played,
        int(position.turned),
    ]
    for seat in (me, 1 - me):
        for slot in range(HAND):
            card = card_in(position.hands, seat, slot)
            numbers.append(NOTHING if card == NO_CARD else eyes.facing(card))
    for flip in range(2):
        for place in range(MOST_TURNED):
            lying = lying_at(position.row, place) ^ flip
            numbers.append(eyes.face(lying >> 1, lying & 1) if place < position.row_length else NOTHING)
    deck = position.deck_count()
    numbers.append(deck)
    numbers.append(NOTHING if deck == 0 else eyes.facing(position.back if me else position.front))
    numbers.append(scores[me])
    numbers.append(scores[1 - me])
    return numbers


def recall(position: RainbowPosition, viewer: int) -> list[int]:
    """Number every face a seat or WATCHER has seen, in the order of RECALL_LAYOUT."""
    eyes = Eyes(position, viewer)
    me: i64 = max(viewer, 0)
    numbers: list[int] = [int(position.first == me)]
    for side in (me, 1 - me):
        for place in range(CARDS):
            numbers.append(eyes.face(CARDS - 1 - place if me else place, side))
    return numbers
