"""Resampled decks fit what was seen, and every fitting deck is equally likely."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import permutations

import pytest

from sevenhues.core.play import deal
from sevenhues.core.position import WATCHER
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow import game
from sevenhues.games.rainbow.belief import fitting_deck
from sevenhues.games.rainbow.notation import deck_texts
from sevenhues.games.rainbow.pieces import CARDS, FACES, card_byte, face_of
from tests.games.rainbow.positions import full_deck

ALL = (1 << CARDS) - 1


def deck_of(texts: list[str]) -> bytes:
    return bytes(card_byte(FACES.index(card[0]), FACES.index(card[1])) for card in texts)


def known(seen: str) -> tuple[int, int]:
    """Parse what is known of the first cards, `.` for an unseen face: "R. .. .O"; all other cards are known."""
    masks = [ALL, ALL]
    for card, faces in enumerate(seen.split()):
        for side in (0, 1):
            if faces[side] == ".":
                masks[side] &= ~(1 << card)
    return masks[0], masks[1]


def decks_that_fit(loose: list[str], seen: list[str]) -> Counter[tuple[str, ...]]:
    """Enumerate every layout of the loose cards, and count how often each deck comes up."""

    def lay(at: int, order: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if at == len(order):
            yield ()
            return
        for card in (order[at], order[at][::-1]):
            if all(mark in (".", face) for mark, face in zip(seen[at], card, strict=True)):
                for rest in lay(at + 1, order):
                    yield (card, *rest)

    return Counter(deck for order in permutations(loose) for deck in lay(0, order))


@pytest.mark.parametrize(
    ("cards", "seen"),
    [
        ("RO OY YR", "R. O. Y."),  # a triangle: only a cycle of three leads from one way to the other
        ("RO OY YG RG", "R. .Y Y. .G"),  # cycles of four, seen from both sides
        ("RO OY YR WK", "R. .. Y. .."),  # cards of which nothing is known
        ("RO RO RY WR", "R. R. .. .R"),  # a card that is there twice
        ("RW WK KR OW", ".. .. .. .."),  # nothing known: any order, any orientation
        ("RO YO RY GB GI", "R. .O .. G. .."),
        ("KR KO OW WR YK", "K. .O .W .. .K"),
    ],
)
def test_resampling_draws_every_fitting_deck_equally_often(cards: str, seen: str) -> None:
    loose, marks = cards.split(), seen.split()
    expected = decks_that_fit(loose, marks)
    assert tuple(loose) in expected
    deck, masks = deck_of(full_deck(cards)), known(seen)
    ways, samples, rng = sum(expected.values()), max(3000, 25 * len(expected)), Rng(7)
    counts = Counter(tuple(deck_texts(fitting_deck(deck, *masks, rng))[: len(loose)]) for _ in range(samples))
    assert set(counts) <= set(expected)
    chi_square = sum((counts[one] - samples * w / ways) ** 2 / (samples * w / ways) for one, w in expected.items())
    degrees = len(expected) - 1
    assert chi_square < degrees + 4.5 * (2 * degrees) ** 0.5 + 6, "a chi-square this large is not a coincidence"


def chance_of_marks(edges: list[tuple[int, int]], wanted: list[int]) -> list[dict[int, float]]:
    """Compute exactly, for each loose card, how likely it is claimed for each of its faces.

    Every card is claimed for one of its faces or free. Each face claims as many cards as are wanted. All ways are
    equally likely.
    """
    order = sorted(range(len(edges)), key=lambda e: edges[e])
    last = {face: max((i for i, e in enumerate(order) if face in edges[e]), default=-1) for face in range(9)}

    def step(state: tuple[int, ...], i: int, face: int | None) -> tuple[int, ...] | None:
        if face is not None:
            state = (*state[:face], state[face] - 1, *state[face + 1 :])
        done = [f for f in edges[order[i]] if last[f] == i]
        return None if min(state) < 0 or any(state[f] for f in done) else state

    ways: list[dict[tuple[int, ...], int]] = [{tuple(wanted): 1}]
    for i, e in enumerate(order):
        following: dict[tuple[int, ...], int] = defaultdict(int)
        for state, count in ways[-1].items():
            for face in (None, *edges[e]):
                after = step(state, i, face)
                if after is not None:
                    following[after] += count
        ways.append(following)
    back: dict[tuple[int, ...], int] = {(0,) * 9: 1}
    chances: list[dict[int, float]] = [{} for _ in edges]
    total = ways[-1][(0,) * 9]
    for i in range(len(order) - 1, -1, -1):
        before: dict[tuple[int, ...], int] = defaultdict(int)
        for state, count in ways[i].items():
            for face in (None, *edges[order[i]]):
                after = step(state, i, face)
                rest = back.get(after, 0) if after is not None else 0
                if rest:
                    before[state] += rest
                    if face is not None:
                        mine = chances[order[i]]
                        mine[face] = mine.get(face, 0.0) + count * rest / total
        back = before
    return chances


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "plies", "viewer"), [("a", 55, 0), ("b", 60, 1), ("c", 75, 0), ("d", 40, WATCHER)])
def test_resampling_in_a_real_game_matches_the_exact_odds_of_each_card(seed: str, plies: int, viewer: int) -> None:
    """Compare for every half-known card the sampled shares of the pairs of faces with their exact odds."""
    position, rng = deal(game, seed.encode()), Rng(3)
    for _ in range(plies):
        position.play(position.turn, position.pick(position.turn, rng))
    masks = position.known(viewer, 0), position.known(viewer, 1)
    loose = [card for card in range(CARDS) if not (masks[0] & masks[1]) >> card & 1]
    wanted = [0] * 9
    for card in loose:
        for side in (0, 1):
            if masks[side] >> card & 1:
                wanted[face_of(position.deck, card, side)] += 1
    edges = sorted(tuple(sorted((face_of(position.deck, c, 0), face_of(position.deck, c, 1)))) for c in loose)
    pairs = [(low, high) for low, high in edges]
    exact: dict[tuple[int, int, int], float] = defaultdict(float)
    for (low, high), chances in zip(pairs, chance_of_marks(pairs, wanted), strict=True):
        for face, chance in chances.items():
            exact[low, high, face] += chance
    samples, counts = 3000, Counter[tuple[int, int, int]]()
    for _ in range(samples):
        other = position.resample(viewer, rng)
        for card in loose:
            faces = face_of(other.deck, card, 0), face_of(other.deck, card, 1)
            for side in (0, 1):
                if masks[side] >> card & 1:
                    counts[min(faces), max(faces), faces[side]] += 1
    off = [
        abs(counts[one] - samples * chance) / (samples * max(chance * (2 - chance) / 2, 0.002)) ** 0.5
        for one, chance in exact.items()
    ]
    assert max(off) < 4.5, "some card comes up too often or too rarely"
    assert sum(o * o for o in off) / len(off) < 1.5, "the shares as a whole deviate more than chance explains"


def test_faces_that_fit_no_deck_are_an_error() -> None:
    deck = deck_of(full_deck("RW"))
    impossible = bytes([card_byte(7, 8)] * 9) + deck[9:]  # light on nine cards; there are eight
    with pytest.raises(ValueError, match="fit no deck"):
        fitting_deck(impossible, *known("W. W. W. W. W. W. W. W. W."), Rng(1))


def test_resampling_depends_only_on_what_the_seat_has_seen() -> None:
    position = deal(game, b"same")
    other = position.resample(0, Rng(5))
    assert other.deck != position.deck
    assert other.resample(0, Rng(6)).deck == position.resample(0, Rng(6)).deck
