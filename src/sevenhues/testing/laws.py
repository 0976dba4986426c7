"""The laws of the contract that need no second deal, one function each. Each raises LawBroken."""

import copy
import json
import pickle
import re
from typing import Any
from xml.etree import ElementTree

from librt.vecs import vec
from mypy_extensions import i64, u8

from sevenhues.core import record
from sevenhues.core.encoder import Feature
from sevenhues.core.errors import BadNotation, IllegalMove, SevenHuesError
from sevenhues.core.moves import legal_texts, parse
from sevenhues.core.position import NOBODY, WATCHER, Position
from sevenhues.core.rng import Rng, ScriptedDealer
from sevenhues.render.canvas import Canvas
from sevenhues.testing.observed_game import LawBroken, ObservedGame, observation, require

PICKS_PER_MOVE = 40  # enough that a move which is never picked is not a coincidence
CANVAS_SIZES = ((58, 17), (86, 36), (20, 5))  # columns and lines
PICTURE_NAMES = ("Ada", "<b>&'\"\x00\u202e", "", "名前" * 40)  # of players; they must not break a picture
EXTERNAL = re.compile(r"<(script|style|image|use|a|foreignObject|!)|href|url\(|@import|\son\w+=", re.IGNORECASE)
ROUNDING = 1e-9  # in a sum of payoffs
TEXT_SAMPLES = 12  # texts of other moves of the game that are tried at a position


def dealing_is_deterministic(observed: ObservedGame) -> None:
    """Check that a seed determines the setup, and that the setup is JSON."""
    require(observed.deal() == observed.setup, "deal returns the same setup for the same seed")
    require(json.loads(json.dumps(observed.setup)) == observed.setup, "a setup is plain JSON")


def dealer_choices_lead_to_the_setup(observed: ObservedGame, setup: dict[str, Any]) -> None:
    """Check that the dealer choices, if the game implements them, deal the setup."""
    game = observed.game
    try:
        choices = game.dealer_choices(setup, observed.seats, observed.options)
    except NotImplementedError:
        return
    dealer = ScriptedDealer(choices)
    dealt = game.deal(observed.seats, observed.options, dealer, None)
    same = dealt == setup and len(dealer.ranges) == len(choices)
    require(same, "dealer_choices returns choices that deal the setup")


def copies_share_nothing(observed: ObservedGame, rng: Rng) -> None:
    """Check law 1: a copy has the same key and shares nothing with its original."""
    position = observed.position
    key = position.key()
    other = position.copy()
    require(other.key() == key, "1: a copy has the key of its original")
    for seat in other.to_act()[:1]:
        moves = other.legal(seat)
        other.play(seat, moves[rng.below(len(moves))])
        require(position.key() == key, "1: playing on a copy does not change its original")
        require(other.key() != key, "1: a move changes the key")


def shadow_follows(observed: ObservedGame, shadow: Position, rng: Rng) -> None:
    """Check law 1 over several moves: a copy on which the same moves are played stays equal to its original."""
    require(shadow.key() == observed.position.key(), "1: after the same moves a copy has the key of its original")
    viewer = observed.viewers[rng.below(len(observed.viewers))]
    same = observation(observed.game, shadow, viewer) == observed.observations[viewer][-1]
    require(same, "1: after the same moves a copy looks like its original")


def new_shadow(observed: ObservedGame, rng: Rng) -> Position:
    """Return a copy, made by one of the ways to copy, that is to follow the game for some moves."""
    shadow: Position = (copy.copy, copy.deepcopy, _pickled)[rng.below(3)](observed.position)
    before = observed.current_observations()
    require(_observations(observed, shadow) == before, "1: a copy, pickled or not, looks like its original")
    same = _observations(observed, observed.position) == before
    require(same, "1: playing on a copy does not change its original")
    return shadow


def _observations(observed: ObservedGame, position: Position) -> list[bytes]:
    return [observation(observed.game, position, viewer) for viewer in observed.viewers]


def _pickled(position: Position) -> Position:
    try:
        pickled: Position = pickle.loads(pickle.dumps(position))
        return pickled
    except Exception as error:
        raise LawBroken(f"1: a position can be pickled, for other processes: {error}") from error


def legal_moves_are_in_order(observed: ObservedGame) -> None:
    """Check law 2: legal moves are ascending and in range, and agree with `to_act` and `outcome`."""
    position = observed.position
    turn = position.to_act()
    count = observed.game.move_count(observed.seats, observed.options)
    ordered = turn == sorted(set(turn)) and set(turn) <= set(range(observed.seats))
    require(ordered, "2: to_act lists seats, ascending and unique")
    require((position.outcome() is None) == bool(turn), "2: to_act is empty exactly when the game is over")
    for seat in range(observed.seats):
        moves = position.legal(seat)
        require(moves == sorted(set(moves)), f"2: legal({seat}) is ascending and unique")
        require(all(0 <= move < count for move in moves), f"2: legal({seat}) is in range({count})")
        require(bool(moves) == (seat in turn), f"2: legal({seat}) is empty exactly when the seat may not act")
        require(list(position.legal_array(seat)) == moves, f"2: legal_array({seat}) has the moves of legal({seat})")
        flags: vec[u8] = vec[u8]([0] * (count + 1))
        marked = position.mark_legal(seat, flags, 1)
        marks = [move for move in range(count) if flags[1 + move]]
        require(marks == moves and marked == len(moves), f"2: mark_legal({seat}) marks the moves of legal({seat})")


