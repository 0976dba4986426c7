"""How a deal is made: commitments, reveals, what happens without one, and servers and players that cheat."""

import json
import random
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from sevenhues import protocol
from sevenhues.client import Client, Live
from sevenhues.core import deal_proof, record, registry
from sevenhues.core.deal_proof import entropy_commitment, verify_deal
from sevenhues.core.errors import InvalidRecord
from sevenhues.server.live import messages
from sevenhues.server.live.live_table import LiveTable
from sevenhues.server.table import commands, events
from sevenhues.server.table.commands import MAX_EVENTS_BEFORE_START, REVEAL_MS, SeatSpec, TableSpec
from sevenhues.server.table.errors import Refused
from sevenhues.server.table.events import Entry, Event
from sevenhues.server.table.state import Decision, Table, restore
from tests.cli.command import invoke
from tests.server.live_tables import FakeClock, open_live_tables
from tests.server.play import start_game, wait_until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio
RAINBOW = registry.load("rainbow")
OPEN = TableSpec((SeatSpec("me"), SeatSpec("open")))
SECRET = bytes(range(32))
ADA, BEN = "entropy-of-ada-1", "entropy-of-ben-1"
COMMITMENTS = [entropy_commitment(ADA), entropy_commitment(BEN)]
SEAL = deal_proof.seal(deal_proof.commitment(SECRET), COMMITMENTS)  # as the clients keep it


def new_table(spec: TableSpec = OPEN, secret: bytes = SECRET) -> Table:
    """Return a table with Ada and Ben at its seats."""
    first = commands.create(spec, RAINBOW, "ada", "Ada", secret, "")
    return restore("amber-otter-41", [Entry(0, event) for event in [*first, events.SeatTaken(1, "ben", "Ben")]])


def apply(table: Table, *decisions: Decision | Event | None, now_ms: int = 0) -> None:
    for decision in decisions:
        assert decision is not None
        table.apply(Entry(now_ms, decision.event if isinstance(decision, Decision) else decision))


def published_table(secret: bytes = SECRET, ben: str = BEN) -> Table:
    """Return a table whose users have committed to their entropy."""
    table = new_table(secret=secret)
    apply(table, commands.commit_entropy(table, "ada", entropy_commitment(ADA)))
    assert commands.start_if_full(table, 0) is None
    apply(table, commands.commit_entropy(table, "ben", entropy_commitment(ben)))
    apply(table, commands.start_if_full(table, 0))
    assert table.published == [entropy_commitment(ADA), entropy_commitment(ben)]
    return table


def finished_table(table: Table, *reveals: tuple[str, str]) -> Table:
    """Reveal entropy without any check, as a cheating server may; deal, and end the game."""
    apply(table, *[events.EntropyAdded(user_id, entropy) for user_id, entropy in reveals])
    apply(table, commands.start_if_full(table, 0) or commands.check_time(table, REVEAL_MS), events.Resigned(1))
    return table


def client_of(table: Table, entropy: str = ADA) -> Live:
    """Return Ada's client, which kept the commitments before it revealed its entropy, at the end of the game."""
    live = Live(Client("http://127.0.0.1"), table.id)
    live.entropy, live.commitment, live.commitments = entropy, deal_proof.commitment(SECRET), COMMITMENTS
    live.table = messages.table_info(table, "ada")
    return live


# -- An honest deal ------------------------------------------------------------------------------------------------


async def test_players_commit_before_any_entropy_is_revealed(server: ServerProcess, tmp_path: Path) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table = await ada.create_table("rainbow", ["me", "open"])
        await ben.join(table.id)
        async with ada.live(table.id) as first, ben.live(table.id) as second:
            await first.ready()
            assert first.table is not None
            assert first.table.commitments is None
            await start_game(second)
            await wait_until(lambda: first.update is not None)
            kept = first.commitments
            assert kept == second.commitments == [entropy_commitment(live.entropy) for live in (first, second)]
            await second.resign(1)
            await wait_until(lambda: all(live.table is not None and live.table.proof for live in (first, second)))
            assert await first.prove()
            assert await second.prove()
            file = tmp_path / "game.json"
            file.write_text(await ada.record(table.id))
            assert first.commitment is not None
            seal = deal_proof.seal(first.commitment, kept)
    assert invoke("verify", str(file), "--seal", seal).stdout.endswith(", deal proven\n")
    assert invoke("verify", str(file), "--seal", "0" * 64).returncode == 1


