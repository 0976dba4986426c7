"""The settings of a server."""

import os
from pathlib import Path
from typing import NamedTuple


class Settings(NamedTuple):
    """The settings of a server. The defaults suit one process on one machine."""

    data: Path  # directory of the database and the signing keys
    origins: tuple[str, ...] = ()  # other origins that may use the API, such as https://games.example.org
    bot_budget: str = "200ms"  # the time or the simulations that a bot may use for a move
    bot_min_move_ms: int = 700  # the least time that a bot takes for a move, so that players can follow
    bot_workers: int = max(1, (os.cpu_count() or 2) - 1)  # processes in which bots search
    analysis_simulations: int = 0  # per decision; 0 for the default of the best level
    limits: bool = True  # limit the requests of each user and address
    max_connections_per_address: int = 400  # websockets; 0 for no limit
    database_url: str | None = None  # postgresql://…; by default the SQLite file in `data`
    redis_url: str | None = None  # redis://…, for several processes that share a database
    key_path: Path | None = None  # the file of signing keys; by default in `data`
    unstarted_days: float = 2.0  # after which a table that was not started is removed
    inactive_days: float = 30.0  # after which a game without events is abandoned
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None  # of Prometheus metrics; None for no metrics
    allowed_hosts: tuple[str, ...] = ()  # names in a request's Host, beside addresses and localhost; () for any
    public_url: str | None = None  # https://…, under which people reach the server; for links in e-mail
    smtp_url: str | None = None  # smtp://… or smtps://…; None for no e-mail
    mail_from: str | None = None  # the sender of e-mail
    mail_delay_seconds: float = 300.0  # until e-mail is sent to people who have not come by themselves
    push_to_loopback: bool = False  # send notifications to http://127.0.0.1 too, for tests alone
    backup_dir: Path | None = None  # the directory of scheduled backups; None for no backups
    backup_every_seconds: float = 24 * 3600.0
    backup_keep: int = 7  # scheduled backups; older ones are deleted
    drain_seconds: float = 0.0  # between SIGTERM and the closing of connections, in which a proxy notices

    @property
    def database(self) -> Path:
        return self.data / "sevenhues.db"

    @property
    def key_file(self) -> Path:
        return self.key_path or self.data / "signing.keys"

    @property
    def push_key_file(self) -> Path:
        return self.key_file.with_name("push.key")

    @property
    def lock_file(self) -> Path:
        return self.data / "serving.lock"
