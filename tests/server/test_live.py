"""The websocket of a table: messages, refusals, and connections that the server closes."""

import asyncio
import gc
import json
import random
import re
import socket as sockets
from typing import Any

import pytest
import websockets
from websockets.asyncio.client import ClientConnection, connect

from sevenhues import protocol
from sevenhues.client import Client, Disconnected, Live, Refused
from tests.server.play import DEADLINE_SECONDS, seat_to_act, start_game, wait_until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio
HANDSHAKE = (
    "GET /api/tables/{table}/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def open_socket(server: ServerProcess, user: Client, table: str) -> connect:
    """Open a websocket with the cookie of a user."""
    address = f"ws://127.0.0.1:{server.port}/api/tables/{table}/live"
    return connect(address, additional_headers={"cookie": f"sevenhues={user.cookie}"})


async def ask(socket: ClientConnection, message: Any, answers: tuple[str, ...] = ("accepted", "refused")) -> Any:
    """Send a message, and wait for its answer."""
    await socket.send(message if isinstance(message, str | bytes) else json.dumps(message))
    return await receive(socket, *answers)


async def receive(socket: ClientConnection, *kinds: str) -> Any:
    """Wait for a message of one of these types."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            message = json.loads(await socket.recv())
            if message["type"] in kinds:
                return message


async def start_rainbow(ada: Client, ben: Client) -> tuple[str, Client, Client, int]:
    """Start a game of Rainbow; return the table, the player to act, the other player, and the seat to act."""
    table = await ada.create_table("rainbow", ["me", "open"])
    await ben.join(table.id)
    async with ada.live(table.id) as first, ben.live(table.id) as second:
        await start_game(first, second)
        seat = seat_to_act(first)
    return (table.id, ada, ben, seat) if seat == 0 else (table.id, ben, ada, seat)


async def test_whole_state_is_sent_on_connecting_and_on_reconnecting(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table, one, _, seat = await start_rainbow(ada, ben)
        async with open_socket(server, one, table) as socket:
            assert (await receive(socket, "table"))["table"]["your_seats"] == [seat]
            update = await receive(socket, "update")
            assert update["ply"] == 0
            assert update["history"] == []
            assert update["views"][0]["view"]["viewer"] == seat
            assert update["views"][0]["legal"] == ["B1", "B2", "B3", "S1", "S2", "S3"]
            done = await ask(socket, {"type": "move", "id": "a", "seat": seat, "ply": 0, "text": "S1"})
            assert done == {"type": "accepted", "id": "a", "ply": 1}
        async with open_socket(server, one, table) as socket:
            update = await receive(socket, "update")
            assert update["ply"] == 1
            assert update["history"] == [{"seat": seat, "text": "S1", "at": None}]


async def test_move_sent_twice_with_one_id_counts_once(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table, one, _, seat = await start_rainbow(ada, ben)
        move = {"type": "move", "id": "same", "seat": seat, "ply": 0, "text": "S2"}
        async with open_socket(server, one, table) as socket:
            assert (await ask(socket, move))["ply"] == 1
            assert (await ask(socket, move))["ply"] == 1
        async with open_socket(server, one, table) as socket:
            assert (await ask(socket, move))["ply"] == 1
            assert (await ada.table(table)).ply == 1


async def test_resent_commands_are_acknowledged_and_have_no_further_effect(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        for seats in (["me", "open"], ["me", "open", "bot:random"]):
            table = await ada.create_table("flip-and-slide", seats, manual_start=True)
            await ben.join(table.id)
            async with open_socket(server, ada, table.id) as first, open_socket(server, ben, table.id) as second:
                ready = {"type": "ready", "id": "r", "entropy": "sixteen-or-more-"}
                await ask(second, ready)
                resign = {"type": "resign", "id": "g", "seat": 0}
                for message in (ready, {"type": "start", "id": "s"}, resign, ready):
                    for _ in range(2):
                        answer = await ask(first, message)
                        assert (answer["type"], answer["id"]) == ("accepted", message["id"]), answer
                # That holds for their sender alone.
                assert (await ask(second, resign))["key"] == "not-your-seat"
                assert (await ask(second, {"type": "start", "id": "s"}))["key"] == "not-your-table"
                if len(seats) == 2:
                    assert (await ask(second, {"type": "resign", "id": "g", "seat": 1}))["key"] == "over"


async def test_slower_of_two_moves_for_one_ply_is_stale_and_gets_the_current_view(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table, one, _, seat = await start_rainbow(ada, ben)
        async with open_socket(server, one, table) as left, open_socket(server, one, table) as right:
            await receive(left, "update")
            await receive(right, "update")
            answers = await asyncio.gather(
                ask(left, {"type": "move", "id": "l", "seat": seat, "ply": 0, "text": "S1"}),
                ask(right, {"type": "move", "id": "r", "seat": seat, "ply": 0, "text": "S2"}),
            )
            assert sorted(answer["type"] for answer in answers) == ["accepted", "refused"]
            refused = next(answer for answer in answers if answer["type"] == "refused")
            assert (refused["key"], refused["parameters"]) == ("stale", {"seen": 0, "ply": 1})
            loser = left if answers[0]["type"] == "refused" else right
            current = await receive(loser, "update")
            assert current["ply"] == 1
            assert current["history"][0]["text"] == ("S1" if loser is right else "S2")


async def test_refusal_names_the_rule_and_reaches_its_sender_alone(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table, one, other, seat = await start_rainbow(ada, ben)
        async with open_socket(server, one, table) as socket, open_socket(server, other, table) as bystander:
            await receive(bystander, "update")
            refused = await ask(socket, {"type": "move", "id": "a", "seat": seat, "ply": 0, "text": "E"})
            assert refused["rule"].startswith("RB-")
            assert refused["legal"] == ["B1", "B2", "B3", "S1", "S2", "S3"]
            assert refused["text"]
            refused = await ask(socket, {"type": "move", "id": "b", "seat": seat, "ply": 0, "text": "castle"})
            assert (refused["rule"], refused["key"]) == ("G-3", "notation")
            refused = await ask(bystander, {"type": "move", "id": "c", "seat": 1 - seat, "ply": 0, "text": "S1"})
            assert (refused["rule"], refused["key"]) == ("G-1", "not-your-turn")
            refused = await ask(bystander, {"type": "move", "id": "d", "seat": seat, "ply": 0, "text": "S1"})
            assert refused["key"] == "not-your-seat"
            refused = await ask(bystander, {"type": "select-views", "seats": [seat]})
            assert refused["key"] == "not-your-seat"
            # The bystander received no refusal of the other's.
            pong = await ask(bystander, {"type": "ping", "at": 5}, ("refused", "update", "pong"))
            assert (pong["type"], pong["at"]) == ("pong", 5)


@pytest.mark.parametrize(
    "message",
    [
        "",
        "not json",
        "[]",
        "null",
        '{"type": "fly"}',
        '{"type": "move"}',
        '{"type": "move", "id": "a", "seat": "0", "ply": 0, "text": "S1"}',
        '{"type": "move", "id": "a", "seat": -1, "ply": 0, "text": "S1"}',
        '{"type": "move", "id": "a", "seat": 0, "ply": 1e99, "text": "S1"}',
        '{"type": "move", "id": "a", "seat": 0, "ply": 0, "text": "S1", "more": 1}',
        '{"type": "move", "id": "a", "seat": 15, "ply": 0, "text": "S1"}',
        '{"type": "ready", "id": "a", "entropy": "short"}',
        # A line end in the entropy would be part of the deal, and the record could not be proven.
        '{"type": "ready", "id": "a", "entropy": "sixteen-or-more-\\n"}',
        '{"type": "ready", "id": "a\\n", "entropy": "sixteen-or-more-"}',
        '{"type": "select-views", "seats": [0, 0, 0, 99]}',
        '{"type": "ping", "at": "now"}',
        "{" * 3000,
        '{"more": ' + "[" * 3000,
        '{"type": "ping", "at": ' + "1" * 5000 + "}",
        b"\x00\xff\xfe",
        '"\ud800"'.encode("utf-8", "surrogatepass"),
    ],
)
async def test_malformed_message_is_refused_and_the_connection_stays_open(
    server: ServerProcess, message: str | bytes
) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["me", "bot:random"])
        async with open_socket(server, ada, table.id) as socket:
            refused = await ask(socket, message)
            assert refused["type"] == "refused"
            assert refused["text"]
            assert (await ask(socket, {"type": "ping", "at": 1}, ("pong",)))["at"] == 1


async def read_until_closed(socket: ClientConnection) -> int:
    """Read until the server closes the connection; return the code."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        async for _ in socket:
            pass
    return socket.close_code or 0


async def test_huge_frame_closes_its_connection_alone(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["me", "bot:random"])
        async with open_socket(server, ada, table.id) as socket, open_socket(server, ada, table.id) as other:
            await socket.send("x" * 100_000)
            with pytest.raises(websockets.ConnectionClosedError):
                await read_until_closed(socket)
            assert socket.close_code == 1009
            assert (await ask(other, {"type": "ping", "at": 1}, ("pong",)))["at"] == 1


async def test_flood_of_messages_closes_its_connection_alone(server: ServerProcess) -> None:
    async def flood(socket: ClientConnection) -> int:
        for sent in range(100_000):
            try:
                await socket.send('{"type": "ping", "at": 1}')
                await asyncio.sleep(0)
            except websockets.ConnectionClosed:
                return sent
        return 100_000

    async with Client(server.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["me", "bot:random"])
        async with open_socket(server, ada, table.id) as socket, open_socket(server, ada, table.id) as other:
            sent, reading = await asyncio.gather(flood(socket), read_until_closed(socket), return_exceptions=True)
            assert isinstance(reading, websockets.ConnectionClosedError)
            assert socket.close_code == 4029
            assert isinstance(sent, int)
            assert 100 < sent < 100_000
            assert (await ask(other, {"type": "ping", "at": 1}, ("pong",)))["at"] == 1


def dropped_as_slow(server: ServerProcess) -> float:
    """Return how many connections the server has dropped because their clients did not read."""
    found = re.search(r'sevenhues_websocket_connections_dropped_total\{reason="slow"\} ([\d.]+)', server.metrics())
    return float(found[1]) if found is not None else 0.0


async def test_client_that_does_not_read_is_dropped_and_delays_nobody(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        dropped = dropped_as_slow(server)
        table = await ada.create_table("flip-and-slide", ["me", "me"])
        async with ada.live(table.id) as live:
            # A TCP socket with a tiny buffer that completes the handshake and then never reads.
            with sockets.socket() as slow:
                slow.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 2048)
                slow.connect(("127.0.0.1", server.port))
                slow.sendall(HANDSHAKE.format(table=table.id, port=server.port).encode())
                await wait_until(lambda: live.table is not None and live.table.watchers == 1)
                await start_game(live)
                await live.select_views(0, 1)
                await wait_until(lambda: live.update is not None and len(live.update.views) == 2)
                rng = random.Random(3)
                while live.table is not None and live.table.watchers == 1:
                    assert live.update is not None
                    assert live.update.result is None, "the game is over, and the slow client was not dropped"
                    view = live.seat_view(live.update.turn[0])
                    async with asyncio.timeout(DEADLINE_SECONDS):
                        await live.move(rng.choice(view.legal), view.seat)
        assert dropped_as_slow(server) == dropped + 1


async def test_presence_of_players_and_watchers_is_announced(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben, Client(server.url) as zoe:
        table = await ada.create_table("rainbow", ["me", "open"])
        await ben.join(table.id)
        async with ada.live(table.id) as live:
            await wait_until(lambda: live.table is not None and live.table.seats[0].connected)
            assert live.table is not None
            assert not live.table.seats[1].connected
            async with ben.live(table.id), zoe.live(table.id) as watching:
                await wait_until(lambda: live.table is not None and live.table.seats[1].connected)
                await wait_until(lambda: live.table is not None and live.table.watchers == 1)
                assert watching.table is not None
                assert watching.table.your_seats == []
                with pytest.raises(Refused) as refused:
                    await watching.resign(0)
                assert refused.value.key == "not-your-seat"
            await wait_until(lambda: live.table is not None and not live.table.seats[1].connected)


async def test_user_who_left_a_seat_no_longer_sees_through_it(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Eve") as eve, Client(server.url, "Ben") as ben:
        table = await ada.create_table("rainbow-road", ["me", "open"])
        await eve.join(table.id)
        async with eve.live(table.id) as left, ada.live(table.id) as opponent:
            await eve.leave(table.id, 1)
            # The same holds for the opponent, who had the seat for a while and looked through it.
            await ada.join(table.id, 1)
            await opponent.select_views(1)
            with pytest.raises(Refused, match="not over"):  # answered after the message before it
                await opponent.rematch()
            await ada.leave(table.id, 1)
            async with ben.live(table.id) as live:
                await ben.join(table.id)
                await opponent.ready()
                await wait_until(lambda: live.table is not None and live.table.your_seats == [1])
                await live.ready()
                await wait_until(lambda: all(one.update is not None for one in (left, opponent, live)))
                assert left.seat_view().seat == -1
                assert left.view()["hands"][1]["numbers"] is None
                assert opponent.seat_view().seat == 0
                assert opponent.view()["hands"][1]["numbers"] is None
                # A user who sat down after connecting sees through that seat.
                assert live.seat_view().seat == 1
                assert len(live.view()["hands"][1]["numbers"]) == 8


async def test_client_does_not_reconnect_to_a_missing_table_or_as_a_deleted_user(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        async with asyncio.timeout(DEADLINE_SECONDS):
            with pytest.raises(Disconnected, match="no-table"):
                await ada.live("no-such-table").__aenter__()
        table = await ada.create_table("rainbow", ["open", "me"])
        await ben.join(table.id)
        async with ben.live(table.id) as live:
            asking = asyncio.create_task(ben.delete())
            async with asyncio.timeout(DEADLINE_SECONDS):
                async for _ in live.messages():
                    pass
            await asking
            with pytest.raises(Disconnected, match="deleted"):
                await live.ready()


async def test_refusal_that_comes_as_its_caller_gives_up_is_not_reported_as_unhandled() -> None:
    loop = asyncio.get_running_loop()
    reported: list[dict[str, Any]] = []
    handler = loop.get_exception_handler()
    loop.set_exception_handler(lambda _, context: reported.append(context))
    live = Live(Client("http://127.0.0.1"), "t")
    live._runner = asyncio.create_task(asyncio.Event().wait())  # type: ignore[arg-type]
    request = asyncio.create_task(live.start())
    pending = live._pending
    await wait_until(lambda: bool(pending))
    live._handle(protocol.Refused(next(iter(pending)), "not-ready", "Not all players are ready."))
    request.cancel()
    live._runner.cancel()
    await asyncio.wait([request, live._runner])
    del live, request
    gc.collect()
    loop.set_exception_handler(handler)
    assert reported == []
