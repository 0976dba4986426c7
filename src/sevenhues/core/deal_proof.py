"""Deals that can be proven: a secret is sealed before anybody sits down, and every person adds chance to it.

The seal is SHA-256 of the secret's bytes, in hexadecimal. The seed of the Dealer is the secret in hexadecimal followed,
for each person in the order of their first seats, by a slash and the text they added. Bots add nothing. So
`sevenhues deal GAME --seed SECRET/TEXT/TEXT` deals the same cards as the table did. A puzzle for one is dealt from a
seed that everybody may know, and its record says which.
"""

import re
from hashlib import sha256
from typing import Any, Final

from sevenhues.core import json_checks
from sevenhues.core.errors import BadRecord, InvalidRecord
from sevenhues.core.record import Record
from sevenhues.core.rng import Dealer

KEY: Final = "deal"  # where a record keeps its proof
SECRET_BYTES: Final = 32


def seal(secret: bytes) -> str:
    """Return what is published of a secret beforehand."""
    return sha256(secret).hexdigest()


def seed(secret: bytes, added: list[str]) -> bytes:
    """Return what the deal is made from."""
    return "/".join([secret.hex(), *added]).encode("ascii")


def proof(secret: bytes, added: list[str], previous: list[int] | None) -> dict[str, Any]:
    """Write down what proves a deal, for the finished record."""
    return {"secret": secret.hex(), "commitment": seal(secret), "entropies": added, "previous": previous}


def prove(record: Record) -> bool:
    """Deal a record's game again from its proof. False if it has none; raises if the proof does not hold."""
    if KEY not in record.extra:
        return False
    whole = json_checks.an_object(record.extra[KEY], KEY)
    if "seed" in whole:
        _check_deal(record, json_checks.a_text(whole["seed"], f"{KEY}.seed").encode(), None, "seed")
        return True
    secret = _secret(json_checks.part(whole, "secret", KEY))
    added = [
        _added(value, i) for i, value in enumerate(json_checks.a_list(json_checks.part(whole, "entropies", KEY), KEY))
    ]
    previous = _previous(whole.get("previous"), len(record.seats))
    if json_checks.part(whole, "commitment", KEY) != seal(secret):
        raise InvalidRecord(0, "the deal's commitment is not the SHA-256 of its secret")
    _check_deal(record, seed(secret, added), previous, "secret and entropies")
    return True


def _check_deal(record: Record, source: bytes, previous: list[int] | None, what: str) -> None:
    if record.game.deal(len(record.seats), record.options, Dealer(source), previous) != record.setup:
        raise InvalidRecord(0, f"the setup is not what the deal's {what} deal")


def _secret(value: object) -> bytes:
    text = json_checks.a_text(value, f"{KEY}.secret")
    if re.fullmatch(f"[0-9a-f]{{{2 * SECRET_BYTES}}}", text, re.ASCII) is None:
        raise BadRecord(f"{KEY}.secret", f"expected {2 * SECRET_BYTES} hexadecimal digits")
    return bytes.fromhex(text)


def _added(value: object, i: int) -> str:
    text = json_checks.a_text(value, f"{KEY}.entropies[{i}]")
    if re.fullmatch("[A-Za-z0-9_-]{1,64}", text, re.ASCII) is None:
        raise BadRecord(f"{KEY}.entropies[{i}]", "expected 1 to 64 letters, digits, - and _")
    return text


def _previous(value: object, seats: int) -> list[int] | None:
    if value is None:
        return None
    winners = json_checks.a_list(value, f"{KEY}.previous")
    return [json_checks.a_number(seat, f"{KEY}.previous[{i}]", 0, seats - 1) for i, seat in enumerate(winners)]
