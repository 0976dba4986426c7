"""Views of Rainbow Road positions: the ring and the discards, and the viewer's own hand and pranks."""

from typing import Final

from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.core.position import WATCHER
from sevenhues.games.rainbow_road.board import FOLLOWING, NO_MOVE, OVER, RAIN, SUNNY
from sevenhues.games.rainbow_road.pieces import (
    CARD_BITS,
    EXCHANGING,
    HALF,
    HOP,
    JUMP_HOP,
    MOVES,
    NO_CARD,
    NO_SPOT,
    NUMBERS,
    PRANKS,
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
    pair_high,
    pair_number,
    seen_from,
    size,
)
from sevenhues.games.rainbow_road.rules import RoadPosition
from sevenhues.games.rainbow_road.view_types import (
    Card,
    Choice,
    DecidedBy,
    Fairy,
    Hand,
    Last,
    Movers,
    Phase,
    Prank,
    PrankHop,
    Pranks,
    Result,
    RoadView,
    RoundEnd,
    Spot,
    Step,
    Walk,
    Way,
    Weather,
)

PHASES: Final[tuple[Phase, ...]] = ("play", "play", "sunny", "rain", "over")
WEATHERS: Final[tuple[Weather, Weather]] = ("sunny", "rainy")
FAIRIES: Final[tuple[Fairy, Fairy]] = ("sunny", "rain")
DECIDERS: Final[tuple[DecidedBy, ...]] = ("points", "last", "sunny")
WAY_TEXTS: Final[tuple[Way, Way]] = ("+", "-")


def view(position: RoadPosition, viewer: int) -> RoadView:
    """Build the view of a seat or WATCHER."""
    turn = position.turn
    playing = position.phase < SUNNY
    places = position.places(turn) << (HALF * turn) if playing else 0
    weathers = [WEATHERS[round_ & 1] for round_ in range(ROUNDS)]
    weather = weathers[min(position.round, ROUNDS - 1)]  # that of the last round stays when the game is over
    return RoadView(
        viewer=viewer,
        round=min(position.round + 1, ROUNDS),
        weather=weather,
        weathers=weathers,
        climbs="rain" if weather == "rainy" else "sunny",
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
        result=_result(position),
    )


def full_view(position: RoadPosition) -> RoadView:
    """Build a watcher's view with both hands and all pranks."""
    watched = view(position, WATCHER)
    watched["hands"] = [_hand(position, seat, seat) for seat in range(2)]
    watched["pranks"] = [_pranks(position, seat, seat) for seat in range(2)]
    return watched


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
    """RR-9 Build the numbers in the hand of the seat to act, with the fairy that it would move if it follows."""
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
    # RR-28 This depends only on public information: the number of pranks, not which they are.
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
    """Build the cards in reach by plain hops, each way."""
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
    # RR-1 Hands are hidden; their sizes are public.
    hand = position.hand(seat)
    return Hand(count=size(hand), numbers=listed(hand) if seat == viewer else None)


def _pranks(position: RoadPosition, seat: i64, viewer: i64) -> Pranks:
    # RR-5 Pranks are hidden until they are used.
    held = position.held(seat)
    dealt = position.dealt_pranks_1 if seat else position.dealt_pranks_0
    return Pranks(
        count=bits.count(held),
        held=_named(held) if seat == viewer else None,
        used=_named(dealt & ~held),
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
    put: Card | None = None
    if move < STOP or move >= RECYCLING:
        put = _card(position, card_on(position.cards, spots[0]))
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
        card=put,
        out=_card(position, position.last_out),
        movers=_movers(position) if phase == FOLLOWING else None,
        ended=ended,
        round_end=round_end,
    )


def _result(position: RoadPosition) -> Result | None:
    outcome = position.outcome()
    if outcome is None:
        return None
    return Result(winner=outcome.winners[0], decided_by=DECIDERS[position.decider()])


def _spots_of_last(position: RoadPosition) -> list[int]:
    """Return the spots of the last move: from, over and to of a hop, or the spots that changed."""
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
