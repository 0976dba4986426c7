"""Flip & Slide's bots: distance, win search, plans and the order of levels."""

import pytest

from sevenhues import COMPILED, Rng, bots, deal
from sevenhues.core.play import bot_game, bot_move
from sevenhues.games.flip_and_slide import game
from sevenhues.games.flip_and_slide.bots.distance import MAX_MISSING, TOUCH, distance, missing_colours
from sevenhues.games.flip_and_slide.bots.heuristics import PlanningHeuristics
from sevenhues.games.flip_and_slide.bots.level_settings import IGNORES_JUMPS, KEEPS_JUMPS, MASTER
from sevenhues.games.flip_and_slide.bots.search_board import SearchBoard
from sevenhues.games.flip_and_slide.bots.solo import SoloSearch
from sevenhues.games.flip_and_slide.bots.win_search import SURE, one_action_chance, two_actions_chance, wins
from sevenhues.games.flip_and_slide.geometry import NOWHERE, cell_at
from sevenhues.games.flip_and_slide.pieces import COLOURS
from sevenhues.games.flip_and_slide.rules import ACT, FlipAndSlidePosition
from tests.games.flip_and_slide.positions import ended, table

LEVELS = ["seedling", "player", "expert", "master"]
# I and V are loose, and two slides finish the rainbow. The tail ends at -7,2.
NEAR_WIN = """
      R O Y G B . .
     * * * * * * I
    ~ * * V
"""
# A rainbow at the edge of the patch. The tail ends at -11,1.
WHOLE = """
      R O Y G B I V
     ~ * * *
"""
# The violet of the rainbow is a clover at 6,0. The tail ends at -7,1 alone and at -14,1 with two players.
HIDDEN = """
      R O Y G B I v
     ~
"""


def finish_turn(position: FlipAndSlidePosition, level: str, seed: int, think: str = "4") -> FlipAndSlidePosition:
    """Let a level play until another seat is to act."""
    seat, bot, rng = position.turn, bots.make(game, level, think), Rng(seed)
    while position.to_act() == [seat]:
        position.play(seat, bot_move(game, position, seat, bot, rng))
    return position


def chance(position: FlipAndSlidePosition, seat: int, actions: int, flips: bool = False) -> float:
    search = one_action_chance if actions == 1 else two_actions_chance
    return search(SearchBoard(position, False), position.player_tile(seat), position.barred, flips)


def exhaustive_chance(position: FlipAndSlidePosition, actions: int, flips: bool) -> float:
    """Return the best probability that the seat to act wins this turn, by playing every possible turn."""
    seat, deal_ = position.turn, position.deal
    hidden = [tile for tile in range(deal_.tiles) if not (position.up >> tile) & 1]
    best = 0.0
    for move in position.legal(seat):
        deals = [position]
        if move < deal_.tiles:
            if not flips:
                continue
            deals = []
            for tile in hidden:
                colours = list(deal_.colours)
                colours[move], colours[tile] = colours[tile], colours[move]
                deals.append(position.recoloured(bytes(colours)))
        total = 0.0
        for possible in deals:
            after = possible.copy()
            after.play(seat, move)
            if after.outcome() is not None:
                total += after.winner == seat
            elif actions > 1 and after.turn == seat:
                total += exhaustive_chance(after, actions - 1, flips)
        best = max(best, total / len(deals))
        if best == 1:
            break
    return best


def stir(position: FlipAndSlidePosition, slides: int, rng: Rng) -> FlipAndSlidePosition:
    """Slide random face-up tiles and player tiles by up to three spaces, as if in earlier turns."""
    patch = position.patch
    tiles = [tile for tile in range(position.deal.size) if tile >= position.deal.tiles or (position.up >> tile) & 1]
    while slides:
        tile = tiles[rng.below(len(tiles))]
        reach = patch.reach(tile, 3)
        if reach and not patch.is_cut_tile(tile):
            cell = patch.walk[1 + rng.below(reach)]
            patch.take(tile)
            patch.put(tile, cell)
            slides -= 1
    return position


@pytest.mark.parametrize("name", LEVELS)
def test_every_level_has_a_description_of_one_line(name: str) -> None:
    level = bots.find(game, name)
    assert [level.name for level in game.bot_support().levels()] == LEVELS
    assert 20 < len(level.about) < 100
    assert level.about.endswith(".")


@pytest.mark.parametrize("options", [{}, {"red_start": True, "short_slides": True}])
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("name", LEVELS)
def test_every_level_makes_only_legal_moves(name: str, seats: int, options: dict[str, bool]) -> None:
    position = deal(game, b"rules", seats, options)
    # bot_game refuses moves that are not legal.
    moves = bot_game(game, position, [bots.make(game, name, "1") for _ in range(seats)], Rng(1), max_moves=seats + 6)
    assert len(moves) == seats + 6 or position.outcome() is not None


