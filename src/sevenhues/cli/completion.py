"""The command `completion`: shell completion of commands, options and their values."""

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, get_completion_class

from sevenhues.cli.help_format import Command

PROGRAM = "sevenhues"
VARIABLE = "_SEVENHUES_COMPLETE"


@add_completion_class
class Bash(BashComplete):
    """Completion for Bash, which splits a=b into three words; they are joined here."""

    def get_completion_args(self) -> tuple[list[str], str]:
        args, incomplete = super().get_completion_args()
        words: list[str] = []
        after_equals = False
        for word in [*args, incomplete]:
            if words and (word == "=" or after_equals):
                words[-1] += word
            else:
                words.append(word)
            after_equals = word == "="
        *args, incomplete = words or [""]
        self.name_before_equals, _, _ = incomplete.rpartition("=")
        return args, incomplete

    def format_completion(self, item: CompletionItem) -> str:
        value, name = str(item.value), self.name_before_equals
        return f"{item.type},{value.removeprefix(f'{name}=') if name else value}"


@click.command(
    cls=Command,
    short_help="Print a script for shell completion.",
    examples=[
        ('eval "$(sevenhues completion bash)"', "Bash: enable completion; add the line to ~/.bashrc to keep it."),
        ('eval "$(sevenhues completion zsh)"', "Zsh: enable completion; add the line to ~/.zshrc to keep it."),
        ("sevenhues completion fish > ~/.config/fish/completions/sevenhues.fish", "Fish: install the completion."),
    ],
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), help="The shell.")
def completion(shell: str) -> None:
    """Print a script that enables completion of this command in SHELL.

    It completes commands, options, and the names of games, bots, options of a game, languages and files.
    """
    completion_class = get_completion_class(shell)
    assert completion_class is not None
    click.echo(completion_class(click.Command(PROGRAM), {}, PROGRAM, VARIABLE).source())
