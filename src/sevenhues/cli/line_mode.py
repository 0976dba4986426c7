"""A small game line by line, for pipes, scripts and terminals that can do no more: one person and bots."""

import time

import click

from sevenhues.bots import hints, make
from sevenhues.cli.params import colour_wanted
from sevenhues.cli.records import told_result
from sevenhues.core import record
from sevenhues.core.errors import BadNotation, BadOption, IllegalMove, listed
from sevenhues.core.play import PACE, Played, bot_move
from sevenhues.core.rng import Rng
from sevenhues.render import ansi
from sevenhues.terminal.bot_worker import THINK
from sevenhues.terminal.local import BOT
from sevenhues.terminal.move_picker import spelled

BOT_PAUSE = 0.8  # seconds, so that a person can take in what happened
HELP = "Type a move, ? for what you may play, hint for what a strong bot would, rules for the rules, q to stop."


class Table:
    """One person and bots, line by line."""

    def __init__(self, found: record.Record, rng: Rng) -> None:
        self.game = found.game
        *_, self.position = record.replay(found)
        self.record = found
        people = [seat for seat, name in enumerate(found.seats) if not name.startswith(BOT)]
        if len(people) != 1:
            raise BadOption("line by line one person plays, against bots: more need the whole screen of a terminal")
        self.seat = people[0]
        self.rng = rng
        self.bots = {
            seat: make(found.game, name.removeprefix(BOT), THINK)
            for seat, name in enumerate(found.seats)
            if seat != self.seat
        }
        self.colour = colour_wanted()
        self.pause = BOT_PAUSE if self.colour else 0.0

    def run(self) -> None:
        """Play until the game is over or the person stops."""
        self._say(ansi.strong(self.game.title, self.colour) + f". You are seat {self.seat}. {HELP}")
        while turn := self.position.to_act():
            if self.seat in turn and not self._ask():
                self._say("You stopped the game.")
                return
            for other in [other for other in self.position.to_act() if other != self.seat]:
                if other in self.position.to_act():
                    self._move(other, bot_move(self.game, self.position, other, self.bots[other], self.rng))
                    self._say(self.game.tell(self.game.view(self.position, self.seat)))
                    time.sleep(self.pause)
        self.record.result = record.result_of(self.position)
        self._draw()
        self._say(told_result(self.record.result or {}, self.record.seats))

    def _ask(self) -> bool:
        """Ask the person for a move and make it; False if they would rather stop."""
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
                click.echo_via_pager(self.game.rules())
            elif typed == "?":
                self._say("You may play: " + listed(self.game.legal_texts(self.position, self.seat)))
            elif typed.lower() == "hint":
                self._hint()
            elif self._try(typed):
                return True

    def _hint(self) -> None:
        told = hints(self.game, self.position, self.seat, self.rng, THINK)
        listed = [one.text if one.chance is None else f"{one.text} ({100 * one.chance:.0f} %)" for one in told]
        self._say("A strong bot, with what you have seen, would play " + ", or ".join(listed))

    def _try(self, typed: str) -> bool:
        """Make a typed move, in capitals or not, or say why not."""
        try:
            move = self.game.parse(self.position, self.seat, spelled(self.game, typed))
        except BadNotation as error:
            self._say(f"{error}. {HELP}")
        except IllegalMove as error:
            self._say(f"{error} You may play: {listed(error.legal)}")
        else:
            self._move(self.seat, move)
            self._say(self.game.tell(self.game.view(self.position, self.seat)))
            return True
        return False

    def _move(self, seat: int, move: int) -> None:
        moves = self.record.moves
        at = (moves[-1].at or 0 if moves else 0) + PACE if self.game.simultaneous else None
        self.record.moves.append(Played(seat, self.game.text(self.position, seat, move), at))
        self.position.play(seat, move)
        for bot in self.bots.values():
            bot.hear(seat, move)

    def _draw(self) -> None:
        self._say("\n" + self.game.draw(self.game.view(self.position, self.seat), self.colour) + "\n")

    def _say(self, text: str) -> None:
        click.echo(text, color=self.colour)
