"""Builds what a viewer may see of a position: the open table, and of hands and pranks only the viewer's own."""

from typing import Final

from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.core.encoder import Feature
from sevenhues.core.position import WATCHER
from sevenhues.games.rainbow_road.board import FOLLOWING, NO_MOVE, OVER, RAIN, SUNNY
from sevenhues.games.rainbow_road.pieces import (
    CARD_BITS,
    COPIES,
    EXCHANGING,
    HALF,
    HAND,
    HOP,
    JUMP_HOP,
    MOST_GAIN,
    MOVES,
    NO_CARD,
    NO_SPOT,
    NUMBERS,
    PRANKS,
    PRANKS_EACH,
    RECYCLING,
    RING,
    ROUNDS,
    SPOTS,
    STOP,
    TELEPORTING,
    TRASHING,
    card_on,
    count_of,
    gain_in,
    listed,
    next_spot,
    number_at,
    pair_high,
    pair_number,
    seen_from,
    size,
)
from sevenhues.games.rainbow_road.rules import RoadPosition
from sevenhues.games.rainbow_road.view_types import (
    Card,
    Choice,
    Fairy,
    Hand,
    Last,
    Movers,
    Phase,
    Prank,
    PrankHop,
    Pranks,
    RoadView,
    RoundEnd,
    Spot,
    Step,
    Walk,
    Way,
)

PHASES: Final[tuple[Phase, ...]] = ("play", "play", "sunny", "rain", "over")
FAIRIES: Final[tuple[Fairy, Fairy]] = ("sunny", "rain")
WAY_TEXTS: Final[tuple[Way, Way]] = ("+", "-")

MOST_POINTS: Final = 80  # ten in each of eight rounds
SPOT_CODES: Final = "a spot, 0-9 from the viewer's own first one in the order of +, or 10 for none"
LAYOUT: Final = (
    Feature("my_turn", 1, 1, "1 if the viewer is to act (for a watcher, here and below: seat 0)"),
    Feature("phase", 1, OVER, "0 a card is led, 1 the other is played, 2 Sunny moves, 3 Rain moves, 4 over"),
    Feature("round", 1, ROUNDS, "rounds that are over; the weather is sunny if even"),
    Feature("road", RING, NUMBERS, "the number on each spot, the viewer's half first; 0 for none"),
    Feature("sunny_fairy", 1, RING, SPOT_CODES),
    Feature("rain_fairy", 1, RING, SPOT_CODES),
    Feature("my_marker", 1, RING, SPOT_CODES),
    Feature("other_marker", 1, RING, SPOT_CODES),
    Feature("owed", 1, RING, f"what a trashed card left: {SPOT_CODES}"),
    Feature("origin", 1, RING, f"where the fairy's move began: {SPOT_CODES}"),
    Feature("ways", 1, 3, "the ways it may take: 1 for +, plus 2 for -"),
    Feature("hopped", 1, 1, "1 if it has made its first hop"),
    Feature("pranked", 1, 1, "1 if a prank was used this round"),
    Feature("my_hand", NUMBERS, COPIES, "how many of each number the viewer holds (a watcher sees none)"),
    Feature("hand_sizes", 2, HAND, "cards in hand: the viewer, the opponent"),
    Feature("my_pranks", len(PRANKS), 1, f"1 for each prank the viewer holds: {', '.join(PRANKS)}"),
    Feature("used_pranks", len(PRANKS), 2, "1 if the viewer has used it, 2 if the opponent has"),
    Feature("prank_counts", 2, PRANKS_EACH, "pranks held: the viewer, the opponent"),
    Feature("discards", NUMBERS, COPIES, "how many of each number lie in the discard pile"),
    Feature("scores", 2, MOST_POINTS, "points: the viewer, the opponent"),
    Feature("gains", 2, MOST_GAIN, "points of this round, or the last when the game is over: the viewer, the opponent"),
    Feature("clockwise", 1, 1, "1 with the option direction=clockwise"),
    Feature("free_leap", 1, 1, "1 with the option leap=free"),
)

RECALL_LAYOUT: Final = (
    Feature("my_first", 1, 1, "1 if the viewer (for a watcher: seat 0) began the game"),
    Feature("dealt", NUMBERS, COPIES, "cards of each number that were dealt to the viewer (for a watcher: 0)"),
    Feature("given", len(PRANKS), 1, "pranks that were dealt to the viewer: " + ", ".join(PRANKS)),
    Feature("opened", RING, NUMBERS, "the numbers that lay on the ring at first, from the viewer's first spot; 0 none"),
)


