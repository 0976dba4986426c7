"""Proofs of Rainbow's puzzles by the exact odds of every face."""

from collections.abc import Callable, Iterator

from sevenhues.core import lesson
from sevenhues.core.lesson import Step
from sevenhues.core.moves import legal_texts
from sevenhues.core.play import play_text
from sevenhues.games.rainbow import game
from sevenhues.games.rainbow.rules import MADE_RAINBOW, RainbowPosition
from tests.games.puzzles import begin

CERTAIN = 1 - 1e-9


def puzzle(id: str) -> tuple[Step, RainbowPosition]:
    return begin(game, RainbowPosition, id)


def odds(position: RainbowPosition, seat: int, text: str) -> dict[str, float]:
    """Return the faces that a move may bring up, as far as the seat knows, with their chances."""
    view = game.view(position, seat)
    at = int(text[1:])
    if text[0] == "S":
        card = view["hands"][seat][at - 1]
        assert card is not None
        return {card["face"]: 1.0}
    where, owner = ("row", -1) if text[0] == "F" else ("hand", seat)
    beliefs = game.bot_support().beliefs(position, seat)
    assert beliefs is not None
    (face,) = [one for one in beliefs.faces if (one.where, one.seat, one.at) == (where, owner, at)]
    return {symbol: chance for symbol, chance in zip(beliefs.symbols, face.chances, strict=True) if chance}


def loses(position: RainbowPosition, seat: int, text: str) -> float:
    """Return the chance that a move loses the round (RB-14, RB-15)."""
    if text == "E":
        return 0.0
    row = [card["face"] for card in game.view(position, seat)["row"]]
    if text[0] == "F":
        row.pop(int(text[1:]) - 1)
    return sum(chance for face, chance in odds(position, seat, text).items() if face == "K" or face in row)


def known(position: RainbowPosition, seat: int, text: str) -> bool:
    """Tell whether the seat knows which face a move brings up."""
    return text == "E" or max(odds(position, seat, text).values()) > CERTAIN


def certain_lines(
    position: RainbowPosition, seat: int, won: Callable[[RainbowPosition], bool], line: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    """Yield every winning line of a turn that consists of moves whose faces the seat knows."""
    for text in legal_texts(game, position, seat):
        if known(position, seat, text):
            after = position.copy()
            play_text(game, after, seat, text)
            if won(after):
                yield (*line, text)
            elif seat in after.to_act() and after.round == position.round:
                yield from certain_lines(after, seat, won, (*line, text))


def expected_line(step: Step) -> list[tuple[str, ...]]:
    return [tuple(turn.right[0] for turn in step.turns)]


def test_win_twice_has_one_certain_rainbow() -> None:
    step, position = puzzle("twice")
    lines = certain_lines(position, step.seat, lambda after: after.last_end == MADE_RAINBOW)
    assert list(lines) == expected_line(step)


def test_win_last_has_one_certain_win() -> None:
    step, position = puzzle("last")

    def won(after: RainbowPosition) -> bool:
        outcome = after.outcome()
        return outcome is not None and outcome.winners == [step.seat]

    assert list(certain_lines(position, step.seat, won)) == expected_line(step)


def test_trap_seen_loses_for_certain_and_only_one_way_cannot_lose() -> None:
    step, position = puzzle("seen")
    for turn in step.turns:
        chances = {text: loses(position, step.seat, text) for text in legal_texts(game, position, step.seat)}
        assert [text for text, chance in chances.items() if chance == 0] == turn.right
        for wrong in turn.wrong:
            foreseen = [text for text in chances if lesson.matches(wrong.moves, text) and text not in turn.right]
            assert all(chances[text] > CERTAIN for text in foreseen), wrong.say
        play_text(game, position, step.seat, turn.right[0])
    assert position.row_length == 5
