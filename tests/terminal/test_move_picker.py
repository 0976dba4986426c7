"""Picking a move by hit areas, and by typing."""

import pytest

from sevenhues import load, names
from sevenhues.core.moves import legal_texts
from sevenhues.core.play import deal
from sevenhues.core.rng import Rng
from sevenhues.render.canvas import Canvas, HitArea
from sevenhues.terminal.move_picker import MovePicker, matching_moves, typed_move


def area(name: str, *moves: str) -> HitArea:
    return HitArea(name, 0, 0, 1, 1, list(moves))


TILE = area("tile", "flip", "slide>a", "slide>b")
OTHER = area("other", "other>a")
A = area("a", "slide>a", "other>a")
B = area("b", "slide>b")
AREAS = [TILE, OTHER, A, B]
LEGAL = ["flip", "other>a", "slide>a", "slide>b"]


def picker_with_moves() -> MovePicker:
    picker = MovePicker()
    picker.set_legal(LEGAL)
    return picker


def test_each_picked_area_narrows_the_moves_until_one_is_left() -> None:
    picker = picker_with_moves()
    assert picker.pick(TILE, AREAS) is None
    assert picker.remaining == ["flip", "slide>a", "slide>b"]
    assert picker.pick(A, AREAS) == "slide>a"


def test_area_of_a_single_move_makes_that_move() -> None:
    assert picker_with_moves().pick(B, AREAS) == "slide>b"


def test_area_picked_twice_makes_the_move_of_that_area_alone() -> None:
    picker = picker_with_moves()
    picker.pick(TILE, AREAS)
    assert picker.pick(TILE, AREAS) == "flip"


def test_area_picked_twice_without_a_move_of_its_own_is_deselected() -> None:
    picker = picker_with_moves()
    picker.pick(A, AREAS)
    assert picker.pick(A, AREAS) is None
    assert (picker.remaining, picker.picked) == (LEGAL, [])


def test_area_that_fits_no_picked_area_starts_a_new_selection() -> None:
    picker = picker_with_moves()
    picker.pick(TILE, AREAS)
    assert picker.pick(OTHER, AREAS) == "other>a"


def test_selection_stays_until_the_moves_change() -> None:
    picker = picker_with_moves()
    picker.pick(TILE, AREAS)
    picker.set_legal(list(LEGAL))
    assert picker.picked == ["tile"]
    picker.set_legal(LEGAL[1:])
    assert (picker.remaining, picker.picked) == (LEGAL[1:], [])


def test_typed_text_filters_and_selects_moves_in_either_case() -> None:
    moves = ["B1", "F1", "S1", "S2"]
    assert matching_moves(moves, "s") == ["S1", "S2"]
    assert matching_moves(moves, "1") == ["B1", "F1", "S1"]
    assert typed_move(moves, "s2") == "S2"
    assert typed_move(moves, "s") is None
    assert typed_move(moves, "2") == "S2"
    assert typed_move(moves, "") is None
    assert typed_move(["p1", "p12"], "p1") == "p1"


def pickable_moves(canvas: Canvas, legal: list[str]) -> set[str]:
    """Return the moves that can be made by picking up to three hit areas."""
    moves: set[str] = set()
    paths: list[list[HitArea]] = [[]]
    for _ in range(3):
        longer = []
        for path in paths:
            for last in canvas.hit_areas:
                picker = MovePicker()
                picker.set_legal(legal)
                for step in path:
                    picker.pick(step, canvas.hit_areas)
                before = len(picker.picked)
                move = picker.pick(last, canvas.hit_areas)
                if move is not None:
                    moves.add(move)
                elif len(picker.picked) > before and not set(picker.remaining) <= moves:
                    longer.append([*path, last])
        paths = longer
    return moves


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("size", [(58, 17), (86, 36), (20, 8)])
def test_every_legal_move_can_be_made_by_picking_hit_areas(name: str, size: tuple[int, int]) -> None:
    game = load(name)
    position, rng = deal(game, b"point"), Rng(11)
    for _ in range(25):
        for seat in position.to_act():
            legal = legal_texts(game, position, seat)
            canvas = Canvas(*size, True, ["Ada", "Ben"])
            game.renderer().render(game.view(position, seat), legal, canvas)
            assert pickable_moves(canvas, legal) == set(legal)
        seat = position.pick_seat(rng)
        if seat < 0:
            break
        position.play(seat, game.bot_support().heuristics().policy(position, seat, rng))
