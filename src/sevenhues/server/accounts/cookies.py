"""Guest authentication: a random user id in a signed cookie. The signing keys are in a file and can be rotated."""

import hmac
import os
import re
import secrets
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from itsdangerous import BadSignature, Signer, TimestampSigner

from sevenhues.core.errors import SevenHuesError

COOKIE_NAME = "sevenhues"
DEVICE_COOKIE_NAME = "sevenhues-device"  # of a browser, independent of the user who is signed in
COOKIE_SECONDS = 400 * 24 * 3600  # the longest that browsers keep a cookie
TRANSFER_CODE_MS = 600_000  # until a transfer code expires
DIGEST_SALT = b"sevenhues links"  # from which the keys of digests are derived
QUESTION_SALT = "sevenhues doctor"
QUESTION = "how did this request reach you?"
QUESTION_SECONDS = 300  # that a signed question of the doctor is answered
SALT = "sevenhues identity"  # part of every signature: another value would make all cookies invalid


class SigningKeys:
    """Signs with the newest key, and accepts signatures by any key."""

    def __init__(self, keys: list[str]) -> None:
        self._signer = Signer(list(keys), salt=SALT, digest_method=sha256)
        self._digest_keys = [hmac.digest(key.encode(), DIGEST_SALT, "sha256") for key in keys]
        self._question_signer = TimestampSigner(list(keys), salt=QUESTION_SALT, digest_method=sha256)

    def sign(self, user_id: str) -> str:
        """Return the value of a user's cookie."""
        return self._signer.sign(user_id).decode()

    def read(self, cookie: str | None) -> str | None:
        """Return the user id in a cookie; None if the cookie is missing or its signature is invalid."""
        try:
            user_id = self._signer.unsign(cookie or "").decode()
        except (BadSignature, UnicodeError):
            return None
        return user_id if re.fullmatch("[0-9a-f]{32}", user_id) else None

    def digests(self, text: str) -> list[str]:
        """Return the digests of a text by each key, so that one of them stays the same when a key is added."""
        return [hmac.digest(key, text.encode(), "sha256").hex()[:32] for key in self._digest_keys]

    def sign_question(self) -> str:
        """Return a question of the doctor, which shows that it knows the keys."""
        return self._question_signer.sign(QUESTION).decode()

    def is_question(self, signed: str) -> bool:
        """Tell whether this is a recent question of a doctor who knows the keys."""
        try:
            return self._question_signer.unsign(signed, max_age=QUESTION_SECONDS).decode() == QUESTION
        except (BadSignature, UnicodeError):
            return False


def read_keys(path: Path) -> SigningKeys:
    """Read the signing keys of a server; raise OSError if there are none."""
    return SigningKeys(_read(path))


def load_keys(path: Path) -> SigningKeys:
    """Read the signing keys; if there is no file, create it. Of processes that start together, one creates it."""
    if not path.exists():
        new = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
        _write(new, [secrets.token_hex(32)])
        with suppress(FileExistsError):
            os.link(new, path)
        new.unlink()
    return SigningKeys(_read(path))


def rotate_key(path: Path, keep: int = 1) -> int:
    """Add a new key, with which cookies are signed, and keep that many old ones; return the number of keys."""
    old = _read(path) if path.exists() else []
    keys = [*old[max(0, len(old) - keep) :], secrets.token_hex(32)]
    _write(path, keys)
    return len(keys)


def new_user_id() -> str:
    return secrets.token_hex(16)


def new_device_id() -> str:
    return secrets.token_hex(16)


def read_device_id(cookie: str | None) -> str | None:
    """Return the id in a device cookie; None if it is missing or was not made by `new_device_id`."""
    return cookie if cookie is not None and re.fullmatch("[0-9a-f]{32}", cookie) else None


def new_transfer_code() -> str:
    """Generate a code with which a user can be used on another device."""
    return secrets.token_urlsafe(24)


def transfer_code_digest(code: str) -> str:
    """Return the digest of a transfer code, which is stored in its place."""
    return sha256(code.encode()).hexdigest()


def _read(path: Path) -> list[str]:
    keys = path.read_text(encoding="ascii", errors="replace").split()
    if not keys or not all(re.fullmatch("[0-9a-f]{64}", key) for key in keys):
        raise SevenHuesError(
            f"{path} is not a file of signing keys: each line must have 64 hexadecimal digits, the newest key last"
        )
    return keys


def _write(path: Path, keys: list[str]) -> None:
    """Replace the file atomically by one that only its owner can read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write("".join(f"{key}\n" for key in keys))
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)
