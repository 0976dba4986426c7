"""Run the command `sevenhues`, in a process of its own or, to be faster, in this one."""

import io
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sevenhues.cli import main

COMMAND = Path(sys.executable).with_name("sevenhues")
COLOUR_VARIABLES = ("NO_COLOR", "FORCE_COLOR")
WIDTH = {"COLUMNS": "80"}  # the width of help texts must not depend on the terminal that runs the tests


def sevenhues(*args: str, stdin: str | bytes = b"", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own; fail if it prints a traceback."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    inherited = {name: value for name, value in os.environ.items() if name not in COLOUR_VARIABLES}
    done = subprocess.run([COMMAND, *args], input=data, capture_output=True, env=inherited | WIDTH | environment)
    result = subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in result.stderr, result.stderr
    return result


def invoke(*args: str, stdin: str | bytes = b"", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in this process, which saves its start-up time; return the same as `sevenhues`."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    buffers = [io.BytesIO(data), io.BytesIO(), io.BytesIO()]
    standard_input, output, errors = (
        io.TextIOWrapper(buffer, encoding="utf-8", write_through=True) for buffer in buffers
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["sevenhues", *args])
        patch.setattr(sys, "stdin", standard_input)
        patch.setattr(sys, "stdout", output)
        patch.setattr(sys, "stderr", errors)
        for name in COLOUR_VARIABLES:
            patch.delenv(name, raising=False)
        for name, value in (WIDTH | environment).items():
            patch.setenv(name, value)
        with pytest.raises(SystemExit) as ended:
            main()
        status = ended.value.code
    assert status is None or isinstance(status, int)
    written = [buffer.getvalue().decode() for buffer in buffers[1:]]
    return subprocess.CompletedProcess([str(COMMAND), *args], status or 0, *written)


def error_message(done: subprocess.CompletedProcess[str], status: int) -> str:
    """Return the error of a command that failed with this status: one or two lines."""
    assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
    assert done.stderr.startswith("sevenhues: ")
    assert done.stderr.count("\n") <= 2
    return done.stderr.removeprefix("sevenhues: ").rstrip()


def wait_for(holds: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until a condition holds; fail when it does not within so many seconds."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "the condition does not hold in time"
        time.sleep(0.02)
