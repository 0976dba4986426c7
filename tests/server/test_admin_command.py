"""The command `sevenhues admin` at a running server, and what the client of a terminal is told."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import httpx
import pytest

from sevenhues.cli.admin import admin
from sevenhues.cli.help_format import Command
from sevenhues.protocol import MaintenanceWindow
from sevenhues.terminal.remote import describe_maintenance
from tests.cli.command import error_message, invoke
from tests.server.process import ServerProcess

SUBCOMMANDS = sorted(admin.commands)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder: Path = tmp_path_factory.mktemp("administered")
    with ServerProcess(folder, "--no-limits", "--admin-token-file", str(folder / "admin.token")) as running:
        yield running


@pytest.fixture
def run(served: ServerProcess) -> Callable[..., str]:
    """Return a function that runs a command of an operator, and returns what it prints."""

    def command(*args: str, token: str = "admin.token", status: int = 0) -> str:
        environment = {
            "SEVENHUES_ADMIN_URL": served.url,
            "SEVENHUES_ADMIN_TOKEN_FILE": str(served.data / token),
            "SEVENHUES_OPERATOR": "Olga",
        }
        done = invoke("admin", *args, **environment)
        if status:
            return error_message(done, status)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return command


@contextmanager
def person(server: ServerProcess, name: str) -> Iterator[tuple[httpx.Client, str]]:
    """Yield the browser of a person who has chosen a name, and their user id."""
    with httpx.Client(base_url=server.url, timeout=60) as client:
        user_id: str = client.get("/api/me").json()["id"]
        assert client.patch("/api/me", json={"name": name}).status_code == 200
        yield client, user_id


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_command_of_operators_has_help_and_valid_examples(name: str) -> None:
    command = admin.commands[name]
    assert isinstance(command, Command)
    assert command.help
    assert command.examples
    with click.Context(command, info_name=name) as ctx:
        for param in command.get_params(ctx):
            assert param.get_help_record(ctx), param.name
    assert f"\n  {name} " in invoke("admin", "--help").stdout


@pytest.mark.slow
def test_operator_finds_renames_bans_and_deletes_a_person(served: ServerProcess, run: Callable[..., str]) -> None:
    with person(served, "Augusta") as (ada, user_id):
        assert user_id in run("people", "augus")
        assert "The name is Ada L now." in run("rename", "Augusta", "Ada L")
        run("ban", "Ada L", "--reason", "insults", "--for", "7d")
        assert ada.patch("/api/me", json={"name": "Ada"}).json()["key"] == "banned"
        assert f"{user_id}  until " in run("restrictions")
        assert "banned" in run("person", user_id)
        run("unban", user_id)
        assert ada.patch("/api/me", json={"name": "Ada"}).status_code == 200
        exported = json.loads(run("export", user_id))
        assert exported["rows"]["users"][0]["name"] == "Ada"
        assert "Deleted." in run("delete", user_id, "--yes")
        log = run("log", "--target", user_id)
        assert [line.split("  ")[3] for line in log.splitlines()] == ["delete", "export", "unban", "ban", "rename"]
        assert "Olga (command line)" in log
        assert json.loads(run("log", "--target", user_id, "--json"))["entries"][0]["act"] == "delete"


@pytest.mark.slow
def test_operator_announces_and_withdraws(served: ServerProcess, run: Callable[..., str]) -> None:
    announced = run("announce", "--starts", "2100-01-01T12:00", "--for", "1h", "--note", "New games!")
    assert "2100-01-01 12:00 UTC to 2100-01-01 13:00 UTC  New games!" in announced
    assert httpx.get(f"{served.url}/api/maintenance", timeout=60).json()["windows"][0]["starts"] == 4_102_488_000_000
    run("withdraw", announced.split()[0])
    assert run("announcements") == "None.\n"


@pytest.mark.slow
def test_operator_sees_tables_load_and_a_link(served: ServerProcess, run: Callable[..., str]) -> None:
    with person(served, "Ada") as (ada, _):
        seats = [{"kind": "me"}, {"kind": "open"}]
        table = ada.post("/api/tables", json={"game": "rainbow", "seats": seats}).json()["id"]
        assert table in run("tables", "--status", "waiting")
        run("end-table", table, "--reason", "stuck")
        assert ada.get(f"/api/tables/{table}").status_code == 404
        assert f" {served.pid}, version" in run("status")
        with httpx.Client(timeout=60) as browser:
            opened = browser.get(run("link").strip(), follow_redirects=True)
            assert (opened.status_code, opened.url.path) == (200, "/admin")


@pytest.mark.slow
def test_errors_say_what_is_wrong(served: ServerProcess, run: Callable[..., str]) -> None:
    for _ in range(2):
        with person(served, "Twin"):
            pass
    (served.data / "other.token").write_text(f"shadmin_{'x' * 43}")
    assert "nobody has the id or the name 'Nemo'" in run("ban", "Nemo", "--reason", "x", status=2)
    assert "may be several people" in run("ban", "Twin", "--reason", "x", status=2)
    assert "is not a duration" in run("ban", "Twin", "--reason", "x", "--for", "soon", status=2)
    assert "is not a time" in run("announce", "--starts", "soon", "--for", "1h", status=2)
    assert "either --starts or --in" in run("announce", "--for", "1h", status=2)
    assert "an IP address is needed" in run("ban-address", "here", "--reason", "x", "--for", "1h", status=2)
    assert "does not accept the token" in run("people", token="other.token", status=2)
    assert "there is no token at" in run("people", token="missing", status=2)
    assert "does the server run there?" in run("people", "--url", "http://127.0.0.1:1", status=2)
    assert "no announcement" in run("withdraw", "none", status=2)


def test_maintenance_is_described_in_a_line() -> None:
    text = describe_maintenance(MaintenanceWindow(1_800_000_000_000, 1_800_003_600_000, "Cake\x1b[31m"))
    assert text.startswith("The server will be down for maintenance from ")
    assert "\x1b" not in text
