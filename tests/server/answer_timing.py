"""Measure whether the time of an answer tells anything about hidden cards.

`python -m tests.server.answer_timing answers 10000` compares the refusals of two servers to a seat: their deals differ,
but the seat cannot tell them apart. With `updates` it compares the times until a seat sees an accepted move, its own or
the opponent's. `python -m tests.server.answer_timing bots 10000` compares the times that opponents wait for a bot with
one legal move and for a bot with several.
"""

import asyncio
import json
import math
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import NormalDist, mean, median
from typing import Any

from websockets.asyncio.client import ClientConnection

from sevenhues.core import registry
from sevenhues.core.errors import SevenHuesError
from sevenhues.core.game import Game, resolve_options
from sevenhues.core.moves import parse
from sevenhues.core.play import TimedMove
from sevenhues.core.position import Position
from sevenhues.server.settings import Settings
from sevenhues.server.table import events
from sevenhues.server.table.commands import SeatSpec, TableSpec
from sevenhues.server.table.events import ClockSettings, Event
from sevenhues.server.table.state import Table, restore
from tests.server.live_tables import open_live_tables
from tests.server.test_wire import NOW as BEGIN
from tests.server.test_wire import collect, indistinguishable_deals, open_connection, serve, user_id

PLIES = (0, 6, 12, 18)
VIEWER = 0
SEATS = (0, 1)
RESAMPLES = 1000  # of the waits for bots, for the interval of their difference
MAX_MESSAGES = 100  # of a connection, which the server's limit allows at once
BOT_TABLES = 24
CONFIDENCE = NormalDist().inv_cdf(0.975)


def median_with_interval(values: list[float]) -> tuple[float, float, float]:
    """Return the median and the ends of its interval of 95 % confidence."""
    ordered, count = sorted(values), len(values)
    half = CONFIDENCE * count**0.5 / 2
    return median(ordered), ordered[max(0, int(count / 2 - half))], ordered[min(count - 1, int(count / 2 + half))]


def refused_texts(game: Game[Any], setup: Any, moves: list[TimedMove]) -> list[str]:
    """Return moves that the viewer may not make, some of them for reasons of the rules."""
    position: Position = game.start(setup, 2, resolve_options(game, {}))
    for move in moves:
        position.play(move.seat, parse(game, position, move.seat, move.text))
    texts = ["nonsense", *game.move_examples, *(move.text for move in moves)]
    return [text for text in dict.fromkeys(texts) if _is_refused(game, position, text)]


def _is_refused(game: Game[Any], position: Position, text: str) -> bool:
    try:
        parse(game, position, VIEWER, text)
    except SevenHuesError:
        return True
    return False


def table_log(game: Game[Any], setup: Any, moves: list[TimedMove]) -> list[Event]:
    log: list[Event] = [events.Created(game.id, {}, 2, user_id(0), True, ClockSettings(), False, False, "00" * 32)]
    log += [events.SeatTaken(seat, user_id(seat), f"Player {seat}") for seat in range(2)]
    log += [events.Started(setup, BEGIN)]
    return log + [events.MovePlayed(move.seat, move.text) for move in moves]


async def answer_ms(socket: ClientConnection, ply: int, text: str) -> float:
    """Send a move that is refused, and return the time until the refusal."""
    message = json.dumps({"type": "move", "id": "x", "seat": VIEWER, "ply": ply, "text": text})
    began = time.perf_counter()
    await socket.send(message)
    while json.loads(await socket.recv())["type"] != "refused":
        pass
    return (time.perf_counter() - began) * 1000


async def measure_answers(count: int) -> None:
    names = registry.names()
    print(f"{count} answers; the difference of two servers whose deals a seat cannot tell apart, with 95 % confidence")
    per_place = math.ceil(count / (2 * len(names) * len(PLIES)))
    everything: list[float] = []
    for name in names:
        game = registry.load(name)
        setup, other, moves = indistinguishable_deals(game, 2, VIEWER)
        differences: list[float] = []
        for ply in PLIES:
            texts = refused_texts(game, setup, moves[:ply])
            logs = [table_log(game, one, moves[:ply]) for one in (setup, other)]
            differences += await differences_ms(game, logs, ply, [texts[n % len(texts)] for n in range(per_place)])
        report(name, differences)
        everything += differences
    report("all games", everything)


async def differences_ms(game: Game[Any], logs: list[list[Event]], ply: int, texts: list[str]) -> list[float]:
    """Send moves that are refused to two servers, and return the differences between the times of their answers."""
    rng = random.Random(ply)
    differences = []
    with tempfile.TemporaryDirectory() as folder:
        async with (
            serve(Path(folder, "a"), logs[0], game, 2) as port,
            serve(Path(folder, "b"), logs[1], game, 2) as other_port,
        ):
            for begin in range(0, len(texts), MAX_MESSAGES):
                async with open_connection(port, VIEWER) as first, open_connection(other_port, VIEWER) as second:
                    for text in texts[begin : begin + MAX_MESSAGES]:
                        if rng.random() < 0.5:
                            one, two = await answer_ms(first, ply, text), await answer_ms(second, ply, text)
                        else:
                            two, one = await answer_ms(second, ply, text), await answer_ms(first, ply, text)
                        differences.append(one - two)
    return differences


