"""A table: what its log says. Nothing here waits, stores or sends; every process that reads the log sees the same."""

from typing import Any

from sevenhues.core import deal_proof, registry
from sevenhues.core.game import Game, Position
from sevenhues.core.play import Played, play_text
from sevenhues.core.record import Record, result_of, write
from sevenhues.protocol import Result, Status
from sevenhues.server.table import events
from sevenhues.server.table.clock import Clocks
from sevenhues.server.table.events import Entry


class Seat:
    """A place: open, a person's (an identity), or a bot's. A person whose seat a bot took over is remembered.

    At a table whose record was uploaded a person is a name, and nobody here.
    """

    def __init__(self) -> None:
        self.by: str | None = None
        self.name: str | None = None
        self.level: str | None = None

    @property
    def open(self) -> bool:
        return self.by is None and self.level is None and self.name is None

    @property
    def person(self) -> str | None:
        """Return who acts here, if it is a person."""
        return None if self.level else self.by


class Table:
    """One sitting: grows by `apply`, event by event."""

    def __init__(self, id: str, first: Entry) -> None:
        created = first.event
        assert isinstance(created, events.Created), "a log begins with how the table was made"
        self.id = id
        self.made = created
        self.game: Game[Any] = registry.load(created.game)
        self.options = self.game.settle(created.options)
        self.secret = bytes.fromhex(created.secret)
        self.commitment = deal_proof.seal(self.secret)
        self.seats = [Seat() for _ in range(created.seats)]
        self.entropies: dict[str, str] = {}  # by person
        self.number = 1  # events so far
        self.created = self.at = first.at
        self.started: int | None = None
        self.begins = 0
        self.ahead = 0  # milliseconds of a race that had passed in the game this one was played on from
        self.setup: dict[str, Any] = {}
        self.position: Position | None = None
        self.moves: list[Played] = []
        self.ids: dict[tuple[int, str], int] = {}  # plies, by seat and what the sender called the move
        self.clocks: Clocks | None = None
        self.progress = 0  # when a score last changed
        self.result: Result | None = None
        self.ended: int | None = None
        self.offers: set[str] = set()
        self.next: str | None = None

    @property
    def status(self) -> Status:
        if self.result is not None:
            return "finished"
        return "waiting" if self.started is None else "playing"

    @property
    def ply(self) -> int:
        return len(self.moves)

    def turn(self) -> list[int]:
        """List the seats to act."""
        return self.position.to_act() if self.position is not None and self.result is None else []

    def persons(self) -> list[str]:
        """List who sits here, each once, in the order of their first seats."""
        return list(dict.fromkeys(seat.by for seat in self.seats if seat.by is not None))

    def held(self, by: str | None) -> list[int]:
        """List the seats that a person holds."""
        return [i for i, seat in enumerate(self.seats) if by is not None and seat.by == by]

    def added(self) -> list[str]:
        """List what persons have added to the deal, in the order that counts."""
        return [self.entropies[by] for by in self.persons() if by in self.entropies]

    def apply(self, entry: Entry) -> None:
        """Take in the next event of the log."""
        at, event = entry
        match event:
            case events.Sat():
                seat = self.seats[event.seat]
                seat.by, seat.name, seat.level = event.by, event.name, event.level
            case events.Left():
                by = self.seats[event.seat].by
                self.seats[event.seat] = Seat()
                if by is not None and not self.held(by):
                    self.entropies.pop(by, None)
            case events.Added():
                self.entropies[event.by] = event.entropy
            case events.Started():
                self._start(event, at)
            case events.Played():
                self._play(event, at)
            case events.Resigned():
                self._end("resigned", event.seat, at)
            case events.TimedOut():
                self._end("timeout", event.seat, at)
            case events.Abandoned():
                self._end("abandoned", None, at)
            case events.TakenOver():
                self.seats[event.seat].level = event.level
                if self.clocks is not None and self.clocks.running == event.seat:
                    self._run_clock(at)  # nobody else's clock begins anew
            case events.Granted():
                if self.clocks is not None:
                    self.clocks.grant(event.seat, event.milliseconds, at)
                else:
                    self.progress = at  # a race that stood still because the server did
            case events.Offered():
                self.offers.add(event.by)
            case events.Followed():
                self.next = event.table
            case events.Created():
                raise ValueError("a table is made once")
        if self.result is not None and self.ended is None:
            self.ended = at
        self.number += 1
        self.at = at

    def record(self) -> Record:
        """Write the game down as a record; once it is over, with the proof of its deal."""
        names = [seat.name or f"bot:{seat.level}" for seat in self.seats]
        result = None
        extra: dict[str, Any] = {}
        if self.result is not None:
            ended = self.result
            result = {"reason": ended.reason, "scores": ended.scores, "winners": ended.winners}
            extra = self._origin()
        return Record(self.game, self.options, names, self.setup, self.moves, result, extra)

    def record_text(self) -> str:
        return write(self.record())

    @property
    def own(self) -> bool:
        """Tell whether the game was dealt and played here from its beginning: what can be proven, and rated."""
        return not self.made.imported and self.made.branch is None

    def _origin(self) -> dict[str, Any]:
        """Say in a record where the deal comes from: its proof, or that it has none."""
        made = self.made
        if made.imported:
            return {"imported": True}
        if made.branch is not None:
            return {"branch": {"table": made.branch.table, "ply": made.branch.ply}}
        found = {"seed": made.seed} if made.seed else deal_proof.proof(self.secret, self.added(), made.winners)
        return {deal_proof.KEY: found}

    def _start(self, event: events.Started, at: int) -> None:
        self.started = at
        self.begins = self.progress = event.begins
        self.setup = event.setup
        self.position = self.game.start(event.setup, len(self.seats), self.options)
        if self.made.clock.kind != "none":
            self.clocks = Clocks(self.made.clock, len(self.seats), at)
        self._run_clock(at)

    def _play(self, event: events.Played, at: int) -> None:
        position = self.position
        assert position is not None
        before = position.scores()
        play_text(self.game, position, event.seat, event.text)
        if event.at is not None:
            self.ahead = event.at
        since = event.at if event.at is not None else at - self.begins + self.ahead
        self.moves.append(Played(event.seat, event.text, since if self.game.simultaneous else None))
        if event.id is not None:
            self.ids[event.seat, event.id] = len(self.moves)
        if position.scores() != before:
            self.progress = max(at, self.begins)
        ended = result_of(position)
        if ended is not None:
            self.result = Result(**ended)
        self._run_clock(at)

    def _run_clock(self, at: int) -> None:
        """Let the clock of the person to act run; a bot's never does."""
        if self.clocks is None:
            return
        turn = self.turn()
        seat = turn[0] if len(turn) == 1 and self.seats[turn[0]].level is None else None
        if self.result is not None:
            self.clocks.stop(at)
        else:
            self.clocks.turn(seat, at)

    def _end(self, reason: str, seat: int | None, at: int) -> None:
        """End the game outside its rules: whoever did not cause it has won, or nobody where nobody did."""
        assert self.position is not None
        others = [] if seat is None else [i for i in range(len(self.seats)) if i != seat]
        self.result = Result(reason, self.position.scores(), others, seat)
        if self.clocks is not None:
            self.clocks.stop(at)


def needs_attention(made: events.Created, bots: bool) -> bool:
    """Tell whether something may happen at a table by itself: a bot moves, a flag falls, a race stands still."""
    simultaneous = registry.load(made.game).simultaneous
    return bots or made.clock.kind != "none" or made.seats > 2 or simultaneous


def restore(id: str, log: list[Entry]) -> Table:
    """Build a table from its log."""
    table = Table(id, log[0])
    for entry in log[1:]:
        table.apply(entry)
    return table
