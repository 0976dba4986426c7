"""Picking a move by pointing at places, and by typing."""

import pytest

from sevenhues import load, names
from sevenhues.core.play import deal
from sevenhues.core.rng import Rng
from sevenhues.render.canvas import Place, Scene
from sevenhues.terminal.move_picker import Choice, matching, meant


def place(name: str, *moves: str) -> Place:
    return Place(name, 0, 0, 1, 1, list(moves))


TILE = place("tile", "flip", "slide>a", "slide>b")
OTHER = place("other", "other>a")
A = place("a", "slide>a", "other>a")
B = place("b", "slide>b")
PLACES = [TILE, OTHER, A, B]
LEGAL = ["flip", "other>a", "slide>a", "slide>b"]


def choosing() -> Choice:
    choice = Choice()
    choice.among(LEGAL)
    return choice


def test_each_picked_place_narrows_the_moves_until_one_is_left() -> None:
    choice = choosing()
    assert choice.pick(TILE, PLACES) is None
    assert choice.left == ["flip", "slide>a", "slide>b"]
    assert choice.pick(A, PLACES) == "slide>a"


def test_place_of_a_single_move_makes_that_move() -> None:
    assert choosing().pick(B, PLACES) == "slide>b"


def test_place_picked_twice_makes_the_move_of_that_place_alone() -> None:
    choice = choosing()
    choice.pick(TILE, PLACES)
    assert choice.pick(TILE, PLACES) == "flip"


def test_place_picked_twice_without_a_move_of_its_own_is_deselected() -> None:
    choice = choosing()
    choice.pick(A, PLACES)
    assert choice.pick(A, PLACES) is None
    assert (choice.left, choice.picked) == (LEGAL, [])


def test_place_that_fits_no_picked_place_starts_a_new_selection() -> None:
    choice = choosing()
    choice.pick(TILE, PLACES)
    assert choice.pick(OTHER, PLACES) == "other>a"


def test_selection_stays_until_the_moves_change() -> None:
    choice = choosing()
    choice.pick(TILE, PLACES)
    choice.among(list(LEGAL))
    assert choice.picked == ["tile"]
    choice.among(LEGAL[1:])
    assert (choice.left, choice.picked) == (LEGAL[1:], [])


def test_typed_text_filters_and_selects_moves_in_either_case() -> None:
    moves = ["B1", "F1", "S1", "S2"]
    assert matching(moves, "s") == ["S1", "S2"]
    assert matching(moves, "1") == ["B1", "F1", "S1"]
    assert meant(moves, "s2") == "S2"
    assert meant(moves, "s") is None
    assert meant(moves, "2") == "S2"
    assert meant(moves, "") is None
    assert meant(["p1", "p12"], "p1") == "p1"


def pointable(scene: Scene, legal: list[str]) -> set[str]:
    """Return the moves that can be made by pointing at up to three places."""
    made: set[str] = set()
    paths: list[list[Place]] = [[]]
    for _ in range(3):
        longer = []
        for path in paths:
            for last in scene.places:
                choice = Choice()
                choice.among(legal)
                for step in path:
                    choice.pick(step, scene.places)
                before = len(choice.picked)
                move = choice.pick(last, scene.places)
                if move is not None:
                    made.add(move)
                elif len(choice.picked) > before and not set(choice.left) <= made:
                    longer.append([*path, last])
        paths = longer
    return made


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("room", [(58, 17), (86, 36), (20, 8)])
def test_every_legal_move_can_be_made_by_pointing(name: str, room: tuple[int, int]) -> None:
    game = load(name)
    position, rng = deal(game, b"point"), Rng(11)
    for _ in range(25):
        for seat in position.to_act():
            legal = game.legal_texts(position, seat)
            scene = Scene(*room, True, ["Ada", "Ben"])
            game.paint(game.view(position, seat), legal, scene)
            assert pointable(scene, legal) == set(legal)
        seat = position.pick_seat(rng)
        if seat < 0:
            break
        position.play(seat, game.guide().policy(position, seat, rng))
