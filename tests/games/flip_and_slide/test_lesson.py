"""Flip & Slide's puzzles are checked by playing every turn, for all hidden colours."""

from collections.abc import Iterator

from sevenhues.core.lesson import Step, matches
from sevenhues.core.moves import legal_texts, parse
from sevenhues.core.play import play_text
from sevenhues.games.flip_and_slide import game
from sevenhues.games.flip_and_slide.bots.search_board import SearchBoard
from sevenhues.games.flip_and_slide.bots.win_search import SURE, one_action_chance, two_actions_chance
from sevenhues.games.flip_and_slide.rules import FlipAndSlidePosition
from tests.games.puzzles import begin


def puzzle(id: str) -> tuple[Step, FlipAndSlidePosition]:
    return begin(game, FlipAndSlidePosition, id)


def after(position: FlipAndSlidePosition, *texts: str) -> FlipAndSlidePosition:
    """Return the position after moves of the seats to act."""
    copy = position.copy()
    for text in texts:
        play_text(game, copy, copy.turn, text)
    return copy


def possible_deals(position: FlipAndSlidePosition, text: str) -> Iterator[FlipAndSlidePosition]:
    """Yield the position with each colour that the flipped clover may hide; other moves reveal nothing."""
    if text[0] != "F":
        yield position
        return
    move = parse(game, position, position.turn, text)
    for tile in range(position.deal.tiles):
        if not (position.up >> tile) & 1:
            colours = list(position.deal.colours)
            colours[move], colours[tile] = colours[tile], colours[move]
            yield position.recoloured(bytes(colours))


def chance(position: FlipAndSlidePosition) -> float:
    """Return the probability that the seat to act wins with the rest of its turn; test_bots checks that it is exact."""
    search = two_actions_chance if position.actions == 0 else one_action_chance
    return search(SearchBoard(position, False), position.player_tile(position.turn), position.barred, True)


def test_win_violet_first_has_no_other_winning_slides() -> None:
    step, position = puzzle("violet-first")
    first, second = step.turns
    for text in legal_texts(game, position, step.seat):
        left = [after(deal, text) for deal in possible_deals(position, text)]
        assert all(one.winner != step.seat for one in left), "nothing wins with one action"
        sure = all(one.turn == step.seat and chance(one) == SURE for one in left)
        assert sure == matches(first.right, text), text
    for text in first.right:
        following = after(position, text)
        winning = [one for one in legal_texts(game, following, step.seat) if after(following, one).winner == step.seat]
        assert winning == second.right
        assert all(one[0] == "S" for one in [text, *winning]), "slides show nothing: it is won in every deal"


def test_trap_gift_only_the_right_moves_deny_the_opponents_win() -> None:
    step, position = puzzle("gift")
    (turn,) = step.turns
    mira = 1 - step.seat
    answers = {wrong.say: wrong for wrong in turn.wrong}
    for text in legal_texts(game, position, step.seat):
        following = after(position, text)
        assert following.winner != step.seat, "it cannot be won at once"
        if matches(turn.right, text):
            assert chance(following) == 0, f"{text}: no turn of hers wins, whatever is under the clovers"
        elif matches(answers["gift"].moves, text):
            assert following.winner == mira, "FS-14: the rainbow touches her tile alone"
        else:
            assert chance(following) > 0, text
        for say in ("near", "idle"):
            if matches(answers[say].moves, text):
                assert after(following, *[played.text for played in answers[say].then]).winner == mira


def test_win_over_red_has_one_winning_slide_and_jump() -> None:
    step, position = puzzle("over-red")
    won = set()
    for text in legal_texts(game, position, step.seat):
        for deal in possible_deals(position, text):
            following = after(deal, text)
            assert following.winner != step.seat
            if following.outcome() is None:
                won |= {(text, jump) for jump in legal_texts(game, following, 0) if after(following, jump).winner == 0}
    assert won == {(step.turns[0].right[0], step.turns[1].right[0])}
