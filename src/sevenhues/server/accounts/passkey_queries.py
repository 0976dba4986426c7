"""The stored passkeys, challenges and recovery codes of users, as steps for either SQL store."""

from typing import NamedTuple

from sevenhues.server.query_steps import Counted, QuerySteps

COLUMNS = "id, user_id, name, origin, public_key, sign_count, created, used"


class Passkey(NamedTuple):
    """A passkey of a user. It is accepted only from the origin at which it was registered."""

    id: str
    user_id: str
    name: str
    origin: str
    public_key: bytes
    sign_count: int  # as the authenticator last reported it; always 0 if it does not count
    created: int
    used: int | None = None  # when a user last signed in with it


class Departure(NamedTuple):
    """The name and games that a user leaves behind by signing in as another user."""

    returns: bool  # the user has a passkey or a recovery code
    named: bool  # the user has chosen a name
    tables: int
    unfinished: int  # of these tables


def save_challenge(user_id: str, purpose: str, challenge: str, expires_ms: int, now_ms: int) -> QuerySteps[None]:
    """Store a user's challenge in place of an older one for the same purpose; delete those that have expired."""
    yield "DELETE FROM passkey_challenges WHERE expires < ?", (now_ms,)
    yield (
        "INSERT INTO passkey_challenges (user_id, purpose, challenge, expires) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (user_id, purpose) DO UPDATE SET challenge = excluded.challenge, expires = excluded.expires",
        (user_id, purpose, challenge, expires_ms),
    )


def take_challenge(user_id: str, purpose: str, now_ms: int) -> QuerySteps[str | None]:
    """Delete and return a user's challenge; None if there is none, or it has expired."""
    sql = "DELETE FROM passkey_challenges WHERE user_id = ? AND purpose = ? RETURNING challenge, expires"
    rows = yield sql, (user_id, purpose)
    return rows[0][0] if rows and rows[0][1] >= now_ms else None


def passkeys_of(user_id: str) -> QuerySteps[list[Passkey]]:
    """Return the passkeys of a user, the oldest first."""
    rows = yield f"SELECT {COLUMNS} FROM passkeys WHERE user_id = ? ORDER BY created, id", (user_id,)
    return [Passkey(*row) for row in rows]


def passkey(id: str) -> QuerySteps[Passkey | None]:
    rows = yield f"SELECT {COLUMNS} FROM passkeys WHERE id = ?", (id,)
    return Passkey(*rows[0]) if rows else None


def add_passkey(added: Passkey, most: int) -> QuerySteps[bool]:
    """Store a passkey; False if its user already has the most that are allowed."""
    rows = yield "SELECT count(*) FROM passkeys WHERE user_id = ?", (added.user_id,)
    if rows[0][0] >= most:
        return False
    yield f"INSERT INTO passkeys ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", tuple(added)
    return True


def rename_passkey(user_id: str, id: str, name: str) -> QuerySteps[bool]:
    """Rename a passkey of a user; False if the user has no such passkey."""
    rows = yield Counted("UPDATE passkeys SET name = ? WHERE id = ? AND user_id = ?", (name, id, user_id))
    return bool(rows[0][0])


def remove_passkey(user_id: str, id: str) -> QuerySteps[bool]:
    """Remove a passkey of a user; False if the user has no such passkey."""
    rows = yield Counted("DELETE FROM passkeys WHERE id = ? AND user_id = ?", (id, user_id))
    return bool(rows[0][0])


def use_passkey(used: Passkey, sign_count: int, at_ms: int) -> QuerySteps[bool]:
    """Store the new counter of a passkey; False if it was removed, or used by another process, since it was read."""
    sql = "UPDATE passkeys SET sign_count = ?, used = ? WHERE id = ? AND sign_count = ?"
    rows = yield Counted(sql, (sign_count, at_ms, used.id, used.sign_count))
    return bool(rows[0][0])


def save_recovery_code(user_id: str, digest: str, now_ms: int) -> QuerySteps[None]:
    """Store the digest of a user's recovery code in place of an older one."""
    yield (
        "INSERT INTO recovery_codes (user_id, digest, created) VALUES (?, ?, ?)"
        " ON CONFLICT (user_id) DO UPDATE SET digest = excluded.digest, created = excluded.created",
        (user_id, digest, now_ms),
    )


def recovery_code_created(user_id: str) -> QuerySteps[int | None]:
    """Return when a user's recovery code was made; None if there is none."""
    rows = yield "SELECT created FROM recovery_codes WHERE user_id = ?", (user_id,)
    return rows[0][0] if rows else None


def redeem_recovery_code(digest: str) -> QuerySteps[str | None]:
    """Delete a recovery code and return its user; None if it does not exist."""
    rows = yield "DELETE FROM recovery_codes WHERE digest = ? RETURNING user_id", (digest,)
    return rows[0][0] if rows else None


def departure(user_id: str) -> QuerySteps[Departure]:
    """Return what a user would leave behind by signing in as another one."""
    passkeys = yield "SELECT count(*) FROM passkeys WHERE user_id = ?", (user_id,)
    code = yield from recovery_code_created(user_id)
    names = yield "SELECT name FROM users WHERE id = ?", (user_id,)
    statuses = yield "SELECT status FROM seated_users JOIN tables ON id = table_id WHERE user_id = ?", (user_id,)
    return Departure(
        returns=passkeys[0][0] > 0 or code is not None,
        named=bool(names and names[0][0]),
        tables=len(statuses),
        unfinished=sum(status != "finished" for (status,) in statuses),
    )


def delete_user(user_id: str) -> QuerySteps[None]:
    """Delete all of a deleted user."""
    for table in ("passkeys", "passkey_challenges", "recovery_codes"):
        yield f"DELETE FROM {table} WHERE user_id = ?", (user_id,)
