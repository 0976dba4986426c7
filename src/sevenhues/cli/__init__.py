"""The command `sevenhues`."""

import io
import os
import sys

import click

from sevenhues import COMPILED, __version__
from sevenhues.cli import analyse, arena, games, hint, play, records, serve, simulate, train
from sevenhues.cli.completion import completion
from sevenhues.cli.help_format import OF_RECORDS, Contents
from sevenhues.cli.params import complain
from sevenhues.core.errors import SevenHuesError

HOW = "compiled" if COMPILED else "pure Python"


@click.group(
    cls=Contents,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    statuses=(*OF_RECORDS, ("130", "It was interrupted.")),
    variables=(
        ("NO_COLOR, FORCE_COLOR", "Set to anything: never, or always, print colour."),
        ("SEVENHUES_DEBUG", "Set to 1: a mistake of ours shows where it happened."),
        ("SEVENHUES_DATA, …", "Every option of `serve`: see `sevenhues serve --help`."),
    ),
)
@click.version_option(__version__, message=f"%(prog)s %(version)s ({HOW})")
def app() -> None:
    """Four rainbow-themed tabletop games, ruled exactly: played here, in the browser and from Python.

    `sevenhues play rainbow` and `sevenhues serve --open` are good to begin with. A record is a game as a JSON file: the
    deal, the moves, the result. Every command has a page of its own: `sevenhues COMMAND --help`.
    """


app.add_room("Play", games.games, games.rules, play.play, serve.serve)
app.add_room(
    "Records of games", records.deal, records.replay, records.verify, hint.hint, analyse.analyse, analyse.belief
)
app.add_room("Bots", arena.bots, arena.arena, simulate.simulate, train.train)
app.add_room("A server's keeping", *serve.KEEPING)
app.add_room("This command", completion)


def main() -> None:
    """Run the command; every error ends in a line or two, never in a traceback."""
    _open_streams()
    try:
        status = app(standalone_mode=False, prog_name="sevenhues")
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        status = 0
    except click.UsageError as error:
        hint = f" ({error.ctx.command_path} --help tells more)" if error.ctx else ""
        status = complain(error.format_message() + hint, 2)
    except click.ClickException as error:
        status = complain(error.format_message(), 2)
    except SevenHuesError as error:
        status = complain(str(error), 2)
    except BrokenPipeError:
        # Whoever read our output has had enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    except OSError as error:
        status = complain(f"{error.filename or 'output'}: {error.strerror}", 2)
    except (click.Abort, KeyboardInterrupt):
        click.echo(err=True)
        status = 130
    except Exception as error:
        if os.environ.get("SEVENHUES_DEBUG"):
            raise
        status = complain(f"a mistake of ours, {error!r}; with SEVENHUES_DEBUG=1 it shows where", 2)
    sys.exit(status or 0)


def _open_streams() -> None:
    """Make sure that there is something to read from and write to, and that no character stops us."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
