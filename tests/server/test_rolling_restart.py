"""Servers are replaced by new ones behind a proxy that checks their health, while people and bots play."""

import asyncio
import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx
import pytest

from sevenhues import protocol
from sevenhues.client import Client, Live, Refused
from sevenhues.core import record
from tests.server.play import DEADLINE_SECONDS, Moves, play_on, seat_to_act, select_view, start_game, wait_until
from tests.server.process import ServerProcess
from tests.server.proxy import HealthCheckingProxy

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
KINDS = (("rainbow-road", ["me", "open"]), ("flip-and-slide", ["open", "me"]), ("rainbow-road", ["me", "bot:random"]))


class WatchedLive(Live):
    """A connection to a table that notes when it is closed, and for how long."""

    def __init__(self, client: Client, table: str) -> None:
        super().__init__(client, table)
        self.reasons: list[str] = []
        self.lost_seconds: list[float] = []
        self._lost_at: float | None = None

    def _handle(self, message: protocol.FromServer) -> None:
        if isinstance(message, protocol.Closing):
            self.reasons.append(message.reason)
            self._lost_at = time.monotonic()
        elif self._lost_at is not None:
            self.lost_seconds.append(time.monotonic() - self._lost_at)
            self._lost_at = None
        super()._handle(message)


class StoppedServer(ServerProcess):
    """A server that is not started at first."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        if kind is not None and self.running:
            self.kill()  # it might drain for long
        if self._process is not None:
            super().__exit__(kind, error, trace)


class Player:
    """Makes random moves until told to stop, and keeps those that were acknowledged."""

    def __init__(self, live: WatchedLive, pause: float, seed: int) -> None:
        self.live = live
        self.moves: Moves = []
        self._pause = pause
        self._rng = random.Random(seed)
        self._task = asyncio.create_task(self._play())

    @property
    def over(self) -> bool:
        return self.live.update is not None and self.live.update.result is not None

    async def _play(self) -> None:
        while not self.over:
            self.moves += await play_on(self.live, self._rng, 1, self._pause)

    async def stop(self) -> None:
        """Resign if the game is not over, and make no more moves."""
        try:
            await self.live.resign(self.live.seat_view().seat)
        except Refused as error:
            if error.key != "over":
                raise
        await self._task


async def visit(url: str, stop: asyncio.Event) -> tuple[int, list[str]]:
    """Load a list again and again, each time once more after a broken connection; return how often, and what failed."""
    visits, failures = 0, []
    async with httpx.AsyncClient(base_url=url, timeout=DEADLINE_SECONDS) as http:
        while not stop.is_set():
            try:
                answer = await http.get("/api/tables?which=live")
            except httpx.TransportError:
                answer = await http.get("/api/tables?which=live")
            visits += 1
            if not answer.is_success:
                failures.append(f"{answer.status_code} {answer.text}")
            await asyncio.sleep(0.05)
    return visits, failures


@pytest.mark.parametrize(("processes", "tables"), [(1, 6), pytest.param(2, 100, marks=pytest.mark.long)])
async def test_rolling_restart_loses_no_move_and_no_connection_for_long(
    tmp_path: Path, new_shared_store: Callable[[], tuple[str, ...]], processes: int, tables: int
) -> None:
    keys = ("--key-file", str(tmp_path / "signing.keys"))
    options = (*new_shared_store(), *keys, "--no-limits", "--drain-seconds")
    async with AsyncExitStack() as stack:
        old, new = [
            [
                stack.enter_context(StoppedServer(tmp_path / f"{name}-{number}", *options, drain, bot_min_move_ms=200))
                for number in range(processes)
            ]
            for name, drain in (("old", "600"), ("new", "0.1"))
        ]
        for server in old:
            await asyncio.to_thread(server.start)
        proxy = await stack.enter_async_context(HealthCheckingProxy([server.port for server in old]))
        await wait_until(lambda: len(proxy.healthy) == processes)
        ada = await stack.enter_async_context(Client(proxy.url, "Ada"))
        ben = await stack.enter_async_context(Client(proxy.url, "Ben"))
        players: dict[str, list[Player]] = {}
        for number in range(tables):
            game, seats = KINDS[number % len(KINDS)]
            table = await ada.create_table(game, seats)
            clients = [ada]
            if "open" in seats:
                await ben.join(table.id)
                clients.append(ben)
            lives = [await stack.enter_async_context(WatchedLive(client, table.id)) for client in clients]
            await start_game(*lives)
            pause = 0.2 + tables * 0.02
            players[table.id] = [Player(live, pause, number + seat) for seat, live in enumerate(lives)]
        everybody = [player for seated in players.values() for player in seated]
        stop = asyncio.Event()
        visiting = asyncio.create_task(visit(proxy.url, stop))
        for leaving, coming in zip(old, new, strict=True):
            await asyncio.to_thread(coming.start)
            proxy.ports.append(coming.port)
            await wait_until(lambda port=coming.port: port in proxy.healthy)
            # It drains until the proxy has noticed, however long that takes on a busy machine.
            os.kill(leaving.pid, signal.SIGTERM)
            await wait_until(lambda port=leaving.port: port not in proxy.healthy)
            assert await asyncio.to_thread(leaving.stop) == 0  # a second SIGTERM ends it
            proxy.ports.remove(leaving.port)
        made = {id: len(seated[0].moves) for id, seated in players.items()}
        # Every game goes on at the new servers, also if a bot is to move.
        await wait_until(
            lambda: all(seated[0].over or len(seated[0].moves) > made[id] for id, seated in players.items())
        )
        stop.set()
        visits, failures = await visiting
        assert visits > 0
        assert failures == []
        for player in everybody:
            assert set(player.live.reasons) <= {"stopping"}
            # Each server that stops closes a connection once: nobody is sent back to one that is about to stop.
            assert len(player.live.reasons) <= processes
        assert sum(len(player.live.reasons) for player in everybody) >= len(everybody)
        for id, seated in players.items():
            for player in seated:
                await player.stop()
            await check_record(ada, id, [move for player in seated for move in player.moves])
        lost = sorted(seconds for player in everybody for seconds in player.live.lost_seconds)
        print(
            f"{len(lost)} connections were lost for {lost[len(lost) // 2]:.2f} s (median), {lost[-1]:.2f} s (longest)"
        )


async def check_record(user: Client, table: str, acknowledged: Moves) -> None:
    """Check that the players' moves in the record are those that were acknowledged."""
    played = record.read(await user.record(table))
    seats = [seat for seat, name in enumerate(played.seats) if not name.startswith("bot:")]
    recorded = [(ply + 1, move.seat, move.text) for ply, move in enumerate(played.moves) if move.seat in seats]
    assert sorted(acknowledged) == recorded


async def test_server_that_drains_serves_its_clients_and_tells_proxies_to_go_elsewhere(data: Path) -> None:
    with ServerProcess(data, "--drain-seconds", "600") as server:
        async with Client(server.url, "Ada") as ada, httpx.AsyncClient(base_url=server.url, timeout=60) as http:
            table = await ada.create_table("rainbow", ["me", "me"])
            live = WatchedLive(ada, table.id)
            async with live:
                await start_game(live)
                os.kill(server.pid, signal.SIGTERM)
                while (health := await http.get("/healthz")).is_success:
                    await asyncio.sleep(0.02)
                assert (health.status_code, health.json()) == (503, {"status": "draining"})
                answer = await http.get("/api/games")
                assert answer.is_success
                assert answer.headers["connection"] == "close"
                seat = seat_to_act(live)
                await select_view(live, seat)
                assert await live.move(live.seat_view().legal[0], seat) == 1
                assert (await ada.create_table("rainbow", ["me", "open"])).status == "waiting"
                assert live.reasons == []
                assert await asyncio.to_thread(server.stop) == 0  # a second SIGTERM ends it
                await wait_until(lambda: live.reasons == ["stopping"])
