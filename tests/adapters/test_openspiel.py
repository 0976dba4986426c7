"""OpenSpiel games pass its simulation test, have exact information states and agree with records of the core."""

import json
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest

from sevenhues import Rng, load, names
from sevenhues.adapters import openspiel
from sevenhues.core.game import resolve_options
from tests.adapters.random_records import TABLES, random_record, replayed_moves
from tests.toy_games.duel import Duel

openspiel.register()


def loaded(name: str, seats: int | None = None, **parameters: Any) -> Any:
    all_parameters = parameters if seats is None else {"players": seats, **parameters}
    return pyspiel.load_game(f"sevenhues_{name.replace('-', '_')}", all_parameters)


def test_openspiel_simulation_test_accepts_a_game_outside_the_package() -> None:
    theirs = type("DuelGame", (openspiel.SevenHuesGame,), {"plays": Duel()})()
    pyspiel.random_sim_test(theirs, num_sims=3, serialize=False, verbose=False)
    state = theirs.new_initial_state()
    wander(state, Rng(1), 1)
    with pytest.raises(NotImplementedError, match="Duel cannot tell how a setup was dealt"):
        state.resample_from_infostate(0, lambda: 0.5)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("rainbow", {"memory_aid": True}),
        ("rainbow-road", {"direction": "clockwise", "leap": "free"}),
        ("nimble", {"checking": "audit", "max_length": 30}),
        ("flip-and-slide", {"players": 1, "red_start": True, "short_slides": True}),
    ],
)
def test_options_are_openspiel_parameters(name: str, options: dict[str, Any]) -> None:
    game = loaded(name, **options)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    parameters = {**options}
    length = parameters.pop("max_length", None)
    assert parameters.items() <= {"players": game.configured.seats, **game.configured.options}.items()
    assert game.max_game_length() == (length or game.configured.max_length())


def dealt(game: Any, setup: Any) -> Any:
    """Return the state in which the dealer has made all choices that lead to a setup."""
    configured, state = game.configured, game.new_initial_state()
    for choice in configured.game.dealer_choices(setup, configured.seats, configured.options):
        assert state.is_chance_node()
        state.apply_action(choice)
    return state


def make_move(state: Any, seat: int, move: int) -> None:
    """Make a move; in a simultaneous game all other seats wait."""
    if state.is_simultaneous_node():
        wait = state.inner.configured.wait
        state.apply_actions([move if other == seat else wait for other in range(state.num_players())])
    else:
        state.apply_action(move)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_openspiel_state_follows_the_record(name: str, seats: int) -> None:
    game, written = load(name), random_record(load(name), "spiel", seats)
    more = {"max_length": 10_000} if game.simultaneous else {}
    state = dealt(loaded(name, seats, **more), written.setup)
    for position, seat, move in replayed_moves(written):
        waiting = [state.inner.configured.wait] if game.simultaneous else []
        for other in range(seats):
            allowed = position.legal(other)
            if seat >= 0 and (game.simultaneous or other == seat):
                assert state.legal_actions(other) == allowed + waiting
                assert [state.action_to_string(other, each) for each in allowed] == [
                    game.text(position, other, each) for each in allowed
                ]
            assert state.observation_tensor(other) == game.observation_encoder().encode(position, other)
        assert state.is_terminal() == (seat < 0)
        if seat >= 0:
            make_move(state, seat, move)
    outcome = position.outcome()
    assert outcome is not None
    assert [seat for seat, gain in enumerate(state.returns()) if gain > 0] == outcome.winners


def wander(state: Any, rng: Rng, decisions: int) -> None:
    """Play at random, chance included, for so many decisions or to the end."""
    while decisions and not state.is_terminal():
        if state.is_simultaneous_node():
            legal = [state.legal_actions(seat) for seat in range(state.num_players())]
            state.apply_actions([moves[rng.below(len(moves))] for moves in legal])
            decisions -= 1
        else:
            decisions -= not state.is_chance_node()
            moves = state.legal_actions()
            state.apply_action(moves[rng.below(len(moves))])
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])


