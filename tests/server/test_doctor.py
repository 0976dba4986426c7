"""`sevenhues doctor` is silent about a right installation, and finds each planted fault."""

import json
import os
import resource
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
import pytest

from sevenhues import COMPILED
from sevenhues.server.accounts.cookies import load_keys, read_keys, rotate_key
from sevenhues.server.doctor import installation
from sevenhues.server.doctor.diagnosis import HEADER, PATH
from sevenhues.server.doctor.examine import examine
from sevenhues.server.doctor.findings import Finding, Status, exit_status
from sevenhues.server.settings import Settings
from sevenhues.server.store.backup_folder import MANIFEST, BackupFolder, Sources
from sevenhues.server.store.sqlite import open_database
from tests.cli.command import sevenhues
from tests.server.process import ServerProcess
from tests.server.reverse_proxy import UNTRUSTED_ADDRESS, ReverseProxy, make_certificate
from tests.server.services import Postgres, Redis

pytestmark = pytest.mark.slow
TRUSTED = ("127.0.0.1",)
OF_THE_MACHINE = ("build", "disk", "backup disk", "open files")  # which a test cannot choose


class Installation(NamedTuple):
    """A server behind a proxy with TLS, as the documents describe it."""

    server: ServerProcess
    proxy: ReverseProxy
    settings: Settings

    def examine(self, port: int = 0, proxies: tuple[str, ...] = TRUSTED, **changed: Any) -> list[Finding]:
        return [*examine(self.settings._replace(**changed), "127.0.0.1", port or self.server.port, proxies)]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("installed")
    certificate = folder / "certificate.pem"
    tls = make_certificate(certificate, 90)
    data, backups = folder / "data", folder / "backups"
    options = ("--trusted-proxy", *TRUSTED, "--backup-dir", str(backups))
    with ExitStack() as stack:
        trusting = stack.enter_context(pytest.MonkeyPatch.context())
        trusting.setenv("SSL_CERT_FILE", str(certificate))
        data.mkdir(mode=0o700)
        sources = Sources(data / "sevenhues.db", data / "signing.keys", data / "push.key")
        open_database(sources.database).close()
        load_keys(sources.signing_keys)
        BackupFolder(backups, sources).write()
        server = stack.enter_context(ServerProcess(data, *options))
        proxy = stack.enter_context(ReverseProxy(server.port, tls))
        settings = Settings(data, public_url=proxy.url, backup_dir=backups, metrics_port=server.metrics_port)
        body = {"game": "rainbow", "seats": [{"kind": "me"}, {"kind": "open"}]}
        with httpx.Client(base_url=server.url, timeout=60) as http:
            http.get("/api/me").raise_for_status()
            http.post("/api/tables", json=body).raise_for_status()
        yield Installation(server, proxy, settings)


def test_doctor_is_silent_about_a_right_installation(installed: Installation) -> None:
    findings = installed.examine()
    complaints = [one for one in findings if one.status != "ok" and one.check not in OF_THE_MACHINE]
    assert complaints == []
    assert {one.check for one in findings} >= {"keys", "store", "server", "backups", "websocket", "client address"}
    assert [one.status for one in findings if one.check == "build"] == ["ok" if COMPILED else "warning"]


@pytest.mark.parametrize(
    ("fault", "check", "status"),
    [
        ("no address", "client address", "error"),
        ("forged address", "client address", "error"),
        ("not trusted", "client address", "error"),
        ("no scheme", "scheme", "error"),
        ("no upgrade", "websocket", "error"),
        ("other host", "host", "error"),
        ("no hsts", "hsts", "error"),
        ("insecure cookie", "cookie", "error"),
        ("no compression", "compression", "warning"),
        ("small bodies", "body size", "error"),
        ("wrong date", "clock", "error"),
    ],
)
def test_doctor_finds_a_fault_of_the_proxy(installed: Installation, fault: str, check: str, status: Status) -> None:
    installed.proxy.fault = fault
    try:
        findings = installed.examine()
    finally:
        installed.proxy.fault = ""
    assert (check, status) in [(one.check, one.status) for one in findings]
    assert all(one.advice for one in findings if one.status in ("warning", "error"))
    if fault == "not trusted":
        assert any(f"--trusted-proxy {UNTRUSTED_ADDRESS}" in one.advice for one in findings)


