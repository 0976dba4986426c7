"""The commands of a server: `serve`, and the administration of its data."""

import json
import os
import webbrowser
from pathlib import Path
from typing import Any

import click
from platformdirs import user_data_path

from sevenhues.cli.extras import requires_play
from sevenhues.cli.help_format import Command
from sevenhues.cli.params import Duration
from sevenhues.core.errors import SevenHuesError
from sevenhues.server.settings import Settings

ENVIRONMENT_PREFIX = "SEVENHUES"
DEFAULTS = Settings(user_data_path("sevenhues"))
DATA = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULTS.data,
    show_default="your data directory",
    envvar=f"{ENVIRONMENT_PREFIX}_DATA",
    help="The directory of the database and the signing keys.",
)

DATABASE_URL = click.option(
    "--database-url", metavar="URL", help="The PostgreSQL database, postgresql://…, if the server uses one."
)


def read_secret(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Return the value of an option that may hold a password; without one, read the file that the environment names."""
    name = f"{ENVIRONMENT_PREFIX}_{(param.name or '').upper()}_FILE"
    if value is not None or not os.environ.get(name):
        return value
    try:
        return Path(os.environ[name]).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise click.BadParameter(f"{name} cannot be read: {reason}", ctx, param) from None


@click.command(
    cls=Command,
    short_help="Run a server for people and bots: browser and API.",
    context_settings={"auto_envvar_prefix": ENVIRONMENT_PREFIX, "show_default": True},
    sections={
        "Network": ["host", "port", "origins", "allowed_hosts", "proxies", "drain_seconds", "open_browser"],
        "Storage": ["data", "key_file", "database_url", "redis_url"],
        "Backups": ["backup_dir", "backup_every", "backup_keep"],
        "Bots and analyses": ["bot_budget", "bot_min_move_ms", "bot_workers", "analysis_simulations"],
        "Notifications": ["public_url", "smtp_url", "mail_from", "mail_delay", "push_to_loopback"],
        "Limits": ["limits", "max_connections_per_address"],
        "Monitoring": ["log_level", "metrics_port", "metrics_host"],
    },
    exit_statuses=(("0", "It was stopped by Ctrl-C or SIGTERM."), ("2", "It could not start; a message says why.")),
    examples=[
        ("sevenhues serve --open", "For yourself: open the games in your browser."),
        ("sevenhues serve --host 0.0.0.0", "For everybody in your network."),
        ("sevenhues serve --data /var/lib/sevenhues --trusted-proxy 127.0.0.1", "Behind a reverse proxy."),
    ],
)
@click.option("--host", default="127.0.0.1", help="The address to listen on; 0.0.0.0 for all interfaces.")
@click.option("--port", default=8777, type=click.IntRange(0, 65535), help="The port; 0 for any free port.")
@DATA
@click.option(
    "--database-url",
    metavar="URL",
    callback=read_secret,
    help="A PostgreSQL database, postgresql://…; by default an SQLite file in --data.",
)
@click.option(
    "--redis-url",
    metavar="URL",
    callback=read_secret,
    help="A Redis server, redis://…, for several processes with one database.",
)
@click.option(
    "--backup-dir",
    type=click.Path(file_okay=False, path_type=Path),
    show_default="no backups",
    help="The directory to which the SQLite database and the keys are backed up.",
)
@click.option("--backup-every", default="24h", type=Duration(), help="The time between two backups: 90s, 30m, 24h, 7d.")
@click.option(
    "--backup-keep",
    default=DEFAULTS.backup_keep,
    type=click.IntRange(1),
    help="Backups to keep; older ones are deleted.",
)
@click.option(
    "--key-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file of signing keys; by default in --data.",
)
@click.option(
    "--trusted-proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    envvar=f"{ENVIRONMENT_PREFIX}_TRUSTED_PROXY",
    help="A reverse proxy whose X-Forwarded headers are trusted.",
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    envvar=f"{ENVIRONMENT_PREFIX}_ORIGIN",
    help="Another origin to accept, if a proxy does not forward Host.",
)
@click.option(
    "--allowed-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    show_default="any",
    envvar=f"{ENVIRONMENT_PREFIX}_ALLOWED_HOST",
    help="A host name of the server; requests for another are refused.",
)
@click.option("--bot-budget", default=DEFAULTS.bot_budget, help="A bot's budget per move: 200ms, 1.5s, or simulations.")
@click.option(
    "--bot-min-move-ms",
    default=DEFAULTS.bot_min_move_ms,
    type=click.IntRange(0),
    help="The least time a bot takes for a move, in milliseconds.",
)
@click.option(
    "--bot-workers", default=DEFAULTS.bot_workers, type=click.IntRange(1), help="Worker processes in which bots search."
)
@click.option(
    "--analysis-simulations",
    default=DEFAULTS.analysis_simulations,
    type=click.IntRange(0),
    help="Simulations per decision in analyses; 0 for the best level's own.",
)
@click.option(
    "--public-url",
    metavar="URL",
    help="The address under which people reach the server, https://…; for links in e-mail, and for push services.",
)
@click.option(
    "--smtp-url",
    metavar="URL",
    callback=read_secret,
    help="A server for e-mail, smtp://user:password@host:587; by default no e-mail is sent.",
)
@click.option("--mail-from", metavar="ADDRESS", help="The sender of e-mail.")
@click.option(
    "--mail-delay",
    default=DEFAULTS.mail_delay_seconds,
    type=click.FloatRange(0),
    help="Seconds until an e-mail is sent to a player who has not come without it.",
)
@click.option("--push-to-loopback", is_flag=True, help="For tests: send notifications to http://127.0.0.1 too.")
@click.option(
    "--max-connections-per-address",
    default=DEFAULTS.max_connections_per_address,
    type=click.IntRange(0),
    help="Websockets that one address may have open; 0 for no limit.",
)
@click.option("--limits/--no-limits", default=True, help="Limit the requests of each user and address.")
@click.option(
    "--log-level",
    default="info",
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="The lowest level that is logged, to standard error.",
)
@click.option(
    "--metrics-port",
    type=click.IntRange(0, 65535),
    show_default="no metrics",
    help="The port of metrics for Prometheus; 0 for any free port.",
)
@click.option(
    "--metrics-host", default=DEFAULTS.metrics_host, help="The address of the metrics. Do not publish it to players."
)
@click.option(
    "--drain-seconds",
    default=DEFAULTS.drain_seconds,
    type=click.FloatRange(0),
    help="Seconds in which a proxy can notice that the server is about to stop, after SIGTERM.",
)
@click.option("--open", "open_browser", is_flag=True, help="Open the games in a browser.")
def serve(
    host: str,
    port: int,
    data: Path,
    database_url: str | None,
    redis_url: str | None,
    backup_dir: Path | None,
    backup_every: float,
    backup_keep: int,
    key_file: Path | None,
    proxies: tuple[str, ...],
    origins: tuple[str, ...],
    allowed_hosts: tuple[str, ...],
    bot_budget: str,
    bot_min_move_ms: int,
    bot_workers: int,
    analysis_simulations: int,
    public_url: str | None,
    smtp_url: str | None,
    mail_from: str | None,
    mail_delay: float,
    push_to_loopback: bool,
    max_connections_per_address: int,
    limits: bool,
    log_level: str,
    metrics_port: int | None,
    metrics_host: str,
    drain_seconds: float,
    open_browser: bool,
) -> None:
    """Run a server: tables for people, bots and watchers, in the browser and over the API.

    Every option can be set by an environment variable: SEVENHUES_PORT, SEVENHUES_TRUSTED_PROXY and so on. Several
    values are separated by spaces. SEVENHUES_DATABASE_URL_FILE, SEVENHUES_REDIS_URL_FILE and SEVENHUES_SMTP_URL_FILE
    name files that hold these URLs.
    """
    from sevenhues.bots.budget import Budget

    with requires_play("the server"):
        from sevenhues.server.main import run

    Budget.parse(bot_budget)
    settings = Settings(
        data,
        origins,
        bot_budget,
        bot_min_move_ms,
        bot_workers,
        analysis_simulations,
        limits,
        max_connections_per_address,
        database_url,
        redis_url,
        key_file,
        metrics_host=metrics_host,
        metrics_port=metrics_port,
        allowed_hosts=allowed_hosts,
        public_url=public_url,
        smtp_url=smtp_url,
        mail_from=mail_from,
        mail_delay_seconds=mail_delay,
        push_to_loopback=push_to_loopback,
        backup_dir=backup_dir,
        backup_every_seconds=backup_every,
        backup_keep=backup_keep,
        drain_seconds=drain_seconds,
    )

    def on_ready(url: str) -> None:
        click.echo(f"Seven Hues is open at {url} (Ctrl-C stops it).")
        if open_browser:
            webbrowser.open(url)

    run(settings, host, port, proxies, log_level, on_ready)


@click.command(cls=Command, examples=[("sevenhues schema > openapi.json", "For tools that read OpenAPI.")])
def schema() -> None:
    """Print the OpenAPI schema: routes, websocket messages, views."""
    with requires_play("the schema"):
        from sevenhues.server.main import schema_document

    click.echo(json.dumps(schema_document(), indent=1))


@click.command(
    cls=Command,
    short_help="Back up the database, also while the server runs.",
    examples=[("sevenhues backup tables.db", "Copy the database to a file.")],
)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), help="The file to write.")
@DATA
def backup(file: Path, data: Path) -> None:
    """Copy the SQLite database to FILE, also while the server runs.

    The signing keys are not included. Back them up too: without them guests lose their seats. Backups that `serve`
    writes by itself (--backup-dir) include them.
    """
    from sevenhues.server.store import backup

    settings = Settings(data)
    count = backup.backup(settings.database, file)
    click.echo(f"{file}: {count} tables. The signing keys are in {settings.key_file}.")


@click.command(
    cls=Command,
    short_help="Restore the database from a backup.",
    examples=[
        ("sevenhues restore tables.db", "Replace the database by a backup."),
        ("sevenhues restore .", "From the directory of a scheduled backup, also its keys if there are none."),
    ],
)
@click.argument(
    "file",
    type=click.Path(exists=True, path_type=Path),
    help="A file that `backup` wrote, or the directory of a scheduled backup.",
)
@DATA
@click.option(
    "--key-file",
    type=click.Path(dir_okay=False, path_type=Path),
    envvar=f"{ENVIRONMENT_PREFIX}_KEY_FILE",
    help="The file of signing keys; by default in --data.",
)
@click.option("--replace-keys", is_flag=True, help="Restore the keys of a scheduled backup also if there are others.")
def restore(file: Path, data: Path, key_file: Path | None, replace_keys: bool) -> None:
    """Replace the SQLite database by the backup in FILE; the server must be stopped.

    The replaced database is kept beside the new one. A scheduled backup includes the signing keys and the push key;
    they are restored if there are none.
    """
    from sevenhues.server.data_lock import locked_data
    from sevenhues.server.store import backup, backup_folder

    settings = Settings(data, key_path=key_file)
    kept: list[Path] = []
    with locked_data(settings):
        if file.is_dir():
            sources = backup_folder.Sources(settings.database, settings.key_file, settings.push_key_file)
            count, replaced, kept = backup_folder.restore_backup(file, sources, replace_keys)
        else:
            count, replaced = backup.restore(file, settings.database)
    click.echo(f"Restored {count} tables." + (f" The replaced database is in {replaced}." if replaced else ""))
    for path in kept:
        click.echo(f"Kept {path}, which differs from the backup's: --replace-keys replaces it.")


@click.command(
    "copy-to-postgres",
    cls=Command,
    short_help="Copy the database from SQLite to PostgreSQL.",
    examples=[
        (
            "sevenhues copy-to-postgres --database-url postgresql://user:password@host/sevenhues",
            "Before a shared start.",
        )
    ],
)
@DATA
@click.option("--database-url", metavar="URL", required=True, help="An empty PostgreSQL database, postgresql://….")
def copy_to_postgres(data: Path, database_url: str) -> None:
    """Copy the SQLite database in --data to PostgreSQL and compare every row; the server must be stopped.

    The SQLite file is not changed.
    """
    import asyncio

    with requires_play("a copy to PostgreSQL"):
        from sevenhues.server.data_lock import locked_data
        from sevenhues.server.main import postgres_store
        from sevenhues.server.store import backup

    settings = Settings(data)
    with locked_data(settings):
        tables, events = asyncio.run(backup.copy_to_postgres(settings.database, postgres_store(database_url)))
    click.echo(f"Copied and compared {tables} tables with {events} events.")


@click.command(
    "rebuild-ratings",
    cls=Command,
    short_help="Compute all ratings again.",
    examples=[("sevenhues rebuild-ratings", "After an upgrade that changed how games are rated.")],
)
@DATA
@DATABASE_URL
def rebuild_ratings(data: Path, database_url: str | None) -> None:
    """Compute all ratings again from the finished games; the server must be stopped."""
    import asyncio

    with requires_play("rebuilding ratings"):
        from sevenhues.server.jobs import rating_rebuild
        from sevenhues.server.main import locked

    settings = Settings(data, database_url=database_url)
    with locked(settings):
        _print_rebuilt(asyncio.run(rating_rebuild.rebuild_ratings(_store(settings))))


@click.command(
    cls=Command,
    short_help="Mark a player as a program.",
    examples=[
        (
            "sevenhues flag 0123456789abcdef --reason 'moves like a bot'",
            "Games from now on do not count.",
        ),
        ("sevenhues flag 0123456789abcdef --rebuild", "Earlier games do not count either."),
        ("sevenhues flag 0123456789abcdef --lift --rebuild", "All games of the player count again."),
    ],
)
@click.argument("player", help="The end of the address of a profile, /players/…, or the id of a user.")
@click.option("--reason", default="", show_default="none", help="For yourself; it is shown to nobody.")
@click.option("--lift", is_flag=True, help="Remove the mark.")
@click.option("--rebuild", is_flag=True, help="Compute all ratings again; the server must be stopped.")
@DATA
@DATABASE_URL
def flag(player: str, reason: str, lift: bool, rebuild: bool, data: Path, database_url: str | None) -> None:
    """Mark PLAYER as a program that was not registered as one, or remove the mark.

    Games of a marked player do not count from now on, and the player is not on the leaderboards. Earlier games lose
    their effect when ratings are rebuilt. Without --rebuild the server may run.
    """
    import asyncio
    from contextlib import nullcontext

    with requires_play("marking a player"):
        from sevenhues.server.jobs import rating_rebuild
        from sevenhues.server.main import locked

    settings = Settings(data, database_url=database_url)
    if database_url is None and not settings.database.exists():
        raise SevenHuesError(f"there is no database at {settings.database}: give the server's --data or --database-url")
    with locked(settings) if rebuild else nullcontext():
        store = _store(settings)
        changed = asyncio.run(rating_rebuild.flag_player(store, player, reason, lift))
        if lift:
            click.echo(f"{player} is not marked any more." if changed else f"{player} was not marked.")
        else:
            click.echo(f"{player} is marked as a program.")
        if rebuild:
            _print_rebuilt(asyncio.run(rating_rebuild.rebuild_ratings(store)))
        else:
            late = "Games that did not count do so after" if lift else "Earlier games keep their effect until"
            click.echo(f"{late} `sevenhues rebuild-ratings`.")


@click.command(
    "rotate-key",
    cls=Command,
    short_help="Add a new key for signing cookies.",
    examples=[
        ("sevenhues rotate-key", "Regularly: guests stay signed in."),
        ("sevenhues rotate-key --keep 0", "After a key has leaked: all guests are signed out."),
    ],
)
@DATA
@click.option("--keep", default=1, show_default=True, type=click.IntRange(0), help="Old keys that stay valid.")
def rotate_key(data: Path, keep: int) -> None:
    """Add a new key, with which the server signs cookies after its next start.

    With --keep 0 all cookies become invalid.
    """
    with requires_play("a signing key"):
        from sevenhues.server.accounts import cookies

    count = cookies.rotate_key(Settings(data).key_file, keep)
    click.echo(f"Added a key; it is used after the next start. {count} keys are valid.")


def _store(settings: Settings) -> Any:
    """Return the store that the settings name."""
    from sevenhues.server.main import postgres_store
    from sevenhues.server.store.sqlite import SqliteStore

    if settings.database_url is not None:
        return postgres_store(settings.database_url)
    return SqliteStore(settings.database)


def _print_rebuilt(counts: Any) -> None:
    unreadable = f"; {counts.unreadable} cannot be read" if counts.unreadable else ""
    click.echo(f"Rated {counts.rated} of {counts.finished} finished games{unreadable}.")


ADMIN: tuple[Any, ...] = (schema, backup, restore, copy_to_postgres, rebuild_ratings, flag, rotate_key)
