"""Games during which servers are killed: players who move in rounds, and checks of what was stored of their moves."""

import asyncio
import random
from collections.abc import Awaitable, Callable

from sevenhues.client import Client, Live, Refused
from sevenhues.core import record
from sevenhues.core.deal_proof import verify_deal
from tests.server.play import DEADLINE_SECONDS, Moves, play_on, wait_until

MOVES_BEFORE_KILL = 3  # at most, of all players
MOVES_DURING_KILL = 4  # so many more are allowed, so that some are under way; few, so that games outlast the kills


class Rounds:
    """Lets players move in rounds; in each a server is killed at a random moment while they move."""

    def __init__(self, players: list[Live], seed: int) -> None:
        self._players = players
        self._rng = random.Random(seed)
        self._allowed = 0  # moves of all players together, until the next round
        self._over = False
        self._changed = asyncio.Condition()
        self._moves: list[Moves] = [[] for _ in players]

    async def play(self, kills: int, kill: Callable[[int], Awaitable[None]]) -> list[Moves]:
        """Play every game to its end with so many kills; return the acknowledged moves of each player."""
        playing = [asyncio.create_task(self._play(player)) for player in range(len(self._players))]
        for number in range(kills):
            wanted = self._acknowledged + self._rng.randint(1, MOVES_BEFORE_KILL)
            await self._allow(wanted + MOVES_DURING_KILL)
            await wait_until(lambda wanted=wanted: self._acknowledged >= wanted or any(one.done() for one in playing))
            assert not all(one.done() for one in playing), "the games were over before the last kill"
            await asyncio.sleep(self._rng.uniform(0, 0.03))  # at any moment of the way from a message to its answer
            await kill(number)
        self._over = True
        await self._allow(self._allowed)
        async with asyncio.timeout(4 * DEADLINE_SECONDS):
            await asyncio.gather(*playing)
        return self._moves

    @property
    def _acknowledged(self) -> int:
        return sum(len(moves) for moves in self._moves)

    async def _allow(self, moves: int) -> None:
        async with self._changed:
            self._allowed = moves
            self._changed.notify_all()

    async def _play(self, player: int) -> None:
        live, rng = self._players[player], random.Random(player)
        while live.update is None or live.update.result is None:
            async with self._changed:
                await self._changed.wait_for(lambda: self._over or self._acknowledged < self._allowed)
            try:
                self._moves[player] += await play_on(live, rng, 1)
            except Refused as error:
                if error.key != "store-failed":
                    raise
                await asyncio.sleep(0.1)


async def check_moves(user: Client, table: str, acknowledged: list[Moves], max_unacknowledged: int = 0) -> None:
    """Check that every acknowledged move is in the record of a finished game, once, where it was acknowledged.

    A move whose answer was lost together with the store may be in the record without having been acknowledged.
    """
    played = record.read(await user.record(table))
    assert [*record.replay(played)][-1].outcome() is not None, "the game was played to its end"
    assert verify_deal(played)
    user_seats = [seat for seat, name in enumerate(played.seats) if not name.startswith("bot:")]
    recorded = [(ply + 1, move.seat, move.text) for ply, move in enumerate(played.moves) if move.seat in user_seats]
    sent = sorted(move for moves in acknowledged for move in moves)
    assert len(set(sent)) == len(sent)
    assert set(sent) <= set(recorded)
    assert len(recorded) - len(sent) <= max_unacknowledged
