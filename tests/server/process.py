"""A server in a process of its own, which tests can stop, kill and start again."""

import os
import resource
import signal
import socket
import subprocess
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

from tests.cli.command import COMMAND

DEADLINE_SECONDS = 60.0
READY = "Seven Hues is open at "


def reserve_port() -> socket.socket:
    """Reserve a port of 127.0.0.1 for a program that will listen at it, for as long as the socket is open.

    The socket is bound and never listens. Another socket may listen at its port if it sets SO_REUSEADDR, as servers do,
    but the kernel assigns it to no program that asks for any free port, and to no outgoing connection.
    """
    reserved = socket.socket()
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserved.bind(("127.0.0.1", 0))
    return reserved


def port_of(bound: socket.socket) -> int:
    port: int = bound.getsockname()[1]
    return port


class ServerProcess:
    """Serves a data directory at one port, which stays the same when the server is started again."""

    def __init__(
        self,
        data: Path,
        *options: str,
        bot_min_move_ms: int = 0,
        max_file_bytes: int | None = None,
        package: Path | None = None,
    ) -> None:
        self.data = data
        self.package = package  # a folder with another package `sevenhues` than the installed one
        self.max_file_bytes = max_file_bytes  # the size at which writing to a file fails, as on a full disk
        self.log = data / "server.log"
        reserved = reserve_port()
        self._release_port = weakref.finalize(self, reserved.close)
        self.port = port_of(reserved)
        self.url = f"http://127.0.0.1:{self.port}"
        metrics = reserve_port()
        self._release_metrics_port = weakref.finalize(self, metrics.close)
        self.metrics_port = port_of(metrics)
        self._options = ["--bot-min-move-ms", str(bot_min_move_ms), "--metrics-port", str(self.metrics_port), *options]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.stop()
        self._release_port()
        self._release_metrics_port()

    def start(self) -> None:
        """Start the server, and return when it says that it is ready."""
        self.data.mkdir(parents=True, exist_ok=True)
        command = [str(COMMAND), "serve", "--port", str(self.port), "--data", str(self.data), "--bot-workers", "1"]
        with open(self.log, "ab") as log:
            begin = log.tell()
            environment = os.environ | ({"PYTHONPATH": str(self.package)} if self.package else {})
            self._process = subprocess.Popen([*command, *self._options], stdout=log, stderr=log, env=environment)
        if self.max_file_bytes is not None:
            _, hard_limit = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (self.max_file_bytes, hard_limit))
        deadline = time.monotonic() + DEADLINE_SECONDS
        while READY not in self.logged(begin):
            assert self._process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, f"the server is not ready:\n{self.log.read_text()}"
            time.sleep(0.02)

    def logged(self, begin: int = 0) -> str:
        """Return the log from a position on, which `log_size` gave."""
        with open(self.log, "rb") as log:
            log.seek(begin)
            return log.read().decode(errors="replace")

    def metrics(self) -> str:
        """Return the metrics of the server."""
        return httpx.get(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=60).raise_for_status().text

    @property
    def log_size(self) -> int:
        return self.log.stat().st_size

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Kill the server with SIGKILL: it flushes nothing and closes no connection."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def stop(self) -> int:
        """Ask the server to stop, and return its exit status."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.terminate()
        return self._process.wait(DEADLINE_SECONDS)


@contextmanager
def two_processes(folder: Path, *options: str) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    """Run two processes of one server, which have the same signing keys; `options` name the store that they share."""
    options = (*options, "--key-file", str(folder / "signing.keys"))
    with ServerProcess(folder / "one", *options) as one, ServerProcess(folder / "two", *options) as two:
        yield one, two
