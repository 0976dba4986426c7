"""Provable deals: the server commits to a secret before anyone takes a seat, and every person adds entropy to it.

The commitment is the SHA-256 of the secret's bytes, in hexadecimal. The seed of the Dealer is the secret in
hexadecimal, followed by a slash and a text for every person, in the order of their first seats. Bots add nothing. So
`sevenhues deal GAME --seed SECRET/TEXT/TEXT` deals the same cards as the table did. A puzzle for one player is dealt
from a public seed, which its record names instead.
"""

import re
from hashlib import sha256
from typing import Any, Final

from sevenhues.core import json_checks
from sevenhues.core.errors import BadRecord, InvalidRecord
from sevenhues.core.record import Record
from sevenhues.core.rng import Dealer

KEY: Final = "deal"  # the key of the proof in a record
SECRET_BYTES: Final = 32


def commitment(secret: bytes) -> str:
    """Return the commitment to a secret, which is published before the deal."""
    return sha256(secret).hexdigest()


def seed(secret: bytes, entropies: list[str]) -> bytes:
    """Return the seed of the Dealer."""
    return "/".join([secret.hex(), *entropies]).encode("ascii")


def proof(secret: bytes, entropies: list[str], previous: list[int] | None) -> dict[str, Any]:
    """Return the proof of a deal, which is published with the finished record."""
    return {"secret": secret.hex(), "commitment": commitment(secret), "entropies": entropies, "previous": previous}


def verify_deal(record: Record) -> bool:
    """Repeat the deal of a record from its proof, and compare the setups.

    Return False if the record has no proof. Raise BadRecord if the proof is malformed, InvalidRecord if it is wrong.
    """
    if KEY not in record.extra:
        return False
    fields = json_checks.require_object(record.extra[KEY], KEY)
    if "seed" in fields:
        public_seed = json_checks.require_text(fields["seed"], f"{KEY}.seed")
        _check_deal(record, public_seed.encode(), None, "seed")
        return True
    secret = _secret(json_checks.require_key(fields, "secret", KEY))
    texts = json_checks.require_list(json_checks.require_key(fields, "entropies", KEY), KEY)
    entropies = [_entropy(value, i) for i, value in enumerate(texts)]
    previous = _previous(fields.get("previous"), len(record.seats))
    if json_checks.require_key(fields, "commitment", KEY) != commitment(secret):
        raise InvalidRecord(0, "the deal's commitment is not the SHA-256 of its secret")
    _check_deal(record, seed(secret, entropies), previous, "secret and entropies")
    return True


def _check_deal(record: Record, dealer_seed: bytes, previous: list[int] | None, source: str) -> None:
    if record.game.deal(len(record.seats), record.options, Dealer(dealer_seed), previous) != record.setup:
        raise InvalidRecord(0, f"the setup does not follow from the deal's {source}")


def _secret(value: object) -> bytes:
    text = json_checks.require_text(value, f"{KEY}.secret")
    if re.fullmatch(f"[0-9a-f]{{{2 * SECRET_BYTES}}}", text, re.ASCII) is None:
        raise BadRecord(f"{KEY}.secret", f"expected {2 * SECRET_BYTES} hexadecimal digits")
    return bytes.fromhex(text)


def _entropy(value: object, i: int) -> str:
    text = json_checks.require_text(value, f"{KEY}.entropies[{i}]")
    if re.fullmatch("[A-Za-z0-9_-]{1,64}", text, re.ASCII) is None:
        raise BadRecord(f"{KEY}.entropies[{i}]", "expected 1 to 64 letters, digits, - and _")
    return text


def _previous(value: object, seats: int) -> list[int] | None:
    if value is None:
        return None
    winners = json_checks.require_list(value, f"{KEY}.previous")
    return [json_checks.require_int(seat, f"{KEY}.previous[{i}]", 0, seats - 1) for i, seat in enumerate(winners)]
