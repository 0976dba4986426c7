"""The laws of hidden information: what resampling keeps, varies and must not depend on. Each raises LawBroken."""

import json
from collections.abc import Iterator
from typing import Any

from sevenhues.core.errors import SevenHuesError
from sevenhues.core.play import play_text
from sevenhues.core.position import Position
from sevenhues.core.rng import Dealer, Rng
from sevenhues.testing.laws import TEXT_SAMPLES, dealer_choices_lead_to_the_setup
from sevenhues.testing.observed_game import LawBroken, ObservedGame, observation, parse_result, require

RESAMPLINGS = 30  # attempts to resample a second deal
VARIED_SETUPS = 60  # setups that are tried in the search for other deals
ENOUGH_DEALS = 3  # other deals after which the search stops


def resampling_changes_nothing_seen(observed: ObservedGame, viewer: int, rng: Rng) -> None:
    """Check law 5: nothing that reaches a viewer changes when the position is resampled for it."""
    game, position = observed.game, observed.position
    key = position.key()
    resampled = position.resample(viewer, rng)
    observations = observed.observations[viewer][: observed.ply + 1]
    same = observation(game, resampled, viewer) == observations[-1]
    require(same, f"5: resampling for viewer {viewer} changes nothing that it sees")
    unchanged = position.key() == key and observation(game, position, viewer) == observations[-1]
    require(unchanged, "5: resampling does not change its original")
    for _ in range(TEXT_SAMPLES if viewer >= 0 and observed.moves else 0):
        text = observed.moves[rng.below(len(observed.moves))].text
        same = parse_result(game, resampled, viewer, text) == parse_result(game, position, viewer, text)
        require(same, f"5: whether seat {viewer} may play {text}, and the reason, depends only on what it saw")
    picture = _picture(observed, resampled, viewer)
    same = picture == _picture(observed, position, viewer)
    require(same, f"5: the picture of viewer {viewer} depends only on what it saw")
    _check_replay(observed, viewer, resampled, observations)


def _picture(observed: ObservedGame, position: Position, viewer: int) -> str:
    view = observed.game.view(position, viewer)
    return observed.game.renderer().picture(view, [f"seat {seat}" for seat in range(observed.seats)])


def _check_replay(observed: ObservedGame, viewer: int, resampled: Position, observations: list[bytes]) -> None:
    """Check law 5 for the past: the moves, played from the resampled setup, show the viewer the same at every ply."""
    game = observed.game
    setup = game.setup(resampled)
    position: Position = game.start(setup, observed.seats, observed.options)
    for ply, expected in enumerate(observations):
        if ply:
            move = observed.moves[ply - 1]
            try:
                play_text(game, position, move.seat, move.text)
            except SevenHuesError as error:
                raise LawBroken(
                    f"5: the resampled deal of viewer {viewer} can be replayed: ply {ply}: {error}"
                ) from None
        same = observation(game, position, viewer) == expected
        require(same, f"5: the resampled deal of viewer {viewer} looks the same at ply {ply}")
    dealer_choices_lead_to_the_setup(observed, setup)
    require(position.key() == resampled.key(), f"5: setup of viewer {viewer}'s resampled position leads to it")


def resampling_finds_other_deals(observed: ObservedGame, viewer: int, rng: Rng) -> None:
    """Check laws 6 and 7: resampling finds other deals, and depends only on what the viewer saw.

    The other deals that fit what the viewer saw are found without `resample`.
    """
    position = observed.position
    seed = int(rng.next())
    key = position.resample(viewer, Rng(seed)).key()
    key_of_second = position.resample(viewer, rng).resample(viewer, Rng(seed)).key()
    require(key == key_of_second, f"7: resampling for viewer {viewer} depends only on what it saw")
    others = _indistinguishable_positions(observed, viewer, rng)
    if others:
        same = _odds(observed, viewer, position) == _odds(observed, viewer, others[0])
        require(same, f"5: the odds for viewer {viewer} depend only on what it saw")
    for other in others:
        same = other.resample(viewer, Rng(seed)).key() == key
        require(same, f"7: resampling for viewer {viewer} depends only on what it saw, not on the true deal")
    if others and all(position.resample(viewer, rng).key() == key for _ in range(RESAMPLINGS)):
        raise LawBroken(f"6: more than one deal fits what viewer {viewer} saw, but resampling finds only one")


def _odds(observed: ObservedGame, viewer: int, position: Position) -> dict[str, Any] | None:
    beliefs = observed.game.bot_support().beliefs(position, viewer)
    return None if beliefs is None else beliefs.to_json()


def _indistinguishable_positions(observed: ObservedGame, viewer: int, rng: Rng) -> list[Position]:
    """Return some positions of other deals that the viewer cannot tell from this one."""
    positions: list[Position] = []
    for setup in _varied_setups(observed, rng):
        position = _play_from(observed, viewer, setup)
        if position is not None and position.key() != observed.position.key():
            positions.append(position)
            if len(positions) == ENOUGH_DEALS:
                break
    return positions


def _play_from(observed: ObservedGame, viewer: int, setup: dict[str, Any]) -> Position | None:
    """Play the same moves from another setup; return None if the viewer would have seen something else."""
    try:
        position: Position = observed.game.start(setup, observed.seats, observed.options)
        for ply, expected in enumerate(observed.observations[viewer][: observed.ply + 1]):
            if ply:
                move = observed.moves[ply - 1]
                play_text(observed.game, position, move.seat, move.text)
            if observation(observed.game, position, viewer) != expected:
                return None
    except SevenHuesError:
        return None
    return position


def _varied_setups(observed: ObservedGame, rng: Rng) -> Iterator[dict[str, Any]]:
    """Yield setups in which two values are swapped, or one value is taken from another deal."""
    for i in range(VARIED_SETUPS):
        setup = json.loads(json.dumps(observed.setup))
        leaves = list(_leaves(setup))
        target, key = leaves[rng.below(len(leaves))]
        if i % 3 == 0:
            dealer = Dealer(f"{observed.seed}/{i}".encode())
            leaves = list(_leaves(observed.game.deal(observed.seats, observed.options, dealer, None)))
        source, source_key = leaves[rng.below(len(leaves))]
        if type(target[key]) is type(source[source_key]) and target[key] != source[source_key]:
            target[key], source[source_key] = source[source_key], target[key]
            yield setup


def _leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the container and the key of every value that is neither an object nor a list."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(item, dict | list):
            yield from _leaves(item)
        else:
            yield value, key
