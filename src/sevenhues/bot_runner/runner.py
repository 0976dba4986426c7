"""Keeps a bot account online: answers its challenges, joins tables that welcome bots, and plays its games."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import aclosing, suppress
from functools import partial
from typing import Any, NamedTuple, TypeVar

from sevenhues.bot_runner.choosing import BotFailed, Decision, Workers
from sevenhues.client import Client, Disconnected, Live, Refused
from sevenhues.core.errors import SevenHuesError
from sevenhues.protocol import BotChallenge, BotGame, DeclineReason, SeatView, TableInfo

T = TypeVar("T")
RETRY_SECONDS = 0.5  # until a request is repeated that the server could not answer
TRANSIENT = ("store-failed", "internal-error", "too-many", "too-many-sockets")  # refusals that pass with time
JOIN_SECONDS = 3.0  # between looks for tables that welcome bots
START_SECONDS = 300.0  # after which the bot leaves a table whose game has not started
IDLE_SECONDS = 600.0  # without a move, after which a game does not count as one that is being played
MAX_CONNECTED = 32  # tables, also those that nobody continues: a user may have 40 connections


class RunnerSettings(NamedTuple):
    """The games that a bot plays, and the limits of its play."""

    games: Collection[str]
    max_tables: int = 8  # that are being played at once
    join: bool = False  # also open tables that welcome bots
    min_move_seconds: float = 0.7  # so that people can follow
    finish_seconds: float = 60.0  # for which games are played on after `stop`


class BotRunner:
    """Plays as a bot account until it is stopped or its token is revoked."""

    def __init__(
        self, client: Client, workers: Workers, settings: RunnerSettings, report: Callable[[str], None]
    ) -> None:
        self._client = client
        self._workers = workers
        self._settings = settings
        self._report = report
        self._tables: dict[str, asyncio.Task[None]] = {}
        self._moved_at: dict[str, float] = {}  # when something last happened at each table
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Play until stopped; raise Disconnected when the token is not valid any more."""
        serving = [asyncio.create_task(self._answer_events())]
        if self._settings.join:
            serving.append(asyncio.create_task(self._join_open_tables()))
        stopped: asyncio.Task[Any] = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait([*serving, stopped], return_when=asyncio.FIRST_COMPLETED)
            for task in serving:
                if task.done():
                    task.result()
            await self._finish(serving)
        finally:
            tasks = [*serving, stopped, *self._tasks()]
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    def stop(self) -> None:
        """Accept no more games. Those in play are finished, or left for the next start after some time."""
        self._stopping.set()

    def _tasks(self) -> list[asyncio.Task[None]]:
        return list(self._tables.values())

    async def _finish(self, serving: list[asyncio.Task[None]]) -> None:
        for task in serving:
            task.cancel()
        await asyncio.wait(serving)
        if self._tables:
            seconds = self._settings.finish_seconds
            self._report(f"Stopping: finishing {len(self._tables)} games for up to {seconds:g} s.")
            await asyncio.wait(self._tasks(), timeout=seconds)
        if self._tables:
            self._report(f"Stopped with {len(self._tables)} unfinished games, which go on at the next start.")

    async def _answer_events(self) -> None:
        async with aclosing(self._client.bot_events()) as events:
            async for event in events:
                if event.table.id in self._tables:
                    continue
                if isinstance(event, BotChallenge):
                    await self._answer(event)
                elif isinstance(event, BotGame) and event.table.game in self._settings.games:
                    self._start(event.table)

    async def _answer(self, challenge: BotChallenge) -> None:
        """Accept or decline a challenge."""
        table = challenge.table
        reason: DeclineReason | None = None
        if table.game not in self._settings.games:
            reason = "unwanted"
        elif self._full:
            reason = "busy"
        try:
            if reason is not None:
                await self._again(lambda: self._client.decline(table.id, reason))
                self._report(f"Declined a challenge at table {table.id}: {reason}.")
            else:
                self._start(await self._again(lambda: self._client.join(table.id)))
                self._report(f"Accepted a challenge at table {table.id}.")
        except Refused as error:
            if error.key == "bad-token":
                raise
            self._report(f"A challenge at table {table.id} could not be answered: {error}")

    async def _join_open_tables(self) -> None:
        while True:
            for game in self._settings.games:
                for table in await self._again(partial(self._client.tables, "open", game)):
                    if not self._full and _welcomes(table) and table.id not in self._tables:
                        await self._join(table)
            await asyncio.sleep(JOIN_SECONDS * (0.5 + secrets.randbelow(1000) / 1000))

    async def _join(self, table: TableInfo) -> None:
        try:
            self._start(await self._client.join(table.id))
        except Refused as error:
            if error.key == "bad-token":
                raise
        except SevenHuesError:
            return  # the server could not be reached: the table is tried again
        else:
            self._report(f"Joined table {table.id}.")

    @property
    def _full(self) -> bool:
        recent = time.monotonic() - IDLE_SECONDS
        playing = sum(moved_at > recent for moved_at in self._moved_at.values())
        return playing >= self._settings.max_tables or len(self._tables) >= MAX_CONNECTED

    def _start(self, table: TableInfo) -> None:
        if table.id not in self._tables:
            self._moved_at[table.id] = time.monotonic()
            task = self._tables[table.id] = asyncio.create_task(self._play(table.id))
            task.add_done_callback(lambda _: self._forget(table.id))

    def _forget(self, table_id: str) -> None:
        del self._tables[table_id]
        del self._moved_at[table_id]

    async def _play(self, table_id: str) -> None:
        try:
            async with self._client.live(table_id) as live:
                leaving = asyncio.create_task(self._leave_if_not_started(live))
                try:
                    async for view in live.turns():
                        self._moved_at[table_id] = time.monotonic()
                        await self._move(live, view)
                finally:
                    leaving.cancel()
                if live.update is not None and live.update.result is not None:
                    self._report(f"Finished the game at table {table_id}.")
        except Disconnected:
            return  # the table was removed, or the token was revoked, which ends the events too
        except SevenHuesError as error:
            self._report(f"Stopped playing at table {table_id}: {error}")

    async def _leave_if_not_started(self, live: Live) -> None:
        """Leave a table whose game does not start for some minutes, or when the bot stops."""
        with suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                await self._stopping.wait()
        if live.update is None and live.table is not None:
            for seat in live.table.your_seats:
                with suppress(SevenHuesError):
                    await self._client.leave(live.id, seat)
                    self._report(f"Left table {live.id}, whose game did not start.")
                    self._tables[live.id].cancel()

    async def _move(self, live: Live, view: SeatView) -> None:
        """Choose a move from a deal that is as likely as the true one, and make it."""
        assert live.table is not None
        began, table, seat = time.monotonic(), live.table, view.seat
        try:
            sample = await self._again(lambda: self._client.sample(live.id, seat))
            moves = [(move.seat, move.text) for move in sample.moves]
            decision = Decision(live.id, table.game, len(table.seats), dict(table.options), seat, sample.setup, moves)
            chosen = await self._workers.choose(decision, secrets.randbits(60))
            if chosen is None:
                return  # the position has changed: it is sent next
            waited = time.monotonic() - began
            await asyncio.sleep(max(0.0, (chosen.delay_seconds or self._settings.min_move_seconds) - waited))
            await live.move(chosen.text, seat, sample.ply)
        except BotFailed as error:
            self._report(f"The bot failed at table {live.id} and resigns: {error}")
            with suppress(Refused):
                await live.resign(seat)
        except Refused as error:
            if error.key == "bad-token":
                raise
            await asyncio.sleep(0.02)  # the position has changed: it is sent next, or was sent again

    async def _again(self, request: Callable[[], Awaitable[T]]) -> T:
        """Repeat a request until the server answers it."""
        while True:
            try:
                return await request()
            except Refused as error:
                if error.key not in TRANSIENT:
                    raise
                await asyncio.sleep(float(error.parameters.get("seconds", RETRY_SECONDS)))
            except SevenHuesError:  # the server could not be reached
                await asyncio.sleep(RETRY_SECONDS)


def _welcomes(table: TableInfo) -> bool:
    """Tell whether a bot may take a seat at an open table."""
    unreserved = any(seat.kind == "open" and (seat.challenged is None or seat.declined) for seat in table.seats)
    return table.bots_welcome and unreserved and not table.your_seats and not table.is_owner
