"""check_game: plays games with every number of seats and every option, and checks the laws at each position."""

from collections.abc import Callable, Iterator
from typing import Any

from sevenhues.core.game import Game, resolve_options
from sevenhues.core.options import OptionValue
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng
from sevenhues.testing import hidden_information, laws
from sevenhues.testing.observed_game import LawBroken, ObservedGame

SHADOW_PLIES = 8  # moves, on average, that are played both on a copy and on its original

Choose = Callable[[Position, int, Rng], int]


def check_game(
    game: Game[Any],
    games: int = 5,
    seed: int = 0,
    probes: int = 4,
    max_plies: int = 1000,
    choose: Choose | None = None,
) -> int:
    """Check the laws over `games` games for each number of seats and each set of options.

    The laws of hidden information are checked at `probes` random positions of each game. `choose` selects the moves
    where random play would not reach the positions of interest; it is given the true position. A game is left after
    `max_plies` moves. Return the number of positions checked. Raise LawBroken with the law, and with a note on how to
    reproduce the position.
    """
    checked = 0
    for seats in range(game.min_seats, game.max_seats + 1):
        for options in option_sets(game):
            for number in range(games):
                observed = ObservedGame(game, seats, options, f"{game.id}/{seats}/{options}/{seed}/{number}")
                try:
                    checked += _check_one(observed, probes, max_plies, choose)
                except LawBroken as error:
                    moves = " ".join(f"{move.seat} {move.text}" for move in observed.moves)
                    error.add_note(
                        f"{game.title}, {seats} seats, options {options}, check_game(seed={seed}) game {number}, "
                        f"after {len(observed.moves)} moves: {moves}"
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


def _check_one(observed: ObservedGame, probes: int, max_plies: int, choose: Choose | None) -> int:
    rng = Rng.seeded(observed.seed)
    laws.dealing_is_deterministic(observed)
    laws.dealer_choices_lead_to_the_setup(observed, observed.setup)
    _play(observed, rng, max_plies, choose)
    laws.games_are_bounded(observed)
    laws.records_replay(observed)
    length = len(observed.moves)
    for ply in sorted({0, length} | {int(rng.below(length + 1)) for _ in range(probes)}):
        observed.go_to(ply)
        laws.picks_cover_all_moves(observed, rng)
        laws.illegal_texts_are_refused(observed, rng)
        laws.views_and_encodings_are_valid(observed)
        laws.views_are_rendered(observed)
        laws.views_are_pictured(observed)
        for viewer in observed.viewers:
            hidden_information.resampling_changes_nothing_seen(observed, viewer, rng)
            hidden_information.resampling_finds_other_deals(observed, viewer, rng)
    return length + 1


def _play(observed: ObservedGame, rng: Rng, max_plies: int, choose: Choose | None) -> None:
    """Play a game, and check at every position the laws that are quick to check."""
    position = observed.position
    observed.observe()
    shadow = laws.new_shadow(observed, rng)
    while True:
        laws.copies_share_nothing(observed, rng)
        laws.shadow_follows(observed, shadow, rng)
        laws.legal_moves_are_in_order(observed)
        laws.outcomes_are_consistent(observed)
        laws.texts_identify_moves(observed)
        laws.pieces_are_conserved(observed)
        if not position.to_act() or len(observed.moves) == max_plies:
            return
        if rng.below(SHADOW_PLIES) == 0:
            laws.views_and_encodings_are_valid(observed)
            shadow = laws.new_shadow(observed, rng)
        seat = laws.pick_seat(observed, rng)
        move = choose(position, seat, rng) if choose else laws.pick_move(observed, seat, rng)
        shadow.play(seat, move)
        observed.play(seat, move)
        observed.observe()