def views(game: Any, state: Any, seat: int) -> list[str]:
    """Replay a state's history and list everything that a seat observed."""
    again, seen = game.new_initial_state(), []
    past = [(each.player, each.action) for each in state.full_history()]
    at = 0
    while at < len(past):
        if again.is_simultaneous_node():
            joint = [action for _, action in past[at : at + game.num_players()]]
            again.apply_actions(joint)
            seen.append(str(joint[seat]))
            at += game.num_players()
        else:
            again.apply_action(past[at][1])
            at += 1
        seen.append(again.observation_string(seat))
    assert str(again) == str(state)
    return seen


@pytest.mark.parametrize(("name", "seats"), [table for table in TABLES if table[1] <= 2])
def test_information_states_are_equal_exactly_for_indistinguishable_positions(name: str, seats: int) -> None:
    game, rng = loaded(name, seats), Rng.seeded(name)
    apart = 0
    for decisions in (0, 1, 7, 40):
        state = game.new_initial_state()
        wander(state, rng, decisions)
        for seat in range(seats):
            other = state.resample_from_infostate(seat, lambda: rng.below(1 << 30) / (1 << 30))
            for viewer in range(seats):
                same = views(game, state, viewer) == views(game, other, viewer)
                assert same or viewer != seat
                apart += not same
                assert (state.information_state_string(viewer) == other.information_state_string(viewer)) == same
                if game.get_type().provides_information_state_tensor:
                    tensors = [each.information_state_tensor(viewer) for each in (state, other)]
                    assert (tensors[0] == tensors[1]) == same
    has_secrets = name in ("rainbow", "rainbow-road")
    assert bool(apart) == has_secrets, "seats see different things exactly in these games"


def test_information_states_remember_faces_no_longer_visible() -> None:
    """The first card showed red or orange before blue: the views are equal, the information states are not."""
    deck = random_record(load("rainbow"), "any").setup["deck"]
    for card in ("BR", "BO"):
        deck.remove(next(each for each in deck if sorted(each) == sorted(card)))
    states = []
    for card, other in (("RB", "OB"), ("OB", "RB")):
        state = dealt(loaded("rainbow"), {"deck": [card, *deck[:20], other, *deck[20:]], "first": 0})
        states.append(state)
    assert states[0].information_state_string(1) == states[1].information_state_string(1)
    for state in states:
        for text in ("S1", "F1"):
            state.apply_action(state.string_to_action(0, text))
    assert states[0].observation_string(1) == states[1].observation_string(1)
    assert states[0].information_state_string(1) != states[1].information_state_string(1)


def test_resampled_states_have_other_deals_and_a_history() -> None:
    game, rng = loaded("rainbow-road"), Rng(3)
    state = game.new_initial_state()
    wander(state, rng, 9)
    sampler = np.random.RandomState(1).random_sample
    deals = {str(state.resample_from_infostate(state.current_player(), sampler)) for _ in range(20)}
    assert len(deals) > 5
    other = state.resample_from_infostate(state.current_player(), pyspiel.UniformProbabilitySampler(0.0, 1.0))
    assert (other.legal_actions(), other.move_number()) == (state.legal_actions(), state.move_number())


def test_states_survive_cloning_and_pickling() -> None:
    game, rng = loaded("rainbow"), Rng(3)
    for decisions in (0, 5):
        state = game.new_initial_state()
        wander(state, rng, decisions)
        before = str(state)
        for copy in (state.clone(), pickle.loads(pickle.dumps(state))):
            assert (str(copy), copy.history()) == (before, state.history())
            wander(copy, rng, 3)
            assert (str(state) == before, str(copy) == before) == (True, False)


