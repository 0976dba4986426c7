"""A client for a server's tables, for bots and tests: `Client` is somebody there, `Live` their place at a table.

async with Client("http://127.0.0.1:8777", name="Ada") as me:
    table = await me.join(link)
    async with me.live(table.id) as live:
        async for eye in live.turns():
            await live.move(random.choice(eye.legal), eye.seat)
"""

import asyncio
import secrets
from collections.abc import AsyncIterator
from hashlib import sha256
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

import httpx
import msgspec
import websockets
from websockets.asyncio.client import ClientConnection, connect

from sevenhues import protocol
from sevenhues.core import deal_proof, record
from sevenhues.core.errors import SevenHuesError, Unsound
from sevenhues.protocol import Eye, NewTable, SeatWish, TableInfo, Update

T = TypeVar("T")
PATIENCE = 30.0  # seconds that a request may take
BACKOFF = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)  # seconds between tries to connect again
MOST_BYTES = 4 * 1024 * 1024  # of a message from the server
_decoder: msgspec.json.Decoder[protocol.FromServer] = msgspec.json.Decoder(protocol.FromServer)
_encoder = msgspec.json.Encoder()


class Refused(SevenHuesError):
    """The server declined: `key` and `parameters` tell why, and `rule` if a rule of the game did."""

    def __init__(self, key: str, text: str, parameters: dict[str, Any], rule: str | None, legal: list[str]) -> None:
        super().__init__(text)
        self.key = key
        self.text = text
        self.parameters = parameters
        self.rule = rule
        self.legal = legal


class Gone(SevenHuesError):
    """The connection is over and will not come back: the table is no more, or the client was closed."""


