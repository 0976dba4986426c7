"""The view of Nimble. All seats and watchers get the same view, since all moves are public.

The number of a card, `card`, is its owner's seat times 30 plus its place in the owner's dealt set. The order in which
cards come up is public, so the number reveals nothing about the colours. It lets a client follow a card from set to
pile to stack and back.
"""

from typing import Literal, NotRequired, TypedDict

Checking = Literal["referee", "audit"]
Reason = Literal["out", "stalemate"]


class Card(TypedDict):
    """A face-up card."""

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
    next: int | None  # the number of the set's top card, which is face down; null if the set is empty
    coming: NotRequired[list[Card]]  # in the full view only: the next cards of the set
    pile: int  # cards in the discard pile
    top: Card | None  # the pile's top card
    left: int  # cards in both
    may_flip: bool
    may_take_back: bool
    may_turn_over: bool


class Last(TypedDict):
    """The last move and its result."""

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
    """The end of the game, with all cards of the stacks."""

    reason: Reason
    winners: list[int]
    places: list[int]  # by seat; ties share a place
    disqualified: list[int]
    mistakes: list[Mistake]
    stacks: list[list[Card]]  # each from the bottom


class NimbleView(TypedDict):
    viewer: int  # a seat, or -1 for a watcher
    checking: Checking
    goal: int  # the number of cards left at which a seat ends the game
    stacks: list[Stack]
    players: list[Player]
    last: Last | None
    result: Result | None  # null while the game is being played
