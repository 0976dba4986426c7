"""Runs a server in one process until it is stopped."""

import asyncio
import logging
import resource
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Literal, Protocol
from urllib.parse import urlsplit

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from sevenhues.core.errors import SevenHuesError, shorten
from sevenhues.server import openapi
from sevenhues.server.accounts.cookies import SigningKeys, load_keys
from sevenhues.server.app import make_app
from sevenhues.server.cluster.bus import RedisBus
from sevenhues.server.cluster.lease import LeaseStore, StoreLease
from sevenhues.server.data_lock import locked_data
from sevenhues.server.garbage_collection import FullCollections
from sevenhues.server.http.context import AppContext
from sevenhues.server.http.network import network_urls
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.log_format import configure
from sevenhues.server.metrics import Metrics
from sevenhues.server.notifications.mail import Mailer, read_smtp_url
from sevenhues.server.notifications.web_push import load_key
from sevenhues.server.prometheus_metrics import PrometheusMetrics, serve_metrics
from sevenhues.server.settings import Settings
from sevenhues.server.store import Store
from sevenhues.server.store.backup import CopyTarget
from sevenhues.server.store.sqlite import SqliteStore, open_database
from sevenhues.server.transport import Connections, HttpProtocol, WebSocketProtocol

PING_SECONDS = 20.0  # between the pings of a websocket, and until a ping times out
SHUTDOWN_SECONDS = 5  # for requests to finish when the server stops
MAX_MESSAGE_BYTES = 16 * 1024  # of a websocket message
TICKS_PER_SECOND = 10  # of uvicorn
MAX_HTTP_CONNECTIONS = 400  # of an address, beside the websockets that it may have
MAX_OPEN_FILES = 65_536
SEND_BUFFER_BYTES = 128 * 1024  # of a connection, in the kernel
log = logging.getLogger("sevenhues")