class Client:
    """Somebody at a server: a guest with a cookie."""

    def __init__(self, url: str, name: str | None = None, cookie: str | None = None) -> None:
        self.url = url.rstrip("/")
        self._name = name
        cookies = {"sevenhues": cookie} if cookie is not None else None
        self._http = httpx.AsyncClient(base_url=self.url, timeout=PATIENCE, cookies=cookies)
        self.me = protocol.Me("", "", "")

    async def __aenter__(self) -> Self:
        self.me = await self._ask("GET", "/api/me", protocol.Me)
        if self._name is not None and self._name != self.me.name:
            self.me = await self._ask("PATCH", "/api/me", protocol.Me, {"name": self._name})
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: Any, trace: TracebackType | None) -> None:
        await self._http.aclose()

    @property
    def cookie(self) -> str:
        """What makes one this person, here or on another device: keep it to yourself."""
        # The server's own comes after one we were given.
        return [cookie.value or "" for cookie in self._http.cookies.jar if cookie.name == "sevenhues"][-1]

    async def games(self) -> list[protocol.GameInfo]:
        return await self._ask("GET", "/api/games", list[protocol.GameInfo])

    async def lesson(self, game: str, language: str = "en") -> protocol.Lesson:
        """Fetch a game's lesson, told in a language."""
        return await self._ask("GET", f"/api/games/{game}/lesson?language={language}", protocol.Lesson)

    async def try_step(self, game: str, step: str, *moves: str, text: bool = False) -> protocol.LessonAnswer:
        """Try a move in a step of a lesson, after those that were right; without any, see how it begins."""
        body = protocol.LessonTry(list(moves), text)
        return await self._ask("POST", f"/api/games/{game}/lesson/{step}", protocol.LessonAnswer, body)

    async def lay(self, game: str, seats: list[str], **more: Any) -> TableInfo:
        """Lay a table. Seats are "me" (or "me:Name"), "open" or "bot:level"; `more` is as in NewTable."""
        wishes = [_wish(seat) for seat in seats]
        wish = msgspec.convert({"game": game, "seats": msgspec.to_builtins(wishes), **more}, NewTable)
        return await self._ask("POST", "/api/tables", TableInfo, wish)

    async def join(self, link: str, seat: int | None = None, name: str | None = None) -> TableInfo:
        """Take a seat at a table, given by its link or its id."""
        path = f"/api/tables/{table_of(link)}/join"
        return await self._ask("POST", path, TableInfo, protocol.Join(seat, name))

    async def table(self, link: str) -> TableInfo:
        return await self._ask("GET", f"/api/tables/{table_of(link)}", TableInfo)

    async def tables(self, which: str, game: str | None = None) -> list[TableInfo]:
        """List tables: "mine", or public ones that are "open", "live" or "finished"; the newest page."""
        path = f"/api/tables?which={which}" + (f"&game={game}" if game else "")
        return (await self._ask("GET", path, protocol.TableList)).tables

    async def leave(self, link: str, seat: int) -> TableInfo:
        return await self._ask("POST", f"/api/tables/{table_of(link)}/seats/{seat}/leave", TableInfo)

    async def sit_bot(self, link: str, seat: int, level: str) -> TableInfo:
        path = f"/api/tables/{table_of(link)}/seats/{seat}/bot"
        return await self._ask("POST", path, TableInfo, protocol.SitBot(level))

    async def hint(self, link: str, seat: int) -> protocol.Advised:
        """Ask what the game's best bot would do in a seat of one's own, at a table with hints."""
        return await self._ask("POST", f"/api/tables/{table_of(link)}/seats/{seat}/hint", protocol.Advised)

    async def record(self, link: str) -> str:
        """Return the record of a finished game as JSON text."""
        return (await self._send("GET", f"/api/tables/{table_of(link)}/record")).text

    async def replay(self, link: str, eyes: int | str = "watcher", start: int = 0, most: int = 100) -> protocol.Replay:
        """Return moments of a finished game: as a seat saw them, a "watcher", or with "everything" open."""
        path = f"/api/tables/{table_of(link)}/replay?eyes={eyes}&from={start}&most={most}"
        return await self._ask("GET", path, protocol.Replay)

    async def upload(self, text: str) -> TableInfo:
        """Lay a finished table from a record, so that its replay has a link."""
        headers = {"content-type": "application/json"}
        answer = await self._send("POST", "/api/records", content=text.encode(), headers=headers)
        return msgspec.json.decode(answer.content, type=TableInfo)

    async def play_on(self, link: str, ply: int, seat: int, level: str | None = None) -> TableInfo:
        """Lay a table that goes on from a moment of a finished game, against bots."""
        path = f"/api/tables/{table_of(link)}/branch"
        return await self._ask("POST", path, TableInfo, protocol.PlayOn(ply, seat, level))

    async def analyse(self, link: str, begin: bool = True) -> protocol.Analysis:
        """Have the story of a finished game told, or only look how far it is; ask again until it is there."""
        path = f"/api/tables/{table_of(link)}/analysis"
        return await self._ask("POST" if begin else "GET", path, protocol.Analysis)

    async def beliefs(self, link: str, ply: int, seat: int = -1) -> protocol.Beliefs:
        """Return the odds of every hidden face at a moment of a finished game, for a seat or a watcher."""
        path = f"/api/tables/{table_of(link)}/beliefs?ply={ply}&seat={seat}"
        return await self._ask("GET", path, protocol.Beliefs)

    async def leaderboard(self, game: str, after: int = 0) -> protocol.Leaderboard:
        return await self._ask("GET", f"/api/ratings/{game}?after={after}", protocol.Leaderboard)

    async def profile(self, player: str) -> protocol.Profile:
        """Look at somebody by their public id: `me.player`, or a seat's."""
        return await self._ask("GET", f"/api/players/{player}", protocol.Profile)

    async def rated_games(self, player: str, before: int | None = None) -> protocol.RatedGames:
        path = f"/api/players/{player}/games" + (f"?before={before}" if before is not None else "")
        return await self._ask("GET", path, protocol.RatedGames)

    async def rating_changes(self, link: str) -> protocol.TableRatings:
        """Tell what a finished game did to everybody's ratings."""
        return await self._ask("GET", f"/api/tables/{table_of(link)}/ratings", protocol.TableRatings)

    async def carry(self) -> protocol.CarryCode:
        return await self._ask("POST", "/api/me/carry", protocol.CarryCode)

    async def claim(self, code: str) -> protocol.Me:
        """Become who a code was made for."""
        self.me = await self._ask("POST", "/api/me/claim", protocol.Me, protocol.Claim(code))
        return self.me

    async def delete(self) -> None:
        await self._send("DELETE", "/api/me")

    def live(self, link: str) -> "Live":
        """Go to a table: to one's seats there, or to watch."""
        return Live(self, table_of(link))

    async def _send(self, method: str, path: str, **more: Any) -> httpx.Response:
        try:
            return _checked(await self._http.request(method, path, **more))
        except httpx.TransportError as error:
            raise SevenHuesError(f"cannot reach {self.url}: {error or type(error).__name__}") from error

    async def _ask(self, method: str, path: str, kind: type[T], body: Any = None) -> T:
        headers = {"content-type": "application/json"} if body is not None else {}
        content = _encoder.encode(body) if body is not None else None
        answer = await self._send(method, path, content=content, headers=headers)
        return msgspec.json.decode(answer.content, type=kind)


