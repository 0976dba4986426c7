"""Several players at one screen: a curtain hides the views of others."""

from typing import Any

import pytest

from sevenhues import load
from sevenhues.core.game import Game
from sevenhues.terminal.app import TerminalApp
from sevenhues.terminal.local import LocalSession
from sevenhues.terminal.screens import CurtainScreen
from tests.terminal.sessions import local_session, message_text, running_app, screen_text, started_record

pytestmark = pytest.mark.anyio


class ViewerLog:
    """Records the viewers of all snapshots of a session."""

    def __init__(self, session: LocalSession) -> None:
        self.viewers: list[int] = []
        snapshot = session.snapshot

        def logged_snapshot(viewer: int) -> Any:
            self.viewers.append(viewer)
            return snapshot(viewer)

        session.snapshot = logged_snapshot  # type: ignore[method-assign]


def is_curtain_shown(app: TerminalApp) -> bool:
    return isinstance(app.screen, CurtainScreen)


def hand_of(game: Game[Any], session: LocalSession, seat: int) -> list[int]:
    numbers: list[int] = game.view(session.position, seat)["hands"][seat]["numbers"]
    return numbers


async def test_curtain_shows_a_name_and_nothing_else() -> None:
    game = load("rainbow-road")
    session = local_session(started_record(game, ["Ada", "Ben"]))
    log = ViewerLog(session)
    first = session.to_act()[0]
    async with running_app(session) as (app, pilot):
        assert is_curtain_shown(app)
        assert log.viewers == []
        assert session.names[first] in screen_text(app)
        assert app.board.canvas.runs == []
        assert app.move_list.options.option_count == 0
        await pilot.press(*"p1a1", "f1", "f2", "tab", "escape", "space")
        assert is_curtain_shown(app)
        assert not session.record.moves
        await pilot.press("enter")
        assert not is_curtain_shown(app)
        assert set(log.viewers) == {first}


async def test_screen_is_handed_over_behind_the_curtain_when_the_other_seat_acts() -> None:
    game = load("rainbow-road")
    session = local_session(started_record(game, ["Ada", "Ben"]))
    first = session.to_act()[0]
    other = 1 - first
    log = ViewerLog(session)
    async with running_app(session) as (app, pilot):
        await pilot.press("enter", "down", "enter")
        assert len(session.record.moves) == 1
        assert session.to_act() == [other]
        assert message_text(app) == f"Press Enter to hand over to {session.names[other]}."
        assert app.viewer == first, "the mover sees the result of the move"
        assert app.move_list.options.option_count == 0, "the mover cannot move for the other seat"
        assert set(log.viewers) == {first}
        await pilot.press("enter")
        assert is_curtain_shown(app)
        assert not app.board.canvas.runs
        before = len(log.viewers)
        await pilot.press("enter")
        assert app.viewer == other
        assert set(log.viewers[before:]) == {other}
        assert sorted(str(option.prompt)[1] for option in app.move_list.options.options)[0] == str(
            min(hand_of(game, session, other))
        )


async def test_game_without_hidden_information_has_no_curtain() -> None:
    session = local_session(started_record(load("flip-and-slide"), ["Ada", "Ben", "Cleo"]))
    async with running_app(session) as (app, pilot):
        for seat in (0, 1, 2):
            assert app.viewer == seat
            await pilot.press("down", "enter")
        assert len(session.record.moves) == 3


async def test_view_of_a_bot_is_not_available() -> None:
    session = local_session(started_record(load("rainbow"), ["you", "bot:random"]))
    with pytest.raises(AssertionError):
        session.snapshot(1)


async def test_two_players_race_from_one_keyboard_by_changing_seats() -> None:
    session = local_session(started_record(load("nimble"), ["Ada", "Ben"]))
    async with running_app(session) as (app, pilot):
        await pilot.press("f", "f3", "f")
        assert [(move.seat, move.text) for move in session.record.moves] == [(0, "f"), (1, "f")]
        assert "Other seat" in screen_text(app)