def pick_seat(observed: ObservedGame, rng: Rng) -> int:
    """Pick a random seat to act, and check law 2 for it."""
    seat = observed.position.pick_seat(rng)
    require(seat in observed.position.to_act(), f"2: pick_seat returns a seat of to_act, not {seat}")
    return seat


def pick_move(observed: ObservedGame, seat: int, rng: Rng) -> int:
    """Pick a random move of a seat, and check law 2 for it."""
    move = observed.position.pick(seat, rng)
    require(move in observed.position.legal(seat), f"2: pick returns a move of legal({seat}), not {move}")
    return move


def picks_cover_all_moves(observed: ObservedGame, rng: Rng) -> None:
    """Check law 2 for random picks: they cover all legal moves and no others."""
    position = observed.position
    seats = {int(position.pick_seat(rng)) for _ in range(PICKS_PER_MOVE * observed.seats)}
    require(seats == set(position.to_act() or [NOBODY]), "2: pick_seat returns every seat of to_act and no other")
    for seat in position.to_act():
        moves = position.legal(seat)
        picked = {int(position.pick(seat, rng)) for _ in range(PICKS_PER_MOVE * len(moves))}
        require(picked == set(moves), f"2: pick returns every move of legal({seat}) and no other")


def outcomes_are_consistent(observed: ObservedGame) -> None:
    """Check law 2 at the end of a game: the places are a ranking, and the winners are first."""
    outcome = observed.position.outcome()
    if outcome is not None:
        places = outcome.places
        ranked = len(places) == observed.seats and all(place == 1 + sum(p < place for p in places) for place in places)
        require(ranked and bool(outcome.reason), f"2: the places of {outcome} rank all seats, and it has a reason")
        winners = outcome.winners
        first = winners == sorted(set(winners)) and all(places[seat] == 1 for seat in winners)
        require(first, f"2: the winners of {outcome} are seats in first place, ascending")
        payoffs = observed.game.payoffs(observed.position, outcome)
        bound = observed.game.max_payoff(observed.seats, observed.options)
        in_bounds = len(payoffs) == observed.seats and all(-bound <= payoff <= bound for payoff in payoffs)
        require(in_bounds, f"2: the payoffs {payoffs} are one for each seat, between -max_payoff and max_payoff")
        fair = observed.seats == 1 or abs(sum(payoffs)) < ROUNDING
        require(fair, f"2: the payoffs {payoffs} sum to 0")


def texts_identify_moves(observed: ObservedGame) -> None:
    """Check law 3 for legal moves: their texts are distinct and parse back to them."""
    game, position = observed.game, observed.position
    for seat in position.to_act():
        moves = position.legal(seat)
        texts = [game.text(position, seat, move) for move in moves]
        require(len(set(texts)) == len(texts), "3: moves have distinct texts")
        for move, text in zip(moves, texts, strict=True):
            require(parse(game, position, seat, text) == move, f"3: parsing {text!r} returns its move")


def illegal_texts_are_refused(observed: ObservedGame, rng: Rng) -> None:
    """Check law 3 for other texts: they are refused with a rule, and the position does not change."""
    game, position, key = observed.game, observed.position, observed.position.key()
    played = observed.moves
    texts = [played[rng.below(len(played))].text for _ in range(TEXT_SAMPLES)] if played else []
    for seat in range(observed.seats):
        legal = legal_texts(game, position, seat)
        for text in ["", " ", "\n", "no move", *texts]:
            try:
                move = parse(game, position, seat, text)
                require(text in legal and move in position.legal(seat), f"3: {text!r} is refused if it is not legal")
            except (BadNotation, IllegalMove) as error:
                require(text not in legal and bool(error.rule), f"3: {text!r} is refused only if it is not legal")
            except Exception as error:
                raise LawBroken(f"3: {text!r} is refused with a rule, not with {error!r}") from error
    require(position.key() == key, "3: a refused move does not change the position")


def views_are_rendered(observed: ObservedGame) -> None:
    """Check that every view can be drawn, described and rendered."""
    game, position, renderer = observed.game, observed.position, observed.game.renderer()
    views = {f"viewer {viewer}": game.view(position, viewer) for viewer in observed.viewers}
    for name, view in (views | {"full_view": game.full_view(position)}).items():
        try:
            drawings = [renderer.draw(view, colour) for colour in (False, True)]
            description = renderer.describe_last_move(view)
        except Exception as error:
            raise LawBroken(f"the view of {name} can be drawn and described: {error!r}") from error
        require("" not in drawings and isinstance(description, str), f"the view of {name} can be drawn and described")
    for viewer in observed.viewers:
        legal = legal_texts(game, position, viewer) if viewer >= 0 else []
        width, height = CANVAS_SIZES[len(observed.moves) % len(CANVAS_SIZES)]
        names = [f"seat {seat}" for seat in range(observed.seats)]
        canvas = Canvas(width, height, len(observed.moves) % 2 == 0, names)
        try:
            renderer.render(views[f"viewer {viewer}"], list(legal), canvas)
        except Exception as error:
            raise LawBroken(f"the view of viewer {viewer} can be rendered: {error!r}") from error
        _check_canvas(canvas, legal)


