"""Presence and leases of a process, with a bus and a store in memory."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from sevenhues.server.cluster import lease, presence
from sevenhues.server.cluster.bus import Connected, Message, Receive, SaidPhrase
from sevenhues.server.cluster.lease import StoreLease
from sevenhues.server.cluster.presence import Attention, Presence
from sevenhues.server.store import StoreFailed
from tests.server.play import wait_until

pytestmark = pytest.mark.anyio


class FakeBus:
    """A bus whose messages a test reads, and sends as another process."""

    alone = False

    def __init__(self) -> None:
        self.published: list[Message] = []

    async def open(self, receive: Receive) -> None:
        self._receive = receive

    async def close(self) -> None:
        return

    def publish(
        self,
        table_id: str,
        event_count: int | None = None,
        connected: Connected | None = None,
        said: SaidPhrase | None = None,
    ) -> None:
        self.published.append(Message("own", table_id, event_count, connected, said))

    def receive(
        self,
        table_id: str,
        event_count: int | None = None,
        connected: Connected | None = None,
        said: SaidPhrase | None = None,
    ) -> None:
        self._receive(Message("other", table_id, event_count, connected, said))


class FakeTable:
    """A table that notes what presence calls."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.event_count = 3
        self.watched = True
        self.idle = False
        self.calls: list[str] = []

    def connected(self) -> tuple[set[str], int]:
        return {"bob", "ada"}, 2

    def attention(self) -> dict[str, Attention]:
        return {"ada": Attention(5, True), "bob": Attention(4, False)}

    def presence_changed(self) -> None:
        self.calls.append("presence_changed")

    def hear(self, said: SaidPhrase) -> None:
        self.calls.append(f"hear {said.phrase}")

    async def wake(self) -> None:
        self.calls.append("wake")

    async def renew_names(self) -> None:
        self.calls.append("renew_names")


class FakeStore:
    """A store with the lengths of logs, and with leases; it fails as often as a test says."""

    def __init__(self) -> None:
        self.lengths: dict[str, int] = {}
        self.failures = 0
        self.error: Exception = StoreFailed("the database failed")
        self.renewals = 0
        self.leased: set[str] = set()
        self.renewed: set[str] = set()  # or taken, the last time

    async def log_lengths(self, table_ids: list[str]) -> dict[str, int]:
        self._fail()
        return {table_id: self.lengths[table_id] for table_id in table_ids if table_id in self.lengths}

    async def take_leases(self, table_ids: list[str], holder: str, seconds: float) -> set[str]:
        self._fail()
        self.renewals += 1
        self.leased |= set(table_ids)
        self.renewed = set(table_ids)
        return set(table_ids)

    async def drop_leases(self, table_ids: list[str], holder: str) -> None:
        self._fail()
        self.leased -= set(table_ids)

    async def tables_without_lease(self, limit: int) -> list[str]:
        self._fail()
        return []

    def _fail(self) -> None:
        if self.failures:
            self.failures -= 1
            raise self.error


@asynccontextmanager
async def opened(bus: FakeBus, store: FakeStore, *tables: FakeTable) -> AsyncIterator[Presence]:
    running = Presence(bus, store, {table.id: table for table in tables})
    await running.open()
    try:
        yield running
    finally:
        await running.close()


async def test_messages_of_other_processes_reach_the_table() -> None:
    bus, table = FakeBus(), FakeTable("t")
    async with opened(bus, FakeStore(), table):
        bus.receive("t", event_count=3)  # known already
        bus.receive("unknown", event_count=9)
        bus.receive("t", event_count=4)
        await wait_until(lambda: table.calls == ["wake"])
        bus.receive("t")
        await wait_until(lambda: table.calls == ["wake", "renew_names"])
        bus.receive("t", connected=Connected(["zoe"], 1))
        bus.receive("t", said=SaidPhrase(0, "hello", 5))
        bus.receive("unknown", said=SaidPhrase(0, "hello", 5))
        assert table.calls == ["wake", "renew_names", "presence_changed", "hear hello"]


async def test_presence_elsewhere_is_known_until_it_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(presence, "monotonic", lambda: now)
    bus = FakeBus()
    async with opened(bus, FakeStore()) as running:
        bus.receive("t", connected=Connected(["zoe"], 1))
        assert running.elsewhere("t") == ({"zoe"}, 1)
        bus.receive("t", connected=Connected(["zoe", "bob"], 0))
        assert running.elsewhere("t") == ({"bob", "zoe"}, 0)
        now += presence.EXPIRY_SECONDS
        assert running.elsewhere("t") == (set(), 0)
        assert running.elsewhere("unknown") == (set(), 0)


