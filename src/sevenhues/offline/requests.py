"""Answers the requests of the HTTP API that need no server."""

import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from sevenhues import protocol
from sevenhues.core.errors import BadNotation, IllegalMove
from sevenhues.core.position import WATCHER
from sevenhues.core.resources import ENGLISH, rules_text
from sevenhues.offline.analyses import Analyses
from sevenhues.offline.store import DeviceStore
from sevenhues.server.accounts import names
from sevenhues.server.answers import tables
from sevenhues.server.answers.games import game_infos, game_named
from sevenhues.server.answers.lessons import lesson_answer, lesson_in
from sevenhues.server.answers.replays import PageKey, beliefs_answer, beliefs_at, check_beliefs, replay_page
from sevenhues.server.answers.statuses import STATUSES
from sevenhues.server.errors import problem_of
from sevenhues.server.live.hints import find_hints
from sevenhues.server.live.live_table import LiveTable
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.live.messages import encoder
from sevenhues.server.ratings import contests
from sevenhues.server.store import StoreFailed
from sevenhues.server.table import commands, imports
from sevenhues.server.table.errors import Refused
from sevenhues.server.table.replay import check_finished, parse_view

JSON: Final = "application/json"
MARKDOWN: Final = "text/markdown"
MAX_FRAMES: Final = 200  # of one answer
DEFAULT_FRAMES: Final = 100
MAX_PLY: Final = 1_000_000
CREATED: Final = 201
Body = TypeVar("Body")
log = logging.getLogger("sevenhues")


class Reply(NamedTuple):
    """The answer to a request."""

    status: int
    media_type: str
    body: str


class Request:
    """A request, with the parts of its address that a route names."""

    def __init__(self, address: str, body: str) -> None:
        parts = urlsplit(address)
        self.path = parts.path
        self.query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        self.body = body
        self.named: dict[str, str] = {}

    def read(self, body_type: type[Body]) -> Body:
        """Return the body; raise Refused unless it fits the type."""
        try:
            return msgspec.json.decode(self.body or "null", type=body_type)
        except (msgspec.DecodeError, RecursionError) as error:
            raise Refused("bad-request", what=str(error)) from None

    def number(self, name: str, default: int, low: int, high: int) -> int:
        """Return a number of the query; raise Refused unless it lies between two others."""
        text = self.query.get(name)
        if text is None:
            return default
        if not re.fullmatch(r"-?[0-9]{1,9}", text) or not low <= int(text) <= high:
            raise Refused("bad-request", what=f"{name}: a number from {low} to {high} is needed")
        return int(text)