class Live:
    """A connection to a table that comes back by itself; nothing sent is lost or counts twice."""

    def __init__(self, client: Client, table: str) -> None:
        self.id = table
        self.table: TableInfo | None = None
        self.update: Update | None = None
        self.entropy = secrets.token_urlsafe(24)
        self.commitment: str | None = None  # as it was before we added to the deal
        self._client = client
        self._socket: ClientConnection | None = None
        self._pending: dict[str, tuple[bytes, asyncio.Future[protocol.Done]]] = {}
        self._look: bytes | None = None
        self._news: asyncio.Queue[protocol.FromServer | None] = asyncio.Queue()
        self._runner: asyncio.Task[None] | None = None
        self._known = asyncio.Event()
        self._over: Gone | None = None
        self._refusals = 0

    async def __aenter__(self) -> Self:
        self._runner = asyncio.create_task(self._run())
        await self._wait(self._known.wait())
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: Any, trace: TracebackType | None) -> None:
        self._end(Gone("this client was closed"))
        if self._runner is not None:
            self._runner.cancel()
            await asyncio.wait([self._runner])

    @property
    def connected(self) -> bool:
        """Tell whether the server can be heard now; if not, that is tried again and again."""
        return self._socket is not None

    def eye(self, seat: int | None = None) -> Eye:
        """What a seat of ours (by default the only one) sees; raises LookupError before the start."""
        for eye in self.update.eyes if self.update is not None else []:
            if seat is None or eye.seat == seat:
                return eye
        raise LookupError("nothing is seen through this seat yet")

    def view(self, seat: int | None = None) -> Any:
        return msgspec.json.decode(self.eye(seat).view)

    async def news(self) -> AsyncIterator[protocol.FromServer]:
        """Yield every message of the server, until the connection is over."""
        while (message := await self._news.get()) is not None:
            yield message

    async def turns(self) -> AsyncIterator[Eye]:
        """Yield what we see each time we may move, until the game is over; adds to the deal first.

        Where a move was refused, the same moment comes again.
        """
        await self.ready()
        shown: tuple[int, int, int] | None = None
        while self.update is None or self.update.result is None:
            update = self.update
            if update is not None and update.begins is not None:
                await asyncio.sleep((update.begins - update.now) / 1000)
                update.begins = None
            eyes = update.eyes if update is not None else []
            for eye in eyes:
                moment = (update.ply if update is not None else 0, eye.seat, self._refusals)
                if eye.legal and moment != shown:
                    shown = moment
                    yield eye
                    break
            else:
                if await self._news.get() is None:
                    return

    async def move(self, text: str, seat: int | None = None, ply: int | None = None) -> int | None:
        """Make a move; returns once it stands for good, or raises Refused."""
        at = ply if ply is not None else (self.update.ply if self.update is not None else 0)
        chosen = seat if seat is not None else self.eye().seat
        return (await self._request(protocol.Move(secrets.token_urlsafe(9), chosen, at, text))).ply

    async def ready(self) -> None:
        """Keep the commitment, and add to the deal."""
        if self.table is not None and self.table.mine and self.table.status == "waiting":
            self.commitment = self.commitment or self.table.commitment
            await self._request(protocol.Ready(secrets.token_urlsafe(9), self.entropy))

    async def start(self) -> None:
        await self._request(protocol.Start(secrets.token_urlsafe(9)))

    async def resign(self, seat: int) -> None:
        await self._request(protocol.Resign(secrets.token_urlsafe(9), seat))

    async def rematch(self) -> None:
        await self._request(protocol.Rematch(secrets.token_urlsafe(9)))

    async def look(self, *seats: int, text: bool = False) -> None:
        """See through the eyes of these seats of ours from now on; of none, as a watcher."""
        self._look = _encoder.encode(protocol.Look(list(seats), text))
        await self._say(self._look)

    def proven(self) -> bool:
        """Tell whether the finished game's proof holds the secret that was sealed, what we added, and nobody's beside.

        Whoever could add something that no person at the table stands for could choose the deal by it.
        """
        table = self.table
        if table is None or table.proof is None:
            return False
        others = sum(seat.name is not None and i not in table.mine for i, seat in enumerate(table.seats))
        sealed = sha256(bytes.fromhex(table.proof.secret)).hexdigest()
        added = table.proof.entropies
        return sealed == self.commitment and added.count(self.entropy) == 1 and len(added) <= 1 + others

    async def prove(self) -> bool:
        """Tell all of that, and whether the record's cards are dealt from it and its moves are sound."""
        if not self.proven():
            return False
        assert self.table is not None
        assert self.table.proof is not None
        shown = self.table.proof
        found = record.read(await self._client.record(self.id))
        told = {"secret": shown.secret, "commitment": self.commitment, "entropies": shown.entropies}
        written = found.extra.get(deal_proof.KEY)
        if not isinstance(written, dict) or any(written.get(key) != value for key, value in told.items()):
            return False
        try:
            for _ in record.replay(found):
                pass
            return deal_proof.prove(found)
        except Unsound:
            return False

    async def _request(self, message: Any) -> protocol.Done:
        data = _encoder.encode(message)
        done: asyncio.Future[protocol.Done] = asyncio.get_running_loop().create_future()
        self._pending[message.id] = data, done
        try:
            await self._say(data)
            answer: protocol.Done = await self._wait(done)
            return answer
        finally:
            self._pending.pop(message.id, None)

    async def _wait(self, what: Any) -> Any:
        if self._over is not None:
            raise self._over
        assert self._runner is not None
        task = asyncio.ensure_future(what)
        await asyncio.wait([task, self._runner], return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        task.cancel()
        raise self._over or Gone("the connection is over") from self._runner.exception()

    async def _say(self, data: bytes) -> None:
        """Send now if we can; what is pending is sent again on connecting."""
        if self._socket is not None:
            try:
                await self._socket.send(data.decode())
            except websockets.ConnectionClosed:
                return

    async def _run(self) -> None:
        address = f"{self._client.url.replace('http', 'ws', 1)}/api/tables/{self.id}/live"
        tries = 0
        try:
            while self._over is None:
                try:
                    headers = {"cookie": f"sevenhues={self._client.cookie}"}
                    async with connect(address, additional_headers=headers, max_size=MOST_BYTES) as socket:
                        tries = 0
                        await self._converse(socket)
                except (OSError, websockets.WebSocketException, EOFError):
                    self._socket = None
                if self._over is None:
                    await asyncio.sleep(BACKOFF[min(tries, len(BACKOFF) - 1)])
                    tries += 1
        finally:
            self._socket = None
            self._news.put_nowait(None)

    async def _converse(self, socket: ClientConnection) -> None:
        for data in [self._look, *[data for data, _ in self._pending.values()]]:
            if data is not None:
                await socket.send(data.decode())
        self._socket = socket
        try:
            async for message in socket:
                self._hear(_decoder.decode(message))
        except websockets.ConnectionClosed:
            pass  # the code tells why
        finally:
            self._socket = None
        if socket.close_code in (4001, 4004, 4403, 4404):
            self._end(Gone(f"the server closed the connection: {socket.close_reason}"))

    def _hear(self, message: protocol.FromServer) -> None:
        match message:
            case protocol.Table():
                self.table = message.table
                if message.table.status == "waiting":
                    self._known.set()
            case protocol.Update():
                self.update = message
                self._known.set()
            case protocol.Done():
                self._settle(message.id, message)
            case protocol.Refused():
                why = Refused(message.key, message.text, message.parameters, message.rule, message.legal)
                self._settle(message.id, why)
        self._news.put_nowait(message)

    def _settle(self, id: str | None, answer: protocol.Done | Refused) -> None:
        _, done = self._pending.get(id or "", (None, None))
        if done is not None and not done.done():
            if isinstance(answer, Refused):
                self._refusals += 1
                done.set_exception(answer)
            else:
                done.set_result(answer)

    def _end(self, why: Gone) -> None:
        self._over = self._over or why


def table_of(link: str) -> str:
    """Return a table's id from its link, or from itself."""
    return urlsplit(link).path.rstrip("/").rsplit("/", 1)[-1]


def _wish(text: str) -> SeatWish:
    kind, _, rest = text.partition(":")
    wish = {"kind": kind, "level" if kind == "bot" else "name": rest or None}
    return msgspec.convert(wish, SeatWish)


def _checked(answer: httpx.Response) -> httpx.Response:
    if answer.is_success:
        return answer
    try:
        problem = msgspec.json.decode(answer.content, type=protocol.Problem)
    except msgspec.DecodeError:
        raise SevenHuesError(f"the server answered {answer.status_code}: {answer.text[:200]}") from None
    raise Refused(problem.key, problem.text, dict(problem.parameters), problem.rule, [])
