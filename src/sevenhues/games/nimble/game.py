"""The game of Nimble: its options, deals, notation, views and encoders."""

from typing import Final

from sevenhues.core.bot_support import BotSupport
from sevenhues.core.encoder import Encoder
from sevenhues.core.game import Game, Setup
from sevenhues.core.moves import refuse
from sevenhues.core.options import Option, Options
from sevenhues.core.position import Outcome, score_payoffs
from sevenhues.core.renderer import Renderer
from sevenhues.core.rng import Dealer, Rng, unshuffle
from sevenhues.games.nimble import encoders, notation, view
from sevenhues.games.nimble.bots.support import NimbleBotSupport
from sevenhues.games.nimble.pieces import MOVE_COUNT, MOVES, PACK, PLACE, SET, STACKS, TAKE_BACK
from sevenhues.games.nimble.renderer import NimbleRenderer
from sevenhues.games.nimble.rules import NimblePosition
from sevenhues.games.nimble.view_types import Mistake, NimbleView


class Nimble(Game[NimblePosition]):
    """Nimble, for two to four players, all acting at once."""

    id = "nimble"
    title = "Nimble"
    min_seats = 2
    max_seats = 4
    rules_version = 1
    options = (
        Option(
            "checking",
            ("referee", "audit"),
            "a card that does not fit is refused, or counts after the race",
        ),
    )
    simultaneous = True
    hidden_information = False
    view_type = NimbleView
    move_pattern = notation.MOVE_PATTERN
    move_examples = notation.MOVE_EXAMPLES
    refusals = notation.REFUSALS

    def deal(self, seats: int, options: Options, dealer: Dealer, previous: list[int] | None) -> Setup:
        # NB-3 Each set is shuffled separately.
        sets: list[int] = []
        for _ in range(seats):
            cards = list(PACK)
            dealer.shuffle(cards)
            sets += cards
        # NB-4 A single winner of the last game gives fewer cards than the others; otherwise a random seat does.
        winners = previous or []
        fewer = winners[0] if len(winners) == 1 and winners[0] < seats else dealer.below(seats)
        return {"sets": notation.set_texts(bytes(sets)), "targets": targets(seats, fewer)}

    def dealer_choices(self, setup: Setup, seats: int, options: Options) -> list[int]:
        sets, givers = notation.read_setup(setup, seats)
        choices: list[int] = []
        for first in range(0, len(sets), SET):
            choices += unshuffle(list(PACK), list(sets[first : first + SET]))
        for fewer in range(seats):
            if targets(seats, fewer) == list(givers):
                return [*choices, fewer]
        raise ValueError(f"no deal starts the stacks with cards of seats {givers} in this order")

    def start(self, setup: Setup, seats: int, options: Options) -> NimblePosition:
        sets, givers = notation.read_setup(setup, seats)
        position = NimblePosition(seats, sets, givers, options["checking"] == "audit")
        position.start_stacks()
        return position

    def quick_start(self, seats: int, options: Options, rng: Rng) -> NimblePosition:
        sets = b"".join([rng.shuffled(PACK) for _ in range(seats)])
        position = NimblePosition(seats, sets, TARGETS[seats][rng.below(seats)], options["checking"] == "audit")
        position.start_stacks()
        return position

    def setup(self, position: NimblePosition) -> Setup:
        return {"sets": notation.set_texts(position.sets), "targets": list(position.targets)}

    def text(self, position: NimblePosition, seat: int, move: int) -> str:
        return MOVES[move]

    def conditional_text(self, position: NimblePosition, seat: int, move: int) -> str:
        # NB-11 The condition of a placement is the height of the stack.
        if PLACE <= move < TAKE_BACK:
            return f"{MOVES[move]}/{position.height(move - PLACE)}"
        return MOVES[move]

    def check_condition(self, position: NimblePosition, seat: int, text: str) -> str:
        """Check the height in the condition of a placement, as in `p1/7` (NB-11); return the placement without it.

        A placement is refused if another card was placed on the stack in the meantime, without penalty also in an
        audited game. Records contain accepted moves only, without conditions, as `text` writes them.
        """
        move, seen = notation.split_condition(text)
        if seen and seat in position.to_act() and position.pile(seat):
            stack = notation.MOVE_NUMBERS[move] - PLACE
            height = position.height(stack)
            if height != seen:
                key = "too-late" if height > seen else "never-so-high"
                raise refuse(self, position, seat, text, key, {"stack": stack + 1, "seen": seen, "height": height})
        return move

    def read(self, position: NimblePosition, seat: int, text: str) -> int:
        move = notation.MOVE_NUMBERS[text]
        if move not in position.legal(seat):
            key, parameters = notation.refusal_reason(position, seat, move)
            raise refuse(self, position, seat, text, key, parameters)
        return move

    def view(self, position: NimblePosition, seat: int) -> NimbleView:
        return view.view(position, seat)

    def full_view(self, position: NimblePosition) -> NimbleView:
        return view.full_view(position)

    def mistakes(self, position: NimblePosition) -> list[Mistake]:
        """Return each mistake of a finished audited game: stack, height, card and owner (NB-16)."""
        return view.mistakes(position)

    def move_count(self, seats: int, options: Options) -> int:
        return MOVE_COUNT

    def observation_encoder(self) -> Encoder[NimblePosition]:
        return encoders.NimbleObservation()

    def payoffs(self, position: NimblePosition, outcome: Outcome) -> list[float]:
        """Return how many cards fewer each seat holds than the others on average.

        NB-16 A seat with a mistake counts as if it had placed none.
        """
        cards = position.scores()
        return score_payoffs([-SET if (position.mistaken >> seat) & 1 else -cards[seat] for seat in range(len(cards))])

    def max_payoff(self, seats: int, options: Options) -> float:
        return float(SET)

    def renderer(self) -> Renderer:
        return NimbleRenderer()

    def bot_support(self) -> BotSupport[NimblePosition]:
        return NimbleBotSupport()


def targets(seats: int, fewer: int) -> list[int]:
    """NB-3 Return the seats that start the stacks, if seat `fewer` gives fewer cards (with three all give one)."""
    if seats == 3:
        return [0, 1, 2]
    each = 2 if seats == 2 else 1
    givers: list[int] = []
    for seat in range(seats):
        givers += [seat] * (each - 1 if seat == fewer else each)
    assert len(givers) == STACKS
    return givers


# By number of seats, and by the seat that gives fewer cards.
TARGETS: Final = [[tuple(targets(seats, fewer)) for fewer in range(seats)] for seats in (0, 0, 2, 3, 4)]
