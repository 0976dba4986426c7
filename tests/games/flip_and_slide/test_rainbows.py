"""FS-12: rainbows, and the longest run beside a player tile."""

import pytest

from sevenhues.games.flip_and_slide import game
from sevenhues.games.flip_and_slide.rules import FlipAndSlidePosition
from tests.games.flip_and_slide.positions import cells_of, play, table

STRAIGHT = """
    R O Y G B I V
   ~
"""
CURLED = """
    Y O R
     G V
    ~ B I
"""


def rainbow(picture: str, red_start: bool = False) -> str:
    """Return the tiles that are part of a rainbow, in the order of the picture."""
    cells = cells_of(picture)
    q, r = next(cell for cell, sign in cells.items() if sign == "~")
    end = q - (21 - len(cells))  # of the tail; the player tiles are out of the way there
    tiles = table(picture, f"{end - 1},{r} {end},{r + 1}", red_start=red_start).rainbow()
    return "".join(sign for tile, sign in enumerate(cells.values()) if (tiles >> tile) & 1)


def run(picture: str, players: str, moves: str = "", red_start: bool = False) -> list[str]:
    """Return the longest run beside each player tile."""
    position = play(table(picture, players, red_start=red_start), moves)
    view = game.view(position, 0)
    faces = {tile["tile"]: str(tile["face"]) for tile in view["tiles"]}
    runs = ["".join(faces[tile] for tile in tiles) for tiles in view["runs"]]
    assert observed_runs(position) == [len(run) for run in runs]
    return runs


def observed_runs(position: FlipAndSlidePosition) -> list[int]:
    """Return the length of the longest run beside each player tile, as seat 0 observes it."""
    encoder = game.observation_encoder()
    names = [feature.name for feature in encoder.layout(position.seats, {}) for _ in range(feature.size)]
    return [number for name, number in zip(names, encoder.encode(position, 0), strict=True) if name == "run"]


def test_fs12_rainbow_is_seven_colours_each_touching_the_next() -> None:
    assert rainbow(STRAIGHT) == "ROYGBIV"
    assert rainbow(CURLED) == "YORGVBI"


@pytest.mark.parametrize("clover", "ROYGBIV")
def test_fs12_rainbow_has_all_seven_face_up(clover: str) -> None:
    assert rainbow(STRAIGHT.replace(clover, clover.lower())) == ""


def test_fs12_rainbow_is_in_the_order_of_the_colours() -> None:
    assert rainbow(STRAIGHT.replace("R O Y G B I V", "V I B G Y O R")) == "VIBGYOR"
    assert rainbow(STRAIGHT.replace("Y G", "G Y")) == ""


def test_fs12_rainbow_has_no_gap() -> None:
    gap = """
    R O Y G
   ~ . . . *
    . . . . B I V
    """
    assert rainbow(gap) == ""


def test_fs12_other_tiles_may_touch_a_rainbow() -> None:
    crowded = """
       R O Y G B I V
      ~ R G V O R Y
    """
    assert rainbow(crowded).startswith("ROYGBIV")


def test_fs12_rainbows_may_share_tiles() -> None:
    """Two reds lead to one orange, and one indigo to two violets: four rainbows of nine tiles."""
    overlapping = """
      R . . . . V
     R O Y G B I V
    ~
    """
    assert rainbow(overlapping) == "RVROYGBIV"


def test_fs12_incomplete_branch_is_no_part_of_a_rainbow() -> None:
    branches = """
      Y G . . . .
     R O Y G B I V
    ~ . . . B I .
    """
    assert rainbow(branches) == "ROYGBIV"


def test_fs17_only_red_tiles_count_for_touching_with_red_start() -> None:
    assert rainbow(STRAIGHT, red_start=True) == "R"


PART = """
      R O Y G b i V
     ~
"""


def test_longest_run_beside_each_player_tile_is_found() -> None:
    assert run(PART, "1,-1 7,0") == ["ROYG", "V"]
    assert run(PART, "4,-1 -14,2") == ["ROYG", ""]
    assert run(PART, "4,-1 7,0", "F4,0 F-14,1 F5,0") == ["ROYGBIV", "ROYGBIV"]


def test_longest_run_with_red_start_begins_beside_the_tile() -> None:
    assert run(PART, "0,-1 4,-1", red_start=True) == ["ROYG", ""]


def test_longest_run_takes_the_longer_branch() -> None:
    fork = """
      . G
     R O Y G B
    ~
    """
    assert run(fork, "-2,1 4,1") == ["ROYGB", "ROYGB"]
