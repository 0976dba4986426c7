"""Local games in the terminal: played by keys and mouse, refusals, and every screen size."""

import json
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from sevenhues import load, names
from sevenhues.core import record
from sevenhues.core.rng import Rng
from sevenhues.terminal.app import Terminal
from sevenhues.terminal.local import Local
from sevenhues.terminal.screens import Question, Rules
from tests.terminal.sessions import local_session, message_text, running_app, screen_text, started_record, wait_until
from tests.toy_games.duel import game as duel

pytestmark = pytest.mark.anyio
KEYS = {",": "comma", "-": "minus", "+": "plus", ">": "greater_than_sign", ":": "colon", "@": "at"}
LATE = {"flip-and-slide": 394, "nimble": 108, "rainbow": 92, "rainbow-road": 55}  # plies, so that it is over soon
RIVALS = {"nimble": "bot:player"}  # who gets a race over with


def keys(text: str) -> list[str]:
    return [KEYS.get(letter, letter) for letter in text]


async def play_on(app: Terminal, pilot: Pilot[None], sitting: Local, make: Any) -> int:
    """Make moves as the game's own policy would, until the game is over; return how many."""
    made, rng, game = 0, Rng(5), sitting.game
    while True:
        await wait_until(pilot, lambda: app.seen.legal or app.seen.over)
        if app.seen.over:
            return made
        seat = app.eyes
        assert seat is not None
        assert app.is_running
        text = game.text(sitting.position, seat, game.guide().policy(sitting.position, seat, rng))
        await make(app, pilot, text)
        made += 1
        assert made < 400


async def by_keys(app: Terminal, pilot: Pilot[None], text: str) -> None:
    await pilot.press(*keys(text), *([] if app.sitting.game.simultaneous else ["enter"]))


async def by_mouse(app: Terminal, pilot: Pilot[None], text: str) -> None:
    """Click the places of a move, those that are part of the fewest moves last."""
    ply = app.seen.ply
    places = [place for place in app.board.lit() if text in place.moves]
    alone = [place for place in places if place.moves == [text]]
    for place in alone[:1] or sorted(places, key=lambda place: -len(place.moves)):
        at = app.board.where(place)
        await pilot.click(app.board, offset=(at.x, at.y))
    if app.seen.ply == ply and app.board.picked:
        await pilot.click(app.board, offset=(at.x, at.y))


async def by_paste(app: Terminal, pilot: Pilot[None], text: str) -> None:
    app.moves.line.post_message(events.Paste(text))
    await pilot.press("enter")


async def is_played(name: str, bot: str, plies: int, make: Any, save: Path) -> None:
    game = load(name)
    seats = ["you", bot] if bot else ["you"]
    sitting = local_session(started_record(game, seats, plies), save, pause=0.001 if game.simultaneous else 0.0)
    async with running_app(sitting, (120, 40)) as (app, pilot):
        assert await play_on(app, pilot, sitting, make) >= 3
        assert "The game is over" in screen_text(app)
        assert message_text(app) == app.seen.over
    written = record.read(save.read_bytes())
    assert [*record.replay(written)][-1].outcome() is not None
    assert written.result is not None


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name == "rainbow" else pytest.mark.long) for name in names()],
)
async def test_game_is_played_to_its_end_by_keys(name: str, tmp_path: Path) -> None:
    await is_played(name, RIVALS.get(name, "bot:random"), LATE[name], by_keys, tmp_path / "game.json")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rainbow-road", pytest.param("rainbow", marks=pytest.mark.long)])
async def test_game_is_played_to_its_end_by_mouse(name: str, tmp_path: Path) -> None:
    await is_played(name, RIVALS.get(name, "bot:random"), LATE[name], by_mouse, tmp_path / "game.json")


@pytest.mark.long
@pytest.mark.parametrize("name", names())
async def test_whole_game_is_played_by_pasted_moves(name: str, tmp_path: Path) -> None:
    bot = "" if load(name).min_seats == 1 else RIVALS.get(name, "bot:random")
    await is_played(name, bot, 0, by_paste, tmp_path / "game.json")


async def test_board_is_played_with_arrows_and_enter() -> None:
    sitting = local_session(started_record(load("rainbow"), ["you", "bot:random"]))
    async with running_app(sitting) as (app, pilot):
        await pilot.press("tab")
        assert app.board.has_focus
        for _ in range(20):
            if app.board.cursor == "S1":
                break
            await pilot.press("left")
        await pilot.press("enter")
        assert sitting.record.moves[0].text == "S1"


async def test_invalid_input_is_refused_with_its_rule_and_changes_nothing() -> None:
    sitting = local_session(started_record(load("rainbow"), ["you", "bot:random"]))
    async with running_app(sitting) as (app, pilot):
        await pilot.press(*"xyzzy", "enter")
        assert "'xyzzy' is no move of Rainbow" in message_text(app)
        assert "(G-3)" in message_text(app)
        await pilot.press("e", "enter")
        assert message_text(app) == "Play a card before you end your turn. (RB-12)"
        assert app.message.has_class("refused")
        await pilot.press(*["§", "left_square_bracket", "f4", "home", "f1", "f1", "escape"], "enter")
        assert not sitting.record.moves
        await pilot.press("escape", *"s1", "enter")
        assert sitting.record.moves[0].text == "S1"


