"""What may be done at a table: each function returns the event that would do it, or raises why not.

Nothing is changed here: the event counts once the store has it.
"""

from typing import Any

from sevenhues import bots
from sevenhues.core import deal_proof
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game
from sevenhues.core.rng import Dealer
from sevenhues.protocol import NewTable
from sevenhues.server.accounts import names
from sevenhues.server.errors import Declined
from sevenhues.server.table import events
from sevenhues.server.table.state import Table

COUNTDOWN = 3000  # milliseconds before all start at one signal
PATIENCE = 120_000  # milliseconds without progress after which a race is abandoned


def create(wish: NewTable, game: Game[Any], owner: str, secret: bytes, seed: str) -> events.Created:
    """Lay a table; who sits at it follows as events of their own. A table for one deals from a seed."""
    try:
        game.check_seats(len(wish.seats))
        options = game.settle(wish.options)
    except BadOption as error:
        raise Declined("bad-table", what=str(error)) from None
    if game.simultaneous and wish.clock.kind != "none":
        raise Declined("clock-for-turns", title=game.title)
    alone = len(wish.seats) == 1
    if wish.seed is not None and not alone:
        raise Declined("seed-for-one")
    for seat in wish.seats:
        if seat.kind == "bot":
            level_of(game, seat.level)
    return events.Created(
        game.id,
        options,
        len(wish.seats),
        owner,
        wish.public,
        wish.clock,
        wish.takeover,
        wish.waits,
        secret.hex(),
        seed=(wish.seed or seed) if alone else None,
        hints=wish.hints,
    )


def seated(wish: NewTable, game: Game[Any], owner: str, name: str) -> list[events.Event]:
    """Seat whoever a new table is laid for."""
    found: list[events.Event] = []
    for number, seat in enumerate(wish.seats):
        if seat.kind == "me":
            found.append(events.Sat(number, owner, name if seat.name is None else name_of(seat.name)))
        elif seat.kind == "bot":
            found.append(events.Sat(number, None, None, level_of(game, seat.level)))
    return found


def name_of(wished: str) -> str:
    """Check a name that somebody chose, for themselves or for a seat."""
    name = names.chosen(wished)
    if name is None:
        raise Declined("bad-request", what="name: some letters are needed, no control characters, and no bot: before")
    return name


def level_of(game: Game[Any], level: str | None) -> str:
    """Check the name of a bot."""
    try:
        return bots.find(game, level or "").name
    except BadOption as error:
        raise Declined("no-bot", what=str(error)) from None


def sit(table: Table, by: str, name: str, wished: int | None) -> events.Event:
    _not_started(table)
    open_seats = [i for i, seat in enumerate(table.seats) if seat.open]
    held = table.held(by)
    if wished is None:
        if held:
            raise Declined("seated-already", seat=held[0])
        if not open_seats:
            raise Declined("table-full")
        wished = open_seats[0]
    _seat(table, wished)
    if wished not in open_seats:
        raise Declined("seat-taken", seat=wished)
    return events.Sat(wished, by, name)


def sit_bot(table: Table, by: str, seat: int, level: str) -> events.Event:
    _owner(table, by)
    _not_started(table)
    _seat(table, seat)
    if not table.seats[seat].open:
        raise Declined("seat-taken", seat=seat)
    return events.Sat(seat, None, None, level_of(table.game, level))


def leave(table: Table, by: str, seat: int) -> events.Event:
    """Free a seat: one's own, or, for who made the table, a bot's."""
    _not_started(table)
    _seat(table, seat)
    bot = table.seats[seat].level is not None and table.made.owner == by
    if table.seats[seat].by != by and not bot:
        raise Declined("not-your-seat", seat=seat)
    return events.Left(seat)


def add(table: Table, by: str, entropy: str) -> events.Event | None:
    """Add to the deal; None if this person did so before."""
    if by not in table.persons():
        raise Declined("not-seated")
    if by in table.entropies:
        return None
    _not_started(table)
    return events.Added(by, entropy)


def start(table: Table, by: str, now: int) -> events.Event | None:
    """Start on the word of who made the table; None if it has started already."""
    _owner(table, by)
    if table.started is not None:
        return None
    still_open = sum(seat.open for seat in table.seats)
    if still_open:
        raise Declined("not-full", open=still_open)
    if len(table.added()) < len(table.persons()):
        raise Declined("not-ready")
    return _dealt(table, now)


def due(table: Table, now: int) -> events.Event | None:
    """Return what happens by itself: a full table starts, unless it waits for a word."""
    if table.status != "waiting" or table.made.waits or any(seat.open for seat in table.seats):
        return None
    return _dealt(table, now) if len(table.added()) == len(table.persons()) else None


