"""Integers and booleans of NumPy are accepted where moves, seats, lengths and options are."""

from typing import Any

import numpy as np
import pyspiel
import pytest

from sevenhues import Bot, Position, Rng, deal, load
from sevenhues.adapters import openspiel
from sevenhues.adapters.gymnasium import SeatEnv
from sevenhues.adapters.pettingzoo import env, parallel_env
from sevenhues.arena.match import TimedBot
from sevenhues.core.errors import BadOption
from sevenhues.core.game import resolve_options
from sevenhues.core.play import bot_game, bot_move, quick_deal

INTEGERS = (np.int8, np.uint8, np.int32, np.int64)


class ArgmaxBot(Bot):
    """Chooses as a network does: by the index of the highest number."""

    def __init__(self, kind: Any = np.int64) -> None:
        self.kind = kind

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        moves = position.legal(seat)
        chosen: int = self.kind(moves[int(np.argmax([hash((move, 7)) % 97 for move in moves]))])
        return chosen


@pytest.mark.parametrize("kind", INTEGERS)
def test_bot_may_choose_an_integer_of_numpy(kind: Any) -> None:
    game = load("rainbow")
    position = deal(game, b"numpy")
    seat = position.to_act()[0]
    move = bot_move(game, position, seat, ArgmaxBot(kind), Rng(1))
    assert type(move) is int
    assert move in position.legal(seat)


@pytest.mark.parametrize("seeing_hidden", [(), (0, 1)])
@pytest.mark.parametrize("name", ["rainbow", "nimble"])
def test_bots_with_integers_of_numpy_play_whole_games(name: str, seeing_hidden: tuple[int, ...]) -> None:
    game = load(name)
    position = deal(game, b"numpy")
    bots = [TimedBot(ArgmaxBot(), "argmax"), ArgmaxBot()]
    moves = bot_game(game, position, bots, Rng(1), seeing_hidden, max_moves=60)
    assert len(moves) == 60 or position.outcome() is not None


@pytest.mark.parametrize("choice", [1.0, "S1", None])
def test_choice_that_is_no_integer_is_refused(choice: Any) -> None:
    class Wrong(Bot):
        def choose(self, position: Position, seat: int, rng: Rng) -> int:
            wrong: int = choice
            return wrong

    game = load("rainbow")
    position = deal(game, b"numpy")
    with pytest.raises(ValueError, match=r"Wrong chose .*; a move is an integer"):
        bot_move(game, position, position.to_act()[0], Wrong(), Rng(1))


def test_environments_take_numbers_of_numpy() -> None:
    table = SeatEnv("rainbow", np.int64(2), np.int64(1), max_length=np.int32(50), memory_aid=np.bool_(True))
    table.reset(seed=1)
    table.step(np.argmax(table.action_masks()))
    assert (table.configured.seats, table.seat, table.max_length) == (2, 1, 50)
    assert table.configured.options == {"memory_aid": True}
    turns = env("rainbow", np.int64(2), memory_aid=np.bool_(False))
    turns.reset(seed=1)
    turns.step(np.argmax(turns.last()[0]["action_mask"]))
    joint = parallel_env("nimble", np.uint8(3), max_length=np.int64(40))
    seen, _ = joint.reset(seed=1)
    joint.step({agent: np.argmax(seen[agent]["action_mask"]) for agent in joint.agents})
    assert joint.position.seats == 3


def test_openspiel_states_take_integers_of_numpy() -> None:
    openspiel.register()
    state = pyspiel.load_game("sevenhues_rainbow").new_initial_state()
    while state.is_chance_node():
        state.apply_action(np.int64(state.chance_outcomes()[0][0]))
    state.apply_action(np.argmax(state.legal_actions_mask()))
    assert state.move_number() > 0


def test_options_and_seats_of_numpy_are_plain_afterwards() -> None:
    game = load("rainbow")
    options = resolve_options(game, {"memory_aid": np.bool_(True)})
    assert options["memory_aid"] is True
    assert resolve_options(load("rainbow-road"), {"leap": np.str_("free")})["leap"] == "free"
    with pytest.raises(BadOption, match="option memory_aid is false or true, not 1"):
        resolve_options(game, {"memory_aid": np.int64(1)})
    assert type(deal(load("nimble"), b"numpy", np.int64(3)).seats) is int
    assert (
        quick_deal(load("nimble"), Rng(np.int64(3)), np.int64(4)).key() == quick_deal(load("nimble"), Rng(3), 4).key()
    )
    with pytest.raises(BadOption, match="Rainbow is for 2 seats, not 3"):
        deal(game, b"numpy", np.int64(3))
