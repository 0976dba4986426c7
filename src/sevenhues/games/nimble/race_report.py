"""The story of a game of Nimble: how fast everybody was, who won races for a stack, and which chances went by."""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.report_types import Fact, Moment, RaceReport
from sevenhues.games.nimble.pieces import FLIP, PLACE, SET, STACKS, TAKE_BACK, card_text, field, mark_before
from sevenhues.games.nimble.rules import NimblePosition

IDLE: Final = 3000  # milliseconds between two moves from which a pause counts as idle
LONG: Final = 6000  # and from which it is worth a word
SLOW: Final = 4000  # a card that fitted so long before it was placed
MOST_MOMENTS: Final = 14
NEVER: Final = -1

ABOUT: Final = {
    "pace": "moves a minute",
    "placed": "cards placed",
    "reaction": "from fitting to placed, on average",
    "idle": "idle, in pauses of three seconds or more",
    "pause": "longest pause",
    "races_won": "races won",
    "races_lost": "races lost",
    "passed": "fitting cards passed over",
    "under": "fitting cards left under the top of the pile",
}
SAYS: Final = {
    "race-lost": "{card} fitted stack {stack}, and seat {winner} was there first.",
    "passed": "{card} fitted stack {stack} and was passed over.",
    "under": "{card} lay under the top of the pile and fitted stack {stack}: one card taken back would have bared it.",
    "slow": "{card} had fitted for {seconds} s when it was placed.",
    "pause": "Nothing for {seconds} s.",
    "lead": "Took the lead, with {left} cards left.",
}


