"""Names of users: validation of chosen names, and default names of guests."""

from hashlib import sha256
from unicodedata import category

from sevenhues.server.table.ids import ADJECTIVES, ANIMALS


def clean_name(name: str) -> str | None:
    """Normalize the spaces of a name; None if it is not printable, or could be mistaken for a bot in a record."""
    clean = " ".join(name.split())
    visible = any(category(letter)[0] != "M" for letter in clean)
    return clean if visible and clean.isprintable() and not clean.lower().startswith("bot:") else None


def guest_name(user_id: str) -> str:
    """Return the name of a guest who has not chosen one; it is always the same for a user."""
    digest = sha256(user_id.encode()).digest()
    return f"{ADJECTIVES[digest[0] % len(ADJECTIVES)]} {ANIMALS[digest[1] % len(ANIMALS)]}".title()
