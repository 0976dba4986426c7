"""Records: a game as its setup and moves. Functions read, write, replay and trace them."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from sevenhues.core import json_checks, registry
from sevenhues.core.copying import Copyable
from sevenhues.core.errors import BadNotation, BadOption, BadRecord, IllegalMove, InvalidRecord, list_moves, shorten
from sevenhues.core.game import Game, check_seats, resolve_options
from sevenhues.core.moves import check_notation, legal_texts
from sevenhues.core.options import OptionValue
from sevenhues.core.play import TimedMove, play_text, timed_move
from sevenhues.core.position import P, Position

FORMAT: Final = 1
KEYS: Final = ("format", "game", "options", "seats", "setup", "moves", "result")
ABANDONED: Final = "abandoned"
EXTERNAL_REASONS: Final = ("resigned", "timeout", ABANDONED)  # ways to end that are not in the rules of a game
MAX_NAME_LENGTH: Final = 200
BOT_ACCOUNTS: Final = "bot_accounts"  # the key of a list of the seats that bot accounts of a server had
DIGITS: Final = "0123456789"


class Record(Copyable):
    """A game, finished or not. Every position of the game follows from its record."""

    def __init__(
        self,
        game: Game[Any],
        options: dict[str, OptionValue],
        seats: list[str],
        setup: dict[str, Any],
        moves: list[TimedMove],
        result: dict[str, Any] | None,
        extra: dict[str, Any],
    ) -> None:
        self.game = game
        self.options = options
        self.seats = seats
        self.setup = setup
        self.moves = moves
        self.result = result
        self.extra = extra  # unknown keys, kept unchanged

    def start(self) -> Position:
        """Return the starting position."""
        position: Position = self.game.start(self.setup, len(self.seats), self.options)
        return position


def begin(game: Game[P], position: P, options: Mapping[str, object], names: list[str] | None = None) -> Record:
    """Return the record of a game that has just been dealt."""
    seats = names or [f"seat {seat}" for seat in range(position.seats)]
    return Record(game, resolve_options(game, options), seats, game.setup(position), [], None, {})


def from_moves(
    game: Game[P], position: P, options: Mapping[str, object], moves: list[tuple[int, int]], abandoned: bool
) -> Record:
    """Return the record of a game that came to this position by moves, each a seat and a number.

    With `abandoned`, a game that is not over is recorded as one that was left, without a winner.
    """
    record = begin(game, position, options)
    current = game.start(record.setup, position.seats, record.options)
    for seat, move in moves:
        record.moves.append(timed_move(game, current, seat, move, len(record.moves)))
        current.play(seat, move)
    record.result = result_of(current)
    if abandoned and record.result is None:
        record.result = {"reason": ABANDONED, "scores": current.scores(), "winners": []}
    return record


def marked_names(record: Record) -> list[str]:
    """Return the names of the seats; those of bot accounts are marked."""
    listed = record.extra.get(BOT_ACCOUNTS)
    marked = listed if isinstance(listed, list) else []
    return [f"{name} (bot)" if seat in marked else name for seat, name in enumerate(record.seats)]


def result_of(position: Position) -> dict[str, Any] | None:
    """Return the result that the rules lead to, as a record has it; None while the game is being played."""
    outcome = position.outcome()
    if outcome is None:
        return None
    return {"reason": outcome.reason, "scores": position.scores(), "winners": outcome.winners}


def write(record: Record) -> str:
    """Write a record as JSON, with one key per line."""
    game = record.game
    defaults = {option.name: option.default for option in game.options}
    fields: dict[str, Any] = {
        "format": FORMAT,
        "game": game.id,
        "options": {name: value for name, value in record.options.items() if value != defaults[name]},
        "seats": record.seats,
        "setup": record.setup,
        "moves": [_move_text(move) for move in record.moves],
    }
    if record.result is not None:
        fields["result"] = record.result
    fields.update(record.extra)
    lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items()]
    return "{" + ",\n ".join(lines) + "}\n"


def read(data: bytes | str, expected: Game[Any] | None = None) -> Record:
    """Read a record and check everything that needs no replay; raise BadRecord if it is malformed.

    With `expected`, the record must be of that game, which need not be in the registry.
    """
    fields = json_checks.require_object(_parse_json(data), "the record")
    version = json_checks.require_key(fields, "format", "")
    if type(version) is not int or version != FORMAT:
        raise BadRecord("format", f"expected {FORMAT}, found {json_checks.describe(version)}")
    game = _read_game(fields, expected)
    seats = _read_seats(game, fields)
    options = _read_options(game, fields)
    setup = json_checks.require_object(json_checks.require_key(fields, "setup", ""), "setup")
    values = json_checks.require_list(json_checks.require_key(fields, "moves", ""), "moves")
    moves = [_read_move(game, len(seats), value, f"moves[{i}]") for i, value in enumerate(values)]
    _check_times(moves)
    result = _read_result(fields["result"], len(seats)) if "result" in fields else None
    extra = {key: value for key, value in fields.items() if key not in KEYS}
    record = Record(game, options, seats, setup, moves, result, extra)
    record.start()
    return record


def replay(record: Record) -> Iterator[Position]:
    """Yield the position before the first move and after each move: one object, which is changed in place.

    Raise InvalidRecord at the first illegal move, and at the end if the result contradicts the moves.
    """
    position = record.start()
    yield position
    for ply, move in enumerate(record.moves):
        try:
            play_text(record.game, position, move.seat, move.text)
        except IllegalMove as error:
            legal = [
                f"for seat {seat} {list_moves(legal_texts(record.game, position, seat))}" for seat in position.to_act()
            ]
            problem = f"seat {move.seat} may not play {move.text}: {error} Legal: {'; '.join(legal) or 'nothing'}"
            raise InvalidRecord(ply, problem) from error
        yield position
    if record.result is not None:
        _check_result(record.result, position, len(record.moves))


def trace(record: Record) -> Iterator[dict[str, Any]]:
    """Yield a JSON object for each position, with which two implementations of the rules can be compared."""
    for ply, position in enumerate(replay(record)):
        outcome = position.outcome()
        turn = position.to_act()
        line: dict[str, Any] = {
            "ply": ply,
            "to_act": turn,
            "legal": {str(seat): legal_texts(record.game, position, seat) for seat in turn},
            "scores": position.scores(),
            "over": outcome is not None,
        }
        if outcome is not None:
            line["reason"] = outcome.reason
            line["winners"] = outcome.winners
        yield line


def _parse_json(data: bytes | str) -> object:
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
        value: object = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except UnicodeDecodeError as error:
        raise BadRecord(f"byte {error.start}", "not UTF-8 text") from None
    except UnicodeEncodeError:
        raise BadRecord("", "not Unicode text: half of a surrogate pair") from None
    except json.JSONDecodeError as error:
        raise BadRecord(f"line {error.lineno} column {error.colno}", f"not JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:
        raise BadRecord("", f"not JSON that can be read: {error}") from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object; raise BadRecord at the first key that repeats an earlier one."""
    fields: dict[str, Any] = {}
    for key, value in pairs:
        if key in fields:
            raise BadRecord("", f"the key {shorten(key)} is repeated in an object")
        fields[key] = value
    return fields


