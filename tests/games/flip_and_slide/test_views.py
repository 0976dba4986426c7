"""Views list all legal moves and reasons, and never show the colour under a clover."""

from collections import Counter
from itertools import pairwise, permutations

import pytest

from sevenhues.core.game import resolve_options
from sevenhues.core.moves import parse
from sevenhues.core.play import deal
from sevenhues.core.position import WATCHER
from sevenhues.core.rng import Rng
from sevenhues.games.flip_and_slide import game
from sevenhues.games.flip_and_slide.pieces import COLOURS, SETS
from sevenhues.games.flip_and_slide.rules import FlipAndSlidePosition
from sevenhues.games.flip_and_slide.view_types import FlipAndSlideView, Tile
from tests.games.flip_and_slide.positions import may, play, table, turn_up

LOOSE = """
      R O Y G
       * * *
      ~ * *
"""
BESIDE_LOOSE = "3,1 -1,1"
SOLO = """
      r o * *
     * * * *
      * * *
       * * *
"""


def tile_on(view: FlipAndSlideView, cell: str) -> Tile:
    return next(tile for tile in view["tiles"] if tile["cell"] == cell)


def middle_game(seats: int, moves: int, **options: bool) -> FlipAndSlidePosition:
    position, rng = deal(game, b"views", seats, options), Rng(seats)
    for _ in range(moves):
        position.play(position.turn, position.pick(position.turn, rng))
    return position


# ── Legal moves ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("short_slides", [False, True])
@pytest.mark.parametrize(("seats", "moves"), [(1, 0), (1, 1), (1, 2), (2, 1), (2, 40), (3, 120), (4, 81)])
def test_legal_moves_follow_from_the_view(seats: int, moves: int, short_slides: bool) -> None:
    position = middle_game(seats, moves, short_slides=short_slides)
    view = game.view(position, WATCHER)
    offered = ["@" + cell for cell in view["places"]] + ["J" + jump["cell"] for jump in view["jumps"]]
    for tile in view["tiles"]:
        offered += [f"F{tile['cell']}"] * tile["may_flip"]
        offered += [f"S{tile['cell']}>{cell}" for cell in tile["reach"]]
    assert sorted(offered) == may(position)


def test_every_slide_path_leads_step_by_step_from_the_tile() -> None:
    position = middle_game(2, 60)
    for tile in game.view(position, 0)["tiles"]:
        for cell in tile["reach"]:
            way = [cell]
            while way[-1] != tile["cell"]:
                way.append(tile["reach"][way[-1]])
            steps = [tuple(map(int, at.split(","))) for at in way]
            between = [(q - p, s - r) for (q, s), (p, r) in pairwise(steps)]
            assert set(between) <= {(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)}


def test_view_says_why_a_tile_cannot_slide() -> None:
    position = table(LOOSE, BESIDE_LOOSE, "S0,0>1,-1 F0,2")
    view = game.view(position, 0)
    fixed = {tile["cell"]: tile["fixed"] for tile in view["tiles"]}
    assert fixed["1,-1"] == "slide-barred"
    assert fixed["3,1"] == "slide-other-player"
    assert fixed["1,2"] == "slide-clover"
    assert fixed["-1,1"] is fixed["3,0"] is None
    assert set(fixed.values()) - {None} <= set(game.refusals)
    assert all((tile["fixed"] is None) == bool(tile["reach"]) for tile in view["tiles"])
    assert (view["barred_by"], tile_on(view, "1,-1")["barred"]) == (0, True)


def test_view_counts_the_hidden_colours() -> None:
    view = game.view(table(LOOSE, BESIDE_LOOSE), 0)
    assert view["hidden"] == {"R": 2, "O": 2, "Y": 2, "G": 2, "B": 3, "I": 3, "V": 3}
    assert view["clovers"] == 17


def test_full_view_shows_the_colour_of_every_tile() -> None:
    position = middle_game(2, 0)
    tiles = {tile["cell"]: tile.get("under", tile["face"]) for tile in game.full_view(position)["tiles"]}
    assert tiles == dict(game.setup(position)["tiles"])