def test_distance_is_zero_where_a_rainbow_touches_the_player_tile() -> None:
    position = table(WHOLE, "-12,1 7,0")
    board = SearchBoard(position, False)
    assert distance(board, position.player_tile(1)) == 0
    assert distance(board, position.player_tile(0)) == TOUCH
    assert missing_colours(board) == 0


def test_distance_counts_missing_tiles() -> None:
    board = SearchBoard(table(NEAR_WIN, "0,-1 -8,2"), False)
    assert missing_colours(board) == 2
    nearer = SearchBoard(table(NEAR_WIN, "0,-1 -8,2", "S5,1>4,-1"), False)
    assert missing_colours(nearer) == 1
    assert distance(nearer, 21) < distance(board, 21) < distance(board, 22)
    far = SearchBoard(table("R * O * Y * G\n ~", "0,-1 7,0"), False)
    assert missing_colours(far) == MAX_MISSING


@pytest.mark.parametrize("red_start", [False, True])
def test_one_action_search_equals_exhaustive_search(red_start: bool) -> None:
    chances = set()
    for seed in range(40):
        picture = WHOLE.replace("V", "v") if seed % 2 else WHOLE
        position = stir(table(picture, "0,-1 7,0", red_start=red_start), 2, Rng(seed))
        position.actions = 1
        if wins(SearchBoard(position, False), position.player_tile(0)):
            continue
        tried = exhaustive_chance(position, 1, True)
        chances.add(tried)
        assert chance(position, 0, 1, True) == pytest.approx(tried), seed
    assert {0.0, 1.0} < chances, "some wins depend on a flip"


@pytest.mark.parametrize("barred", [0, 4])
def test_two_action_search_equals_exhaustive_search(barred: int) -> None:
    chances = []
    for seed in range(20):
        position = stir(table(WHOLE, "0,-1 7,0", short_slides=True), 2 + seed % 2, Rng(seed))
        position.barred = 1 << barred
        if wins(SearchBoard(position, False), position.player_tile(0)):
            continue
        tried = exhaustive_chance(position, 2, False)
        chances.append(tried)
        assert chance(position, 0, 2) == tried, seed
    assert set(chances) == {0.0, 1.0}


def test_two_action_search_with_flips_equals_exhaustive_search() -> None:
    position = table(HIDDEN.replace("I", "i"), "2,-1 -15,1", short_slides=True)
    position.up = (1 << 19) - 1 - (1 << 5) - (1 << 6)
    tried = exhaustive_chance(position, 2, True)
    assert 0 < tried < 1
    assert chance(position, 0, 2, True) == pytest.approx(tried)


def test_fs11_win_search_does_not_slide_a_barred_tile() -> None:
    position = table(NEAR_WIN, "0,-1 -8,2")
    board, me = SearchBoard(position, False), position.player_tile(0)
    assert two_actions_chance(board, me, 0, False) == SURE
    violet = 15
    assert COLOURS[board.hues[violet]] == "V"
    assert two_actions_chance(board, me, 1 << violet, False) == 0


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["expert", "master"])
def test_strong_levels_find_a_win_with_two_slides(name: str, seed: int) -> None:
    assert ended(finish_turn(table(NEAR_WIN, "0,-1 -8,2"), name, seed)) == ("rainbow", [0])


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", ["expert", "master"])
def test_strong_levels_parry_a_threat_of_two_slides(name: str, seed: int) -> None:
    position = table(NEAR_WIN, "-8,2 0,-1")
    assert chance(position, 1, 2) == SURE
    assert ended(finish_turn(position, name, seed, "12")) is None
    assert chance(position, 1, 2) < SURE


def test_seedling_overlooks_a_threat_of_two_slides() -> None:
    left = [chance(finish_turn(table(NEAR_WIN, "-8,2 0,-1"), "seedling", seed), 1, 2) for seed in range(6)]
    assert SURE in left


def test_fs14_master_breaks_a_rainbow_beside_another_player() -> None:
    """Seat 1 would win at the end of this turn."""
    position = table(WHOLE, "-12,1 7,0", "S-12,1>-12,2", short_slides=True)
    assert ended(finish_turn(position, "master", 1, "60")) is None


@pytest.mark.parametrize("name", LEVELS)
@pytest.mark.parametrize("seats", [1, 2, 3])
def test_choice_does_not_depend_on_hidden_colours(seats: int, name: str) -> None:
    rng = Rng(8)
    position = deal(game, b"leak", seats)
    for _ in range(seats + 14):
        if position.outcome() is None:
            before = position.copy()
            position.play(position.turn, position.pick(position.turn, rng))
    seat = before.turn
    other = before.resample(seat, rng)
    assert other.deal.colours != before.deal.colours
    chosen = {bots.make(game, name, "2").choose(one, seat, Rng(5)) for one in (before, other)}
    assert len(chosen) == 1


