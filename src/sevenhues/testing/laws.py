"""The laws of the contract that need no second deal, one function each; each raises LawBroken."""

import json
import pickle
from typing import Any

from sevenhues.core import record
from sevenhues.core.encoder import Feature
from sevenhues.core.errors import BadNotation, IllegalMove, SevenHuesError
from sevenhues.core.moves import legal_texts, parse
from sevenhues.core.position import WATCHER, Position
from sevenhues.core.rng import Rng, ScriptedDealer
from sevenhues.render.canvas import Canvas
from sevenhues.testing.observed_game import LawBroken, Story, require, shown

PICKS_A_MOVE = 40  # so that a pick that is never made is no accident
ROOMS = ((58, 17), (86, 36), (20, 5))  # columns and lines that a table is painted in
TRIES = 12  # texts of other moments that are tried as moves


def dealing_is_deterministic(story: Story) -> None:
    require(story.deal() == story.setup, "one seed deals one setup")
    require(json.loads(json.dumps(story.setup)) == story.setup, "a setup is plain JSON")


def dealing_can_be_undone(story: Story, setup: dict[str, Any]) -> None:
    """Where a game offers it, what a dealer chose follows from the setup."""
    game = story.game
    try:
        choices = game.dealer_choices(setup, story.seats, story.options)
    except NotImplementedError:
        return
    dealer = ScriptedDealer(choices)
    again = game.deal(story.seats, story.options, dealer, None)
    require(again == setup and len(dealer.asked) == len(choices), "dealer_choices returns choices that deal the setup")


def copies_share_nothing(story: Story, rng: Rng) -> None:
    """Law 1."""
    position = story.position
    key = position.key()
    twin = position.copy()
    require(twin.key() == key, "1: a copy has the key of its original")
    for seat in twin.to_act()[:1]:
        moves = twin.legal(seat)
        twin.play(seat, moves[rng.below(len(moves))])
        require(position.key() == key, "1: playing on a copy leaves its original alone")
        require(twin.key() != key, "1: a move changes the key")


def shadow_follows(story: Story, shadow: Position, rng: Rng) -> None:
    """Law 1, later on: a copy that is played like its original stays like it."""
    require(shadow.key() == story.position.key(), "1: a copy played like its original has its key")
    viewer = story.viewers[rng.below(len(story.viewers))]
    same = shown(story.game, shadow, viewer) == story.seen[viewer][-1]
    require(same, "1: a copy played like its original looks like it")


def new_shadow(story: Story, rng: Rng) -> Position:
    """Return a copy or a pickled copy that looks like the original, to follow the game for a while."""
    shadow = story.position.copy() if rng.below(2) else _pickled(story.position)
    require(_all_shown(story, shadow) == story.now(), "1: a copy, pickled or not, looks like its original")
    require(_all_shown(story, story.position) == story.now(), "1: playing on a copy leaves its original alone")
    return shadow


def _all_shown(story: Story, position: Position) -> list[bytes]:
    return [shown(story.game, position, viewer) for viewer in story.viewers]


def _pickled(position: Position) -> Position:
    try:
        back: Position = pickle.loads(pickle.dumps(position))
        return back
    except Exception as error:
        raise LawBroken(f"1: a position can be pickled, for other processes: {error}") from error


def legal_moves_are_in_order(story: Story) -> None:
    """Law 2."""
    position = story.position
    turn = position.to_act()
    count = story.game.move_count(story.seats, story.options)
    require(turn == sorted(set(turn)) and set(turn) <= set(range(story.seats)), "2: to_act lists seats, ascending")
    require((position.outcome() is None) == bool(turn), "2: nobody is to act exactly when the game is over")
    for seat in range(story.seats):
        moves = position.legal(seat)
        require(moves == sorted(set(moves)), f"2: legal({seat}) is ascending and unique")
        require(all(0 <= move < count for move in moves), f"2: legal({seat}) is in range({count})")
        require(bool(moves) == (seat in turn), f"2: legal({seat}) is empty exactly if the seat may not act")


def picked_seat(story: Story, rng: Rng) -> int:
    """Law 2, for one pick."""
    seat = story.position.pick_seat(rng)
    require(seat in story.position.to_act(), f"2: pick_seat finds the seats of to_act, not {seat}")
    return seat


def picked_move(story: Story, seat: int, rng: Rng) -> int:
    """Law 2, for one pick."""
    move = story.position.pick(seat, rng)
    require(move in story.position.legal(seat), f"2: pick finds the moves of legal({seat}), not {move}")
    return move


def picks_find_all_moves(story: Story, rng: Rng) -> None:
    """Law 2, for the fast ways of picking at random."""
    position = story.position
    seats = {int(position.pick_seat(rng)) for _ in range(PICKS_A_MOVE * story.seats)}
    require(seats == set(position.to_act() or [-1]), "2: pick_seat finds the seats of to_act")
    for seat in position.to_act():
        moves = position.legal(seat)
        picked = {int(position.pick(seat, rng)) for _ in range(PICKS_A_MOVE * len(moves))}
        require(picked == set(moves), f"2: pick finds the moves of legal({seat})")


def outcomes_make_sense(story: Story) -> None:
    """Law 2, at the end."""
    outcome = story.position.outcome()
    if outcome is not None:
        places = outcome.places
        right = len(places) == story.seats and all(place == 1 + sum(p < place for p in places) for place in places)
        require(right and bool(outcome.reason), f"2: the places of {outcome} are a ranking of all seats")
        winners = outcome.winners
        fair = winners == sorted(set(winners)) and all(places[seat] == 1 for seat in winners)
        require(fair, f"2: the winners of {outcome} are seats in first place, ascending")


