"""Proofs of Rainbow Road's puzzles: last rounds, under every hypothesis and against every reply."""

import pytest

from sevenhues.core.lesson import Step
from sevenhues.core.play import play_text
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow_road import game
from sevenhues.games.rainbow_road.bots.hypotheses import all_hypotheses
from sevenhues.games.rainbow_road.pieces import ROUNDS
from sevenhues.games.rainbow_road.rules import RoadPosition
from tests.games.puzzles import begin


def puzzle(id: str) -> tuple[Step, RoadPosition]:
    step, position = begin(game, RoadPosition, id)
    assert position.round == ROUNDS - 1
    return step, position


def after(position: RoadPosition, move: int) -> RoadPosition:
    copy = position.copy()
    copy.play(copy.turn, move)
    return copy


def deals(position: RoadPosition, seat: int) -> list[RoadPosition]:
    """Return the position with each hand that the other seat may hold."""
    positions = []
    for hypothesis in all_hypotheses(position, seat):
        hypothetical = position.copy()
        if seat:
            hypothetical.hand_0, hypothetical.held_0 = hypothesis.hand, hypothesis.held
        else:
            hypothetical.hand_1, hypothetical.held_1 = hypothesis.hand, hypothesis.held
        positions.append(hypothetical)
    return positions


def beaten(position: RoadPosition, seat: int) -> bool:
    """Tell whether the other seat, which moves last, can end the game without a win of this seat."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winners != [seat]
    assert position.turn != seat, "nothing is left to decide for this seat"
    return any(beaten(after(position, move), seat) for move in position.legal(position.turn))


def wins_for_certain(position: RoadPosition, seat: int) -> bool:
    """Tell whether a seat can win for certain: by the same moves under every hypothesis, against every reply."""
    if position.outcome() is None and position.turn == seat:
        return any(wins_for_certain(after(position, move), seat) for move in position.legal(seat))
    return not any(beaten(hypothetical, seat) for hypothetical in deals(position, seat))


def follow(step: Step, position: RoadPosition) -> RoadPosition:
    """Check that at every turn exactly the right moves win for certain, and return the final position."""
    for at, turn in enumerate(step.turns):
        winning = []
        for move in position.legal(step.seat):
            if wins_for_certain(after(position, move), step.seat):
                winning.append(game.text(position, step.seat, move))
        assert winning == turn.right, f"turn {at + 1}"
        play_text(game, position, step.seat, turn.right[0])
        for played in turn.then:
            play_text(game, position, played.seat, played.text)
    return position


@pytest.mark.parametrize("id", ["teleport", "in-the-way", "last-card"])
def test_hypotheses_of_a_puzzle_equal_the_resampled_deals(id: str) -> None:
    step, position = puzzle(id)
    other = 1 - step.seat
    listed = {(hypothetical.hand(other), hypothetical.held(other)) for hypothetical in deals(position, step.seat)}
    drawn = set()
    for seed in range(200):
        hypothetical = position.resample(step.seat, Rng(seed))
        drawn.add((hypothetical.hand(other), hypothetical.held(other)))
    assert drawn == listed


def test_win_teleport_is_the_only_winning_line() -> None:
    end = follow(*puzzle("teleport"))
    assert end.scores() == [20, 19]
    outcome = end.outcome()
    assert outcome is not None
    assert outcome.winners == [0]


def test_trap_in_the_way_seven_points_lose_and_four_win() -> None:
    step, position = puzzle("in-the-way")
    greedy = position.copy()
    for _ in range(len(step.turns) - 1):
        play_text(game, greedy, step.seat, "-")
    (wrong,) = step.turns[-1].wrong
    play_text(game, greedy, step.seat, wrong.moves[0])
    for played in wrong.then:
        play_text(game, greedy, played.seat, played.text)
    assert greedy.scores() == [27, 29]
    end = follow(step, position)
    assert end.scores() == [24, 24]
    outcome = end.outcome()
    assert outcome is not None
    assert outcome.winners == [step.seat], "RR-12: the most points in the last round"


def test_win_last_card_wins_against_every_prank() -> None:
    step, position = puzzle("last-card")
    assert len(all_hypotheses(position, step.seat)) == 3
    end = follow(step, position)
    assert end.scores() == [19, 17]
    outcome = end.outcome()
    assert outcome is not None
    assert outcome.winners == [step.seat]