async def test_only_user_of_a_full_table_needs_no_commitment(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["me:Ada", "me:Jonas"])
        async with ada.live(table.id) as live:
            await start_game(live)
            await live.resign(0)
            await wait_until(lambda: live.table is not None and live.table.proof is not None)
            assert live.table is not None
            assert live.table.commitments is None
            assert await live.prove()


def test_deal_waits_for_every_reveal_and_uses_it() -> None:
    table = published_table()
    apply(table, commands.add_entropy(table, "ada", ADA))
    assert commands.start_if_full(table, 0) is None
    assert commands.check_time(table, REVEAL_MS - 1) is None
    apply(table, commands.add_entropy(table, "ben", BEN))
    apply(table, commands.start_if_full(table, 0), events.Resigned(1))
    proof = table.record().extra["deal"]
    assert (proof["commitments"], proof["entropies"]) == (COMMITMENTS, [ADA, BEN])
    assert verify_deal(table.record(), SEAL) == (True, 0)
    assert client_of(table).proven()


def test_commitment_replaces_entropy_that_is_not_revealed_in_time() -> None:
    table = published_table()
    apply(table, commands.add_entropy(table, "ada", ADA))
    assert commands.next_deadline(table) == REVEAL_MS
    apply(table, commands.check_time(table, REVEAL_MS), now_ms=REVEAL_MS)
    with pytest.raises(Refused, match="started-already"):
        commands.add_entropy(table, "ben", BEN)
    apply(table, events.Resigned(1), now_ms=REVEAL_MS)
    assert table.record().extra["deal"]["entropies"] == [ADA, COMMITMENTS[1]]
    assert verify_deal(table.record(), SEAL) == (True, 1)
    assert client_of(table).proven()


def test_commitment_can_be_changed_until_all_are_published() -> None:
    table = new_table()
    apply(table, commands.commit_entropy(table, "ada", COMMITMENTS[1]))
    apply(table, commands.commit_entropy(table, "ada", COMMITMENTS[0]))
    assert commands.commit_entropy(table, "ada", COMMITMENTS[0]) is None
    apply(table, commands.commit_entropy(table, "ben", COMMITMENTS[1]))
    apply(table, commands.start_if_full(table, 0))
    assert table.published == COMMITMENTS
    assert commands.commit_entropy(table, "ada", COMMITMENTS[1]) is None
    with pytest.raises(Refused, match="not-seated"):
        commands.commit_entropy(table, "cleo", COMMITMENTS[1])


def test_log_of_a_table_that_is_not_started_is_limited() -> None:
    rng, table, refused = random.Random(1), new_table(), set()
    decision: Decision | None
    for number in range(20 * MAX_EVENTS_BEFORE_START):
        user_id, seat = rng.choice(("ada", "ben", "cleo")), rng.randrange(2)
        try:
            match rng.randrange(4):
                case 0:
                    decision = commands.take_seat(table, user_id, user_id, None)
                case 1:
                    decision = commands.leave_seat(table, user_id, seat)
                case 2:
                    decision = commands.seat_bot(table, "ada", seat, "random")
                case _:
                    decision = commands.commit_entropy(table, user_id, f"{number:064}")
        except Refused as error:
            refused.add(error.key)
        else:
            apply(table, decision)
    assert table.event_count <= MAX_EVENTS_BEFORE_START + 2 * len(table.seats), "seats are freed, and commit once more"
    assert "too-many-changes" in refused


