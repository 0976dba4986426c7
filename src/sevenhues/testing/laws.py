"""The laws of the contract, one function each; each raises LawBroken."""

import json
import pickle
from collections.abc import Iterator
from typing import Any

from sevenhues.core import record
from sevenhues.core.errors import SevenHuesError
from sevenhues.core.game import WATCHER, Feature, Game, OptionValue, Position
from sevenhues.core.play import PACE, Played, play_text
from sevenhues.core.rng import Dealer, Rng, ScriptedDealer

RESAMPLINGS = 30  # tries to find a second deal
NEIGHBOURS = 60  # deals looked at to see whether a second one fits
PICKS_A_MOVE = 40  # so that a pick that is never made is no accident


class LawBroken(AssertionError):
    """A game does not keep a law of the contract."""


class Story:
    """A game under check: how it was dealt, what was played, and what each viewer saw after every move."""

    def __init__(self, game: Game[Any], seats: int, options: dict[str, OptionValue], seed: str) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.seed = seed
        self.setup = self.deal()
        self.position: Position = game.start(self.setup, seats, options)
        self.pieces = sorted(self.position.census())
        self.viewers = [*range(seats), WATCHER]
        self.moves: list[Played] = []
        self.ply = 0
        self.seen: dict[int, list[str]] = {viewer: [] for viewer in self.viewers}

    def deal(self) -> dict[str, Any]:
        return self.game.deal(self.seats, self.options, Dealer(self.seed.encode()), None)

    def see(self) -> None:
        """Note what every viewer sees now."""
        for viewer in self.viewers:
            self.seen[viewer].append(shown(self.game, self.position, viewer))

    def play(self, seat: int, move: int) -> None:
        """Make a move and write it down."""
        at = PACE * len(self.moves) if self.game.simultaneous else None
        self.moves.append(Played(seat, self.game.text(self.position, seat, move), at))
        self.ply = len(self.moves)
        self.position.play(seat, move)

    def go_to(self, ply: int) -> None:
        """Go back to the position after so many moves."""
        self.ply = ply
        self.position = self.game.start(self.setup, self.seats, self.options)
        for move in self.moves[:ply]:
            play_text(self.game, self.position, move.seat, move.text)


def shown(game: Game[Any], position: Position, viewer: int) -> str:
    """Write down all that may reach a viewer: view, features, recall, legal moves, whose turn, scores, outcome."""
    return json.dumps(
        [
            game.view(position, viewer),
            game.features(position, viewer),
            game.recall(position, viewer),
            position.legal(viewer) if viewer >= 0 else [],
            position.to_act(),
            position.scores(),
            repr(position.outcome()),
        ]
    )


def require(kept: bool, law: str) -> None:
    if not kept:
        raise LawBroken(law)


def dealing_is_deterministic(story: Story) -> None:
    require(story.deal() == story.setup, "one seed deals one setup")
    require(json.loads(json.dumps(story.setup)) == story.setup, "a setup is plain JSON")


def dealing_can_be_undone(story: Story, setup: dict[str, Any]) -> None:
    """Where a game offers it, what a dealer chose follows from the setup."""
    game = story.game
    try:
        choices = game.undeal(setup, story.seats, story.options)
    except NotImplementedError:
        return
    dealer = ScriptedDealer(choices)
    again = game.deal(story.seats, story.options, dealer, None)
    require(again == setup and len(dealer.asked) == len(choices), "undeal finds choices that deal the setup")


def copies_share_nothing(story: Story, rng: Rng) -> None:
    """Law 1."""
    position = story.position
    key = position.key()
    twin = position.copy()
    require(twin.key() == key, "1: a copy has the key of its original")
    require(_pickled(position).key() == key, "1: a pickled position has the key of its original")
    for seat in twin.to_act()[:1]:
        before = [shown(story.game, position, viewer) for viewer in story.viewers]
        moves = twin.legal(seat)
        twin.play(seat, moves[rng.below(len(moves))])
        after = [shown(story.game, position, viewer) for viewer in story.viewers]
        require(position.key() == key and before == after, "1: playing on a copy leaves its original alone")


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


def texts_name_moves(story: Story) -> None:
    """Law 3."""
    game, position = story.game, story.position
    for seat in position.to_act():
        moves = position.legal(seat)
        texts = [game.text(position, seat, move) for move in moves]
        require(len(set(texts)) == len(texts), "3: moves have distinct texts")
        for move, text in zip(moves, texts, strict=True):
            require(game.parse(position, seat, text) == move, f"3: parsing {text!r} gives the move back")


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


