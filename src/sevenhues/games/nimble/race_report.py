"""The race report of a game of Nimble: the speed of each seat, races for a stack, and missed chances."""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.report_types import RaceFact, RaceMoment, RaceReport
from sevenhues.games.nimble.pieces import FLIP, PLACE, SET, STACKS, TAKE_BACK, card_text, count_at, mark_before
from sevenhues.games.nimble.rules import NO_CARD, NimblePosition

IDLE_MS: Final = 3000  # pauses of this length count as idle
LONG_PAUSE_MS: Final = 6000  # pauses of this length are reported
SLOW_MS: Final = 4000  # placements this long after the card fitted are reported
MAX_MOMENTS: Final = 14
NEVER: Final = -1  # a time that does not exist
NO_SEAT: Final = -1

FACT_TEXTS: Final = {
    "pace": "moves a minute",
    "placed": "cards placed",
    "reaction": "average reaction time",
    "idle": "idle, in pauses of three seconds or more",
    "pause": "longest pause",
    "races_won": "races won",
    "races_lost": "races lost",
    "passed": "fitting cards passed over",
    "under": "fitting cards left under the top of the pile",
}
MOMENT_TEXTS: Final = {
    "race-lost": "{card} fitted stack {stack}, and seat {winner} was there first.",
    "passed": "{card} fitted stack {stack} and was passed over.",
    "under": "{card} fitted stack {stack} under the top of the pile: taking one card back would have uncovered it.",
    "slow": "{card} had fitted for {seconds} s when it was placed.",
    "pause": "Nothing for {seconds} s.",
    "lead": "Took the lead, with {left} cards left.",
}