def test_table_starts_however_much_has_changed_before() -> None:
    table = new_table()
    apply(table, commands.commit_entropy(table, "ada", COMMITMENTS[1]))
    while table.event_count < MAX_EVENTS_BEFORE_START:
        apply(table, commands.commit_entropy(table, "ada", COMMITMENTS[table.event_count % 2]))
    with pytest.raises(Refused, match="too-many-changes"):
        commands.commit_entropy(table, "ada", "0" * 64)
    apply(table, commands.commit_entropy(table, "ben", COMMITMENTS[1]))
    apply(table, commands.start_if_full(table, 0))
    assert table.published is not None


def test_seats_stay_as_they_are_while_entropy_is_revealed() -> None:
    table = published_table()
    with pytest.raises(Refused, match="started-already"):
        commands.leave_seat(table, "ben", 1)
    with pytest.raises(Refused, match="started-already"):
        commands.take_seat(table, "cleo", "Cleo", None)
    with pytest.raises(Refused, match="started-already"):
        commands.seat_bot(table, "ada", 1, "random")


def test_deleted_user_is_not_waited_for() -> None:
    table = published_table()
    apply(table, commands.remove_user(table, "ben", 0))
    apply(table, commands.remove_user(table, "ben", 0))
    assert table.result is not None
    assert table.result.reason == "resigned"
    assert verify_deal(table.record(), SEAL) == (True, 2)


def test_owner_starts_the_deal_of_a_table_with_manual_start() -> None:
    table = new_table(OPEN._replace(manual_start=True))
    apply(table, commands.commit_entropy(table, "ada", COMMITMENTS[0]))
    with pytest.raises(Refused, match="not-ready"):
        commands.start(table, "ada", 0)
    apply(table, commands.commit_entropy(table, "ben", COMMITMENTS[1]))
    assert commands.start_if_full(table, 0) is None
    apply(table, commands.start(table, "ada", 0))
    assert commands.start(table, "ada", 0) is None
    assert table.published == COMMITMENTS
    apply(table, commands.add_entropy(table, "ada", ADA), commands.add_entropy(table, "ben", BEN))
    apply(table, commands.start_if_full(table, 0))
    assert table.status == "playing"


def test_older_log_of_a_table_in_setup_is_dealt_with_a_new_client() -> None:
    table = new_table()
    apply(table, events.EntropyAdded("ada", ADA))  # by a client that knows no commitments
    apply(table, commands.commit_entropy(table, "ben", COMMITMENTS[1]))
    apply(table, commands.start_if_full(table, 0))
    apply(table, commands.add_entropy(table, "ben", BEN))
    apply(table, commands.start_if_full(table, 0), events.Resigned(1))
    assert verify_deal(table.record(), SEAL) == (True, 0)


def test_older_record_without_commitments_still_verifies() -> None:
    table = new_table()
    apply(table, events.EntropyAdded("ada", ADA), events.EntropyAdded("ben", BEN))
    apply(table, commands.start_if_full(table, 0), events.Resigned(1))
    assert "commitments" not in table.record().extra["deal"]
    assert verify_deal(table.record()) == (False, 0)
    done = invoke("verify", "-", stdin=table.record_text())
    assert done.stdout.endswith(", deal proven (an older record: players did not commit to their entropy)\n")


# -- Restarts, several processes, time -----------------------------------------------------------------------------


def committing(user_id: str, entropy: str) -> Callable[[Table, int], Decision | None]:
    return lambda table, _: commands.commit_entropy(table, user_id, entropy_commitment(entropy))


def revealing(user_id: str, entropy: str) -> Callable[[Table, int], Decision | None]:
    return lambda table, _: commands.add_entropy(table, user_id, entropy)


def joining(user_id: str) -> Callable[[Table, int], Decision | None]:
    return lambda table, _: commands.take_seat(table, user_id, user_id.title(), None)


async def commit_all(live_table: LiveTable) -> None:
    for command in (joining("ben"), committing("ada", ADA), committing("ben", BEN)):
        await live_table.act(command)
    assert live_table.table.published == COMMITMENTS


