"""OpenSpiel: `register()`, and `pyspiel.load_game("sevenhues_<game>")` knows every game.

All chance is in the deal, and in who comes first when everybody acts at once; both are explicit chance nodes. The deal
is a node for every choice that a dealer makes, each choice equally likely.
"""

from functools import cache
from itertools import permutations
from typing import Any

try:
    import numpy as np
    import pyspiel
except ImportError as error:
    raise ImportError('sevenhues.adapters.openspiel needs OpenSpiel: pip install "sevenhues[openspiel]"') from error

from sevenhues.adapters.configured_game import LONGEST, Variant
from sevenhues.adapters.openspiel_state import CHANCE, SIMULTANEOUS, Course
from sevenhues.core import registry
from sevenhues.core.encoder import Feature
from sevenhues.core.game import Game
from sevenhues.core.position import WATCHER
from sevenhues.core.rng import Rng

PREFIX = "sevenhues_"
SEATS = "players"  # the parameters that every game has beside its options
LENGTH = "max_length"
RESOLUTION = 1 << 30  # of a number drawn from OpenSpiel's sampler


def register() -> list[str]:
    """Register all games with OpenSpiel; return their names there."""
    known = set(pyspiel.registered_names())
    names = [PREFIX + name.replace("-", "_") for name in registry.names()]
    for name, ours in zip(names, registry.names(), strict=True):
        if name not in known:
            # A class, because OpenSpiel lets go of it only after Python has ended, when nothing may be freed any more.
            kind = type(name, (SevenHuesGame,), {"plays": ours})
            pyspiel.register_game(game_type(Variant(ours), name), kind)
    return names


