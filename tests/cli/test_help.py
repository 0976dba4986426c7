"""The manual: every command and option says what it is for, its examples are real, and shells complete it."""

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
from sevenhues.cli.manual import Page
from tests.cli.command import COMMAND, invoke

PAGES = sorted(app.commands)


@pytest.mark.parametrize("name", PAGES)
def test_every_command_and_option_has_help(name: str) -> None:
    page = app.commands[name]
    assert isinstance(page, Page)
    assert page.examples, "no example"
    with click.Context(page, info_name=name) as ctx:
        assert re.match(r"[A-Z].{10}", page.help or "")
        assert not page.get_short_help_str(64).endswith("...")
        for param in page.get_params(ctx):
            told = param.get_help_record(ctx)
            assert told, f"{param.name} has no help"
            assert re.match(r"[A-Za-z].*\.( +\[.*\])?$", told[1], re.DOTALL), told
        placed = [param for listed in page.sections.values() for param in listed]
        assert set(placed) <= {param.name for param in page.params}


def test_help_lists_every_command_once() -> None:
    told = invoke("--help").stdout
    assert sorted(re.findall(r"^  ([a-z][a-z-]+) +[A-Z]", told, re.MULTILINE)) == PAGES
    assert "..." not in told.split("Play:")[1]


@pytest.mark.parametrize("name", PAGES)
def test_examples_in_help_are_valid_commands(name: str) -> None:
    """What follows `sevenhues` is parsed as the command would; nothing is run."""
    page = app.commands[name]
    assert isinstance(page, Page)
    for line, about in page.examples:
        assert about.endswith((".", "?"))
        for part in re.findall(r"sevenhues ([^|>)\"]*)", line):
            word, *words = shlex.split(part)
            files = [re.sub(r".*\*.*|[\w./-]+\.(json|db)$", __file__, one) for one in words]
            app.commands[word].make_context(word, files)


COMPLETED = {
    "sevenhues re": "replay rerate restore",
    "sevenhues play ": " ".join(names()),
    "sevenhues play rainbow --bot=m": "master",
    "sevenhues arena nimble --bots master,see": "master,seedling",
    "sevenhues deal rainbow-road -o dir": "direction=free direction=clockwise",
    "sevenhues deal rainbow-road -o direction=c": "clockwise",
    "sevenhues deal nimble --see": "--seed",
    "sevenhues rules nimble --language ": "en de ja nl",
    "sevenhues replay game.json --seat w": "watcher",
    "sevenhues verify ": "compopt -o default",
}
TYPED = """
PATH=$1:$PATH
eval "$(sevenhues completion bash)"
compopt() { COMPREPLY+=("compopt $1 $2"); }
while IFS= read -r COMP_LINE; do
    read -r -a COMP_WORDS <<< "${COMP_LINE//=/ = }"  # as readline does: = is a word of its own
    [[ $COMP_LINE == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
    COMPREPLY=()
    _sevenhues_completion sevenhues < /dev/null
    echo "${COMPREPLY[@]}"
done
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_commands_and_arguments() -> None:
    lines = "".join(f"{line}\n" for line in COMPLETED)
    bash = ["bash", "--norc", "-c", TYPED, "bash", str(COMMAND.parent)]
    done = subprocess.run(bash, input=lines, capture_output=True, text=True, check=True)
    assert dict(zip(COMPLETED, done.stdout.splitlines(), strict=True)) == COMPLETED
    assert not done.stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_tab_completes_in_a_terminal() -> None:
    ours, theirs = pty.openpty()
    environment = os.environ | {"PATH": f"{COMMAND.parent}:{os.environ['PATH']}", "TERM": "dumb"}
    shell = subprocess.Popen(
        ["bash", "--norc", "--noprofile", "-i"], stdin=theirs, stdout=subprocess.PIPE, stderr=theirs, env=environment
    )
    os.write(ours, b'eval "$(sevenhues completion bash)"\n')
    os.write(ours, b"sevenhues deal rainbow-road -o direction=cl\t --seed hello | tr -d ' \\n'; exit\n")
    told, _ = shell.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert b'"direction":"clockwise"' in told


@pytest.mark.parametrize(
    ("shell", "given"),
    [
        ("zsh", {"COMP_WORDS": "sevenhues play rainbow --bot m", "COMP_CWORD": "4"}),
        ("fish", {"COMP_WORDS": "sevenhues play rainbow --bot", "COMP_CWORD": "m"}),
    ],
)
def test_zsh_and_fish_complete_arguments(shell: str, given: dict[str, str]) -> None:
    assert f"_SEVENHUES_COMPLETE={shell}_complete" in invoke("completion", shell).stdout
    assert "master" in invoke(_SEVENHUES_COMPLETE=f"{shell}_complete", **given).stdout
