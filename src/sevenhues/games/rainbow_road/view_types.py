"""What a viewer of Rainbow Road is sent. Spots are "a1" to "b5", ways round the ring "+" and "-".

Cards are numbered from 1 in the order in which they were laid open, so that a client can follow one. Cards in hands
have no such numbers, since those of one number are alike.
"""

from typing import Literal, TypedDict

Fairy = Literal["sunny", "rain"]
Weather = Literal["sunny", "rainy"]
Way = Literal["+", "-"]
Phase = Literal["play", "sunny", "rain", "over"]
Prank = Literal["exchange", "jump", "skip", "trash", "teleport", "recycle"]


class Card(TypedDict):
    card: int
    number: int


class Spot(TypedDict):
    spot: str
    card: Card | None
    fairy: Fairy | None
    marker: int | None  # whose lies there


class Hand(TypedDict):
    count: int
    numbers: list[int] | None  # ascending; null if the viewer may not see them


class Pranks(TypedDict):
    count: int
    held: list[Prank] | None  # null if the viewer may not see them
    used: list[Prank]


class Movers(TypedDict):
    """RR-9 Who moves which fairy this round."""

    sunny: int
    rain: int


class Choice(TypedDict):
    """What playing a number from the viewer's hand would mean."""

    number: int
    moves: Fairy | None  # the fairy it would let them move; null while the other card is not known


class Step(TypedDict):
    """A card the moving fairy can walk to, and how."""

    spot: str
    hops: list[Way]
    points: int  # that the walk would bring


class PrankHop(TypedDict):
    """A jump or skip that the viewer may make now."""

    move: str
    spot: str  # where it leads
    points: int


class Walk(TypedDict):
    """The move of a fairy that is going on."""

    fairy: Fairy
    seat: int
    origin: str  # where it began
    way: Way | None  # once there is no choice left
    points: int  # so far
    reach: list[Step]  # by plain hops
    prank_hops: list[PrankHop]  # only what the viewer holds
    pranked: bool  # a prank was used
    forced: bool  # everybody can see that only stopping is left (RR-28)


class RoundEnd(TypedDict):
    """A round that the last move ended."""

    round: int
    gains: list[int]
    starter: int  # of the next round


class Last(TypedDict):
    """What the last move showed."""

    seat: int
    move: str
    fairy: Fairy | None  # whose move it belongs to; null for a card played
    spots: list[str]  # a way: from, over, to; else the spots it changed
    points: int
    card: Card | None  # that came to the road
    out: Card | None  # that went to the discard pile
    movers: Movers | None  # settled by it
    ended: bool  # it ended the fairy's move
    round_end: RoundEnd | None


class RoadView(TypedDict):
    viewer: int  # a seat, or -1 for a watcher
    round: int  # 1 to 8
    weather: Weather
    climbs: Fairy  # the other one descends
    phase: Phase
    turn: int | None  # the seat to act; null when the game is over
    movers: Movers | None  # once both cards are down
    ring: list[Spot]  # in the order of "+"
    places: list[str]  # where the seat to act may play its card
    owed: str | None  # RR-25 the spot that the next card of its half must fill
    choices: list[Choice]  # when the viewer is to play a card
    walk: Walk | None  # while a fairy moves
    hands: list[Hand]
    pranks: list[Pranks]
    discards: list[Card]  # newest first
    scores: list[int]
    gains: list[list[int]]  # each round's, by seat; of this one so far
    last: Last | None
