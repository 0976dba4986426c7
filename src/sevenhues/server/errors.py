"""The English texts of refusals, and their form on the wire."""

from datetime import UTC, datetime
from typing import Final, NamedTuple

from sevenhues.core.errors import BadNotation, IllegalMove
from sevenhues.protocol import Problem
from sevenhues.server.table.errors import Refused


class Message(NamedTuple):
    """The text of a refusal, with its parameters in braces, and the rule that it follows from."""

    text: str
    rule: str | None = None


MESSAGES: Final = {
    "bad-request": Message("{what}"),
    "bad-table": Message("{what}"),
    "no-bot": Message("{what}"),
    "clock-for-turns": Message("Everyone plays {title} at once: its tables have no clock."),
    "seed-for-one": Message("Only a table for one player has a seed."),
    "no-page": Message("There is nothing at {path}."),
    "no-table": Message("There is no table {table}: it was cancelled, or the link has a typo."),
    "no-game": Message("{what}"),
    "no-player": Message("There is no player {player} with rated games."),
    "no-identity": Message("Sign in first: request /api/me to get a cookie."),
    "bad-token": Message("This bot token is not valid: it has a typo, or it was replaced or revoked."),
    "not-for-bots": Message("Bot accounts may not do this: their owner does it."),
    "bots-only": Message("Only bot accounts may do this: send a bot token as Authorization: Bearer."),
    "bot-may-not-play": Message("This bot account may not play {title}: its owner chooses its games."),
    "bot-may-not-create": Message("This bot account may not create tables: its owner can allow it."),
    "bots-not-welcome": Message("Bots may not join this table: a bot joins where bots are welcome or challenged."),
    "no-bot-account": Message("You have no such bot."),
    "too-many-bots": Message("You have {most} bots already: delete one first."),
    "no-challenge": Message("There is no challenge to this bot here: it was answered or withdrawn."),
    "bot-not-online": Message("This bot cannot be challenged now: it is not online, or does not play {title}."),
    "no-code": Message("This link was already used, or it is more than ten minutes old: create a new one."),
    "no-passkey": Message("This passkey is not known here: it was removed, or its account was deleted."),
    "bad-passkey": Message("This passkey is not accepted: {what}."),
    "copied-passkey": Message("The passkey {name} may have been copied: its counter did not grow. Use another one."),
    "passkey-exists": Message("This passkey is already in use here."),
    "passkey-expired": Message("This took too long, or it was answered already: try again."),
    "too-many-passkeys": Message("You have {most} passkeys already: remove one first."),
    "no-host-name": Message("Passkeys need a host name: open this page by its name, not by an address."),
    "no-recovery-code": Message("This recovery code has a typo, was already used, or a newer one replaced it."),
    "leaves-games": Message("{name} has {count} unfinished games here, and no passkey or recovery code to return."),
    "no-way-back": Message("Add a passkey or make a recovery code first: without one you could not sign in again."),
    "on-vacation": Message("You are on holiday already: end these holidays first."),
    "too-few-days": Message("You have {left} days of holidays left in this year."),
    "no-push": Message("This server sends no notifications to browsers."),
    "no-email": Message("This server sends no e-mail."),
    "no-email-link": Message("This link was replaced by a newer one, or it is more than a week old."),
    "not-your-seat": Message("Seat {seat} is not yours."),
    "not-your-table": Message("Only the owner of the table may do that."),
    "no-seat": Message("This table has no seat {seat}."),
    "seat-taken": Message("Seat {seat} is taken."),
    "table-full": Message("Every seat at this table is taken, but you can watch."),
    "seated-already": Message("You already have seat {seat} at this table."),
    "not-seated": Message("You have no seat at this table."),
    "not-full": Message("The game starts when every seat is taken: {open} still open."),
    "not-ready": Message("The game starts when every player's client has added to the deal."),
    "wrong-entropy": Message("This entropy does not fit the commitment to it."),
    "started-already": Message("The game has already started."),
    "not-started": Message("The game has not started yet."),
    "countdown": Message("The race has not started yet."),
    "over": Message("The game is over.", "G-2"),
    "not-your-turn": Message("It is not seat {seat}'s turn.", "G-1"),
    "no-hints": Message("This table was created without hints."),
    "no-answer": Message("No bot answered: try again."),
    "not-over": Message("The game is not over: its record and its replay are available after its end."),
    "no-view": Message("There is no view {view}: give the number of a seat, watcher or everything."),
    "no-ply": Message("There is no ply {ply} in this game: it has 0 to {last}."),
    "ended-there": Message("The game was over at that ply: it cannot be continued from there.", "G-2"),
    "bad-record": Message("This is not a record of a game: {what}"),
    "invalid-record": Message("This record is not valid: {what}"),
    "unfinished-record": Message("The game of this record is not finished."),
    "no-odds": Message("{title} has no odds of hidden faces."),
    "no-lesson": Message("{title} has no lesson."),
    "no-step": Message("There is no step {step} in this lesson."),
    "bad-try": Message("These moves do not follow from the lesson's step: {what}."),
    "stale": Message("The game has moved on: you saw {seen} moves, there are {ply}."),
    "too-big": Message("The message is too long."),
    "too-many": Message("Too many requests: wait {seconds} s."),
    "muted": Message("You cannot say anything: an operator has muted you."),
    "muted-until": Message("You cannot say anything until {until}."),
    "too-many-changes": Message("Too much has changed at this table before its start: create a new one."),
    "too-many-sockets": Message("There are {most} open connections already: close some."),
    "cross-origin": Message("Requests from other sites are refused."),
    "bad-type": Message("Send JSON, as application/json."),
    "offline-only": Message("This needs the server: connect to the internet and try again."),
    "store-failed": Message("The server cannot store anything at the moment; nothing was changed."),
    "internal-error": Message("Internal error. Nothing was changed; please try again."),
}


def problem_of(error: Refused | BadNotation | IllegalMove) -> Problem:
    """Convert a refusal to its form on the wire."""
    if isinstance(error, BadNotation):
        return Problem("notation", str(error), {"moves": error.moves}, error.rule)
    if isinstance(error, IllegalMove):
        return Problem(error.key, error.text, dict(error.parameters), error.rule)
    message = MESSAGES[error.key]
    text = message.text.format(**{name: _as_text(name, value) for name, value in error.parameters.items()})
    return Problem(error.key, text, dict(error.parameters), message.rule)


def _as_text(name: str, value: str | int) -> str | int:
    """Return a parameter as a text shows it: `until` is a time, given in milliseconds."""
    if name == "until" and isinstance(value, int):
        return f"{datetime.fromtimestamp(value / 1000, UTC):%Y-%m-%d %H:%M} UTC"
    return value
