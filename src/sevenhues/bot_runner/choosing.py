"""Choosing moves of online games in worker processes, with bots as the arena has them."""

import asyncio
from collections import OrderedDict
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, NamedTuple

from sevenhues.arena.players import Player
from sevenhues.bots.budget import Budget
from sevenhues.core import registry
from sevenhues.core.bot_support import Bot
from sevenhues.core.errors import SevenHuesError
from sevenhues.core.game import resolve_options
from sevenhues.core.play import RaceMove, bot_move, play_text, race_move
from sevenhues.core.rng import Rng
from sevenhues.workers import worker_pool

MAX_REMEMBERED = 256  # bots of tables that a worker keeps


class BotFailed(SevenHuesError):
    """The bot raised an error, or chose no legal move."""


class Decision(NamedTuple):
    """A decision that a bot has to make: a deal that fits what its seat has seen, and the moves so far."""

    table: str
    game: str
    seats: int
    options: dict[str, Any]
    seat: int
    setup: dict[str, Any]
    moves: list[tuple[int, str]]  # seat and text


@dataclass
class SeatedBot:
    """The bot of a seat, which has observed some moves."""

    bot: Bot
    observed: int = 0


class Workers:
    """Worker processes. All decisions at a table are made in the same one, where its bot remembers the game."""

    def __init__(self, count: int, player: Player, budget: str) -> None:
        self._pools: list[ProcessPoolExecutor | None] = [None] * count
        self._player = player
        self._budget = budget
        self._numbers: OrderedDict[str, int] = OrderedDict()  # of the workers, by table
        self._next = 0

    async def choose(self, decision: Decision, seed: int) -> RaceMove | None:
        """Return the bot's move, and in a race its reaction time; None if the seat is not to act.

        Raise BotFailed if the bot raises an error, or ends its process twice.
        """
        number = self._number(decision.table)
        for attempt in range(2):
            pool = self._pools[number] = self._pools[number] or worker_pool(1)
            work = (decision, self._player, self._budget, seed)
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, choose, *work)
            except BrokenProcessPool:
                if self._pools[number] is pool:
                    self._pools[number] = None
                if attempt:
                    raise BotFailed("the bot ended its process") from None
            except Exception as error:
                raise BotFailed(f"{type(error).__name__}: {error}") from error
        raise AssertionError("two attempts end the loop")

    def close(self) -> None:
        for pool in self._pools:
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)

    def _number(self, table: str) -> int:
        if table not in self._numbers:
            self._numbers[table] = self._next
            self._next = (self._next + 1) % len(self._pools)
        self._numbers.move_to_end(table)
        if len(self._numbers) > MAX_REMEMBERED:
            self._numbers.popitem(last=False)
        return self._numbers[table]


_seated: OrderedDict[tuple[str, int], SeatedBot] = OrderedDict()  # by table and seat, in this worker


def choose(decision: Decision, player: Player, budget: str, seed: int) -> RaceMove | None:
    """Choose a move as in the arena: the bot observes every move, and is given a resampled position."""
    game, seat, rng = registry.load(decision.game), decision.seat, Rng(seed)
    key = decision.table, seat
    seated = _seated.get(key)
    if seated is None:
        seated = _seated[key] = SeatedBot(player.make(game, Budget.parse(budget)))
        seated.bot.begin_game(seat)
    _seated.move_to_end(key)
    if len(_seated) > MAX_REMEMBERED:
        _seated.popitem(last=False)
    position = game.start(decision.setup, decision.seats, resolve_options(game, decision.options))
    for number, (mover, text) in enumerate(decision.moves):
        move = play_text(game, position, mover, text)
        if number >= seated.observed:
            seated.bot.observe_move(mover, move)
    seated.observed = len(decision.moves)
    if seat not in position.to_act():
        return None
    chosen = bot_move(game, position, seat, seated.bot, rng)
    if game.simultaneous:
        return race_move(game, position, seat, chosen, player.reactions(game), rng)
    return RaceMove(game.text(position, seat, chosen), 0.0)
