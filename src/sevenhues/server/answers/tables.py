"""Requests for new tables."""

from collections.abc import Awaitable, Callable

from sevenhues import protocol
from sevenhues.server.table.commands import SeatSpec, TableSpec
from sevenhues.server.table.events import ClockSettings


async def table_spec(new_table: protocol.NewTable, check_name: Callable[[str], Awaitable[str]]) -> TableSpec:
    """Return the table that a request asks for; `check_name` returns a name of a seat as it is shown, or refuses it."""
    seats = [
        SeatSpec(seat.kind, None if seat.name is None else await check_name(seat.name), seat.level)
        for seat in new_table.seats
    ]
    clock = new_table.clock
    return TableSpec(
        tuple(seats),
        new_table.options,
        new_table.public,
        ClockSettings(clock.kind, clock.seconds, clock.increment),
        new_table.bot_takeover,
        new_table.manual_start,
        new_table.seed,
        new_table.hints,
    )
