"""What a viewer of Nimble is sent: the same for every seat and watcher, for all moves are made openly.

`card` numbers are the owner's seat times 30 plus the place in the owner's set as dealt. Everybody sees when a card
comes up, so they tell nothing of its colours; they let a client follow a card from set to pile to stack and back.
"""

from typing import Literal, NotRequired, TypedDict

Checking = Literal["referee", "audit"]
Reason = Literal["out", "stalemate"]


class Card(TypedDict):
    """A card that lies open."""

    card: int
    owner: int
    frame: str
    circle: str


class Stack(TypedDict):
    """A target stack. `p1/7` places on the first stack if it is 7 high as seen (NB-11)."""

    height: int
    top: Card


class Player(TypedDict):
    set: int  # cards in the set
    next: int | None  # the number of the set's top card, which lies face down; null when the set is empty
    coming: NotRequired[list[Card]]  # with everything open: the cards that the set will show next
    pile: int  # cards in the discard pile
    top: Card | None  # the pile's top card
    left: int  # cards in both
    may_flip: bool
    may_take_back: bool
    may_turn_over: bool


class Last(TypedDict):
    """What the last move showed."""

    seat: int
    move: str
    card: Card | None  # the card that was flipped, placed or taken back; null for turning over
    stack: int | None  # where it was placed, 1 to 3
    covered: Card | None  # the card it was placed on


class Mistake(TypedDict):
    """A card that does not fit the one below it (NB-16)."""

    stack: int  # 1 to 3
    height: int  # from 1 at the bottom
    card: Card
    owner: int


class Result(TypedDict):
    """How the game ended, with the stacks laid out."""

    reason: Reason
    winners: list[int]
    places: list[int]  # by seat; equal ones share
    disqualified: list[int]
    mistakes: list[Mistake]
    stacks: list[list[Card]]  # each from the bottom


class NimbleView(TypedDict):
    viewer: int  # a seat, or -1 for a watcher
    checking: Checking
    goal: int  # who has so few cards left ends the game
    stacks: list[Stack]
    players: list[Player]
    last: Last | None
    result: Result | None  # null while the game goes on
