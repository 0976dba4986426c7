"""Who somebody is: a guest's random id in a signed cookie. The keys lie in a file of their own and can be rotated."""

import os
import re
import secrets
from hashlib import sha256
from pathlib import Path

from itsdangerous import BadSignature, Signer

from sevenhues.core.errors import SevenHuesError

COOKIE = "sevenhues"
LASTS = 400 * 24 * 3600  # seconds: the longest that browsers keep one
CARRY_LASTS = 600_000  # milliseconds
SALT = "sevenhues identity"


class Keys:
    """Signs with the newest key, and believes all of them."""

    def __init__(self, keys: list[str]) -> None:
        self._signer = Signer(list(keys), salt=SALT, digest_method=sha256)

    def sign(self, identity: str) -> str:
        return self._signer.sign(identity).decode()

    def read(self, cookie: str | None) -> str | None:
        """Return who a cookie speaks for, or None if it is not one of ours."""
        try:
            identity = self._signer.unsign(cookie or "").decode()
        except (BadSignature, UnicodeError):
            return None
        return identity if re.fullmatch("[0-9a-f]{32}", identity) else None


def load_keys(path: Path) -> Keys:
    """Read the signing keys, making the first one if there is none."""
    if not path.exists():
        _write(path, [secrets.token_hex(32)])
    return Keys(_read(path))


def rotate(path: Path, keep: int = 1) -> int:
    """Sign with a new key from now on, and believe that many old ones still; return how many keys there are."""
    old = _read(path) if path.exists() else []
    keys = [*old[max(0, len(old) - keep) :], secrets.token_hex(32)]
    _write(path, keys)
    return len(keys)


def new_identity() -> str:
    return secrets.token_hex(16)


def new_code() -> str:
    """Make a code that carries an identity to another device."""
    return secrets.token_urlsafe(24)


def digest(code: str) -> str:
    """Return what is stored of a code: not the code."""
    return sha256(code.encode()).hexdigest()


def _read(path: Path) -> list[str]:
    keys = path.read_text(encoding="ascii", errors="replace").split()
    if not keys or not all(re.fullmatch("[0-9a-f]{64}", key) for key in keys):
        raise SevenHuesError(f"{path} is no file of signing keys: each line has 64 hexadecimal digits, the newest last")
    return keys


def _write(path: Path, keys: list[str]) -> None:
    """Write the keys so that only the owner reads them, and never half of them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write("".join(f"{key}\n" for key in keys))
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)
