"""Why a request is declined, beside the rules of the games: each reason has a key, a status of HTTP and a text."""

from typing import Final, NamedTuple

from sevenhues.core.errors import BadNotation, IllegalMove, SevenHuesError
from sevenhues.protocol import Problem


class Reason(NamedTuple):
    status: int
    text: str
    rule: str | None = None


REASONS: Final = {
    "bad-request": Reason(400, "{what}"),
    "bad-table": Reason(400, "{what}"),
    "no-bot": Reason(400, "{what}"),
    "clock-for-turns": Reason(400, "{title} is played by all at once: its tables have no clock."),
    "seed-for-one": Reason(400, "A seed is for a table of one: where more sit, the deal is sealed."),
    "no-page": Reason(404, "There is nothing at {path}."),
    "no-table": Reason(404, "There is no table {table}: it has expired, or the link is not complete."),
    "no-game": Reason(404, "{what}"),
    "no-player": Reason(404, "There is no player {player}: nobody of that name has played a rated game."),
    "no-identity": Reason(401, "This needs a seat of your own: ask /api/me for an identity first."),
    "identity-deleted": Reason(401, "This identity was deleted."),
    "no-code": Reason(404, "This link was used already, or it is older than ten minutes: make a new one."),
    "not-your-seat": Reason(403, "Seat {seat} is not yours."),
    "not-your-table": Reason(403, "Only who made the table may do that."),
    "no-seat": Reason(404, "This table has no seat {seat}."),
    "seat-taken": Reason(409, "Seat {seat} is taken."),
    "table-full": Reason(409, "Every seat of this table is taken; you can watch."),
    "seated-already": Reason(409, "You sit at this table already, in seat {seat}."),
    "not-seated": Reason(403, "You do not sit at this table."),
    "not-full": Reason(409, "The table starts when every seat is taken: {open} still open."),
    "not-ready": Reason(409, "The table starts when every player's client has added to the deal."),
    "started-already": Reason(409, "The game has begun."),
    "not-started": Reason(409, "The game has not begun yet."),
    "countdown": Reason(409, "The race has not begun yet: all start at one signal."),
    "over": Reason(409, "The game is over.", "G-2"),
    "not-your-turn": Reason(409, "It is not seat {seat}'s turn.", "G-1"),
    "no-hints": Reason(403, "This table was laid without hints."),
    "no-answer": Reason(503, "No bot could be asked just now: try again."),
    "not-over": Reason(409, "The game goes on: its record and its replay open when it is over."),
    "no-eyes": Reason(400, "{eyes} is nobody's eyes: give the number of a seat, watcher or everything."),
    "no-ply": Reason(404, "There is no moment {ply} in this game: it has 0 to {last}."),
    "ended-there": Reason(409, "At that moment the game was over: there is nothing to play on from.", "G-2"),
    "bad-record": Reason(400, "This is no record of a game: {what}"),
    "unsound-record": Reason(400, "This record is not sound: {what}"),
    "unfinished-record": Reason(400, "The game of this record was not played to its end."),
    "no-odds": Reason(404, "{title} tells no odds of what is hidden."),
    "no-lesson": Reason(404, "{title} has no lesson."),
    "no-step": Reason(404, "There is no step {step} in this lesson."),
    "bad-try": Reason(409, "This does not follow from the lesson's step: {what}."),
    "stale": Reason(409, "The table has moved on: you saw {seen} moves, there are {ply}."),
    "too-big": Reason(413, "This is too long."),
    "too-many": Reason(429, "That is too much at once: wait {seconds} s."),
    "too-many-sockets": Reason(429, "There are {most} open connections already: close some."),
    "cross-origin": Reason(403, "Requests from other sites are refused."),
    "bad-type": Reason(415, "Send JSON, as application/json."),
    "store-failed": Reason(503, "The server cannot store anything at the moment; nothing was changed."),
}


class Declined(SevenHuesError):
    """A request that cannot be done; `key` and `parameters` are for translation."""

    def __init__(self, key: str, **parameters: str | int) -> None:
        self.key = key
        self.parameters = parameters
        self.status = REASONS[key].status
        self.rule = REASONS[key].rule
        self.text = REASONS[key].text.format(**parameters)
        super().__init__(self.text)


def problem_of(error: Declined | BadNotation | IllegalMove) -> Problem:
    """Put a refusal into what goes over the wire."""
    if isinstance(error, BadNotation):
        return Problem("notation", str(error), {"moves": error.moves}, error.rule)
    return Problem(error.key, error.text, dict(error.parameters), error.rule)
