"""A table's websocket: what is sent, what is refused, and who is dropped."""

import asyncio
import json
import random
import socket as sockets
from typing import Any

import pytest
import websockets
from websockets.asyncio.client import ClientConnection, connect

from sevenhues.client import Client, Gone, Refused
from tests.server.play import until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio
SHAKE = (
    "GET /api/tables/{table}/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def wire(server: ServerProcess, person: Client, table: str) -> connect:
    """Open a bare websocket as a person."""
    address = f"ws://127.0.0.1:{server.port}/api/tables/{table}/live"
    return connect(address, additional_headers={"cookie": f"sevenhues={person.cookie}"})


async def ask(socket: ClientConnection, message: Any, answers: tuple[str, ...] = ("done", "refused")) -> Any:
    """Send something, and wait for its answer."""
    await socket.send(message if isinstance(message, str | bytes) else json.dumps(message))
    return await hear(socket, *answers)


async def hear(socket: ClientConnection, *kinds: str) -> Any:
    """Wait for a message of some kind."""
    async with asyncio.timeout(10):
        while True:
            message = json.loads(await socket.recv())
            if message["type"] in kinds:
                return message


async def started(server: ServerProcess, ada: Client, ben: Client) -> tuple[str, Client, Client, int]:
    """Lay and start a game of Rainbow; return the table, who is to act, who is not, and the first one's seat."""
    table = await ada.lay("rainbow", ["me", "open"])
    await ben.join(table.id)
    async with ada.live(table.id) as first, ben.live(table.id) as second:
        await first.ready()
        await second.ready()
        await until(lambda: first.update is not None)
        assert first.update is not None
        seat = first.update.turn[0]
    return (table.id, ada, ben, seat) if seat == 0 else (table.id, ben, ada, seat)


async def test_everything_is_shown_on_connecting_and_again_on_coming_back(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table, one, _, seat = await started(server, ada, ben)
        async with wire(server, one, table) as socket:
            assert (await hear(socket, "table"))["table"]["mine"] == [seat]
            update = await hear(socket, "update")
            assert update["ply"] == 0
            assert update["history"] == []
            assert update["eyes"][0]["view"]["viewer"] == seat
            assert update["eyes"][0]["legal"] == ["B1", "B2", "B3", "S1", "S2", "S3"]
            done = await ask(socket, {"type": "move", "id": "a", "seat": seat, "ply": 0, "text": "S1"})
            assert done == {"type": "done", "id": "a", "ply": 1}
        async with wire(server, one, table) as socket:
            update = await hear(socket, "update")
            assert update["ply"] == 1
            assert update["history"] == [{"seat": seat, "text": "S1", "at": None}]


async def test_a_move_sent_twice_under_one_id_counts_once(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table, one, _, seat = await started(server, ada, ben)
        move = {"type": "move", "id": "same", "seat": seat, "ply": 0, "text": "S2"}
        async with wire(server, one, table) as socket:
            assert (await ask(socket, move))["ply"] == 1
            assert (await ask(socket, move))["ply"] == 1
        async with wire(server, one, table) as socket:
            assert (await ask(socket, move))["ply"] == 1
            assert (await ada.table(table)).ply == 1


async def test_whatever_is_sent_again_because_its_answer_was_lost_is_done_and_no_more(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        for seats in (["me", "open"], ["me", "open", "bot:random"]):
            table = await ada.lay("flip-and-slide", seats, waits=True)
            await ben.join(table.id)
            async with wire(server, ada, table.id) as first, wire(server, ben, table.id) as second:
                ready = {"type": "ready", "id": "r", "entropy": "sixteen-or-more-"}
                await ask(second, ready)
                resign = {"type": "resign", "id": "g", "seat": 0}
                for message in (ready, {"type": "start", "id": "s"}, resign, ready):
                    for _ in range(2):
                        answer = await ask(first, message)
                        assert (answer["type"], answer["id"]) == ("done", message["id"]), answer
                # Only for who did it.
                assert (await ask(second, resign))["key"] == "not-your-seat"
                assert (await ask(second, {"type": "start", "id": "s"}))["key"] == "not-your-table"
                if len(seats) == 2:
                    assert (await ask(second, {"type": "resign", "id": "g", "seat": 1}))["key"] == "over"


async def test_two_clients_race_for_a_ply_and_one_gets_the_true_view(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table, one, _, seat = await started(server, ada, ben)
        async with wire(server, one, table) as left, wire(server, one, table) as right:
            await hear(left, "update")
            await hear(right, "update")
            answers = await asyncio.gather(
                ask(left, {"type": "move", "id": "l", "seat": seat, "ply": 0, "text": "S1"}),
                ask(right, {"type": "move", "id": "r", "seat": seat, "ply": 0, "text": "S2"}),
            )
            assert sorted(answer["type"] for answer in answers) == ["done", "refused"]
            refused = next(answer for answer in answers if answer["type"] == "refused")
            assert (refused["key"], refused["parameters"]) == ("stale", {"seen": 0, "ply": 1})
            loser = left if answers[0]["type"] == "refused" else right
            true = await hear(loser, "update")
            assert true["ply"] == 1
            assert true["history"][0]["text"] == ("S1" if loser is right else "S2")


async def test_refusals_name_the_rule_and_reach_their_sender_alone(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table, one, other, seat = await started(server, ada, ben)
        async with wire(server, one, table) as socket, wire(server, other, table) as bystander:
            await hear(bystander, "update")
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
            refused = await ask(bystander, {"type": "look", "seats": [seat]})
            assert refused["key"] == "not-your-seat"
            # Only their own refusals reached them.
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
        # A line's end in it would be dealt from, and no record with it could be proven.
        '{"type": "ready", "id": "a", "entropy": "sixteen-or-more-\\n"}',
        '{"type": "ready", "id": "a\\n", "entropy": "sixteen-or-more-"}',
        '{"type": "look", "seats": [0, 0, 0, 99]}',
        '{"type": "ping", "at": "now"}',
        "{" * 3000,
        '{"more": ' + "[" * 3000,
        '{"type": "ping", "at": ' + "1" * 5000 + "}",
        b"\x00\xff\xfe",
        '"\ud800"'.encode("utf-8", "surrogatepass"),
    ],
)
async def test_nonsense_is_refused_and_the_connection_stays(server: ServerProcess, message: str | bytes) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.lay("rainbow", ["me", "bot:random"])
        async with wire(server, ada, table.id) as socket:
            refused = await ask(socket, message)
            assert refused["type"] == "refused"
            assert refused["text"]
            assert (await ask(socket, {"type": "ping", "at": 1}, ("pong",)))["at"] == 1


async def closed(socket: ClientConnection) -> int:
    """Read until the server closes; return its code."""
    async with asyncio.timeout(10):
        async for _ in socket:
            pass
    return socket.close_code or 0


async def test_a_huge_frame_ends_the_connection_and_nothing_else(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.lay("rainbow", ["me", "bot:random"])
        async with wire(server, ada, table.id) as socket, wire(server, ada, table.id) as other:
            await socket.send("x" * 100_000)
            with pytest.raises(websockets.ConnectionClosedError):
                await closed(socket)
            assert socket.close_code == 1009
            assert (await ask(other, {"type": "ping", "at": 1}, ("pong",)))["at"] == 1


async def test_a_flood_is_cut_off(server: ServerProcess) -> None:
    async def flood(socket: ClientConnection) -> int:
        for sent in range(100_000):
            try:
                await socket.send('{"type": "ping", "at": 1}')
                await asyncio.sleep(0)
            except websockets.ConnectionClosed:
                return sent
        return 100_000

    async with Client(server.url, "Ada") as ada:
        table = await ada.lay("rainbow", ["me", "bot:random"])
        async with wire(server, ada, table.id) as socket, wire(server, ada, table.id) as other:
            sent, reading = await asyncio.gather(flood(socket), closed(socket), return_exceptions=True)
            assert isinstance(reading, websockets.ConnectionClosedError)
            assert socket.close_code == 4029
            assert isinstance(sent, int)
            assert 100 < sent < 100_000
            assert (await ask(other, {"type": "ping", "at": 1}, ("pong",)))["at"] == 1


async def test_a_client_that_does_not_read_is_dropped_and_slows_nobody(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Zoe") as zoe:
        table = await ada.lay("flip-and-slide", ["me", "me"])
        async with ada.live(table.id) as live:
            # A real socket with a tiny buffer that shakes hands and then never reads again.
            with sockets.socket() as slow:
                slow.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 2048)
                slow.connect(("127.0.0.1", server.port))
                slow.sendall(SHAKE.format(table=table.id, port=server.port).encode())
                await until(lambda: live.table is not None and live.table.watchers == 1)
                await live.ready()
                await live.look(0, 1)
                await until(lambda: live.update is not None and len(live.update.eyes) == 2)
                chance = random.Random(3)
                while live.table is not None and live.table.watchers == 1:
                    assert live.update is not None
                    assert live.update.result is None, "the game is over, and the slow one is still there"
                    eye = live.eye(live.update.turn[0])
                    async with asyncio.timeout(5):
                        await live.move(chance.choice(eye.legal), eye.seat)
        figures = (await zoe._http.get("/metrics")).text
        assert 'dropped_total{reason="slow"} 1.0' in figures


async def test_who_is_here_is_told(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben, Client(server.url) as zoe:
        table = await ada.lay("rainbow", ["me", "open"])
        await ben.join(table.id)
        async with ada.live(table.id) as live:
            await until(lambda: live.table is not None and live.table.seats[0].here)
            assert live.table is not None
            assert not live.table.seats[1].here
            async with ben.live(table.id), zoe.live(table.id) as watching:
                await until(lambda: live.table is not None and live.table.seats[1].here)
                await until(lambda: live.table is not None and live.table.watchers == 1)
                assert watching.table is not None
                assert watching.table.mine == []
                with pytest.raises(Refused) as refused:
                    await watching.resign(0)
                assert refused.value.key == "not-your-seat"
            await until(lambda: live.table is not None and not live.table.seats[1].here)


async def test_who_has_left_a_seat_no_longer_sees_through_it(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Eve") as eve, Client(server.url, "Ben") as ben:
        table = await ada.lay("rainbow-road", ["me", "open"])
        await eve.join(table.id)
        async with eve.live(table.id) as left, ada.live(table.id) as kept:
            await eve.leave(table.id, 1)
            # Nor does one's opponent who held the seat for a while, and looked.
            await ada.join(table.id, 1)
            await kept.look(1)
            await ada.leave(table.id, 1)
            async with ben.live(table.id) as live:
                await ben.join(table.id)
                await kept.ready()
                await until(lambda: live.table is not None and live.table.mine == [1])
                await live.ready()
                await until(lambda: all(one.update is not None for one in (left, kept, live)))
                assert left.eye().seat == -1
                assert left.view()["hands"][1]["numbers"] is None
                assert kept.eye().seat == 0
                assert kept.view()["hands"][1]["numbers"] is None
                # Who sat down after connecting sees through their seat.
                assert live.eye().seat == 1
                assert len(live.view()["hands"][1]["numbers"]) == 8


async def test_a_client_knows_when_coming_back_is_no_use(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        async with asyncio.timeout(10):
            with pytest.raises(Gone, match="no-table"):
                await ada.live("no-such-table").__aenter__()
        table = await ada.lay("rainbow", ["open", "me"])
        await ben.join(table.id)
        async with ben.live(table.id) as live:
            asking = asyncio.create_task(ben.delete())
            async with asyncio.timeout(10):
                async for _ in live.news():
                    pass
            await asking
            with pytest.raises(Gone, match="deleted"):
                await live.ready()


async def test_a_stopping_server_says_so(data: Any) -> None:
    with ServerProcess(data) as server:
        async with Client(server.url, "Ada") as ada:
            table = await ada.lay("rainbow", ["me", "bot:random"])
            async with wire(server, ada, table.id) as socket:
                await hear(socket, "table")
                stopping = asyncio.to_thread(server.stop)
                status, bye = await asyncio.gather(stopping, hear(socket, "bye"))
                assert bye["reason"] == "stopping"
                assert status == 0
        assert "Traceback" not in server.log.read_text()
