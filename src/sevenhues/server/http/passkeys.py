"""Routes of passkeys and recovery codes: the ways to sign in as a user on another device."""

import asyncio

from litestar import Response, delete, get, patch, post
from litestar.params import FromPath, JSONBody

from sevenhues import protocol
from sevenhues.server.accounts import names, passkey_queries, passkeys
from sevenhues.server.accounts.passkey_queries import Passkey
from sevenhues.server.accounts.passkeys import Assertion, Purpose, Registration, RelyingParty
from sevenhues.server.client_address import client_network
from sevenhues.server.http.accounts import moved, signed_out
from sevenhues.server.http.context import (
    AnyRequest,
    AppContext,
    check_not_deleted,
    context_of,
    name_of,
    require_user,
)
from sevenhues.server.http.origin_check import host_name, origin_of
from sevenhues.server.store import Conflict
from sevenhues.server.table.errors import Refused


@get("/api/me/passkeys", tags=["account"])
async def list_passkeys(request: AnyRequest) -> protocol.PasskeyList:
    """List the caller's passkeys."""
    context = context_of(request)
    user_id = await require_user(request)
    known = await context.store.read(passkey_queries.passkeys_of(user_id))
    code = await context.store.read(passkey_queries.recovery_code_created(user_id))
    return protocol.PasskeyList([_on_wire(one) for one in known], code)


@post("/api/me/passkeys/challenge", tags=["account"])
async def begin_passkey(request: AnyRequest) -> protocol.PasskeyCreation:
    """Begin to add a passkey; the challenge is valid once, for five minutes, and for the caller alone."""
    context = context_of(request)
    user_id = await require_user(request)
    context.limits.take_passkey_change(user_id, client_network(request.scope))
    party = _relying_party(request)
    known = await context.store.read(passkey_queries.passkeys_of(user_id))
    if len(known) >= passkeys.MAX_PASSKEYS:
        raise Refused("too-many-passkeys", most=passkeys.MAX_PASSKEYS)
    return protocol.PasskeyCreation(
        challenge=await _new_challenge(context, user_id, "register"),
        host=party.id,
        user=passkeys.encode(passkeys.user_handle(user_id)),
        name=await name_of(context, user_id),
        algorithms=list(passkeys.ALGORITHMS),
        exclude=[one.id for one in known],
        timeout=passkeys.CHALLENGE_MS,
    )


@post("/api/me/passkeys", tags=["account"])
async def add_passkey(request: AnyRequest, data: JSONBody[protocol.AddPasskey]) -> protocol.Passkey:
    """Add a passkey that the caller's browser has created."""
    context = context_of(request)
    user_id = await require_user(request)
    context.limits.take_passkey_change(user_id, client_network(request.scope))
    name = _check_name(data.name)
    answer = Registration(data.id, passkeys.decode(data.client_data), passkeys.decode(data.attestation))
    party, challenge = _relying_party(request), await _take_challenge(context, user_id, "register")
    public_key, count = await asyncio.to_thread(passkeys.verify_registration, party, challenge, answer)
    added = Passkey(data.id, user_id, name, party.origin, public_key, count, context.live_tables.now())
    try:
        stored = await context.store.write(passkey_queries.add_passkey(added, passkeys.MAX_PASSKEYS))
    except Conflict:
        raise Refused("passkey-exists") from None
    if not stored:
        raise Refused("too-many-passkeys", most=passkeys.MAX_PASSKEYS)
    await context.links.see_passkey(added.id, user_id)
    await check_not_deleted(request, user_id)
    return _on_wire(added)


@patch("/api/me/passkeys/{passkey:str}", tags=["account"], status_code=200)
async def rename_passkey(request: AnyRequest, passkey: FromPath[str], data: JSONBody[protocol.Rename]) -> None:
    """Rename one of the caller's passkeys."""
    context = context_of(request)
    user_id = await require_user(request)
    context.limits.take_passkey_change(user_id, client_network(request.scope))
    if not await context.store.write(passkey_queries.rename_passkey(user_id, passkey, _check_name(data.name))):
        raise Refused("no-passkey")


@delete("/api/me/passkeys/{passkey:str}", tags=["account"], status_code=200)
async def remove_passkey(request: AnyRequest, passkey: FromPath[str]) -> None:
    """Remove one of the caller's passkeys: it is refused from now on."""
    context = context_of(request)
    user_id = await require_user(request)
    context.limits.take_passkey_change(user_id, client_network(request.scope))
    if not await context.store.write(passkey_queries.remove_passkey(user_id, passkey)):
        raise Refused("no-passkey")


@post("/api/me/sign-in/challenge", tags=["account"])
async def begin_sign_in(request: AnyRequest, data: JSONBody[protocol.SignIn]) -> protocol.PasskeyRequest:
    """Begin to sign in with a passkey; the challenge is valid once, for five minutes, and for the caller alone."""
    context = context_of(request)
    user_id = await require_user(request)
    context.limits.take_sign_in(user_id, client_network(request.scope))
    party = _relying_party(request)
    await _check_may_leave(context, user_id, data.leave)
    challenge = await _new_challenge(context, user_id, "sign-in")
    return protocol.PasskeyRequest(challenge, party.id, passkeys.CHALLENGE_MS)


