"""Commands at a table. Each function validates a command and returns its decision, or raises why it is refused.

Functions that return None have nothing to do: the command was carried out before. Nothing is changed here: an event
takes effect once it is stored.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from sevenhues import bots
from sevenhues.core import deal_proof
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game, check_seats, resolve_options
from sevenhues.core.moves import parse
from sevenhues.core.position import Position
from sevenhues.core.rng import Dealer
from sevenhues.server.table import events
from sevenhues.server.table.clock import counts_days
from sevenhues.server.table.errors import Refused
from sevenhues.server.table.events import ClockSettings, Event
from sevenhues.server.table.state import Decision, Table

REVEAL_MS = 10_000  # from the publication of all commitments, in which clients reveal their entropy
COUNTDOWN_MS = 3000  # before a race starts
RACE_TIMEOUT_MS = 120_000  # without progress, after which a race is abandoned
MAX_EVENTS_BEFORE_START = 500  # after which nobody takes a seat, and commitments are not replaced
GRACE_MS = 15_000  # granted, or what was left if less, to a player whose clock ran out while the server was down
Command = Callable[[Table, int], Decision | None]  # given the table and the time


class SeatSpec(NamedTuple):
    """A seat of a new table: the creator's (with a name of its own on a shared device), open, or a bot's.

    With `challenge` it is reserved for a bot account, which has a user id and a name.
    """

    kind: Literal["me", "open", "bot", "challenge"]
    name: str | None = None
    level: str | None = None
    user_id: str | None = None


class TableSpec(NamedTuple):
    """A table to create."""

    seats: tuple[SeatSpec, ...]
    options: Mapping[str, bool | int | str] = {}
    public: bool = False
    clock: ClockSettings = ClockSettings()
    bot_takeover: bool = False
    manual_start: bool = False
    seed: str | None = None
    hints: bool = False
    bots_welcome: bool = False
    by_bot: bool = False  # a bot account creates the table


def create(spec: TableSpec, game: Game[Any], owner_id: str, name: str, secret: bytes, seed: str) -> list[Event]:
    """Return the first events of a new table. A table for one player is dealt from a seed; `seed` is the default."""
    try:
        check_seats(game, len(spec.seats))
        options = resolve_options(game, spec.options)
    except BadOption as error:
        raise Refused("bad-table", what=str(error)) from None
    if game.simultaneous and spec.clock.kind != "none":
        raise Refused("clock-for-turns", title=game.title)
    solo = len(spec.seats) == 1
    if spec.seed is not None and not solo:
        raise Refused("seed-for-one")
    created = events.Created(
        game.id,
        options,
        len(spec.seats),
        owner_id,
        spec.public,
        spec.clock,
        spec.bot_takeover,
        spec.manual_start,
        secret.hex(),
        seed=(spec.seed or seed) if solo else None,
        hints=spec.hints,
        bots_welcome=spec.bots_welcome,
        by_bot=spec.by_bot,
    )
    challenged = [seat.user_id for seat in spec.seats if seat.kind == "challenge"]
    if len({*challenged, owner_id}) <= len(challenged):
        raise Refused("bad-table", what="seats: a bot can be challenged once at a table, and not by itself")
    seated: list[Event] = []
    for number, seat in enumerate(spec.seats):
        if seat.kind == "me":
            own_name = name if seat.name is None else seat.name
            seated.append(events.SeatTaken(number, owner_id, own_name, bot_account=spec.by_bot))
        elif seat.kind == "bot":
            seated.append(events.SeatTaken(number, None, None, check_level(game, seat.level)))
        elif seat.kind == "challenge":
            assert seat.user_id is not None
            assert seat.name is not None
            seated.append(events.BotChallenged(number, seat.user_id, seat.name))
    return [created, *seated]


def check_level(game: Game[Any], level: str | None) -> str:
    """Return the name of a bot's level; raise Refused if the game has no such level."""
    try:
        return bots.find(game, level or "").name
    except BadOption as error:
        raise Refused("no-bot", what=str(error)) from None


def take_seat(table: Table, user_id: str, name: str, seat: int | None, bot_account: bool = False) -> Decision:
    """Take an open seat; by default the first one, for a user without a seat.

    A bot account takes the seat that is reserved for it, or another one at a table that welcomes bots or is its own.
    """
    _check_seats_may_change(table)
    _check_log_may_grow(table)
    open_seats = [i for i, one in enumerate(table.seats) if one.open and one.reserved_for in (None, user_id)]
    if bot_account and not (table.config.bots_welcome or table.config.owner_id == user_id):
        open_seats = [i for i in open_seats if table.seats[i].reserved_for == user_id]
        if not open_seats:
            raise Refused("bots-not-welcome")
    open_seats.sort(key=lambda i: table.seats[i].reserved_for is None)  # the seat of a challenge comes first
    if seat is None:
        own_seats = table.seats_of(user_id)
        if own_seats:
            raise Refused("seated-already", seat=own_seats[0])
        if not open_seats:
            raise Refused("table-full")
        seat = open_seats[0]
    _check_seat(table, seat)
    if seat not in open_seats:
        raise Refused("seat-taken", seat=seat)
    return Decision(events.SeatTaken(seat, user_id, name, bot_account=bot_account))


