"""Runs the real command in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

COMMAND = Path(sys.executable).with_name("sevenhues")


def sevenhues(*args: str, stdin: str | bytes = b"", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; nothing it prints may ever be a traceback."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    done = subprocess.run([COMMAND, *args], input=data, capture_output=True, env=clean | environment, check=False)
    told = subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in told.stderr, told.stderr
    return told


def complaint(done: subprocess.CompletedProcess[str], status: int) -> str:
    """Return what a command that failed said, in one or two lines."""
    assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
    assert done.stderr.startswith("sevenhues: ")
    assert done.stderr.count("\n") <= 2
    return done.stderr.removeprefix("sevenhues: ").rstrip()