def move(table: Table, by: str | None, seat: int, ply: int, text: str, id: str | None, now: int) -> events.Event | int:
    """Judge a move of a person, or of the seat's bot (by None). A move known already gives its ply instead."""
    if id is not None and seat in table.held(by) and (seat, id) in table.ids:
        return table.ids[seat, id]
    _acts(table, by, seat)
    position = _playing(table)
    if now < table.begins:
        raise Declined("countdown")
    if not table.game.simultaneous and ply != table.ply:
        raise Declined("stale", seen=ply, ply=table.ply)
    chosen = table.game.parse(position, seat, text)
    return events.Played(seat, table.game.text(position, seat, chosen), id)


def resign(table: Table, by: str, seat: int) -> events.Event | None:
    """Give up: with two seats the other wins; with more, a bot plays on so that the others can.

    None if it is done already.
    """
    _seat(table, seat)
    given_up = table.seats[seat].level is not None or (table.result is not None and table.result.seat == seat)
    if table.seats[seat].by == by and given_up:
        return None
    _acts(table, by, seat)
    _playing(table)
    if len(table.seats) > 2:
        return events.TakenOver(seat, bots.usual(table.game))
    return events.Resigned(seat)


def part(table: Table, by: str) -> events.Event | None:
    """Take a person who is no more from one of their seats: it is free before the start, and resigned after it."""
    for number, seat in enumerate(table.seats):
        if table.result is None and seat.person == by:
            return events.Left(number) if table.started is None else resign(table, by, number)
    return None


def overdue(table: Table, now: int) -> events.Event | None:
    """Return what the passing of time does at this moment: a flag falls, a race nobody runs ends."""
    if table.status != "playing":
        return None
    if table.clocks is not None:
        flag, seat = table.clocks.flag(), table.clocks.running
        if flag is not None and seat is not None and now >= flag:
            return events.TakenOver(seat, bots.usual(table.game)) if table.made.takeover else events.TimedOut(seat)
    if table.game.simultaneous and now >= table.progress + PATIENCE:
        return events.Abandoned()
    return None


def next_alarm(table: Table) -> int | None:
    """Tell when to ask `overdue` again."""
    if table.status != "playing":
        return None
    if table.game.simultaneous:
        return table.progress + PATIENCE
    return table.clocks.flag() if table.clocks is not None else None


def offer(table: Table, by: str) -> events.Event | None:
    """Offer a rematch; None if this person did so before."""
    if by not in table.persons():
        raise Declined("not-seated")
    if table.result is None:
        raise Declined("not-over")
    return None if by in table.offers or table.next else events.Offered(by)


def rematch(table: Table, secret: bytes, seed: str) -> list[events.Event] | None:
    """Return how the rematch is laid once everybody has offered it: in games of turns somebody else begins."""
    if table.result is None or table.next or not table.persons() or set(table.persons()) - table.offers:
        return None
    seats = len(table.seats)
    shift = 0 if table.game.simultaneous else 1
    made = table.made
    laid = events.Created(
        made.game, made.options, seats, made.owner, made.public, made.clock, made.takeover, False, secret.hex()
    )
    laid.winners = sorted((winner - shift) % seats for winner in table.result.winners)
    laid.previous = table.id
    laid.hints = made.hints
    laid.seed = seed if seats == 1 else None
    found: list[events.Event] = [laid]
    for number in range(seats):
        old = table.seats[(number + shift) % seats]
        found.append(events.Sat(number, old.by, old.name, None if old.by else old.level))
    return found


def advise(table: Table, by: str, seat: int) -> None:
    """Raise why a seat may not be told what a bot would do."""
    _playing(table)
    _acts(table, by, seat)
    if not table.made.hints:
        raise Declined("no-hints")
    if seat not in table.turn():
        raise Declined("not-your-turn", seat=seat)


def _dealt(table: Table, now: int) -> events.Started:
    made = table.made
    dealer = Dealer(made.seed.encode("ascii") if made.seed else deal_proof.seed(table.secret, table.added()))
    setup = table.game.deal(len(table.seats), table.options, dealer, made.winners)
    return events.Started(setup, now + COUNTDOWN if table.game.simultaneous else now)


def _playing(table: Table) -> Any:
    if table.position is None:
        raise Declined("not-started")
    if table.result is not None:
        raise Declined("over")
    return table.position


def _not_started(table: Table) -> None:
    if table.started is not None:
        raise Declined("started-already")


def _owner(table: Table, by: str) -> None:
    if table.made.owner != by:
        raise Declined("not-your-table")


def _seat(table: Table, seat: int) -> None:
    if not 0 <= seat < len(table.seats):
        raise Declined("no-seat", seat=seat)


def _acts(table: Table, by: str | None, seat: int) -> None:
    """Nobody acts for another seat: a person for theirs, the server for a bot's."""
    _seat(table, seat)
    if by is None:
        if table.seats[seat].level is None:
            raise Declined("not-your-seat", seat=seat)
    elif table.seats[seat].person != by:
        raise Declined("not-your-seat", seat=seat)
