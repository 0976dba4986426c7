"""The rules of RULES.md for two to four players, one by one: a position, a move, the result."""

from collections import Counter
from typing import Any

import pytest

from sevenhues.core.errors import BadNotation, BadRecord
from sevenhues.core.game import resolve_options
from sevenhues.core.moves import parse
from sevenhues.core.play import deal, playout
from sevenhues.core.rng import Dealer, Rng, ScriptedDealer
from sevenhues.games.flip_and_slide import game
from sevenhues.games.flip_and_slide.geometry import spiral
from sevenhues.games.flip_and_slide.rules import FlipAndSlidePosition
from tests.games.flip_and_slide.positions import (
    ended,
    may,
    play,
    player_cell,
    refused,
    setup_of,
    shuttle,
    table,
    text,
    turn_up,
)

# Flip b, i and v at 4,0 5,0 and 6,0, and there is a rainbow from 0,0 to 6,0. The tail runs west to -14,1.
RAINBOW = """
      R O Y G b i v
     ~
"""
# The colours lie loose on the clovers.
LOOSE = """
      R O Y G
       * * *
      ~ * *
"""
BESIDE_LOOSE = "3,1 -1,1"
# R and O lie loose on a line from 1,1 west to -17,1.
LINE = """
      R O
     ~ Y G
"""
ENDS_OF_LINE = "-18,1 2,1"


def deals(seats: int, number: int = 40) -> list[dict[str, Any]]:
    return [game.deal(seats, resolve_options(game, {}), Dealer(bytes([n])), None) for n in range(number)]


def start(setup: dict[str, Any], seats: int = 2) -> FlipAndSlidePosition:
    return game.start(setup, seats, resolve_options(game, {}))


# ── The patch ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("seats", "sets"), [(1, 2), (2, 3), (3, 4), (4, 4)])
def test_fs1_number_of_colour_sets_depends_on_the_seats(seats: int, sets: int) -> None:
    setup = deals(seats, 1)[0]
    assert Counter(colour for _, colour in setup["tiles"]) == dict.fromkeys("ROYGBIV", sets)


def test_fs1_setup_with_other_tiles_is_refused() -> None:
    setup = deals(2, 1)[0]
    with pytest.raises(BadRecord, match=r"setup\.tiles: expected a list of 28, found a list of 21"):
        start(setup, 3)
    for wrong in ("X", "r", "", "RO", None, 1):
        tiles = [["0,0", wrong], *setup["tiles"][1:]]
        with pytest.raises(BadRecord, match=r"setup\.tiles\[0\]\[1\]: expected a letter of ROYGBIV.*FS-1"):
            start({**setup, "tiles": tiles})
    one_more = [[cell, "R" if colour == "V" else colour] for cell, colour in setup["tiles"]]
    with pytest.raises(BadRecord, match=r"R is a tile too many: there are 3 of each colour \(FS-1\)"):
        start({**setup, "tiles": one_more})


NO_CELLS = ["-0,0", "+1,0", "01,0", "1", "1,2,3", "1, 0", "a,0", "", "1.0,0", "٣,0", "1,-" + "9" * 101]


@pytest.mark.parametrize("cell", NO_CELLS)
def test_fs2_malformed_cell_text_is_refused(cell: str) -> None:
    setup = deals(2, 1)[0]
    with pytest.raises(BadRecord, match=r"setup\.tiles\[3\]\[0\]: .* is no cell.*FS-2"):
        start({**setup, "tiles": [*setup["tiles"][:3], [cell, "R"], *setup["tiles"][4:]]})
    for move in (f"F{cell}", f"S0,0>{cell}", f"@{cell}", f"J{cell}"):
        with pytest.raises(BadNotation, match="G-3"):
            parse(game, start(setup), 0, move)


def test_fs3_shuffled_tiles_lie_in_a_spiral() -> None:
    for seats in (1, 2, 3):
        setups = deals(seats)
        for setup in setups:
            assert [cell for cell, _ in setup["tiles"]] == [text(cell) for cell in spiral(len(setup["tiles"]))]
        assert len({"".join(colour for _, colour in setup["tiles"]) for setup in setups}) == len(setups)


