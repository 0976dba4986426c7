"""The types of Rainbow Road views. Spots are "a1" to "b5"; the ways round the ring are "+" and "-".

`card` is the id of a card: from 1 in the order in which cards were shown, so that a client can follow a card. Cards in
hands have no ids, because cards of one number are alike.
"""

from typing import Literal, TypedDict

Fairy = Literal["sunny", "rain"]
Weather = Literal["sunny", "rainy"]
Way = Literal["+", "-"]
Phase = Literal["play", "sunny", "rain", "over"]
Prank = Literal["exchange", "jump", "skip", "trash", "teleport", "recycle"]
DecidedBy = Literal["points", "last", "sunny"]


class Card(TypedDict):
    card: int
    number: int


class Spot(TypedDict):
    spot: str
    card: Card | None
    fairy: Fairy | None
    marker: int | None  # the seat whose marker is there


class Hand(TypedDict):
    count: int
    numbers: list[int] | None  # ascending; null if the viewer may not see them


class Pranks(TypedDict):
    count: int
    held: list[Prank] | None  # null if the viewer may not see them
    used: list[Prank]


class Movers(TypedDict):
    """RR-9 The seats that move the fairies this round."""

    sunny: int
    rain: int


class Choice(TypedDict):
    """A number in the viewer's hand, and the effect of playing it."""

    number: int
    moves: Fairy | None  # the fairy that the viewer would move; null while the other card is not known


class Step(TypedDict):
    """A card that the moving fairy can reach, and the hops to it."""

    spot: str
    hops: list[Way]
    points: int  # that the hops would bring


class PrankHop(TypedDict):
    """A jump or skip that the viewer may make now."""

    move: str
    spot: str  # the spot that it leads to
    points: int


class Walk(TypedDict):
    """The current move of a fairy."""

    fairy: Fairy
    seat: int
    origin: str  # the spot where it began
    way: Way | None  # null while both ways are possible
    points: int  # so far
    reach: list[Step]  # by plain hops
    prank_hops: list[PrankHop]  # only with pranks of the viewer
    pranked: bool  # a prank was used this round
    forced: bool  # every viewer can infer that the only legal move is to stop (RR-28)


class RoundEnd(TypedDict):
    """The end of a round by the last move."""

    round: int
    gains: list[int]
    starter: int  # of the next round


class Last(TypedDict):
    """The last move and its effect."""

    seat: int
    move: str
    fairy: Fairy | None  # the fairy that moved; null for a card played
    spots: list[str]  # of a hop: from, over, to; otherwise the spots that changed
    points: int
    card: Card | None  # the card that was put on the ring
    out: Card | None  # the card that was discarded
    movers: Movers | None  # if the move decided them
    ended: bool  # the fairy's move ended
    round_end: RoundEnd | None


class Result(TypedDict):
    """RR-12 The end of the game."""

    winner: int
    decided_by: DecidedBy  # a tie in points is decided by the last round, and a tie in that by the mover of Sunny


class RoadView(TypedDict):
    viewer: int  # a seat, or -1 for a watcher
    round: int  # 1 to 8
    weather: Weather
    weathers: list[Weather]  # RR-11 of every round
    climbs: Fairy  # the other fairy descends
    phase: Phase
    turn: int | None  # the seat to act; null when the game is over
    movers: Movers | None  # null until both cards are played
    ring: list[Spot]  # in the order of "+"
    places: list[str]  # spots to which the seat to act may play a card
    owed: str | None  # RR-25 the spot that the next card of its half must fill
    choices: list[Choice]  # empty unless the viewer is to play a card
    walk: Walk | None  # null unless a fairy moves
    hands: list[Hand]
    pranks: list[Pranks]
    discards: list[Card]  # newest first
    scores: list[int]
    gains: list[list[int]]  # points by round and seat, including the current round
    last: Last | None
    result: Result | None  # null while the game is being played
