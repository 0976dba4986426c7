"""Checks of what is between players and the server: the proxy, TLS, headers, websockets."""

import asyncio
import socket
import ssl
import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from http.cookies import SimpleCookie
from typing import Final

import httpx
import websockets
from websockets.asyncio.client import connect

from sevenhues.server.accounts.cookies import COOKIE_NAME, SigningKeys
from sevenhues.server.doctor.diagnosis import Diagnosis
from sevenhues.server.doctor.findings import Finding, error, ok, skipped, warning
from sevenhues.server.doctor.running_server import TIMEOUT_SECONDS, ask, http_client
from sevenhues.server.doctor.services import judge_clock
from sevenhues.server.settings import Settings

FORGED_ADDRESS: Final = "192.0.2.77"  # an address of nobody, RFC 5737
BODY_BYTES: Final = 60_000  # that the server accepts
DAY_SECONDS: Final = 86_400
CLOSE_SECONDS: Final = 1.0
LOW_CERTIFICATE_DAYS: Final = 14
CHECKED_TABLE: Final = "the-doctor-asks"


def check_public_url(settings: Settings, proxies: tuple[str, ...], keys: SigningKeys | None) -> Iterator[Finding]:
    """Check the way of a request from the public address to the server."""
    if "*" in proxies:
        text = "Every address is a trusted proxy, so everybody can choose the address that limits count."
        yield error("proxy", text, "Give the address of the proxy: --trusted-proxy 127.0.0.1")
    if settings.public_url is None:
        yield skipped("public address", "Without --public-url the proxy is not checked.")
        return
    url = settings.public_url.rstrip("/")
    if not url.startswith("https://"):
        text = f"{url} is not https: cookies can be read on the way, and passkeys and Web Push do not work."
        yield warning("certificate", text, "Put a proxy with TLS before the server.")
    else:
        yield check_certificate(url)
    try:
        with http_client(url) as http:
            me = http.get("/api/me")
            if not me.is_success:
                yield _judge_refusal(url, me)
                return
            yield ok("public address", f"The server answers at {url}.")
            diagnosis = ask(http, keys, {"x-forwarded-for": FORGED_ADDRESS}) if keys is not None else None
            if diagnosis is None:
                text = f"The server behind {url} does not know the keys of this one."
                yield error("proxy", text, "The proxy may lead to another server, or to one that was not restarted.")
            else:
                yield from judge_forwarding(settings, url, diagnosis)
            yield from judge_headers(url, me)
            yield _judge_compression(http.get("/", headers={"accept-encoding": "gzip"}))
            headers = {"content-type": "application/json"}
            yield _judge_body(http.post("/api/records", content=b"[" + b" " * BODY_BYTES, headers=headers))
    except httpx.HTTPError as failed:
        reason = str(failed) or type(failed).__name__
        yield error("public address", f"{url} cannot be reached: {reason}.", "Check the proxy, DNS and the firewall.")
        return
    yield check_websocket(url)


def _judge_refusal(url: str, answer: httpx.Response) -> Finding:
    if answer.is_redirect:
        text = f"{url} redirects to {answer.headers.get('location', 'elsewhere')[:200]}."
        return error("public address", text, "Give the address that players use as --public-url.")
    text = f"{url} answers {answer.status_code}: {answer.text[:200]}"
    return error("public address", text, "Check the address of the server in the proxy, and --allowed-host.")


def check_certificate(url: str) -> Finding:
    """Check that the certificate is valid, and for how long."""
    address = httpx.URL(url)
    try:
        with (
            socket.create_connection((address.host, address.port or 443), TIMEOUT_SECONDS) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname=address.host) as encrypted,
        ):
            certificate = encrypted.getpeercert() or {}
    except ssl.SSLError as failed:
        return error("certificate", f"The certificate of {url} is not valid: {failed}.", "Renew it.")
    except OSError as failed:
        return error("certificate", f"{url} cannot be reached: {failed}.", "Check the proxy, DNS and the firewall.")
    days = (ssl.cert_time_to_seconds(str(certificate["notAfter"])) - time.time()) / DAY_SECONDS
    text = f"The certificate is valid for {days:.0f} more days."
    if days < LOW_CERTIFICATE_DAYS:
        return warning("certificate", text, "Renew it, and look why that was not done automatically.")
    return ok("certificate", text)