def decline_challenge(table: Table, user_id: str, reason: str) -> Decision:
    """Decline the challenge of a bot account to take a seat: from now on others may take the seat."""
    for number, seat in enumerate(table.seats):
        if seat.reserved_for == user_id:
            return Decision(events.ChallengeDeclined(number, reason))
    raise Refused("no-challenge")


def seat_bot(table: Table, user_id: str, seat: int, level: str) -> Decision:
    """Let a bot take an open seat; for the owner of the table."""
    _check_owner(table, user_id)
    _check_seats_may_change(table)
    _check_log_may_grow(table)
    _check_seat(table, seat)
    if not table.seats[seat].open:
        raise Refused("seat-taken", seat=seat)
    return Decision(events.SeatTaken(seat, None, None, check_level(table.game, level)))


def leave_seat(table: Table, user_id: str, seat: int) -> Decision:
    """Free a seat: the user's own or, for the owner of the table, a bot's or one that is reserved for a bot account."""
    _check_seats_may_change(table)
    _check_seat(table, seat)
    filled = table.seats[seat].level is not None or table.seats[seat].reserved_for is not None
    own_bot = filled and table.config.owner_id == user_id
    if table.seats[seat].user_id != user_id and not own_bot:
        raise Refused("not-your-seat", seat=seat)
    return Decision(events.SeatLeft(seat))


def commit_entropy(table: Table, user_id: str, commitment: str) -> Decision | None:
    """Commit to a user's entropy; a later commitment replaces an earlier one until all of them are published."""
    if user_id not in table.user_ids():
        raise Refused("not-seated")
    repeated = user_id in table.entropies or table.commitments.get(user_id) == commitment
    if repeated or (user_id in table.commitments and table.published is not None):
        return None
    _check_seats_may_change(table)
    if user_id in table.commitments:
        _check_log_may_grow(table)
    return Decision(events.EntropyCommitted(user_id, commitment))


def add_entropy(table: Table, user_id: str, entropy: str) -> Decision | None:
    """Add a user's entropy to the deal, once. It must fit the user's commitment, if there is one."""
    if user_id not in table.user_ids():
        raise Refused("not-seated")
    if user_id in table.entropies:
        return None
    if table.started_at is not None:
        raise Refused("started-already")
    if table.commitments.get(user_id, commitment := deal_proof.entropy_commitment(entropy)) != commitment:
        raise Refused("wrong-entropy")
    return Decision(events.EntropyAdded(user_id, entropy))


def start(table: Table, user_id: str, now_ms: int) -> Decision | None:
    """Start the game; for the owner of the table."""
    _check_owner(table, user_id)
    if table.started_at is not None or table.published is not None:
        return None
    open_seats = sum(seat.open for seat in table.seats)
    if open_seats:
        raise Refused("not-full", open=open_seats)
    if not _has_all_commitments(table):
        raise Refused("not-ready")
    return _publish_or_deal(table, now_ms)


def start_if_full(table: Table, now_ms: int) -> Decision | None:
    """Start a game whose seats are all taken, unless its owner starts it: publish the commitments first, then deal."""
    if table.status != "waiting":
        return None
    if table.published is None and (table.config.manual_start or any(seat.open for seat in table.seats)):
        return None
    return _publish_or_deal(table, now_ms) if _has_all_commitments(table) else None


def move(
    table: Table, user_id: str | None, seat: int, ply: int, text: str, request_id: str | None, now_ms: int
) -> Decision | None:
    """Make a move for a user's seat, or for a bot's (`user_id` is None). A repeated request id does nothing."""
    if request_id is not None and seat in table.seats_of(user_id) and (seat, request_id) in table.request_plies:
        return None
    _check_acts_for(table, user_id, seat)
    position = _playing_position(table)
    if now_ms < table.begins_at:
        raise Refused("countdown")
    if not table.game.simultaneous and ply != table.ply:
        raise Refused("stale", seen=ply, ply=table.ply)
    chosen = parse(table.game, position, seat, text)
    event = events.MovePlayed(seat, table.game.text(position, seat, chosen), request_id)
    after = position.copy()
    after.play(seat, chosen)
    return Decision(event, after, after.outcome())


