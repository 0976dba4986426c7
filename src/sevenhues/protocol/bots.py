"""Bot accounts on the wire: their owner's list, their public profile, and what they hear of."""

from typing import Annotated, Any, Literal

import msgspec

from sevenhues.protocol.live import Closing, Moved
from sevenhues.protocol.tables import GameId, Name, TableInfo

DeclineReason = Literal["busy", "unwanted", "stopping"]
GameIds = Annotated[
    list[GameId], msgspec.Meta(min_length=1, max_length=100, description="The games that a bot may play.")
]


class BotAccount(msgspec.Struct):
    """A bot account of the caller."""

    player: str  # the id of its public profile
    name: str
    games: list[str] | None  # that it may play; null for all
    may_create: bool  # it may create tables; otherwise it accepts challenges and joins tables that welcome bots
    has_token: bool  # it has a token that is not revoked
    online: bool  # it can be challenged now
    created: int
    used: int | None = None  # when its token was last used, to about a minute


class BotAccountList(msgspec.Struct):
    """The caller's bot accounts, the oldest first, and how many they may have."""

    bots: list[BotAccount]
    most: int


class NewBotToken(msgspec.Struct):
    """A bot account and its new token, which is sent once: only its digest is stored."""

    bot: BotAccount
    token: str


class NewBotAccount(msgspec.Struct, forbid_unknown_fields=True):
    """A bot account to create."""

    name: Name
    games: GameIds | None = None  # null for all
    may_create: bool = False


class BotAccountChange(msgspec.Struct, forbid_unknown_fields=True):
    """A new name of a bot account, and what it may do from now on."""

    name: Name
    games: GameIds | None = None  # null for all
    may_create: bool = False


class OnlineBot(msgspec.Struct):
    """A bot account that can be challenged now."""

    player: str
    name: str
    games: list[str] | None  # null for all


class OnlineBots(msgspec.Struct):
    """Bot accounts that can be challenged now, by name."""

    bots: list[OnlineBot]


class BotProfile(msgspec.Struct):
    """What the profile of a bot account has beside that of a person."""

    games: list[str] | None  # that it may play; null for all
    online: bool  # it can be challenged now
    created: int


class Decline(msgspec.Struct, forbid_unknown_fields=True):
    """Decline a challenge: the bot plays enough games, does not play this table, or is about to stop."""

    reason: DeclineReason = "unwanted"


class Sample(msgspec.Struct):
    """A deal that is as likely as the true one, given all that a seat has seen, and the moves so far.

    Played from this setup, the moves show the seat what it saw. A bot that searches begins here.
    """

    ply: int
    setup: dict[str, Any]
    moves: list[Moved]


class BotChallenge(msgspec.Struct, tag="challenge"):
    """A seat is reserved for the bot, which joins the table or declines."""

    table: TableInfo
    seat: int


class BotGame(msgspec.Struct, tag="game"):
    """A table at which the bot has a seat: sent on connecting, and when the table's seats or status change."""

    table: TableInfo


BotEvent = BotChallenge | BotGame | Closing
