"""Lessons over the API: told in a language, tries answered, nothing hidden shown, bad requests refused."""

import json
from typing import Any

import httpx
import pytest

from sevenhues import load, names
from sevenhues.client import Client, Refused
from sevenhues.core import lesson
from sevenhues.server.protocol import LessonFrame
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio
TAUGHT = [name for name in names() if load(name).lesson()]


def seen(frame: LessonFrame) -> Any:
    return json.loads(bytes(frame.view))


async def test_games_say_whether_they_can_be_learnt(server: ServerProcess) -> None:
    async with Client(server.url) as ada:
        assert {game.id for game in await ada.games() if game.lesson} == set(TAUGHT)
        assert "rainbow" in TAUGHT


@pytest.mark.parametrize("language", ["en", "nl", "de", "ja"])
async def test_a_lesson_is_told_in_the_language_asked_for(server: ServerProcess, language: str) -> None:
    words = lesson.words(load("rainbow"), language)
    async with Client(server.url) as ada:
        told = await ada.lesson("rainbow", language)
        assert told.about == words["about"]
        assert [step.title for step in told.steps] == [step["title"] for step in words["steps"].values()]
        assert await ada.lesson("rainbow", "xx") == await ada.lesson("rainbow")


@pytest.mark.parametrize("name", TAUGHT)
async def test_a_lesson_is_played_through_and_shows_what_its_seat_sees(server: ServerProcess, name: str) -> None:
    game = load(name)
    async with Client(server.url) as ada:
        for step in (await ada.lesson(name)).steps:
            data = lesson.read(game)
            assert data is not None
            known = data.step(step.id)
            assert known is not None
            tried: list[str] = []
            answer = await ada.try_step(name, step.id)
            assert (answer.verdict, answer.turn) == ("begun", 0)
            while answer.shown is not None:
                assert answer.shown in answer.frames[-1].legal
                tried.append(answer.shown)
                answer = await ada.try_step(name, step.id, *tried)
                assert (answer.verdict, answer.turn) == ("right", len(tried))
                assert answer.frames[-1].ply == len(answer.moves)
                for frame, position in zip(answer.frames, lesson.attempt(game, known, tried).frames, strict=True):
                    assert seen(frame) == json.loads(json.dumps(game.view(position, step.seat)))
            assert answer.turn == len(step.turns)


async def test_a_wrong_try_is_shown_and_a_forbidden_one_names_its_rule(server: ServerProcess) -> None:
    async with Client(server.url) as ada:
        wrong = await ada.try_step("rainbow", "clash", "S2", text=True)
        assert (wrong.verdict, wrong.say, wrong.turn, wrong.shown) == ("wrong", "clash", 0, None)
        assert seen(wrong.frames[0])["last"]["end"] == "clash"
        assert wrong.frames[0].text is not None
        assert "B was there already" in wrong.frames[0].text.telling
        refused = await ada.try_step("rainbow", "on", "S2")
        assert (refused.verdict, refused.frames) == ("refused", [])
        assert refused.refusal is not None
        assert (refused.refusal.key, refused.refusal.rule) == ("turn-over-first", "RB-9")
        nonsense = await ada.try_step("rainbow", "on", "castle")
        assert nonsense.refusal is not None
        assert (nonsense.refusal.key, nonsense.refusal.rule) == ("notation", "G-3")
        # Nothing is kept: the same try is answered alike.
        assert await ada.try_step("rainbow", "on", "S2") == refused


@pytest.mark.parametrize(
    ("game", "step", "moves", "key"),
    [
        ("chess", "play", [], "no-game"),
        ("rainbow", "nowhere", [], "no-step"),
        ("rainbow", "play", ["B1", "S1"], "bad-try"),  # goes on from a wrong one
        ("rainbow", "on", ["S2", "F1"], "bad-try"),  # from a refused one
        ("rainbow", "play", ["S1", "E"], "bad-try"),  # there is nothing left to do
    ],
)
async def test_what_does_not_follow_is_refused(
    server: ServerProcess, game: str, step: str, moves: list[str], key: str
) -> None:
    async with Client(server.url) as ada:
        with pytest.raises(Refused) as error:
            await ada.try_step(game, step, *moves)
        assert error.value.key == key


@pytest.mark.parametrize(
    "body", [[], {"moves": "S1"}, {"moves": [1]}, {"moves": ["S1"] * 33}, {"moves": ["S" * 65]}, {"more": 1}]
)
async def test_bodies_that_are_no_try_are_refused(server: ServerProcess, body: Any) -> None:
    async with httpx.AsyncClient(base_url=server.url) as http:
        answer = await http.post("/api/games/rainbow/lesson/play", json=body)
    assert answer.status_code == 400
    assert answer.json()["key"] == "bad-request"
