"""The server and what keeps it: `serve`, `schema`, `backup`, `restore`, `migrate`, `rerate`, `rotate-key`."""

import json
import webbrowser
from pathlib import Path
from typing import Any

import click

from sevenhues.cli.help_format import Page
from sevenhues.server.settings import Settings

ENV = "SEVENHUES"
DEFAULTS = Settings()
DATA = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULTS.data,
    show_default="your data directory",
    envvar=f"{ENV}_DATA",
    help="Where tables and keys are kept.",
)


@click.command(
    cls=Page,
    short_help="Open tables for people and bots: browser and API.",
    context_settings={"auto_envvar_prefix": ENV, "show_default": True},
    sections={
        "Where it is reached": ["host", "port", "origins", "proxies", "open_browser"],
        "What it keeps": ["data", "keys", "store", "bus"],
        "Bots and stories": ["think", "pace", "workers", "story"],
        "What it allows, and tells": ["limits", "sockets_of_address", "log_level"],
    },
    statuses=(("0", "It was stopped, by Ctrl-C or SIGTERM."), ("2", "It could not start; a line says why.")),
    examples=[
        ("sevenhues serve --open", "For yourself: open the games in your browser."),
        ("sevenhues serve --host 0.0.0.0", "For everybody in your network."),
        ("sevenhues serve --data /var/lib/sevenhues --trusted-proxy 127.0.0.1", "Behind a proxy, for the world."),
    ],
)
@click.option("--host", default="127.0.0.1", help="The address to listen at; 0.0.0.0 for the whole network.")
@click.option("--port", default=8777, type=click.IntRange(0, 65535), help="The port; 0 takes a free one.")
@DATA
@click.option("--store", metavar="URL", help="postgresql://…, for several processes; by default a file in --data.")
@click.option("--bus", metavar="URL", help="redis://…, by which several processes tell each other of moves.")
@click.option("--keys", type=click.Path(dir_okay=False, path_type=Path), help="The signing keys; by default in --data.")
@click.option(
    "--trusted-proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    envvar=f"{ENV}_TRUSTED_PROXY",
    help="A proxy to believe.",
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    envvar=f"{ENV}_ORIGIN",
    help="The address people use, where a proxy does not pass Host on.",
)
@click.option("--think", default=DEFAULTS.think, help="How long bots may search for a move.")
@click.option(
    "--pace", default=DEFAULTS.pace, type=click.IntRange(0), help="Least milliseconds a bot takes for a move."
)
@click.option("--workers", default=DEFAULTS.workers, type=click.IntRange(1), help="Processes in which bots think.")
@click.option(
    "--story",
    default=DEFAULTS.story,
    type=click.IntRange(0),
    help="Simulations a decision when a game is analysed; 0 is what the best level takes.",
)
@click.option(
    "--sockets-of-address",
    default=DEFAULTS.sockets_of_address,
    type=click.IntRange(0),
    help="Websockets that one address may have open; 0 is no limit.",
)
@click.option("--limits/--no-limits", default=True, help="Bound what one person and one address may ask.")
@click.option(
    "--log-level",
    default="info",
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="The least that is worth a line in the log, on standard error.",
)
@click.option("--open", "open_browser", is_flag=True, help="Open the games in a browser.")
def serve(
    host: str,
    port: int,
    data: Path,
    store: str | None,
    bus: str | None,
    keys: Path | None,
    proxies: tuple[str, ...],
    origins: tuple[str, ...],
    think: str,
    pace: int,
    workers: int,
    story: int,
    sockets_of_address: int,
    limits: bool,
    log_level: str,
    open_browser: bool,
) -> None:
    """Serve the games: tables for people, bots and watchers, in the browser and over the API.

    Every option can be given as an environment variable: SEVENHUES_PORT, SEVENHUES_TRUSTED_PROXY and so on, where
    several values are separated by spaces.
    """
    from sevenhues.bots import Think
    from sevenhues.server.main import run

    Think.read(think)
    settings = Settings(
        data,
        origins,
        think,
        pace,
        workers,
        story=story,
        limits=limits,
        sockets_of_address=sockets_of_address,
        store=store,
        bus=bus,
        keys=keys,
    )

    def told(url: str) -> None:
        click.echo(f"Seven Hues is open at {url} (Ctrl-C stops it).")
        if open_browser:
            webbrowser.open(url)

    run(settings, host, port, proxies, log_level, told)


