"""The state of a table: a fold over its log. Every process that reads the log computes the same state."""

from typing import Any, Literal, NamedTuple

from sevenhues.core import deal_proof, registry
from sevenhues.core.game import Game, resolve_options
from sevenhues.core.play import TimedMove, play_text
from sevenhues.core.position import Outcome, Position
from sevenhues.core.record import BOT_ACCOUNTS, Record, write
from sevenhues.server.table import events
from sevenhues.server.table.clock import Clocks
from sevenhues.server.table.events import Entry, Event

Status = Literal["waiting", "playing", "finished"]


class Result(NamedTuple):
    """The end of a game. `reason` is the game's own, or `resigned`, `timeout` or `abandoned`."""

    reason: str
    scores: list[int]
    winners: list[int]
    seat: int | None = None  # the seat that resigned or ran out of time


class Decision(NamedTuple):
    """A validated command: the event to store and, for a move, the position after it and its outcome."""

    event: Event
    position: Position | None = None
    outcome: Outcome | None = None


class Challenge(NamedTuple):
    """The challenge of a bot account to take a seat, and why it was declined."""

    user_id: str
    name: str
    declined: str | None = None


class Departure(NamedTuple):
    """A user whose seat a bot took over: the moves that the user had made, and when."""

    moves: int
    at_ms: int


class Seat:
    """A seat: open, a user's, or a bot's. If a bot takes over, the user is remembered.

    A seat of an uploaded record has a name alone.
    """

    def __init__(self) -> None:
        self.user_id: str | None = None
        self.name: str | None = None
        self.level: str | None = None
        self.bot_account = False  # the user is a bot account
        self.challenge: Challenge | None = None  # also after it was answered

    @property
    def open(self) -> bool:
        return self.user_id is None and self.level is None and self.name is None

    @property
    def reserved_for(self) -> str | None:
        """Return the bot account that was challenged and has not answered; None if the seat is not reserved."""
        pending = self.open and self.challenge is not None and self.challenge.declined is None
        return self.challenge.user_id if pending and self.challenge is not None else None

    @property
    def acting_user_id(self) -> str | None:
        """Return the user who moves for this seat; None if nobody or a bot does."""
        return None if self.level else self.user_id


