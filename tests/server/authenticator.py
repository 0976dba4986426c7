"""An authenticator in software, with which tests create passkeys and sign, correctly or not."""

import json
import secrets
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from sevenhues.server.accounts.passkeys import decode, encode

USER_PRESENT, USER_VERIFIED, HAS_CREDENTIAL = 0x01, 0x04, 0x40
ES256 = -7


class Authenticator:
    """An authenticator with one passkey. `counter` is None if it does not count its signatures."""

    def __init__(self, origin: str, counter: int | None = None) -> None:
        self.origin = origin
        self.counter = counter
        self.verifies_user = True
        self.id = encode(secrets.token_bytes(16))
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._user = ""

    def create(self, options: dict[str, Any], name: str = "Key") -> dict[str, Any]:
        """Create the passkey; return the request that adds it."""
        self._user = options["user"]
        point = self._key.public_key().public_numbers()
        public_key = {1: 2, 3: ES256, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        raw_id = decode(self.id)
        credential = bytes(16) + len(raw_id).to_bytes(2, "big") + raw_id + cbor2.dumps(public_key)
        data = self._data(options["host"], HAS_CREDENTIAL) + credential
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client_data = self._client_data("webauthn.create", options["challenge"])
        return {
            "id": self.id,
            "client_data": encode(client_data),
            "attestation": encode(attestation),
            "name": name,
        }

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """Sign a challenge; return the request that signs in."""
        if self.counter is not None:
            self.counter += 1
        data = self._data(options["host"])
        client_data = self._client_data("webauthn.get", options["challenge"])
        signature = self._key.sign(data + sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        return {
            "id": self.id,
            "client_data": encode(client_data),
            "authenticator_data": encode(data),
            "signature": encode(signature),
            "user": self._user,
        }

    def _data(self, host: str, more: int = 0) -> bytes:
        flags = USER_PRESENT | (USER_VERIFIED if self.verifies_user else 0) | more
        return sha256(host.encode()).digest() + bytes([flags]) + (self.counter or 0).to_bytes(4, "big")

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()
