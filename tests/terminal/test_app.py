"""LocalSession games in the terminal: played by keys and mouse, refusals, and every screen size."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from sevenhues import load, names
from sevenhues.core import record
from sevenhues.core.rng import Rng
from sevenhues.terminal.app import TerminalApp
from sevenhues.terminal.local import LocalSession
from sevenhues.terminal.screens import ConfirmScreen, RulesScreen
from tests.terminal.sessions import local_session, message_text, running_app, screen_text, started_record, wait_until
from tests.toy_games.duel import game as duel

pytestmark = pytest.mark.anyio
KEY_NAMES = {",": "comma", "-": "minus", "+": "plus", ">": "greater_than_sign", ":": "colon", "@": "at"}
LAST_PLIES = 16  # that are left to play near the end of a game


def key_names(text: str) -> list[str]:
    return [KEY_NAMES.get(letter, letter) for letter in text]


async def play_to_the_end(app: TerminalApp, pilot: Pilot[None], session: LocalSession, make_move: Any) -> int:
    """Make moves by the policy of the game until it is over; return their number."""
    count, rng, game = 0, Rng(5), session.game
    while True:
        await wait_until(pilot, lambda: app.snapshot.legal or app.snapshot.result_text)
        if app.snapshot.result_text:
            return count
        seat = app.viewer
        assert seat is not None
        assert app.is_running
        text = game.text(session.position, seat, game.bot_support().heuristics().policy(session.position, seat, rng))
        await make_move(app, pilot, text)
        count += 1
        assert count < 400


async def by_keys(app: TerminalApp, pilot: Pilot[None], text: str) -> None:
    await pilot.press(*key_names(text), *([] if app.session.game.simultaneous else ["enter"]))


async def by_mouse(app: TerminalApp, pilot: Pilot[None], text: str) -> None:
    """Click the hit areas of a move; those that are part of the fewest moves come last."""
    ply = app.snapshot.ply
    areas = [area for area in app.board.selectable() if text in area.moves]
    alone = [area for area in areas if area.moves == [text]]
    for area in alone[:1] or sorted(areas, key=lambda area: -len(area.moves)):
        at = app.board.region_of(area)
        await pilot.click(app.board, offset=(at.x, at.y))
    if app.snapshot.ply == ply and app.board.picked:
        await pilot.click(app.board, offset=(at.x, at.y))


async def by_paste(app: TerminalApp, pilot: Pilot[None], text: str) -> None:
    app.move_list.input.post_message(events.Paste(text))
    await pilot.press("enter")


async def check_played_game(name: str, make_move: Any, file: Path, *, alone: bool = False, late: bool = True) -> None:
    """Play a game to its end, all of it or the last plies, and check the record that is saved."""
    game = load(name)
    bot = "bot:player" if game.simultaneous else "bot:random"  # a random bot does not finish a race
    started = started_record(game, ["you"] if alone else ["you", bot], None if late else 0)
    del started.moves[-LAST_PLIES:]
    session = local_session(started, file, bot_delay_seconds=0.001 if game.simultaneous else 0.0)
    async with running_app(session, (120, 40)) as (app, pilot):
        assert await play_to_the_end(app, pilot, session, make_move) >= 3
        await wait_until(pilot, lambda: "The game is over" in screen_text(app))
        assert message_text(app) == app.snapshot.result_text
    saved_record = record.read(file.read_bytes())
    assert [*record.replay(saved_record)][-1].outcome() is not None
    assert saved_record.result is not None


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name == "rainbow" else pytest.mark.long) for name in names()],
)
async def test_game_is_played_to_its_end_by_keys(name: str, tmp_path: Path) -> None:
    await check_played_game(name, by_keys, tmp_path / "game.json")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rainbow-road", pytest.param("rainbow", marks=pytest.mark.long)])
async def test_game_is_played_to_its_end_by_mouse(name: str, tmp_path: Path) -> None:
    await check_played_game(name, by_mouse, tmp_path / "game.json")


@pytest.mark.long
@pytest.mark.parametrize("name", names())
async def test_whole_game_is_played_by_pasted_moves(name: str, tmp_path: Path) -> None:
    await check_played_game(name, by_paste, tmp_path / "game.json", alone=load(name).min_seats == 1, late=False)


async def test_board_is_played_with_arrows_and_enter() -> None:
    session = local_session(started_record(load("rainbow"), ["you", "bot:random"]))
    async with running_app(session) as (app, pilot):
        await pilot.press("tab")
        assert app.board.has_focus
        for _ in range(20):
            if app.board.cursor == "S1":
                break
            await pilot.press("left")
        await pilot.press("enter")
        assert session.record.moves[0].text == "S1"


async def test_invalid_input_is_refused_with_its_rule_and_changes_nothing() -> None:
    session = local_session(started_record(load("rainbow"), ["you", "bot:random"]))
    async with running_app(session) as (app, pilot):
        await pilot.press(*"xyzzy", "enter")
        assert "'xyzzy' is not a move of Rainbow" in message_text(app)
        assert "(G-3)" in message_text(app)
        await pilot.press("e", "enter")
        assert message_text(app) == "Play a card before you end your turn. (RB-12)"
        assert app.message.has_class("refused")
        await pilot.press(*["§", "left_square_bracket", "f4", "home", "f1", "f1", "escape"], "enter")
        assert not session.record.moves
        await pilot.press("escape", *"s1", "enter")
        assert session.record.moves[0].text == "S1"


async def test_move_list_is_filtered_by_typing_and_browsed_with_arrows() -> None:
    session = local_session(started_record(load("rainbow"), ["you", "bot:random"]))
    async with running_app(session) as (app, pilot):
        await pilot.press("b")
        assert [str(option.prompt) for option in app.move_list.options.options] == ["B1", "B2", "B3"]
        await pilot.press("down", "down", "enter")
        assert session.record.moves[0].text == "B2"


async def test_move_list_is_clicked() -> None:
    session = local_session(started_record(load("rainbow"), ["you", "bot:random"]))
    async with running_app(session) as (app, pilot):
        await pilot.click(app.move_list.options, offset=(3, 2))
        assert session.record.moves[0].text == "B3"


def is_shown(app: TerminalApp, texts: list[str]) -> bool:
    return all(text in screen_text(app) for text in texts)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
async def test_every_screen_size_shows_the_board_and_the_moves(name: str) -> None:
    session = local_session(started_record(load(name), ["Ada", "bot:random"], 6), bot_delay_seconds=100.0)
    async with running_app(session, (200, 60)) as (app, pilot):
        for size in ((60, 20), (200, 60), (80, 24), (20, 6), (120, 40)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            if size[0] >= 60:
                await wait_until(pilot, partial(is_shown, app, ["Ada", *app.snapshot.legal[:3]]))


async def test_no_color_draws_frames_around_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    session = local_session(started_record(load("rainbow"), ["you", "bot:random"]))
    async with running_app(session) as (app, _):
        assert screen_text(app).count("┌─────┐") == 6
        assert all(run.colours == (-1, -1) for run in app.board.canvas.runs)


@pytest.mark.slow
async def test_keys_show_rules_and_hint_and_start_another_game(tmp_path: Path) -> None:
    session = local_session(
        started_record(load("rainbow"), ["you", "bot:random"], 4), tmp_path / "game.json", bot_delay_seconds=100.0
    )
    async with running_app(session) as (app, pilot):
        await pilot.press("f1")
        assert isinstance(app.screen, RulesScreen)
        await wait_until(pilot, lambda: "RB-1" in screen_text(app))
        await pilot.press("escape", "f2")
        await wait_until(pilot, lambda: "would play" in message_text(app))
        before = session.record.setup
        await pilot.press("f5")
        assert isinstance(app.screen, ConfirmScreen)
        await pilot.press("n")
        assert session.record.setup == before
        await pilot.press("f5", "y")
        await wait_until(pilot, lambda: session.record.setup != before)
        assert app.snapshot.ply == 0
        assert not app.snapshot.log
        assert json.loads((tmp_path / "game.json").read_text())["moves"] == []


async def test_quitting_asks_for_confirmation() -> None:
    session = local_session(started_record(load("rainbow"), ["you", "bot:random"]))
    async with running_app(session) as (app, pilot):
        await pilot.press("ctrl+q")
        assert isinstance(app.screen, ConfirmScreen)
        await pilot.press("n")
        assert app.is_running
        await pilot.press(*"quit", "enter")
        await pilot.press("y")
        assert not app.is_running


async def test_game_with_the_default_renderer_is_played_from_the_move_list() -> None:
    session = local_session(started_record(duel, ["you", "bot:random"]))
    async with running_app(session) as (app, pilot):
        assert "mine: [" in screen_text(app)
        while not app.snapshot.result_text:
            await wait_until(pilot, lambda: app.snapshot.legal or app.snapshot.result_text)
            await pilot.press("down", "enter")
        assert len(session.record.moves) == 4


async def test_failure_of_a_bot_is_raised() -> None:
    session = local_session(started_record(load("rainbow"), ["bot:random", "you"]))
    assert session.to_act() == [0]

    async def fail(*_: object) -> int:
        raise ValueError("bot failed")

    session._bot_worker.choose_move = fail  # type: ignore[method-assign, assignment]
    with pytest.raises(ValueError, match="bot failed"):
        async with running_app(session) as (app, pilot):
            await wait_until(pilot, lambda: not app.is_running)


async def test_marks_keep_the_letters_of_a_card_visible() -> None:
    """The letters of selectable, picked and hovered tiles stay visible, in the smallest hexagons too."""
    session = local_session(started_record(load("flip-and-slide"), ["you", "bot:random"], 10), bot_delay_seconds=100.0)
    async with running_app(session) as (app, pilot):
        assert "P0" in screen_text(app)
        tile = next(tile["cell"] for tile in app.snapshot.view["tiles"] if tile["seat"] == 0)
        assert tile in [area.name for area in app.board.selectable()]
        await pilot.press("tab")
        app.board.cursor = tile
        await pilot.press("enter")
        assert tile in app.board.picked
        assert "P0" in screen_text(app)
        await pilot.press("tab")
        assert "P0" in screen_text(app)
