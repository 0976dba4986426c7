"""Messages to clients: the description of a table for one user, and a position as seats see it."""

from collections.abc import Collection
from typing import Any, cast

import msgspec

from sevenhues import protocol
from sevenhues.core.game import Game, View
from sevenhues.core.moves import legal_texts
from sevenhues.core.play import TimedMove
from sevenhues.core.position import WATCHER, Position
from sevenhues.protocol import Moved, SeatInfo, SeatView, TableInfo, TextView, Update
from sevenhues.server.cluster.bus import SaidPhrase
from sevenhues.server.ratings import contests
from sevenhues.server.store import DELETED_USER_NAME
from sevenhues.server.table.state import Seat, Table

# Of websockets, by the reason in `protocol.Closing`.
CLOSE_CODES = {
    "stopping": 1012,
    "slow": 4008,
    "flood": 4029,
    "gone": 4004,
    "deleted": 4001,
    "revoked": 4401,
    "banned": 4403,
}
encoder = msgspec.json.Encoder()


def table_info(
    table: Table,
    user_id: str | None,
    connected: Collection[str] = (),
    watchers: int = 0,
    exclusion: contests.Exclusion | None = None,
) -> TableInfo:
    """Describe a table to a user; `connected` are the users with a connection to it."""
    config, position = table.config, table.position
    return TableInfo(
        id=table.id,
        game=table.game.id,
        options=dict(table.options),
        seats=[_seat_info(table, seat, connected) for seat in table.seats],
        status=table.status,
        public=config.public,
        clock=protocol.Clock(config.clock.kind, config.clock.seconds, config.clock.increment),
        bot_takeover=config.bot_takeover,
        manual_start=config.manual_start,
        commitment=table.commitment,
        commitments=table.published,
        is_owner=user_id is not None and config.owner_id == user_id,
        your_seats=table.seats_of(user_id),
        created=table.created_at,
        started=table.started_at,
        ply=table.ply,
        turn=table.to_act(),
        scores=position.scores() if position is not None else [0] * len(table.seats),
        updated=table.updated_at,
        watchers=watchers,
        result=result_of(table),
        next=table.rematch_table,
        previous=config.previous_table,
        proof=_proof(table),
        seed=config.seed,
        hints=config.hints,
        imported=config.imported,
        played_offline=config.played_offline,
        branch=None if config.branch is None else protocol.Branch(config.branch.table, config.branch.ply),
        unrated=contests.unrated(table) or exclusion,
        bots_welcome=config.bots_welcome,
        by_bot=config.by_bot,
    )


def _proof(table: Table) -> protocol.Proof | None:
    """Return the proof of the deal, which is published when the game is over."""
    if table.result is None or not table.dealt_here or table.config.seed:
        return None
    return protocol.Proof(table.secret.hex(), table.ordered_entropies(), table.config.previous_winners)


def result_of(table: Table) -> protocol.Result | None:
    return None if table.result is None else protocol.Result(*table.result)


def said(heard: SaidPhrase) -> bytes:
    """Encode what a player said."""
    return encoder.encode(protocol.Said(heard.seat, cast(protocol.Phrase, heard.phrase), heard.at_ms))


class Updates:
    """Encodes the current position for many viewers; each distinct view is built once."""

    def __init__(self, table: Table, now_ms: int, move: TimedMove | None = None, history: bool = False) -> None:
        assert table.position is not None
        self._table = table
        self._position: Position = table.position
        self._views: dict[tuple[int, bool], SeatView] = {}
        self._encoded: dict[tuple[tuple[int, ...], bool], bytes] = {}
        self._update = Update(
            ply=table.ply,
            now=now_ms,
            move=None if move is None else Moved(*move),
            turn=table.to_act(),
            scores=self._position.scores(),
            views=[],
            clock=protocol.ClockState(*table.clocks.read(now_ms)) if table.clocks is not None else None,
            begins=table.begins_at if table.begins_at > now_ms else None,
            result=result_of(table),
            history=[Moved(*played) for played in table.moves] if history else None,
        )

    def encode(self, seats: tuple[int, ...], text: bool) -> bytes:
        """Encode the position as these seats see it, or as a watcher does; with `text`, views come as text too."""
        key = seats, text
        if key not in self._encoded:
            self._update.views = [self._view(seat, text) for seat in seats or (WATCHER,)]
            self._encoded[key] = encoder.encode(self._update)
        return self._encoded[key]

    def _view(self, seat: int, text: bool) -> SeatView:
        key = seat, text
        if key not in self._views:
            self._views[key] = _seat_view(self._table, self._position, seat, text)
        return self._views[key]


def initial_views(table: Table, user_id: str | None) -> tuple[int, ...]:
    """Return the seats whose views a new connection gets: the user's only seat, or all of them in a race."""
    seats = table.seats_of(user_id)
    return tuple(seats) if len(seats) == 1 or table.game.simultaneous else ()


def text_view(game: Game[Any], view: View) -> TextView:
    """Render a view as text."""
    renderer = game.renderer()
    return TextView(renderer.draw(view, False), renderer.describe_last_move(view))


def _seat_view(table: Table, position: Position, seat: int, text: bool) -> SeatView:
    view = table.game.view(position, seat)
    may_act = seat != WATCHER and table.result is None
    legal = legal_texts(table.game, position, seat) if may_act else []
    return SeatView(seat, msgspec.Raw(encoder.encode(view)), legal, text_view(table.game, view) if text else None)


def _seat_info(table: Table, seat: Seat, connected: Collection[str]) -> SeatInfo:
    if seat.open:
        challenge = seat.challenge
        if challenge is None:
            return SeatInfo("open")
        player = contests.player_of(challenge.user_id).id
        return SeatInfo("open", player=player, challenged=challenge.name, declined=challenge.declined)
    if seat.user_id is None and seat.level is None:
        return SeatInfo("person", seat.name, bot_account=seat.bot_account)
    if seat.user_id is None:
        return SeatInfo("bot", seat.name, seat.level, True, True, True)
    return SeatInfo(
        "bot" if seat.level else "person",
        seat.name,
        seat.level,
        seat.user_id in connected,
        seat.user_id in table.commitments,
        seat.user_id in table.rematch_offers,
        _player_id(table, seat.user_id, seat.name),
        table.away_until(seat.user_id),
        seat.bot_account,
    )


def _player_id(table: Table, user_id: str, name: str | None) -> str | None:
    """Return the id of a seat's public profile; None for a user with several seats, whose device is shared."""
    if len(table.seats_of(user_id)) > 1 or name == DELETED_USER_NAME:
        return None
    return contests.player_of(user_id).id
