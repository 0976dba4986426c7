"""Records: a game as setup and moves. Reading, writing, replaying, tracing."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from sevenhues.core import json_checks, registry
from sevenhues.core.errors import BadNotation, BadOption, BadRecord, IllegalMove, InvalidRecord, listed, shorten
from sevenhues.core.game import Game, check_seats, resolve_options
from sevenhues.core.moves import check_notation, legal_texts
from sevenhues.core.options import OptionValue
from sevenhues.core.play import TimedMove, play_text
from sevenhues.core.position import P, Position

FORMAT: Final = 1
KEYS: Final = ("format", "game", "options", "seats", "setup", "moves", "result")
OUTSIDE: Final = ("resigned", "timeout", "abandoned")  # ends that no game's rules know
MOST_NAME: Final = 200
DIGITS: Final = "0123456789"


class Record:
    """A game, finished or not: everything that happened follows from it."""

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
        self.extra = extra  # keys we do not know, kept as they came

    def start(self) -> Position:
        """Lay out the setup."""
        position: Position = self.game.start(self.setup, len(self.seats), self.options)
        return position


def begin(game: Game[P], position: P, options: Mapping[str, object], names: list[str] | None = None) -> Record:
    """Make the record of a game that has just been dealt."""
    seats = names or [f"seat {seat}" for seat in range(position.seats)]
    return Record(game, resolve_options(game, options), seats, game.setup(position), [], None, {})


def result_of(position: Position) -> dict[str, Any] | None:
    """Tell how a game ended by its own rules, as a record's result, or None."""
    outcome = position.outcome()
    if outcome is None:
        return None
    return {"reason": outcome.reason, "scores": position.scores(), "winners": outcome.winners}


def write(record: Record) -> str:
    """Write a record as JSON, one key a line."""
    game = record.game
    defaults = {option.name: option.default for option in game.options}
    whole: dict[str, Any] = {
        "format": FORMAT,
        "game": game.id,
        "options": {name: value for name, value in record.options.items() if value != defaults[name]},
        "seats": record.seats,
        "setup": record.setup,
        "moves": [_move_text(move) for move in record.moves],
    }
    if record.result is not None:
        whole["result"] = record.result
    whole.update(record.extra)
    lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in whole.items()]
    return "{" + ",\n ".join(lines) + "}\n"


def read(data: bytes | str, expected: Game[Any] | None = None) -> Record:
    """Read a record and check all of it that needs no replay; raises BadRecord.

    With an expected game, it must be of that one, which the registry need not know.
    """
    whole = json_checks.an_object(_json(data), "the record")
    version = json_checks.part(whole, "format", "")
    if type(version) is not int or version != FORMAT:
        raise BadRecord("format", f"expected {FORMAT}, found {json_checks.describe(version)}")
    game = _game(whole, expected)
    seats = _seats(game, whole)
    options = _options(game, whole)
    setup = json_checks.an_object(json_checks.part(whole, "setup", ""), "setup")
    listed = json_checks.a_list(json_checks.part(whole, "moves", ""), "moves")
    moves = [_read_move(game, len(seats), value, f"moves[{i}]") for i, value in enumerate(listed)]
    _check_times(moves)
    result = _result(whole["result"], len(seats)) if "result" in whole else None
    extra = {key: value for key, value in whole.items() if key not in KEYS}
    record = Record(game, options, seats, setup, moves, result, extra)
    record.start()
    return record


def replay(record: Record) -> Iterator[Position]:
    """Yield the position before the first move and after each; it is one object that moves on.

    Raises Unsound at the first illegal move, and at the end if the result contradicts the moves.
    """
    position = record.start()
    yield position
    for ply, move in enumerate(record.moves):
        try:
            play_text(record.game, position, move.seat, move.text)
        except IllegalMove as error:
            legal = [
                f"for seat {seat} {listed(legal_texts(record.game, position, seat))}" for seat in position.to_act()
            ]
            what = f"seat {move.seat} may not play {move.text}: {error} Legal: {'; '.join(legal) or 'nothing'}"
            raise InvalidRecord(ply, what) from error
        yield position
    if record.result is not None:
        _check_result(record.result, position, len(record.moves))


def trace(record: Record) -> Iterator[dict[str, Any]]:
    """Yield one object a position, as two implementations of the rules would compare them."""
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


def _json(data: bytes | str) -> object:
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
        value: object = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
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


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(pairs)
    if len(whole) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = [key for key in whole if keys.count(key) > 1]
        raise BadRecord("", f"the key {shorten(twice[0])} is there twice in one object")
    return whole


def _no_number(name: str) -> object:
    raise BadRecord("", f"not JSON: {name} is no number there")


