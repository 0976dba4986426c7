"""Sending a message to a browser by its push service: RFC 8030, encrypted by RFC 8291, signed by RFC 8292."""

import asyncio
import base64
import binascii
import contextlib
import os
import ssl
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple

import http_ece
import httpx
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from sevenhues.core.errors import SevenHuesError
from sevenhues.server import secret_files
from sevenhues.server.notifications.public_addresses import NotAllowed, check_url, public_address

SEND_SECONDS = 10.0  # for resolving, connecting, sending and the answer's status together
TOKEN_SECONDS = 12 * 3600  # until a signature expires; push services allow 24 hours
DAY_SECONDS = 24 * 3600
MAX_RETRY_AFTER_SECONDS = 3600.0
RECORD_BYTES = 4096  # which every push service takes
AUTH_BYTES = 16
RETRIED_STATUSES = (408, 425, 429)  # and 500 to 599
GONE_STATUSES = (404, 410)


class Outcome(NamedTuple):
    """The result of sending a message. After `gone` the address is never used again; `refused` is final, too."""

    kind: Literal["sent", "gone", "refused", "retry"]
    reason: str = ""
    retry_after: float = 0.0  # seconds


class VapidKey:
    """The key by which push services recognise this server."""

    def __init__(self, key: ec.EllipticCurvePrivateKey) -> None:
        self._vapid = Vapid02(key, conf={"no-strict": True})  # strict ones refuse a subject with a port
        public = key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.public = base64.urlsafe_b64encode(public).decode().rstrip("=")

    def authorization(self, origin: str, subject: str) -> str:
        """Return the header that signs a request to a push service."""
        claims = {"aud": origin, "sub": subject, "exp": int(time.time()) + TOKEN_SECONDS}
        headers: dict[str, str] = self._vapid.sign(claims)
        return headers["Authorization"]


def load_key(path: Path) -> VapidKey:
    """Read the key; if the file does not exist, create it. Of processes that start together, one creates it."""
    if not path.exists():
        secret_files.create(path, _new_key())
    with contextlib.suppress(ValueError):
        key = serialization.load_pem_private_key(path.read_bytes(), None)
        if isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1):
            return VapidKey(key)
    raise SevenHuesError(f"{path} is not the key of Web Push: it must be a private key of P-256 in PEM")


def _new_key() -> bytes:
    return ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def channel_id(endpoint: str) -> str:
    """Return the id of a push subscription, by which a browser's own is found again."""
    return sha256(endpoint.encode()).hexdigest()


def check_subscription(endpoint: str, p256dh: str, auth: str, to_loopback: bool) -> None:
    """Raise NotAllowed unless messages can be sent to a subscription, as far as can be told without its host."""
    check_url(endpoint, to_loopback)
    try:
        _public_key(p256dh)
        secret = _decode(auth)
    except (ValueError, binascii.Error):
        raise NotAllowed("its keys cannot be read") from None
    if len(secret) != AUTH_BYTES:
        raise NotAllowed("its keys cannot be read")


def encrypt(payload: bytes, p256dh: str, auth: str) -> bytes:
    """Encrypt a message for one browser."""
    encrypted: bytes = http_ece.encrypt(
        payload,
        salt=os.urandom(16),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_public_key(p256dh),
        auth_secret=_decode(auth),
        rs=RECORD_BYTES,
        version="aes128gcm",
    )
    return encrypted


def _public_key(p256dh: str) -> ec.EllipticCurvePublicKey:
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decode(p256dh))


def _decode(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)


class PushSender:
    """Sends messages to push services."""

    def __init__(self, key: VapidKey, subject: str, to_loopback: bool) -> None:
        self._key = key
        self._subject = subject
        self._to_loopback = to_loopback
        self._client: httpx.AsyncClient | None = None

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def send(self, endpoint: str, p256dh: str, auth: str, payload: bytes, topic: str) -> Outcome:
        """Send a message; one of the same topic that the browser has not fetched yet is replaced."""
        try:
            parts = check_url(endpoint, self._to_loopback)
            body = encrypt(payload, p256dh, auth)
        except (NotAllowed, ValueError, binascii.Error) as error:
            return Outcome("gone", str(error))
        host = parts.hostname or ""
        port = parts.port or 443
        headers = {
            "host": parts.netloc,
            "authorization": self._key.authorization(f"{parts.scheme}://{parts.netloc}", self._subject),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(DAY_SECONDS),
            "topic": topic,
            "urgency": "normal",
        }
        try:
            async with asyncio.timeout(SEND_SECONDS):
                address = await public_address(host, port, self._to_loopback)
                # To the address that was checked, with the certificate of the name. The answer's body is not read.
                url = httpx.URL(endpoint).copy_with(host=address)
                request = self._http.build_request(
                    "POST", url, content=body, headers=headers, extensions={"sni_hostname": host}
                )
                answer = await self._http.send(request, stream=True)
                await answer.aclose()
        except NotAllowed as error:
            return Outcome("gone", str(error))
        except (OSError, UnicodeError, TimeoutError, httpx.HTTPError, httpx.InvalidURL) as error:
            return Outcome("retry", type(error).__name__)
        return _outcome(answer)

    @property
    def _http(self) -> httpx.AsyncClient:
        """The HTTP client: without redirects, proxies of the environment, or connections that several names share."""
        if self._client is None:
            self._client = httpx.AsyncClient(
                timeout=SEND_SECONDS,
                trust_env=False,
                verify=ssl.create_default_context(),
                limits=httpx.Limits(max_keepalive_connections=0),
                follow_redirects=False,
            )
        return self._client


def _outcome(answer: httpx.Response) -> Outcome:
    status = answer.status_code
    if answer.is_success:
        return Outcome("sent")
    if status in GONE_STATUSES:
        return Outcome("gone", f"status {status}")
    if status in RETRIED_STATUSES or status >= 500:
        return Outcome("retry", f"status {status}", _retry_after(answer.headers.get("retry-after", ""), time.time))
    return Outcome("refused", f"status {status}")


def _retry_after(value: str, now: Callable[[], float]) -> float:
    """Return the seconds of a Retry-After header: a number or a date."""
    if value.isascii() and value.isdecimal():
        return min(float(value[:9]), MAX_RETRY_AFTER_SECONDS)
    try:
        seconds = parsedate_to_datetime(value).timestamp() - now()
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return max(0.0, min(seconds, MAX_RETRY_AFTER_SECONDS))