def view(position: RoadPosition, viewer: int) -> RoadView:
    """Build the view of a seat or WATCHER."""
    turn = position.turn
    playing = position.phase < SUNNY
    places = position.places(turn) << (HALF * turn) if playing else 0
    rainy = min(position.round, ROUNDS - 1) & 1 == 1  # after the last round its weather stays
    return RoadView(
        viewer=viewer,
        round=min(position.round + 1, ROUNDS),
        weather="rainy" if rainy else "sunny",
        climbs="rain" if rainy else "sunny",
        phase=PHASES[position.phase],
        turn=None if position.phase == OVER else turn,
        movers=_movers(position),
        ring=[_spot(position, spot) for spot in range(RING)],
        places=[SPOTS[spot] for spot in bits.members(places)],
        owed=None if position.owed == NO_SPOT else SPOTS[position.owed],
        choices=_choices(position) if playing and viewer == turn else [],
        walk=_walk(position, viewer),
        hands=[_hand(position, seat, viewer) for seat in range(2)],
        pranks=[_pranks(position, seat, viewer) for seat in range(2)],
        discards=_discards(position),
        scores=position.scores(),
        gains=[_gains(position, round_) for round_ in range(min(position.round + 1, ROUNDS))],
        last=_last(position),
    )


def full_view(position: RoadPosition) -> RoadView:
    """Build the view of somebody who may see both hands and all pranks."""
    whole = view(position, WATCHER)
    whole["hands"] = [_hand(position, seat, seat) for seat in range(2)]
    whole["pranks"] = [_pranks(position, seat, seat) for seat in range(2)]
    return whole


def _movers(position: RoadPosition) -> Movers | None:
    if position.phase == SUNNY:
        return Movers(sunny=position.turn, rain=1 - position.turn)
    if position.phase == RAIN:
        return Movers(sunny=1 - position.turn, rain=position.turn)
    return None


def _spot(position: RoadPosition, spot: i64) -> Spot:
    fairy: Fairy | None = None
    if spot == position.sunny:
        fairy = "sunny"
    elif spot == position.rain:
        fairy = "rain"
    marker: int | None = None
    if spot == position.mark_0:
        marker = 0
    elif spot == position.mark_1:
        marker = 1
    card = card_on(position.cards, spot)
    return Spot(spot=SPOTS[spot], card=_card(position, card), fairy=fairy, marker=marker)


def _card(position: RoadPosition, card: i64) -> Card | None:
    return None if card == NO_CARD else Card(card=card, number=position.number_of(card))


def _choices(position: RoadPosition) -> list[Choice]:
    """RR-9 Say which fairy each number in the hand of the seat to act would move, if it follows."""
    choices: list[Choice] = []
    for number in range(1, NUMBERS + 1):
        if count_of(position.hand(position.turn), number):
            moves: Fairy | None = None
            if position.phase == FOLLOWING:
                moves = "sunny" if position.sunny_mover(number) == position.turn else "rain"
            choices.append(Choice(number=number, moves=moves))
    return choices


def _walk(position: RoadPosition, viewer: i64) -> Walk | None:
    if not SUNNY <= position.phase <= RAIN:
        return None
    seat = position.turn
    reach = _reach(position)
    # RR-28 What everybody can see: how many pranks there are to use, never which.
    may_prank = position.phase == RAIN and not position.pranked and position.held(seat) != 0
    way: Way | None = None
    if position.ways & (position.ways - 1) == 0:
        way = WAY_TEXTS[position.ways - 1]
    return Walk(
        fairy=FAIRIES[position.phase - SUNNY],
        seat=seat,
        origin=SPOTS[position.origin],
        way=way,
        points=gain_in(position.gains_1 if seat else position.gains_0, position.round),
        reach=reach,
        prank_hops=_prank_hops(position) if viewer == seat else [],
        pranked=position.pranked,
        forced=not reach and not may_prank,
    )


def _reach(position: RoadPosition) -> list[Step]:
    """Walk on a copy, each way as far as plain hops go."""
    steps: list[Step] = []
    for way in range(2):
        if not (position.ways >> way) & 1:
            continue
        ahead = position.copy()
        hops: list[Way] = []
        points: i64 = 0
        while ahead.phase == position.phase and ahead.may_hop(way):
            ahead.play(position.turn, HOP + way)
            hops.append(WAY_TEXTS[way])
            points += ahead.last_points
            spot = ahead.sunny if position.phase == SUNNY else ahead.rain
            steps.append(Step(spot=SPOTS[spot], hops=hops.copy(), points=points))
    return steps


def _prank_hops(position: RoadPosition) -> list[PrankHop]:
    hops: list[PrankHop] = []
    for move in position.legal(position.turn):
        if JUMP_HOP <= move < TRASHING:
            ahead = position.copy()
            ahead.play(position.turn, move)
            text = MOVES[position.turn][move]
            hops.append(PrankHop(move=text, spot=SPOTS[ahead.rain], points=ahead.last_points))
    return hops


def _hand(position: RoadPosition, seat: i64, viewer: i64) -> Hand:
    # RR-1 Hands are secret; how many cards one holds is not.
    hand = position.hand(seat)
    return Hand(count=size(hand), numbers=listed(hand) if seat == viewer else None)


