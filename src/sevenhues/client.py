"""A client of a server, for bots and tests: `Client` is a user of the server, `Live` a connection to a table.

async with Client("http://127.0.0.1:8777", name="Ada") as me:
    table = await me.join(link)
    async with me.live(table.id) as live:
        async for view in live.turns():
            await live.move(random.choice(view.legal), view.seat)
"""

import asyncio
import secrets
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

import msgspec

try:
    import httpx
    import websockets
    from websockets.asyncio.client import ClientConnection, connect
except ImportError as error:
    raise ImportError('sevenhues.client needs httpx and websockets: pip install "sevenhues[client]"') from error

from sevenhues import protocol
from sevenhues.core import deal_proof, record
from sevenhues.core.errors import InvalidRecord, SevenHuesError, shorten
from sevenhues.protocol import NewTable, SeatRequest, SeatView, TableInfo, Update

T = TypeVar("T")
TIMEOUT_SECONDS = 30.0  # of a request
RETRY_SECONDS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)  # between attempts to connect again
MAX_BYTES = 4 * 1024 * 1024  # of a message from the server
FINAL_CLOSE_CODES = (4001, 4004, 4401, 4403, 4404)  # after which connecting again is pointless
_decoder: msgspec.json.Decoder[protocol.FromServer] = msgspec.json.Decoder(protocol.FromServer)
_event_decoder: msgspec.json.Decoder[protocol.BotEvent] = msgspec.json.Decoder(protocol.BotEvent)
_encoder = msgspec.json.Encoder()


class Refused(SevenHuesError):
    """The server refused a request: `key` and `parameters` identify the reason, `rule` the rule of the game, if any."""

    def __init__(self, key: str, text: str, parameters: dict[str, Any], rule: str | None, legal: list[str]) -> None:
        super().__init__(text)
        self.key = key
        self.text = text
        self.parameters = parameters
        self.rule = rule
        self.legal = legal


class Disconnected(SevenHuesError):
    """The connection is closed for good: the table was removed, a token was revoked, or the client was closed."""


