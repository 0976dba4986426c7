"""A small game in the terminal against bots: `play`."""

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from sevenhues.bots import find, hints, make, usual
from sevenhues.cli.given import GAME, OPTION, SEATS, SEED, BotName, colour_wanted, new_seed, read_options, seed_bytes
from sevenhues.cli.manual import Page
from sevenhues.cli.records import told_result
from sevenhues.core import ink, record
from sevenhues.core.errors import BadNotation, IllegalMove, listed
from sevenhues.core.game import Game, Position
from sevenhues.core.play import PACE, Played, bot_move
from sevenhues.core.play import deal as deal_position
from sevenhues.core.rng import Rng

BOT_PAUSE = 0.8  # seconds, so that a person can take in what happened
THINK = "200ms"
HELP = "Type a move, ? for what you may play, hint for what a strong bot would, rules for the rules, q to stop."


@click.command(
    cls=Page,
    short_help="Play in the terminal against bots.",
    examples=[
        ("sevenhues play rainbow", "Against a fair player."),
        ("sevenhues play flip-and-slide --seats 1", "Alone against the meadow."),
        ("sevenhues play rainbow-road --bot master --save game.json", "Against the strongest, and keep the record."),
    ],
)
@GAME
@SEATS
@OPTION
@SEED
@click.option("--seat", default=0, show_default=True, help="Where you sit.")
@click.option(
    "--bot", "level", type=BotName(), help="Whom you meet: a bot of `sevenhues bots GAME`; by default a fair player."
)
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Write the record here when you stop.")
def play(
    game: Game[Any],
    seats: int | None,
    given: tuple[str, ...],
    seed: str | None,
    seat: int,
    level: str | None,
    save: Path | None,
) -> None:
    """Play GAME in the terminal against bots."""
    level = find(game, level or usual(game)).name
    options, seed = read_options(game, given), new_seed() if seed is None else seed
    position = deal_position(game, seed_bytes(seed), seats, options)
    if not 0 <= seat < position.seats:
        raise click.UsageError(f"there is no seat {seat}: the seats are 0 to {position.seats - 1}")
    names = ["you" if other == seat else f"bot:{level}" for other in range(position.seats)]
    table = Table(game, position, record.begin(game, position, options, names), seat, level, Rng.seeded(seed))
    if save is not None:
        save.write_text(record.write(table.record), encoding="utf-8")  # so that it is known now if it cannot be
    try:
        table.run()
    finally:
        if save is not None:
            save.write_text(record.write(table.record), encoding="utf-8")
            click.echo(f"The record is in {save}.")


class Table:
    """One person and bots at a terminal."""

    def __init__(
        self, game: Game[Any], position: Position, started: record.Record, seat: int, level: str, rng: Rng
    ) -> None:
        self.game = game
        self.position = position
        self.record = started
        self.seat = seat
        self.rng = rng
        self.bots = {other: make(game, level, THINK) for other in range(position.seats) if other != seat}
        self.colour = colour_wanted()
        self.pause = BOT_PAUSE if self.colour else 0.0

    def run(self) -> None:
        """Play until the game is over or the person stops."""
        self._say(ink.strong(self.game.title, self.colour) + f". You are seat {self.seat}. {HELP}")
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
            move = self.game.parse(self.position, self.seat, self._spelled(typed))
        except BadNotation as error:
            self._say(f"{error}. {HELP}")
        except IllegalMove as error:
            self._say(f"{error} You may play: {listed(error.legal)}")
        else:
            self._move(self.seat, move)
            self._say(self.game.tell(self.game.view(self.position, self.seat)))
            return True
        return False

    def _spelled(self, typed: str) -> str:
        for text in (typed, typed.upper(), typed.lower(), typed.capitalize()):
            with suppress(BadNotation):
                self.game.check_notation(text)
                return text
        return typed

    def _move(self, seat: int, move: int) -> None:
        at = PACE * (len(self.record.moves) + 1) if self.game.simultaneous else None
        self.record.moves.append(Played(seat, self.game.text(self.position, seat, move), at))
        self.position.play(seat, move)
        for bot in self.bots.values():
            bot.hear(seat, move)

    def _draw(self) -> None:
        self._say("\n" + self.game.draw(self.game.view(self.position, self.seat), self.colour) + "\n")

    def _say(self, text: str) -> None:
        click.echo(text, color=self.colour)
