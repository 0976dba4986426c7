"""The command line interface, `sevenhues`."""

import io
import os
import sys

import click

from sevenhues import COMPILED, __version__
from sevenhues.cli import analyse, arena, bot, doctor, games, hint, play, records, serve, simulate, train
from sevenhues.cli.completion import PROGRAM, completion
from sevenhues.cli.help_format import HELP_OPTION_NAMES, RECORD_EXIT_STATUSES, CommandGroup
from sevenhues.cli.params import print_error
from sevenhues.core.errors import SevenHuesError

BUILD = "compiled" if COMPILED else "pure Python"


@click.group(
    cls=CommandGroup,
    context_settings={"help_option_names": HELP_OPTION_NAMES, "max_content_width": 100},
    exit_statuses=(*RECORD_EXIT_STATUSES, ("130", "The command was interrupted.")),
    environment=(
        ("NO_COLOR, FORCE_COLOR", "Set to any value to disable or force coloured output."),
        ("SEVENHUES_DEBUG", "Set to 1 to print the traceback of an internal error."),
        ("SEVENHUES_DATA, …", "The options of `serve`; see `sevenhues serve --help`."),
    ),
)
@click.version_option(__version__, message=f"%(prog)s %(version)s ({BUILD})")
def app() -> None:
    """Four rainbow-themed tabletop games for the terminal, the browser and Python.

    To begin, run `sevenhues play rainbow` or `sevenhues serve --open`. A record is the JSON file of a game: the deal,
    the moves and the result. Run `sevenhues COMMAND --help` for the help of a command.
    """


app.add_section("Play", games.list_games, games.rules, play.play, serve.serve)
app.add_section("Records", records.deal, records.replay, records.verify, hint.hint, analyse.analyse, analyse.belief)
app.add_section("Bots", arena.list_bots, arena.arena, bot.bot, simulate.simulate, train.train)
app.add_section("Server administration", *serve.ADMIN, doctor.doctor)
app.add_section("Shell", completion)


def main() -> None:
    """Run the command line. Errors are printed in one or two lines, without a traceback."""
    _open_streams()
    try:
        status = app(standalone_mode=False, prog_name=PROGRAM)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        status = 0
    except click.UsageError as error:
        help_hint = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
        status = print_error(error.format_message() + help_hint, 2)
    except click.ClickException as error:
        status = print_error(error.format_message(), 2)
    except SevenHuesError as error:
        status = print_error(str(error), 2)
    except BrokenPipeError:
        # The reader of the output has closed the pipe. Later writes must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    except OSError as error:
        status = print_error(f"{error.filename or 'output'}: {error.strerror}", 2)
    except (click.Abort, KeyboardInterrupt):
        click.echo(err=True)
        status = 130
    except Exception as error:
        if os.environ.get("SEVENHUES_DEBUG"):
            raise
        status = print_error(f"internal error: {error!r}; set SEVENHUES_DEBUG=1 to see the traceback", 2)
    sys.exit(status or 0)


def _open_streams() -> None:
    """Replace closed standard streams, and characters that a stream cannot encode or decode."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