def test_fs3_any_connected_patch_is_accepted() -> None:
    far = 10**30
    line = [[f"{far - i},-{far}", "ROYGBIV"[i % 7]] for i in range(21)]
    position = start({"tiles": line, "up": [cell for cell, _ in line[:4]]})
    assert f"@{far + 1},-{far}" in may(position)
    play(position, f"@{far + 1},-{far} @{far - 21},-{far} F{far - 20},-{far}")
    assert game.setup(position)["tiles"] == line
    with pytest.raises(BadRecord, match=r"the tiles are not one patch.*FS-3"):
        start({"tiles": [*line[:20], ["0,0", "V"]], "up": [cell for cell, _ in line[:4]]})
    with pytest.raises(BadRecord, match=r"setup\.tiles\[20\]\[0\]: there is a tile on .* already \(FS-3\)"):
        start({"tiles": [*line[:20], [line[0][0], "V"]], "up": [cell for cell, _ in line[:4]]})


def test_fs4_four_random_tiles_are_turned_up() -> None:
    for seats in (2, 3, 4):
        setups = deals(seats)
        assert all(len(set(setup["up"])) == 4 for setup in setups)
        assert len({cell for setup in setups for cell in setup["up"]}) == len(setups[0]["tiles"])
    faces = Counter(tile["face"] == "?" for tile in game.view(start(deals(2, 1)[0]), 0)["tiles"])
    assert faces == {True: 17, False: 4}


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_fs3_fs4_dealer_choices_of_a_setup_are_found(seats: int) -> None:
    for setup in deals(seats, 5):
        choices = game.dealer_choices(setup, seats, resolve_options(game, {}))
        assert len(choices) == len(setup["tiles"]) - 1 + len(setup["up"])
        assert game.deal(seats, resolve_options(game, {}), ScriptedDealer(choices), None) == setup
    with pytest.raises(ValueError, match="only the spiral"):
        game.dealer_choices(setup_of(LOOSE, 2), 2, resolve_options(game, {}))


def test_fs4_setup_with_other_face_up_tiles_is_refused() -> None:
    setup = deals(2, 1)[0]
    with pytest.raises(BadRecord, match=r"setup\.up: expected a list of 4, found a list of 3"):
        start({**setup, "up": setup["up"][:3]})
    with pytest.raises(BadRecord, match=r"setup\.up\[3\]: there is no tile on 9,9 to turn up \(FS-4\)"):
        start({**setup, "up": [*setup["up"][:3], "9,9"]})
    with pytest.raises(BadRecord, match=r"setup\.up\[3\]: the tile on .* is turned up already \(FS-4\)"):
        start({**setup, "up": [*setup["up"][:3], setup["up"][0]]})


def test_fs5_player_tiles_are_placed_beside_the_patch_in_seat_order() -> None:
    position = start(setup_of(LOOSE, 3), 3)
    assert position.to_act() == [0]
    cells = {cell for cell, _ in setup_of(LOOSE, 3)["tiles"]}
    assert not {move[1:] for move in may(position)} & cells
    assert {"@0,-1", "@4,0", "@4,-1", "@-1,1"} < set(may(position))
    assert refused(position, "@0,0") == ("place-taken", "FS-5")
    assert refused(position, "@0,-2") == ("place-apart", "FS-5")
    assert refused(position, "@999999999999999999999,0") == ("place-apart", "FS-5")
    assert refused(position, "F0,1") == ("place-first", "FS-5")


def test_fs5_placed_tile_is_part_of_the_patch() -> None:
    position = start(setup_of(LOOSE, 2))
    assert "@5,0" not in may(position)
    play(position, "@4,0")
    assert "@5,0" in may(position)
    assert "@4,0" not in may(position)


def test_fs5_seat_0_takes_the_first_turn() -> None:
    position = table(LOOSE, BESIDE_LOOSE)
    assert (position.to_act(), may(position, "@")) == ([0], [])
    assert refused(position, "@5,0") == ("placed-already", "FS-5")


# ── A turn ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("actions", ["F0,2 F1,2", "S0,0>1,-1 F0,2", "F0,2 S0,0>1,-1", "S0,0>1,-1 S3,0>3,-1"])
def test_fs6_turn_is_two_actions_in_any_mix(actions: str) -> None:
    first, second = actions.split()
    position = table(LOOSE, BESIDE_LOOSE, first)
    assert position.to_act() == [0]
    assert play(position, second).to_act() == [1]


def test_fs6_jumps_are_refused_with_several_players() -> None:
    assert refused(table(LOOSE, BESIDE_LOOSE), "J0,-1") == ("no-jumping", "FS-6")


