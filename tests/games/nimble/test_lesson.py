"""Nimble's puzzles are checked against any number of moves of the opponent."""

from sevenhues.core.lesson import Step, matches
from sevenhues.core.moves import legal_texts
from sevenhues.core.play import play_text
from sevenhues.games.nimble import game
from sevenhues.games.nimble.rules import NimblePosition
from tests.games.puzzles import begin


def puzzle(id: str) -> tuple[Step, NimblePosition]:
    return begin(game, NimblePosition, id)


def after(position: NimblePosition, seat: int, text: str) -> NimblePosition:
    copy = position.copy()
    play_text(game, copy, seat, text)
    return copy


def reachable(positions: list[NimblePosition], seat: int) -> list[NimblePosition]:
    """Return all positions that a seat can reach by any number of moves, none included."""
    reached = {position.key(): position for position in positions}
    unexpanded = list(reached.values())
    while unexpanded:
        position = unexpanded.pop()
        for text in legal_texts(game, position, seat):
            following = after(position, seat, text)
            if following.key() not in reached:
                reached[following.key()] = following
                unexpanded.append(following)
    return list(reached.values())


def sure(step: Step, position: NimblePosition) -> bool:
    """Return whether the step's line wins, with any number of opponent's moves before, between and after its moves."""
    opponent = 1 - step.seat
    running = reachable([position], opponent)
    for turn in step.turns:
        played = []
        for one in running:
            outcome = one.outcome()
            if outcome is not None:
                assert outcome.winners == [step.seat], "the game is over before the end of the line"
                continue
            moves = [text for text in legal_texts(game, one, step.seat) if matches(turn.right, text)]
            assert moves, "the opponent prevents the line"
            played += [after(one, step.seat, text) for text in moves]
        running = reachable(played, opponent)
    outcomes = [one.outcome() for one in running]
    return all(outcome is not None and outcome.winners == [step.seat] for outcome in outcomes)


def loses_at_once(step: Step, position: NimblePosition, say: str) -> bool:
    """Return whether the opponent wins right after each of these wrong moves, or with the next move."""
    opponent = 1 - step.seat
    wrongs = [wrong for wrong in step.turns[0].wrong if wrong.say == say]
    tried = [
        text for text in legal_texts(game, position, step.seat) if matches([wrong.moves[0] for wrong in wrongs], text)
    ]
    assert tried
    for text in tried:
        following = after(position, step.seat, text)
        then = next(wrong.then for wrong in wrongs if matches(wrong.moves, text))
        assert len(then) <= 1
        for played in then:
            following = after(following, opponent, played.text)
        outcome = following.outcome()
        if outcome is None or outcome.winners != [opponent]:
            return False
    return True


def test_win_take_it_back_wins_against_every_reply() -> None:
    step, position = puzzle("take-it-back")
    assert sure(step, position)
    assert loses_at_once(step, position, "gift")


def test_trap_three_whales_placing_the_fitting_card_loses() -> None:
    step, position = puzzle("three-whales")
    assert sure(step, position)
    assert {text for text in legal_texts(game, position, step.seat) if text[0] == "p"} == {"p1", "p2", "p3"}
    assert loses_at_once(step, position, "gift")


def test_trap_haste_placing_a_card_that_does_not_fit_loses() -> None:
    step, position = puzzle("haste")
    assert position.audit
    assert sure(step, position)
    assert loses_at_once(step, position, "lay")
    ended = after(position, step.seat, "p1")
    assert ended.scores()[step.seat] == position.goal(), "NB-12: it ends the game"
    assert [card // 30 for _, _, card in ended.mistakes()] == [step.seat], "NB-16"
