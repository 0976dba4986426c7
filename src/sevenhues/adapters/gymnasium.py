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

from sevenhues.adapters.configured_game import ConfiguredGame, Mask, Numbers, whole_number
from sevenhues.adapters.joint_step import joint_step
from sevenhues.adapters.reset_needed import NOT_RESET
from sevenhues.bots import make
from sevenhues.core import registry
from sevenhues.core.bot_support import Bot
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game
from sevenhues.core.play import bot_move
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng

Info = dict[str, Any]
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
                gymnasium.register(ids[-1], "sevenhues.adapters.gymnasium:SeatEnv", kwargs=arguments)
    return ids


class SeatEnv(gymnasium.Env[Numbers, Any]):
    """One seat of a game; bots have the others. A step is a move and the bots' replies, or a joint step of all seats.

    `info["action_mask"]` and `action_masks()` hold the legal actions. An illegal action loses the game; in a
    simultaneous game it is not made. `bots` is a name or a bot for all other seats, or a sequence with one for each of
    them, in order. `budget` limits the search of named bots: a time or a number of simulations per move.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: str | Game[Any],
        seats: SupportsIndex | None = None,
        seat: SupportsIndex = 0,
        bots: str | Bot | Sequence[str | Bot] = "random",
        budget: object = "30ms",
        max_length: SupportsIndex | None = None,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        self.configured = configured = ConfiguredGame(game, seats, options)
        self.seat = whole_number("seat", seat)
        if not 0 <= self.seat < configured.seats:
            raise BadOption(f"there is no seat {seat}: the seats are 0 to {configured.seats - 1}")
        self.bots = _make_bots(configured, self.seat, bots, budget)
        self.max_length = configured.max_length(max_length)
        self.render_mode = render_mode
        self.observation_space = spaces.Box(0, configured.highs.astype(configured.dtype), dtype=configured.dtype.type)
        self.action_space = spaces.Discrete(configured.action_count)
        self.position: Position = NOT_RESET
        self.legal: list[int] = NOT_RESET  # the actions of the environment's own seat

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Numbers, Info]:
        super().reset(seed=seed)
        # Bots must not be able to compute the deal from their generator, so it has a seed of its own.
        deal_seed, bot_seed = self.np_random.integers(SEED_LIMIT, size=2)
        self.position = self.configured.deal(Rng(deal_seed))
        self.rng = Rng(bot_seed)
        self.steps = 0
        for seat, bot in self.bots.items():
            bot.begin_game(seat)
        if not self.configured.game.simultaneous:
            self._play_bots()
        return self._observe(), {"action_mask": self.action_masks()}

    def _observe(self) -> Numbers:
        """List the legal actions of the position, once, and return the observation."""
        self.legal = self.configured.actions(self.position, self.seat)
        return self.configured.observation(self.position, self.seat)

    def action_masks(self) -> Mask:
        """Return 1 for each legal action, in the format of sb3-contrib's maskable algorithms."""
        return self.configured.mask(self.legal)

    def step(self, action: Any) -> tuple[Numbers, float, bool, bool, Info]:
        move = int(action)
        if self.configured.game.simultaneous:
            made = self._joint_step(move)
        elif move in self.legal:
            made = True
            self._play(self.seat, move)
            self._play_bots()
        else:
            info: Info = {"action_mask": self.action_masks(), "made": False, "reason": "illegal"}
            return self.configured.observation(self.position, self.seat), -1.0, True, False, info
        observation = self._observe()
        # The own seat has no actions when it waits for bots that are out of steps, or when the game is over.
        over = not self.legal and not self.position.to_act()
        truncated = not over and self.steps >= self.max_length
        info = {"action_mask": self.action_masks(), "made": made}
        if not over and not truncated:
            return observation, 0.0, False, False, info
        info.update(self.configured.final_infos(self.position)[self.seat])
        return observation, self.configured.rewards(self.position)[self.seat], over, truncated, info

    def _play(self, seat: int, move: int) -> None:
        self.position.play(seat, move)
        self.steps += 1
        self._notify_bots(seat, move)

    def _notify_bots(self, seat: int, move: int) -> None:
        for bot in self.bots.values():
            bot.observe_move(seat, move)

    def _play_bots(self) -> None:
        """Make the bots' moves until the environment's own seat is to act."""
        while (turn := self.position.to_act()) and turn[0] != self.seat and self.steps < self.max_length:
            self._play(turn[0], bot_move(self.configured.game, self.position, turn[0], self.bots[turn[0]], self.rng))

    def _joint_step(self, move: int) -> bool:
        """Make a joint step; return whether the move of the environment's own seat was made."""
        actions = [self.configured.wait] * self.configured.seats
        actions[self.seat] = move
        for seat, bot in self.bots.items():
            if seat in self.position.to_act():
                actions[seat] = bot_move(self.configured.game, self.position, seat, bot, self.rng)
        order = [seat for seat, action in enumerate(actions) if action != self.configured.wait]
        self.rng.shuffle(order)
        played = joint_step(self.configured, self.position, actions, order)
        self.steps += 1
        for seat, made in played:
            self._notify_bots(seat, made)
        return any(seat == self.seat for seat, _ in played)

    def render(self) -> Any:
        """Draw the view of the seat."""
        self.position.to_act()  # refused before the first reset
        return self.configured.game.renderer().draw(self.configured.game.view(self.position, self.seat), False)


def _make_bots(
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