def report(what: str, differences: list[float]) -> None:
    middle, low, high = median_with_interval(differences)
    print(f"{what:16} {2 * len(differences):6} answers: {middle:+.3f} ms [{low:+.3f}, {high:+.3f}]", flush=True)


async def measure_updates(count: int) -> None:
    """Play a game at two servers at once, move by move, and time how long the viewer waits for each move."""
    names = registry.names()
    print(f"{count} updates; the difference of two servers whose deals a seat cannot tell apart, with 95 % confidence")
    everything: list[float] = []
    for name in names:
        game = registry.load(name)
        for viewer in SEATS:
            differences: list[float] = []
            setups = indistinguishable_deals(game, 2, viewer)
            while len(differences) < count / (2 * len(names) * len(SEATS)):
                differences += await update_differences_ms(game, *setups, viewer, random.Random(len(differences)))
            report(f"{name}, seat {viewer}", differences)
            everything += differences
    report("all games", everything)


async def update_differences_ms(
    game: Game[Any], setup: Any, other: Any, moves: list[TimedMove], viewer: int, rng: random.Random
) -> list[float]:
    """Make the same moves at two servers, and return the differences between the times until the viewer sees them."""
    logs = [table_log(game, one, []) for one in (setup, other)]
    differences = []
    async with AsyncExitStack() as stack:
        servers: list[list[ClientConnection]] = []  # the connections to each server, by seat
        for log in logs:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            port = await stack.enter_async_context(serve(Path(folder, "data"), log, game, 2))
            servers.append([await stack.enter_async_context(open_connection(port, seat)) for seat in SEATS])
            reading = asyncio.create_task(collect(servers[-1][1 - viewer], []))
            stack.callback(reading.cancel)
        for ply, move in enumerate(moves):
            order = rng.sample((0, 1), 2)
            times = {number: await update_ms(servers[number], viewer, ply, move) for number in order}
            differences.append(times[0] - times[1])
    return differences


async def update_ms(sockets: list[ClientConnection], viewer: int, ply: int, move: TimedMove) -> float:
    """Make a move, and return the time until the viewer is sent the position after it."""
    message = json.dumps({"type": "move", "id": f"m{ply}", "seat": move.seat, "ply": ply, "text": move.text})
    began = time.perf_counter()
    await sockets[move.seat].send(message)
    while True:
        received = json.loads(await sockets[viewer].recv())
        assert received["type"] != "refused", received
        if received["type"] == "update" and received["ply"] == ply + 1:
            return (time.perf_counter() - began) * 1000


async def measure_bots(count: int) -> None:
    """Let bots play each other, and compare the times between moves in the log, by the number of legal moves."""
    game = registry.load("rainbow-road")
    forced: list[float] = []
    free: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        live_tables = await open_live_tables(Path(folder), min_move_ms=Settings(Path(folder)).bot_min_move_ms)
        spec = TableSpec((SeatSpec("bot", level="player"), SeatSpec("bot", level="player")), public=True)
        tables: list[Table] = []
        while sum(table.ply for table in tables) < count:
            for _ in range(BOT_TABLES - sum(table.result is None for table in tables)):
                tables.append((await live_tables.create(game, spec, user_id(0), "Ada")).table)
            await asyncio.sleep(1)
        for table in tables:
            for legal, waited_ms in waits(await live_tables.store.log(table.id)):
                (forced if legal == 1 else free).append(waited_ms)
        await live_tables.close()
    for what, times in (("one legal move", forced), ("several", free)):
        middle, low, high = median_with_interval(times)
        print(
            f"{what:16} {len(times):6} moves: median {middle:.1f} ms [{low:.1f}, {high:.1f}], mean {mean(times):.2f} ms"
        )
    rng = random.Random(1)
    resampled = sorted(
        middle_mean(rng.choices(forced, k=len(forced))) - middle_mean(rng.choices(free, k=len(free)))
        for _ in range(RESAMPLES)
    )
    low, high = resampled[round(0.025 * RESAMPLES)], resampled[round(0.975 * RESAMPLES) - 1]
    difference = middle_mean(forced) - middle_mean(free)
    print(f"means of the middle halves differ by {difference:+.2f} ms [{low:+.2f}, {high:+.2f}]")


def middle_mean(values: list[float]) -> float:
    """Return the mean of the middle half of the values: waits are rounded to milliseconds, and some are very long."""
    ordered, quarter = sorted(values), len(values) // 4
    return mean(ordered[quarter : len(ordered) - quarter])


def waits(log: list[Any]) -> Iterator[tuple[int, float]]:
    """Yield the number of legal moves, and the time since the event before, of every move."""
    start = next(number for number, entry in enumerate(log) if isinstance(entry.event, events.Started))
    table = restore("t", log[: start + 1])
    for before, entry in zip(log[start:], log[start + 1 :], strict=False):
        assert table.position is not None
        if isinstance(entry.event, events.MovePlayed):
            yield len(table.position.legal(entry.event.seat)), entry.at_ms - before.at_ms
        table.apply(entry)


if __name__ == "__main__":
    measures = {"answers": measure_answers, "updates": measure_updates, "bots": measure_bots}
    asyncio.run(measures[sys.argv[1]](int(sys.argv[2])))