def resign(table: Table, user_id: str, seat: int) -> Decision | None:
    """Resign: at a table with two seats the other seat wins; at a larger one a bot takes over, and the game goes on."""
    _check_seat(table, seat)
    resigned = table.seats[seat].level is not None or (table.result is not None and table.result.seat == seat)
    if table.seats[seat].user_id == user_id and resigned:
        return None
    _check_acts_for(table, user_id, seat)
    _playing_position(table)
    if len(table.seats) > 2:
        return Decision(events.BotTookOver(seat, bots.default_level(table.game)))
    return Decision(events.Resigned(seat))


def remove_user(table: Table, user_id: str, now_ms: int) -> Decision | None:
    """Free or resign one of a deleted user's seats; None if there are none left.

    Seats cannot be freed while clients reveal their entropy: then the game is dealt without waiting for more.
    """
    for number, seat in enumerate(table.seats):
        if seat.reserved_for == user_id:
            return Decision(events.ChallengeDeclined(number, "gone"))
        if table.result is None and seat.acting_user_id == user_id:
            if table.started_at is not None:
                return resign(table, user_id, number)
            return Decision(events.SeatLeft(number)) if table.published is None else _deal(table, now_ms)
    return None


def take_vacation(table: Table, now_ms: int, user_id: str, started: int, until: int) -> Decision | None:
    """Stop a user's clock during holidays, unless it ran out before they began, or they ended before the game began."""
    if table.status != "playing" or table.started_at is None or not counts_days(table.config.clock):
        return None
    if until <= table.started_at or table.vacations.get(user_id, {}).get(started) == until:
        return None
    clocks = table.clocks
    if clocks is not None and clocks.running in table.seats_of(user_id):
        expires_at = clocks.expires_at()
        if expires_at is not None and expires_at <= started:
            return None
    return Decision(events.VacationTaken(user_id, started, until))


def abandon(table: Table) -> Decision | None:
    """End a game that nobody continues."""
    return Decision(events.Abandoned()) if table.status == "playing" else None


def end_by_operator(table: Table) -> Decision | None:
    """End a game on behalf of an operator. It is not rated, no matter which player was to move."""
    return Decision(events.Abandoned(by_operator=True)) if table.status == "playing" else None


def abandon_inactive(table: Table, now_ms: int, inactive_ms: int) -> Decision | None:
    """End a game that nobody continues, unless a player came back from holidays since."""
    away_until = max((table.away_until(user_id) or 0 for user_id in table.user_ids()), default=0)
    return abandon(table) if away_until + inactive_ms <= now_ms else None


def check_time(table: Table, now_ms: int) -> Decision | None:
    """Apply the passing of time: end or hand over a game whose clock ran out, abandon a race without progress.

    Before the start, deal without the entropy that was not revealed in time.
    """
    if _is_revealing(table):
        return _deal(table, now_ms) if now_ms >= table.progress_at + REVEAL_MS else None
    if table.status != "playing":
        return None
    if table.clocks is not None:
        expires_at, seat = table.clocks.expires_at(), table.clocks.running
        if expires_at is not None and seat is not None and now_ms >= expires_at:
            if table.config.bot_takeover:
                return Decision(events.BotTookOver(seat, bots.default_level(table.game)))
            return Decision(events.TimedOut(seat))
    if table.game.simultaneous and now_ms >= table.progress_at + RACE_TIMEOUT_MS:
        return Decision(events.Abandoned())
    return None


def next_deadline(table: Table) -> int | None:
    """Return the time at which `check_time` must be called again; None if time does not matter."""
    if _is_revealing(table):
        return table.progress_at + REVEAL_MS
    if table.status != "playing":
        return None
    if table.game.simultaneous:
        return table.progress_at + RACE_TIMEOUT_MS
    return table.clocks.expires_at() if table.clocks is not None else None


def grant_time(table: Table, now_ms: int) -> Decision | None:
    """Grant a few seconds to a player whose clock ran out, or nearly did, while the server was down."""
    if table.game.simultaneous and table.status == "playing":
        late = now_ms > table.progress_at + RACE_TIMEOUT_MS - GRACE_MS
        # A race has no clocks: this event starts its timeout again.
        return Decision(events.TimeGranted(0, 0)) if late else None
    clocks = table.clocks
    if clocks is None or clocks.running is None:
        return None
    left_ms = clocks.left_ms[clocks.running]
    grace_ms = min(left_ms, GRACE_MS)
    if left_ms - clocks.elapsed_ms(now_ms) >= grace_ms:
        return None
    return Decision(events.TimeGranted(clocks.running, grace_ms))


def grant_expired_time(table: Table, now_ms: int) -> Decision | None:
    """Grant a few seconds to a player whose clock ran out, or time to a race, while no process watched it."""
    deadline = next_deadline(table)
    return grant_time(table, now_ms) if deadline is not None and now_ms >= deadline else None


def grant_reveal_time(table: Table, now_ms: int) -> Decision | None:
    """Start the time for revealing entropy again when a process loads the table: clients may be reconnecting."""
    return Decision(events.TimeGranted(0, 0)) if _is_revealing(table) else None