def _refuse_constant(name: str) -> object:
    raise BadRecord("", f"not JSON: {name} is not a JSON number")


def _read_game(fields: dict[str, Any], expected: Game[Any] | None) -> Game[Any]:
    name = json_checks.require_text(json_checks.require_key(fields, "game", ""), "game")
    if expected is not None:
        if name != expected.id:
            raise BadRecord("game", f"expected {expected.id!r}, found {shorten(name)}")
        return expected
    try:
        return registry.load(name)
    except BadOption as error:
        raise BadRecord("game", str(error)) from None


def _read_seats(game: Game[Any], fields: dict[str, Any]) -> list[str]:
    values = json_checks.require_list(json_checks.require_key(fields, "seats", ""), "seats")
    seats = [json_checks.require_text(name, f"seats[{i}]") for i, name in enumerate(values)]
    try:
        check_seats(game, len(seats))
    except BadOption as error:
        raise BadRecord("seats", str(error)) from None
    for i, name in enumerate(seats):
        if len(name) > MAX_NAME_LENGTH:
            raise BadRecord(f"seats[{i}]", f"a name has at most {MAX_NAME_LENGTH} characters, not {len(name)}")
    return seats


def _read_options(game: Game[Any], fields: dict[str, Any]) -> dict[str, OptionValue]:
    options = json_checks.require_object(json_checks.require_key(fields, "options", ""), "options")
    try:
        return resolve_options(game, options)
    except BadOption as error:
        raise BadRecord("options", str(error)) from None


