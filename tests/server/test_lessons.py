"""Lessons over the API: texts in each language, answers to attempts, hidden information, bad requests."""

import json
from typing import Any

import httpx
import pytest

from sevenhues import load, names
from sevenhues.client import Client, Refused
from sevenhues.core import lesson
from sevenhues.core.resources import lesson_folder
from sevenhues.protocol import LessonFrame
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio
WITH_LESSON = [name for name in names() if lesson_folder(load(name))]


def view_of(frame: LessonFrame) -> Any:
    return json.loads(bytes(frame.view))


async def test_list_of_games_says_which_have_a_lesson(server: ServerProcess) -> None:
    async with Client(server.url) as ada:
        assert {game.id for game in await ada.games() if game.lesson} == set(WITH_LESSON)
        assert "rainbow" in WITH_LESSON


@pytest.mark.parametrize("language", ["en", "nl", "de", "ja"])
async def test_lesson_is_in_the_language_of_the_request(server: ServerProcess, language: str) -> None:
    words = lesson.texts(load("rainbow"), language)
    async with Client(server.url) as ada:
        answer = await ada.lesson("rainbow", language)
        assert answer.about == words["about"]
        assert [step.title for step in answer.steps] == [step["title"] for step in words["steps"].values()]
        assert await ada.lesson("rainbow", "xx") == await ada.lesson("rainbow")


@pytest.mark.parametrize("name", WITH_LESSON)
async def test_lesson_is_played_through_with_the_views_of_its_seat(server: ServerProcess, name: str) -> None:
    game = load(name)
    async with Client(server.url) as ada:
        for step in (await ada.lesson(name)).steps:
            data = lesson.read(game)
            assert data is not None
            known = data.step(step.id)
            assert known is not None
            attempts: list[str] = []
            answer = await ada.try_step(name, step.id)
            assert (answer.verdict, answer.turn) == ("begun", 0)
            while answer.shown is not None:
                assert answer.shown in answer.frames[-1].legal
                attempts.append(answer.shown)
                answer = await ada.try_step(name, step.id, *attempts)
                assert (answer.verdict, answer.turn) == ("right", len(attempts))
                assert answer.frames[-1].ply == len(answer.moves)
                for frame, position in zip(answer.frames, lesson.attempt(game, known, attempts).frames, strict=True):
                    assert view_of(frame) == json.loads(json.dumps(game.view(position, step.seat)))
            assert answer.turn == len(step.turns)


async def test_wrong_attempt_is_shown_and_illegal_attempt_names_its_rule(server: ServerProcess) -> None:
    async with Client(server.url) as ada:
        wrong = await ada.try_step("rainbow", "clash", "S2", text=True)
        assert (wrong.verdict, wrong.say, wrong.turn, wrong.shown) == ("wrong", "clash", 0, None)
        assert view_of(wrong.frames[0])["last"]["end"] == "clash"
        assert wrong.frames[0].text is not None
        assert "B was there already" in wrong.frames[0].text.description
        refused = await ada.try_step("rainbow", "on", "S2")
        assert (refused.verdict, refused.frames) == ("refused", [])
        assert refused.refusal is not None
        assert (refused.refusal.key, refused.refusal.rule) == ("turn-over-first", "RB-9")
        nonsense = await ada.try_step("rainbow", "on", "castle")
        assert nonsense.refusal is not None
        assert (nonsense.refusal.key, nonsense.refusal.rule) == ("notation", "G-3")
        # No state is kept: the same attempt gets the same answer.
        assert await ada.try_step("rainbow", "on", "S2") == refused


@pytest.mark.parametrize(
    ("game", "step", "moves", "key"),
    [
        ("chess", "play", [], "no-game"),
        ("rainbow", "nowhere", [], "no-step"),
        ("rainbow", "play", ["B1", "S1"], "bad-try"),  # continues a wrong attempt
        ("rainbow", "on", ["S2", "F1"], "bad-try"),  # continues an illegal attempt
        ("rainbow", "play", ["S1", "E"], "bad-try"),  # continues a completed step
    ],
)
async def test_attempt_that_continues_nothing_is_refused(
    server: ServerProcess, game: str, step: str, moves: list[str], key: str
) -> None:
    async with Client(server.url) as ada:
        with pytest.raises(Refused) as error:
            await ada.try_step(game, step, *moves)
        assert error.value.key == key


@pytest.mark.parametrize(
    "body", [[], {"moves": "S1"}, {"moves": [1]}, {"moves": ["S1"] * 33}, {"moves": ["S" * 65]}, {"more": 1}]
)
async def test_malformed_attempt_is_refused(server: ServerProcess, body: Any) -> None:
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        answer = await http.post("/api/games/rainbow/lesson/play", json=body)
    assert answer.status_code == 400
    assert answer.json()["key"] == "bad-request"