def texts_name_moves(story: Story) -> None:
    """Law 3."""
    game, position = story.game, story.position
    for seat in position.to_act():
        moves = position.legal(seat)
        texts = [game.text(position, seat, move) for move in moves]
        require(len(set(texts)) == len(texts), "3: moves have distinct texts")
        for move, text in zip(moves, texts, strict=True):
            require(parse(game, position, seat, text) == move, f"3: parsing {text!r} gives the move back")


def other_texts_are_refused(story: Story, rng: Rng) -> None:
    """Law 3, for moves that are not legal here: refused with a rule, and nothing changes."""
    game, position, key = story.game, story.position, story.position.key()
    texts = [story.moves[rng.below(len(story.moves))].text for _ in range(TRIES)] if story.moves else []
    for seat in range(story.seats):
        legal = legal_texts(game, position, seat)
        for text in ["", " ", "\n", "no move", *texts]:
            try:
                move = parse(game, position, seat, text)
                require(text in legal and move in position.legal(seat), f"3: {text!r} is refused if it is not legal")
            except (BadNotation, IllegalMove) as error:
                require(text not in legal and bool(error.rule), f"3: {text!r} is refused only if it is not legal")
            except Exception as error:
                raise LawBroken(f"3: {text!r} is refused with a rule, not with {error!r}") from error
    require(position.key() == key, "3: a refused move changes nothing")


def tables_are_drawn(story: Story) -> None:
    """Every view can be drawn and told, also with everything open."""
    game, position = story.game, story.position
    views = {f"viewer {viewer}": game.view(position, viewer) for viewer in story.viewers}
    for whose, view in (views | {"who sees everything": game.full_view(position)}).items():
        try:
            drawn = [story.game.renderer().draw(view, colour) for colour in (False, True)]
            told = story.game.renderer().describe_last_move(view)
        except Exception as error:
            raise LawBroken(f"a view can be drawn and told: {error!r}") from error
        require("" not in drawn and isinstance(told, str), f"the view of {whose} can be drawn and told")
    for viewer in story.viewers:
        legal = legal_texts(game, position, viewer) if viewer >= 0 else []
        width, height = ROOMS[len(story.moves) % len(ROOMS)]
        scene = Canvas(width, height, len(story.moves) % 2 == 0, [f"seat {seat}" for seat in range(story.seats)])
        try:
            game.renderer().render(views[f"viewer {viewer}"], list(legal), scene)
        except Exception as error:
            raise LawBroken(f"a view can be painted: {error!r}") from error
        _scene_holds(scene, legal)


def _scene_holds(scene: Canvas, legal: list[str]) -> None:
    names = [place.name for place in scene.places]
    require(len(scene.runs) > 0, "a table that is painted shows something")
    require(all(run.text.isprintable() and min(run.x, run.y) >= 0 for run in scene.runs), "it is painted with letters")
    require(len(set(names)) == len(names), "places to point at have names of their own")
    require(all(set(place.moves) <= set(legal) for place in scene.places), "one points at legal moves alone")


def records_replay(story: Story) -> None:
    """Law 4."""
    start = story.game.start(story.setup, story.seats, story.options)
    written = record.begin(story.game, start, story.options)
    written.moves = story.moves
    written.result = record.result_of(story.position)
    text = record.write(written)
    try:
        back = record.read(text, story.game)
        *_, last = record.replay(back)
    except SevenHuesError as error:
        raise LawBroken(f"4: replaying the record: {error}") from error
    require(last.key() == story.position.key(), "4: replaying the record leads to the same position")
    require(record.write(back) == text, "4: a record that is read and written again is the same")


def pieces_are_conserved(story: Story) -> None:
    """Law 8."""
    require(len(story.pieces) > 0, "8: a game has pieces")
    require(sorted(story.position.all_pieces()) == story.pieces, "8: every piece is still there, once")


def views_are_plain(story: Story) -> None:
    """Views are JSON, and features and recall are what their layouts say."""
    layout = story.game.observation_encoder().layout(story.seats, story.options)
    recalled = story.game.information_state_encoder().layout(story.seats, story.options)
    key = story.position.key()
    opened = story.game.full_view(story.position)
    require(json.loads(json.dumps(opened)) == opened, "what is seen with everything open is plain JSON")
    require(opened.keys() >= story.game.view(story.position, WATCHER).keys(), "opening hides nothing from a watcher")
    require(story.position.key() == key, "looking at everything changes nothing")
    for viewer in story.viewers:
        view = story.game.view(story.position, viewer)
        require(json.loads(json.dumps(view)) == view, f"the view of {viewer} is plain JSON")
        features = story.game.observation_encoder().encode(story.position, viewer)
        require(_fit_layout(features, layout), f"the features of {viewer} fit their layout")
        require(
            _fit_layout(story.game.information_state_encoder().encode(story.position, viewer), recalled),
            f"the information state of {viewer} fits its layout",
        )


def _fit_layout(numbers: list[int], layout: tuple[Feature, ...]) -> bool:
    highs = [feature.high for feature in layout for _ in range(feature.size)]
    return len(numbers) == len(highs) and all(0 <= n <= high for n, high in zip(numbers, highs, strict=True))


def games_are_bounded(story: Story) -> None:
    """Where a game bounds its length, no game is longer."""
    most = story.game.max_plies(story.seats, story.options)
    require(most is None or len(story.moves) <= most, f"no game has more than {most} moves")