def _game(whole: dict[str, Any], expected: Game[Any] | None) -> Game[Any]:
    name = json_checks.a_text(json_checks.part(whole, "game", ""), "game")
    if expected is not None:
        if name != expected.id:
            raise BadRecord("game", f"expected {expected.id!r}, found {shorten(name)}")
        return expected
    try:
        return registry.load(name)
    except BadOption as error:
        raise BadRecord("game", str(error)) from None


def _seats(game: Game[Any], whole: dict[str, Any]) -> list[str]:
    listed = json_checks.a_list(json_checks.part(whole, "seats", ""), "seats")
    seats = [json_checks.a_text(name, f"seats[{i}]") for i, name in enumerate(listed)]
    try:
        check_seats(game, len(seats))
    except BadOption as error:
        raise BadRecord("seats", str(error)) from None
    for i, name in enumerate(seats):
        if len(name) > MOST_NAME:
            raise BadRecord(f"seats[{i}]", f"a name has at most {MOST_NAME} characters, not {len(name)}")
    return seats


def _options(game: Game[Any], whole: dict[str, Any]) -> dict[str, OptionValue]:
    given = json_checks.an_object(json_checks.part(whole, "options", ""), "options")
    try:
        return resolve_options(game, given)
    except BadOption as error:
        raise BadRecord("options", str(error)) from None


def _move_text(move: TimedMove) -> str:
    at = "" if move.at_ms is None else f" @{move.at_ms}"
    return f"{move.seat} {move.text}{at}"


def _read_move(game: Game[Any], seats: int, value: object, where: str) -> TimedMove:
    text = json_checks.a_text(value, where)
    words = text.split(" ")
    if len(words) != (3 if game.simultaneous else 2):
        form = "<seat> <move> @<milliseconds>" if game.simultaneous else "<seat> <move>"
        raise BadRecord(where, f'{shorten(text)} is no move: expected "{form}" (G-3)')
    seat = _digits(words[0])
    if not 0 <= seat < seats:
        raise BadRecord(where, f"there is no seat {shorten(words[0])}: the seats are 0 to {seats - 1}")
    try:
        check_notation(game, words[1])
    except BadNotation as error:
        raise BadRecord(where, str(error)) from None
    if not game.simultaneous:
        return TimedMove(seat, words[1], None)
    at = _digits(words[2][1:]) if words[2].startswith("@") else -1
    if at < 0:
        raise BadRecord(where, f"expected @<milliseconds since the start>, found {shorten(words[2])}")
    return TimedMove(seat, words[1], at)


def _digits(text: str) -> int:
    """Read a plain decimal number of up to 15 digits without leading zeros; -1 if it is none."""
    plain = 0 < len(text) <= 15 and all([letter in DIGITS for letter in text])
    if not plain or (len(text) > 1 and text[0] == "0"):
        return -1
    return int(text)


def _check_times(moves: list[TimedMove]) -> None:
    before = 0
    for i, move in enumerate(moves):
        if move.at_ms is not None:
            if move.at_ms < before:
                raise BadRecord(f"moves[{i}]", f"times never decrease: @{move.at_ms} comes after @{before}")
            before = move.at_ms


def _result(value: object, seats: int) -> dict[str, Any]:
    whole = json_checks.an_object(value, "result")
    json_checks.a_text(json_checks.part(whole, "reason", "result"), "result.reason")
    scores = json_checks.a_list(json_checks.part(whole, "scores", "result"), "result.scores", seats)
    winners = json_checks.a_list(json_checks.part(whole, "winners", "result"), "result.winners")
    for i, score in enumerate(scores):
        if type(score) is not int:
            raise BadRecord(f"result.scores[{i}]", f"expected a whole number, found {json_checks.describe(score)}")
    for i, seat in enumerate(winners):
        json_checks.a_number(seat, f"result.winners[{i}]", 0, seats - 1)
        if seat in winners[:i]:
            raise BadRecord(f"result.winners[{i}]", f"seat {seat} is listed twice")
    return whole


def _check_result(said: dict[str, Any], position: Position, ply: int) -> None:
    true = result_of(position)
    if true is None and said["reason"] in OUTSIDE:
        true = {"scores": position.scores()}
    if true is None:
        raise InvalidRecord(ply, f"the result says the game ended ({shorten(said['reason'])}), but it goes on")
    for name, truth in true.items():
        claim = sorted(said[name]) if name == "winners" else said[name]
        if claim != truth:
            gives = shorten(json.dumps(claim))[1:-1]
            what = f"the result gives {name} as {gives}, but the moves lead to {json.dumps(truth)}"
            raise InvalidRecord(ply, what)
