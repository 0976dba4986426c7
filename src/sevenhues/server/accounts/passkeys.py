"""Passkeys (WebAuthn) and recovery codes: new challenges and codes, and verification of what was signed or typed.

Passkeys are discoverable and verify their user. Attestation is not requested: any make of authenticator is welcome.
"""

import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Literal, NamedTuple

from sevenhues.server.accounts.passkey_queries import Passkey
from sevenhues.server.table.errors import Refused
from sevenhues.server.table.ids import SEED_SYMBOLS

Purpose = Literal["register", "sign-in"]
CHALLENGE_MS = 300_000  # until a challenge expires
MAX_PASSKEYS = 20  # of a user
ALGORITHMS = (-8, -7, -257)  # of public keys, by their COSE numbers: EdDSA, ECDSA with SHA-256, RSA with SHA-256
RECOVERY_GROUPS, GROUP_LENGTH = 5, 5  # of a recovery code: 125 bits, so that its plain digest cannot be reversed
MISREAD = str.maketrans("OIL", "011")  # letters that the codes do not use


class RelyingParty(NamedTuple):
    """The server as authenticators know it: the origin of its pages, and the host name to which passkeys belong."""

    origin: str
    id: str


class Registration(NamedTuple):
    """The answer of a browser for a new passkey."""

    id: str
    client_data: bytes
    attestation: bytes


class Assertion(NamedTuple):
    """The answer of a browser for a sign-in: data that the passkey has signed."""

    id: str
    client_data: bytes
    authenticator_data: bytes
    signature: bytes
    user_handle: bytes


def new_challenge() -> str:
    return secrets.token_urlsafe(32)


def user_handle(user_id: str) -> bytes:
    """Return the id of a user that a passkey stores and returns."""
    return bytes.fromhex(user_id)


def verify_registration(party: RelyingParty, challenge: str, answer: Registration) -> tuple[bytes, int]:
    """Verify a new passkey; return its public key and its counter. Raise Refused if it is not valid."""
    # Imported here because loading it takes a quarter of a second, and many servers never verify a passkey.
    from webauthn import verify_registration_response
    from webauthn.helpers.cose import COSEAlgorithmIdentifier
    from webauthn.helpers.structs import AuthenticatorAttestationResponse, RegistrationCredential

    raw_id = decode(answer.id)
    response = AuthenticatorAttestationResponse(answer.client_data, answer.attestation)
    try:
        verified = verify_registration_response(
            credential=RegistrationCredential(answer.id, raw_id, response),
            expected_challenge=decode(challenge),
            expected_rp_id=party.id,
            expected_origin=party.origin,
            require_user_verification=True,
            supported_pub_key_algs=[COSEAlgorithmIdentifier(number) for number in ALGORITHMS],
        )
    except Exception as error:  # the library parses what anybody may send, and raises errors of many kinds
        raise _invalid(error) from None
    if verified.credential_id != raw_id:
        raise Refused("bad-passkey", what="the passkey has another id")
    return verified.credential_public_key, verified.sign_count


def verify_sign_in(party: RelyingParty, challenge: str, known: Passkey, answer: Assertion) -> int:
    """Verify that a passkey signed a challenge; return its new counter. Raise Refused if it is not valid.

    A counter that does not grow shows that the passkey was copied, or that the answer is an old one. Many
    authenticators do not count: their counter is always 0.
    """
    from webauthn import verify_authentication_response
    from webauthn.helpers.structs import AuthenticationCredential, AuthenticatorAssertionResponse

    if known.origin != party.origin:
        raise Refused("bad-passkey", what=f"it belongs to {known.origin}")
    if answer.user_handle != user_handle(known.user_id):
        raise Refused("bad-passkey", what="it belongs to another user")
    response = AuthenticatorAssertionResponse(answer.client_data, answer.authenticator_data, answer.signature)
    try:
        verified = verify_authentication_response(
            credential=AuthenticationCredential(answer.id, decode(answer.id), response),
            expected_challenge=decode(challenge),
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=known.public_key,
            credential_current_sign_count=0,  # compared below, with a message of its own
            require_user_verification=True,
        )
    except Exception as error:  # as above
        raise _invalid(error) from None
    counts = verified.new_sign_count > 0 or known.sign_count > 0
    if counts and verified.new_sign_count <= known.sign_count:
        raise Refused("copied-passkey", name=known.name)
    return verified.new_sign_count


def new_recovery_code() -> str:
    """Generate a code that can be printed and typed, such as `7K2QD-…`."""
    groups = ("".join(secrets.choice(SEED_SYMBOLS) for _ in range(GROUP_LENGTH)) for _ in range(RECOVERY_GROUPS))
    return "-".join(groups)


def recovery_code_digest(code: str) -> str:
    """Return the digest of a recovery code, which is stored in its place; case, spaces and dashes do not count."""
    plain = re.sub(r"[\s-]", "", code).upper().translate(MISREAD)
    return sha256(plain.encode()).hexdigest()


def encode(data: bytes) -> str:
    """Encode bytes as URL-safe Base64 without padding, as WebAuthn does."""
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode(text: str) -> bytes:
    """Decode URL-safe Base64 without padding; raise Refused if it is none."""
    try:
        return urlsafe_b64decode(f"{text}===")
    except ValueError:
        raise Refused("bad-request", what="This is not URL-safe Base64 without padding.") from None


def _invalid(error: Exception) -> Refused:
    from webauthn.helpers.exceptions import WebAuthnException

    return Refused("bad-passkey", what=str(error) if isinstance(error, WebAuthnException) else "it cannot be read")
