"""Bit masks agree with Python's sets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevenhues.core import bits

SETS = st.sets(st.integers(0, 61))


def mask_of(numbers: set[int]) -> int:
    return sum(1 << n for n in numbers)


@given(SETS)
def test_count_and_members_agree_with_sets(numbers: set[int]) -> None:
    assert bits.count(mask_of(numbers)) == len(numbers)
    assert bits.members(mask_of(numbers)) == sorted(numbers)


@given(SETS.filter(bool), st.data())
def test_lowest_and_nth_agree_with_sorted_sets(numbers: set[int], data: st.DataObject) -> None:
    n = data.draw(st.integers(0, len(numbers) - 1))
    assert bits.lowest(mask_of(numbers)) == min(numbers)
    assert bits.nth(mask_of(numbers), n) == sorted(numbers)[n]


@pytest.mark.parametrize("n", range(62))
def test_bit_and_shift_reach_bit_61(n: int) -> None:
    assert bits.bit(n) == 2**n
    assert bits.shift(1, n) == 2**n