async def test_move_list_is_filtered_by_typing_and_browsed_with_arrows() -> None:
    sitting = local_session(started_record(load("rainbow"), ["you", "bot:random"]))
    async with running_app(sitting) as (app, pilot):
        await pilot.press("b")
        assert [str(option.prompt) for option in app.moves.listing.options] == ["B1", "B2", "B3"]
        await pilot.press("down", "down", "enter")
        assert sitting.record.moves[0].text == "B2"


async def test_move_list_is_clicked() -> None:
    sitting = local_session(started_record(load("rainbow"), ["you", "bot:random"]))
    async with running_app(sitting) as (app, pilot):
        await pilot.click(app.moves.listing, offset=(3, 2))
        assert sitting.record.moves[0].text == "B3"


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
async def test_every_screen_size_shows_the_board_and_the_moves(name: str) -> None:
    sitting = local_session(started_record(load(name), ["Ada", "bot:random"], 6), pause=100.0)
    async with running_app(sitting, (200, 60)) as (app, pilot):
        for size in ((60, 20), (200, 60), (80, 24), (20, 6), (120, 40)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            if size[0] >= 60:
                assert "Ada" in screen_text(app)
                assert all(text in screen_text(app) for text in app.seen.legal[:3])


async def test_no_color_draws_frames_around_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    sitting = local_session(started_record(load("rainbow"), ["you", "bot:random"]))
    async with running_app(sitting) as (app, _):
        assert screen_text(app).count("┌─────┐") == 6
        assert all(run.colours == (-1, -1) for run in app.board.scene.runs)


@pytest.mark.slow
async def test_keys_show_rules_and_hint_and_start_another_game(tmp_path: Path) -> None:
    sitting = local_session(
        started_record(load("rainbow"), ["you", "bot:random"], 4), tmp_path / "game.json", pause=100.0
    )
    async with running_app(sitting) as (app, pilot):
        await pilot.press("f1")
        assert isinstance(app.screen, Rules)
        await wait_until(pilot, lambda: "RB-1" in screen_text(app))
        await pilot.press("escape", "f2")
        await wait_until(pilot, lambda: "would play" in message_text(app))
        before = sitting.record.setup
        await pilot.press("f5")
        assert isinstance(app.screen, Question)
        await pilot.press("n")
        assert sitting.record.setup == before
        await pilot.press("f5", "y")
        await wait_until(pilot, lambda: sitting.record.setup != before)
        assert app.seen.ply == 0
        assert not app.seen.log
        assert json.loads((tmp_path / "game.json").read_text())["moves"] == []


async def test_quitting_asks_for_confirmation() -> None:
    sitting = local_session(started_record(load("rainbow"), ["you", "bot:random"]))
    async with running_app(sitting) as (app, pilot):
        await pilot.press("ctrl+q")
        assert isinstance(app.screen, Question)
        await pilot.press("n")
        assert app.is_running
        await pilot.press(*"quit", "enter")
        await pilot.press("y")
        assert not app.is_running


async def test_game_without_painting_is_played_from_the_move_list() -> None:
    """A fifth game has its drawing and its moves without a line for the terminal."""
    sitting = local_session(started_record(duel, ["you", "bot:random"]))
    async with running_app(sitting) as (app, pilot):
        assert "you hold" in screen_text(app)
        while not app.seen.over:
            await wait_until(pilot, lambda: app.seen.legal or app.seen.over)
            await pilot.press("down", "enter")
        assert len(sitting.record.moves) == 4


async def test_failure_of_a_bot_is_raised() -> None:
    sitting = local_session(started_record(load("rainbow"), ["bot:random", "you"]))
    assert sitting.turn() == [0]

    async def fail(*_: object) -> int:
        raise ValueError("no idea")

    sitting._thinking.choose = fail  # type: ignore[method-assign, assignment]
    with pytest.raises(ValueError, match="no idea"):
        async with running_app(sitting) as (app, pilot):
            await wait_until(pilot, lambda: not app.is_running)


async def test_marks_keep_the_letters_of_a_card_visible() -> None:
    """What is lit, picked or pointed at keeps its letters, in the smallest hexagons too."""
    sitting = local_session(started_record(load("flip-and-slide"), ["you", "bot:random"], 10), pause=100.0)
    async with running_app(sitting) as (app, pilot):
        assert "P0" in screen_text(app)
        tile = next(tile["cell"] for tile in app.seen.view["tiles"] if tile["seat"] == 0)
        assert tile in [place.name for place in app.board.lit()]
        await pilot.press("tab")
        app.board.cursor = tile
        await pilot.press("enter")
        assert tile in app.board.picked
        assert "P0" in screen_text(app)
        await pilot.press("tab")
        assert "P0" in screen_text(app)
