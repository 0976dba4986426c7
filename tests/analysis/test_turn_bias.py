"""The correction for turn bias changes biased values and nothing else."""

import pytest

from sevenhues.analysis import turn_bias
from sevenhues.analysis.evaluator import Evaluation
from sevenhues.analysis.turn_bias import TurnChange


def evaluation(seat: int, value: float) -> Evaluation:
    return Evaluation(seat, 0, value, value, [0.0 if one == seat else 1.0 for one in (0, 1)])


def test_bias_toward_the_player_to_move_is_corrected() -> None:
    """Every seat estimates 0.6 in even positions."""
    changes = [TurnChange(at % 2, evaluation(at % 2, 0.6), evaluation(1 - at % 2, 0.6)) for at in range(10)]
    bias = turn_bias.estimate(changes)
    assert turn_bias.correct(0.6, bias) == pytest.approx(0.5, abs=1e-6)


def test_unbiased_values_are_not_corrected() -> None:
    changes = [TurnChange(at % 2, evaluation(at % 2, 0.7), evaluation(1 - at % 2, 0.3)) for at in range(10)]
    assert turn_bias.estimate(changes) == pytest.approx(0.0, abs=1e-6)


def test_few_turns_give_no_correction() -> None:
    assert turn_bias.estimate([TurnChange(0, evaluation(0, 0.9), evaluation(1, 0.9))] * 7) == 0.0


@pytest.mark.parametrize("bias", [-1.0, 0.3, 1.5])
def test_correction_keeps_certain_values_and_the_order(bias: float) -> None:
    values = [0.0, 0.1, 0.5, 0.501, 0.99, 1.0]
    after = [turn_bias.correct(value, bias) for value in values]
    assert after == sorted(after)
    assert (after[0], after[-1]) == (0.0, 1.0)
