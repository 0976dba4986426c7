"""The solo game, rule by rule."""

import pytest

from sevenhues.core.game import resolve_options
from sevenhues.core.rng import Dealer
from sevenhues.games.flip_and_slide import game
from tests.games.flip_and_slide.positions import ended, may, play, refused, table, turn_up

# R is loose. The tail ends at -5,3.
PATCH = """
      R * *
     * * * *
      * * *
     ~
"""
# v at 6,0 is the last clover of a rainbow from 0,0. The tail ends at -7,1.
RAINBOW = """
      R O Y G B I v
     ~
"""
# Three turns that restore the position: R and the player tile each go round.
ROUND = "S2,-1>-1,0 J0,3 S-1,0>-1,3 J3,0 S-1,3>2,-1 J0,0"


def test_fs4_solo_deal_has_no_face_up_tile() -> None:
    setup = game.deal(1, resolve_options(game, {}), Dealer(b""), None)
    assert setup["up"] == []
    assert {tile["face"] for tile in game.view(game.start(setup, 1, resolve_options(game, {})), 0)["tiles"]} == {"?"}


@pytest.mark.parametrize("step", ["F2,0", "S0,0>-1,0", "S3,0>3,1"])
def test_fs19_solo_turn_is_a_flip_or_slide_and_then_a_jump(step: str) -> None:
    position = table(PATCH, "3,0")
    assert not may(position, "J")
    assert refused(position, "J-1,0") == ("step-first", "FS-19")
    play(position, step)
    assert may(position)
    assert not may(position, "FS")
    assert refused(position, "F1,0") == ("jump-now", "FS-20")


def test_fs19_no_tile_is_barred_in_solo() -> None:
    position = table(PATCH, "3,0", "S0,0>2,-1 J0,0")
    assert "S2,-1>-1,0" in may(position)
    assert game.view(position, 0)["barred_by"] is None


def test_fs20_jump_goes_over_tiles_in_a_line_to_the_first_empty_cell() -> None:
    position = table(PATCH, "3,0", "F1,0")
    assert may(position) == ["J-1,0", "J0,3"]
    assert refused(position, "J1,1") == ("jump-crooked", "FS-20")
    assert refused(position, "J3,0") == ("jump-crooked", "FS-20")
    assert refused(position, "J4,0") == ("jump-nothing", "FS-20")
    assert refused(position, "J1,0") == ("jump-short", "FS-20")
    assert refused(position, "J-2,0") == ("jump-short", "FS-20")
    assert refused(position, "J999999999999999999999,0") == ("jump-crooked", "FS-20")
    view = game.view(position, 0)
    assert [(jump["cell"], jump["over"]) for jump in view["jumps"]] == [("-1,0", [2, 1, 0]), ("0,3", [6, 9])]


def test_fs20_jump_does_not_cross_a_gap() -> None:
    position = table(PATCH, "3,0", "S0,0>-1,0")  # a hole where R was
    assert may(position) == ["J0,0", "J0,3"]


def test_fs20_jump_may_not_split_the_patch() -> None:
    position = table(PATCH, "-6,3", "F0,2")
    assert may(position) == ["J-1,3"]
    hung_on = table(PATCH, "-6,3", "S0,0>-7,3")
    assert ended(hung_on) == ("stuck", [])


def test_fs21_jump_back_to_the_previous_cell_is_refused() -> None:
    position = table(PATCH, "3,0", "F1,0 J-1,0 F2,0")
    assert may(position) == ["J-1,3"]
    assert refused(position, "J3,0") == ("jump-back", "FS-21")
    assert game.view(position, 0)["previous"] == "3,0"


def test_fs21_slide_sets_the_previous_cell() -> None:
    position = table(PATCH, "3,0", "S3,0>-1,0")
    assert may(position) == ["J-1,3"]
    assert refused(position, "J3,0") == ("jump-back", "FS-21")


def test_fs21_placing_sets_no_previous_cell() -> None:
    assert game.view(table(PATCH, "3,0", "F1,0"), 0)["previous"] is None


def test_fs21_slide_may_return_to_the_previous_cell() -> None:
    position = table(PATCH, "3,0", "F1,0 J-1,0")
    assert "S-1,0>3,0" in may(position)


def test_fs22_game_is_lost_without_a_jump() -> None:
    position = table(PATCH, "-1,3", "S-1,3>-6,3")  # the only jump would go back
    assert ended(position) == ("stuck", [])
    assert position.scores() == [0]


def test_fs23_rainbow_after_the_first_step_wins() -> None:
    position = table(RAINBOW, "6,-1", "F6,0")
    assert ended(position) == ("rainbow", [0])
    assert position.scores() == [1]


def test_fs23_rainbow_after_the_jump_wins() -> None:
    position = table(RAINBOW.replace("v", "V"), "-8,1", "F-7,1")
    assert ended(position) is None
    assert ended(play(position, "J0,1")) == ("rainbow", [0])


def test_fs17_red_tile_must_touch_in_solo() -> None:
    assert ended(table(RAINBOW, "6,-1", "F6,0", red_start=True)) is None
    assert ended(table(RAINBOW, "0,-1", "F6,0", red_start=True)) == ("rainbow", [0])


def test_fs18_short_slides_apply_in_solo() -> None:
    assert refused(table(PATCH, "3,0", short_slides=True), "S3,0>-1,0") == ("slide-too-far", "FS-18")


def test_fs24_flipping_the_last_clover_loses() -> None:
    position = turn_up(table(PATCH, "3,0"), but=1)
    assert ended(play(position, "F-5,3")) == ("all-flipped", [])


def test_fs24_flipping_the_last_clover_loses_even_if_it_completes_a_rainbow() -> None:
    position = turn_up(table(RAINBOW, "6,-1"))
    position.up ^= 1 << 6  # v
    assert ended(play(position, "F6,0")) == ("all-flipped", [])
    assert position.scores() == [0]


def test_fs24_200th_turn_loses_and_positions_may_repeat() -> None:
    position = table(PATCH, "3,0", "S0,0>2,-1 J0,0")
    for _ in range(66):
        assert ended(position) is None
        play(position, ROUND)
    assert game.view(position, 0)["turn_number"] == 200
    play(position, "F1,2")
    assert ended(position) is None
    assert ended(play(position, may(position)[0])) == ("turn-limit", [])


def test_fs23_rainbow_wins_even_if_the_tile_is_stuck() -> None:
    """FS-23 is checked before FS-22: from 7,0 the only jump would go back to -1,0."""
    assert ended(table(RAINBOW, "-1,0", "S-1,0>7,0")) == ("stuck", [])
    assert ended(table(RAINBOW.replace("v", "V"), "-1,0", "S-1,0>7,0")) == ("rainbow", [0])
