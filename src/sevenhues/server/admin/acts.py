"""The acts of operators. Each act and its entry in the audit log are one transaction.

The end of a game is an event in the log of its table, which is stored by itself: its entry is stored before it.
"""

import ipaddress
import secrets
from collections.abc import Callable
from typing import Any, TypeVar

from sevenhues.core.errors import shorten
from sevenhues.protocol import admin as protocol
from sevenhues.server.accounts import names, restrictions
from sevenhues.server.accounts.restrictions import ADDRESS_PREFIX, Kind, Restriction
from sevenhues.server.client_address import network_of
from sevenhues.server.http.context import AppContext
from sevenhues.server.operators import announcements, audit_log, people, personal_data
from sevenhues.server.operators.announcements import Announcement
from sevenhues.server.operators.audit_log import Operator, Value
from sevenhues.server.query_steps import QuerySteps
from sevenhues.server.ratings import flags
from sevenhues.server.ratings.contests import player_of
from sevenhues.server.store import shared_queries
from sevenhues.server.table import commands
from sevenhues.server.table.errors import Refused

T = TypeVar("T")
MAX_ANNOUNCED = 5
RATING_ACTS = ("flag", "unflag")
ACTS = {"banned": ("ban", "unban"), "muted": ("mute", "unmute"), "flagged": ("flag", "unflag")}


class Acts:
    """The acts of one operator."""

    def __init__(self, context: AppContext, operator: Operator) -> None:
        self._context = context
        self._store = context.store
        self.operator = operator

    @property
    def _now(self) -> int:
        return self._context.live_tables.now()

    async def rename(self, user_id: str, name: str) -> str:
        """Give a person another name, also at their tables."""
        await self._check_person(user_id)
        clean, now_ms = names.check_name(name), self._now
        tables = await self._write("rename", user_id, lambda: shared_queries.rename_everywhere(user_id, clean, now_ms))
        await self._context.live_tables.renamed_at(tables)
        return clean

    async def restrict(self, subject: str, kind: Kind, reason: str, seconds: int | None) -> None:
        """Restrict a person or an address, for a time or for good."""
        if not subject.startswith(ADDRESS_PREFIX):
            await self._check_person(subject)
        now_ms = self._now
        until = None if seconds is None else now_ms + seconds * 1000
        reason = _visible("reason", reason)
        new = Restriction(subject, kind, until, reason, now_ms)
        await self._write(ACTS[kind][0], subject, lambda: restrictions.restrict(new), reason=reason, until=until)

    async def flag(self, user_id: str, reason: str) -> None:
        """Flag a person as a program, whose games do not count."""
        await self._check_person(user_id)
        reason, now_ms = _visible("reason", reason), self._now
        await self._write("flag", user_id, lambda: flags.flag(user_id, reason, now_ms), reason=reason)

    async def lift(self, subject: str, kind: Kind) -> None:
        """Lift the restriction of a person or an address."""
        await self._write(ACTS[kind][1], subject, lambda: _lift(subject, kind))

    async def delete(self, user_id: str) -> None:
        """Delete a person's data, as the person could."""
        await self._check_person(user_id)
        for bot_id in await self._store.bots_of(user_id):
            await self._context.live_tables.delete_user(bot_id)
        now_ms = self._now
        tables = await audit_log.retried(
            lambda: self._store.delete_user(user_id, now_ms, lambda: self._record("delete", user_id))
        )
        await self._context.live_tables.free_seats(user_id, tables)
        await self._context.operators.refresh()

    async def export(self, user_id: str) -> protocol.AdminExport:
        """Return all data of a person."""
        await self._check_person(user_id)
        rows = await self._write("export", user_id, lambda: personal_data.export(user_id))
        return protocol.AdminExport(user_id, player_of(user_id).id, self._now, rows)

    async def end_table(self, table_id: str, reason: str) -> None:
        """End the game of a table, which is not rated; remove a table whose game has not started."""
        reason = _visible("reason", reason)
        live_table = await self._context.live_tables.get_current(table_id)
        if live_table.table.result is not None:
            raise Refused("over")
        if live_table.table.status == "waiting":
            await audit_log.retried(
                lambda: self._store.remove(table_id, lambda: self._record("end-table", table_id, reason=reason))
            )
            await self._context.operators.refresh()
        else:
            await self._write("end-table", table_id, _nothing, reason=reason)
            await live_table.act(lambda table, now_ms: commands.end_by_operator(table))

    async def announce(self, starts: int, seconds: int, note: str) -> Announcement:
        """Announce maintenance to everybody."""
        now_ms = self._now
        ends = starts + seconds * 1000
        if ends <= now_ms:
            raise Refused("bad-request", what="starts: the maintenance would be over already")
        new = Announcement(secrets.token_hex(4), starts, ends, _visible("note", note), now_ms)
        await self._write(
            "announce", new.id, lambda: _announce(new, now_ms), starts=new.starts, ends=new.ends, note=new.note
        )
        return new

    async def withdraw(self, announcement: str) -> None:
        """Withdraw an announcement."""
        await self._write("withdraw", announcement, lambda: _withdraw(announcement))

    async def note(self, act: str, target: str) -> None:
        """Add an act to the log that changes nothing else."""
        await self._write(act, target, _nothing)

    async def _write(self, act: str, target: str, steps: Callable[[], QuerySteps[T]], **details: Value) -> T:
        """Run statements and add the act in one transaction; then apply it in this process."""

        def with_record() -> QuerySteps[T]:
            result = yield from steps()
            yield from self._record(act, target, **details)
            return result

        # A flag changes what counts for ratings, so nothing is rated at the same time.
        write = self._store.change_ratings if act in RATING_ACTS else self._store.write
        result = await audit_log.retried(lambda: write(with_record()))
        await self._context.operators.refresh()
        return result

    def _record(self, act: str, target: str, **details: Value) -> QuerySteps[Any]:
        return audit_log.record(self._now, self.operator, act, target, **details)

    async def _check_person(self, user_id: str) -> None:
        if not people.is_user_id(user_id) or not await self._store.read(people.is_known(user_id)):
            raise Refused("no-person", person=shorten(user_id))


def address_subject(address: str) -> str:
    """Return the subject of restrictions of an address or its network; raise Refused if it is not an address."""
    text = address.strip().removesuffix("/64")
    try:
        return ADDRESS_PREFIX + network_of(str(ipaddress.ip_address(text.partition("%")[0])))
    except ValueError:
        what = "address: an IP address is needed, such as 192.0.2.7 or 2001:db8::7"
        raise Refused("bad-request", what=what) from None


def _visible(field: str, text: str) -> str:
    """Return a text that people will see; raise Refused if it has characters that cannot be shown or stored."""
    clean = " ".join(text.split())
    if not clean.isprintable() or (text and not clean):
        raise Refused("bad-request", what=f"{field}: it has characters that cannot be shown")
    return clean


def _nothing() -> QuerySteps[None]:
    yield from ()


def _lift(subject: str, kind: Kind) -> QuerySteps[None]:
    if not (yield from restrictions.lift(subject, kind)):
        raise Refused("not-restricted", subject=shorten(subject))


def _announce(new: Announcement, now_ms: int) -> QuerySteps[None]:
    if len((yield from announcements.current(now_ms, MAX_ANNOUNCED))) == MAX_ANNOUNCED:
        raise Refused("bad-request", what=f"announcements: there are {MAX_ANNOUNCED} already; withdraw one first")
    yield from announcements.add(new)


def _withdraw(announcement: str) -> QuerySteps[None]:
    if not (yield from announcements.withdraw(announcement)):
        raise Refused("no-announcement", announcement=shorten(announcement))