class Table:
    """A table with one game. It changes by `apply` alone, event by event."""

    def __init__(self, id: str, first: Entry) -> None:
        config = first.event
        assert isinstance(config, events.Created), "the first event of a log is Created"
        self.id = id
        self.config = config
        self.game: Game[Any] = registry.load(config.game)
        self.options = resolve_options(self.game, config.options)
        self.secret = bytes.fromhex(config.secret)
        self.commitment = deal_proof.commitment(self.secret)
        self.seats = [Seat() for _ in range(config.seats)]
        self.commitments: dict[str, str] = {}  # to the users' entropy, by user id
        self.published: list[str] | None = None  # the commitments, once they are published
        self.entropies: dict[str, str] = {}  # by user id
        self.event_count = 1
        self.created_at = self.updated_at = first.at_ms
        self.started_at: int | None = None
        self.begins_at = 0  # when moves are accepted
        self.race_offset_ms = 0  # time of a race that passed in the game from which this one continues
        self.setup: dict[str, Any] = {}
        self.position: Position | None = None
        self.moves: list[TimedMove] = []
        self.request_plies: dict[tuple[int, str], int] = {}  # ply of each move, by seat and request id
        self.clocks: Clocks | None = None
        self.departures: dict[int, Departure] = {}  # by seat
        self.vacations: dict[str, dict[int, int]] = {}  # by user id: ends by beginnings
        self.progress_at = 0  # when a score of a race last changed; before the start, when commitments were published
        self.result: Result | None = None
        self.ended_at: int | None = None
        self.rematch_offers: set[str] = set()  # user ids
        self.rematch_table: str | None = None

    @property
    def status(self) -> Status:
        if self.result is not None:
            return "finished"
        return "waiting" if self.started_at is None else "playing"

    @property
    def ply(self) -> int:
        return len(self.moves)

    @property
    def dealt_here(self) -> bool:
        """Tell whether this table was dealt and played from its beginning, so that it can be proven and rated."""
        return not self.config.imported and self.config.branch is None

    def to_act(self) -> list[int]:
        """Return the seats that may move now."""
        return self.position.to_act() if self.position is not None and self.result is None else []

    def user_ids(self) -> list[str]:
        """Return the users at this table, each once, in the order of their first seats."""
        return list(dict.fromkeys(seat.user_id for seat in self.seats if seat.user_id is not None))

    def seats_of(self, user_id: str | None) -> list[int]:
        """Return the seats of a user."""
        return [i for i, seat in enumerate(self.seats) if user_id is not None and seat.user_id == user_id]

    def ordered_commitments(self) -> list[str]:
        """Return the users' commitments to their entropy, in the order in which the deal uses it."""
        return [self.commitments[user_id] for user_id in self.user_ids() if user_id in self.commitments]

    def names_of_others(self, user_id: str) -> list[str]:
        """Return the names at this table that are not a user's own."""
        return [seat.name for seat in self.seats if seat.name is not None and seat.user_id != user_id]

    def ordered_entropies(self) -> list[str]:
        """Return the users' entropy in the order in which the deal uses it; a commitment where it is not revealed."""
        known = {**self.commitments, **self.entropies}
        return [known[user_id] for user_id in self.user_ids() if user_id in known]

    def away_until(self, user_id: str | None) -> int | None:
        """Return when a user's latest holidays end, or ended; None if there were none during the game."""
        return max(self.vacations.get(user_id or "", {}).values(), default=None)

    def apply(self, entry: Entry, decision: Decision | None = None) -> None:
        """Apply the next event of the log. With the decision that led to a move, the move is not played again."""
        now_ms, event = entry
        match event:
            case events.MovePlayed():
                self._apply_move(event, now_ms, decision)
            case events.SeatTaken():
                seat = self.seats[event.seat]
                seat.user_id, seat.name, seat.level = event.user_id, event.name, event.level
                seat.bot_account = event.bot_account
            case events.SeatLeft():
                self._free_seat(event.seat)
            case events.BotChallenged():
                self.seats[event.seat].challenge = Challenge(event.user_id, event.name)
            case events.ChallengeDeclined():
                challenge = self.seats[event.seat].challenge
                assert challenge is not None
                self.seats[event.seat].challenge = challenge._replace(declined=event.reason)
            case events.EntropyCommitted():
                self.commitments[event.user_id] = event.commitment
            case events.CommitmentsPublished():
                self.published = self.ordered_commitments()
                self.progress_at = now_ms
            case events.EntropyAdded():
                self.entropies[event.user_id] = event.entropy
                self.commitments.setdefault(event.user_id, deal_proof.entropy_commitment(event.entropy))
            case events.Started():
                self._start(event, now_ms)
            case events.Resigned():
                self._end_early("resigned", event.seat, now_ms)
            case events.TimedOut():
                self._end_early("timeout", event.seat, now_ms)
            case events.Abandoned():
                self._end_early("abandoned", None, now_ms)
            case events.BotTookOver():
                self.seats[event.seat].level = event.level
                own_moves = sum(move.seat == event.seat for move in self.moves)
                self.departures[event.seat] = Departure(own_moves, now_ms)
                if self.clocks is not None and self.clocks.running == event.seat:
                    self._switch_clock(now_ms)
            case events.TimeGranted():
                if self.clocks is not None:
                    self.clocks.grant(event.seat, event.granted_ms, now_ms)
                else:
                    self.progress_at = now_ms
            case events.VacationTaken():
                self.vacations.setdefault(event.user_id, {})[event.started] = event.until
                if self.clocks is not None:
                    for number in self.seats_of(event.user_id):
                        self.clocks.pause(number, event.started, event.until)
            case events.RematchOffered():
                self.rematch_offers.add(event.user_id)
            case events.RematchCreated():
                self.rematch_table = event.table
            case events.Created():
                raise ValueError("Created is the first event of a log alone")
        if self.result is not None and self.ended_at is None:
            self.ended_at = now_ms
        self.event_count += 1
        self.updated_at = now_ms

    def record(self) -> Record:
        """Return the record of the game; of a finished game with the proof of its deal."""
        names = [seat.name or f"bot:{seat.level}" for seat in self.seats]
        result = None
        extra: dict[str, Any] = {}
        if self.result is not None:
            ended = self.result
            result = {"reason": ended.reason, "scores": ended.scores, "winners": ended.winners}
            extra = self._origin()
            bot_accounts = [number for number, seat in enumerate(self.seats) if seat.bot_account]
            if bot_accounts:
                extra[BOT_ACCOUNTS] = bot_accounts
        return Record(self.game, self.options, names, self.setup, self.moves, result, extra)

    def record_text(self) -> str:
        return write(self.record())

    def _origin(self) -> dict[str, Any]:
        """Return the part of a record about the origin of the deal: its proof, or why there is none."""
        config = self.config
        if config.imported:
            offline: dict[str, Any] = {"played_offline": True} if config.played_offline else {}
            return {"imported": True, **offline, **({} if config.deal is None else {deal_proof.KEY: config.deal})}
        if config.branch is not None:
            return {"branch": {"table": config.branch.table, "ply": config.branch.ply}}
        if config.seed:
            return {deal_proof.KEY: {"seed": config.seed}}
        entropies = self.ordered_entropies()
        return {deal_proof.KEY: deal_proof.proof(self.secret, self.published, entropies, config.previous_winners)}

    def _free_seat(self, seat: int) -> None:
        user_id = self.seats[seat].user_id
        self.seats[seat] = Seat()
        if user_id is not None and not self.seats_of(user_id):
            self.entropies.pop(user_id, None)
            self.commitments.pop(user_id, None)

    def _start(self, event: events.Started, now_ms: int) -> None:
        self.started_at = now_ms
        self.begins_at = self.progress_at = event.begins_at
        self.setup = event.setup
        self.position = self.game.start(event.setup, len(self.seats), self.options)
        if self.config.clock.kind != "none":
            self.clocks = Clocks(self.config.clock, len(self.seats), now_ms)
        self._switch_clock(now_ms)

    def _apply_move(self, event: events.MovePlayed, now_ms: int, decision: Decision | None) -> None:
        assert self.position is not None
        simultaneous = self.game.simultaneous
        scores = self.position.scores() if simultaneous else []
        if decision is not None and decision.position is not None:
            self.position, outcome = decision.position, decision.outcome
        else:
            play_text(self.game, self.position, event.seat, event.text)
            outcome = self.position.outcome()
        if event.race_ms is not None:
            self.race_offset_ms = event.race_ms
        elapsed_ms = event.race_ms if event.race_ms is not None else now_ms - self.begins_at + self.race_offset_ms
        self.moves.append(TimedMove(event.seat, event.text, elapsed_ms if simultaneous else None))
        if event.request_id is not None:
            self.request_plies[event.seat, event.request_id] = len(self.moves)
        if simultaneous and self.position.scores() != scores:
            self.progress_at = max(now_ms, self.begins_at)
        if outcome is not None:
            self.result = Result(outcome.reason, self.position.scores(), outcome.winners)
        self._switch_clock(now_ms)

    def _switch_clock(self, now_ms: int) -> None:
        """Start the clock of the user who decides next; bots have no clock."""
        if self.clocks is None:
            return
        to_act = self.to_act()
        seat = to_act[0] if len(to_act) == 1 and self.seats[to_act[0]].level is None else None
        if self.result is not None:
            self.clocks.stop(now_ms)
        else:
            self.clocks.switch(seat, now_ms)

    def _end_early(self, reason: str, seat: int | None, now_ms: int) -> None:
        """End the game outside its rules: all seats but the one that caused it win; without one nobody wins."""
        assert self.position is not None
        winners = [] if seat is None else [i for i in range(len(self.seats)) if i != seat]
        self.result = Result(reason, self.position.scores(), winners, seat)
        if self.clocks is not None:
            self.clocks.stop(now_ms)


def needs_owner(config: events.Created, bots: bool) -> bool:
    """Tell whether events may happen at a table without a command: a bot moves, or time runs out."""
    simultaneous = registry.load(config.game).simultaneous
    return bots or config.clock.kind != "none" or config.seats > 2 or simultaneous


def restore(id: str, log: list[Entry]) -> Table:
    """Build the state of a table from its log."""
    table = Table(id, log[0])
    for entry in log[1:]:
        table.apply(entry)
    return table