def game_type(variant: Variant, name: str) -> Any:
    """Describe a game to OpenSpiel."""
    game = variant.game
    parameters: dict[str, Any] = {SEATS: variant.seats, **variant.options}
    if game.simultaneous or variant.max_plies is None:
        parameters[LENGTH] = LONGEST
    kinds = pyspiel.GameType
    return kinds(
        short_name=name,
        long_name=f"Seven Hues {game.title}",
        dynamics=kinds.Dynamics.SIMULTANEOUS if game.simultaneous else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if variant.seats > 1 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.max_seats,
        min_num_players=game.min_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=bool(information_state_layout(variant)),
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


def information_state_layout(variant: Variant) -> tuple[Feature, ...]:
    """Name the numbers of an information state, where a game has such: what is seen, what was seen, all moves."""
    recalled = variant.game.information_state_encoder().layout(variant.seats, variant.options)
    if not recalled or variant.max_plies is None:
        return ()
    return (
        Feature("seat", 1, variant.seats - 1, "the viewer's seat"),
        *variant.layout,
        *[Feature(f"recalled_{part.name}", part.size, part.high, part.about) for part in recalled],
        Feature("moves", variant.max_plies, variant.move_count, "every move made so far, its number plus 1; then 0"),
    )


class SevenHuesGame(pyspiel.Game):
    """A game of ours with its parameters."""

    plays: str | Game[Any]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        seats, longest = given.pop(SEATS, None), given.pop(LENGTH, None)
        self.variant = variant = Variant(self.plays, seats, given)
        self.start = Course(variant, variant.longest(longest))
        asked = self.start.asked
        described = game_type(variant, PREFIX + variant.game.id.replace("-", "_"))
        orders = len(_orders(tuple(range(variant.seats)))) if variant.game.simultaneous else 1
        info = pyspiel.GameInfo(
            num_distinct_actions=variant.action_count,
            max_chance_outcomes=max(*asked, orders),
            num_players=variant.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if variant.seats > 1 else None,
            max_game_length=self.start.longest,
        )
        super().__init__(described, info, params or {})

    def new_initial_state(self) -> "SevenHuesState":
        return SevenHuesState(self)

    def max_chance_nodes_in_history(self) -> int:
        return len(self.start.asked) + (self.start.longest if self.variant.game.simultaneous else 0)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        if params:
            raise ValueError(f"observers take no parameters, not {params}")
        return Observer(self.variant, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class SevenHuesState(pyspiel.State):
    """A game under way. All of it is in one object, which OpenSpiel copies and pickles with the state."""

    def __init__(self, game: SevenHuesGame) -> None:
        super().__init__(game)
        self.course = game.start

    def current_player(self) -> int:
        return self.course.player

    def is_terminal(self) -> bool:
        return self.course.is_over()

    def _legal_actions(self, player: int) -> list[int]:
        course = self.course
        return course.variant.actions(course.table(), player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        course = self.course
        if course.position is None:
            return _equally_likely(course.asked[len(course.choices)])
        return _equally_likely(len(_orders(course.acting())))

    def _apply_action(self, action: int) -> None:
        course = self.course
        if course.idle:
            return
        if course.player != CHANCE:
            course.play(action)
        elif course.position is None:
            if not course.choices:
                self.course = course = course.copy()  # until now it was the game's own
            course.choose(action)
        else:
            course.resolve(_orders(course.acting())[action])

    def _apply_actions(self, actions: list[int]) -> None:
        if not self.course.idle:
            self.course.choose_all(actions)

    def _action_to_string(self, player: int, action: int) -> str:
        course = self.course
        if player != CHANCE:
            return course.variant.action_text(course.table(), player, action)
        if course.position is None:
            return f"choice {action} of {course.asked[len(course.choices)]}"
        return "order " + " ".join(map(str, _orders(course.acting())[action]))

    def returns(self) -> list[float]:
        return self.course.returns()

    def __str__(self) -> str:
        return self.course.told()

    def resample_from_infostate(self, player: int, sampler: Any) -> "SevenHuesState":
        """Return a state that a player cannot tell from this one: its deal, and so its history, is another.

        What other players tried in a tick without success stays in the history.
        """
        course = self.course
        if course.position is None:
            raise pyspiel.SpielError("nothing is hidden before the deal: there is nothing to resample")
        seed = int(sampler() * RESOLUTION) * RESOLUTION + int(sampler() * RESOLUTION)
        other = course.resampled(player, Rng(seed))
        state: SevenHuesState = self.get_game().new_initial_state()
        past = [(CHANCE, choice) for choice in other.choices]
        past += [(each.player, each.action) for each in self.full_history()[len(other.choices) :]]
        state.course = idle = state.course.copy()
        idle.idle = True
        at, seats = 0, course.variant.seats
        while at < len(past):
            idle.player, action = past[at]
            if idle.player >= 0 and course.variant.game.simultaneous:
                idle.player = SIMULTANEOUS
                state.apply_actions([action for _, action in past[at : at + seats]])
                at += seats
            else:
                state.apply_action(action)
                at += 1
        state.course = other
        return state


class Observer:
    """What a player sees, or with perfect recall knows, as numbers and as text."""

    def __init__(self, variant: Variant, kind: Any) -> None:
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS or not kind.public_info:
            raise ValueError(
                "an observer sees what one player, or a watcher, sees: public_info, and private_info or not"
            )
        self.watches = kind.private_info == pyspiel.PrivateInfoType.NONE
        self.recalls = bool(kind.perfect_recall)
        layout = information_state_layout(variant) if self.recalls else variant.layout
        self.tensor = np.zeros(sum(part.size for part in layout), np.float32) if layout else None
        self.dict: dict[str, Any] = {}
        at = 0
        for part in layout:
            assert self.tensor is not None
            self.dict[part.name] = self.tensor[at : at + part.size]
            at += part.size
        assert len(self.dict) == len(layout), "each part of a layout has a name of its own"

    def set_from(self, state: SevenHuesState, player: int) -> None:
        course = state.course
        if self.tensor is None:
            return
        seat = WATCHER if self.watches else player
        numbers = course.recalled(seat) if self.recalls else course.seen(seat)
        self.tensor[: len(numbers)] = numbers
        self.tensor[len(numbers) :] = 0

    def string_from(self, state: SevenHuesState, player: int) -> str:
        seat = WATCHER if self.watches else player
        return state.course.known_text(seat) if self.recalls else state.course.seen_text(seat)


@cache
def _equally_likely(outcomes: int) -> list[tuple[int, float]]:
    return [(outcome, 1.0 / outcomes) for outcome in range(outcomes)]


@cache
def _orders(seats: tuple[int, ...]) -> list[tuple[int, ...]]:
    """List the orders in which seats can come, by which first."""
    return list(permutations(seats))
