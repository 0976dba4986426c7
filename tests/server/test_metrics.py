"""Metrics: they have an address of their own, and reveal nothing of a game that its players do not see."""

import asyncio
from pathlib import Path

import httpx
import pytest
from prometheus_client import generate_latest

from sevenhues.client import Client, Refused
from sevenhues.core.errors import SevenHuesError
from sevenhues.core.position import Position
from sevenhues.server.live.bot_player import BotPlayer, Choice
from sevenhues.server.live.search_pool import SearchPool
from sevenhues.server.prometheus_metrics import PrometheusMetrics, serve_metrics
from sevenhues.server.table.commands import SeatSpec, TableSpec
from sevenhues.server.table.state import Table
from tests.server.live_tables import RAINBOW, open_live_tables
from tests.server.play import seat_to_act, select_view, start_game, wait_until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio


async def test_metrics_are_served_at_their_own_port_alone(server: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        await http.get("/healthz")
        assert "sevenhues_events_total" not in (await http.get("/metrics")).text
    metrics = server.metrics()
    assert "sevenhues_event_append_duration_seconds_bucket" in metrics
    assert "sevenhues_live_tables" in metrics
    assert 'sevenhues_http_requests_total{route="/healthz",status="200"}' in metrics


def test_metrics_port_in_use_is_reported() -> None:
    with (
        serve_metrics(PrometheusMetrics(), "127.0.0.1", 0) as port,
        pytest.raises(SevenHuesError, match="cannot serve metrics"),
        serve_metrics(PrometheusMetrics(), "127.0.0.1", port),
    ):
        pass


@pytest.mark.slow
async def test_refused_move_changes_no_metric(data: Path) -> None:
    with ServerProcess(data) as server:  # of its own: at a shared one the bots of other tests may still play
        async with Client(server.url, "Ada") as ada:
            table = await ada.create_table("rainbow", ["me", "me"])
            async with ada.live(table.id) as live:
                await start_game(live)
                seat = seat_to_act(live)
                await select_view(live, seat)
                before = server.metrics()
                for text in ("S99", "nonsense", "C1"):
                    with pytest.raises(Refused):
                        await live.move(text, seat)
                with pytest.raises(Refused):
                    await live.move("S1", 1 - seat)
                assert server.metrics() == before
                await live.move(live.seat_view().legal[0], seat)
                assert server.metrics() != before


def shown(metrics: PrometheusMetrics) -> str:
    return generate_latest(metrics.registry).decode()


async def test_search_of_a_bot_changes_no_metric_before_its_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time of the search would tell a forced move from a free one."""
    began, chosen, proceed = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def choose(self: BotPlayer, table: Table, position: Position, seat: int, level: str) -> Choice:
        began.set()
        await proceed.wait()
        choice = await original(self, table, position, seat, level)
        chosen.set()
        return choice

    original = BotPlayer._choose
    monkeypatch.setattr(BotPlayer, "_choose", choose)
    metrics, searches = PrometheusMetrics(), SearchPool("200ms", 1)
    live_tables = await open_live_tables(tmp_path, min_move_ms=3_600_000, metrics=metrics, searches=searches)
    bot = SeatSpec("bot", level="random")
    await live_tables.create(RAINBOW, TableSpec((bot, bot)), "ada", "Ada")
    await wait_until(began.is_set)
    before = shown(metrics)
    proceed.set()
    await wait_until(chosen.is_set)
    await wait_until(lambda: searches._queue.jobs_of("ada") == 0)
    assert shown(metrics) == before
    await live_tables.close()


def test_time_of_a_bots_move_is_coarse() -> None:
    metrics = PrometheusMetrics()
    for seconds in (0.7004, 0.7312):
        metrics.count_bot_move(seconds)
    text = generate_latest(metrics.registry).decode()
    assert "sevenhues_bot_move_duration_seconds_sum 1.4\n" in text
    assert 'sevenhues_bot_move_duration_seconds_bucket{le="1.0"} 2.0' in text