def test_tiles_keep_their_numbers() -> None:
    position = table(LOOSE, BESIDE_LOOSE)
    before = tile_on(game.view(position, 0), "0,0")["tile"]
    assert tile_on(game.view(play(position, "S0,0>1,-1"), 0), "1,-1")["tile"] == before


# ── The last move ──────────────────────────────────────────────────────────────────────────────────────


def test_last_move_shows_the_flipped_colour() -> None:
    position = table(LOOSE, BESIDE_LOOSE, "F0,2")
    last = game.view(position, 1)["last"]
    assert last is not None
    assert (last["seat"], last["move"], last["kind"], last["way"]) == (0, "F0,2", "flip", ["0,2"])
    assert last["face"] == tile_on(game.view(position, 1), "0,2")["face"]
    assert game.renderer().describe_last_move(game.view(position, 1)) == f"Seat 0 flipped 0,2: {last['face']} came up."


def test_last_move_shows_the_path_of_a_slide() -> None:
    position = table(LOOSE, BESIDE_LOOSE, "S0,0>3,-1")
    last = game.view(position, 1)["last"]
    assert last is not None
    assert (last["move"], last["way"]) == ("S0,0>3,-1", ["0,0", "1,-1", "2,-1", "3,-1"])
    assert game.renderer().describe_last_move(game.view(position, 1)) == "Seat 0 slid R from 0,0 to 3,-1, 3 spaces."


def test_last_move_shows_a_jump_and_a_placement() -> None:
    position = table(SOLO, "4,-1")
    assert game.renderer().describe_last_move(game.view(position, 0)) == "Seat 0 placed its player tile on 4,-1."
    play(position, "F0,0 J-1,4")
    last = game.view(position, 0)["last"]
    assert last is not None
    assert last["way"] == ["4,-1", "3,0", "2,1", "1,2", "0,3", "-1,4"]
    assert game.renderer().describe_last_move(game.view(position, 0)) == "Seat 0 jumped from 4,-1 to -1,4 over 4 tiles."


def test_last_move_shows_empty_turns() -> None:
    line = """
      R O
     ~ Y G
    """
    position = turn_up(table(line, "-18,1 2,1"))
    play(position, "S-18,1>-18,2 S-18,2>-18,1 S0,0>-19,1 S1,0>3,1")
    last = game.view(position, 0)["last"]
    assert last is not None
    assert last["empty_turns"] == [0]
    assert "Seat 0 has no legal action" in game.renderer().describe_last_move(game.view(position, 0))


# ── Hidden colours ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_no_view_depends_on_hidden_colours(seats: int) -> None:
    position = middle_game(seats, 3 * seats)
    for viewer in (*range(seats), WATCHER):
        other = position.resample(viewer, Rng(5))
        assert other.key() != position.key()
        assert game.view(other, viewer) == game.view(position, viewer)
        assert game.observation_encoder().encode(other, viewer) == game.observation_encoder().encode(position, viewer)


def test_every_viewer_sees_the_same() -> None:
    position = middle_game(3, 30)
    views = [{**game.view(position, viewer), "viewer": None} for viewer in (0, 1, 2, WATCHER)]
    assert views[0] == views[1] == views[2] == views[3]


def test_resampling_draws_every_order_of_hidden_colours_equally_often() -> None:
    position = turn_up(table(LOOSE, BESIDE_LOOSE), but=4)  # the last four of the tail: I V V V
    hidden = [COLOURS[colour] for colour in position.deal.colours[-4:]]
    assert hidden == list("IVVV")
    position.up ^= 0b11  # and R and O, the first two
    tries, rng = 6000, Rng(11)
    orders: Counter[str] = Counter()
    for _ in range(tries):
        colours = position.resample(0, rng).deal.colours
        orders["".join(COLOURS[colours[tile]] for tile in (0, 1, 17, 18, 19, 20))] += 1
    ways = {"".join(way) for way in permutations("ROIVVV")}
    assert set(orders) == ways
    expected = tries / len(ways)
    chi_square = sum((orders[way] - expected) ** 2 / expected for way in ways)
    assert chi_square < 119 + 4 * (2 * 119) ** 0.5


