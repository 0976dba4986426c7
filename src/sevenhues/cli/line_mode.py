"""Line mode of `play`: one player against bots, in pipes, scripts and simple terminals."""

import time

import click

from sevenhues.bots import hints, make
from sevenhues.cli.params import use_colour
from sevenhues.cli.records import seat_labels
from sevenhues.core import record
from sevenhues.core.errors import BadNotation, BadOption, IllegalMove, list_moves
from sevenhues.core.moves import legal_texts, parse
from sevenhues.core.play import RANDOM_INTERVAL_MS, TimedMove, bot_move
from sevenhues.core.resources import rules_text
from sevenhues.core.rng import Rng
from sevenhues.render import ansi
from sevenhues.terminal.bot_worker import MOVE_BUDGET
from sevenhues.terminal.local import BOT_PREFIX
from sevenhues.terminal.move_picker import correct_case
from sevenhues.terminal.session import describe_result, format_hints

BOT_DELAY_SECONDS = 0.8  # after a bot's move in a terminal, so that the player can follow
HELP = "Type a move, ? for the legal moves, hint for a hint, rules for the rules, or q to quit."


class LineModeGame:
    """A game of one player against bots, line by line."""

    def __init__(self, game_record: record.Record, rng: Rng) -> None:
        self.game = game_record.game
        *_, self.position = record.replay(game_record)
        self.record = game_record
        players = [seat for seat, name in enumerate(game_record.seats) if not name.startswith(BOT_PREFIX)]
        if len(players) != 1:
            raise BadOption(f"line mode is for one player against bots, not for {len(players)}; use a terminal")
        self.seat = players[0]
        self.rng = rng
        self.bots = {
            seat: make(self.game, name.removeprefix(BOT_PREFIX), MOVE_BUDGET)
            for seat, name in enumerate(game_record.seats)
            if seat != self.seat
        }
        self.colour = use_colour()
        self.bot_delay_seconds = BOT_DELAY_SECONDS if self.colour else 0.0

    def run(self) -> None:
        """Play until the game is over or the player quits."""
        self._print(ansi.bold(self.game.title, self.colour) + f". You are seat {self.seat}. {HELP}")
        while to_act := self.position.to_act():
            if self.seat in to_act and not self._ask_for_move():
                self._print("You left the game.")
                return
            for seat in [seat for seat in self.position.to_act() if seat != self.seat]:
                if seat in self.position.to_act():
                    self._play(seat, bot_move(self.game, self.position, seat, self.bots[seat], self.rng))
                    time.sleep(self.bot_delay_seconds)
        self.record.result = record.result_of(self.position)
        self._draw()
        self._print(describe_result(self.record.result or {}, seat_labels(self.record.seats)))

    def _ask_for_move(self) -> bool:
        """Ask the player for a move and make it; return False if the player quits."""
        self._draw()
        while True:
            try:
                typed = click.prompt("Your move", prompt_suffix="> ").strip()
            except click.Abort:
                click.echo()
                return False
            if typed.lower() in ("q", "quit", "exit"):
                return False
            if typed.lower() == "rules":
                click.echo_via_pager(rules_text(self.game))
            elif typed == "?":
                self._print("You can play: " + list_moves(legal_texts(self.game, self.position, self.seat)))
            elif typed.lower() == "hint":
                self._print_hint()
            elif self._try_move(typed):
                return True

    def _print_hint(self) -> None:
        best = hints(self.game, self.position, self.seat, self.rng, MOVE_BUDGET)
        self._print(f"From what you've seen, a strong bot would play {format_hints(best)}.")

    def _try_move(self, typed: str) -> bool:
        """Make a typed move in upper or lower case, or print why it is refused."""
        try:
            move = parse(self.game, self.position, self.seat, correct_case(self.game, typed))
        except BadNotation as error:
            self._print(f"{error}. {HELP}")
        except IllegalMove as error:
            self._print(f"{error} You can play: {list_moves(error.legal)}")
        else:
            self._play(self.seat, move)
            return True
        return False

    def _play(self, seat: int, move: int) -> None:
        """Make and record a move, and describe it to the player."""
        moves, at_ms = self.record.moves, None
        if self.game.simultaneous:
            at_ms = (moves[-1].at_ms or 0 if moves else 0) + RANDOM_INTERVAL_MS
        moves.append(TimedMove(seat, self.game.text(self.position, seat, move), at_ms))
        self.position.play(seat, move)
        for bot in self.bots.values():
            bot.observe_move(seat, move)
        self._print(self.game.renderer().describe_last_move(self.game.view(self.position, self.seat)))

    def _draw(self) -> None:
        self._print("\n" + self.game.renderer().draw(self.game.view(self.position, self.seat), self.colour) + "\n")

    def _print(self, text: str) -> None:
        click.echo(text, color=self.colour)
