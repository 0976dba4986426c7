"""A push service on loopback for tests: it takes messages as a real one does, and decrypts them as a browser does.

It is written after RFC 8291 and 8292 with the primitives of `cryptography` alone, so that it shares no code with what
it tests.
"""

import base64
import json
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
MAX_BODY = 4096  # bytes, which a push service must take


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def raw(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def hkdf(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def decrypt(body: bytes, key: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """Decrypt a message of one record (RFC 8291, section 3; RFC 8188, section 2)."""
    salt, (record_size, id_length) = body[:16], struct.unpack("!LB", body[16:21])
    sender, record = body[21 : 21 + id_length], body[21 + id_length :]
    assert len(record) <= record_size
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender))
    secret = hkdf(auth, shared, b"WebPush: info\0" + raw(key.public_key()) + sender, 32)
    content_key = hkdf(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = hkdf(salt, secret, b"Content-Encoding: nonce\0", 12)
    text, delimiter, _ = AESGCM(content_key).decrypt(nonce, record, None).rpartition(b"\x02")
    assert delimiter
    return text


class Browser:
    """A browser's push subscription: its address at the push service, and its keys."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.key = ec.generate_private_key(CURVE)
        self.auth = b"sixteen bytes.  "

    @property
    def body(self) -> dict[str, str]:
        """The body by which a page tells the server of such a subscription."""
        return {
            "endpoint": self.endpoint,
            "p256dh": encode(raw(self.key.public_key())),
            "auth": encode(self.auth),
            "language": "en",
        }


class Pushed(NamedTuple):
    """A message that was delivered."""

    at: float  # by time.monotonic()
    text: bytes
    headers: dict[str, str]
    claims: dict[str, Any]  # signed by the server
    public_key: str  # of the server

    @property
    def message(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.text)
        return message


class PushService:
    """Browsers by path, what was delivered to each, and the status with which the next messages are answered."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.statuses: dict[str, int] = {}  # by path; by default 201
        self.headers: dict[str, str] = {}  # of answers
        self.requests: list[str] = []  # the path of every request, also of those that were refused
        self.problems: list[str] = []
        self._browsers: dict[str, Browser] = {}
        self._pushed: dict[str, list[Pushed]] = {}

    def browser(self, name: str) -> Browser:
        """Subscribe a browser; what is known of one with the same name is forgotten."""
        path = f"/push/{name}"
        self.requests = [one for one in self.requests if one != path]
        self.statuses.pop(path, None)
        self._browsers[path] = Browser(self.url + path)
        self._pushed[path] = []
        return self._browsers[path]

    def pushed(self, browser: Browser) -> list[Pushed]:
        return list(self._pushed[browser.endpoint.removeprefix(self.url)])

    def answer_with(self, browser: Browser, status: int) -> None:
        self.statuses[browser.endpoint.removeprefix(self.url)] = status

    def handle(self, path: str, headers: dict[str, str], body: bytes) -> int:
        """Take a message; return the status of the answer."""
        self.requests.append(path)
        if path not in self._browsers:
            return 404
        status = self.statuses.get(path, 201)
        if status == 201:
            self._pushed[path].append(self._read(self._browsers[path], headers, body))
        return status

    def _read(self, browser: Browser, headers: dict[str, str], body: bytes) -> Pushed:
        assert headers["content-encoding"] == "aes128gcm"
        assert int(headers["ttl"]) >= 0
        assert len(headers["topic"]) <= 32
        assert len(body) <= MAX_BODY
        scheme, _, parameters = headers["authorization"].partition(" ")
        assert scheme == "vapid"
        token, key = (dict(part.strip().split("=", 1) for part in parameters.split(","))[name] for name in "tk")
        signed, _, signature = token.rpartition(".")
        r_and_s = decode(signature)
        der = utils.encode_dss_signature(int.from_bytes(r_and_s[:32], "big"), int.from_bytes(r_and_s[32:], "big"))
        public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode(key))
        public.verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))
        claims = json.loads(decode(signed.split(".")[1]))
        assert claims["aud"] == self.url
        assert time.time() < claims["exp"] <= time.time() + 24 * 3600
        return Pushed(time.monotonic(), decrypt(body, browser.key, browser.auth), headers, claims, key)


@contextmanager
def serving_pushes() -> Iterator[PushService]:
    """Run a push service; at the end, every message must have been as the RFCs say."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            body = self.rfile.read(length)
            if len(body) < length:  # the server was killed while it sent this
                self.close_connection = True
                return
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                status = service.handle(self.path, headers, body)
            except Exception as error:
                service.problems.append(repr(error))
                status = 400
            self.send_response(status)
            for name, value in service.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *values: object) -> None:
            """Do not write to the standard error."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = PushService(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert service.problems == []
