"""Provable deals: neither the server nor any player can choose the cards, not even together.

The server commits to a secret before anyone takes a seat: the commitment is the SHA-256 of the secret's bytes, in
hexadecimal. Every person's client commits to entropy of its own: SHA-256 of the text. When all commitments are in, they
are published, and only then the clients reveal their entropy. The commitment itself replaces an entropy that is not
revealed in time. The seed of the Dealer is the secret in hexadecimal, followed by a slash and a text for every person,
in the order of their first seats. Bots add nothing. So `sevenhues deal GAME --seed SECRET/TEXT/TEXT` deals the same
cards as the table did. The seal is the SHA-256 of all commitments; who kept it knows whether a record has the same.

A single person needs no commitment, because the server's came first; nor have older records any. A puzzle for one
player is dealt from a public seed, which its record names instead.
"""

import re
from hashlib import sha256
from typing import Any, Final, NamedTuple

from sevenhues.core import json_checks
from sevenhues.core.errors import BadRecord, InvalidRecord
from sevenhues.core.record import Record
from sevenhues.core.rng import Dealer

KEY: Final = "deal"  # the key of the proof in a record
SECRET_BYTES: Final = 32


class ProvenDeal(NamedTuple):
    """What the proof of a deal shows."""

    committed: bool  # every person committed to their entropy before any was revealed, or only one added entropy
    withheld: int  # persons whose entropy was not revealed in time


def commitment(value: bytes) -> str:
    """Return the commitment to a secret or to an entropy, which is published before the deal."""
    return sha256(value).hexdigest()


def entropy_commitment(entropy: str) -> str:
    """Return a client's commitment to its entropy."""
    return commitment(entropy.encode("ascii"))


def fits(committed: str, entropy: str) -> bool:
    """Tell whether an entropy of a deal fits its commitment: it was committed to, or replaced by the commitment."""
    return committed in (entropy, entropy_commitment(entropy))


def seal(server_commitment: str, commitments: list[str]) -> str:
    """Return the seal of a deal: one hash of the commitments of the server and of all persons."""
    return commitment("/".join([server_commitment, *commitments]).encode("ascii"))


def seed(secret: bytes, entropies: list[str]) -> bytes:
    """Return the seed of the Dealer."""
    return "/".join([secret.hex(), *entropies]).encode("ascii")


def proof(
    secret: bytes, commitments: list[str] | None, entropies: list[str], previous: list[int] | None
) -> dict[str, Any]:
    """Return the proof of a deal, which is published with the finished record."""
    fields: dict[str, Any] = {"secret": secret.hex(), "commitment": commitment(secret)}
    if commitments is not None:
        fields["commitments"] = commitments
    return {**fields, "entropies": entropies, "previous": previous}


def verify_deal(record: Record, kept_seal: str | None = None) -> ProvenDeal | None:
    """Repeat the deal of a record from its proof, and compare the setups and, if it was kept, the seal.

    Return None if the record has no proof. Raise BadRecord if the proof is malformed, InvalidRecord if it is wrong.
    """
    if KEY not in record.extra:
        if kept_seal is not None:
            raise InvalidRecord(0, "the record has no proof of its deal")
        return None
    fields = json_checks.require_object(record.extra[KEY], KEY)
    if "seed" in fields and kept_seal is None:
        public_seed = json_checks.require_text(fields["seed"], f"{KEY}.seed")
        _check_deal(record, public_seed.encode(), None, "seed")
        return ProvenDeal(True, 0)
    secret = _secret(json_checks.require_key(fields, "secret", KEY))
    texts = json_checks.require_list(json_checks.require_key(fields, "entropies", KEY), KEY)
    entropies = [_entropy(value, i) for i, value in enumerate(texts)]
    previous = _previous(fields.get("previous"), len(record.seats))
    server_commitment = commitment(secret)
    if json_checks.require_key(fields, "commitment", KEY) != server_commitment:
        raise InvalidRecord(0, "the deal's commitment is not the SHA-256 of its secret")
    commitments = [entropy_commitment(entropy) for entropy in entropies]
    withheld = 0
    if "commitments" in fields:
        commitments, withheld = _commitments(fields["commitments"], entropies)
    if kept_seal is not None and seal(server_commitment, commitments) != kept_seal:
        raise InvalidRecord(0, "the deal's commitments are not those of the seal")
    _check_deal(record, seed(secret, entropies), previous, "secret and entropies")
    return ProvenDeal("commitments" in fields or len(entropies) <= 1, withheld)


def _commitments(value: object, entropies: list[str]) -> tuple[list[str], int]:
    """Check every entropy against its commitment; return the commitments, and how many entropies they replaced."""
    texts = json_checks.require_list(value, f"{KEY}.commitments")
    commitments = [_hash(text, f"{KEY}.commitments[{i}]") for i, text in enumerate(texts)]
    if len(commitments) != len(entropies):
        raise InvalidRecord(0, f"the deal has {len(commitments)} commitments for {len(entropies)} entropies")
    for i, (entropy, committed) in enumerate(zip(entropies, commitments, strict=True)):
        if not fits(committed, entropy):
            raise InvalidRecord(0, f"the deal's commitments[{i}] is not the SHA-256 of its entropy")
    withheld = sum(entropy == committed for entropy, committed in zip(entropies, commitments, strict=True))
    return commitments, withheld


def _check_deal(record: Record, dealer_seed: bytes, previous: list[int] | None, source: str) -> None:
    if record.game.deal(len(record.seats), record.options, Dealer(dealer_seed), previous) != record.setup:
        raise InvalidRecord(0, f"the setup does not follow from the deal's {source}")


def _secret(value: object) -> bytes:
    return bytes.fromhex(_hash(value, f"{KEY}.secret"))


def _hash(value: object, path: str) -> str:
    text = json_checks.require_text(value, path)
    if re.fullmatch(f"[0-9a-f]{{{2 * SECRET_BYTES}}}", text, re.ASCII) is None:
        raise BadRecord(path, f"expected {2 * SECRET_BYTES} hexadecimal digits")
    return text


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
