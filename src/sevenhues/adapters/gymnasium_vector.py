"""Gymnasium's vector environments: many games of one seat against bots, stepped in one compiled loop.

`gymnasium.make_vec("sevenhues/<Game>-v0", num_envs=256)` makes one. It gives what a `SyncVectorEnv` of the same number
of environments gives for the same seeds.
"""

from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from librt.vecs import vec
from mypy_extensions import i64, u8
from numpy.typing import NDArray

from sevenhues.adapters.configured_game import ConfiguredGame, Numbers, whole_number
from sevenhues.adapters.gymnasium import (
    DEFAULT_BUDGET,
    SEED_LIMIT,
    Info,
    check_seat,
    make_bots,
    observation_space,
)
from sevenhues.adapters.rendering import MODES, check_render_mode, draw
from sevenhues.adapters.reset_needed import ResetNeeded
from sevenhues.adapters.rewards import SHAPED, WIN
from sevenhues.adapters.seat_game import SeatGames
from sevenhues.core.bot_support import Bot
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game

SEEDS_AT_ONCE = 64  # drawn from NumPy: one by one they would take longer than the games

Scalar = TypeVar("Scalar", bound=np.generic)
Flags = NDArray[np.bool_]


def array_of(values: vec[i64] | vec[u8], dtype: type[Scalar]) -> NDArray[Scalar]:
    """Return values of the compiled loop as an array that shares their memory."""
    return np.frombuffer(memoryview(values), dtype)


class SeedSource:
    """The random generators of all games, as each single environment has one."""

    def __init__(self, count: int) -> None:
        self.generators: list[np.random.Generator | None] = [None] * count

    def seed(self, number: int, seed: int | None) -> None:
        """Set the seed of a game, or a random one."""
        self.generators[number] = seeding.np_random(seed)[0]

    def __call__(self, number: int) -> list[int]:
        """Draw seeds for further games of a number, the first one last."""
        generator = self.generators[number]
        if generator is None:
            raise ResetNeeded("call reset() first: the environment has no game yet")
        drawn: list[int] = generator.integers(SEED_LIMIT, size=SEEDS_AT_ONCE).tolist()
        return drawn[::-1]