async def test_game_is_dealt_when_the_time_to_reveal_is_over(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "REVEAL_MS", 1)
    live_tables = await open_live_tables(data)
    live_table = await live_tables.create(RAINBOW, OPEN, "ada", "Ada")
    await commit_all(live_table)
    await wait_until(lambda: live_table.table.status == "playing")
    await live_tables.close()


async def test_deal_goes_on_after_a_restart_with_time_to_reveal(data: Path) -> None:
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock)
    live_table = await live_tables.create(RAINBOW, OPEN, "ada", "Ada")
    await commit_all(live_table)
    await live_table.act(revealing("ada", ADA))
    await live_tables.close()
    clock.now_ms += REVEAL_MS
    live_tables = await open_live_tables(data, clock)
    live_table = await live_tables.get(live_table.id)
    assert live_table.table.published == COMMITMENTS
    await live_table.act(commands.check_time)
    assert live_table.table.started_at is None, "the time that passed while the server was down does not count"
    await live_table.act(revealing("ben", BEN))
    assert live_table.table.status == "playing"
    assert live_table.table.ordered_entropies() == [ADA, BEN]
    await live_tables.close()


async def test_players_commit_and_reveal_through_two_processes(data: Path) -> None:
    clock = FakeClock()  # so that the time to reveal cannot pass
    one, two = await open_live_tables(data, clock), await open_live_tables(data, clock)
    first = await one.create(RAINBOW, OPEN, "ada", "Ada")
    second = await two.get(first.id)
    for live_table, command in [
        (second, joining("ben")),
        (first, committing("ada", ADA)),
        (second, committing("ben", BEN)),
        (first, revealing("ada", ADA)),
        (second, revealing("ben", BEN)),
    ]:
        await live_table.act(command)
    await first.wake()
    for live_table in (first, second):
        assert live_table.table.status == "playing"
        assert live_table.table.ordered_entropies() == [ADA, BEN]
    for live_tables in (one, two):
        await live_tables.close()


@pytest.mark.long
async def test_kill_between_commitments_and_reveals_loses_nothing(data: Path) -> None:
    with ServerProcess(data) as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Live, "_reveal", lambda live, table: None)
        async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
            table = await ada.create_table("rainbow", ["me", "open"])
            await ben.join(table.id)
            async with ada.live(table.id) as first, ben.live(table.id) as second:
                await first.ready()
                await second.ready()
                await wait_until(lambda: first.table is not None and first.table.commitments)
                server.kill()
                patch.undo()
                server.start()
                await wait_until(lambda: first.update is not None and second.update is not None)
                await second.resign(1)
                await wait_until(lambda: all(live.table is not None and live.table.proof for live in (first, second)))
                assert await first.prove()
                assert await second.prove()


# -- Cheating ------------------------------------------------------------------------------------------------------


def suits_the_cheat(table: Table) -> bool:
    """Tell whether a deal is one of those that a cheat wants: one in 16."""
    return deal_proof.commitment(json.dumps(table.setup).encode()).startswith("0")


def assert_caught_by_seal(table: Table) -> None:
    """Assert that a record agrees with itself, and that the seal and Ada's client still show the cheating."""
    assert verify_deal(table.record()) is not None
    with pytest.raises(InvalidRecord, match="seal"):
        verify_deal(table.record(), SEAL)
    done = invoke("verify", "-", "--seal", SEAL, stdin=table.record_text())
    assert done.returncode == 1
    assert "the deal's commitments are not those of the seal" in done.stderr
    assert not client_of(table).proven()


def test_server_that_grinds_its_secret_after_the_reveals_is_caught() -> None:
    for number in count(1):
        table = finished_table(published_table(number.to_bytes(32)), ("ada", ADA), ("ben", BEN))
        if suits_the_cheat(table):
            break
    assert_caught_by_seal(table)