class RaceReporter:
    """Replays a game and collects statistics and moments. Times are in milliseconds."""

    def __init__(self, position: NimblePosition) -> None:
        seats = position.seats
        self.position = position
        self.moves = [0] * seats
        self.placed = [0] * seats
        self.reactions_ms: list[list[int]] = [[] for _ in range(seats)]  # by seat: from fitting to placement
        self.idle_ms = [0] * seats
        self.longest_pause_ms = [0] * seats
        self.races_won = [0] * seats
        self.races_lost = [0] * seats
        self.passed = [0] * seats
        self.under = [0] * seats
        self.ready_ms = [NEVER] * seats  # by seat: the time since which the top of the pile has fitted
        self.last_move_ms = [0] * seats  # by seat: the time of its last move
        self.leader = NO_SEAT
        self.moments: list[tuple[float, RaceMoment]] = []  # with weights
        self._update_ready(0)

    def move(self, ply: int, seat: int, move: int, at_ms: int) -> None:
        """Record a move and play it."""
        position = self.position
        self._record_pause(ply, seat, at_ms)
        self.moves[seat] += 1
        if PLACE <= move < TAKE_BACK:
            self._record_placement(ply, seat, move - PLACE, at_ms)
        else:
            self._record_missed_chance(ply, seat, move, at_ms)
        position.play(seat, move)
        self._update_leader(ply, at_ms)
        self._update_ready(at_ms)

    def _record_pause(self, ply: int, seat: int, at_ms: int) -> None:
        pause_ms = at_ms - self.last_move_ms[seat]
        self.last_move_ms[seat] = at_ms
        self.longest_pause_ms[seat] = max(self.longest_pause_ms[seat], pause_ms)
        if pause_ms >= IDLE_MS:
            self.idle_ms[seat] += pause_ms
        if pause_ms >= LONG_PAUSE_MS:
            self._add_moment(float(pause_ms) / 4000.0, ply, at_ms, seat, "pause", {"seconds": pause_ms // 1000})

    def _record_placement(self, ply: int, seat: int, stack: int, at_ms: int) -> None:
        position = self.position
        self.placed[seat] += 1
        card = top_card(position, seat)
        if self.ready_ms[seat] != NEVER and (position.fitting(position.sets[card]) >> stack) & 1:
            reaction_ms = at_ms - self.ready_ms[seat]
            self.reactions_ms[seat].append(reaction_ms)
            if reaction_ms >= SLOW_MS:
                parameters: dict[str, str | int] = {"card": self._text(card), "seconds": reaction_ms // 1000}
                self._add_moment(float(reaction_ms) / 3000.0, ply, at_ms, seat, "slow", parameters)
        # NB-11 Other seats whose top card fitted this stack have lost a race for it.
        raced = False
        for other in range(position.seats):
            held = top_card(position, other)
            if other == seat or held == NO_CARD or not (position.fitting(position.sets[held]) >> stack) & 1:
                continue
            raced = True
            self.races_lost[other] += 1
            parameters = {"card": self._text(held), "stack": stack + 1, "winner": seat}
            weight = 1.0 + float(at_ms - self.ready_ms[other]) / 1000.0
            self._add_moment(weight, ply, at_ms, other, "race-lost", parameters)
        if raced:
            self.races_won[seat] += 1

    def _record_missed_chance(self, ply: int, seat: int, move: int, at_ms: int) -> None:
        """Record a fitting card that a move other than a placement passes over."""
        position = self.position
        card = top_card(position, seat)
        if card == NO_CARD:
            return
        stacks = position.fitting(position.sets[card])
        if stacks:
            self.passed[seat] += 1
            parameters: dict[str, str | int] = {"card": self._text(card), "stack": first_stack(stacks)}
            self._add_moment(2.0, ply, at_ms, seat, "passed", parameters)
        elif move != TAKE_BACK:
            # NB-8 Taking the top card back would have uncovered the one below.
            below = card_below_top(position, seat)
            stacks = 0 if below == NO_CARD else position.fitting(position.sets[below])
            if stacks:
                self.under[seat] += 1
                parameters = {"card": self._text(below), "stack": first_stack(stacks)}
                self._add_moment(1.0 if move == FLIP else 1.5, ply, at_ms, seat, "under", parameters)

    def _update_leader(self, ply: int, at_ms: int) -> None:
        left = self.position.scores()
        fewest = min(left)
        if left.count(fewest) == 1 and left.index(fewest) != self.leader:
            if self.leader != NO_SEAT:
                self._add_moment(2.5, ply, at_ms, left.index(fewest), "lead", {"left": fewest})
            self.leader = left.index(fewest)

    def _update_ready(self, at_ms: int) -> None:
        """Update the times since which the top cards have fitted."""
        position = self.position
        for seat in range(position.seats):
            card = top_card(position, seat)
            if card == NO_CARD or not position.fitting(position.sets[card]):
                self.ready_ms[seat] = NEVER
            elif self.ready_ms[seat] == NEVER or (position.last_seat == seat and self.last_move_ms[seat] == at_ms):
                self.ready_ms[seat] = at_ms

    def _text(self, card: int) -> str:
        return card_text(self.position.sets[card])

    def _add_moment(
        self, weight: float, ply: int, at_ms: int, seat: int, key: str, parameters: dict[str, str | int]
    ) -> None:
        text = MOMENT_TEXTS[key]
        for name, value in parameters.items():
            text = text.replace("{" + name + "}", str(value))
        self.moments.append((weight, RaceMoment(ply, at_ms, seat, key, parameters, text)))

    def report(self, end_ms: int) -> RaceReport:
        """Return the report of a game that ended at_ms a time."""
        seats = self.position.seats
        for seat in range(seats):
            pause_ms = end_ms - self.last_move_ms[seat]
            self.longest_pause_ms[seat] = max(self.longest_pause_ms[seat], pause_ms)
            self.idle_ms[seat] += pause_ms if pause_ms >= IDLE_MS else 0
        minutes = max(end_ms, 1) / 60000
        means = [sum(times) / len(times) / 1000 if times else -1.0 for times in self.reactions_ms]
        facts = [
            RaceFact("pace", "", [round(moves / minutes, 1) for moves in self.moves], FACT_TEXTS["pace"]),
            self._count_fact("placed", self.placed),
            RaceFact("reaction", "s", [round(mean, 2) for mean in means], FACT_TEXTS["reaction"]),
            RaceFact("idle", "s", [round(idle / 1000, 1) for idle in self.idle_ms], FACT_TEXTS["idle"]),
            RaceFact("pause", "s", [round(pause / 1000, 1) for pause in self.longest_pause_ms], FACT_TEXTS["pause"]),
            self._count_fact("races_won", self.races_won),
            self._count_fact("races_lost", self.races_lost),
            self._count_fact("passed", self.passed),
            self._count_fact("under", self.under),
        ]
        order = sorted(range(len(self.moments)), key=lambda i: (-self.moments[i][0], i))
        kept = sorted(order[:MAX_MOMENTS])
        return RaceReport(facts, [self.moments[i][1] for i in kept])

    def _count_fact(self, key: str, counts: list[int]) -> RaceFact:
        return RaceFact(key, "", [float(count) for count in counts], FACT_TEXTS[key])


def top_card(position: NimblePosition, seat: i64) -> i64:
    """Return the number of the top card of a seat's pile, or NO_CARD."""
    mark = count_at(position.marks, seat)
    return SET * seat + mark - 1 if mark else NO_CARD


def card_below_top(position: NimblePosition, seat: i64) -> i64:
    """Return the number of the card below the top of a seat's pile, or NO_CARD."""
    mark = count_at(position.marks, seat)
    before = mark_before(position.held(seat), mark - 1) if mark else 0
    return SET * seat + before - 1 if before else NO_CARD


def first_stack(stacks: i64) -> int:
    """Return the first stack of a set, from 1."""
    for stack in range(STACKS):
        if (stacks >> stack) & 1:
            return stack + 1
    return 0


def race_report(position: NimblePosition, moves: list[tuple[int, int, int]]) -> RaceReport:
    """Report on a game from its starting position and its moves, each a seat, a move and a time in ms."""
    reporter = RaceReporter(position)
    for ply, (seat, move, at_ms) in enumerate(moves):
        reporter.move(ply, seat, move, at_ms)
    return reporter.report(moves[-1][2] if moves else 0)