class Teller:
    """Goes through a game and takes notes."""

    def __init__(self, position: NimblePosition) -> None:
        seats = position.seats
        self.position = position
        self.moves = [0] * seats
        self.placed = [0] * seats
        self.waits: list[list[int]] = [[] for _ in range(seats)]  # from fitting to placed
        self.idle = [0] * seats
        self.pause = [0] * seats
        self.won = [0] * seats
        self.lost = [0] * seats
        self.passed = [0] * seats
        self.under = [0] * seats
        self.ready = [NEVER] * seats  # since when the top of the pile has fitted
        self.last = [0] * seats  # when each moved
        self.leader = NEVER
        self.moments: list[tuple[float, Moment]] = []  # by weight
        self._look(0)

    def move(self, ply: int, seat: int, move: int, at: int) -> None:
        """Take note of a move, and make it."""
        position = self.position
        self._rest(ply, seat, at)
        self.moves[seat] += 1
        if PLACE <= move < TAKE_BACK:
            self._place(ply, seat, move - PLACE, at)
        else:
            self._leave(ply, seat, move, at)
        position.play(seat, move)
        self._lead(ply, at)
        self._look(at)

    def _rest(self, ply: int, seat: int, at: int) -> None:
        gap = at - self.last[seat]
        self.last[seat] = at
        self.pause[seat] = max(self.pause[seat], gap)
        if gap >= IDLE:
            self.idle[seat] += gap
        if gap >= LONG:
            self._note(float(gap) / 4000.0, ply, at, seat, "pause", {"seconds": gap // 1000})

    def _place(self, ply: int, seat: int, stack: int, at: int) -> None:
        position = self.position
        self.placed[seat] += 1
        card = top(position, seat)
        if self.ready[seat] != NEVER and (position.fitting(position.sets[card]) >> stack) & 1:
            wait = at - self.ready[seat]
            self.waits[seat].append(wait)
            if wait >= SLOW:
                says: dict[str, str | int] = {"card": self._text(card), "seconds": wait // 1000}
                self._note(float(wait) / 3000.0, ply, at, seat, "slow", says)
        # NB-11 Everybody else whose card fitted this stack has lost a race for it.
        raced = False
        for other in range(position.seats):
            held = top(position, other)
            if other == seat or held == NEVER or not (position.fitting(position.sets[held]) >> stack) & 1:
                continue
            raced = True
            self.lost[other] += 1
            says = {"card": self._text(held), "stack": stack + 1, "winner": seat}
            self._note(1.0 + float(at - self.ready[other]) / 1000.0, ply, at, other, "race-lost", says)
        if raced:
            self.won[seat] += 1

    def _leave(self, ply: int, seat: int, move: int, at: int) -> None:
        """See what a seat passes over that does not place."""
        position = self.position
        card = top(position, seat)
        if card == NEVER:
            return
        stacks = position.fitting(position.sets[card])
        if stacks:
            self.passed[seat] += 1
            says: dict[str, str | int] = {"card": self._text(card), "stack": first(stacks)}
            self._note(2.0, ply, at, seat, "passed", says)
        elif move != TAKE_BACK:
            # NB-8 Taking the top card back would have bared the one below.
            below = under(position, seat)
            stacks = 0 if below == NEVER else position.fitting(position.sets[below])
            if stacks:
                self.under[seat] += 1
                says = {"card": self._text(below), "stack": first(stacks)}
                self._note(1.0 if move == FLIP else 1.5, ply, at, seat, "under", says)

    def _lead(self, ply: int, at: int) -> None:
        left = self.position.scores()
        fewest = min(left)
        if left.count(fewest) == 1 and left.index(fewest) != self.leader:
            if self.leader != NEVER:
                self._note(2.5, ply, at, left.index(fewest), "lead", {"left": fewest})
            self.leader = left.index(fewest)

    def _look(self, at: int) -> None:
        """Note whose top card fits from now on."""
        position = self.position
        for seat in range(position.seats):
            card = top(position, seat)
            if card == NEVER or not position.fitting(position.sets[card]):
                self.ready[seat] = NEVER
            elif self.ready[seat] == NEVER or (position.last_seat == seat and self.last[seat] == at):
                self.ready[seat] = at

    def _text(self, card: int) -> str:
        return card_text(self.position.sets[card])

    def _note(self, weight: float, ply: int, at: int, seat: int, key: str, parameters: dict[str, str | int]) -> None:
        text = SAYS[key]
        for name, value in parameters.items():
            text = text.replace("{" + name + "}", str(value))
        self.moments.append((weight, Moment(ply, at, seat, key, parameters, text)))

    def told(self, end: int) -> RaceReport:
        """Sum up a game that ended at a time."""
        seats = self.position.seats
        for seat in range(seats):
            gap = end - self.last[seat]
            self.pause[seat] = max(self.pause[seat], gap)
            self.idle[seat] += gap if gap >= IDLE else 0
        minutes = max(end, 1) / 60000
        means = [sum(waits) / len(waits) / 1000 if waits else -1.0 for waits in self.waits]
        facts = [
            Fact("pace", "", [round(moves / minutes, 1) for moves in self.moves], ABOUT["pace"]),
            self._count("placed", self.placed),
            Fact("reaction", "s", [round(mean, 2) for mean in means], ABOUT["reaction"]),
            Fact("idle", "s", [round(idle / 1000, 1) for idle in self.idle], ABOUT["idle"]),
            Fact("pause", "s", [round(pause / 1000, 1) for pause in self.pause], ABOUT["pause"]),
            self._count("races_won", self.won),
            self._count("races_lost", self.lost),
            self._count("passed", self.passed),
            self._count("under", self.under),
        ]
        order = sorted(range(len(self.moments)), key=lambda i: (-self.moments[i][0], i))
        kept = sorted(order[:MOST_MOMENTS])
        return RaceReport(facts, [self.moments[i][1] for i in kept])

    def _count(self, key: str, counts: list[int]) -> Fact:
        return Fact(key, "", [float(count) for count in counts], ABOUT[key])


def top(position: NimblePosition, seat: i64) -> i64:
    """Return the number of the top card of a seat's pile, or NEVER."""
    mark = field(position.marks, seat)
    return SET * seat + mark - 1 if mark else NEVER


def under(position: NimblePosition, seat: i64) -> i64:
    """Return the number of the card below that, or NEVER."""
    mark = field(position.marks, seat)
    before = mark_before(position.held(seat), mark - 1) if mark else 0
    return SET * seat + before - 1 if before else NEVER


def first(stacks: i64) -> int:
    """Return the first of several stacks, from 1."""
    for stack in range(STACKS):
        if (stacks >> stack) & 1:
            return stack + 1
    return 0


def race_report(position: NimblePosition, moves: list[tuple[int, int, int]]) -> RaceReport:
    """Tell the story of a game from its start, each move with its seat and time."""
    teller = Teller(position)
    for ply, (seat, move, at) in enumerate(moves):
        teller.move(ply, seat, move, at)
    return teller.told(moves[-1][2] if moves else 0)
