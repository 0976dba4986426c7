"""Servers that start fast: forks of a process that has imported everything, so that tests can kill hundreds of them."""

import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from tests.server.process import DEADLINE_SECONDS, READY, port_of, reserve_port

ROOT = Path(__file__).parents[2]


class ForkServer:
    """A process without a server of its own, which forks servers."""

    def __init__(self, library: Path | None = None) -> None:
        environment = dict(os.environ) | ({"LD_PRELOAD": str(library)} if library is not None else {})
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.fork_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env=environment,
            text=True,
        )
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._process.communicate(timeout=DEADLINE_SECONDS)

    def ask(self, **request: Any) -> int:
        """Send a request, and return its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            return int(self._process.stdout.readline())


class ForkedServer:
    """A server that is started, dies and is started again, always at the same port."""

    def __init__(self, forks: ForkServer, data: Path, *options: str) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self.data = data
        self.log = data / "server.log"
        self._forks = forks
        self._reserved = reserve_port()
        self.port = port_of(self._reserved)
        self.url = f"http://127.0.0.1:{self.port}"
        self._arguments = ["serve", "--port", str(self.port), "--data", str(data), "--no-limits", *options]
        self._pid = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.kill()
        self._reserved.close()

    def start(self, **environment: str) -> bool:
        """Start the server, and return when it is ready; False if it died before."""
        begin = self.log.stat().st_size if self.log.exists() else 0
        self._pid = self._forks.ask(arguments=self._arguments, environment=environment, log=str(self.log))
        deadline = time.monotonic() + DEADLINE_SECONDS
        while READY not in self.logged(begin):
            if self.dead():
                return False
            assert time.monotonic() < deadline, self.logged(begin)
            time.sleep(0.01)
        return True

    def logged(self, begin: int = 0) -> str:
        if not self.log.exists():
            return ""
        with open(self.log, "rb") as log:
            log.seek(begin)
            return log.read().decode(errors="replace")

    def dead(self) -> bool:
        """Tell whether the server has died; fail if that was not by SIGKILL."""
        if self._pid:
            status = self._forks.ask(poll=self._pid)
            if status >= 0:
                self._pid = 0
                assert os.WIFSIGNALED(status), self.logged()[-4000:]
                assert os.WTERMSIG(status) == signal.SIGKILL, self.logged()[-4000:]
        return not self._pid

    def kill(self) -> None:
        """Kill the server with SIGKILL, unless it is dead."""
        if not self.dead():
            os.kill(self._pid, signal.SIGKILL)
            while not self.dead():
                time.sleep(0.001)


def main(requests: IO[str]) -> None:
    """Answer requests: fork a server and return its process id; return the status of a dead one, or -1."""
    import uvicorn.loops.auto
    import uvicorn.protocols.http.auto  # noqa: F401

    from sevenhues.core import registry
    from sevenhues.server import main as server_main
    from sevenhues.server.store import postgres_lock  # noqa: F401

    del server_main
    for name in registry.names():
        registry.load(name)
    gc.collect()
    gc.freeze()
    for line in requests:
        request = json.loads(line)
        if "poll" in request:
            pid, status = os.waitpid(request["poll"], os.WNOHANG)
            answer = status if pid else -1
        else:
            answer = os.fork()
            if not answer:
                _serve(request)
        print(answer, flush=True)


def _serve(request: Any) -> None:
    """Become a server."""
    import sevenhues.cli
    from sevenhues.server.store import sqlite

    log = os.open(request["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    sys.stdin = open(os.devnull)  # noqa: SIM115
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.environ.update(request["environment"])
    pages = os.environ.get("CHECKPOINT_PAGES")
    if pages is not None:
        connect = sqlite.connect

        def connect_with_checkpoints(path: Path) -> Any:
            db = connect(path)
            db.execute(f"PRAGMA wal_autocheckpoint = {int(pages)}")
            return db

        sqlite.connect = connect_with_checkpoints
    skew, right_time = float(os.environ.get("CLOCK_SKEW_SECONDS", "0")), time.time
    time.time = lambda: right_time() + skew
    try:
        sys.argv = ["sevenhues", *request["arguments"]]
        sevenhues.cli.main()
    finally:
        os._exit(1)


if __name__ == "__main__":
    main(sys.stdin)
