"""Requests for new tables, seats and lists of tables."""

import logging
from collections.abc import Awaitable, Callable

from sevenhues import protocol
from sevenhues.server.accounts import names
from sevenhues.server.live.live_table import LiveTable
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.store import ListedTable, Store, StoreFailed
from sevenhues.server.table import commands
from sevenhues.server.table.commands import SeatSpec, TableSpec
from sevenhues.server.table.errors import Refused
from sevenhues.server.table.events import ClockSettings

PAGE_SIZE = 24
STATUSES = {"open": "waiting", "live": "playing", "finished": "finished"}
log = logging.getLogger("sevenhues")


async def table_spec(
    new_table: protocol.NewTable,
    check_name: Callable[[str], Awaitable[str]],
    find_bot: Callable[[str], Awaitable[tuple[str, str]]] | None = None,
    by_bot: bool = False,
) -> TableSpec:
    """Return the table that a request asks for.

    `check_name` returns a name of a seat as it is shown, or refuses it. `find_bot` returns the user id and the name of
    the bot account with a public id, or refuses to challenge it; without it no bot account can be challenged.
    """
    seats = [await _seat_spec(seat, check_name, find_bot) for seat in new_table.seats]
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
        new_table.bots_welcome,
        by_bot,
    )


async def _seat_spec(
    seat: protocol.SeatRequest,
    check_name: Callable[[str], Awaitable[str]],
    find_bot: Callable[[str], Awaitable[tuple[str, str]]] | None,
) -> SeatSpec:
    if seat.kind == "challenge":
        if find_bot is None:
            raise Refused("offline-only")
        if seat.player is None:
            raise Refused("bad-table", what="seats: a challenge needs the player of a bot account")
        user_id, name = await find_bot(seat.player)
        return SeatSpec("challenge", name, user_id=user_id)
    return SeatSpec(seat.kind, None if seat.name is None else await check_name(seat.name), seat.level)


async def take_seat(
    live_table: LiveTable, user_id: str, name: str, seat: int | None, bot_account: bool = False
) -> None:
    """Let a user take an open seat; the name is changed if somebody at the table has a similar one."""
    await live_table.act(
        lambda table, now_ms: commands.take_seat(
            table, user_id, names.distinct_name(name, table.names_of_others(user_id)), seat, bot_account
        )
    )


async def listed_tables(
    store: Store, user_id: str | None, which: str, game: str | None, before: str | None, unfinished: bool = False
) -> list[ListedTable]:
    """List a page of a user's tables (`mine`) or of public tables, the most recently updated first.

    With `unfinished`, those of the user's tables whose game is not over.
    """
    cursor = _parse_cursor(before)
    if which != "mine":
        return await store.list_public(STATUSES[which], game, cursor, PAGE_SIZE)
    return await store.list_of_user(user_id, cursor, PAGE_SIZE, unfinished) if user_id is not None else []


async def table_list(live_tables: LiveTables, page: list[ListedTable], user_id: str | None) -> protocol.TableList:
    """Describe the tables of a page to a user."""
    loaded = [await _load_listed(live_tables, listed.id) for listed in page]
    more = f"{page[-1].updated}~{page[-1].id}" if len(page) == PAGE_SIZE else None
    return protocol.TableList([one.info(user_id) for one in loaded if one is not None], more)


async def _load_listed(live_tables: LiveTables, id: str) -> LiveTable | None:
    """Load a table of a list; return None if it was removed or cannot be read."""
    try:
        return await live_tables.get(id)
    except Refused:
        return None
    except StoreFailed:
        raise
    except Exception:
        log.exception("a listed table cannot be read", extra={"table": id})
        return None


def _parse_cursor(before: str | None) -> ListedTable | None:
    if before is None:
        return None
    updated, _, id = before.partition("~")
    if not (updated.isascii() and updated.isdecimal() and len(updated) < 16 and id):
        raise Refused("bad-request", what="before: give back what `more` was")
    return ListedTable(id, int(updated))
