"""Routes of notifications: the caller's settings, push subscriptions and e-mail address, and links in e-mail."""

import secrets

from litestar import Response, delete, get, post, put
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect

from sevenhues import protocol
from sevenhues.server.client_address import client_network
from sevenhues.server.http.context import AnyRequest, AppContext, check_not_deleted, context_of, require_user
from sevenhues.server.notifications import queries, web_push
from sevenhues.server.notifications.mail import is_address
from sevenhues.server.notifications.messages import LANGUAGES
from sevenhues.server.notifications.notices import KINDS
from sevenhues.server.notifications.public_addresses import NotAllowed
from sevenhues.server.notifications.queries import Channel, Settings
from sevenhues.server.notifications.quiet_hours import time_zone
from sevenhues.server.table.errors import Refused


@get("/api/me/notifications", tags=["notifications"])
async def show_notifications(request: AnyRequest) -> protocol.Notifications:
    """Return what the caller is told, and how."""
    return await _notifications(context_of(request), await require_user(request))


@put("/api/me/notifications", tags=["notifications"])
async def choose_notifications(
    request: AnyRequest, data: JSONBody[protocol.NotificationChoices]
) -> protocol.Notifications:
    """Choose what the caller is told, and when not."""
    context, user_id = await _changing(request)
    quiet = data.quiet
    if quiet is not None and time_zone(quiet.time_zone) is None:
        raise Refused("bad-request", what="quiet.time_zone: give a name such as Europe/Berlin")
    kinds = tuple(kind for kind in KINDS if kind in data.kinds)
    chosen = Settings(kinds) if quiet is None else Settings(kinds, quiet.start, quiet.end, quiet.time_zone)
    await context.store.write(queries.save_settings(user_id, chosen))
    await check_not_deleted(request, user_id)
    return await _notifications(context, user_id)


@delete("/api/me/notifications", tags=["notifications"], status_code=200)
async def stop_notifications(request: AnyRequest) -> protocol.Notifications:
    """Stop all notifications, on every device and by e-mail."""
    context, user_id = await _changing(request)
    await context.store.write(queries.stop_all(user_id))
    return await _notifications(context, user_id)


@post("/api/me/notifications/push", tags=["notifications"], status_code=200)
async def add_push_subscription(
    request: AnyRequest, data: JSONBody[protocol.PushSubscription]
) -> protocol.Notifications:
    """Send notifications to a browser of the caller."""
    context, user_id = await _changing(request)
    if context.push_key is None:
        raise Refused("no-push")
    try:
        web_push.check_subscription(data.endpoint, data.p256dh, data.auth, context.settings.push_to_loopback)
    except NotAllowed as error:
        raise Refused("bad-request", what=f"The push subscription cannot be used: {error}.") from None
    now_ms = context.live_tables.now()
    id, language = web_push.channel_id(data.endpoint), _known_language(data.language)
    channel = Channel(id, user_id, "push", data.endpoint, language, data.p256dh, data.auth, None, now_ms)
    await context.store.write(queries.save_channel(channel, now_ms))
    await check_not_deleted(request, user_id)
    return await _notifications(context, user_id)


@post("/api/me/notifications/push/remove", tags=["notifications"], status_code=200)
async def remove_push_subscription(
    request: AnyRequest, data: JSONBody[protocol.PushEndpoint]
) -> protocol.Notifications:
    """Send no more notifications to a browser of the caller."""
    context, user_id = await _changing(request)
    await context.store.write(queries.remove_channel(web_push.channel_id(data.endpoint), user_id))
    return await _notifications(context, user_id)


@post("/api/me/notifications/email", tags=["notifications"], status_code=200)
async def add_email(request: AnyRequest, data: JSONBody[protocol.NewEmail]) -> protocol.Notifications:
    """Send a link to an e-mail address; once it is confirmed, notifications are sent to the address."""
    context, user_id = await _changing(request)
    if context.mailer is None:
        raise Refused("no-email")
    if not is_address(data.address):
        raise Refused("bad-request", what="address: this is not an e-mail address")
    context.limits.take_email(user_id, data.address, client_network(request.scope))
    now_ms = context.live_tables.now()
    token, language = secrets.token_urlsafe(24), _known_language(data.language)
    channel = Channel(secrets.token_hex(16), user_id, "email", data.address, language, None, None, token, None)
    await context.store.write(queries.save_channel(channel, now_ms))
    await check_not_deleted(request, user_id)
    context.wake_sender()
    return await _notifications(context, user_id)


@delete("/api/me/notifications/email", tags=["notifications"], status_code=200)
async def remove_email(request: AnyRequest) -> protocol.Notifications:
    """Send no more e-mail to the caller, and forget their address."""
    context, user_id = await _changing(request)
    await context.store.write(queries.remove_email(user_id))
    return await _notifications(context, user_id)


@post("/api/notifications/confirm", tags=["notifications"], status_code=200)
async def confirm_email(request: AnyRequest, data: JSONBody[protocol.EmailToken]) -> protocol.EmailAddress:
    """Confirm an e-mail address by the link that was sent to it; no account is needed."""
    context = context_of(request)
    context.limits.account_changes.take(client_network(request.scope))
    channel = await context.store.write(queries.confirm(data.token, context.live_tables.now()))
    if channel is None:
        raise Refused("no-email-link")
    return protocol.EmailAddress(channel.address, True)


@post("/api/notifications/unsubscribe/{token:str}", tags=["notifications"], status_code=200)
async def unsubscribe(request: AnyRequest, token: FromPath[str]) -> Response[None]:
    """Stop e-mail to the address to which a link was sent; no account is needed, and e-mail programs may do it.

    Repeating it does nothing.
    """
    context = context_of(request)
    context.limits.account_changes.take(client_network(request.scope))
    await context.store.write(queries.unsubscribe(token))
    return Response(None)


@get("/api/notifications/unsubscribe/{token:str}", include_in_schema=False)
async def ask_to_unsubscribe(request: AnyRequest, token: FromPath[str]) -> Redirect:
    """Lead a person who opens the address of `unsubscribe` to the page with its button: looking changes nothing."""
    return Redirect(f"/unsubscribe#{token}")


async def _changing(request: AnyRequest) -> tuple[AppContext, str]:
    """Return the context and the caller, whose change is counted."""
    user_id = await require_user(request)
    context = context_of(request)
    context.limits.account_changes.take(client_network(request.scope))
    return context, user_id


def _known_language(language: str) -> str:
    return language if language in LANGUAGES else LANGUAGES[0]


async def _notifications(context: AppContext, user_id: str) -> protocol.Notifications:
    settings = await context.store.read(queries.settings(user_id))
    channels = await context.store.read(queries.channels(user_id))
    emails = [protocol.EmailAddress(one.address, one.confirmed is not None) for one in channels if one.kind == "email"]
    quiet = None
    start, end, zone = settings.quiet_from, settings.quiet_until, settings.time_zone
    if start is not None and end is not None and zone is not None:
        quiet = protocol.QuietHours(start, end, zone)
    return protocol.Notifications(
        context.push_key.public if context.push_key is not None else None,
        context.mailer is not None,
        sum(one.kind == "push" for one in channels),
        emails[0] if emails else None,
        [kind for kind in KINDS if kind in settings.kinds],
        quiet,
    )


ROUTES = (
    show_notifications,
    choose_notifications,
    stop_notifications,
    add_push_subscription,
    remove_push_subscription,
    add_email,
    remove_email,
    confirm_email,
    unsubscribe,
    ask_to_unsubscribe,
)