def _pranks(position: RoadPosition, seat: i64, viewer: i64) -> Pranks:
    # RR-5 Pranks are secret until they are used.
    held = position.held(seat)
    given = position.given_1 if seat else position.given_0
    return Pranks(
        count=bits.count(held),
        held=_named(held) if seat == viewer else None,
        used=_named(given & ~held),
    )


def _named(pranks: i64) -> list[Prank]:
    return [PRANKS[prank] for prank in bits.members(pranks)]


def _discards(position: RoadPosition) -> list[Card]:
    cards: list[Card] = []
    pile = position.pile
    while pile:
        card = pile & 31
        cards.append(Card(card=card, number=position.number_of(card)))
        pile >>= CARD_BITS
    return cards


def _gains(position: RoadPosition, round_: i64) -> list[int]:
    return [gain_in(position.gains_0, round_), gain_in(position.gains_1, round_)]


def _last(position: RoadPosition) -> Last | None:
    move, phase = position.last_move, position.last_phase
    if move == NO_MOVE:
        return None
    spots = _spots_of_last(position)
    laid: Card | None = None
    if move < STOP or move >= RECYCLING:
        laid = _card(position, card_on(position.cards, spots[0]))
    ended = phase >= SUNNY and position.phase != phase
    round_end: RoundEnd | None = None
    if ended and phase == RAIN:
        over = position.round - 1
        round_end = RoundEnd(round=position.round, gains=_gains(position, over), starter=position.turn)
    return Last(
        seat=position.last_seat,
        move=MOVES[position.last_seat][move],
        fairy=FAIRIES[phase - SUNNY] if phase >= SUNNY else None,
        spots=[SPOTS[spot] for spot in spots],
        points=position.last_points,
        card=laid,
        out=_card(position, position.last_out),
        movers=_movers(position) if phase == FOLLOWING else None,
        ended=ended,
        round_end=round_end,
    )


def _spots_of_last(position: RoadPosition) -> list[int]:
    """List the spots of the last move: from, over and to; or those it changed."""
    move, seat, start = position.last_move, position.last_seat, position.last_from
    if move < STOP:
        return [move % HALF + HALF * seat]
    if move == STOP:
        return []
    if move < TRASHING:
        end = position.sunny if position.last_phase == SUNNY else position.rain
        between = next_spot(position.numbers, start, (move - HOP) & 1)
        return [start, end] if between == end else [start, between, end]
    if move < TELEPORTING:
        return [seen_from(seat, move - TRASHING)]
    if move < EXCHANGING:
        return [start, position.rain]
    if move < RECYCLING:
        high = pair_high(move - EXCHANGING)
        low = move - EXCHANGING - pair_number(0, high)
        return sorted([seen_from(seat, low), seen_from(seat, high)])
    return [seen_from(seat, (move - RECYCLING) % RING)]


def features(position: RoadPosition, viewer: int) -> list[int]:
    """Number what a seat or WATCHER knows, in the order of LAYOUT."""
    me: i64 = max(viewer, 0)
    other = 1 - me
    hand = 0 if viewer < 0 else position.hand(me)
    held = 0 if viewer < 0 else position.held(me)
    marks = [position.mark_0, position.mark_1]
    used = [position.given_0 & ~position.held_0, position.given_1 & ~position.held_1]
    scores = position.scores()
    gains = _gains(position, min(position.round, ROUNDS - 1))
    return [
        int(position.phase != OVER and position.turn == me),
        position.phase,
        position.round,
        *[number_at(position.numbers, seen_from(me, spot)) for spot in range(RING)],
        *[
            NO_SPOT if spot == NO_SPOT else seen_from(me, spot)
            for spot in [position.sunny, position.rain, marks[me], marks[other], position.owed, position.origin]
        ],
        position.ways,
        int(position.hopped),
        int(position.pranked),
        *[count_of(hand, number) for number in range(1, NUMBERS + 1)],
        size(position.hand(me)),
        size(position.hand(other)),
        *[held >> prank & 1 for prank in range(len(PRANKS))],
        *[(used[me] >> prank & 1) + 2 * (used[other] >> prank & 1) for prank in range(len(PRANKS))],
        bits.count(position.held(me)),
        bits.count(position.held(other)),
        *[count_of(position.discards, number) for number in range(1, NUMBERS + 1)],
        scores[me],
        scores[other],
        gains[me],
        gains[other],
        int(position.clockwise),
        int(position.free_leap),
    ]


def recall(position: RoadPosition, viewer: int) -> list[int]:
    """Number what a seat or WATCHER saw of the deal, in the order of RECALL_LAYOUT; moves have shown the rest."""
    me: i64 = max(viewer, 0)
    dealt: i64 = 0
    given: i64 = 0
    if viewer != WATCHER:
        dealt = position.dealt_1 if me else position.dealt_0
        given = position.given_1 if me else position.given_0
    return [
        int(position.first == me),
        *[count_of(dealt, number) for number in range(1, NUMBERS + 1)],
        *[given >> prank & 1 for prank in range(len(PRANKS))],
        *[number_at(position.opened, seen_from(me, spot)) for spot in range(RING)],
    ]
