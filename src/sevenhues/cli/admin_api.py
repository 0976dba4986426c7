"""Requests of `sevenhues admin` to the admin API of a server, and the options that all its commands have."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click
import msgspec

from sevenhues.cli.extras import requires_play
from sevenhues.cli.params import JSON
from sevenhues.core.errors import SevenHuesError

F = TypeVar("F", bound=Callable[..., Any])
DEFAULT_URL = "http://127.0.0.1:8777"
TIMEOUT_SECONDS = 60.0
MAX_LISTED = 5  # people whom a name may mean
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}


class Connection(NamedTuple):
    """A server, the token for it, and who sends requests."""

    url: str
    token_file: Path
    operator: str

    def call(self, method: str, path: str, body: Any = None, query: dict[str, str] | None = None) -> Any:
        """Send a request and return the answer; raise SevenHuesError if there is none, or it is a refusal."""
        with requires_play("`sevenhues admin`"):
            import httpx

        headers = {"authorization": f"Bearer {self._token()}", "sevenhues-operator": self.operator}
        content = None if body is None else msgspec.json.encode(body)
        if content is not None:
            headers["content-type"] = "application/json"
        address = f"{self.url.rstrip('/')}/api/admin/{path}"
        try:
            answer = httpx.request(
                method, address, content=content, params=query, headers=headers, timeout=TIMEOUT_SECONDS
            )
        except (httpx.TransportError, httpx.InvalidURL) as error:
            reason = str(error) or type(error).__name__
            raise SevenHuesError(f"cannot reach {self.url}: {reason}; does the server run there? (--url)") from None
        try:
            content_of = msgspec.json.decode(answer.content)
        except msgspec.DecodeError:
            raise SevenHuesError(f"{self.url} is not a server of Seven Hues (status {answer.status_code})") from None
        if answer.is_success:
            return content_of
        if not isinstance(content_of, dict) or content_of.get("key") == "no-page":
            raise SevenHuesError(
                f"{self.url} does not accept the token in {self.token_file}: it has another one, runs without"
                " --admin-token-file, or has refused too many attempts from here"
            )
        raise SevenHuesError(str(content_of.get("text")))

    def find(self, person: str) -> str:
        """Return the user id of the one person whom a name or an id means; raise SevenHuesError otherwise."""
        people = self.call("GET", "people", query={"q": person})["people"]
        exact = [one for one in people if person in (one["id"], one["player"], one["name"])]
        meant = exact or people
        if len(meant) == 1:
            return str(meant[0]["id"])
        if not meant:
            raise SevenHuesError(f"nobody has the id or the name {person!r}")
        listed = "; ".join(f"{one['name']} is {one['id']}" for one in meant[:MAX_LISTED])
        more = "; …" if len(meant) > MAX_LISTED else ""
        raise SevenHuesError(f"{person!r} may be several people, so give an id: {listed}{more}")

    def _token(self) -> str:
        try:
            return self.token_file.read_text(encoding="ascii", errors="replace").strip()
        except FileNotFoundError:
            raise SevenHuesError(
                f"there is no token at {self.token_file}: give the file that the server has as --admin-token-file"
            ) from None
        except OSError as error:
            raise SevenHuesError(f"{self.token_file}: {error.strerror}") from None


def admin_options(command: F) -> F:
    """Add the options that say where the server is and who acts, and the one for JSON."""
    options = [
        click.option(
            "--url",
            default=DEFAULT_URL,
            show_default=True,
            envvar="SEVENHUES_ADMIN_URL",
            help="The address of the server.",
        ),
        click.option(
            "--admin-token-file",
            "token_file",
            type=click.Path(dir_okay=False, path_type=Path),
            required=True,
            envvar="SEVENHUES_ADMIN_TOKEN_FILE",
            help="The file that the server was given as --admin-token-file.",
        ),
        click.option(
            "--operator",
            default=_operator_name,
            show_default="your user name",
            envvar="SEVENHUES_OPERATOR",
            help="Your name in the audit log.",
        ),
        JSON,
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _operator_name() -> str:
    from sevenhues.server.operators.audit_log import operator_name  # imported late: other commands need no server

    return operator_name()


class Duration(click.ParamType[int]):
    """A duration such as 90m, in seconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        parts = re.fullmatch(r"([0-9]{1,6})([smhdw])", str(value))
        if parts is None:
            self.fail(f"{value!r} is not a duration: write 30m, 24h, 7d or 2w", param, ctx)
        return int(parts[1]) * UNITS[parts[2]]


class Moment(click.ParamType[int]):
    """A time in UTC such as 2026-12-24T22:00, in milliseconds since 1970."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            moment = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is not a time: write 2026-12-24T22:00, which is UTC", param, ctx)
        return int((moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp() * 1000)


def time_text(at_ms: int | None) -> str:
    """Write a time; a dash for none."""
    return "-" if at_ms is None else f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"