class Requests:
    """Answers requests for the user of the device."""

    def __init__(self, live_tables: LiveTables, store: DeviceStore, analyses: Analyses) -> None:
        self._live_tables = live_tables
        self._store = store
        self._analyses = analyses

    async def answer(self, method: str, address: str, body: str) -> Reply:
        """Answer a request; errors are answered as by the server."""
        try:
            return await self._answer(method.upper(), Request(address, body))
        except (Refused, BadNotation, IllegalMove) as error:
            key = error.key if isinstance(error, Refused) else "bad-request"
            return _reply(STATUSES[key], problem_of(error))
        except StoreFailed as error:
            log.error("the store failed: %s", error)
            return _refused("store-failed")
        except Exception:
            log.exception("internal error in a request")
            return _refused("internal-error")

    async def _answer(self, method: str, request: Request) -> Reply:
        for route_method, pattern, handler, status in ROUTES:
            match = pattern.fullmatch(request.path)
            if route_method == method and match is not None:
                request.named = {name: unquote(value) for name, value in match.groupdict().items()}
                answer = await handler(self, request)
                return answer if isinstance(answer, Reply) else _reply(status, answer)
        if any(pattern.fullmatch(request.path) for pattern in NEEDS_SERVER):
            raise Refused("offline-only")
        raise Refused("no-page", path=request.path)

    async def games(self, request: Request) -> Any:
        return game_infos()

    async def rules(self, request: Request) -> Any:
        language = request.query.get("language", ENGLISH)
        return Reply(200, MARKDOWN, rules_text(game_named(request.named["game"]), language))

    async def lesson(self, request: Request) -> Any:
        return lesson_in(request.named["game"], request.query.get("language", ENGLISH))

    async def try_step(self, request: Request) -> Any:
        return lesson_answer(request.named["game"], request.named["step"], request.read(protocol.LessonTry))

    async def server(self, request: Request) -> Any:
        return protocol.ServerInfo([])

    async def me(self, request: Request) -> Any:
        user_id = self._store.user_id
        return protocol.Me(user_id, await self._name(), contests.player_of(user_id).id)

    async def rename(self, request: Request) -> Any:
        name = names.check_name(request.read(protocol.Rename).name)
        await self._store.rename_user(self._store.user_id, name, self._live_tables.now())
        return await self.me(request)

    async def delete(self, request: Request) -> Any:
        await self._live_tables.delete_user(self._store.user_id)
        self._live_tables.evict_all()
        return None

    async def list_tables(self, request: Request) -> Any:
        which, game, before = (request.query.get(name) for name in ("which", "game", "before"))
        if which not in ("mine", *tables.STATUSES):
            raise Refused("bad-request", what="which: mine, open, live or finished")
        unfinished = request.query.get("unfinished") == "true"
        page = await tables.listed_tables(self._store, self._store.user_id, which, game, before, unfinished)
        return await tables.table_list(self._live_tables, page, self._store.user_id)

    async def create_table(self, request: Request) -> Any:
        data = request.read(protocol.NewTable)
        spec = await tables.table_spec(data, _check_name)
        game = game_named(data.game)
        return self._info(await self._live_tables.create(game, spec, self._store.user_id, await self._name()))

    async def table(self, request: Request) -> Any:
        return self._info(await self._live_table(request))

    async def join(self, request: Request) -> Any:
        data = request.read(protocol.Join)
        live_table = await self._live_table(request)
        name = await self._name() if data.name is None else names.check_name(data.name)
        await tables.take_seat(live_table, self._store.user_id, name, data.seat)
        return self._info(live_table)

    async def seat_bot(self, request: Request) -> Any:
        seat, level = int(request.named["seat"]), request.read(protocol.SeatBot).level
        live_table = await self._live_table(request)
        await live_table.act(lambda table, now_ms: commands.seat_bot(table, self._store.user_id, seat, level))
        return self._info(live_table)

    async def leave_seat(self, request: Request) -> Any:
        seat = int(request.named["seat"])
        live_table = await self._live_table(request)
        await live_table.act(lambda table, now_ms: commands.leave_seat(table, self._store.user_id, seat))
        return self._info(live_table)

    async def hint(self, request: Request) -> Any:
        seat = int(request.named["seat"])
        table = (await self._live_table(request)).table
        commands.check_hint(table, self._store.user_id, seat)
        return await find_hints(self._live_tables.searches, table, seat)

    async def record(self, request: Request) -> Any:
        table = (await self._live_table(request)).table
        check_finished(table)
        return Reply(200, JSON, table.record_text())

    async def replay(self, request: Request) -> Any:
        table = (await self._live_table(request)).table
        check_finished(table)
        view = parse_view(table, request.query.get("view", "watcher"))
        start = request.number("from", 0, 0, MAX_PLY)
        limit = request.number("most", DEFAULT_FRAMES, 1, MAX_FRAMES)
        return replay_page(table, PageKey(table.id, view, start, limit, request.query.get("text") == "true"))

    async def branch(self, request: Request) -> Any:
        data = request.read(protocol.BranchRequest)
        table = (await self._live_table(request)).table
        check_finished(table, data.ply)
        name = await self._name()
        created = await self._live_tables.branch(table, data.ply, data.seat, data.level, self._store.user_id, name)
        return self._info(created)

    async def upload(self, request: Request) -> Any:
        uploaded = imports.read_record(request.body.encode())
        return self._info(await self._live_tables.import_record(uploaded, self._store.user_id))

    async def analysis(self, request: Request) -> Any:
        return await self._analyses.status((await self._live_table(request)).table)

    async def start_analysis(self, request: Request) -> Any:
        return await self._analyses.start((await self._live_table(request)).table)

    async def beliefs(self, request: Request) -> Any:
        table = (await self._live_table(request)).table
        ply, seat = request.number("ply", 0, 0, MAX_PLY), request.number("seat", WATCHER, WATCHER, MAX_PLY)
        check_beliefs(table, ply, seat)
        return beliefs_answer(table, ply, seat, beliefs_at(table, ply, seat))

    async def ratings(self, request: Request) -> Any:
        await self._live_table(request)
        return protocol.TableRatings([])

    async def _live_table(self, request: Request) -> LiveTable:
        return await self._live_tables.get_current(request.named["table"])

    async def _name(self) -> str:
        user = await self._store.user(self._store.user_id)
        return user.name if user is not None and user.name else names.guest_name(self._store.user_id)

    def _info(self, live_table: LiveTable) -> protocol.TableInfo:
        return live_table.info(self._store.user_id)


async def _check_name(name: str) -> str:
    return names.check_name(name)


def _reply(status: int, answer: Any) -> Reply:
    return Reply(status, JSON, encoder.encode(answer).decode())


def _refused(key: str) -> Reply:
    return _reply(STATUSES[key], problem_of(Refused(key)))


Handler = Callable[[Requests, Request], Awaitable[Any]]


def _route(method: str, path: str, handler: Handler, status: int = 200) -> tuple[str, re.Pattern[str], Handler, int]:
    pattern = path.replace("{seat}", "(?P<seat>[0-9]{1,3})")
    return method, re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", pattern)), handler, status


ROUTES: Final = (
    _route("GET", "/api/games", Requests.games),
    _route("GET", "/api/games/{game}/rules", Requests.rules),
    _route("GET", "/api/games/{game}/lesson", Requests.lesson),
    _route("POST", "/api/games/{game}/lesson/{step}", Requests.try_step),
    _route("GET", "/api/server", Requests.server),
    _route("GET", "/api/me", Requests.me),
    _route("PATCH", "/api/me", Requests.rename),
    _route("DELETE", "/api/me", Requests.delete),
    _route("GET", "/api/tables", Requests.list_tables),
    _route("POST", "/api/tables", Requests.create_table, CREATED),
    _route("GET", "/api/tables/{table}", Requests.table),
    _route("POST", "/api/tables/{table}/join", Requests.join),
    _route("POST", "/api/tables/{table}/seats/{seat}/bot", Requests.seat_bot),
    _route("POST", "/api/tables/{table}/seats/{seat}/leave", Requests.leave_seat),
    _route("POST", "/api/tables/{table}/seats/{seat}/hint", Requests.hint),
    _route("GET", "/api/tables/{table}/record", Requests.record),
    _route("GET", "/api/tables/{table}/replay", Requests.replay),
    _route("POST", "/api/tables/{table}/branch", Requests.branch, CREATED),
    _route("GET", "/api/tables/{table}/analysis", Requests.analysis),
    _route("POST", "/api/tables/{table}/analysis", Requests.start_analysis),
    _route("GET", "/api/tables/{table}/beliefs", Requests.beliefs),
    _route("GET", "/api/tables/{table}/ratings", Requests.ratings),
    _route("POST", "/api/records", Requests.upload, CREATED),
)
NEEDS_SERVER: Final = (re.compile("/api/(ratings|players)/.+"), re.compile("/api/me/.+"))