def test_server_that_swaps_a_commitment_after_a_reveal_is_caught() -> None:
    for number in count():
        chosen = f"entropy-of-ben-{number:04}"
        table = finished_table(published_table(ben=chosen), ("ada", ADA), ("ben", chosen))
        if suits_the_cheat(table):
            break
    assert_caught_by_seal(table)
    table.published = None  # the server pretends to be an older one
    assert_caught_by_seal(table)


def test_last_revealer_cannot_grind() -> None:
    table = published_table()
    apply(table, commands.add_entropy(table, "ada", ADA))
    for number in range(3):
        with pytest.raises(Refused, match="wrong-entropy"):
            commands.add_entropy(table, "ben", f"entropy-of-ben-{number:04}")


def test_server_that_lets_the_last_revealer_grind_is_caught_by_the_record_alone() -> None:
    for number in count():
        chosen = f"entropy-of-ben-{number:04}"
        table = finished_table(published_table(), ("ada", ADA), ("ben", chosen))
        if suits_the_cheat(table):
            break
    with pytest.raises(InvalidRecord, match=r"commitments\[1\] is not the SHA-256 of its entropy"):
        verify_deal(table.record())
    assert invoke("verify", "-", stdin=table.record_text()).returncode == 1
    assert not client_of(table).proven()


def test_server_that_ignores_a_reveal_is_caught_by_the_client_that_sent_it() -> None:
    table = finished_table(published_table(), ("ben", BEN))
    assert verify_deal(table.record(), SEAL) == (True, 1)
    assert "deal proven (1 not revealed in time)" in invoke("verify", "-", stdin=table.record_text()).stdout
    assert not client_of(table).proven()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"commitments": COMMITMENTS[:1]}, "the deal has 1 commitments for 2 entropies"),
        ({"commitments": [COMMITMENTS[0], "0" * 64]}, "commitments[1] is not the SHA-256"),
        ({"entropies": [ADA, "entropy-of-ben-2"]}, "commitments[1] is not the SHA-256"),
        ({"entropies": [ADA, COMMITMENTS[1]]}, "the setup does not follow"),
        ({"secret": "00" * 32}, "the deal's commitment is not the SHA-256"),
        ({"commitment": "00" * 32}, "the deal's commitment is not the SHA-256"),
        ({"commitments": [COMMITMENTS[0], "short"]}, "expected 64 hexadecimal digits"),
        ({"commitments": 7}, "deal.commitments"),
    ],
)
def test_verify_refuses_a_changed_proof(change: dict[str, Any], problem: str) -> None:
    table = finished_table(published_table(), ("ada", ADA), ("ben", BEN))
    text = json.loads(table.record_text())
    text["deal"].update(change)
    done = invoke("verify", "-", stdin=json.dumps(text))
    assert done.returncode in (1, 2)
    assert problem in done.stderr


def test_verify_with_a_seal_refuses_records_without_a_proof() -> None:
    table = finished_table(published_table(), ("ada", ADA), ("ben", BEN))
    text = json.loads(table.record_text())
    for deal in ({}, {"deal": {"seed": "RED-1"}}):
        unproven = json.dumps({**{key: value for key, value in text.items() if key != "deal"}, **deal})
        assert invoke("verify", "-", "--seal", SEAL, stdin=unproven).returncode != 0
    assert invoke("verify", "-", "--seal", "short", stdin=table.record_text()).returncode == 2


async def test_client_does_not_reveal_unless_its_commitment_is_published() -> None:
    table = published_table()
    for entropy, commitment in [("another-entropy-1", table.commitment), (ADA, "0" * 64)]:
        live = client_of(table, entropy)
        live.commitment, live.commitments = commitment, None
        live._handle(protocol.Table(messages.table_info(table, "ada"), 0))
        assert live.commitments is None
        assert live._revealing is None


def test_record_with_a_proof_survives_reading() -> None:
    table = finished_table(published_table(), ("ada", ADA), ("ben", BEN))
    assert verify_deal(record.read(table.record_text()), SEAL) == (True, 0)
