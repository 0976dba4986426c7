"""Gymnasium: one seat of a game against bots, or a game for one.

Importing this module registers `sevenhues/<Game>-v0` for every game, and `sevenhues/<Game>Solo-v0` for every game that
can be played alone. `gymnasium.make("sevenhues.adapters.gymnasium:sevenhues/<Game>-v0")` imports it by itself.
"""

from collections.abc import Sequence
from typing import Any, SupportsIndex

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise ImportError('sevenhues.adapters.gymnasium needs Gymnasium: pip install "sevenhues[gymnasium]"') from error

import numpy as np

from sevenhues.adapters.configured_game import FLAG, ConfiguredGame, Mask, Numbers, whole_number
from sevenhues.adapters.rendering import MODES, check_render_mode, draw
from sevenhues.adapters.reset_needed import NOT_RESET
from sevenhues.adapters.rewards import WIN, lowest_reward
from sevenhues.adapters.seat_game import SeatGame
from sevenhues.bots import make
from sevenhues.core import registry
from sevenhues.core.bot_support import Bot
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game
from sevenhues.core.position import Position
from sevenhues.core.record import Record
from sevenhues.core.rng import Rng

Info = dict[str, Any]
DEFAULT_BUDGET = 200  # simulations per move, so that games reproduce on every machine
SEED_LIMIT = 1 << 62  # of the seeds that are drawn for each game


def register() -> list[str]:
    """Register all games; return the ids of the environments."""
    ids = []
    for name in registry.names():
        game = registry.load(name)
        title = "".join(word.capitalize() for word in name.split("-"))
        kinds: dict[str, dict[str, Any]] = {title: {"game": name}}
        if game.min_seats == 1:
            kinds[f"{title}Solo"] = {"game": name, "seats": 1}
        for kind, arguments in kinds.items():
            ids.append(f"sevenhues/{kind}-v0")
            if ids[-1] not in gymnasium.registry:
                gymnasium.register(
                    ids[-1],
                    "sevenhues.adapters.gymnasium:SeatEnv",
                    kwargs=arguments,
                    vector_entry_point="sevenhues.adapters.gymnasium_vector:VectorSeatEnv",
                )
    return ids


class SeatEnv(gymnasium.Env[Numbers, Any]):
    """One seat of a game; bots have the others. A step is a move and the bots' replies, or a joint step of all seats.

    `info["action_mask"]` and `action_masks()` hold the legal actions. An illegal action loses the game; in a
    simultaneous game it is not made. The reason, place and score in `info` are empty or 0 until the game ends. `bots`
    is a name or a bot for all other seats, or a sequence with one for each of them, in order. `budget` limits the
    search of named bots: a time or a number of simulations per move. `reward` is "win", "score" or "shaped".
    """

    metadata: dict[str, Any] = {"render_modes": list(MODES), "render_fps": 1}

    def __init__(
        self,
        game: str | Game[Any],
        seats: SupportsIndex | None = None,
        seat: SupportsIndex = 0,
        bots: str | Bot | Sequence[str | Bot] = "random",
        budget: object = DEFAULT_BUDGET,
        max_length: SupportsIndex | None = None,
        render_mode: str | None = None,
        reward: str = WIN,
        **options: object,
    ) -> None:
        self.configured = configured = ConfiguredGame(game, seats, options, reward)
        self.illegal_reward = lowest_reward(configured.game, configured.seats, configured.options, configured.reward)
        self.seat = check_seat(configured, seat)
        self.bots = make_bots(configured, self.seat, bots, budget)
        self.max_length = configured.max_length(max_length)
        self.render_mode = check_render_mode(render_mode)
        self.observation_space = observation_space(configured)
        self.action_space = spaces.Discrete(configured.action_count)
        self.playing: SeatGame = NOT_RESET

    @property
    def position(self) -> Position:
        """Return the position of the game that is being played."""
        return self.playing.position

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Numbers, Info]:
        super().reset(seed=seed)
        # Bots must not be able to compute the deal from their generator, so it has a seed of its own.
        deal_seed, bot_seed = self.np_random.integers(SEED_LIMIT, size=2)
        position = self.configured.deal(Rng(deal_seed))
        self.playing = SeatGame(
            self.configured.game,
            position,
            self.seat,
            self.bots,
            Rng(bot_seed),
            self.configured.action_count,
            self.configured.wait,
            self.max_length,
            self.configured.reward,
            self.illegal_reward,
        )
        self.playing.begin()
        return self._observation(), self._info()

    def _observation(self) -> Numbers:
        return self.configured.observation(self.playing.position, self.seat)

    def _info(self) -> Info:
        """Return the mask and the results. The keys are the same in every step, as learners expect."""
        info = self.playing.results()
        info["action_mask"] = self.action_masks()
        return info

    def action_masks(self) -> Mask:
        """Return 1 for each legal action, in the format of sb3-contrib's maskable algorithms."""
        return np.frombuffer(self.playing.mask_bytes(), FLAG)

    def step(self, action: Any) -> tuple[Numbers, float, bool, bool, Info]:
        playing = self.playing
        playing.step(int(action))
        return self._observation(), playing.reward, playing.terminated, playing.truncated, self._info()

    def record(self) -> Record:
        """Return the record of the game so far, which servers and `sevenhues replay` open."""
        playing = self.playing
        moves = list(zip(playing.moves[::2], playing.moves[1::2], strict=True))
        return self.configured.record(playing.position, moves, playing.ended())

    def render(self) -> Any:
        """Draw the view of the seat."""
        return draw(self.configured.game, self.position, self.seat, self.render_mode)


def observation_space(configured: ConfiguredGame) -> spaces.Box:
    """Return the space of a seat's observations."""
    return spaces.Box(0, configured.highs.astype(configured.dtype), dtype=configured.dtype.type)


def check_seat(configured: ConfiguredGame, seat: SupportsIndex) -> int:
    """Return the number of a seat; raise BadOption if there is no such seat."""
    number = whole_number("seat", seat)
    if not 0 <= number < configured.seats:
        raise BadOption(f"there is no seat {seat}: the seats are 0 to {configured.seats - 1}")
    return number


def make_bots(
    configured: ConfiguredGame, seat: int, bots: str | Bot | Sequence[str | Bot], budget: object
) -> dict[int, Bot]:
    """Return the bots of all seats but one, by seat."""
    others = [other for other in range(configured.seats) if other != seat]
    chosen = [bots] * len(others) if isinstance(bots, str | Bot) else list(bots)
    if len(chosen) != len(others):
        raise BadOption(f"{len(others)} bots are needed, one for each other seat, not {len(chosen)}")
    made = [make(configured.game, bot, budget) if isinstance(bot, str) else bot for bot in chosen]
    return dict(zip(others, made, strict=True))


register()