def views_are_pictured(observed: ObservedGame) -> None:
    """Check that the pictures of a view and of the full view are valid SVG that refers to nothing outside itself."""
    game, position = observed.game, observed.position
    viewer = observed.viewers[len(observed.moves) % len(observed.viewers)]
    views = {f"the view of {viewer}": game.view(position, viewer), "the full view": game.full_view(position)}
    for name, view in views.items():
        try:
            drawn = game.renderer().picture(view, PICTURE_NAMES[: observed.seats])
            root = ElementTree.fromstring(drawn)
        except Exception as error:
            raise LawBroken(f"{name} can be drawn as a picture: {error!r}") from error
        size = root.tag, root.get("width"), root.get("height"), root.get("viewBox")
        same = size == ("{http://www.w3.org/2000/svg}svg", "1200", "630", "0 0 1200 630")
        require(same, f"the picture of {name} is an SVG document of 1200 by 630, not {size}")
        outside = EXTERNAL.search(drawn)
        require(outside is None, f"the picture of {name} has no script and no reference: {outside}")
        again = game.renderer().picture(view, PICTURE_NAMES[: observed.seats])
        require(again == drawn, f"the picture of {name} is the same when it is drawn again")


def _check_canvas(canvas: Canvas, legal: list[str]) -> None:
    names = [area.name for area in canvas.hit_areas]
    require(len(canvas.runs) > 0, "a rendered view is not empty")
    printable = all(run.text.isprintable() and min(run.x, run.y) >= 0 for run in canvas.runs)
    require(printable, "a rendered view has printable text at valid coordinates")
    require(len(set(names)) == len(names), "hit areas have unique names")
    require(all(set(area.moves) <= set(legal) for area in canvas.hit_areas), "hit areas offer legal moves only")


def records_replay(observed: ObservedGame) -> None:
    """Check law 4: a record replays to the same position."""
    start = observed.game.start(observed.setup, observed.seats, observed.options)
    original = record.begin(observed.game, start, observed.options)
    original.moves = observed.moves
    original.result = record.result_of(observed.position)
    text = record.write(original)
    try:
        read_back = record.read(text, observed.game)
        *_, last = record.replay(read_back)
    except SevenHuesError as error:
        raise LawBroken(f"4: replaying the record: {error}") from error
    require(last.key() == observed.position.key(), "4: replaying the record leads to the same position")
    require(record.write(read_back) == text, "4: a record that is read and written again is the same")


def pieces_are_conserved(observed: ObservedGame) -> None:
    """Check law 8: every piece is somewhere, once."""
    require(len(observed.pieces) > 0, "8: a game has pieces")
    same = sorted(observed.position.all_pieces()) == observed.pieces
    require(same, "8: all_pieces returns every piece exactly once at all times")


def views_and_encodings_are_valid(observed: ObservedGame) -> None:
    """Check that views are JSON and that encodings fit their layouts."""
    game, position = observed.game, observed.position
    key = position.key()
    full_view = game.full_view(position)
    require(json.loads(json.dumps(full_view)) == full_view, "the full view is plain JSON")
    require(full_view.keys() >= game.view(position, WATCHER).keys(), "the full view has all fields of a watcher's view")
    require(position.key() == key, "full_view does not change the position")
    observation_encoder, state_encoder = game.observation_encoder(), game.information_state_encoder()
    observation_layout = observation_encoder.layout(observed.seats, observed.options)
    state_layout = state_encoder.layout(observed.seats, observed.options)
    for viewer in observed.viewers:
        view = game.view(position, viewer)
        require(json.loads(json.dumps(view)) == view, f"the view of {viewer} is plain JSON")
        numbers = observation_encoder.encode(position, viewer)
        require(_fits_layout(numbers, observation_layout), f"the observation of {viewer} fits its layout")
        written = vec[i64]([-1] * (len(numbers) + 1))
        observation_encoder.write(position, viewer, written, 1)
        require(list(written) == [-1, *numbers], f"the observation of {viewer} is written as it is encoded")
        fits = _fits_layout(state_encoder.encode(position, viewer), state_layout)
        require(fits, f"the information state of {viewer} fits its layout")


def _fits_layout(numbers: list[int], layout: tuple[Feature, ...]) -> bool:
    highs = [feature.high for feature in layout for _ in range(feature.size)]
    return len(numbers) == len(highs) and all(0 <= n <= high for n, high in zip(numbers, highs, strict=True))


def games_are_bounded(observed: ObservedGame) -> None:
    """Check that no game is longer than `max_plies`, if the game defines it."""
    max_plies = observed.game.max_plies(observed.seats, observed.options)
    require(max_plies is None or len(observed.moves) <= max_plies, f"no game has more than {max_plies} moves")