class VectorSeatEnv(VectorEnv[Numbers, Any, Any]):
    """Many games of one seat against bots, with the parameters of `SeatEnv`.

    `autoreset_mode` is one of Gymnasium's: "NextStep", "SameStep" or "Disabled". Bots given by name are made for each
    game; a bot given as an object plays in all games.
    """

    def __init__(
        self,
        game: str | Game[Any],
        num_envs: SupportsIndex = 1,
        seats: SupportsIndex | None = None,
        seat: SupportsIndex = 0,
        bots: str | Bot | Sequence[str | Bot] = "random",
        budget: object = DEFAULT_BUDGET,
        max_length: SupportsIndex | None = None,
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        reward: str = WIN,
        **options: object,
    ) -> None:
        self.configured = configured = ConfiguredGame(game, seats, options, reward)
        self.num_envs = whole_number("num_envs", num_envs)
        if self.num_envs < 1:
            raise BadOption(f"num_envs must be at least 1, not {self.num_envs}")
        self.seat = check_seat(configured, seat)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.render_mode = check_render_mode(render_mode)
        self.metadata = {"render_modes": list(MODES), "render_fps": 1, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = observation_space(configured)
        self.single_action_space = spaces.Discrete(configured.action_count)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.seeds = SeedSource(self.num_envs)
        self.playing = SeatGames(
            configured.game,
            configured.seats,
            configured.options,
            self.seat,
            [make_bots(configured, self.seat, bots, budget) for _ in range(self.num_envs)],
            configured.wait,
            configured.max_length(max_length),
            configured.reward,
            self.seeds,
        )

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Info | None = None
    ) -> tuple[Numbers, Info]:
        """Begin all games, or those that `options["reset_mask"]` marks. A seed is that of the first game."""
        seeds = self._game_seeds(seed)
        chosen = self._reset_mask(options)
        numbers = np.flatnonzero(chosen).tolist()
        for number in numbers:
            if seeds[number] is not None or self.seeds.generators[number] is None:
                self.seeds.seed(number, seeds[number])
                self.playing.seeds[number] = []
        if len(numbers) == self.num_envs:
            self.playing.deal_all()
        else:
            self._check_reset()
            self.playing.deal(numbers)
        return self._observations(), self._infos(chosen)

    def _game_seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int):
            return range(seed, seed + self.num_envs)
        if len(seed) != self.num_envs:
            raise ValueError(f"{self.num_envs} seeds are needed, one for each game, not {len(seed)}")
        return seed

    def _reset_mask(self, options: Info | None) -> Flags:
        if options is None or "reset_mask" not in options:
            return np.ones(self.num_envs, np.bool_)
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(f"reset_mask must be an array of {self.num_envs} booleans")
        if not mask.any():
            raise ValueError("reset_mask must mark at least one game")
        return mask

    def _check_reset(self) -> None:
        if not self.playing.games:
            raise ResetNeeded("call reset() first: the environment has no game yet")

    def step(self, actions: Any) -> tuple[Numbers, NDArray[np.float64], Flags, Flags, Info]:
        """Make a step in every game. What happens after the end of a game depends on the autoreset mode."""
        self._check_reset()
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,):
            raise ValueError(f"{self.num_envs} actions are needed, one for each game, not {chosen.shape}")
        playing = self.playing
        if self.autoreset_mode is AutoresetMode.DISABLED:
            over = [number for number in playing.ended if playing.games[number].ended()]
            if over:
                raise ResetNeeded(f'games {over} are over: reset them with options={{"reset_mask": ...}}')
        playing.step(chosen.tolist())
        if self.configured.reward == SHAPED:
            rewards = np.array([game.reward for game in playing.games])
        else:
            rewards = np.zeros(self.num_envs)
        terminated, truncated = np.zeros((2, self.num_envs), np.bool_)
        for number in playing.ended:
            game = playing.games[number]
            rewards[number], terminated[number], truncated[number] = game.reward, game.terminated, game.truncated
        final: Info = {}
        if playing.ended and self.autoreset_mode is AutoresetMode.SAME_STEP:
            final = self._final(playing.ended)
            playing.deal(playing.ended)
        infos = {**final, **self._infos(np.ones(self.num_envs, np.bool_))}
        return self._observations(), rewards, terminated, truncated, infos

    def _observations(self) -> Numbers:
        numbers = array_of(self.playing.observations, np.int64)
        return numbers.reshape(self.num_envs, -1).astype(self.configured.dtype)

    def _infos(self, chosen: Flags) -> Info:
        """Return the masks and results of the chosen games, in the form in which Gymnasium joins infos."""
        playing = self.playing
        masks = array_of(playing.masks, np.int8).reshape(self.num_envs, -1).copy()
        made = array_of(playing.made, np.bool_).copy()
        reasons = np.full(self.num_envs, "", object)
        places = np.zeros(self.num_envs, np.int64)
        scores = np.zeros(self.num_envs, np.int64)
        for number in playing.ended:
            game = playing.games[number]
            reasons[number], places[number], scores[number] = game.reason, game.place, game.score
        if not chosen.all():
            masks[~chosen] = 0
            made[~chosen] = False
            reasons[~chosen] = None
            places[~chosen] = 0
            scores[~chosen] = 0
        infos = {"action_mask": masks, "made": made, "reason": reasons, "place": places, "score": scores}
        return {**infos, **{f"_{key}": chosen.copy() for key in infos}}

    def _final(self, ended: list[int]) -> Info:
        """Return the last observations and infos of games that ended with this step."""
        chosen = np.zeros(self.num_envs, np.bool_)
        chosen[ended] = True
        observations = self._observations()
        last = np.full(self.num_envs, None, object)
        for number in ended:
            last[number] = observations[number]
        return {
            "final_obs": last,
            "_final_obs": chosen,
            "final_info": self._infos(chosen),
            "_final_info": chosen.copy(),
        }

    def render(self) -> tuple[Any, ...]:
        """Draw the view of the seat in every game."""
        self._check_reset()
        game, mode = self.configured.game, self.render_mode
        return tuple(draw(game, playing.position, self.seat, mode) for playing in self.playing.games)