class Client:
    """A user of a server: a guest with a cookie, or a bot account with a token."""

    def __init__(self, url: str, name: str | None = None, cookie: str | None = None, token: str | None = None) -> None:
        self.url = url.rstrip("/")
        self._name = name
        self._token = token
        cookies = {"sevenhues": cookie} if cookie is not None else None
        headers = {"authorization": f"Bearer {token}"} if token is not None else {}
        self._http = httpx.AsyncClient(base_url=self.url, timeout=TIMEOUT_SECONDS, cookies=cookies, headers=headers)
        self.me = protocol.Me("", "", "")

    async def __aenter__(self) -> Self:
        try:
            self.me = await self._request("GET", "/api/me", protocol.Me)
            if self._name is not None and self._name != self.me.name:
                self.me = await self._request("PATCH", "/api/me", protocol.Me, {"name": self._name})
        except BaseException:
            await self._http.aclose()
            raise
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: Any, trace: TracebackType | None) -> None:
        await self._http.aclose()

    @property
    def cookie(self) -> str:
        """The cookie that authenticates this user; keep it secret."""
        # The cookie that the server has set comes after the one that was given.
        return [cookie.value or "" for cookie in self._http.cookies.jar if cookie.name == "sevenhues"][-1]

    @property
    def credentials(self) -> dict[str, str]:
        """The headers that authenticate this user: the token of a bot account, or all cookies; keep them secret."""
        if self._token is not None:
            return {"authorization": f"Bearer {self._token}"}
        latest = {cookie.name: cookie.value or "" for cookie in self._http.cookies.jar}
        return {"cookie": "; ".join(f"{name}={value}" for name, value in latest.items())}

    async def games(self) -> list[protocol.GameInfo]:
        return await self._request("GET", "/api/games", list[protocol.GameInfo])

    async def lesson(self, game: str, language: str = "en") -> protocol.Lesson:
        """Return a game's lesson in a language."""
        return await self._request("GET", f"/api/games/{game}/lesson?language={language}", protocol.Lesson)

    async def try_step(self, game: str, step: str, *moves: str, text: bool = False) -> protocol.LessonAnswer:
        """Attempt a step of a lesson with moves from its start; without moves, return its beginning."""
        body = protocol.LessonTry(list(moves), text)
        return await self._request("POST", f"/api/games/{game}/lesson/{step}", protocol.LessonAnswer, body)

    async def create_table(self, game: str, seats: list[str], **settings: Any) -> TableInfo:
        """Create a table. Seats are "me" (or "me:Name"), "open", "bot:level" or "challenge:player".

        `settings` are those of NewTable.
        """
        requests = [_seat_request(seat) for seat in seats]
        new_table = msgspec.convert({"game": game, "seats": msgspec.to_builtins(requests), **settings}, NewTable)
        return await self._request("POST", "/api/tables", TableInfo, new_table)

    async def join(self, link: str, seat: int | None = None, name: str | None = None) -> TableInfo:
        """Take a seat at a table, which is given by its link or its id."""
        path = f"/api/tables/{table_of(link)}/join"
        return await self._request("POST", path, TableInfo, protocol.Join(seat, name))

    async def table(self, link: str) -> TableInfo:
        return await self._request("GET", f"/api/tables/{table_of(link)}", TableInfo)

    async def tables(self, which: str, game: str | None = None) -> list[TableInfo]:
        """List tables: "mine", or public ones that are "open", "live" or "finished"; the newest page."""
        path = f"/api/tables?which={which}" + (f"&game={game}" if game else "")
        return (await self._request("GET", path, protocol.TableList)).tables

    async def leave(self, link: str, seat: int) -> TableInfo:
        return await self._request("POST", f"/api/tables/{table_of(link)}/seats/{seat}/leave", TableInfo)

    async def seat_bot(self, link: str, seat: int, level: str) -> TableInfo:
        path = f"/api/tables/{table_of(link)}/seats/{seat}/bot"
        return await self._request("POST", path, TableInfo, protocol.SeatBot(level))

    async def hint(self, link: str, seat: int) -> protocol.Hints:
        """Return the moves that the game's best bot would choose for a seat of this user, at a table with hints."""
        return await self._request("POST", f"/api/tables/{table_of(link)}/seats/{seat}/hint", protocol.Hints)

    async def record(self, link: str) -> str:
        """Return the record of a finished game as JSON text."""
        return (await self._send("GET", f"/api/tables/{table_of(link)}/record")).text

    async def replay(self, link: str, view: int | str = "watcher", start: int = 0, most: int = 100) -> protocol.Replay:
        """Return frames of a finished game: as a seat or a "watcher" saw them, or with "everything" visible."""
        path = f"/api/tables/{table_of(link)}/replay?view={view}&from={start}&most={most}"
        return await self._request("GET", path, protocol.Replay)

    async def upload(self, text: str, offline_id: str | None = None) -> TableInfo:
        """Create a finished table from a record, so that its replay has a link.

        A game that was played without a server has an id there; another upload with it returns the same table.
        """
        headers = {"content-type": "application/json"}
        query = {} if offline_id is None else {"offline_id": offline_id}
        answer = await self._send("POST", "/api/records", content=text.encode(), headers=headers, params=query)
        return msgspec.json.decode(answer.content, type=TableInfo)

    async def branch(self, link: str, ply: int, seat: int, level: str | None = None) -> TableInfo:
        """Create a table that continues a finished game from a ply, against bots."""
        path = f"/api/tables/{table_of(link)}/branch"
        return await self._request("POST", path, TableInfo, protocol.BranchRequest(ply, seat, level))

    async def analyse(self, link: str, start: bool = True) -> protocol.Analysis:
        """Start the analysis of a finished game, or only return its state; call again until it is done."""
        path = f"/api/tables/{table_of(link)}/analysis"
        return await self._request("POST" if start else "GET", path, protocol.Analysis)

    async def beliefs(self, link: str, ply: int, seat: int = -1) -> protocol.Beliefs:
        """Return the odds of every hidden face at a ply of a finished game, for a seat or a watcher."""
        path = f"/api/tables/{table_of(link)}/beliefs?ply={ply}&seat={seat}"
        return await self._request("GET", path, protocol.Beliefs)

    async def leaderboard(self, game: str, after: int = 0, players: str = "people") -> protocol.Leaderboard:
        """Return a page of the leaderboard of people, or of bot accounts: "bots"."""
        return await self._request("GET", f"/api/ratings/{game}?after={after}&players={players}", protocol.Leaderboard)

    async def profile(self, player: str) -> protocol.Profile:
        """Return the profile of a player by its public id: `me.player`, or the `player` of a seat."""
        return await self._request("GET", f"/api/players/{player}", protocol.Profile)

    async def rated_games(self, player: str, before: int | None = None) -> protocol.RatedGames:
        path = f"/api/players/{player}/games" + (f"?before={before}" if before is not None else "")
        return await self._request("GET", path, protocol.RatedGames)

    async def rating_changes(self, link: str) -> protocol.TableRatings:
        """Return the effect of a finished game on ratings."""
        return await self._request("GET", f"/api/tables/{table_of(link)}/ratings", protocol.TableRatings)

    async def transfer_code(self) -> protocol.TransferCode:
        """Create a code that transfers this account to another device."""
        return await self._request("POST", "/api/me/transfer-code", protocol.TransferCode)

    async def transfer(self, code: str) -> protocol.Me:
        """Sign in to the account of a transfer code."""
        self.me = await self._request("POST", "/api/me/transfer", protocol.Me, protocol.Transfer(code))
        return self.me

    async def delete(self) -> None:
        await self._send("DELETE", "/api/me")

    async def bots(self) -> list[protocol.BotAccount]:
        """Return the bot accounts of this person."""
        return (await self._request("GET", "/api/bots", protocol.BotAccountList)).bots

    async def create_bot(
        self, name: str, games: list[str] | None = None, may_create: bool = False
    ) -> protocol.NewBotToken:
        """Create a bot account for some games, by default for all; its token is returned this once."""
        body = protocol.NewBotAccount(name, games, may_create)
        return await self._request("POST", "/api/bots", protocol.NewBotToken, body)

    async def change_bot(
        self, player: str, name: str, games: list[str] | None = None, may_create: bool = False
    ) -> protocol.BotAccount:
        """Rename a bot account of this person, and change what it may do."""
        body = protocol.BotAccountChange(name, games, may_create)
        return await self._request("PATCH", f"/api/bots/{player}", protocol.BotAccount, body)

    async def replace_bot_token(self, player: str) -> protocol.NewBotToken:
        return await self._request("POST", f"/api/bots/{player}/token", protocol.NewBotToken)

    async def revoke_bot_token(self, player: str) -> protocol.BotAccount:
        return await self._request("DELETE", f"/api/bots/{player}/token", protocol.BotAccount)

    async def delete_bot(self, player: str) -> None:
        await self._send("DELETE", f"/api/bots/{player}")

    async def online_bots(self, game: str | None = None) -> list[protocol.OnlineBot]:
        """Return the bot accounts that can be challenged now."""
        path = "/api/bots/online" + (f"?game={game}" if game is not None else "")
        return (await self._request("GET", path, protocol.OnlineBots)).bots

    async def decline(self, link: str, reason: protocol.DeclineReason = "unwanted") -> TableInfo:
        """Decline the challenge of this bot account to take a seat at a table."""
        path = f"/api/tables/{table_of(link)}/decline"
        return await self._request("POST", path, TableInfo, protocol.Decline(reason))

    async def sample(self, link: str, seat: int) -> protocol.Sample:
        """Return a deal that is as likely as the true one, given all that a seat of this bot account has seen."""
        return await self._request("GET", f"/api/tables/{table_of(link)}/seats/{seat}/sample", protocol.Sample)

    async def bot_events(self) -> AsyncGenerator[protocol.BotChallenge | protocol.BotGame]:
        """Yield the challenges and the games of this bot account, which is online while this runs.

        The connection is restored when it breaks, and all challenges and games in play are yielded again. Raise
        Disconnected when the token is not valid any more. Close the generator with `contextlib.aclosing`.
        """
        address, attempts = f"{self.url.replace('http', 'ws', 1)}/api/bots/events", 0
        while True:
            try:
                async with connect(address, additional_headers=self.credentials, max_size=MAX_BYTES) as socket:
                    with suppress(websockets.ConnectionClosed):
                        async for message in socket:
                            event, attempts = _event_decoder.decode(message), 0
                            if not isinstance(event, protocol.Closing):
                                yield event
                    if socket.close_code in FINAL_CLOSE_CODES:
                        raise Disconnected(f"the server closed the connection: {socket.close_reason}")
            except (OSError, websockets.WebSocketException, EOFError):
                pass
            await asyncio.sleep(RETRY_SECONDS[min(attempts, len(RETRY_SECONDS) - 1)])
            attempts += 1

    def live(self, link: str) -> "Live":
        """Connect to a table, as a player or as a watcher."""
        return Live(self, table_of(link))

    async def _send(self, method: str, path: str, **more: Any) -> httpx.Response:
        try:
            return _checked(await self._http.request(method, path, **more))
        except httpx.TransportError as error:
            raise SevenHuesError(f"cannot reach {self.url}: {error or type(error).__name__}") from error

    async def _request(self, method: str, path: str, kind: type[T], body: Any = None) -> T:
        headers = {"content-type": "application/json"} if body is not None else {}
        content = _encoder.encode(body) if body is not None else None
        answer = await self._send(method, path, content=content, headers=headers)
        return msgspec.json.decode(answer.content, type=kind)