def _move_text(move: TimedMove) -> str:
    time = "" if move.at_ms is None else f" @{move.at_ms}"
    return f"{move.seat} {move.text}{time}"


def _read_move(game: Game[Any], seats: int, value: object, path: str) -> TimedMove:
    text = json_checks.require_text(value, path)
    words = text.split(" ")
    if len(words) != (3 if game.simultaneous else 2):
        form = "<seat> <move> @<milliseconds>" if game.simultaneous else "<seat> <move>"
        raise BadRecord(path, f'{shorten(text)} is not a move: expected "{form}" (G-3)')
    seat = _parse_int(words[0])
    if not 0 <= seat < seats:
        raise BadRecord(path, f"there is no seat {shorten(words[0])}: the seats are 0 to {seats - 1}")
    try:
        check_notation(game, words[1])
    except BadNotation as error:
        raise BadRecord(path, str(error)) from None
    if not game.simultaneous:
        return TimedMove(seat, words[1], None)
    at_ms = _parse_int(words[2][1:]) if words[2].startswith("@") else -1
    if at_ms < 0:
        raise BadRecord(path, f"expected @<milliseconds since the start>, found {shorten(words[2])}")
    return TimedMove(seat, words[1], at_ms)


def _parse_int(text: str) -> int:
    """Parse a decimal number of up to 15 digits without leading zeros; return -1 if the text is not one."""
    valid = 0 < len(text) <= 15 and all([letter in DIGITS for letter in text])
    if not valid or (len(text) > 1 and text[0] == "0"):
        return -1
    return int(text)


def _check_times(moves: list[TimedMove]) -> None:
    previous_ms = 0
    for i, move in enumerate(moves):
        if move.at_ms is not None:
            if move.at_ms < previous_ms:
                raise BadRecord(f"moves[{i}]", f"times must not decrease: @{move.at_ms} comes after @{previous_ms}")
            previous_ms = move.at_ms


def _read_result(value: object, seats: int) -> dict[str, Any]:
    result = json_checks.require_object(value, "result")
    json_checks.require_text(json_checks.require_key(result, "reason", "result"), "result.reason")
    scores = json_checks.require_list(json_checks.require_key(result, "scores", "result"), "result.scores", seats)
    winners = json_checks.require_list(json_checks.require_key(result, "winners", "result"), "result.winners")
    for i, score in enumerate(scores):
        if type(score) is not int:
            raise BadRecord(f"result.scores[{i}]", f"expected a whole number, found {json_checks.describe(score)}")
    for i, seat in enumerate(winners):
        json_checks.require_int(seat, f"result.winners[{i}]", 0, seats - 1)
        if seat in winners[:i]:
            raise BadRecord(f"result.winners[{i}]", f"seat {seat} is listed twice")
    return result


def _check_result(recorded: dict[str, Any], position: Position, ply: int) -> None:
    """Compare a recorded result with the position that the moves lead to."""
    actual = result_of(position)
    if actual is None and recorded["reason"] in EXTERNAL_REASONS:
        actual = {"scores": position.scores()}
    if actual is None:
        raise InvalidRecord(
            ply, f"the result says that the game ended ({shorten(recorded['reason'])}), but it is not over"
        )
    for name, value in actual.items():
        claim = sorted(recorded[name]) if name == "winners" else recorded[name]
        if claim != value:
            claim_text = shorten(json.dumps(claim))[1:-1]
            problem = f"the result gives {name} as {claim_text}, but the moves lead to {json.dumps(value)}"
            raise InvalidRecord(ply, problem)