def judge_forwarding(settings: Settings, url: str, seen: Diagnosis) -> Iterator[Finding]:
    """Judge what the proxy has told the server about a request with a forged address."""
    public = httpx.URL(url)
    if seen.forwarded_for is None:
        text = f"The proxy sends no X-Forwarded-For: the server takes all players for {seen.client}."
        yield error("client address", text, "nginx: proxy_set_header X-Forwarded-For $remote_addr;")
    elif seen.forwarded_for.strip() == FORGED_ADDRESS:
        text = "The proxy passes X-Forwarded-For on as clients send it, so they can choose their address."
        yield error("client address", text, "nginx: proxy_set_header X-Forwarded-For $remote_addr;")
    elif seen.client not in [one.strip() for one in seen.forwarded_for.split(",")]:
        text = f"The server does not trust the proxy at {seen.client}, and takes all players for it."
        yield error("client address", text, f"Start the server with --trusted-proxy {seen.client}")
    else:
        yield ok("client address", f"The server sees the address of clients, here {seen.client}.")
    if seen.scheme != public.scheme:
        text = f"The server takes requests to {url} for {seen.scheme}, so cookies are not Secure."
        yield error("scheme", text, "nginx: proxy_set_header X-Forwarded-Proto $scheme; and --trusted-proxy.")
    else:
        yield ok("scheme", f"The server sees that requests are {seen.scheme}.")
    if seen.host != public.netloc.decode() and url not in settings.origins:
        text = f"The proxy changes Host to {seen.host or 'nothing'}, so requests of pages are refused."
        yield error("host", text, f"nginx: proxy_set_header Host $http_host; or start the server with --origin {url}")
    else:
        yield ok("host", "The server sees the name of the address.")


def judge_headers(url: str, answer: httpx.Response) -> Iterator[Finding]:
    """Judge cookies, HSTS and the date of an answer."""
    date = answer.headers.get("date")
    if date is not None:
        yield judge_clock("the proxy", parsedate_to_datetime(date).timestamp() - time.time())
    if not url.startswith("https://"):
        return
    cookies = SimpleCookie()
    for header in answer.headers.get_list("set-cookie"):
        cookies.load(header)
    cookie = cookies.get(COOKIE_NAME)
    if cookie is None or not (cookie["secure"] and cookie["httponly"] and cookie["samesite"]):
        missing = "is missing" if cookie is None else "is not Secure, HttpOnly and SameSite"
        advice = "The proxy must send X-Forwarded-Proto, and must not change Set-Cookie."
        yield error("cookie", f"The cookie {missing}.", advice)
    else:
        yield ok("cookie", "The cookie is Secure, HttpOnly and SameSite.")
    if "strict-transport-security" not in answer.headers:
        advice = "The server sends it over https; the proxy must send X-Forwarded-Proto, and must not remove it."
        yield error("hsts", "Strict-Transport-Security is missing.", advice)
    else:
        yield ok("hsts", "Strict-Transport-Security is set.")


def _judge_compression(page: httpx.Response) -> Finding:
    if "content-encoding" in page.headers:
        return ok("compression", "Pages are compressed.")
    advice = "The proxy must pass Accept-Encoding on, or compress by itself."
    return warning("compression", "Pages are not compressed.", advice)


def _judge_body(answer: httpx.Response) -> Finding:
    if answer.status_code == 413 or answer.is_server_error:
        text = f"A body of {BODY_BYTES // 1000} kB is refused with {answer.status_code}: records cannot be uploaded."
        return error("body size", text, "nginx: client_max_body_size 64k;")
    return ok("body size", f"Bodies of {BODY_BYTES // 1000} kB pass.")


def check_websocket(url: str) -> Finding:
    """Check that the proxy passes websockets on, by opening one of a table that does not exist."""
    address = f"{url.replace('http', 'ws', 1)}/api/tables/{CHECKED_TABLE}/live"
    context = ssl.create_default_context() if url.startswith("https://") else None
    try:
        asyncio.run(_open_websocket(address, context))
    except (OSError, TimeoutError, EOFError, websockets.WebSocketException) as failed:
        advice = "nginx: proxy_http_version 1.1; and headers Upgrade and Connection, see docs/deploying.md."
        reason = str(failed) or type(failed).__name__
        return error("websocket", f"Websockets do not pass the proxy: {reason}.", advice)
    return ok("websocket", "Websockets pass.")


async def _open_websocket(address: str, context: ssl.SSLContext | None) -> None:
    # Not websockets.sync, which may wait without end when a handshake over TLS fails.
    async with connect(address, ssl=context, proxy=None, open_timeout=TIMEOUT_SECONDS, close_timeout=CLOSE_SECONDS):
        return
