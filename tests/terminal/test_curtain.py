"""Several players at one screen: a curtain hides the views of others."""

from typing import Any

import pytest

from sevenhues import load
from sevenhues.core.game import Game
from sevenhues.terminal.app import Terminal
from sevenhues.terminal.local import Local
from sevenhues.terminal.screens import Curtain
from tests.terminal.sessions import local_session, message_text, running_app, screen_text, started_record

pytestmark = pytest.mark.anyio


class Eyes:
    """Notes through which seats a sitting is looked at."""

    def __init__(self, sitting: Local) -> None:
        self.through: list[int] = []
        look = sitting.glimpse

        def noted(seat: int) -> Any:
            self.through.append(seat)
            return look(seat)

        sitting.glimpse = noted  # type: ignore[method-assign]


def curtained(app: Terminal) -> bool:
    return isinstance(app.screen, Curtain)


def hand_of(game: Game[Any], sitting: Local, seat: int) -> list[int]:
    numbers: list[int] = game.view(sitting.position, seat)["hands"][seat]["numbers"]
    return numbers


async def test_curtain_shows_a_name_and_nothing_else() -> None:
    game = load("rainbow-road")
    sitting = local_session(started_record(game, ["Ada", "Ben"]))
    eyes = Eyes(sitting)
    first = sitting.turn()[0]
    async with running_app(sitting) as (app, pilot):
        assert curtained(app)
        assert eyes.through == []
        assert sitting.names[first] in screen_text(app)
        assert app.board.scene.runs == []
        assert app.moves.listing.option_count == 0
        await pilot.press(*"p1a1", "f1", "f2", "tab", "escape", "space")
        assert curtained(app)
        assert not sitting.record.moves
        await pilot.press("enter")
        assert not curtained(app)
        assert set(eyes.through) == {first}


async def test_screen_is_handed_over_behind_the_curtain_when_the_other_seat_acts() -> None:
    game = load("rainbow-road")
    sitting = local_session(started_record(game, ["Ada", "Ben"]))
    first = sitting.turn()[0]
    other = 1 - first
    eyes = Eyes(sitting)
    async with running_app(sitting) as (app, pilot):
        await pilot.press("enter", "down", "enter")
        assert len(sitting.record.moves) == 1
        assert sitting.turn() == [other]
        assert message_text(app) == f"Press Enter to hand over to {sitting.names[other]}."
        assert app.eyes == first, "who moved sees what came of it"
        assert app.moves.listing.option_count == 0, "and may not move for the other"
        assert set(eyes.through) == {first}
        await pilot.press("enter")
        assert curtained(app)
        assert not app.board.scene.runs
        before = len(eyes.through)
        await pilot.press("enter")
        assert app.eyes == other
        assert set(eyes.through[before:]) == {other}
        assert sorted(str(option.prompt)[1] for option in app.moves.listing.options)[0] == str(
            min(hand_of(game, sitting, other))
        )


async def test_game_without_hidden_information_has_no_curtain() -> None:
    sitting = local_session(started_record(load("flip-and-slide"), ["Ada", "Ben", "Cleo"]))
    async with running_app(sitting) as (app, pilot):
        for seat in (0, 1, 2):
            assert app.eyes == seat
            await pilot.press("down", "enter")
        assert len(sitting.record.moves) == 3


async def test_view_of_a_bot_is_not_available() -> None:
    sitting = local_session(started_record(load("rainbow"), ["you", "bot:random"]))
    with pytest.raises(AssertionError):
        sitting.glimpse(1)


async def test_two_players_race_from_one_keyboard_by_changing_seats() -> None:
    sitting = local_session(started_record(load("nimble"), ["Ada", "Ben"]))
    async with running_app(sitting) as (app, pilot):
        await pilot.press("f", "f3", "f")
        assert [(move.seat, move.text) for move in sitting.record.moves] == [(0, "f"), (1, "f")]
        assert "Other seat" in screen_text(app)