def test_resampling_is_the_same_for_every_viewer() -> None:
    position = middle_game(2, 10)
    assert len({position.resample(viewer, Rng(3)).key() for viewer in (0, 1, WATCHER)}) == 1


# ── Numbers ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_moves_have_a_fixed_range(seats: int) -> None:
    tiles = 7 * SETS[seats]
    size = tiles + seats
    assert game.move_count(seats, resolve_options(game, {})) == tiles + size * size * 6
    position = table(LOOSE, BESIDE_LOOSE)
    assert parse(game, position, 0, "F0,2") == 8  # the tile, as the setup lists it
    # R, tile 0, goes to the north-east (side 1) of O, the lowest tile there but itself.
    assert parse(game, position, 0, "S0,0>2,-1") == 21 + (0 * 23 + 1) * 6 + 1


def test_features_are_named_and_counted_from_the_viewer() -> None:
    position = table(LOOSE, BESIDE_LOOSE, "F0,2 F1,2")
    named: dict[int, dict[str, list[int]]] = {}
    for viewer in (0, 1):
        numbers = iter(game.observation_encoder().encode(position, viewer))
        layout = game.observation_encoder().layout(2, resolve_options(game, {}))
        named[viewer] = {feature.name: [next(numbers) for _ in range(feature.size)] for feature in layout}
    assert (named[0]["my_turn"], named[1]["my_turn"]) == ([0], [1])
    assert named[0]["face"][:4] == [0, 1, 2, 3]
    assert named[0]["face"][4] == 7
    assert named[0]["player_q"] == named[1]["player_q"][::-1]
    west = -12  # where the tail ends
    assert named[0]["q"][:4] == [0 - west, 1 - west, 2 - west, 3 - west]
    assert named[0]["player_q"] == [3 - west, -1 - west]


# ── The terminal ───────────────────────────────────────────────────────────────────────────────────────


def test_patch_is_drawn_as_hexagons_with_coordinates() -> None:
    position = table(LOOSE, BESIDE_LOOSE, "S0,0>1,-1 F0,2", short_slides=True)
    drawn = game.renderer().draw(game.view(position, 1), colour=False)
    assert "|  [R]x |" in drawn
    assert "| [P1]+ |" in drawn
    assert "|  [♣]+ |" in drawn
    assert "x barred: seat 0 has just slid it" in drawn
    assert "you may flip a clover (F) or slide a tile (S), 2 actions left" in drawn


def test_whole_patch_is_drawn() -> None:
    position = table(SOLO, "4,-1", "F0,0")
    assert game.renderer().draw(game.view(position, 0), colour=False).splitlines() == DRAWN.strip("\n").splitlines()


DRAWN = """
Turn 1 of 200   you must jump: J-1,4

                                   .-' '-.
                                  | [P0]  |
                                  | 4,-1  |
       .-' '-. .-' '-. .-' '-. .-' '-. .-'
      |  [R]  |  [♣]  |  [♣]  |  [♣]  |
      |  0,0  |  1,0  |  2,0  |  3,0  |
   .-' '-. .-' '-. .-' '-. .-' '-. .-'
  |  [♣]  |  [♣]  |  [♣]  |  [♣]  |
  | -1,1  |  0,1  |  1,1  |  2,1  |
   '-. .-' '-. .-' '-. .-' '-. .-'
      |  [♣]  |  [♣]  |  [♣]  |
      | -1,2  |  0,2  |  1,2  |
       '-. .-' '-. .-' '-. .-' '-.
          |  [♣]  |  [♣]  |  [♣]  |
          | -1,3  |  0,3  |  1,3  |
           '-. .-' '-. .-' '-. .-'

                -1,4

  beside P0 (you)    ·  ·  ·  ·  ·  ·  ·   0 colours of 7 in a run
  under clovers     R1 O2 Y2 G2 B2 I2 V2
  marks             a cell without a frame can be reached
"""
