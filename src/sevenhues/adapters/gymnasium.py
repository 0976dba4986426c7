"""Gymnasium: one seat of a game against bots, or a game for one.

Importing this module registers `sevenhues/<Game>-v0` for every game, and `sevenhues/<Game>Solo-v0` for games one can
play alone. `gymnasium.make` imports it by itself when asked for "sevenhues.adapters.gymnasium:sevenhues/<Game>-v0".
"""

from collections.abc import Sequence
from typing import Any

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise ImportError('sevenhues.adapters.gymnasium needs Gymnasium: pip install "sevenhues[gymnasium]"') from error

from sevenhues.adapters.configured_game import Mask, Numbers, Variant
from sevenhues.adapters.joint_step import play_tick
from sevenhues.bots import make
from sevenhues.core import registry
from sevenhues.core.bot_support import Bot
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game
from sevenhues.core.play import bot_move
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng

Info = dict[str, Any]


def register() -> list[str]:
    """Register all games; return the ids of the environments."""
    ids = []
    for name in registry.names():
        game = registry.load(name)
        title = "".join(word.capitalize() for word in name.split("-"))
        kinds: dict[str, dict[str, Any]] = {title: {"game": name}}
        if game.min_seats == 1:
            kinds[f"{title}Solo"] = {"game": name, "seats": 1}
        for kind, given in kinds.items():
            ids.append(f"sevenhues/{kind}-v0")
            if ids[-1] not in gymnasium.registry:
                gymnasium.register(ids[-1], "sevenhues.adapters.gymnasium:SeatEnv", kwargs=given)
    return ids


class SeatEnv(gymnasium.Env[Numbers, Any]):
    """One seat of a game; bots have the others. A step is a move and the bots' answer, or a tick with all of them.

    `info["action_mask"]` and `action_masks()` tell what is legal. An action that is not loses the game, unless
    everybody acts at once: then it is not made. `bots` is a name or a bot for all other seats, or one for each of
    them, in order; those that search `think` so long for a move, or so many simulations.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: str | Game[Any],
        seats: int | None = None,
        seat: int = 0,
        bots: str | Bot | Sequence[str | Bot] = "random",
        think: str = "30ms",
        max_length: int | None = None,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        self.variant = variant = Variant(game, seats, options)
        if not 0 <= seat < variant.seats:
            raise BadOption(f"there is no seat {seat}: the seats are 0 to {variant.seats - 1}")
        self.seat = seat
        self.bots = _seated(variant, seat, bots, think)
        self.longest = variant.longest(max_length)
        self.render_mode = render_mode
        self.observation_space = spaces.Box(0, variant.highs.astype(variant.dtype), dtype=variant.dtype.type)
        self.action_space = spaces.Discrete(variant.action_count)
        self.position: Position

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Numbers, Info]:
        super().reset(seed=seed)
        name = self.np_random.bytes(16).hex()
        self.position = self.variant.deal(name)
        self.rng = Rng.seeded(f"{name}/bots")
        self.played = 0
        if not self.variant.game.simultaneous:
            self._let_bots_play()
        return self.variant.numbers(self.position, self.seat), {"action_mask": self.action_masks()}

    def action_masks(self) -> Mask:
        """Return 1 for each legal action, as maskable learners ask for it."""
        return self.variant.mask(self.variant.actions(self.position, self.seat))

    def step(self, action: Any) -> tuple[Numbers, float, bool, bool, Info]:
        move = int(action)
        if self.variant.game.simultaneous:
            made = self._play_tick(move)
        elif move in self.position.legal(self.seat):
            made = True
            self._play(self.seat, move)
            self._let_bots_play()
        else:
            info: Info = {"action_mask": self.action_masks(), "made": False, "reason": "illegal"}
            return self.variant.numbers(self.position, self.seat), -1.0, True, False, info
        over = not self.position.to_act()
        cut_off = not over and self.played >= self.longest
        info = {"action_mask": self.action_masks(), "made": made}
        if over or cut_off:
            info.update(self.variant.ending(self.position)[self.seat])
        reward = self.variant.rewards(self.position)[self.seat]
        return self.variant.numbers(self.position, self.seat), reward, over, cut_off, info

    def _play(self, seat: int, move: int) -> None:
        self.position.play(seat, move)
        self.played += 1
        self._tell(seat, move)

    def _tell(self, seat: int, move: int) -> None:
        for bot in self.bots.values():
            bot.observe_move(seat, move)

    def _let_bots_play(self) -> None:
        while (turn := self.position.to_act()) and turn[0] != self.seat and self.played < self.longest:
            self._play(turn[0], bot_move(self.variant.game, self.position, turn[0], self.bots[turn[0]], self.rng))

    def _play_tick(self, move: int) -> bool:
        actions = [self.variant.wait] * self.variant.seats
        actions[self.seat] = move
        for seat, bot in self.bots.items():
            if seat in self.position.to_act():
                actions[seat] = bot_move(self.variant.game, self.position, seat, bot, self.rng)
        order = [seat for seat, action in enumerate(actions) if action != self.variant.wait]
        self.rng.shuffle(order)
        played = play_tick(self.variant, self.position, actions, order)
        self.played += 1
        for seat, made in played:
            self._tell(seat, made)
        return any(seat == self.seat for seat, _ in played)

    def render(self) -> Any:
        """Draw what the seat sees."""
        return self.variant.game.renderer().draw(self.variant.game.view(self.position, self.seat), False)


def _seated(variant: Variant, seat: int, given: str | Bot | Sequence[str | Bot], think: str) -> dict[int, Bot]:
    others = [other for other in range(variant.seats) if other != seat]
    chosen = [given] * len(others) if isinstance(given, str | Bot) else list(given)
    if len(chosen) != len(others):
        raise BadOption(f"{len(others)} bots are needed, one for each other seat, not {len(chosen)}")
    named = [make(variant.game, bot, think) if isinstance(bot, str) else bot for bot in chosen]
    return dict(zip(others, named, strict=True))


register()
