"""The laws of hidden information: what resampling must keep, find, and not know; each raises LawBroken."""

import json
from collections.abc import Iterator
from typing import Any

from sevenhues.core.errors import SevenHuesError
from sevenhues.core.play import play_text
from sevenhues.core.position import Position
from sevenhues.core.rng import Dealer, Rng
from sevenhues.testing.laws import TRIES, dealing_can_be_undone
from sevenhues.testing.observed_game import LawBroken, Story, answer, require, shown

RESAMPLINGS = 30  # tries to find a second deal
NEIGHBOURS = 60  # deals looked at to find others that fit
ENOUGH = 3  # of those


def resampling_changes_nothing_seen(story: Story, viewer: int, rng: Rng) -> None:
    """Law 5."""
    game = story.game
    key = story.position.key()
    other = story.position.resample(viewer, rng)
    seen = story.seen[viewer][: story.ply + 1]
    require(shown(game, other, viewer) == seen[-1], f"5: resampling for viewer {viewer} changes nothing it sees")
    alone = story.position.key() == key and shown(game, story.position, viewer) == seen[-1]
    require(alone, "5: resampling leaves its original alone")
    for _ in range(TRIES if viewer >= 0 and story.moves else 0):
        text = story.moves[rng.below(len(story.moves))].text
        same = answer(game, other, viewer, text) == answer(game, story.position, viewer, text)
        require(same, f"5: whether seat {viewer} may play {text} and why not depends on what it saw")
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
    """Laws 6 and 7: with other deals that fit what the viewer saw, found without the help of `resample`."""
    seed = int(rng.next())
    direct = story.position.resample(viewer, Rng(seed)).key()
    twice = story.position.resample(viewer, rng).resample(viewer, Rng(seed)).key()
    require(direct == twice, f"7: resampling for viewer {viewer} depends only on what it saw")
    others = _others(story, viewer, rng)
    if others:
        told = [_odds(story, viewer, position) for position in (story.position, others[0])]
        require(told[0] == told[1], f"5: the odds told to viewer {viewer} depend only on what it saw")
    for other in others:
        same = other.resample(viewer, Rng(seed)).key() == direct
        require(same, f"7: resampling for viewer {viewer} depends only on what it saw, not on the truth")
    if others and all(story.position.resample(viewer, rng).key() == direct for _ in range(RESAMPLINGS)):
        raise LawBroken(f"6: more than one deal fits what viewer {viewer} saw, but resampling finds only one")


def _odds(story: Story, viewer: int, position: Position) -> dict[str, Any] | None:
    beliefs = story.game.bot_support().beliefs(position, viewer)
    return None if beliefs is None else beliefs.plain()


def _others(story: Story, viewer: int, rng: Rng) -> list[Position]:
    """Find some positions of other deals that the viewer cannot tell from this one."""
    found: list[Position] = []
    for setup in _neighbours(story, rng):
        position = _played(story, viewer, setup)
        if position is not None and position.key() != story.position.key():
            found.append(position)
            if len(found) == ENOUGH:
                break
    return found


def _played(story: Story, viewer: int, setup: dict[str, Any]) -> Position | None:
    """Play another deal the same way; None if the viewer would have seen something else."""
    try:
        position: Position = story.game.start(setup, story.seats, story.options)
        for ply, seen in enumerate(story.seen[viewer][: story.ply + 1]):
            if ply:
                play_text(story.game, position, story.moves[ply - 1].seat, story.moves[ply - 1].text)
            if shown(story.game, position, viewer) != seen:
                return None
    except SevenHuesError:
        return None
    return position


def _neighbours(story: Story, rng: Rng) -> Iterator[dict[str, Any]]:
    """Yield setups in which two values have changed places, or one comes from a deal of its own."""
    for i in range(NEIGHBOURS):
        setup = json.loads(json.dumps(story.setup))
        places = list(_leaves(setup))
        into, at = places[rng.below(len(places))]
        if i % 3 == 0:
            fresh = story.game.deal(story.seats, story.options, Dealer(f"{story.seed}/{i}".encode()), None)
            places = list(_leaves(fresh))
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