@contextmanager
def mode(path: Path, changed: int) -> Iterator[None]:
    before = path.stat().st_mode
    path.chmod(changed)
    try:
        yield
    finally:
        path.chmod(before)


@contextmanager
def event_to_come(settings: Settings) -> Iterator[None]:
    """Store a time of tomorrow, as if the clock had been set back since."""
    with closing(sqlite3.connect(settings.database, isolation_level=None)) as db:
        db.execute("UPDATE tables SET updated = updated + 86400000")
        try:
            yield
        finally:
            db.execute("UPDATE tables SET updated = updated - 86400000")


@contextmanager
def old_backup(settings: Settings) -> Iterator[None]:
    sources = Sources(settings.database, settings.key_file, settings.push_key_file)
    assert settings.backup_dir is not None
    (backup,) = BackupFolder(settings.backup_dir, sources).backups()
    manifest = msgspec.structs.replace(backup.manifest, created_ms=backup.created_ms - 3 * 86_400_000)
    before = (backup.path / MANIFEST).read_bytes()
    (backup.path / MANIFEST).write_bytes(msgspec.json.encode(manifest))
    try:
        yield
    finally:
        (backup.path / MANIFEST).write_bytes(before)


@contextmanager
def few_open_files(server: ServerProcess) -> Iterator[None]:
    soft, hard = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (512, hard))
    try:
        yield
    finally:
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (soft, hard))