def test_order_of_moves_in_a_joint_step_is_a_chance_node() -> None:
    state = loaded("nimble").new_initial_state()
    wander(state, Rng(1), 0)
    while not state.is_simultaneous_node():
        state.apply_action(0)
    wait = state.inner.configured.wait
    state.apply_actions([0, wait])
    assert state.is_simultaneous_node(), "one move needs no order"
    state.apply_actions([0, 0])
    assert [state.action_to_string(-1, action) for action in state.legal_actions()] == ["order 0 1", "order 1 0"]
    state.apply_action(1)
    assert state.inner.moves[-2:] == [(1, 0), (0, 0)]


def test_game_over_max_length_ends_without_a_winner() -> None:
    state = loaded("nimble", max_length=3).new_initial_state()
    wander(state, Rng(1), 3)
    assert (state.is_terminal(), state.returns()) == (True, [0.0, 0.0])


@pytest.mark.parametrize(
    "name",
    [name for name in names() if load(name).information_state_encoder().layout(2, resolve_options(load(name), {}))],
)
def test_information_state_tensor_is_seat_observation_information_state_and_moves(name: str) -> None:
    state, own_game = loaded(name).new_initial_state(), load(name)
    assert not any(state.information_state_tensor(0)), "before the deal there is nothing"
    wander(state, Rng(2), 6)
    position, moves = state.inner.position, [move + 1 for _, move in state.inner.moves]
    known = [
        1,
        *own_game.observation_encoder().encode(position, 1),
        *own_game.information_state_encoder().encode(position, 1),
        *moves,
    ]
    tensor = state.information_state_tensor(1)
    assert (tensor[: len(known)], any(tensor[len(known) :])) == (known, False)
    assert len(tensor) - len(known) + 6 == own_game.max_plies(2, resolve_options(own_game, {}))


def test_tensor_parts_have_names() -> None:
    game = loaded("rainbow")
    state = game.new_initial_state()
    wander(state, Rng(1), 4)
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(state, 1)
    inner, own_game = state.inner, load("rainbow")
    assert observer.dict["seat"].tolist() == [1]
    assert observer.dict["moves"].tolist()[:5] == [*[move + 1 for _, move in inner.moves], 0]
    assert (
        np.concatenate([observer.dict["recalled_toward_me"], observer.dict["recalled_away"]]).tolist()
        == own_game.information_state_encoder().encode(inner.position, 1)[1:]
    )
    watcher = game.make_py_observer(
        pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    )
    watcher.set_from(state, 1)
    assert watcher.tensor.tolist() == own_game.observation_encoder().encode(inner.position, -1)


def test_private_observer_shows_what_a_watcher_does_not_see() -> None:
    game = loaded("rainbow")
    state = game.new_initial_state()
    private = game.make_py_observer(
        pyspiel.IIGObservationType(
            perfect_recall=False, public_info=False, private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER
        )
    )
    assert (private.string_from(state, 0), private.tensor) == ("", None)
    wander(state, Rng(1), 0)
    position, own_game = state.inner.position, load("rainbow")
    for seat in range(2):
        seen = json.loads(private.string_from(state, seat))
        mine, public = own_game.view(position, seat), own_game.view(position, -1)
        assert set(seen) == {key for key in mine if mine[key] != public[key]}
        assert seen["viewer"] == seat


@pytest.mark.parametrize("kind", [{"public_info": False, "private_info": "NONE"}, {"private_info": "ALL_PLAYERS"}])
def test_observer_without_a_viewer_is_refused(kind: dict[str, Any]) -> None:
    wanted = {**kind, "private_info": getattr(pyspiel.PrivateInfoType, kind["private_info"])}
    with pytest.raises(ValueError, match="an observer"):
        loaded("rainbow").make_py_observer(pyspiel.IIGObservationType(perfect_recall=False, **wanted))


def test_python_exits_cleanly_after_registration() -> None:
    """OpenSpiel keeps what is registered until after Python has ended."""
    program = (
        "import pyspiel; from sevenhues.adapters.openspiel import register; register(); register();"
        "pyspiel.load_game('sevenhues_rainbow').new_initial_state()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