def test_fs6_turn_ends_without_a_legal_action() -> None:
    position = turn_up(table(LINE, ENDS_OF_LINE), but=1)
    shuttle(position)
    play(position, "S0,0>-19,1 S1,0>3,1")  # the loose tiles hang on the player tiles now, and are barred
    assert may(position) == ["F-17,1"]
    play(position, "F-17,1")
    assert position.to_act() == [1]
    assert game.view(position, 0)["actions_left"] == 2


def test_fs6_empty_turn_bars_no_tile() -> None:
    position = turn_up(table(LINE, ENDS_OF_LINE))
    shuttle(position)
    play(position, "S0,0>-19,1 S1,0>3,1")
    assert position.to_act() == [1]  # again
    assert game.view(position, 0)["turn_number"] == 4
    assert {move.split(">")[0] for move in may(position)} == {"S-19,1", "S3,1"}


def test_fs7_clover_with_an_open_edge_may_be_flipped() -> None:
    position = table(LOOSE, BESIDE_LOOSE)
    assert may(position, "F") == sorted(["F2,1", *[f"F{q},2" for q in range(-12, 2)]])
    assert refused(position, "F0,1") == ("flip-enclosed", "FS-7")
    assert refused(position, "F0,0") == ("flip-turned", "FS-7")
    assert refused(position, "F3,1") == ("flip-player", "FS-7")
    assert refused(position, "F9,9") == ("flip-nothing", "FS-7")


def test_fs7_edge_on_a_hole_is_open() -> None:
    hole = """
      * * * *
     * * * * *
    * R * . Y *
     * O * G *
      ~
    """
    position = table(hole, "4,-1 4,0")
    assert "F0,2" in may(position)  # west of the hole, closed in by five other tiles
    assert refused(position, "F0,1") == ("flip-enclosed", "FS-7")


def test_fs7_face_up_tile_cannot_be_flipped() -> None:
    position = table(LOOSE, BESIDE_LOOSE, "F0,2 F1,2")
    assert refused(position, "F0,2") == ("flip-turned", "FS-7")
    assert {"F0,2", "F1,2"}.isdisjoint(may(position))


def test_fs8_colour_tiles_and_the_own_player_tile_slide() -> None:
    position = table(LOOSE, BESIDE_LOOSE)
    assert {move.split(">")[0] for move in may(position, "S")} == {"S0,0", "S1,0", "S2,0", "S3,0", "S3,1"}
    assert refused(position, "S-1,1>0,-1") == ("slide-other-player", "FS-8")
    assert refused(position, "S1,2>0,-1") == ("slide-clover", "FS-8")
    assert refused(position, "S9,9>0,-1") == ("slide-nothing", "FS-8")
    assert refused(position, "S0,0>0,0") == ("slide-nowhere", "FS-8")


def test_fs8_slide_is_named_by_tile_and_target() -> None:
    position = table(LOOSE, BESIDE_LOOSE)
    moves = may(position, "S")
    assert len(set(moves)) == len(moves) == len(position.legal(0)) - len(may(position, "F"))
    assert "S3,1>1,-1" in moves  # by either way round


def test_fs9_slide_stays_beside_the_patch_and_needs_room() -> None:
    gate = """
          R O
         * . .
        ~ Y G
    """
    position = table(gate, "2,-1 -1,0")
    assert "S2,-1>1,1" in may(position)  # it can stand in the gate
    assert refused(position, "S2,-1>0,1") == ("slide-no-way", "FS-9")  # but not get through
    assert refused(position, "S2,-1>3,0") == ("slide-no-way", "FS-9")  # nor leave the patch
    assert refused(position, "S2,-1>0,0") == ("slide-taken", "FS-9")


def test_fs9_tile_without_two_adjacent_open_edges_cannot_slide() -> None:
    position = table(
        """
          * * *
         * R . *
        ~ * * *
         O Y G
        """,
        "-1,0 3,-1",
    )
    assert refused(position, "S0,1>1,1") == ("slide-shut-in", "FS-9")


def test_fs10_slide_may_not_split_the_patch() -> None:
    position = table(RAINBOW, "7,0 -15,1")
    assert {move.split(">")[0] for move in may(position, "S")} == {"S7,0"}
    assert refused(position, "S0,0>0,1") == ("slide-splits", "FS-10")


