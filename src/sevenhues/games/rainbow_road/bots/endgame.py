"""A solver for the last round of Rainbow Road over all hypotheses about the opponent's hand.

The opponent is assumed to know every card. The seat to be valued knows only what it has seen: wherever it decides, it
makes the same move under all hypotheses that it cannot tell apart, the move with the best mean value. Where the
opponent decides, the value under each hypothesis is the minimum over the opponent's moves.
"""

from mypy_extensions import i64

from sevenhues.games.rainbow_road.board import FOLLOWING, LEADING, RAIN
from sevenhues.games.rainbow_road.bots.hypotheses import Hypothesis, candidate_lines, mean
from sevenhues.games.rainbow_road.bots.lookahead import Lookahead
from sevenhues.games.rainbow_road.rules import RoadPosition


def solve(position: RoadPosition, seat: i64, hypotheses: list[Hypothesis], lookahead: Lookahead) -> list[float]:
    """Return the value of a position of the last round for a seat, under each hypothesis."""
    if position.phase >= RAIN:
        # RR-20 The Rain Fairy's mover decides last, and knows everything that matters.
        return [lookahead.value(position, hypothesis.hand, hypothesis.held, seat) for hypothesis in hypotheses]
    if position.turn == seat:
        return _best_on_average(position, seat, hypotheses, lookahead)
    if position.phase == LEADING or position.phase == FOLLOWING:
        return _opponent_plays_card(position, seat, hypotheses, lookahead)
    return _least(position, seat, hypotheses, lookahead)


def _best_on_average(
    position: RoadPosition, seat: i64, hypotheses: list[Hypothesis], lookahead: Lookahead
) -> list[float]:
    """Return the values of the line with the best mean value."""
    best: list[float] = []
    best_mean = -1.0
    for line in candidate_lines(position, position.legal(position.turn)):
        values = solve(line.position, seat, hypotheses, lookahead)
        value = mean(values, hypotheses, len(hypotheses))
        if value > best_mean:
            best_mean = value
            best = values
    return best


def _least(position: RoadPosition, seat: i64, hypotheses: list[Hypothesis], lookahead: Lookahead) -> list[float]:
    """Return the minimum over the opponent's lines, for each hypothesis."""
    least = [1.0] * len(hypotheses)
    for line in candidate_lines(position, position.legal(position.turn)):
        values = solve(line.position, seat, hypotheses, lookahead)
        for i in range(len(hypotheses)):
            if values[i] < least[i]:
                least[i] = values[i]
    return least


def _opponent_plays_card(
    position: RoadPosition, seat: i64, hypotheses: list[Hypothesis], lookahead: Lookahead
) -> list[float]:
    """Value the opponent's choice of a card, separately for each hand it may hold."""
    values = [1.0] * len(hypotheses)
    hands: list[i64] = []
    for hypothesis in hypotheses:
        if hypothesis.hand not in hands:
            hands.append(hypothesis.hand)
    for hand in hands:
        copy = position.copy()
        if seat:
            copy.hand_0 = hand
        else:
            copy.hand_1 = hand
        same_hand = [i for i in range(len(hypotheses)) if hypotheses[i].hand == hand]
        least = _least(copy, seat, [hypotheses[i] for i in same_hand], lookahead)
        for i in range(len(same_hand)):
            values[same_hand[i]] = least[i]
    return values