def resampling_changes_nothing_seen(story: Story, viewer: int, rng: Rng) -> None:
    """Law 5."""
    game = story.game
    other = story.position.resample(viewer, rng)
    seen = story.seen[viewer][: story.ply + 1]
    require(shown(game, other, viewer) == seen[-1], f"5: resampling for viewer {viewer} changes nothing it sees")
    again = game.start(game.setup(other), story.seats, story.options)
    for ply, before in enumerate(seen):
        if ply:
            move = story.moves[ply - 1]
            try:
                play_text(game, again, move.seat, move.text)
            except SevenHuesError as error:
                raise LawBroken(
                    f"5: ply {ply} of viewer {viewer}'s resampled deal cannot be replayed: {error}"
                ) from None
        same = shown(game, again, viewer) == before
        require(same, f"5: viewer {viewer}'s resampled deal looks the same at ply {ply}")
    dealing_can_be_undone(story, game.setup(other))
    require(again.key() == other.key(), f"5: setup of viewer {viewer}'s resampled position leads to it")


def resampling_finds_other_deals(story: Story, viewer: int, rng: Rng) -> None:
    """Law 6."""
    first = story.position.resample(viewer, rng).key()
    if all(story.position.resample(viewer, rng).key() == first for _ in range(RESAMPLINGS)):
        second = any(_fits(story, viewer, setup) for setup in _neighbours(story, rng))
        require(not second, f"6: more than one deal fits what viewer {viewer} saw, but resampling finds only one")


def _fits(story: Story, viewer: int, setup: dict[str, Any]) -> bool:
    """Tell whether another deal, played the same way, would have shown the viewer the same."""
    try:
        position = story.game.start(setup, story.seats, story.options)
        for ply, seen in enumerate(story.seen[viewer][: story.ply + 1]):
            if ply:
                play_text(story.game, position, story.moves[ply - 1].seat, story.moves[ply - 1].text)
            if shown(story.game, position, viewer) != seen:
                return False
    except SevenHuesError:
        return False
    return bool(position.key() != story.position.key())


def _neighbours(story: Story, rng: Rng) -> Iterator[dict[str, Any]]:
    """Yield setups in which two values have changed places."""
    for _ in range(NEIGHBOURS):
        setup = json.loads(json.dumps(story.setup))
        places = list(_leaves(setup))
        into, at = places[rng.below(len(places))]
        other_into, other_at = places[rng.below(len(places))]
        if type(into[at]) is type(other_into[other_at]) and into[at] != other_into[other_at]:
            into[at], other_into[other_at] = other_into[other_at], into[at]
            yield setup


def _leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    for at, part in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(part, dict | list):
            yield from _leaves(part)
        else:
            yield value, at


def resampling_ignores_the_truth(story: Story, viewer: int, rng: Rng) -> None:
    """Law 7."""
    seed = int(rng.next())
    direct = story.position.resample(viewer, Rng(seed))
    twice = story.position.resample(viewer, rng).resample(viewer, Rng(seed))
    require(direct.key() == twice.key(), f"7: resampling for viewer {viewer} depends only on what it saw")


def pieces_are_conserved(story: Story) -> None:
    """Law 8."""
    require(sorted(story.position.census()) == story.pieces, "8: every piece is still there, once")


def views_are_plain(story: Story) -> None:
    """Views are JSON, and features and recall are what their layouts say."""
    layout = story.game.layout(story.seats, story.options)
    recalled = story.game.recall_layout(story.seats, story.options)
    for viewer in story.viewers:
        view = story.game.view(story.position, viewer)
        require(json.loads(json.dumps(view)) == view, f"the view of {viewer} is plain JSON")
        features = story.game.features(story.position, viewer)
        require(_fit_layout(features, layout), f"the features of {viewer} fit their layout")
        require(
            _fit_layout(story.game.recall(story.position, viewer), recalled), f"what {viewer} recalls fits its layout"
        )


def _fit_layout(numbers: list[int], layout: tuple[Feature, ...]) -> bool:
    highs = [feature.high for feature in layout for _ in range(feature.size)]
    return len(numbers) == len(highs) and all(0 <= n <= high for n, high in zip(numbers, highs, strict=True))


def games_are_bounded(story: Story) -> None:
    """Where a game bounds its length, no game is longer."""
    most = story.game.most_plies(story.seats, story.options)
    require(most is None or len(story.moves) <= most, f"no game has more than {most} moves")
