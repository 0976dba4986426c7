"""The test suites of the frameworks accept every game with every number of seats and all values of its options."""

import pytest

from tests.adapters import suites
from tests.adapters.suites import EXPECTED_WARNINGS, PASSED, SUITES, Suite, Variant

# Suites that take less than a tenth of a second; of the others `make test` runs one variant of each game.
QUICK = {"api_test", "seed_test", "parallel_api_test", "state_test", "rl_environment"}
FIRST_SEATS = 2


def takes_long(suite: Suite, variant: Variant) -> bool:
    """Tell whether a suite is left to `make test-long`."""
    if suite.framework == "Pgx":
        return True
    if suite.name == "playthrough" and variant.game == "flip-and-slide":
        return variant.seats > 1 or not variant.default  # thousands of moves are listed in each state
    return suite.name not in QUICK and not (variant.default and variant.seats == FIRST_SEATS)


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
