"""Runs the server: one process, until it is told to stop."""

import asyncio
import signal
import socket
from collections.abc import Callable
from contextlib import nullcontext
from types import FrameType
from typing import TYPE_CHECKING, Any

import uvicorn

from sevenhues.core.errors import SevenHuesError, shorten
from sevenhues.server import openapi
from sevenhues.server.accounts.cookies import Keys, load_keys
from sevenhues.server.app import make_app
from sevenhues.server.cluster.bus import RedisBus
from sevenhues.server.cluster.lease import StoreLease
from sevenhues.server.data_lock import only_server
from sevenhues.server.live.live_tables import House
from sevenhues.server.log_format import configure
from sevenhues.server.settings import Settings
from sevenhues.server.store import Store
from sevenhues.server.store.sqlite import SqliteStore, open_database

if TYPE_CHECKING:
    from sevenhues.server.store.postgres import PostgresStore

PING = 20.0  # seconds between a socket's heartbeats, and how long an answer may take
GRACEFUL = 5  # seconds that requests have to finish when the server stops
MOST_FRAME = 16 * 1024  # bytes of a websocket message
MOST_UNSENT = 128 * 1024  # bytes that the system keeps for a client


class Server(uvicorn.Server):
    """Tells when it is ready, and closes websockets kindly before it stops."""

    def __init__(self, config: uvicorn.Config, house: House, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._house = house
        self._ready = ready

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop when asked to, with status 0; at once when asked twice."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._house.say_goodbye()
        await super().shutdown(sockets)


def run(
    settings: Settings, host: str, port: int, proxies: tuple[str, ...], log_level: str, told: Callable[[str], None]
) -> None:
    """Serve until stopped; raises SevenHuesError when that cannot begin."""
    configure(log_level)
    with only_server(settings) if settings.store is None else nullcontext():
        house = make_house(settings)
        listening = _listen(host, port)
        name = f"[{host}]" if ":" in host else host
        url = f"http://{name}:{listening.getsockname()[1]}"
        config = uvicorn.Config(
            make_app(house),
            ws="websockets-sansio",
            ws_max_size=MOST_FRAME,
            ws_ping_interval=PING,
            ws_ping_timeout=PING,
            ws_per_message_deflate=False,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=list(proxies),
            timeout_graceful_shutdown=GRACEFUL,
        )
        Server(config, house, lambda: told(url)).run([listening])


def make_house(settings: Settings) -> House:
    """Build the house that the settings ask for; whatever is wrong with them is said here, before anything listens."""
    keys = load_keys(settings.key_file)
    if settings.store is None:
        if settings.bus is not None:
            raise SevenHuesError("--bus is for several processes, which need a --store that they share")
        open_database(settings.database).close()
        return House(settings, SqliteStore(settings.database), keys)
    store = shared_store(settings.store)
    asyncio.run(_try(store))
    if settings.bus is None:
        return House(settings, store, keys)
    return House(settings, store, keys, RedisBus(settings.bus), StoreLease(store))


def shared_store(address: str) -> "PostgresStore":
    """Return the store at an address."""
    if not address.startswith(("postgresql://", "postgres://")):
        raise SevenHuesError(f"--store is postgresql://…, not {shorten(address.split('@')[-1])}")
    try:
        from sevenhues.server.store.postgres import PostgresStore
    except ImportError:
        raise SevenHuesError("PostgreSQL needs the extra `scale`: pip install 'sevenhues[scale]'") from None
    return PostgresStore(address)


async def _try(store: Store) -> None:
    await store.open()
    await store.close()


def schema_document() -> dict[str, Any]:
    """Return the OpenAPI document without running anything."""
    settings = Settings()
    return openapi.document(make_app(House(settings, SqliteStore(settings.database), Keys(["unused"]))))


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise SevenHuesError(
            f"cannot listen at {host}:{port}: {error.strerror or error}; --port 0 takes a free one"
        ) from None
    # What waits for a client that does not read is bounded here and in its queue, whatever the system would allow.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_UNSENT)
    return listening
