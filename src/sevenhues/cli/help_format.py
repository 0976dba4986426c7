"""The format of help pages: options in sections, exit statuses, environment variables and examples."""

from collections.abc import Mapping, Sequence
from typing import Any

import click
from click import Context, HelpFormatter

Rows = Sequence[tuple[str, str]]
MAX_SHORT_HELP = 200  # characters of a command in the list of a family; it may take several lines

HELP_OPTION_NAMES = ("-h", "--help")
RECORD_EXIT_STATUSES: Rows = (
    ("0", "Success."),
    ("1", "A record breaks a rule, or its result is wrong."),
    ("2", "The input is not a readable record, or the arguments are invalid."),
)


class Command(click.Command):
    """A command whose help page has exit statuses, examples, and options in titled sections of parameter names."""

    def __init__(
        self,
        *args: Any,
        sections: Mapping[str, Sequence[str]] | None = None,
        exit_statuses: Rows = (),
        examples: Rows = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.sections = sections or {}
        self.exit_statuses = exit_statuses
        self.examples = examples

    def get_help_option_names(self, ctx: Context) -> list[str]:
        return list(HELP_OPTION_NAMES)  # Click caches the help option, so its names must not depend on the context

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        section_of = {name: title for title, names in self.sections.items() for name in names}
        rows_of: dict[str, list[tuple[str, str]]] = {title: [] for title in (*self.sections, "Options")}
        for param in self.get_params(ctx):
            row = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if row is not None:
                rows_of[section_of.get(param.name or "", "Options")].append(row)
        for title, rows in rows_of.items():
            _write_section(formatter, title, rows)

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        _write_section(formatter, "Exit status", self.exit_statuses)
        _write_examples(formatter, self.examples)
        super().format_epilog(ctx, formatter)


class Subcommands(Command, click.Group):
    """A command with commands of its own, which its help page lists in titled sections of command names."""

    def __init__(
        self,
        *args: Any,
        command_sections: Mapping[str, Sequence[str]] | None = None,
        environment: Rows = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.command_sections = command_sections or {}
        self.environment = environment

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        width = max(len(name) for name in self.commands)
        listed = {name for names in self.command_sections.values() for name in names}
        for title, names in {**self.command_sections, "Commands": sorted(self.commands.keys() - listed)}.items():
            rows = [(f"{name:<{width}}", self.commands[name].get_short_help_str(MAX_SHORT_HELP)) for name in names]
            _write_section(formatter, title, rows)

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        _write_section(formatter, "Environment", self.environment)
        super().format_epilog(ctx, formatter)


class CommandGroup(click.Group):
    """The main command, whose help page lists the commands in titled sections."""

    def __init__(self, *args: Any, environment: Rows = (), exit_statuses: Rows = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.command_sections: dict[str, list[click.Command]] = {}
        self.environment = environment
        self.exit_statuses = exit_statuses

    def add_section(self, title: str, *commands: click.Command) -> None:
        """Add commands under a title."""
        self.command_sections[title] = list(commands)
        for command in commands:
            self.add_command(command)

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        width = max(len(name) for name in self.commands)
        for title, commands in self.command_sections.items():
            rows = [(f"{command.name:<{width}}", command.get_short_help_str(formatter.width)) for command in commands]
            _write_section(formatter, title, rows)

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        _write_section(formatter, "Environment", self.environment)
        _write_section(formatter, "Exit status", self.exit_statuses)
        super().format_epilog(ctx, formatter)


def _write_section(formatter: HelpFormatter, title: str, rows: Rows) -> None:
    if rows:
        with formatter.section(title):
            formatter.write_dl(rows)


def _write_examples(formatter: HelpFormatter, examples: Rows) -> None:
    """Write each command on a line of its own, so that it can be copied, and its description below it."""
    if not examples:
        return
    with formatter.section("Examples"):
        for command, description in examples:
            formatter.write(f"{'':>{formatter.current_indent}}{command}\n")
            with formatter.indentation(), formatter.indentation():
                formatter.write_text(description)
