"""Every command and option has help, examples are valid, and shells complete arguments."""

import os
import pty
import re
import shlex
import shutil
import subprocess

import click
import pytest

from sevenhues import names
from sevenhues.cli import app
from sevenhues.cli.help_format import Command
from tests.cli.command import COMMAND, invoke

COMMAND_NAMES = sorted(app.commands)


@pytest.mark.parametrize("name", COMMAND_NAMES)
def test_every_command_and_option_has_help(name: str) -> None:
    command = app.commands[name]
    assert isinstance(command, Command)
    assert command.examples, "no example"
    with click.Context(command, info_name=name) as ctx:
        assert re.match(r"[A-Z].{10}", command.help or "")
        assert not command.get_short_help_str(64).endswith("...")
        for param in command.get_params(ctx):
            row = param.get_help_record(ctx)
            assert row, f"{param.name} has no help"
            assert re.match(r"[A-Za-z].*\.( +\[.*\])?$", row[1], re.DOTALL), row
        in_sections = [param for section in command.sections.values() for param in section]
        assert set(in_sections) <= {param.name for param in command.params}


def test_help_lists_every_command_once() -> None:
    output = invoke("--help").stdout
    assert sorted(re.findall(r"^  ([a-z][a-z-]+) +[A-Z]", output, re.MULTILINE)) == COMMAND_NAMES
    assert "..." not in output.split("Play:")[1]


@pytest.mark.parametrize("name", COMMAND_NAMES)
def test_examples_in_help_are_valid_commands(name: str) -> None:
    """The arguments of each example are parsed; no command is run."""
    command = app.commands[name]
    assert isinstance(command, Command)
    for line, description in command.examples:
        assert description.endswith((".", "?"))
        for part in re.findall(r"sevenhues ([^|>)\"]*)", line):
            word, *words = shlex.split(part)
            arguments = [re.sub(r".*\*.*|[\w./-]+\.(json|db)$", __file__, argument) for argument in words]
            app.commands[word].make_context(word, arguments)


# Bash splits these lines into several words, or completes them by itself.
COMPLETED_BY_BASH = {
    "sevenhues re": "rebuild-ratings replay restore",
    "sevenhues play rainbow --bot=m": "master",
    "sevenhues deal rainbow-road -o direction=c": "clockwise",
    "sevenhues verify ": "compopt -o default",
}
COMPLETED = {
    "sevenhues play ": " ".join(names()),
    "sevenhues arena nimble --bots master,see": "master,seedling",
    "sevenhues deal rainbow-road -o dir": "direction=free direction=clockwise",
    "sevenhues deal nimble --see": "--seed",
    "sevenhues rules nimble --language ": "en de ja nl",
    "sevenhues replay game.json --seat w": "watcher",
}
BASH_SCRIPT = """
PATH=$1:$PATH
eval "$(sevenhues completion bash)"
compopt() { COMPREPLY+=("compopt $1 $2"); }
while IFS= read -r COMP_LINE; do
    read -r -a COMP_WORDS <<< "${COMP_LINE//=/ = }"  # like readline, which makes = a word of its own
    [[ $COMP_LINE == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
    COMPREPLY=()
    _sevenhues_completion sevenhues < /dev/null
    echo "${COMPREPLY[@]}"
done
"""


@pytest.mark.parametrize(("line", "completions"), COMPLETED.items())
def test_arguments_are_completed(line: str, completions: str) -> None:
    words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)}
    output = invoke(_SEVENHUES_COMPLETE="bash_complete", **words).stdout
    assert output.split() == [f"plain,{value}" for value in completions.split()]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_commands_and_arguments() -> None:
    lines = "".join(f"{line}\n" for line in COMPLETED_BY_BASH)
    bash = ["bash", "--norc", "-c", BASH_SCRIPT, "bash", str(COMMAND.parent)]
    done = subprocess.run(bash, input=lines, capture_output=True, text=True, check=True)
    assert dict(zip(COMPLETED_BY_BASH, done.stdout.splitlines(), strict=True)) == COMPLETED_BY_BASH
    assert not done.stderr


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_tab_completes_in_a_terminal() -> None:
    terminal, shell_end = pty.openpty()
    environment = os.environ | {"PATH": f"{COMMAND.parent}:{os.environ['PATH']}", "TERM": "dumb"}
    shell = subprocess.Popen(
        ["bash", "--norc", "--noprofile", "-i"],
        stdin=shell_end,
        stdout=subprocess.PIPE,
        stderr=shell_end,
        env=environment,
    )
    os.write(terminal, b'eval "$(sevenhues completion bash)"\n')
    os.write(terminal, b"sevenhues deal rainbow-road -o direction=cl\t --seed hello | tr -d ' \\n'; exit\n")
    output, _ = shell.communicate(timeout=60)
    os.close(terminal)
    os.close(shell_end)
    assert b'"direction":"clockwise"' in output


@pytest.mark.parametrize(
    ("shell", "variables"),
    [
        ("zsh", {"COMP_WORDS": "sevenhues play rainbow --bot m", "COMP_CWORD": "4"}),
        ("fish", {"COMP_WORDS": "sevenhues play rainbow --bot", "COMP_CWORD": "m"}),
    ],
)
def test_zsh_and_fish_complete_arguments(shell: str, variables: dict[str, str]) -> None:
    assert f"_SEVENHUES_COMPLETE={shell}_complete" in invoke("completion", shell).stdout
    assert "master" in invoke(_SEVENHUES_COMPLETE=f"{shell}_complete", **variables).stdout
