"""`sevenhues play` in a real terminal: it restores the terminal and names the record."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from tests.cli.command import COMMAND, error_message, invoke

DEADLINE_SECONDS = 60.0  # reached only by a failing test
ALTERNATE_SCREEN, NORMAL_SCREEN = b"\x1b[?1049h", b"\x1b[?1049l"


class TerminalProcess:
    """A command in a pseudo-terminal."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._terminal, command_end = pty.openpty()
        termios.tcsetwinsize(command_end, (24, 80))
        self.settings_before = termios.tcgetattr(command_end)
        self._command_end = command_end
        overrides = ("COLUMNS", "LINES", "NO_COLOR")  # of the terminal's size and colours
        inherited = {name: value for name, value in os.environ.items() if name not in overrides}
        self.process = subprocess.Popen(
            [COMMAND, *arguments],
            stdin=command_end,
            stdout=command_end,
            stderr=command_end,
            env=inherited | {"TERM": "xterm-256color"} | environment,
            start_new_session=True,
        )
        self.output = b""

    def wait_for(self, text: str, seconds: float = DEADLINE_SECONDS) -> None:
        deadline = time.monotonic() + seconds
        while text.encode() not in self.output:
            assert time.monotonic() < deadline, self.output[-2000:]
            assert self._read() or self.process.poll() is None, self.output[-2000:]

    def _read(self) -> bool:
        ready, _, _ = select.select([self._terminal], [], [], 0.2)
        if ready:
            self.output += os.read(self._terminal, 65536)
        return bool(ready)

    def press(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def finish(self) -> int:
        """Wait until the command has ended and all its output is read; return its status."""
        deadline = time.monotonic() + DEADLINE_SECONDS
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self.output[-2000:]
            self._read()
        while self._read():
            pass
        self.settings_after = termios.tcgetattr(self._command_end)
        os.close(self._terminal)
        os.close(self._command_end)
        return self.process.returncode

    def exit_status(self) -> int:
        """Wait until the command has ended and check that it restored the terminal; return its status."""
        status = self.finish()
        assert self.settings_after == self.settings_before
        assert self.output.count(ALTERNATE_SCREEN) == self.output.count(NORMAL_SCREEN) == 1
        return status

    def output_after_exit(self) -> str:
        return self.output.split(NORMAL_SCREEN)[-1].decode()


@pytest.mark.slow
@pytest.mark.parametrize("cause", ["\x03", "SIGTERM", "SIGHUP"])
def test_leaving_restores_the_terminal_and_names_the_record(cause: str, tmp_path: Path) -> None:
    process = TerminalProcess("play", "rainbow", "--seed", "1", XDG_DATA_HOME=str(tmp_path))
    process.wait_for("type a move")
    process.press("s1\r")
    process.wait_for("played card")
    if cause.startswith("SIG"):
        process.process.send_signal(signal.Signals[cause])
    else:
        process.press(cause)
    assert process.exit_status() == 0
    location = re.search(r"The record is in (.*)\.\r\n", process.output_after_exit())
    assert location
    assert json.loads(Path(location[1]).read_text())["moves"][0] == "0 S1"
    assert f"sevenhues play --resume '{location[1]}'" in process.output_after_exit()


@pytest.mark.slow
def test_resume_continues_a_game_from_its_record(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    invoke("play", "rainbow", "--seed", "1", "--save", str(file), stdin="s1\nq\n")
    assert json.loads(file.read_text())["moves"] == ["0 S1"]
    process = TerminalProcess("play", "--resume", str(file))
    process.wait_for("Seat 0 played card 1 as seen")
    process.press("e\r")
    process.wait_for("ended the turn")
    process.press("\x11y")
    assert process.exit_status() == 0
    assert json.loads(file.read_text())["moves"][:2] == ["0 S1", "0 E"]


@pytest.mark.slow
def test_game_without_a_move_is_not_saved(tmp_path: Path) -> None:
    process = TerminalProcess("play", "flip-and-slide", "--seats", "me,me", XDG_DATA_HOME=str(tmp_path))
    process.wait_for("type a move")
    process.press("\x03")
    assert process.exit_status() == 0
    assert "record" not in process.output_after_exit()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_play_in_a_pipe_uses_line_mode(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    done = invoke("play", "rainbow", "--plain", "--seats", "bot:seedling,me:Ada", "--save", str(file), stdin="q\n")
    assert "You are seat 1." in done.stdout
    assert json.loads(file.read_text())["seats"] == ["bot:seedling", "Ada"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["play"], "name a game"),
        (["play", "rainbow", "--seats", "me,you"], "seat 1 is me, me:NAME, bot or bot:LEVEL, not 'you'"),
        (["play", "rainbow", "--seats", "me,bot:nobody"], "Rainbow has no bot 'nobody'"),
        (["play", "rainbow", "--seats", "me"], "Rainbow is for 2 seats, not 1"),
        (["play", "rainbow", "--seats", "5"], "Rainbow is for 2 seats, not 5"),
        (["play", "rainbow", "--seats", "me,me"], "line mode is for one player against bots, not for 2"),
        (["play", "rainbow", "--option", "x=1"], "Rainbow has no option 'x'"),
        (["play", "--join", "https://example.org/t/x"], "--join needs a terminal"),
        (["play", "--resume", "/no/such/file"], "/no/such/file: No such file or directory"),
    ],
)
def test_misuse_of_play_is_reported_in_one_line(args: list[str], message: str) -> None:
    assert message in error_message(invoke(*args), 2)


@pytest.mark.slow
def test_unreachable_server_is_reported_in_one_line(tmp_path: Path) -> None:
    process = TerminalProcess("play", "--join", "http://127.0.0.1:1/t/nowhere", XDG_DATA_HOME=str(tmp_path))
    process.wait_for("cannot reach http://127.0.0.1:1")
    assert process.finish() == 2
    assert b"Traceback" not in process.output


def test_full_screen_without_textual_says_what_to_install(tmp_path: Path) -> None:
    missing = 'raise ModuleNotFoundError("No module named \'textual\'", name="textual")'
    (tmp_path / "textual.py").write_text(missing, encoding="utf-8")
    process = TerminalProcess("play", "rainbow", PYTHONPATH=str(tmp_path), XDG_DATA_HOME=str(tmp_path))
    process.wait_for('(--plain is line mode) needs textual: pip install "sevenhues[play]"')
    assert process.finish() == 2
    assert not (tmp_path / "sevenhues").exists()


@pytest.mark.slow
@pytest.mark.parametrize("words", ["games", "play --help", "play rainbow --plain"])
def test_only_full_screen_play_imports_textual(words: str) -> None:
    code = f"import sys; sys.argv = ['sevenhues', *{words.split()!r}]\ntry:\n from sevenhues.cli import main; main()\n"
    code += "finally:\n print(sorted({'textual', 'sevenhues.client'} & set(sys.modules)), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], input=b"q\n", capture_output=True, check=True)
    assert done.stderr.decode().strip().endswith("[]")