def test_search_that_sees_hidden_colours_knows_the_result_of_a_flip() -> None:
    position = table(HIDDEN, "6,-1 -15,1")
    me = position.player_tile(0)
    assert one_action_chance(SearchBoard(position, True), me, 0, True) == SURE
    assert 0 < one_action_chance(SearchBoard(position, False), me, 0, True) < SURE


def test_second_action_of_a_plan_is_remembered_except_after_a_flip() -> None:
    heuristics, rng = PlanningHeuristics(MASTER), Rng(2)
    position = table(NEAR_WIN, "-8,2 0,-1")
    moves = position.legal(0)
    values = heuristics.evaluate_moves(position, 0, moves, False, 12, float("inf"), rng)
    move = moves[values.index(max(values))]
    position.play(0, move)
    remembered = list(heuristics.planned.values())
    assert len(remembered) == (0 if move < position.deal.tiles else 1)
    for second in remembered:
        assert second in position.legal(0)
        later = position.legal(0)
        values = heuristics.evaluate_moves(position, 0, later, False, 12, float("inf"), rng)
        assert later[values.index(max(values))] == second


def test_fs23_solo_search_finds_a_legal_path_to_a_rainbow() -> None:
    position = table(HIDDEN.replace("v", "V"), "-8,1")
    search = SoloSearch(position, True, KEEPS_JUMPS, Rng(1))
    path = search.search(4, 6, float("inf"))
    assert path is search.goal
    me = position.player_tile(0)
    for tile, cell in path.actions():
        moved = me if tile < 0 else tile
        move = tile if cell == NOWHERE else position.put_base(moved) + position.patch.encode_cell(moved, cell)
        assert move in position.legal(0)
        position.play(0, move)
    assert ended(position) == ("rainbow", [0])


def test_fs22_solo_search_risks_a_flip_without_a_jump_only_if_its_colour_is_known() -> None:
    # From 7,0 the only jump goes back to -1,0.
    position = table(HIDDEN, "-1,0")
    position.previous = cell_at(-1, 0)
    position.patch.take(14)
    position.patch.put(14, cell_at(7, 0))
    flip = (6, NOWHERE)
    assert SoloSearch(position, True, KEEPS_JUMPS, Rng(1)).search(2, 1, float("inf")).actions() == [flip]
    assert SoloSearch(position, False, IGNORES_JUMPS, Rng(1)).search(2, 1, float("inf")).actions() == [flip]
    assert SoloSearch(position, False, KEEPS_JUMPS, Rng(1)).search(2, 1, float("inf")).actions()[:1] != [flip]


def test_fs24_solo_search_never_flips_the_last_clover() -> None:
    position = table(HIDDEN, "6,-1")
    position.up = (1 << 14) - 1 - (1 << 6)
    for jump_care in (IGNORES_JUMPS, KEEPS_JUMPS):
        actions = SoloSearch(position, False, jump_care, Rng(1)).search(2, 1, float("inf")).actions()
        assert actions
        assert all(cell != NOWHERE for _, cell in actions)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [b"one", b"two"])
def test_master_solves_solo_deals(seed: bytes) -> None:
    position = deal(game, seed, 1)
    bot_game(game, position, [bots.make(game, "master", "1")], Rng(1))
    assert ended(position) == ("rainbow", [0])


@pytest.mark.skipif(not COMPILED, reason="whole games of careful levels take minutes where nothing is compiled")
@pytest.mark.slow
@pytest.mark.parametrize(("better", "worse"), [("player", "seedling"), ("expert", "player")])
def test_levels_are_in_order(better: str, worse: str) -> None:
    won = {better: 0, worse: 0}
    for number in range(16):
        names = [better, worse] if number % 2 else [worse, better]
        position = deal(game, bytes([number // 2]))
        bot_game(game, position, [bots.make(game, name, "24") for name in names], Rng(number))
        if position.winner >= 0:
            won[names[position.winner]] += 1
    assert won[better] > won[worse]


def test_a_new_colour_raises_the_potential_of_every_seat() -> None:
    support = game.bot_support()
    position = deal(game, b"3")
    while position.phase != ACT:
        seat = position.to_act()[0]
        position.play(seat, position.legal(seat)[0])
    colours, shown = position.deal.colours, position.up
    seen = {colours[tile] for tile in range(len(colours)) if shown >> tile & 1}
    hidden = [move for move in position.legal(0) if move < len(colours)]
    new = [tile for tile in hidden if colours[tile] not in seen]
    assert new, "a missing colour lies at the edge"
    for tile in new:
        after = position.copy()
        after.play(0, tile)
        for seat in (0, 1):
            assert -1 < support.potential(position, seat) < support.potential(after, seat) < 0
