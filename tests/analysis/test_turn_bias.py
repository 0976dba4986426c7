"""The correction for turn bias changes biased values and nothing else."""

import pytest

from sevenhues.analysis import turn_bias
from sevenhues.analysis.evaluator import Verdict
from sevenhues.analysis.turn_bias import Handover


def verdict(seat: int, value: float) -> Verdict:
    return Verdict(seat, 0, value, value, [0.0 if one == seat else 1.0 for one in (0, 1)])


def test_bias_toward_the_player_to_move_is_corrected() -> None:
    """Each thinks to have 0.6 where the truth is even."""
    handovers = [Handover(at % 2, verdict(at % 2, 0.6), verdict(1 - at % 2, 0.6)) for at in range(10)]
    tilt_found = turn_bias.find(handovers)
    assert turn_bias.tilted(0.6, tilt_found) == pytest.approx(0.5, abs=1e-6)


def test_unbiased_values_are_not_corrected() -> None:
    handovers = [Handover(at % 2, verdict(at % 2, 0.7), verdict(1 - at % 2, 0.3)) for at in range(10)]
    assert turn_bias.find(handovers) == pytest.approx(0.0, abs=1e-6)


def test_few_turns_give_no_correction() -> None:
    assert turn_bias.find([Handover(0, verdict(0, 0.9), verdict(1, 0.9))] * 7) == 0.0


@pytest.mark.parametrize("amount", [-1.0, 0.3, 1.5])
def test_correction_keeps_certain_values_and_the_order(amount: float) -> None:
    values = [0.0, 0.1, 0.5, 0.501, 0.99, 1.0]
    after = [turn_bias.tilted(value, amount) for value in values]
    assert after == sorted(after)
    assert (after[0], after[-1]) == (0.0, 1.0)
