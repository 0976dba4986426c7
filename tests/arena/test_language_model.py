"""Language models in the arena: what they are asked, what is refused, and what happens without a server."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from sevenhues import Rng, deal, load
from sevenhues.arena import language_model
from sevenhues.arena.language_model import LanguageModelBot, ModelFailed
from sevenhues.core.moves import legal_texts
from tests.arena.model_server import Answer, ModelServer, legal_moves
from tests.cli.command import error_message, invoke

KEY = "a-secret-key"


@contextmanager
def model_server(answer: Answer, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with ModelServer(answer).running() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        yield server


@pytest.mark.parametrize("game", ["rainbow", "nimble"])
def test_model_plays_a_match_by_the_rules(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def first_move(messages: list[dict[str, str]]) -> str:
        return f"I think this is best:\n\n**{legal_moves(messages)[0]}**."

    with model_server(first_move, monkeypatch) as server:
        done = invoke("arena", game, "--bots", "model:small-model,master", "-n", "2", "--seed", "a", "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    rows = {row["bot"]: row for row in summary["bots"]}
    assert rows["model:small-model"]["decisions"] == len(server.requests) > 2
    assert [row["refusals"] for row in rows.values()] == [0, 0]
    assert {request["model"] for request in server.requests} == {"small-model"}
    assert set(server.keys) == {f"Bearer {KEY}"}
    title = load(game).title
    assert all(f"You play {title} in seat " in request["messages"][0]["content"] for request in server.requests)


def test_refused_answers_are_explained_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("rainbow")
    position = deal(game, b"deal")
    seat = position.to_act()[0]
    legal = legal_texts(game, position, seat)
    answers = iter(["I would rather not say.", "S99", f"Then `{legal[-1]}`."])
    with model_server(lambda _: next(answers), monkeypatch) as server:
        bot = LanguageModelBot(game, "m")
        move = bot.choose(position, seat, Rng.seeded("1"))
    assert game.text(position, seat, move) == legal[-1]
    assert bot.refusals == 2
    first, second, third = [request["messages"] for request in server.requests]
    assert [message["role"] for message in third] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert first[0]["content"].count("RB-1") > 0
    assert "Refused: " in second[-1]["content"]
    assert "(G-3)" in second[-1]["content"]
    assert f"Legal moves: {' '.join(legal)}" in third[-1]["content"]


def test_model_that_never_names_a_legal_move_plays_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("rainbow")
    position = deal(game, b"deal")
    seat = position.to_act()[0]
    with model_server(lambda _: "", monkeypatch) as server:
        bot = LanguageModelBot(game, "m")
        assert bot.choose(position, seat, Rng.seeded("1")) in position.legal(seat)
    assert bot.refusals == len(server.requests) == language_model.MAX_ANSWERS


def test_report_states_refused_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server(lambda _: "no idea", monkeypatch) as server:
        done = invoke("arena", "rainbow", "--bots", "model:m,random", "-n", "2", "--seed", "a")
    assert f"gave {len(server.requests):,} answers that were no legal moves" in done.stdout


def test_model_remembers_its_game_and_forgets_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("rainbow-road")
    position = deal(game, b"deal")
    seat = position.to_act()[0]
    with model_server(lambda messages: legal_moves(messages)[0], monkeypatch) as server:
        bot = LanguageModelBot(game, "m")
        bot.begin_game(seat)
        for _ in range(language_model.MAX_REMEMBERED):
            bot.choose(position, seat, Rng.seeded("1"))
        lengths = [len(request["messages"]) for request in server.requests]
        bot.begin_game(seat)
        bot.choose(position, seat, Rng.seeded("1"))
    assert lengths[:3] == [2, 4, 6]
    assert max(lengths) <= language_model.MAX_REMEMBERED + 1
    assert {request["messages"][1]["role"] for request in server.requests} == {"user"}
    assert len(server.requests[-1]["messages"]) == 2


def test_request_is_repeated_while_the_server_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language_model, "FIRST_WAIT_SECONDS", 0.0)
    statuses = iter([429, 503])
    game = load("rainbow")
    position = deal(game, b"deal")
    seat = position.to_act()[0]
    with model_server(lambda messages: next(statuses, legal_moves(messages)[0]), monkeypatch) as server:
        bot = LanguageModelBot(game, "m")
        bot.choose(position, seat, Rng.seeded("1"))
    assert len(server.requests) == 3
    assert bot.refusals == 0


@pytest.mark.parametrize(("status", "requests"), [(401, 1), (500, language_model.MAX_REQUESTS)])
def test_failing_server_ends_the_match_with_its_status(
    status: int, requests: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(language_model, "FIRST_WAIT_SECONDS", 0.0)
    with model_server(lambda _: status, monkeypatch) as server:
        done = invoke("arena", "rainbow", "--bots", "model:m,random", "-n", "2")
    assert done.returncode == 2
    assert f"the bot model:m failed: ModelFailed: {server.url} answered with status {status}" in done.stderr
    assert KEY not in done.stderr
    assert len(server.requests) == requests


def test_server_that_cannot_be_reached_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language_model, "FIRST_WAIT_SECONDS", 0.0)
    with model_server(lambda _: "", monkeypatch) as server:
        pass
    game = load("rainbow")
    position = deal(game, b"deal")
    with pytest.raises(ModelFailed, match=f"cannot reach {server.url}") as failed:
        LanguageModelBot(game, "m").choose(position, position.to_act()[0], Rng.seeded("1"))
    assert isinstance(failed.value.__cause__, httpx.ConnectError)


def test_traceback_of_a_model_that_failed_has_its_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoCompletion:
        status_code = httpx.codes.OK
        text = '{"choices": []}'

    with model_server(lambda _: "", monkeypatch):
        monkeypatch.setattr(httpx, "post", lambda *_, **__: NoCompletion())
        done = invoke("arena", "rainbow", "--bots", "model:m,random", "-n", "2")
    assert done.returncode == 2
    assert "ModelFailed: the answer is not a chat completion" in done.stderr
    assert "IndexError: list index out of range" in done.stderr
    assert KEY not in done.stderr


@pytest.mark.parametrize("url", ["", "localhost:8000"])
def test_missing_address_is_refused_before_the_match(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    message = error_message(invoke("arena", "rainbow", "--bots", "model:m,random"), 2)
    assert message.startswith("a language model needs the address of its API in OPENAI_BASE_URL")


def test_model_without_a_name_is_refused() -> None:
    assert error_message(invoke("arena", "rainbow", "--bots", "model:,random"), 2) == (
        "a language model is given as model:NAME"
    )


def test_missing_package_is_refused_before_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    message = error_message(invoke("arena", "rainbow", "--bots", "model:m,random"), 2)
    assert message == 'a language model needs httpx: pip install "sevenhues[client]"'
