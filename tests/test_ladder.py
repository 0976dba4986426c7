"""The strength figures of the documents are those of bench/ladder.json, and the ladder replays them."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"
sys.path.insert(0, str(BENCH))

import ladder  # noqa: E402
import ladder_figures  # noqa: E402
from ladder_figures import PAGES, Figure, table_of, unrepeatable, with_tables  # noqa: E402

INTERVAL = re.compile(r"\d+\.\d %? ?(?:\||\() ?\d+\.\d – \d+\.\d")
FIGURES = {f"{table}: {figure.match}": figure for table, figures in ladder_figures.read().items() for figure in figures}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_tables_of_the_documents_are_those_of_the_ladder(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text == with_tables(text, ladder_figures.read()), "run `make tables`"
    assert "<!-- ladder: " in text


def test_every_table_of_the_ladder_is_in_a_document() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert sorted(re.findall("<!-- ladder: ([a-z-]+) -->", text)) == sorted(ladder_figures.read())


def test_figures_outside_of_these_tables_are_listed_with_a_reason() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    outside = " ".join(ladder_figures.TABLE.sub("", text).split())
    listed = unrepeatable()
    for figure in listed:
        assert figure in outside
        outside = outside.replace(figure, "")
    assert INTERVAL.findall(outside) == []
    assert INTERVAL.findall("won 72.8 % (68.2 – 76.9)") == ["72.8 % (68.2 – 76.9"]
    assert len(INTERVAL.findall(table_of(list(FIGURES.values())))) == len(FIGURES)


def test_changed_figure_of_a_document_is_found() -> None:
    text = PAGES[0].read_text(encoding="utf-8")
    changed = text.replace("| 378 – 22 – 0 |", "| 379 – 21 – 0 |", 1)
    assert changed != text
    assert with_tables(changed, ladder_figures.read()) == text


def test_stated_shares_and_intervals_follow_from_the_games() -> None:
    figure = FIGURES["nimble: expert – player, all at player's pace"]
    assert (figure.won, figure.lost, figure.share) == (269.5, 130.5, 269.5 / 400)
    assert figure.interval == pytest.approx((0.626, 0.718), abs=0.0005)
    for name, figure in FIGURES.items():
        assert figure.won + figure.lost + figure.drawn == figure.games, name
        assert figure.games % figure.seats == 0, name


def test_verdict_compares_a_result_with_the_stated_interval() -> None:
    stated = Figure("a – b", "rainbow", ["a", "b"], "8", "s", won=60, lost=40, drawn=0)
    assert ladder.verdict(stated, (60, 40, 0)) == "equal"
    assert ladder.verdict(stated, (69, 31, 0)) == "inside"
    assert ladder.verdict(stated, (70, 30, 0)) == "OUTSIDE"
    assert ladder.verdict(stated, (40, 60, 0)) == "OUTSIDE"
    assert ladder.verdict(stated, (0, 0, 100)) == "OUTSIDE"


def test_restated_figure_keeps_everything_but_its_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "ladder.json"
    copy.write_text(ladder_figures.FILE.read_text(encoding="utf-8"), encoding="utf-8")
    before = ladder_figures.read()
    monkeypatch.setattr(ladder_figures, "FILE", copy)
    ladder_figures.restate({("nimble", "peek – master"): (200.5, 199.5, 0)})
    after = ladder_figures.read()
    (old,) = [figure for figure in before["nimble"] if figure.match == "peek – master"]
    assert [f for f in after["nimble"] if f not in before["nimble"]] == [replace(old, won=200.5, lost=199.5)]
    assert {name: after[name] for name in after if name != "nimble"} == {
        name: before[name] for name in before if name != "nimble"
    }


def run(*args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCH / "ladder.py"), *args]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


@pytest.mark.slow
def test_reduced_run_is_marked_and_resumes(tmp_path: Path) -> None:
    args = ("--only", "nimble: seedling – random", "--games", "4", "--save", str(tmp_path))
    done = run(*args)
    assert done.returncode == 0, done.stderr
    assert "tried only, 4 of 400 games" in done.stdout
    assert "0 of 1 figures confirmed; 0 outside, 0 not measured" in done.stdout
    (results,) = tmp_path.rglob("results.jsonl")
    before = results.read_bytes()
    assert before.count(b"\n") == 1 + 4
    assert run(*args).stdout == done.stdout
    assert results.read_bytes() == before
    ended = run(*args, "--minutes", "0")
    assert (ended.returncode, "not measured: the time is over" in ended.stdout) == (3, True)


@pytest.mark.slow
def test_figure_outside_of_its_interval_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = replace(FIGURES["nimble: seedling – random"], games=10, won=0, lost=10, drawn=0)
    monkeypatch.setattr(ladder, "read", lambda: {"nimble": [wrong]})
    monkeypatch.setattr(sys, "argv", ["ladder.py", "--save", str(tmp_path)])
    assert ladder.main() == 1
    assert "stated 0.0 % (0.0 – 27.8)" in capsys.readouterr().out


@pytest.mark.parametrize("page", ["docs/bots.md", "CHANGELOG.md"])
def test_documents_count_the_figures_that_are_stated_at_the_budgets_of_the_ladder(page: str) -> None:
    text = " ".join((BENCH.parent / page).read_text(encoding="utf-8").split())
    timed = [figure for figure in FIGURES.values() if figure.stated_at]
    repeated = len(FIGURES) - len(timed)
    assert f"Of its {len(FIGURES)} figures, {repeated} are stated at the budgets that it replays" in text
    assert re.search(rf" (and|The other) {len(timed)}\b", text)


def test_baselines_of_learners_are_the_figures_of_the_recipes() -> None:
    bots, research = [(BENCH.parent / "docs" / name).read_text(encoding="utf-8") for name in ("bots.md", "research.md")]
    rows = re.findall(r"^\| (?:Rainbow|Flip & Slide) \| .* \| (\d+ s \| .* \|)$", bots, re.MULTILINE)
    assert sorted(rows) == sorted(re.findall(r"\| (\d+ s \| .* \|) `python examples", research))
    assert len(rows) == 8