@click.command(cls=Page, examples=[("sevenhues schema > openapi.json", "For whatever reads OpenAPI.")])
def schema() -> None:
    """Print the API as OpenAPI: routes, websocket messages, views."""
    from sevenhues.server.main import schema_document

    click.echo(json.dumps(schema_document(), indent=1))


@click.command(
    cls=Page,
    short_help="Copy all tables, while the server runs or not.",
    examples=[("sevenhues backup tables.db", "A whole copy, also while people play.")],
)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), help="Where the copy goes.")
@DATA
def backup(file: Path, data: Path) -> None:
    """Copy all tables into FILE, while the server runs or not.

    The signing keys are not in it: keep a copy of them elsewhere, or guests lose their seats with the keys.
    """
    from sevenhues.server.store import backup

    settings = Settings(data)
    count = backup.backup(settings.database, file)
    click.echo(f"{file}: {count} tables. The keys are in {settings.key_file}.")


@click.command(
    cls=Page,
    short_help="Bring back the tables of a backup.",
    examples=[("sevenhues restore tables.db", "Go back to that copy.")],
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="What `backup` wrote.")
@DATA
def restore(file: Path, data: Path) -> None:
    """Bring back the tables of a backup in FILE; the server must not be running.

    What was there before is kept beside it.
    """
    from sevenhues.server.data_lock import only_server
    from sevenhues.server.store import backup

    settings = Settings(data)
    with only_server(settings):
        count, kept = backup.restore(file, settings.database)
    click.echo(f"{count} tables are back." + (f" What was there before is in {kept}." if kept else ""))


@click.command(
    cls=Page,
    short_help="Move all tables from the SQLite file to PostgreSQL.",
    examples=[("sevenhues migrate --store postgresql://user:word@host/tables", "Before the first shared start.")],
)
@DATA
@click.option("--store", metavar="URL", required=True, help="An empty PostgreSQL database, postgresql://…, to move to.")
def migrate(data: Path, store: str) -> None:
    """Move all tables from the SQLite file in --data to PostgreSQL, and check each there; the server must be stopped.

    The file stays as it is.
    """
    import asyncio

    from sevenhues.server.data_lock import only_server
    from sevenhues.server.main import shared_store
    from sevenhues.server.store import backup

    settings = Settings(data)
    with only_server(settings):
        tables, events = asyncio.run(backup.move(settings.database, shared_store(store)))
    click.echo(f"{tables} tables with {events} events are there, each compared.")


@click.command(
    cls=Page,
    short_help="Work out all ratings anew.",
    examples=[("sevenhues rerate", "After an upgrade that changed how games are rated.")],
)
@DATA
@click.option("--store", metavar="URL", help="postgresql://…, where the server uses one.")
def rerate(data: Path, store: str | None) -> None:
    """Work out all ratings anew from the games that were played; the server must be stopped."""
    import asyncio
    from contextlib import nullcontext

    from sevenhues.server.data_lock import only_server
    from sevenhues.server.main import shared_store
    from sevenhues.server.ratings import rebuild
    from sevenhues.server.store.sqlite import SqliteStore

    settings = Settings(data)
    with only_server(settings) if store is None else nullcontext():
        found = SqliteStore(settings.database) if store is None else shared_store(store)
        done = asyncio.run(rebuild.rerate(found))
    unread = f"; {done.unread} cannot be read" if done.unread else ""
    click.echo(f"{done.rated} of {done.finished} finished games count{unread}.")


@click.command(
    "rotate-key",
    cls=Page,
    short_help="Sign cookies with a new key from now on.",
    examples=[
        ("sevenhues rotate-key", "Now and then: guests stay who they are."),
        ("sevenhues rotate-key --keep 0", "When a key may have got out: everybody is new."),
    ],
)
@DATA
@click.option("--keep", default=1, show_default=True, type=click.IntRange(0), help="Old keys that stay good.")
def rotate_key(data: Path, keep: int) -> None:
    """Sign cookies with a new key from the next start on; --keep 0 makes all guests strangers."""
    from sevenhues.server.accounts import cookies

    count = cookies.rotate(Settings(data).key_file, keep)
    click.echo(f"A new key signs from the next start on; {count} in all are good.")


KEEPING: tuple[Any, ...] = (schema, backup, restore, migrate, rerate, rotate_key)
