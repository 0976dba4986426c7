"""Checks of the running server, asked directly and not through its proxy."""

import ssl
from collections.abc import Iterator
from typing import Final

import httpx
import msgspec

from sevenhues.core.errors import SevenHuesError
from sevenhues.server.accounts.cookies import SigningKeys, read_keys
from sevenhues.server.doctor.diagnosis import HEADER, PATH, Diagnosis
from sevenhues.server.doctor.findings import Finding, error, ok, skipped, warning
from sevenhues.server.doctor.installation import data_is_locked
from sevenhues.server.settings import Settings

TIMEOUT_SECONDS: Final = 20.0
ALL_ADDRESSES: Final = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}


def http_client(url: str) -> httpx.Client:
    """Return a client of a server that uses no proxy of the environment and follows no redirects."""
    return httpx.Client(base_url=url, timeout=TIMEOUT_SECONDS, trust_env=False, verify=ssl.create_default_context())


def keys_of(settings: Settings) -> SigningKeys | None:
    """Read the signing keys without creating them; None if they cannot be read."""
    try:
        return read_keys(settings.key_file)
    except (OSError, SevenHuesError):
        return None


def ask(http: httpx.Client, keys: SigningKeys, headers: dict[str, str] | None = None) -> Diagnosis | None:
    """Ask a server how this request has reached it; None if it does not recognise the keys."""
    answer = http.get(PATH, headers={**(headers or {}), HEADER: keys.sign_question()})
    try:
        return msgspec.json.decode(answer.content, type=Diagnosis) if answer.is_success else None
    except msgspec.DecodeError:
        return None


def local_url(host: str, port: int) -> str:
    """Return the address of a server on this machine that listens at a host and port."""
    name = ALL_ADDRESSES.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}"


def check_server(settings: Settings, url: str, keys: SigningKeys | None) -> tuple[list[Finding], Diagnosis | None]:
    """Check that a server runs with this data and can store moves; return also what it tells about itself."""
    locked = settings.database_url is None and data_is_locked(settings)
    try:
        with http_client(url) as http:
            health = http.get("/healthz")
            diagnosis = ask(http, keys) if keys is not None else None
    except httpx.HTTPError as failed:
        reason = str(failed) or type(failed).__name__
        if locked:
            text = f"A server uses {settings.data}, but none answers at {url}: {reason}."
            return [error("server", text, "Give the --host and --port of the server.")], None
        return [warning("server", f"No server answers at {url}: {reason}.", "Start it, or give its --port.")], None
    return list(_judge_health(settings, url, health, locked, keys is not None and diagnosis is None)), diagnosis


def _judge_health(
    settings: Settings, url: str, health: httpx.Response, locked: bool, unknown_keys: bool
) -> Iterator[Finding]:
    if health.status_code == 503 and "draining" in health.text:
        yield warning("server", f"The server at {url} is about to stop.", "Check again after its restart.")
    elif not health.is_success:
        text = f"The server at {url} cannot store moves (status {health.status_code})."
        yield error("server", text, "Look for errors in its log: the disk may be full, or the database away.")
    elif settings.database_url is None and settings.data.is_dir() and not locked:
        text = f"The server at {url} does not use {settings.data}."
        yield error("server", text, "Give the --data of that server, or the --port of this one.")
    elif unknown_keys:
        text = f"The server at {url} has other signing keys than {settings.key_file}."
        yield error("server", text, "Give its --key-file. After rotate-key the server must be restarted.")
    else:
        yield ok("server", f"The server at {url} stores moves.")


def check_metrics(settings: Settings) -> Iterator[Finding]:
    """Check that players cannot read the metrics."""
    if settings.metrics_port is None:
        return
    if settings.metrics_host in ("127.0.0.1", "::1", "localhost"):
        yield ok("metrics", f"The metrics are at {settings.metrics_host} alone.")
        return
    host = httpx.URL(settings.public_url).host if settings.public_url else ""
    if not host:
        yield skipped("metrics", "Without --public-url it is unknown whether players reach the metrics.")
        return
    url = f"http://{f'[{host}]' if ':' in host else host}:{settings.metrics_port}"
    try:
        with http_client(url) as http:
            public = "sevenhues_" in http.get("/metrics").text
    except httpx.HTTPError:
        public = False
    if public:
        advice = "Give a --metrics-host that players cannot reach, or close the port in the firewall."
        yield error("metrics", f"Everybody can read the metrics at {url}/metrics.", advice)
    else:
        yield ok("metrics", f"The metrics cannot be read at {url}.")
