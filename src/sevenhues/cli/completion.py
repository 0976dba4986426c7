"""`completion`: lets a shell complete commands, options, and the names of games, bots and files."""

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, get_completion_class

from sevenhues.cli.help_format import Page

PROGRAM = "sevenhues"
VARIABLE = "_SEVENHUES_COMPLETE"


@add_completion_class
class Bash(BashComplete):
    """Bash, which takes a=b for three words; we take it for one."""

    def get_completion_args(self) -> tuple[list[str], str]:
        args, incomplete = super().get_completion_args()
        words: list[str] = []
        glued = False
        for word in [*args, incomplete]:
            if words and (word == "=" or glued):
                words[-1] += word
            else:
                words.append(word)
            glued = word == "="
        *args, incomplete = words or [""]
        self.given, _, _ = incomplete.rpartition("=")
        return args, incomplete

    def format_completion(self, item: CompletionItem) -> str:
        value = str(item.value)
        return f"{item.type},{value.removeprefix(f'{self.given}=') if self.given else value}"


@click.command(
    cls=Page,
    examples=[
        ('eval "$(sevenhues completion bash)"', "Bash: now, and ever after as a line of ~/.bashrc."),
        ('eval "$(sevenhues completion zsh)"', "Zsh: likewise, in ~/.zshrc."),
        ("sevenhues completion fish > ~/.config/fish/completions/sevenhues.fish", "Fish: from the next shell on."),
    ],
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), help="The shell that is to complete.")
def completion(shell: str) -> None:
    """Print a script that makes SHELL complete this command.

    Commands and options are completed, and what they are given: games, bots, options of a game, languages, files.
    """
    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(click.Command(PROGRAM), {}, PROGRAM, VARIABLE).source())