def test_fs10_slide_may_not_split_the_patch_even_if_it_rejoins() -> None:
    """Y could go from one side of the gap to the other and hold both parts as before."""
    position = table(RAINBOW, "2,-1 -15,1")
    assert refused(position, "S2,0>2,1") == ("slide-splits", "FS-10")


def test_fs11_tile_slid_by_the_previous_player_is_barred() -> None:
    position = table(LOOSE, BESIDE_LOOSE, "S0,0>1,-1 F0,2")
    assert refused(position, "S1,-1>0,0") == ("slide-barred", "FS-11")
    assert not [move for move in may(position) if move.startswith("S1,-1>")]


def test_fs11_two_tiles_slid_by_the_previous_player_are_barred() -> None:
    position = table(LOOSE, BESIDE_LOOSE, "S0,0>1,-1 S3,0>2,-1")
    assert refused(position, "S1,-1>0,0") == refused(position, "S2,-1>3,0") == ("slide-barred", "FS-11")
    tiles = game.view(position, 1)["tiles"]
    assert sorted(tile["cell"] for tile in tiles if tile["barred"]) == ["1,-1", "2,-1"]
    assert game.view(position, 1)["barred_by"] == 0


def test_fs11_tile_may_slide_twice_in_one_turn() -> None:
    assert table(LOOSE, BESIDE_LOOSE, "S0,0>1,-1 S1,-1>0,0").to_act() == [1]


def test_fs11_only_the_next_player_is_barred() -> None:
    position = table(LOOSE, "3,1 -1,1 4,-1", "S0,0>1,-1 F0,2")
    assert refused(position, "S1,-1>0,0") == ("slide-barred", "FS-11")
    play(position, "F1,2 F-2,2")
    assert position.to_act() == [2]
    assert "S1,-1>0,0" in may(position)


def test_fs11_player_tiles_are_not_barred() -> None:
    position = shuttle(table(LOOSE, BESIDE_LOOSE))
    assert game.view(position, 1)["barred_by"] is None


# ── Winning ────────────────────────────────────────────────────────────────────────────────────────────


def test_fs13_rainbow_beside_the_acting_player_wins_at_once() -> None:
    position = table(RAINBOW, "-15,1 7,0", "F4,0 F5,0")
    assert ended(position) is None
    play(position, "F6,0")  # the first of two actions
    assert ended(position) == ("rainbow", [1])
    assert position.scores() == [0, 1]


def test_fs13_any_tile_of_a_rainbow_may_touch_the_player_tile() -> None:
    for place in ("0,-1", "1,-1", "3,-1", "5,-1", "7,-1"):
        assert ended(table(RAINBOW, f"-15,1 {place}", "F4,0 F5,0 F6,0")) == ("rainbow", [1])


def test_fs13_rainbow_that_touches_both_players_is_the_acting_players() -> None:
    assert ended(table(RAINBOW, "0,-1 7,0", "F4,0 F5,0 F6,0")) == ("rainbow", [1])


def test_fs13_sliding_the_player_tile_to_a_rainbow_wins() -> None:
    position = table(RAINBOW, "-15,1 -14,2", "F4,0 F5,0 F6,0 F-1,1")
    assert ended(play(position, "S-15,1>0,-1")) == ("rainbow", [0])


def test_fs14_rainbow_beside_another_player_wins_at_the_end_of_the_turn() -> None:
    position = table(RAINBOW, "6,-1 -15,1", "F4,0 F5,0 F6,0")
    assert (ended(position), position.to_act()) == (None, [1])
    assert ended(play(position.copy(), "F-14,1")) == ("rainbow", [0])
    assert ended(play(position.copy(), "S-15,1>0,-1")) == ("rainbow", [1])  # brought to it
    broken = play(position.copy(), "S6,0>0,-1")
    assert (ended(broken), broken.to_act()) == (None, [0])


@pytest.mark.parametrize(
    ("places", "winner"),
    [
        ("0,-1 -22,1 -21,2 3,-1", 3),  # beside 0 and 3: after seat 1 comes 2, then 3
        ("0,-1 -22,1 3,-1 6,-1", 2),
        ("0,-1 -22,1 -21,2 -20,2", 0),
    ],
)
def test_fs14_next_player_in_turn_order_wins(places: str, winner: int) -> None:
    position = table(RAINBOW, places, "F4,0 F5,0 F6,0 F-21,1")
    assert ended(position) == ("rainbow", [winner])
    assert position.scores() == [int(seat == winner) for seat in range(4)]


