"""The view of Flip & Slide. All seats and watchers get the same view, since all have the same information.

A cell is its text in the record, "q,r". A tile keeps its number for the whole game, as a key for elements: the colour
tiles in the order of the setup, then the player tiles by seat. The number reveals nothing about the colour under a
clover.

The view contains all legal moves of the seat to act, and their texts follow from it: "@" and a cell of `places`, "F"
and the cell of a tile with `may_flip`, "S", the cell of a tile, ">" and a cell of its `reach`, "J" and the cell of one
of `jumps`. The path of a slide, backwards, is the target, `reach` of the target, `reach` of that cell and so on to the
cell of the tile.
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
    under: NotRequired[str]  # in the full view only: the colour under a clover
    seat: int | None  # the owner of a player tile
    may_flip: bool
    barred: bool  # slid by the previous player, `barred_by`, so it may not be slid this turn
    reach: dict[str, str]  # each cell it can slide to now, nearest first, and the previous cell on the path to it
    fixed: str | None  # the key of the refusal to slide it now


class Last(TypedDict):
    """The last move and its result."""

    seat: int
    move: str
    kind: Kind
    tile: int
    face: str | None  # of a colour tile: its face now
    way: list[str]  # the path of a slide or jump, start and end included
    empty_turns: list[int]  # seats whose turns right after it were empty, for want of a legal action


class FlipAndSlideView(TypedDict):
    viewer: int  # a seat, or -1 for a watcher
    phase: Phase
    turn: int | None  # the seat to act; null when the game is over
    turn_number: int  # from 1; 0 while player tiles are placed
    turn_limit: int
    actions_left: int  # flips and slides the seat still has this turn
    stood: int  # how often the position at the start of this turn has occurred; the third time is a draw
    tiles: list[Tile]  # all tiles on the table
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
