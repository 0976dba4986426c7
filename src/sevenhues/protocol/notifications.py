"""Notifications in the HTTP API: what a user wants to be told, when not, and how."""

from typing import Annotated, Literal

import msgspec

NotificationKind = Literal["turn", "joined", "rematch", "deadline"]
Minutes = Annotated[int, msgspec.Meta(ge=0, le=1439, description="Minutes after midnight.")]
Endpoint = Annotated[str, msgspec.Meta(min_length=1, max_length=1000, description="The URL of a push subscription.")]
PushKey = Annotated[str, msgspec.Meta(min_length=16, max_length=100, pattern=r"^[A-Za-z0-9_-]+=*$(?!\n)")]
Language = Annotated[str, msgspec.Meta(pattern=r"^[a-z]{2}$(?!\n)", description="The language of messages.")]
MailToken = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class QuietHours(msgspec.Struct, forbid_unknown_fields=True):
    """The part of a day in which nothing is sent, by the clock of a time zone such as `Europe/Berlin`."""

    start: Minutes
    end: Minutes
    time_zone: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]


class EmailAddress(msgspec.Struct):
    """The caller's e-mail address; nothing is sent to it before its owner has confirmed it."""

    address: str
    confirmed: bool


class Notifications(msgspec.Struct):
    """The caller's notifications.

    `public_key` is the server's key for push subscriptions; null if it sends none. `email_offered` tells whether the
    server sends e-mail. `devices` is the number of the caller's push subscriptions.
    """

    public_key: str | None
    email_offered: bool
    devices: int
    email: EmailAddress | None
    kinds: list[NotificationKind]
    quiet: QuietHours | None


class NotificationChoices(msgspec.Struct, forbid_unknown_fields=True):
    """What the caller wants to be told, and when not; null for no quiet hours."""

    kinds: Annotated[list[NotificationKind], msgspec.Meta(max_length=8)]
    quiet: QuietHours | None = None


class PushSubscription(msgspec.Struct, forbid_unknown_fields=True):
    """A browser's push subscription, as `PushSubscription.toJSON()` gives its parts."""

    endpoint: Endpoint
    p256dh: PushKey
    auth: PushKey
    language: Language = "en"


class PushEndpoint(msgspec.Struct, forbid_unknown_fields=True):
    endpoint: Endpoint


class NewEmail(msgspec.Struct, forbid_unknown_fields=True):
    """Ask for notifications by e-mail: a link to confirm the address is sent to it."""

    address: Annotated[str, msgspec.Meta(min_length=3, max_length=254)]
    language: Language = "en"


class EmailToken(msgspec.Struct, forbid_unknown_fields=True):
    """The token in a link that was sent by e-mail."""

    token: MailToken