class Server(uvicorn.Server):
    """Reports when it is ready; before it stops, lets proxies notice, and closes websockets with a reason."""

    server_state: Connections

    def __init__(
        self,
        config: uvicorn.Config,
        connections: Connections,
        context: AppContext,
        collections: FullCollections,
        on_ready: Callable[[], None],
    ) -> None:
        super().__init__(config)
        self.server_state = connections
        self._collections = collections
        self._context = context
        self._on_ready = on_ready
        self._drained_at: float | None = None  # when the server stops that is draining

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop with status 0: on SIGTERM after draining, which another signal ends; on a second Ctrl-C, at once."""
        drain_seconds = self._context.settings.drain_seconds
        if sig == signal.SIGTERM and drain_seconds and self._drained_at is None and not self.should_exit:
            self._context.draining = True
            self._drained_at = time.monotonic() + drain_seconds
            return
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_ready()

    async def on_tick(self, counter: int) -> bool:
        if counter % TICKS_PER_SECOND == 0:
            self.server_state.check()
            self._collections.run_if_due()
        if self._drained_at is not None and time.monotonic() >= self._drained_at:
            self.should_exit = True
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # A client whose connection is closed connects again at once, and must not reach this process.
        for server in self.servers:
            server.close()
        await self._context.live_tables.disconnect_all()
        await super().shutdown(sockets)


class SharedStore(Store, LeaseStore, CopyTarget, Protocol):
    """A store that several processes can share."""


def run(
    settings: Settings, host: str, port: int, proxies: tuple[str, ...], log_level: str, on_ready: Callable[[str], None]
) -> None:
    """Serve until stopped; raise SevenHuesError if the server cannot start."""
    configure(log_level)
    mailer = _mailer(settings)
    check_backups(settings)
    with locked(settings), _serving_metrics(settings) as metrics:
        keys = load_keys(settings.key_file)
        live_tables = make_live_tables(settings, metrics)
        listener = _listen(host, port)
        port = listener.getsockname()[1]
        url = f"http://{_url_host(host)}:{port}"
        context = AppContext(live_tables, keys, network_urls(host, port), load_key(settings.push_key_file), mailer)
        app: Any = make_app(context)
        config = web_config(app, proxies)
        max_websockets = settings.max_connections_per_address if settings.limits else 0
        trusted = ProxyHeadersMiddleware(app, list(proxies)).trusted_hosts
        max_connections = max_websockets + MAX_HTTP_CONNECTIONS if max_websockets else 0
        connections = Connections(max_connections, lambda address: address in trusted)
        _allow_open_files()
        with FullCollections() as collections:
            Server(config, connections, context, collections, lambda: on_ready(url)).run([listener])


def _mailer(settings: Settings) -> Mailer | None:
    """Return what sends e-mail; None if the operator has set no SMTP server."""
    if settings.public_url is not None and urlsplit(settings.public_url).scheme not in ("http", "https"):
        raise SevenHuesError("--public-url must be https://…")
    if settings.smtp_url is None:
        return None
    if settings.public_url is None or settings.mail_from is None:
        raise SevenHuesError("--smtp-url needs --mail-from and, for the links in e-mail, --public-url")
    return Mailer(read_smtp_url(settings.smtp_url), settings.mail_from, settings.public_url)


def check_backups(settings: Settings) -> None:
    """Raise SevenHuesError if the settings of scheduled backups cannot work."""
    if settings.backup_dir is None:
        return
    if settings.database_url is not None:
        raise SevenHuesError("--backup-dir copies an SQLite database: back up PostgreSQL by its own means")
    try:
        settings.backup_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SevenHuesError(f"--backup-dir {settings.backup_dir}: {error.strerror}") from None


def web_config(app: Any, proxies: tuple[str, ...] = (), lifespan: Literal["on", "off"] = "on") -> uvicorn.Config:
    """Return the configuration of the web server."""
    return uvicorn.Config(
        app,
        http=HttpProtocol,
        ws=WebSocketProtocol,
        lifespan=lifespan,
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )


@contextmanager
def locked(settings: Settings) -> Iterator[None]:
    """Lock the data directory or the database, so that only servers that know of each other use it.

    Raise SevenHuesError if another server uses it.
    """
    if settings.database_url is None:
        with locked_data(settings):
            yield
        return
    postgres_store(settings.database_url)  # says what is wrong with the address, or what is not installed
    from sevenhues.server.store.postgres_lock import locked_database

    with locked_database(settings.database_url, shared=settings.redis_url is not None):
        yield


@contextmanager
def _serving_metrics(settings: Settings) -> Iterator[Metrics]:
    if settings.metrics_port is None:
        yield Metrics()
        return
    metrics = PrometheusMetrics()
    with serve_metrics(metrics, settings.metrics_host, settings.metrics_port) as port:
        log.info("serving metrics", extra={"url": f"http://{_url_host(settings.metrics_host)}:{port}/metrics"})
        yield metrics


def make_live_tables(settings: Settings, metrics: Metrics | None = None) -> LiveTables:
    """Connect the live tables to the store that the settings name; raise SevenHuesError if it cannot be used."""
    if settings.database_url is None:
        if settings.redis_url is not None:
            raise SevenHuesError("--redis-url is for several processes, which need a --database-url that they share")
        open_database(settings.database).close()
        return LiveTables(settings, SqliteStore(settings.database), metrics=metrics)
    store = postgres_store(settings.database_url)
    asyncio.run(_check_store(store))
    if settings.redis_url is None:
        return LiveTables(settings, store, metrics=metrics)
    return LiveTables(settings, store, RedisBus(settings.redis_url), StoreLease(store), metrics=metrics)


def postgres_store(url: str) -> SharedStore:
    """Return the store of a PostgreSQL database."""
    if not url.startswith(("postgresql://", "postgres://")):
        raise SevenHuesError(f"--database-url must be postgresql://…, not {shorten(url.split('@')[-1])}")
    try:
        from sevenhues.server.store.postgres import PostgresStore
    except ImportError:
        raise SevenHuesError("--database-url needs the extra `scale`: pip install 'sevenhues[scale]'") from None
    return PostgresStore(url)


async def _check_store(store: Store) -> None:
    await store.open()
    await store.close()


def schema_document() -> dict[str, Any]:
    """Return the OpenAPI document without starting a server."""
    settings = Settings(Path())  # the store is not opened
    live_tables = LiveTables(settings, SqliteStore(settings.database))
    return openapi.document(make_app(AppContext(live_tables, SigningKeys(["unused"]))))


def _url_host(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _allow_open_files() -> None:
    """Raise the soft limit of open files, each of which may be a connection, towards the hard limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < MAX_OPEN_FILES:
        allowed = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_OPEN_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise SevenHuesError(
            f"cannot listen on {host}:{port}: {error.strerror or error}; --port 0 uses any free port"
        ) from None
    # Limits what the kernel holds for a client that does not read; the connection's queue has a limit of its own.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    return listener
