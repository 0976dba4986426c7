"""OpenSpiel: after `register()`, `pyspiel.load_game("sevenhues_<game>")` loads any game.

Chance occurs only in the deal, and in the order of the moves of a joint step. Both are explicit chance nodes. The deal
has one node for every choice of the dealer, with equally likely outcomes.
"""

from functools import cache
from itertools import permutations
from typing import Any

try:
    import numpy as np
    import pyspiel
except ImportError as error:
    raise ImportError('sevenhues.adapters.openspiel needs OpenSpiel: pip install "sevenhues[openspiel]"') from error

from sevenhues.adapters.configured_game import DEFAULT_MAX_LENGTH, ConfiguredGame
from sevenhues.adapters.openspiel_state import CHANCE, SIMULTANEOUS, OpenSpielState
from sevenhues.adapters.rewards import SCORE, WIN, check_kind, lowest_reward
from sevenhues.core import registry
from sevenhues.core.encoder import Feature
from sevenhues.core.game import Game
from sevenhues.core.position import WATCHER
from sevenhues.core.rng import Rng

PREFIX = "sevenhues_"
SEATS_PARAMETER = "players"  # parameters that every game has in addition to its options
LENGTH_PARAMETER = "max_length"
REWARD_PARAMETER = "reward"  # what utilities are: rewards for winning, or by the score
SAMPLER_RESOLUTION = 1 << 30  # of the integers that are made from a number of OpenSpiel's sampler


def register() -> list[str]:
    """Register all games with OpenSpiel; return their names there."""
    known = set(pyspiel.registered_names())
    names = [PREFIX + name.replace("-", "_") for name in registry.names()]
    for name, game_id in zip(names, registry.names(), strict=True):
        if name not in known:
            # A class, because OpenSpiel releases it only after Python has ended, when objects can no longer be freed.
            game_class = type(name, (SevenHuesGame,), {"plays": game_id})
            pyspiel.register_game(game_type(ConfiguredGame(game_id), name), game_class)
    return names