@post("/api/me/sign-in", tags=["account"], status_code=200)
async def sign_in(request: AnyRequest, data: JSONBody[protocol.PasskeySignIn]) -> Response[protocol.Me]:
    """Sign in with a passkey: the cookie of its user replaces the caller's."""
    context = context_of(request)
    user_id = await require_user(request)
    context.limits.take_sign_in(user_id, client_network(request.scope))
    answer = Assertion(
        data.id,
        passkeys.decode(data.client_data),
        passkeys.decode(data.authenticator_data),
        passkeys.decode(data.signature),
        passkeys.decode(data.user),
    )
    party, challenge = _relying_party(request), await _take_challenge(context, user_id, "sign-in")
    known = await context.store.read(passkey_queries.passkey(data.id))
    if known is None:
        raise Refused("no-passkey")
    count = await asyncio.to_thread(passkeys.verify_sign_in, party, challenge, known, answer)
    if not await context.store.write(passkey_queries.use_passkey(known, count, context.live_tables.now())):
        raise Refused("passkey-expired")
    await context.links.see_passkey(known.id, known.user_id)
    return await moved(request, user_id, known.user_id)


@post("/api/me/recovery-code", tags=["account"])
async def create_recovery_code(request: AnyRequest) -> protocol.RecoveryCode:
    """Create a code with which the caller can sign in once, at any time; an older one becomes invalid."""
    context = context_of(request)
    user_id = await require_user(request)
    context.limits.take_passkey_change(user_id, client_network(request.scope))
    code = passkeys.new_recovery_code()
    digest, now_ms = passkeys.recovery_code_digest(code), context.live_tables.now()
    await context.store.write(passkey_queries.save_recovery_code(user_id, digest, now_ms))
    await check_not_deleted(request, user_id)
    return protocol.RecoveryCode(code)


@post("/api/me/recover", tags=["account"], status_code=200)
async def recover(request: AnyRequest, data: JSONBody[protocol.Recover]) -> Response[protocol.Me]:
    """Sign in with a recovery code, which is invalid from now on."""
    context = context_of(request)
    user_id = await require_user(request)
    context.limits.take_sign_in(user_id, client_network(request.scope))
    await _check_may_leave(context, user_id, data.leave)
    digest = passkeys.recovery_code_digest(data.code)
    recovered = await context.store.write(passkey_queries.redeem_recovery_code(digest))
    if recovered is None:
        raise Refused("no-recovery-code")
    return await moved(request, user_id, recovered)


@post("/api/me/sign-out", tags=["account"], status_code=200)
async def sign_out(request: AnyRequest) -> Response[None]:
    """Forget the caller on this device; refused without a passkey or recovery code to return with."""
    context = context_of(request)
    user_id = await require_user(request)
    if not (await context.store.read(passkey_queries.departure(user_id))).returns:
        raise Refused("no-way-back")
    return signed_out(request)


def _on_wire(one: Passkey) -> protocol.Passkey:
    return protocol.Passkey(one.id, one.name, one.created, one.used)


def _relying_party(request: AnyRequest) -> RelyingParty:
    """Return the origin of the request's page, whose host name passkeys belong to."""
    origin = origin_of(request.scope)
    name = host_name(origin)
    if name is None:
        raise Refused("no-host-name")
    return RelyingParty(origin, name)


def _check_name(text: str) -> str:
    name = names.clean_name(text)
    if name is None:
        raise Refused("bad-request", what="name: use at most 40 visible characters")
    return name


async def _new_challenge(context: AppContext, user_id: str, purpose: Purpose) -> str:
    challenge, now_ms = passkeys.new_challenge(), context.live_tables.now()
    expires = now_ms + passkeys.CHALLENGE_MS
    await context.store.write(passkey_queries.save_challenge(user_id, purpose, challenge, expires, now_ms))
    return challenge


async def _take_challenge(context: AppContext, user_id: str, purpose: Purpose) -> str:
    """Return the challenge that was sent to a user, and delete it, so that it is answered once."""
    challenge = await context.store.write(passkey_queries.take_challenge(user_id, purpose, context.live_tables.now()))
    if challenge is None:
        raise Refused("passkey-expired")
    return challenge


async def _check_may_leave(context: AppContext, user_id: str, leave: bool) -> None:
    """Refuse to sign in as another user if the caller has not agreed to lose a name, games or ratings."""
    left = await context.store.read(passkey_queries.departure(user_id))
    if not (leave or left.returns) and (left.named or left.tables):
        raise Refused("leaves-games", name=await name_of(context, user_id), count=left.unfinished)


ROUTES = (
    list_passkeys,
    begin_passkey,
    add_passkey,
    rename_passkey,
    remove_passkey,
    begin_sign_in,
    sign_in,
    create_recovery_code,
    recover,
    sign_out,
)
