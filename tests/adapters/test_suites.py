"""The test suites of the frameworks accept every game with every number of seats and all values of its options."""

import pytest

from tests.adapters import suites
from tests.adapters.suites import EXPECTED_WARNINGS, PASSED, SUITES, Suite, Variant

SECONDS_OF_PGX = "pgx"  # a suite that compiles for half a minute
LONG_PLAYTHROUGH = "flip-and-slide"  # thousands of moves are listed in each state


def takes_long(suite: Suite, variant: Variant) -> bool:
    """Tell which suites are left to `make test-long`: one variant of each game is tried before."""
    if str(suite).startswith(SECONDS_OF_PGX) or not variant.default:
        return True
    if suite.name == "playthrough":
        return variant.game == LONG_PLAYTHROUGH and variant.seats > 1
    return variant.seats > 2


def cases() -> list[object]:
    return [
        pytest.param(
            suite,
            variant,
            id=f"{suite}-{variant}",
            marks=[pytest.mark.long if takes_long(suite, variant) else pytest.mark.slow],
        )
        for suite in SUITES
        for variant in suites.variants()
        if suite.applies(variant)
    ]


@pytest.mark.filterwarnings(*[f"ignore:{text}" for text in EXPECTED_WARNINGS])
@pytest.mark.parametrize(("suite", "variant"), cases())
def test_suite_accepts_the_variant(suite: Suite, variant: Variant) -> None:
    suite.run(variant)


def test_matrix_of_the_research_page_has_every_suite_and_variant_as_passed() -> None:
    """What the page says is what the tests above require."""
    written = suites.page_with(suites.matrix(lambda suite, variant: PASSED))
    assert suites.PAGE.read_text(encoding="utf-8") == written, "run `python -m tests.adapters.suites`"
    assert written.count(PASSED) > 200