def offer_rematch(table: Table, user_id: str) -> Decision | None:
    """Offer a rematch, once."""
    if user_id not in table.user_ids():
        raise Refused("not-seated")
    if table.result is None:
        raise Refused("not-over")
    if user_id in table.rematch_offers or table.rematch_table:
        return None
    return Decision(events.RematchOffered(user_id))


def rematch_is_due(table: Table) -> bool:
    """Tell whether every user has offered a rematch that is not created yet."""
    if table.result is None or table.rematch_table:
        return False
    user_ids = table.user_ids()
    return bool(user_ids) and table.rematch_offers.issuperset(user_ids)


def create_rematch(table: Table, secret: bytes, seed: str) -> list[Event]:
    """Return the first events of the rematch.

    In games with turns the seats are rotated, so that another player begins.
    """
    assert table.result is not None
    seats = len(table.seats)
    shift = 0 if table.game.simultaneous else 1
    config = table.config
    created = events.Created(
        config.game,
        config.options,
        seats,
        config.owner_id,
        config.public,
        config.clock,
        config.bot_takeover,
        False,
        secret.hex(),
        previous_winners=sorted((winner - shift) % seats for winner in table.result.winners),
        previous_table=table.id,
        seed=seed if seats == 1 else None,
        hints=config.hints,
        bots_welcome=config.bots_welcome,
        by_bot=config.by_bot,
    )
    seated: list[Event] = []
    for number in range(seats):
        old = table.seats[(number + shift) % seats]
        level = None if old.user_id else old.level
        seated.append(events.SeatTaken(number, old.user_id, old.name, level, old.bot_account))
    return [created, *seated]


def check_hint(table: Table, user_id: str, seat: int) -> None:
    """Raise Refused if a seat may not get a hint now."""
    _playing_position(table)
    _check_acts_for(table, user_id, seat)
    if not table.config.hints:
        raise Refused("no-hints")
    if seat not in table.to_act():
        raise Refused("not-your-turn", seat=seat)


def playing_position(table: Table, user_id: str, seat: int) -> Position:
    """Return the position of a game in play; raise Refused unless the user moves for this seat."""
    position = _playing_position(table)
    _check_acts_for(table, user_id, seat)
    return position


def check_speaker(table: Table, user_id: str, seat: int) -> None:
    """Raise Refused if a user may not say anything as the player of a seat."""
    own_seats = table.seats_of(user_id)
    if not own_seats:
        raise Refused("not-seated")
    if seat not in own_seats:
        raise Refused("not-your-seat", seat=seat)


def _has_all_commitments(table: Table) -> bool:
    return len(table.ordered_commitments()) == len(table.user_ids())


def _is_revealing(table: Table) -> bool:
    return table.published is not None and table.started_at is None


def _publish_or_deal(table: Table, now_ms: int) -> Decision | None:
    """Deal once all entropy is revealed. Until then publish the commitments; None if they are published already."""
    if all(user_id in table.entropies for user_id in table.user_ids()):
        return _deal(table, now_ms)
    return Decision(events.CommitmentsPublished()) if table.published is None else None


def _deal(table: Table, now_ms: int) -> Decision:
    config = table.config
    entropy = config.seed.encode("ascii") if config.seed else deal_proof.seed(table.secret, table.ordered_entropies())
    setup = table.game.deal(len(table.seats), table.options, Dealer(entropy), config.previous_winners)
    return Decision(events.Started(setup, now_ms + COUNTDOWN_MS if table.game.simultaneous else now_ms))


def _playing_position(table: Table) -> Position:
    if table.position is None:
        raise Refused("not-started")
    if table.result is not None:
        raise Refused("over")
    return table.position


def _check_seats_may_change(table: Table) -> None:
    if table.started_at is not None or table.published is not None:
        raise Refused("started-already")


def _check_log_may_grow(table: Table) -> None:
    """Raise Refused if too much has happened before the start. Seats can still be freed, and the game can start."""
    if table.event_count >= MAX_EVENTS_BEFORE_START:
        raise Refused("too-many-changes")


def _check_owner(table: Table, user_id: str) -> None:
    if table.config.owner_id != user_id:
        raise Refused("not-your-table")


def _check_seat(table: Table, seat: int) -> None:
    if not 0 <= seat < len(table.seats):
        raise Refused("no-seat", seat=seat)


def _check_acts_for(table: Table, user_id: str | None, seat: int) -> None:
    """Raise Refused unless the user moves for this seat or, without a user, a bot does."""
    _check_seat(table, seat)
    if user_id is None:
        if table.seats[seat].level is None:
            raise Refused("not-your-seat", seat=seat)
    elif table.seats[seat].acting_user_id != user_id:
        raise Refused("not-your-seat", seat=seat)
