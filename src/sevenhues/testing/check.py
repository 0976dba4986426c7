"""Plays games of every kind that a game knows, and holds each position to the laws."""

from collections.abc import Callable, Iterator
from typing import Any

from sevenhues.core.game import Game, resolve_options
from sevenhues.core.options import OptionValue
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng
from sevenhues.testing import hidden_information, laws
from sevenhues.testing.observed_game import LawBroken, Story

SHADOW_PLIES = 8  # how long, on average, a copy is played beside its original

Choose = Callable[[Position, int, Rng], int]


def check_game(
    game: Game[Any],
    games: int = 5,
    seed: int = 0,
    probes: int = 4,
    max_plies: int = 1000,
    choose: Choose | None = None,
) -> int:
    """Hold a game to the laws over `games` games for each number of seats and each set of options.

    What hidden information allows is checked at `probes` random moments of each game. `choose` guides play where
    random moves would not reach what matters; it may look at everything. Games are given up after `most_plies`.
    Returns the number of positions checked; raises LawBroken with the law and how to get there again.
    """
    checked = 0
    for seats in range(game.min_seats, game.max_seats + 1):
        for options in option_sets(game):
            for number in range(games):
                story = Story(game, seats, options, f"{game.id}/{seats}/{options}/{seed}/{number}")
                try:
                    checked += _check_one(story, probes, max_plies, choose)
                except LawBroken as error:
                    error.add_note(
                        f"{game.title}, {seats} seats, options {options}, check_game(seed={seed}) game {number}, "
                        f"after {len(story.moves)} moves: {' '.join(f'{m.seat} {m.text}' for m in story.moves)}"
                    )
                    raise
    return checked


def option_sets(game: Game[Any]) -> Iterator[dict[str, OptionValue]]:
    """Yield the defaults, each other choice of each option by itself, and the last choices of all together."""
    defaults = resolve_options(game, {})
    yield defaults
    if len(game.options) > 1:
        yield {option.name: option.choices[-1] for option in game.options}
    for option in game.options:
        for choice in option.choices:
            if choice != option.default:
                yield {**defaults, option.name: choice}


def _check_one(story: Story, probes: int, max_plies: int, choose: Choose | None) -> int:
    rng = Rng.seeded(story.seed)
    laws.dealing_is_deterministic(story)
    laws.dealing_can_be_undone(story, story.setup)
    _play(story, rng, max_plies, choose)
    laws.games_are_bounded(story)
    laws.records_replay(story)
    length = len(story.moves)
    for ply in sorted({0, length} | {int(rng.below(length + 1)) for _ in range(probes)}):
        story.go_to(ply)
        laws.picks_find_all_moves(story, rng)
        laws.other_texts_are_refused(story, rng)
        laws.views_are_plain(story)
        laws.tables_are_drawn(story)
        for viewer in story.viewers:
            hidden_information.resampling_changes_nothing_seen(story, viewer, rng)
            hidden_information.resampling_finds_other_deals(story, viewer, rng)
    return length + 1


def _play(story: Story, rng: Rng, max_plies: int, choose: Choose | None) -> None:
    """Play a game, holding every position to the laws that are quick to check."""
    position = story.position
    story.see()
    shadow = laws.new_shadow(story, rng)
    while True:
        laws.copies_share_nothing(story, rng)
        laws.shadow_follows(story, shadow, rng)
        laws.legal_moves_are_in_order(story)
        laws.outcomes_make_sense(story)
        laws.texts_name_moves(story)
        laws.pieces_are_conserved(story)
        if not position.to_act() or len(story.moves) == max_plies:
            return
        if rng.below(SHADOW_PLIES) == 0:
            laws.views_are_plain(story)
            shadow = laws.new_shadow(story, rng)
        seat = laws.picked_seat(story, rng)
        move = choose(position, seat, rng) if choose else laws.picked_move(story, seat, rng)
        shadow.play(seat, move)
        story.play(seat, move)
        story.see()
