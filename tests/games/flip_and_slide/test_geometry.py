"""Hexagon geometry: neighbours, lines, connectivity and slides.

In the pictures m is the tile that moves, # the others, + a cell that it must reach and . one that it must not.
"""

import pickle
from collections import deque
from random import Random

import pytest

from sevenhues.games.flip_and_slide.geometry import (
    NOWHERE,
    SIDES,
    STEP,
    STEP_Q,
    STEP_R,
    WINDOW,
    Patch,
    cell_at,
    column_of,
    connected,
    in_one_arc,
    line,
    opposite,
    patch_of,
    row_of,
    side_toward,
    spiral,
    steps,
)
from tests.games.flip_and_slide.positions import Cell, cells_of, patch_in, reached

DIRECTIONS = list(zip(STEP_Q, STEP_R, strict=True))


def slides_as_drawn(picture: str, max_spaces: int = 1000) -> None:
    patch, tiles = patch_in(picture, "m#")
    wanted = {cell for cell, sign in cells_of(picture).items() if sign == "+"}
    assert reached(patch, tiles["m"], max_spaces) == wanted


# ── Cells ──────────────────────────────────────────────────────────────────────────────────────────────


def test_fs2_six_neighbours_go_round_a_cell() -> None:
    assert DIRECTIONS == [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
    assert [cell_at(q, r) for q, r in DIRECTIONS] == list(STEP)
    for side in range(SIDES):
        assert STEP[side] + STEP[opposite(side)] == 0
        assert STEP[side] + STEP[(side + 2) % SIDES] == STEP[(side + 1) % SIDES]


@pytest.mark.parametrize("cell", [(0, 0), (-31, 31), (5, -7), (12800, -12800), (-32000, 32000)])
def test_fs2_cell_is_converted_to_a_number_and_back(cell: Cell) -> None:
    number = cell_at(*cell)
    assert (column_of(number), row_of(number)) == cell


def test_fs2_cell_beyond_any_patch_is_nowhere() -> None:
    assert cell_at(40_000, 0) == cell_at(0, -40_000) == cell_at(10**30, -(10**30)) == NOWHERE


def test_fs2_straight_line_keeps_its_direction() -> None:
    for side, (q, r) in enumerate(DIRECTIONS):
        start, end = cell_at(4, -2), cell_at(4 + 3 * q, -2 + 3 * r)
        assert side_toward(start, end) == side
        assert line(start, end) == [cell_at(4 + i * q, -2 + i * r) for i in range(4)]
    for q, r in ((0, 0), (1, 1), (2, -1), (-1, 3), (-2, -2)):
        assert side_toward(0, cell_at(q, r)) == -1


def test_fs2_cells_in_or_beside_a_patch_have_distinct_window_slots() -> None:
    """A patch of 32 tiles is at most 31 spaces across, the cells beside it 33."""
    for q in range(-33, 34):
        for r in range(max(-33, -33 - q), min(33, 33 - q) + 1):
            assert (q, r) == (0, 0) or cell_at(q, r) & WINDOW


def test_fs3_spiral_goes_ring_by_ring() -> None:
    assert spiral(7) == [(0, 0), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
    assert spiral(28)[7:13] == [(2, 0), (2, -1), (2, -2), (1, -2), (0, -2), (-1, -1)]
    assert spiral(28)[19:] == [(3, 0), (3, -1), (3, -2), (3, -3), (2, -3), (1, -3), (0, -3), (-1, -2), (-2, -1)]


def test_fs3_patch_must_be_connected() -> None:
    assert connected([cell_at(q, r) for q, r in spiral(28)])
    assert connected([cell_at(q, 0) for q in (2, 0, 1)])
    assert not connected([cell_at(q, 0) for q in (0, 1, 3)])
    assert not connected([cell_at(0, 0), cell_at(1, 1)])


# ── Steps and slides ───────────────────────────────────────────────────────────────────────────────────


def test_fs9_step_has_a_tile_on_exactly_one_flank() -> None:
    for around in range(64):
        tiles = [(around >> side) & 1 for side in range(SIDES)]
        fits = [not tiles[side] and tiles[side - 1] + tiles[(side + 1) % SIDES] == 1 for side in range(SIDES)]
        assert steps(around) == sum(1 << side for side in range(SIDES) if fits[side])


def test_fs9_tile_slides_round_a_single_tile() -> None:
    slides_as_drawn("""
          + +
         + # m
          + +
    """)


def test_fs9_tile_slides_all_the_way_round() -> None:
    slides_as_drawn("""
        . + + + + .
         + # # # +
        + # # # # +
         + # # # +
          + m + +
    """)


def test_fs9_tile_slides_into_a_bay_and_out() -> None:
    slides_as_drawn("""
        + + + + + +
       + # # # # # +
        + # + + # +
       + # + . + # +
        + m . . + +
    """)


def test_fs9_gate_of_one_space_is_too_narrow() -> None:
    """The tile can stand in the gate, but not pass between the two tiles behind it."""
    slides_as_drawn("""
        + + + .
       + # # m
      + # . + .
       + # # +
        + + +
    """)


def test_fs9_gate_of_two_spaces_is_wide_enough() -> None:
    slides_as_drawn("""
        + + + .
       + # # m
      + # + + .
       + # + .
        + + .
    """)


def test_fs9_no_tile_slides_into_a_closed_ring() -> None:
    slides_as_drawn("""
        + + + .
       + # # m
      + # . # +
       + # # +
        + + +
    """)


def test_fs9_no_tile_slides_out_of_a_closed_ring() -> None:
    """Nor across its middle, where it would touch nothing on the way."""
    slides_as_drawn("""
          . . . .
         . # # # .
        . # m + # .
       . # + . + # .
        . # + + # .
         . # # # .
          . . . .
    """)


def test_fs9_tile_does_not_leap_to_another_arm() -> None:
    """Along the patch it goes, never straight over open ground, not even one space."""
    slides_as_drawn("""
        + m . . + +
       + # + . + # +
        + # + + # +
         + # # # +
          + + + +
    """)


def test_fs18_spaces_are_counted_along_the_shortest_legal_way() -> None:
    """The cell on the other arm is three spaces away over open ground, but five along the patch."""
    picture = """
        + m . . . .
       + # + . . # .
        + # + + # .
         . # # # .
          . . . .
    """
    slides_as_drawn(picture, max_spaces=3)
    patch, tiles = patch_in(picture, "m#")
    count = patch.reach(tiles["m"], 1000)
    assert patch.spaces_to(count, cell_at(4, 0)) == 5


def test_fs18_shorter_of_two_ways_round_counts() -> None:
    patch, tiles = patch_in(". # m", "m#")
    count = patch.reach(tiles["m"], 1000)
    spaces = {cell: patch.spaces_to(count, cell_at(*cell)) for cell in reached(patch, tiles["m"])}
    assert spaces == {(2, -1): 1, (1, 1): 1, (1, -1): 2, (0, 1): 2, (0, 0): 3}


# ── Connectivity ───────────────────────────────────────────────────────────────────────────────────────


def held(picture: str) -> str:
    """Return the tiles, by letter, that the rest falls apart without."""
    patch, tiles = patch_in(picture, "abcdefghij")
    return "".join(sign for sign in sorted(tiles) if patch.is_cut_tile(tiles[sign]))


def test_fs10_tile_between_two_groups_cannot_leave() -> None:
    assert held("a b c d") == "bc"
    assert (
        held("""
          a b
           c
          d e
        """)
        == "c"
    )


def test_fs10_tiles_of_a_ring_can_leave() -> None:
    assert (
        held("""
          a b
         c . d
          e f
        """)
        == ""
    )


def test_fs10_ring_tile_that_connects_an_arm_cannot_leave() -> None:
    assert (
        held("""
          a b
         c . d g
          e f
        """)
        == "d"
    )


def test_fs10_inner_tiles_of_a_broken_ring_cannot_leave() -> None:
    assert (
        held("""
          a b
         c . .
          e f
        """)
        == "ace"
    )


def test_fs10_neighbours_in_one_arc_are_connected() -> None:
    assert in_one_arc(0b000111)
    assert in_one_arc(0b110001)
    assert in_one_arc(0b111111)
    assert not in_one_arc(0b000101)
    assert not in_one_arc(0b010101)


# ── Jumps ──────────────────────────────────────────────────────────────────────────────────────────────


def test_fs20_line_over_tiles_lands_on_the_first_empty_cell() -> None:
    patch, tiles = patch_in(
        """
        m # # . #
         # # .
        . . #
    """,
        "m#",
    )
    start = patch.cells[tiles["m"]]
    landings = [patch.landing(start, side) for side in range(SIDES)]
    assert landings == [cell_at(3, 0), NOWHERE, NOWHERE, NOWHERE, NOWHERE, cell_at(0, 2)]


# ── The patch as a whole ───────────────────────────────────────────────────────────────────────────────


def naive_reach(cells: set[Cell], start: Cell) -> dict[Cell, int]:
    """FS-9 word for word: how many spaces a tile from `start` needs to every cell."""
    spaces, todo = {start: 0}, deque([start])
    while todo:
        q, r = todo.popleft()
        for side, (dq, dr) in enumerate(DIRECTIONS):
            flanks = [DIRECTIONS[side - 1], DIRECTIONS[(side + 1) % SIDES]]
            target = (q + dq, r + dr)
            beside = sum((q + fq, r + fr) in cells for fq, fr in flanks)
            if target not in cells and target not in spaces and beside == 1:
                spaces[target] = spaces[q, r] + 1
                todo.append(target)
    del spaces[start]
    return spaces


def random_cells(random: Random, size: int, straight: float) -> list[Cell]:
    cells = [(0, 0)]
    while len(cells) < size:
        q, r = cells[-1] if random.random() < straight else random.choice(cells)
        dq, dr = random.choice(DIRECTIONS)
        if (q + dq, r + dr) not in cells:
            cells.append((q + dq, r + dr))
    return cells


def laid(cells: list[Cell]) -> Patch:
    return patch_of([cell_at(q, r) for q, r in cells])


@pytest.mark.parametrize("seed", range(12))
def test_fs9_fs10_reach_and_groups_agree_with_a_literal_model(seed: int) -> None:
    random = Random(seed)
    cells = random_cells(random, 20 + seed, straight=seed / 14)
    patch = laid(cells)
    for tile, start in enumerate(cells):
        rest = set(cells) - {start}
        assert patch.is_cut_tile(tile) == (not connected([cell_at(q, r) for q, r in rest]))
        if not patch.is_cut_tile(tile):
            spaces = naive_reach(rest, start)
            assert reached(patch, tile) == set(spaces)
            assert reached(patch, tile, 3) == {cell for cell, far in spaces.items() if far <= 3}
            count = patch.reach(tile, 1000)
            assert all(patch.spaces_to(count, cell_at(*cell)) == far for cell, far in spaces.items())


def facts(patch: Patch) -> tuple[object, ...]:
    reach = [patch.reach(tile, 1000) for tile in range(patch.size)]
    return list(patch.cells), list(patch.touching), list(patch.ground), patch.beside, reach


def test_putting_and_taking_tiles_keeps_the_patch_consistent() -> None:
    random = Random(7)
    patch = laid(random_cells(random, 24, 0.5))
    for _ in range(200):
        tile = random.randrange(24)
        if patch.is_cut_tile(tile) or not patch.reach(tile, 1000):
            continue
        cell = patch.walk[random.randint(1, patch.reach(tile, 1000))]
        patch.take(tile)
        patch.put(tile, cell)
        assert patch.beside == patch.collect_beside()
    assert facts(patch) == facts(patch_of(list(patch.cells)))


def test_copied_and_pickled_patches_are_equal_and_independent() -> None:
    patch = laid(random_cells(Random(3), 20, 0.5))
    before = facts(patch)
    for other in (patch.copy(), pickle.loads(pickle.dumps(patch))):
        assert facts(other) == before
        other.take(19)
        other.put(19, cell_at(0, 50))
        assert facts(patch) == before


def test_patch_may_drift_beyond_the_window() -> None:
    """Three tiles roll east, each over the other two, far beyond the window; all stays as it was at home."""
    patch = laid([(0, 0), (1, 0), (0, 1)])
    for _ in range(3000):
        west = min(range(3), key=lambda tile: (column_of(patch.cells[tile]), row_of(patch.cells[tile])))
        reach = [patch.walk[i] for i in range(1, patch.reach(west, 1000) + 1)]
        patch.take(west)
        patch.put(west, max(reach, key=column_of))
    away = patch.cells[0]
    assert column_of(away) > WINDOW
    home = patch_of([cell - away for cell in patch.cells])
    for tile in range(3):
        assert {(q - column_of(away), r - row_of(away)) for q, r in reached(patch, tile)} == reached(home, tile)
        assert patch.tile_on(patch.cells[tile]) == tile
        assert patch.tile_on(home.cells[tile]) == -1


def test_cell_is_encoded_from_its_lowest_neighbour() -> None:
    patch = laid([(0, 0), (1, 0), (0, 1)])
    for tile in range(3):
        for i in range(1, patch.reach(tile, 1000) + 1):
            cell = patch.walk[i]
            code = patch.encode_cell(tile, cell)
            beside = [other for other in range(3) if other != tile and (patch.cells[other] - cell) in list(STEP)]
            assert code // SIDES == min(beside)
            assert patch.decode_cell(code) == cell
