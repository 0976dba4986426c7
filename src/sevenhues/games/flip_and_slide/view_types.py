"""What a viewer of Flip & Slide is sent: the same for every seat and for watchers, since nobody knows more.

A cell is its text in the record, "q,r". A tile's number stays with it all game, for keyed elements: the colour tiles
in the order of the setup, then the player tiles by seat. It tells nothing of the colour under a clover.

What the seat to act can do is all here, and its texts follow from it: "@" and a cell of `places`, "F" and the cell of
a tile with `may_flip`, "S", the cell of a tile, ">" and a cell of its `reach`, "J" and the cell of one of `jumps`. The
way of a slide, backwards, is the target, `reach` of it, `reach` of that and so on to where the tile lies.
"""

from typing import Literal, NotRequired, TypedDict

Phase = Literal["place", "act", "jump", "over"]
Kind = Literal["place", "flip", "slide", "jump"]


class Jump(TypedDict):
    cell: str
    over: list[int]  # the tiles jumped over, nearest first


class Tile(TypedDict):
    tile: int
    cell: str
    face: str | None  # a colour's letter, "?" for a clover, null for a player tile
    under: NotRequired[str]  # with everything open: the colour under a clover
    seat: int | None  # whose player tile it is
    may_flip: bool
    barred: bool  # slid by the player just before, `barred_by`, so it may not be slid this turn
    reach: dict[str, str]  # each cell it can slide to now, nearest first, and the one before it on the way there
    fixed: str | None  # why it cannot slide now: the key of a refusal


class Last(TypedDict):
    """What the last move showed."""

    seat: int
    move: str
    kind: Kind
    tile: int
    face: str | None  # of a colour tile: what it shows now
    way: list[str]  # the cells a tile slid or jumped along, first and last included
    empty_turns: list[int]  # seats that then had no legal action and lost their turn


class FlipAndSlideView(TypedDict):
    viewer: int  # a seat, or -1 for a watcher
    phase: Phase
    turn: int | None  # the seat to act; null when the game is over
    turn_number: int  # from 1; 0 while player tiles are placed
    turn_limit: int
    actions_left: int  # flips and slides the seat still has this turn
    stood: int  # how often this turn's start has stood; at the third time the game is drawn
    tiles: list[Tile]  # all that lie on the table
    places: list[str]  # where the seat to act may place its player tile
    jumps: list[Jump]  # solo: where the player tile may jump now
    previous: str | None  # solo: the cell it may not jump back to
    barred_by: int | None  # the seat whose last turn bars tiles
    runs: list[list[int]]  # by seat: the tiles of the longest run of the rainbow beside its player tile, red end first
    hidden: dict[str, int]  # how many of each colour lie under clovers
    clovers: int
    winner: int | None
    reason: str | None
    last: Last | None
