"""How help reads: like a page of a manual, with examples, exit statuses and options in sections."""

from collections.abc import Mapping, Sequence
from typing import Any

import click
from click import Context, HelpFormatter

Rows = Sequence[tuple[str, str]]

OF_RECORDS: Rows = (
    ("0", "All is well."),
    ("1", "A record breaks a rule, or tells a wrong result."),
    ("2", "It is no record, cannot be read, or the command was misused."),
)


class Page(click.Command):
    """A command whose help has sections of options (by parameter), exit statuses and examples."""

    def __init__(
        self,
        *args: Any,
        sections: Mapping[str, Sequence[str]] | None = None,
        statuses: Rows = (),
        examples: Rows = (),
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self.sections = sections or {}
        self.statuses = statuses
        self.examples = examples

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        placed = {name: title for title, names in self.sections.items() for name in names}
        found: dict[str, list[tuple[str, str]]] = {title: [] for title in (*self.sections, "Options")}
        for param in self.get_params(ctx):
            row = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if row is not None:
                found[placed.get(param.name or "", "Options")].append(row)
        for title, rows in found.items():
            _list(formatter, title, rows)

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        _list(formatter, "Exit status", self.statuses)
        _list_below(formatter, "Examples", self.examples)
        super().format_epilog(ctx, formatter)


class Contents(click.Group):
    """The command's own page: what it can do, room by room."""

    def __init__(self, *args: Any, variables: Rows = (), statuses: Rows = (), **more: Any) -> None:
        super().__init__(*args, **more)
        self.rooms: dict[str, list[click.Command]] = {}
        self.variables = variables
        self.statuses = statuses

    def add_room(self, title: str, *commands: click.Command) -> None:
        self.rooms[title] = list(commands)
        for command in commands:
            self.add_command(command)

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        wide = max(len(name) for name in self.commands)
        for title, commands in self.rooms.items():
            rows = [(f"{one.name:<{wide}}", one.get_short_help_str(formatter.width)) for one in commands]
            _list(formatter, title, rows)

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        _list(formatter, "Environment", self.variables)
        _list(formatter, "Exit status", self.statuses)
        super().format_epilog(ctx, formatter)


def _list(formatter: HelpFormatter, title: str, rows: Rows) -> None:
    if rows:
        with formatter.section(title):
            formatter.write_dl(rows)


def _list_below(formatter: HelpFormatter, title: str, rows: Rows) -> None:
    """List commands with what they do on a line of its own, so that they can be copied whole."""
    if not rows:
        return
    with formatter.section(title):
        for command, about in rows:
            formatter.write(f"{'':>{formatter.current_indent}}{command}\n")
            with formatter.indentation(), formatter.indentation():
                formatter.write_text(about)
