"""What a viewer of Rainbow is sent. A face is its letter, or "?" where the viewer cannot see it.

`card` numbers follow the order of the deck as dealt. Everybody sees which end a card is drawn from, so they
tell nothing; they let a client follow a card from deck to hand to row.
"""

from typing import Literal, NotRequired, TypedDict

End = Literal["turn", "shade", "clash", "rainbow"]


class HandCard(TypedDict):
    card: int
    face: str
    under: NotRequired[str]  # with everything open: the face toward the opponent, and `face` the one toward its owner


class RowCard(TypedDict):
    card: int
    face: str
    under: NotRequired[str]  # with the option memory_aid: the face below, if the viewer has seen it


class RoundEnd(TypedDict):
    """A round that the last move won or lost."""

    row: list[RowCard]  # as it lay
    taker: int
    clashes_with: int | None  # place in that row, from 0, of the card that showed the colour already


class Last(TypedDict):
    """What the last move showed."""

    seat: int
    move: str
    place: int | None  # in the row, from 0, of the card whose face came up
    face: str | None  # that face
    end: End | None  # what the move ended, if anything
    round_end: RoundEnd | None
    drawn: int  # cards the seat drew after it


class RainbowView(TypedDict):
    viewer: int  # a seat, or -1 for a watcher
    round: int
    turn: int | None  # the seat to act; null when the game is over
    played: int  # cards this turn
    may_turn_over: bool
    may_play: bool
    may_end: bool
    row: list[RowCard]
    hands: list[list[HandCard | None]]  # by seat and slot; null is an empty slot
    deck: int  # cards left
    next: str | None  # the viewer's side of the next card at their own end
    ends: NotRequired[list[HandCard]]  # with everything open: the next card at each seat's end, while there is one
    piles: list[int]
    last: Last | None