async def test_attention_elsewhere_is_the_latest_of_all_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(presence, "monotonic", lambda: now)
    bus = FakeBus()
    async with opened(bus, FakeStore()) as running:
        bus.receive("t", connected=Connected(["zoe"], 0, {"zoe": 7}, ["zoe"]))
        assert running.attention_elsewhere("t", "zoe") == Attention(7, True)
        assert running.attention_elsewhere("t", "bob") == Attention(0, False)
        assert running.attention_elsewhere("u", "zoe") == Attention(0, False)
        now += presence.EXPIRY_SECONDS  # a process that died says nothing of pages that have gone
        assert running.attention_elsewhere("t", "zoe") == Attention(7, False)


async def test_connections_are_announced_again_in_case_a_message_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "ANNOUNCE_SECONDS", 0.01)
    bus, table, unwatched = FakeBus(), FakeTable("t"), FakeTable("u")
    unwatched.watched = False
    expected = Message("own", "t", connected=Connected(["ada", "bob"], 2, {"ada": 5, "bob": 4}, ["ada"]))
    async with opened(bus, FakeStore(), table, unwatched) as running:
        running.announce(table)
        assert bus.published == [expected]
        await wait_until(lambda: bus.published[1:3] == [expected, expected])


async def test_event_whose_message_was_lost_is_found_although_the_store_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "POLL_SECONDS", 0.01)
    store, table, idle = FakeStore(), FakeTable("t"), FakeTable("u")
    idle.watched, idle.idle = False, True
    store.lengths = {"t": 4, "u": 4}
    store.failures = 2
    async with opened(FakeBus(), store, table, idle):
        await wait_until(lambda: "wake" in table.calls)
    assert idle.calls == []


async def test_error_at_one_table_does_not_keep_events_of_others_from_being_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class BrokenTable(FakeTable):
        async def wake(self) -> None:
            raise ValueError("this game is not installed")

    monkeypatch.setattr(presence, "POLL_SECONDS", 0.01)
    store, table = FakeStore(), FakeTable("t")
    store.lengths = {"broken": 4, "t": 4}
    async with opened(FakeBus(), store, BrokenTable("broken"), table):
        await wait_until(lambda: "wake" in table.calls)


async def test_lease_is_taken_on_request_and_an_error_at_one_table_does_not_end_renewal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lease, "RENEWAL_SECONDS", 0.01)
    leased: list[str] = []

    async def on_leased(table_id: str) -> None:
        leased.append(table_id)
        if table_id == "broken":
            raise ValueError("this game is not installed")

    store = FakeStore()
    leases = StoreLease(store)
    await leases.open(on_leased)
    assert not leases.held("broken")
    await wait_until(lambda: leased == ["broken"])
    assert not leases.held("t")
    await wait_until(lambda: leases.held("t"))
    renewals = store.renewals
    await wait_until(lambda: store.renewals >= renewals + 3)
    assert leased == ["broken", "t"]
    await leases.close()


@pytest.mark.parametrize("error", [StoreFailed("the database failed"), ValueError("of a kind that nobody expects")])
async def test_leases_are_taken_renewed_and_dropped_after_any_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    monkeypatch.setattr(lease, "RENEWAL_SECONDS", 0.01)

    async def on_leased(table_id: str) -> None:
        return

    store = FakeStore()
    store.error, store.failures = error, 1
    leases = StoreLease(store)
    await leases.open(on_leased)
    leases.held("t")
    await wait_until(lambda: not store.failures)
    await wait_until(lambda: leases.held("t"))
    store.failures = 20  # of all kinds of upkeep
    await wait_until(lambda: not store.failures)
    renewals = store.renewals
    await wait_until(lambda: store.renewals > renewals)
    leases.release("t")
    await wait_until(lambda: not store.leased)
    logged = {record.getMessage().partition(":")[0] for record in caplog.records}
    assert logged == {"cannot take leases", "cannot renew leases", "cannot take over tables"}
    await leases.close()


async def test_lease_of_a_finished_game_is_dropped_and_not_renewed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "RENEWAL_SECONDS", 0.01)

    async def on_leased(table_id: str) -> None:
        if table_id == "over":  # as a table does that turns out to be finished when it is loaded
            leases.release(table_id)

    store = FakeStore()
    leases = StoreLease(store)
    await leases.open(on_leased)
    for table_id in ("t", "over", "ends"):
        leases.held(table_id)
    await wait_until(lambda: leases.held("ends") and leases.held("t"))
    leases.release("ends")
    await wait_until(lambda: store.leased == {"t"} and store.renewed == {"t"})
    assert not leases.renews("ends")
    await leases.close()
