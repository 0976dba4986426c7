"""A real server in a process of its own, that can be stopped, killed and started again."""

import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.cli.command import COMMAND

PATIENCE = 30.0


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


class ServerProcess:
    """Serves a data directory at one port, through as many processes as it takes."""

    def __init__(self, data: Path, *more: str, pace: int = 0, most_bytes: int | None = None) -> None:
        self.data = data
        self.most_bytes = most_bytes  # of any file it writes: a disk that is soon full
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = data / "server.log"
        self._arguments = ["--pace", str(pace), *more]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.stop()

    def start(self) -> None:
        self.data.mkdir(parents=True, exist_ok=True)
        command = [str(COMMAND), "serve", "--port", str(self.port), "--data", str(self.data), "--workers", "1"]
        with open(self.log, "ab") as log:
            self._process = subprocess.Popen([*self._limit(), *command, *self._arguments], stdout=log, stderr=log)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            assert self._process.poll() is None, self.log.read_text()
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise AssertionError(f"the server did not come up:\n{self.log.read_text()}")

    def _limit(self) -> list[str]:
        return ["prlimit", f"--fsize={self.most_bytes}"] if self.most_bytes is not None else []

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """kill -9: nothing is flushed, nobody is told."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def stop(self) -> int:
        """Ask it to stop, and return its exit status."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.terminate()
        return self._process.wait(PATIENCE)
