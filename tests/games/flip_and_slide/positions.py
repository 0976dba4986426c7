"""Flip & Slide positions for tests, drawn as pictures.

Hexagons of one row are two columns apart, and each row is set off by one column from the row above. The first
character of a picture is the cell 0,0:

    R O Y          0,0   1,0   2,0
   g . b        -1,1   0,1   1,1

A capital is a face-up colour, a small letter the colour under a clover, * a clover with any colour and . an empty cell.
~ is also a clover; all remaining tiles of the game lie in a line west of it as clovers. A setup turns up four tiles, or
none in solo: `table` turns up further capitals directly, as if they had been flipped in earlier turns.
"""

from collections import Counter

import pytest

from sevenhues.core.errors import IllegalMove
from sevenhues.core.game import Setup, resolve_options
from sevenhues.core.moves import legal_texts, parse
from sevenhues.core.play import play_text
from sevenhues.games.flip_and_slide import game
from sevenhues.games.flip_and_slide.geometry import Patch, cell_at, column_of, patch_of, row_of
from sevenhues.games.flip_and_slide.pieces import COLOURS, FIRST_UP, SETS
from sevenhues.games.flip_and_slide.rules import FlipAndSlidePosition

Cell = tuple[int, int]


def cells_of(picture: str) -> dict[Cell, str]:
    """Parse a picture, whose first character lies at 0,0; dots are left out."""
    lines = [line.rstrip() for line in picture.splitlines() if line.strip()]
    left = len(lines[0]) - len(lines[0].lstrip())
    cells: dict[Cell, str] = {}
    for r, line in enumerate(lines):
        for x, sign in enumerate(line):
            if sign not in " .":
                q, odd = divmod(x - left - r, 2)
                assert not odd, f"{sign} in line {r + 1} is between two cells"
                cells[q, r] = sign
    return cells


def text(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def setup_of(picture: str, seats: int) -> Setup:
    """Return the setup of a picture."""
    tiles = list(cells_of(picture).items())
    for (q, r), sign in list(tiles):
        if sign == "~":
            tiles += [((q - i, r), "*") for i in range(1, SETS[seats] * len(COLOURS) - len(tiles) + 1)]
    shown = Counter(sign.upper() for _, sign in tiles if sign.isalpha())
    left = Counter({colour: SETS[seats] - shown[colour] for colour in COLOURS}).elements()
    return {
        "tiles": [[text(cell), sign.upper() if sign.isalpha() else next(left)] for cell, sign in tiles],
        "up": [text(cell) for cell, sign in tiles if sign.isupper()][: 0 if seats == 1 else FIRST_UP],
    }


def table(
    picture: str, players: str, moves: str = "", red_start: bool = False, short_slides: bool = False
) -> FlipAndSlidePosition:
    """Set up a picture, place a player tile on each given cell, and play moves of the seats to act."""
    places = players.split()
    options = resolve_options(game, {"red_start": red_start, "short_slides": short_slides})
    position = game.start(setup_of(picture, len(places)), len(places), options)
    for cell in places:
        play(position, "@" + cell)
    for tile, sign in enumerate(cells_of(picture).values()):
        position.up |= sign.isupper() << tile
    return play(position, moves)


def play(position: FlipAndSlidePosition, moves: str) -> FlipAndSlidePosition:
    for move in moves.split():
        play_text(game, position, position.to_act()[0], move)
    return position


def turn_up(position: FlipAndSlidePosition, but: int = 0) -> FlipAndSlidePosition:
    """Turn up all colour tiles except the last `but`, as if they had been flipped in earlier turns."""
    position.up = (1 << (position.deal.tiles - but)) - 1
    return position


def may(position: FlipAndSlidePosition, signs: str = "@FSJ") -> list[str]:
    """Return the legal moves of the seat to act that begin with one of the signs."""
    turn = position.to_act()
    return [move for move in legal_texts(game, position, turn[0]) if move[0] in signs] if turn else []


def refused(position: FlipAndSlidePosition, move: str) -> tuple[str, str]:
    """Return the key and the rule of the refusal of a move."""
    with pytest.raises(IllegalMove) as caught:
        parse(game, position, position.to_act()[0], move)
    assert "{" not in caught.value.text
    return caught.value.key, caught.value.rule


def player_cell(position: FlipAndSlidePosition, seat: int) -> str:
    """Return the cell of a player tile as text."""
    cell: str = next(tile["cell"] for tile in game.view(position, seat)["tiles"] if tile["seat"] == seat)
    return cell


def shuttle(position: FlipAndSlidePosition) -> FlipAndSlidePosition:
    """Play a turn that slides the own player tile away and back."""
    home = player_cell(position, position.to_act()[0])
    there = next(move for move in may(position, "S") if move.startswith(f"S{home}>")).split(">")[1]
    return play(position, f"S{home}>{there} S{there}>{home}")


def ended(position: FlipAndSlidePosition) -> tuple[str, list[int]] | None:
    """Return the reason of the end and the winners, or None."""
    outcome = position.outcome()
    return None if outcome is None else (outcome.reason, outcome.winners)


def patch_in(picture: str, signs: str) -> tuple[Patch, dict[str, int]]:
    """Return a patch of the cells with one of the signs, and the last tile of each sign."""
    cells = {cell: sign for cell, sign in cells_of(picture).items() if sign in signs}
    patch = patch_of([cell_at(q, r) for q, r in cells])
    return patch, {sign: tile for tile, sign in enumerate(cells.values())}


def reached(patch: Patch, tile: int, max_spaces: int = 1000) -> set[Cell]:
    """Return the cells that a tile can slide to."""
    count = patch.reach(tile, max_spaces)
    return {(column_of(patch.walk[i]), row_of(patch.walk[i])) for i in range(1, count + 1)}
