"""The dealer follows its description, and Rng gives the same numbers compiled and plain."""

from collections import Counter
from hashlib import sha256
from itertools import count, permutations

import pytest

from sevenhues.core.rng import Dealer, Rng, ScriptedDealer, unshuffle


def words(seed: bytes) -> list[int]:
    """Return the words of the dealer's stream, computed from its description."""
    key = sha256(seed).digest()
    stream = b"".join(sha256(key + i.to_bytes(8, "big")).digest() for i in range(4))
    return [int.from_bytes(stream[i : i + 4], "big") for i in range(0, len(stream), 4)]


def test_dealer_follows_its_description() -> None:
    dealer = Dealer(b"seven")
    assert [dealer.below(2**32) for _ in range(32)] == words(b"seven")
    dealer = Dealer(b"seven")
    assert [dealer.below(57) for _ in range(32)] == [word % 57 for word in words(b"seven")]


def test_dealer_output_never_changes() -> None:
    dealer = Dealer(b"Seven Hues")
    assert [dealer.below(1000) for _ in range(8)] == [1, 832, 511, 415, 794, 932, 943, 519]


def test_dealer_skips_words_that_would_bias_a_choice() -> None:
    n = 3 * 2**30  # a quarter of all words lie above the largest multiple
    fair = [word for word in words(b"unfair") if word < n]
    assert len(fair) < 32
    dealer = Dealer(b"unfair")
    assert [dealer.below(n) for _ in fair] == fair


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_dealer_refuses_a_range_that_is_empty_or_too_large(n: int) -> None:
    with pytest.raises(ValueError, match="n must be from 1 to"):
        Dealer(b"").below(n)


def test_shuffle_swaps_from_the_last_item_down() -> None:
    items, dealer = list(range(10)), Dealer(b"shuffle")
    expected = items.copy()
    for i, word in zip(range(9, 0, -1), words(b"shuffle"), strict=False):
        j = word % (i + 1)
        expected[i], expected[j] = expected[j], expected[i]
    dealer.shuffle(items)
    assert items == expected


def test_dealer_shuffles_uniformly() -> None:
    orders, dealer = Counter[tuple[int, ...]](), Dealer(b"fair")
    for _ in range(4800):
        items = [0, 1, 2, 3]
        dealer.shuffle(items)
        orders[tuple(items)] += 1
    surprise = sum((orders[order] - 200) ** 2 / 200 for order in permutations(range(4)))
    assert surprise < 60  # 23 degrees of freedom


def test_rng_gives_the_same_numbers_compiled_and_plain() -> None:
    rng = Rng(1)
    assert [rng.next() for _ in range(3)] == [2693995113698036663, 995960041316092642, 2528529413213708670]
    assert [rng.below(1000) for _ in range(6)] == [176, 261, 663, 891, 606, 175]


@pytest.mark.parametrize("seed", [0, 1, -1, 2**62, 2**200, -(2**200)])
def test_rng_takes_any_seed_and_stays_within_62_bits(seed: int) -> None:
    rng = Rng(seed)
    assert all(0 <= rng.next() < 2**62 for _ in range(1000))


def test_rng_repeats_with_its_seed_and_differs_with_another_seed() -> None:
    assert [Rng(5).next(), Rng(5).next()] == [Rng(5).next()] * 2
    assert len({Rng(seed).next() for seed in range(1000)}) == 1000
    assert Rng.seeded("a").next() != Rng.seeded("b").next()


@pytest.mark.parametrize("n", [2, 3, 7, 12, 57])
def test_rng_below_is_uniform(n: int) -> None:
    rng, each = Rng(n), 1000
    counts = Counter(int(rng.below(n)) for _ in range(n * each))
    assert set(counts) == set(range(n))
    assert sum((counts[i] - each) ** 2 / each for i in range(n)) < n + 5 * (2 * n) ** 0.5 + 8


def test_rng_shuffles_uniformly() -> None:
    rng, orders = Rng(2), Counter[tuple[int, ...]]()
    for _ in range(2400):
        items = [0, 1, 2]
        rng.shuffle(items)
        orders[tuple(items)] += 1
    assert sum((orders[order] - 400) ** 2 / 400 for order in permutations(range(3))) < 25


def test_rng_normal_follows_the_normal_distribution() -> None:
    rng = Rng(3)
    drawn = [rng.normal() for _ in range(20_000)]
    assert abs(sum(drawn) / len(drawn)) < 0.03
    assert abs(sum([x * x for x in drawn]) / len(drawn) - 1) < 0.05
    assert abs(sum([abs(x) < 1 for x in drawn]) / len(drawn) - 0.6827) < 0.015


def test_every_bit_of_rng_is_set_half_of_the_time() -> None:
    rng, ones, draws = Rng(11), [0] * 62, 4000
    for _ in range(draws):
        word = int(rng.next())
        for bit in range(62):
            ones[bit] += word >> bit & 1
    assert all(abs(n - draws / 2) < 5 * (draws / 4) ** 0.5 for n in ones)
    assert next(i for i in count() if int(rng.next()) & 1) < 64


def test_scripted_dealer_makes_the_given_choices() -> None:
    dealer = ScriptedDealer([4, 0])
    assert ([dealer.below(5), dealer.below(2), dealer.below(3)], dealer.ranges) == ([4, 0, 0], [5, 2, 3])
    with pytest.raises(ValueError, match="choice 0 must be from 0 to 3, not 4"):
        ScriptedDealer([4]).below(4)


@pytest.mark.parametrize("items", ["abcd", "aabb", "a", ""])
def test_unshuffle_finds_the_choices_of_a_shuffle(items: str) -> None:
    for order in set(permutations(items)):
        choices = unshuffle(list(items), list(order))
        shuffled = list(items)
        ScriptedDealer(choices).shuffle(shuffled)
        assert tuple(shuffled) == order


@pytest.mark.parametrize("others", ["abx", "abb"])
def test_unshuffle_refuses_other_items(others: str) -> None:
    with pytest.raises(ValueError, match=r"is not in list|do not have the same items"):
        unshuffle(list("abc"), list(others))