class Live:
    """A connection to a table that is restored when it breaks; no message is lost or counted twice."""

    def __init__(self, client: Client, table: str) -> None:
        self.id = table
        self.table: TableInfo | None = None
        self.update: Update | None = None
        self.entropy = secrets.token_urlsafe(24)
        self.commitment: str | None = None  # of the server, as published before this client committed to its entropy
        self.commitments: list[str] | None = None  # of all users, as published before this client revealed its entropy
        self._client = client
        self._socket: ClientConnection | None = None
        self._pending: dict[str, tuple[bytes, asyncio.Future[protocol.Accepted]]] = {}
        self._selection: bytes | None = None  # the last SelectViews message
        self._visible: bytes | None = None  # the last Visible message
        self._messages: asyncio.Queue[protocol.FromServer | None] = asyncio.Queue()
        self._runner: asyncio.Task[None] | None = None
        self._revealing: asyncio.Task[None] | None = None
        self._loaded = asyncio.Event()  # the table, and the position of a game that has started, were received
        self._closed: Disconnected | None = None
        self._refusals = 0

    async def __aenter__(self) -> Self:
        self._runner = asyncio.create_task(self._run())
        await self._wait(self._loaded.wait())
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: Any, trace: TracebackType | None) -> None:
        self._close(Disconnected("this client was closed"))
        tasks = [task for task in (self._runner, self._revealing) if task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    @property
    def connected(self) -> bool:
        """Tell whether the connection is open; if not, it is being restored."""
        return self._socket is not None

    def seat_view(self, seat: int | None = None) -> SeatView:
        """Return the view of a seat, by default of the first selected one; raise LookupError before the start."""
        for view in self.update.views if self.update is not None else []:
            if seat is None or view.seat == seat:
                return view
        raise LookupError("there is no view of this seat")

    def view(self, seat: int | None = None) -> Any:
        return msgspec.json.decode(self.seat_view(seat).view)

    async def messages(self) -> AsyncIterator[protocol.FromServer]:
        """Yield every message of the server, until the connection is closed."""
        while (message := await self._messages.get()) is not None:
            yield message

    async def turns(self) -> AsyncIterator[SeatView]:
        """Add entropy to the deal, then yield the view of a seat each time it may move, until the game is over.

        After a refused move the same view is yielded again.
        """
        await self.ready()
        yielded: tuple[int, int, int] | None = None
        while self.update is None or self.update.result is None:
            update = self.update
            if update is not None and update.begins is not None:
                await asyncio.sleep((update.begins - update.now) / 1000)
                update.begins = None
            views = update.views if update is not None else []
            for view in views:
                moment = (update.ply if update is not None else 0, view.seat, self._refusals)
                if view.legal and moment != yielded:
                    yielded = moment
                    yield view
                    break
            else:
                if await self._messages.get() is None:
                    return

    async def move(self, text: str, seat: int | None = None, ply: int | None = None) -> int | None:
        """Make a move; return its number once it is stored, or raise Refused."""
        seen = ply if ply is not None else (self.update.ply if self.update is not None else 0)
        mover = seat if seat is not None else self.seat_view().seat
        return (await self._request(protocol.Move(secrets.token_urlsafe(9), mover, seen, text))).ply

    async def ready(self) -> None:
        """Keep the server's commitment, and commit to entropy of our own; it is revealed when all users have.

        The only user of a table that starts at once needs no commitment.
        """
        table = self.table
        if table is None or not table.your_seats or table.status != "waiting":
            return
        self.commitment = self.commitment or table.commitment
        if _starts_at_once(table):
            self.commitments = self.commitments or [self._own_commitment]
            await self._request(protocol.Ready(secrets.token_urlsafe(9), self.entropy))
        else:
            await self._request(protocol.Commit(secrets.token_urlsafe(9), self._own_commitment))

    async def start(self) -> None:
        await self._request(protocol.Start(secrets.token_urlsafe(9)))

    async def resign(self, seat: int) -> None:
        await self._request(protocol.Resign(secrets.token_urlsafe(9), seat))

    async def rematch(self) -> None:
        await self._request(protocol.Rematch(secrets.token_urlsafe(9)))

    async def say(self, phrase: protocol.Phrase, seat: int | None = None) -> None:
        """Say a phrase to all who are at the table, as the player of a seat; by default of the user's first one."""
        if phrase not in protocol.PHRASE_TEXTS:
            phrases = ", ".join(protocol.PHRASE_TEXTS)
            raise SevenHuesError(f"{shorten(phrase)} is not a phrase; the phrases are {phrases}")
        own_seats = self.table.your_seats if self.table is not None else []
        speaker = seat if seat is not None else next(iter(own_seats), 0)
        await self._request(protocol.Say(secrets.token_urlsafe(9), speaker, phrase))

    async def select_views(self, *seats: int, text: bool = False) -> None:
        """Select the seats of this user whose views are sent; without seats, a watcher's view is."""
        self._selection = _encoder.encode(protocol.SelectViews(list(seats), text))
        await self._send(self._selection)

    async def set_visible(self, visible: bool) -> None:
        """Report that a person looks at the table, or does not any more: while they look, they are not notified."""
        self._visible = _encoder.encode(protocol.Visible(visible))
        await self._send(self._visible)

    def proven(self) -> bool:
        """Check the proof of a finished game: the commitments are those that we kept, and our entropy is in it.

        Entropy that was not committed to before ours was revealed could be chosen to determine the deal.
        """
        table = self.table
        if table is None or table.proof is None or self.commitments is None:
            return False
        entropies = table.proof.entropies
        commitment = deal_proof.commitment(bytes.fromhex(table.proof.secret))
        return (
            commitment == self.commitment
            and self.entropy in entropies
            and len(entropies) == len(self.commitments)
            and all(map(deal_proof.fits, self.commitments, entropies))
        )

    async def prove(self) -> bool:
        """Check the proof, the deal of the record, and its moves."""
        if not self.proven():
            return False
        assert self.table is not None
        assert self.table.proof is not None
        assert self.commitment is not None
        assert self.commitments is not None
        proof = self.table.proof
        finished = record.read(await self._client.record(self.id))
        expected = {"secret": proof.secret, "commitment": self.commitment, "entropies": proof.entropies}
        recorded = finished.extra.get(deal_proof.KEY)
        if not isinstance(recorded, dict) or any(recorded.get(key) != value for key, value in expected.items()):
            return False
        try:
            for _ in record.replay(finished):
                pass
            return deal_proof.verify_deal(finished, deal_proof.seal(self.commitment, self.commitments)) is not None
        except InvalidRecord:
            return False

    async def _request(self, message: Any) -> protocol.Accepted:
        data = _encoder.encode(message)
        future: asyncio.Future[protocol.Accepted] = asyncio.get_running_loop().create_future()
        self._pending[message.id] = data, future
        try:
            await self._send(data)
            answer: protocol.Accepted = await self._wait(future)
            return answer
        finally:
            self._pending.pop(message.id, None)

    async def _wait(self, awaitable: Any) -> Any:
        """Wait for something, or raise Disconnected when the connection is closed for good."""
        if self._closed is not None:
            raise self._closed
        assert self._runner is not None
        task = asyncio.ensure_future(awaitable)
        try:
            await asyncio.wait([task, self._runner], return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
        finally:
            if not task.cancel() and not task.cancelled():
                task.exception()  # marks it as retrieved: it may have been raised when the caller gave up
        raise self._closed or Disconnected("the connection is closed") from self._runner.exception()

    async def _send(self, data: bytes) -> None:
        """Send a message if connected; pending messages are sent again after connecting."""
        if self._socket is not None:
            try:
                await self._socket.send(data.decode())
            except websockets.ConnectionClosed:
                return

    async def _run(self) -> None:
        address = f"{self._client.url.replace('http', 'ws', 1)}/api/tables/{self.id}/live"
        attempts = 0
        try:
            while self._closed is None:
                try:
                    headers = self._client.credentials
                    async with connect(address, additional_headers=headers, max_size=MAX_BYTES) as socket:
                        attempts = 0
                        await self._receive(socket)
                except (OSError, websockets.WebSocketException, EOFError):
                    self._socket = None
                if self._closed is None:
                    await asyncio.sleep(RETRY_SECONDS[min(attempts, len(RETRY_SECONDS) - 1)])
                    attempts += 1
        finally:
            self._socket = None
            self._messages.put_nowait(None)

    async def _receive(self, socket: ClientConnection) -> None:
        for data in [self._selection, self._visible, *[data for data, _ in self._pending.values()]]:
            if data is not None:
                await socket.send(data.decode())
        self._socket = socket
        try:
            async for message in socket:
                self._handle(_decoder.decode(message))
        except websockets.ConnectionClosed:
            pass  # the close code is checked below
        finally:
            self._socket = None
        if socket.close_code in FINAL_CLOSE_CODES:
            self._close(Disconnected(f"the server closed the connection: {socket.close_reason}"))

    def _handle(self, message: protocol.FromServer) -> None:
        match message:
            case protocol.Table():
                self.table = message.table
                if message.table.status == "waiting":
                    self._loaded.set()
                    self._reveal(message.table)
            case protocol.Update():
                self.update = message
                self._loaded.set()
            case protocol.Accepted():
                self._resolve(message.id, message)
            case protocol.Refused():
                error = Refused(message.key, message.text, message.parameters, message.rule, message.legal)
                self._resolve(message.id, error)
        self._messages.put_nowait(message)

    def _reveal(self, table: TableInfo) -> None:
        """Keep the commitments of all users when they are published, and reveal our entropy if ours is among them."""
        published = table.commitments or []
        if self.commitments is None and table.commitment == self.commitment and self._own_commitment in published:
            self.commitments = published
            self._revealing = asyncio.create_task(self._send_entropy())

    async def _send_entropy(self) -> None:
        with suppress(SevenHuesError):  # too late: the proof of the deal will show it
            await self._request(protocol.Ready(secrets.token_urlsafe(9), self.entropy))

    @property
    def _own_commitment(self) -> str:
        return deal_proof.entropy_commitment(self.entropy)

    def _resolve(self, id: str | None, answer: protocol.Accepted | Refused) -> None:
        _, future = self._pending.get(id or "", (None, None))
        if future is not None and not future.done():
            if isinstance(answer, Refused):
                self._refusals += 1
                future.set_exception(answer)
            else:
                future.set_result(answer)

    def _close(self, error: Disconnected) -> None:
        self._closed = self._closed or error


def _starts_at_once(table: TableInfo) -> bool:
    """Tell whether a table waits for its only user alone."""
    others = [seat for number, seat in enumerate(table.seats) if number not in table.your_seats]
    return not table.manual_start and all(seat.kind == "bot" for seat in others)


def table_of(link: str) -> str:
    """Return a table's id, given its link or the id itself."""
    return urlsplit(link).path.rstrip("/").rsplit("/", 1)[-1]


def _seat_request(text: str) -> SeatRequest:
    kind, _, rest = text.partition(":")
    field = {"bot": "level", "challenge": "player"}.get(kind, "name")
    return msgspec.convert({"kind": kind, field: rest or None}, SeatRequest)


def _checked(answer: httpx.Response) -> httpx.Response:
    if answer.is_success:
        return answer
    try:
        problem = msgspec.json.decode(answer.content, type=protocol.Problem)
    except msgspec.DecodeError:
        raise SevenHuesError(f"the server answered {answer.status_code}: {answer.text[:200]}") from None
    raise Refused(problem.key, problem.text, dict(problem.parameters), problem.rule, [])
