"""The types of Rainbow views. A face is a letter, or "?" if the viewer cannot see it.

`card` is the index of a card in the deck as dealt. It lets a client follow a card from deck to hand to row. It reveals
nothing, because everybody sees from which end a card is drawn.
"""

from typing import Literal, NotRequired, TypedDict

End = Literal["turn", "shade", "clash", "rainbow"]


class HandCard(TypedDict):
    card: int
    face: str
    under: NotRequired[str]  # in a full view: the face toward the opponent; `face` is the one toward the owner


class RowCard(TypedDict):
    card: int
    face: str
    under: NotRequired[str]  # with the option memory_aid, and in a full view: the face below


class RoundEnd(TypedDict):
    """The end of a round by the last move."""

    row: list[RowCard]  # at the end
    taker: int
    clashes_with: int | None  # the place in `row`, from 0, of the card that already showed the colour


class Last(TypedDict):
    """The last move and what it revealed."""

    seat: int
    move: str
    place: int | None  # the place in the row, from 0, of the card whose face came up
    face: str | None  # the face that came up
    end: End | None  # what the move ended; null if the turn continues
    round_end: RoundEnd | None
    drawn: int  # cards that the seat drew after the move


class RainbowView(TypedDict):
    viewer: int  # a seat, or -1 for a watcher
    round: int
    turn: int | None  # the seat to act; null when the game is over
    played: int  # cards played this turn
    may_turn_over: bool
    may_play: bool
    may_end: bool
    row: list[RowCard]
    hands: list[list[HandCard | None]]  # by seat and slot; null is an empty slot
    deck: int  # cards left
    next: str | None  # the viewer's side of the next card at their own end
    ends: NotRequired[list[HandCard]]  # in a full view: the next card at each seat's end; empty if the deck is
    piles: list[int]
    last: Last | None