def test_fs15_rainbow_beside_no_player_changes_nothing() -> None:
    position = table(RAINBOW, "-15,1 -14,2", "F4,0 F5,0 F6,0 F-14,1")
    assert (ended(position), position.to_act()) == (None, [0])
    play(position, "S-15,1>-15,2 S-15,2>-15,1")
    assert (ended(position), position.to_act()) == (None, [1])


# ── Draws ──────────────────────────────────────────────────────────────────────────────────────────────


def test_fs16_third_repetition_at_the_start_of_a_turn_draws() -> None:
    position = table(LOOSE, BESIDE_LOOSE)
    stood = []
    while ended(position) is None:
        stood.append(game.view(position, 0)["stood"])
        shuttle(position)
    assert stood == [1, 1, 2, 2]
    assert ended(position) == ("repetition", [])
    assert (position.scores(), position.to_act()) == ([0, 0], [])


def test_fs16_positions_with_other_barred_tiles_differ() -> None:
    """All lies as before, but a tile was slid there and back, so it is barred now."""
    position = table(LOOSE, BESIDE_LOOSE)
    shuttle(shuttle(position))
    assert game.view(position, 0)["stood"] == 2
    shuttle(position)
    play(position, "S0,0>1,-1 S1,-1>0,0")
    assert game.view(position, 0)["stood"] == 1


def test_fs16_flip_makes_another_position() -> None:
    position = table(LOOSE, BESIDE_LOOSE)
    shuttle(shuttle(position))
    play(position, "F0,2 F1,2")
    shuttle(shuttle(shuttle(position)))
    assert ended(position) is None


def test_fs16_swapped_tiles_of_one_colour_repeat_the_position() -> None:
    two_reds = """
      R R Y G
       * * *
      ~ * *
    """
    position = table(two_reds, BESIDE_LOOSE)
    shuttle(position)
    shuttle(position)
    play(position, "S0,0>2,-1 S1,0>0,0")
    shuttle(position)
    home = player_cell(position, 0)
    play(position, f"S2,-1>1,0 S{home}>4,0")
    shuttle(position)
    play(position, f"S4,0>4,-1 S4,-1>{home}")
    view = game.view(position, 1)
    assert [(tile["cell"], tile["face"]) for tile in view["tiles"][:2]] == [("1,0", "R"), ("0,0", "R")]
    assert view["stood"] == 2


def test_fs16_the_200th_turn_draws() -> None:
    position, rng = deal(game, b"long", 2), Rng(1)
    assert playout(position, rng) == 2 + 200 * 2 == game.max_plies(2, resolve_options(game, {}))
    assert ended(position) == ("turn-limit", [])
    assert game.view(position, 0)["turn_number"] == 200


def test_fs16_empty_turns_count_toward_the_limit() -> None:
    position = turn_up(table(LINE, ENDS_OF_LINE))
    position.turns = 198
    play(shuttle(position), "")
    assert position.turns == 199
    play(position, "S0,0>-19,1 S1,0>3,1")
    assert ended(position) == ("turn-limit", [])


# ── Options ────────────────────────────────────────────────────────────────────────────────────────────


def test_fs17_red_tile_must_touch_with_red_start() -> None:
    plain = table(RAINBOW, "-15,1 7,0", "F4,0 F5,0 F6,0")
    red_start = table(RAINBOW, "-15,1 7,0", "F4,0 F5,0 F6,0", red_start=True)
    assert (ended(plain), ended(red_start)) == (("rainbow", [1]), None)
    assert ended(play(red_start, "S7,0>0,-1")) == ("rainbow", [1])


def test_fs17_red_tile_must_touch_at_the_end_of_a_turn() -> None:
    assert ended(table(RAINBOW, "6,-1 -15,1", "F4,0 F5,0 F6,0 F-14,1", red_start=True)) is None
    assert ended(table(RAINBOW, "0,-1 -15,1", "F4,0 F5,0 F6,0 F-14,1", red_start=True)) == ("rainbow", [0])


def test_fs18_short_slides_go_three_spaces_at_most() -> None:
    far = table(LOOSE, BESIDE_LOOSE)
    short = table(LOOSE, BESIDE_LOOSE, short_slides=True)
    assert set(may(short)) < set(may(far))
    assert "S3,1>1,-1" in may(far)
    assert refused(short, "S3,1>1,-1") == ("slide-too-far", "FS-18")
    assert "S3,1>3,-1" in may(short)