def game_type(configured: ConfiguredGame, name: str) -> Any:
    """Return OpenSpiel's description of a game."""
    game = configured.game
    parameters: dict[str, Any] = {SEATS_PARAMETER: configured.seats, REWARD_PARAMETER: WIN, **configured.options}
    if game.simultaneous or configured.max_plies is None:
        parameters[LENGTH_PARAMETER] = DEFAULT_MAX_LENGTH
    kinds = pyspiel.GameType
    return kinds(
        short_name=name,
        long_name=f"Seven Hues {game.title}",
        dynamics=kinds.Dynamics.SIMULTANEOUS if game.simultaneous else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if configured.seats > 1 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.max_seats,
        min_num_players=game.min_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=bool(information_state_layout(configured)),
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


def information_state_layout(configured: ConfiguredGame) -> tuple[Feature, ...]:
    """Return the layout of the information state tensor: seat, observation, recall and all moves; empty if none."""
    recall = configured.game.information_state_encoder().layout(configured.seats, configured.options)
    if not recall or configured.max_plies is None:
        return ()
    return (
        Feature("seat", 1, configured.seats - 1, "the viewer's seat"),
        *configured.layout,
        *[Feature(f"recalled_{part.name}", part.size, part.high, part.about) for part in recall],
        Feature(
            "moves", configured.max_plies, configured.move_count, "every move made so far, its number plus 1; then 0"
        ),
    )


class SevenHuesGame(pyspiel.Game):
    """A game with its parameters."""

    plays: str | Game[Any]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        options = dict(params or {})
        seats, max_length = options.pop(SEATS_PARAMETER, None), options.pop(LENGTH_PARAMETER, None)
        reward = check_kind(options.pop(REWARD_PARAMETER, WIN), (WIN, SCORE))
        self.configured = configured = ConfiguredGame(self.plays, seats, options, reward)
        bound = -lowest_reward(configured.game, configured.seats, configured.options, reward)
        self.start = OpenSpielState(configured, configured.max_length(max_length))
        orders = len(_orders(tuple(range(configured.seats)))) if configured.game.simultaneous else 1
        info = pyspiel.GameInfo(
            num_distinct_actions=configured.action_count,
            max_chance_outcomes=max(*self.start.choice_counts, orders),
            num_players=configured.seats,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0 if configured.seats > 1 else None,
            max_game_length=self.start.max_length,
        )
        name = PREFIX + configured.game.id.replace("-", "_")
        super().__init__(game_type(configured, name), info, params or {})

    def new_initial_state(self) -> "SevenHuesState":
        return SevenHuesState(self)

    def max_chance_nodes_in_history(self) -> int:
        order_nodes = self.start.max_length if self.configured.game.simultaneous else 0
        return len(self.start.choice_counts) + order_nodes

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        if params:
            raise ValueError(f"observers have no parameters, but got {params}")
        return Observer(self.configured, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class SevenHuesState(pyspiel.State):
    """A state of a game. All data is in one object, which OpenSpiel copies and pickles with the state."""

    def __init__(self, game: SevenHuesGame) -> None:
        super().__init__(game)
        self.inner = game.start

    def current_player(self) -> int:
        return self.inner.player

    def is_terminal(self) -> bool:
        return self.inner.is_over()

    def _legal_actions(self, player: int) -> list[int]:
        inner = self.inner
        return inner.configured.actions(inner.dealt_position(), player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        inner = self.inner
        if inner.position is None:
            return _uniform_outcomes(inner.choice_counts[len(inner.choices)])
        return _uniform_outcomes(len(_orders(inner.moving_seats())))

    def _apply_action(self, action: int) -> None:
        inner = self.inner
        if inner.recording:
            return
        if inner.player != CHANCE:
            inner.play(action)
        elif inner.position is None:
            if not inner.choices:
                self.inner = inner = inner.copy()  # until now it was shared with the game
            inner.choose(action)
        else:
            inner.resolve(_orders(inner.moving_seats())[action])

    def _apply_actions(self, actions: list[int]) -> None:
        if not self.inner.recording:
            self.inner.choose_all(actions)

    def _action_to_string(self, player: int, action: int) -> str:
        inner = self.inner
        if player != CHANCE:
            return inner.configured.action_text(inner.dealt_position(), player, action)
        if inner.position is None:
            return f"choice {action} of {inner.choice_counts[len(inner.choices)]}"
        return "order " + " ".join(map(str, _orders(inner.moving_seats())[action]))

    def returns(self) -> list[float]:
        return self.inner.returns()

    def __str__(self) -> str:
        return self.inner.text()

    def resample_from_infostate(self, player: int, sampler: Any) -> "SevenHuesState":
        """Return a state that a player cannot distinguish from this one, with another deal and so another history.

        Unsuccessful actions of other players in joint steps stay in the history.
        """
        if self.inner.position is None:
            raise pyspiel.SpielError("there is nothing to resample before the deal")
        seed = int(sampler() * SAMPLER_RESOLUTION) * SAMPLER_RESOLUTION + int(sampler() * SAMPLER_RESOLUTION)
        other = self.inner.resampled(player, Rng(seed))
        history = [(CHANCE, choice) for choice in other.choices]
        history += [(each.player, each.action) for each in self.full_history()[len(other.choices) :]]
        state: SevenHuesState = self.get_game().new_initial_state()
        state._record_history(history)
        state.inner = other
        return state

    def _record_history(self, history: list[tuple[int, int]]) -> None:
        """Write a history of players and actions to OpenSpiel's state, without playing it."""
        self.inner = recorder = self.inner.copy()
        recorder.recording = True
        at, seats = 0, recorder.configured.seats
        while at < len(history):
            recorder.player, action = history[at]
            if recorder.player >= 0 and recorder.configured.game.simultaneous:
                recorder.player = SIMULTANEOUS
                self.apply_actions([action for _, action in history[at : at + seats]])
                at += seats
            else:
                self.apply_action(action)
                at += 1


class Observer:
    """The observation of a player, or with perfect recall its information state, as numbers and as text.

    An observer without private information is a watcher. One without public information has only a text: what a
    player sees and a watcher does not.
    """

    def __init__(self, configured: ConfiguredGame, kind: Any) -> None:
        self.is_watcher = kind.private_info == pyspiel.PrivateInfoType.NONE
        self.perfect_recall = bool(kind.perfect_recall)
        self.is_private = not kind.public_info
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("an observer has private_info of one player (a seat) or of none (a watcher)")
        if self.is_private and (self.is_watcher or self.perfect_recall):
            raise ValueError("an observer without public_info has private_info of one player, without perfect_recall")
        layout = information_state_layout(configured) if self.perfect_recall else configured.layout
        if self.is_private:
            layout = ()
        self.tensor = np.zeros(sum(part.size for part in layout), np.float32) if layout else None
        self.dict: dict[str, Any] = {}
        at = 0
        for part in layout:
            assert self.tensor is not None
            self.dict[part.name] = self.tensor[at : at + part.size]
            at += part.size
        assert len(self.dict) == len(layout), "the names of features must be unique"

    def set_from(self, state: SevenHuesState, player: int) -> None:
        if self.tensor is None:
            return
        seat = WATCHER if self.is_watcher else player
        inner = state.inner
        numbers = inner.information_state(seat) if self.perfect_recall else inner.observation(seat)
        self.tensor[: len(numbers)] = numbers
        self.tensor[len(numbers) :] = 0

    def string_from(self, state: SevenHuesState, player: int) -> str:
        seat = WATCHER if self.is_watcher else player
        inner = state.inner
        if self.is_private:
            return inner.private_text(seat)
        return inner.information_state_text(seat) if self.perfect_recall else inner.observation_text(seat)


@cache
def _uniform_outcomes(outcomes: int) -> list[tuple[int, float]]:
    return [(outcome, 1.0 / outcomes) for outcome in range(outcomes)]


@cache
def _orders(seats: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return all orders of seats, in lexicographic order."""
    return list(permutations(seats))