PLANTED: dict[str, tuple[Callable[[Installation], AbstractContextManager[object]], str]] = {
    "signing keys that everybody reads": (lambda one: mode(one.settings.key_file, 0o644), "keys"),
    "a push key that its group reads": (lambda one: mode(one.settings.push_key_file, 0o640), "keys"),
    "a database that everybody reads": (lambda one: mode(one.settings.database, 0o644), "database"),
    "a directory in which everybody writes": (lambda one: mode(one.settings.data, 0o777), "data"),
    "an event of tomorrow": (lambda one: event_to_come(one.settings), "clock"),
    "an old backup": (lambda one: old_backup(one.settings), "backups"),
    "few open files": (lambda one: few_open_files(one.server), "open files"),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_doctor_finds_a_planted_fault(installed: Installation, fault: str) -> None:
    plant, check = PLANTED[fault]
    with plant(installed):
        findings = installed.examine(public_url=None)
    assert (check, "error") in [(one.check, one.status) for one in findings]


@pytest.mark.parametrize(
    ("changed", "check"),
    [
        ({"port": 1}, "server"),  # a server has locked the data, but does not answer there
        ({"proxies": ("*",)}, "proxy"),
        ({"metrics_host": "0.0.0.0"}, "metrics"),  # the public host answers at the port of the metrics
        ({"public_url": "https://127.0.0.1:1"}, "public address"),
        ({"redis_url": "redis://127.0.0.1:1"}, "bus"),
        ({"database_url": "postgresql://hues@127.0.0.1:1/x"}, "store"),
        ({"data": Path("/nowhere")}, "data"),
    ],
    ids=str,
)
def test_doctor_finds_a_wrong_option(installed: Installation, changed: dict[str, Any], check: str) -> None:
    assert (check, "error") in [(one.check, one.status) for one in installed.examine(**changed)]


def test_doctor_finds_the_data_of_another_server(installed: Installation, tmp_path: Path) -> None:
    other = installed.settings._replace(data=tmp_path / "other", backup_dir=None, public_url=None)
    shutil.copytree(installed.settings.data, other.data)
    findings = installed.examine(**other._asdict())
    assert any("does not use" in one.text for one in findings if one.check == "server")


def test_doctor_finds_keys_that_the_server_does_not_know(installed: Installation, tmp_path: Path) -> None:
    rotate_key(tmp_path / "keys" / "signing.keys")
    findings = installed.examine(key_path=tmp_path / "keys" / "signing.keys")
    assert [one.check for one in findings if "other signing keys" in one.text] == ["server"]
    assert [one.check for one in findings if "does not know the keys" in one.text] == ["proxy"]


def test_doctor_finds_a_damaged_and_a_newer_database(installed: Installation, tmp_path: Path) -> None:
    other = installed.settings._replace(data=tmp_path, backup_dir=None, public_url=None)
    backups = installed.settings.backup_dir
    assert backups is not None
    for damage in ("PRAGMA user_version = 999", None):
        shutil.copy(next(backups.iterdir()) / "sevenhues.db", other.database)
        if damage is not None:
            with closing(sqlite3.connect(other.database)) as db:
                db.execute(damage)
        else:
            with open(other.database, "r+b") as file:
                file.truncate(8192)
        findings = installed.examine(**other._asdict())
        assert ("store", "error") in [(one.check, one.status) for one in findings]


def test_doctor_finds_a_certificate_that_expires(installed: Installation, tmp_path: Path) -> None:
    tls = make_certificate(tmp_path / "soon.pem", 3)
    with pytest.MonkeyPatch.context() as trusting, ReverseProxy(installed.server.port, tls) as proxy:
        trusting.setenv("SSL_CERT_FILE", str(tmp_path / "soon.pem"))
        findings = installed.examine(public_url=proxy.url)
        assert ("certificate", "warning") in [(one.check, one.status) for one in findings]
    with ReverseProxy(installed.server.port, tls) as proxy:
        findings = installed.examine(public_url=proxy.url)
        assert ("certificate", "error") in [(one.check, one.status) for one in findings]


@pytest.mark.parametrize(
    ("free_mb", "database_mb", "status"),
    [(50, 1, "error"), (400, 1, "warning"), (5000, 1, "ok"), (5000, 6000, "error"), (5000, 2000, "warning")],
)
def test_free_space_is_judged_by_the_size_of_the_database(free_mb: int, database_mb: int, status: Status) -> None:
    finding = installation.judge_space("disk", Path("/x"), free_mb * 1_000_000, database_mb * 1_000_000)
    assert finding.status == status


def test_command_prints_findings_and_exits_with_the_worst(installed: Installation) -> None:
    settings = installed.settings
    with mode(settings.key_file, 0o644):
        done = sevenhues(
            "doctor", "--json", SEVENHUES_DATA=str(settings.data), SEVENHUES_PORT=str(installed.server.port)
        )
    findings = [Finding(**one) for one in json.loads(done.stdout)]
    assert done.returncode == exit_status(findings) == 2
    assert [(one.check, one.advice) for one in findings if one.status == "error"] == [
        ("keys", f"chmod 600 {settings.key_file}")
    ]


def test_diagnosis_is_shown_to_those_alone_who_know_the_keys(installed: Installation) -> None:
    signed = read_keys(installed.settings.key_file).sign_question()
    with httpx.Client(base_url=installed.server.url, timeout=60) as http:
        assert http.get(PATH, headers={HEADER: signed}).json()["client"] == "127.0.0.1"
        unknown = http.get("/api/unknown")
        for question in (b"", b"x", signed[:-1].encode(), b"\xff", b"\x80.\x80"):
            hidden = http.get(PATH, headers=[(HEADER.encode(), question)])
            assert hidden.status_code == unknown.status_code == 404
            assert hidden.json()["key"] == unknown.json()["key"]


def test_doctor_changes_no_file(installed: Installation, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(installed.settings.data, data)
    before = sorted(os.listdir(data))
    installed.examine(data=data, public_url=None, backup_dir=None)
    assert sorted(os.listdir(data)) == before


@pytest.mark.long
def test_doctor_is_silent_about_postgresql_and_redis(tmp_path: Path, postgres: Postgres, redis: Redis) -> None:
    url = postgres.database("examined")
    options = ("--database-url", url, "--redis-url", redis.address)
    with ServerProcess(tmp_path, *options) as server:
        settings = Settings(tmp_path, database_url=url, redis_url=redis.address)
        findings = [*examine(settings, "127.0.0.1", server.port, ())]
    assert any("used by 1 processes" in one.text for one in findings)
    # The tests' database archives no WAL.
    complaints = [one.check for one in findings if one.status in ("warning", "error")]
    assert set(complaints) <= {"backups", *OF_THE_MACHINE}
