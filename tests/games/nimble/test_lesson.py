"""Proofs of Nimble's puzzles against any number of moves of the rival."""

from sevenhues.core.lesson import Step, matches
from sevenhues.core.moves import legal_texts
from sevenhues.core.play import play_text
from sevenhues.games.nimble import game
from sevenhues.games.nimble.rules import NimblePosition
from tests.games.puzzles import begin


def puzzle(id: str) -> tuple[Step, NimblePosition]:
    return begin(game, NimblePosition, id)


def after(position: NimblePosition, seat: int, text: str) -> NimblePosition:
    twin = position.copy()
    play_text(game, twin, seat, text)
    return twin


def meanwhile(positions: list[NimblePosition], seat: int) -> list[NimblePosition]:
    """Return all that a seat can make of some positions by any number of moves, the positions themselves included."""
    found = {position.key(): position for position in positions}
    left = list(found.values())
    while left:
        position = left.pop()
        for text in legal_texts(game, position, seat):
            made = after(position, seat, text)
            if made.key() not in found:
                found[made.key()] = made
                left.append(made)
    return list(found.values())


def sure(step: Step, position: NimblePosition) -> bool:
    """Tell whether the step's line wins, however often the rival moves before, between and after its moves."""
    rival = 1 - step.seat
    running = meanwhile([position], rival)
    for turn in step.turns:
        made = []
        for one in running:
            outcome = one.outcome()
            if outcome is not None:
                assert outcome.winners == [step.seat], "over before the line was done"
                continue
            moves = [text for text in legal_texts(game, one, step.seat) if matches(turn.right, text)]
            assert moves, "the rival has spoilt the line"
            made += [after(one, step.seat, text) for text in moves]
        running = meanwhile(made, rival)
    outcomes = [one.outcome() for one in running]
    return all(outcome is not None and outcome.winners == [step.seat] for outcome in outcomes)


def loses_at_once(step: Step, position: NimblePosition, say: str) -> bool:
    """Tell whether after each of these wrong moves the game ends, or the rival's next move ends it, and they win."""
    rival = 1 - step.seat
    wrongs = [wrong for wrong in step.turns[0].wrong if wrong.say == say]
    tried = [
        text for text in legal_texts(game, position, step.seat) if matches([wrong.moves[0] for wrong in wrongs], text)
    ]
    assert tried
    for text in tried:
        made = after(position, step.seat, text)
        then = next(wrong.then for wrong in wrongs if matches(wrong.moves, text))
        assert len(then) <= 1
        for played in then:
            made = after(made, rival, played.text)
        outcome = made.outcome()
        if outcome is None or outcome.winners != [rival]:
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
