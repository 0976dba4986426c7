"""The app: a table on the screen, the moves beside it, and what happened below."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, cast

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Container
from textual.widgets import Footer, RichLog, Static
from textual.worker import WorkType

from sevenhues.core.errors import SevenHuesError, listed
from sevenhues.core.position import WATCHER
from sevenhues.core.resources import ENGLISH, rules_text
from sevenhues.render.canvas import Canvas, known
from sevenhues.terminal.board import Board
from sevenhues.terminal.move_list import Moves
from sevenhues.terminal.move_picker import Choice, spelled
from sevenhues.terminal.screens import Curtain, Question, Rules
from sevenhues.terminal.session import Glimpse, Sitting

TICK = 0.25  # seconds between looks at the clocks
AT_TABLE = ("rules", "hint", "seat", "again", "swap", "clear")  # what can be done while no other screen is over it
WORDS = {"hint": "hint", "rules": "rules", "new": "again", "quit": "stop", "q": "stop", "exit": "stop"}


class Terminal(App[None]):
    """One screen, and the people before it."""

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-slim"), (70, "-normal"), (100, "-wide")]
    BINDINGS = [
        Binding("f1", "rules", "Rules"),
        Binding("f2", "hint", "Hint"),
        Binding("f3", "seat", "Other seat"),
        Binding("f5", "again", "New game"),
        Binding("tab", "swap", "Board or list", priority=True),
        Binding("escape", "clear", "Start over", show=False),
        Binding("ctrl+q", "stop", "Quit", priority=True),
        Binding("ctrl+c", "leave", "Leave at once", show=False, priority=True),
    ]

    def __init__(self, sitting: Sitting, language: str = ENGLISH) -> None:
        super().__init__()
        self.title = sitting.game.title
        self.sitting = sitting
        self.language = language
        self.failure: Exception | None = None
        self.eyes: int | None = None  # whose eyes look at the screen; nobody's behind the curtain
        self.heir: int | None = None  # to whom it should be handed over
        self.seen = Glimpse(WATCHER, 0)
        self._choice = Choice()
        self._written: list[str] = []
        self._note = ""
        self._colour = not os.environ.get("NO_COLOR")

        self.seats = Static(id="seats", markup=False)
        self.board = Board(self._paint)
        self.moves = Moves()
        self.story = RichLog(id="log", wrap=True, min_width=1, max_lines=2000)
        self.story.can_focus = False
        self.message = Static(id="message", markup=False)

    def compose(self) -> ComposeResult:
        yield self.seats
        with Container(id="table"):
            yield self.board
            yield self.moves
            yield self.story
        yield self.message
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.sitting.changed = self._look_up
        self.sitting.said = self._say
        self.set_interval(TICK, self._tick)
        self._work(self._run)
        self.moves.line.focus()
        self._look_up()
        if not self.is_headless:
            self._mind_signals()

    def _mind_signals(self) -> None:
        """Leave in good order when told to stop, or when the line is cut."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            with suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(getattr(signal, name), self.exit)

    def _work(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do something beside the screen; its worker calls it, so that nothing is left over if that never comes."""
        self.run_worker(cast("WorkType[None]", work), exit_on_error=False)

    async def _run(self) -> None:
        try:
            await self.sitting.run()
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """Leave, and let the command tell of it."""
        self.failure = error
        self.exit()

    # -- What is shown

    def _look_up(self) -> None:
        """Show the table as it is now, to whom it may be shown."""
        if not self.is_running:
            return
        self._hand_round()
        eyes = self.eyes
        if eyes is None:
            self.seen = Glimpse(WATCHER, 0)
        else:
            self.seen = self.sitting.glimpse(eyes)
        self._choice.among(self.seen.legal if self.heir is None else [])
        self._show_choice()
        self._show_log()
        self._tick()
        if self.seen.over:
            self._say(self.seen.over, "over")

    def _hand_round(self) -> None:
        """See whose eyes the screen is for."""
        mine, turn = self.sitting.mine, self.sitting.turn()
        here = [seat for seat in turn if seat in mine]
        self.heir = None
        if not mine:
            self.eyes = WATCHER
        elif len(mine) == 1:
            self.eyes = mine[0]
        elif not self.sitting.game.hidden_information:
            kept = self.eyes in (here or mine)
            self.eyes = self.eyes if kept else (here or mine)[0]
        elif self.eyes not in mine:
            self._draw_curtain(here[0] if here else mine[0])
        elif here and self.eyes not in here:
            self.heir = here[0]
            self._say(f"Press Enter to hand over to {self.sitting.names[self.heir]}.")

    def _draw_curtain(self, heir: int) -> None:
        self.eyes = None
        if isinstance(self.screen, Curtain):
            return

        def lift(_: None) -> None:
            self.eyes = heir
            self._say("")
            self._send(self.sitting.look, heir)
            self._look_up()

        self.push_screen(Curtain(self.sitting.names[heir]), lift)

    def _paint(self, width: int, height: int) -> Canvas:
        names = [clean(name) for name in self.sitting.names]
        scene = Canvas(width, height, self._colour, names)
        if self.seen.view is not None:
            self.sitting.game.renderer().render(self.seen.view, self._choice.legal, scene)
        elif self.eyes is not None:
            scene.say(0, self.sitting.note())
        return scene

    def _show_choice(self) -> None:
        self.board.show(self._choice.left, self._choice.picked)
        self.moves.show(self._choice.left, self.sitting.game.simultaneous)

    def _show_log(self) -> None:
        lines = self.seen.log
        if lines[: len(self._written)] != self._written:
            self.story.clear()
            self._written = []
        for line in lines[len(self._written) :]:
            self.story.write(Text(clean(line)))
        self._written = list(lines)

    def on_resize(self) -> None:
        """Break the lines of the log anew."""

        def anew() -> None:
            self.story.clear()
            self._written = []
            self._show_log()

        self.call_after_refresh(anew)

    def _tick(self) -> None:
        """Show the seats, with the clocks as they run and what everybody waits for."""
        clocks, note = self.sitting.clocks(), self.sitting.note()
        if note != self._note:
            self._note = note
            self._look_up()  # the wait may be over
            return
        told = Text(f"{self.title}  ", style="bold")
        for seat, name in enumerate(self.sitting.names):
            turn = seat in self.seen.turn and not self.sitting.game.simultaneous
            who = clean(known(name, seat == self.eyes))
            told.append(f"▶{who}" if turn else f" {who}", style="bold #ffd35c" if turn else "")
            if self.seen.scores:
                told.append(f" {self.seen.scores[seat]}", style="bold")
            if clocks:
                told.append(f" {clock(clocks[seat])}")
            told.append("  ")
        if note:
            told.append(note, style="italic")
        self.seats.update(told)

    def _say(self, text: str, kind: str = "") -> None:
        self.message.update(clean(text))
        self.message.set_classes(kind)

    # -- What is done

    def on_board_picked(self, event: Board.Picked) -> None:
        move = self._choice.pick(event.place, self.board.scene.places)
        self._show_choice()
        if move is not None:
            self._make(move)
        elif self._choice.picked:
            self._say(f"{len(self._choice.left)} moves left: point further, or choose from the list.")

    def on_board_pointed(self, event: Board.Pointed) -> None:
        """Say what a place is part of, unless something else has to be read."""
        if self.heir is None and not self.message.classes:
            left = [text for text in event.place.moves if text in self._choice.left]
            self._say(f"{event.place.name}: {listed(left, 8)}")

    def on_moves_chosen(self, event: Moves.Chosen) -> None:
        typed = event.text
        if self.heir is not None and self.eyes is not None:
            self._send(self.sitting.look, None)
            self._draw_curtain(self.heir)
            self._look_up()
        elif typed in self._choice.legal:
            self._make(typed)
        elif typed.lower() in WORDS:
            self.call_next(self.run_action, WORDS[typed.lower()])
        elif typed:
            self._make(spelled(self.sitting.game, typed))

    def _make(self, text: str) -> None:
        if self.eyes is None or self.eyes == WATCHER:
            self._say("You are watching.", "refused")
            return
        self._choice.clear()
        self._say("")
        self._send(self.sitting.move, self.eyes, self.board.scene.sends.get(text, text))

    def _send(self, wish: Callable[..., Awaitable[None]], *values: object) -> None:
        """Do something at the table, and say why if it cannot be done."""

        async def send() -> None:
            try:
                await wish(*values)
            except SevenHuesError as error:
                self._say(str(error), "refused")
                self._look_up()
            except Exception as error:
                self._fail(error)

        self._work(send)

    def on_key(self, event: Any) -> None:
        """Type wherever the cursor is."""
        if event.is_printable and len(self.screen_stack) == 1 and not self.moves.line.has_focus:
            self.moves.line.focus()
            self.moves.line.insert_text_at_cursor(event.character)
            event.stop()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "seat" and not (self.sitting.game.simultaneous and len(self.sitting.mine) > 1):
            return False
        return action not in AT_TABLE or len(self.screen_stack) == 1

    def action_seat(self) -> None:
        """Play for the next of several seats in a race."""
        mine = self.sitting.mine
        if self.eyes in mine:
            self.eyes = mine[(mine.index(self.eyes) + 1) % len(mine)]
            self._look_up()

    def action_walk(self, by: int) -> None:
        self.moves.walk(by)

    def action_swap(self) -> None:
        (self.moves.line if self.board.has_focus else self.board).focus()

    def action_clear(self) -> None:
        self._choice.clear()
        self.moves.clear()
        self._show_choice()

    def action_rules(self) -> None:
        self.push_screen(Rules(rules_text(self.sitting.game, self.language)))

    def action_hint(self) -> None:
        if self.eyes is not None and self.seen.legal and self.heir is None:
            self._say("A strong bot is thinking…")
            self._send(self._advise, self.eyes, self.seen.ply)

    async def _advise(self, seat: int, ply: int) -> None:
        told = await self.sitting.hint(seat)
        if (self.eyes, self.seen.ply) == (seat, ply):
            best = [one.text if one.chance is None else f"{one.text} ({100 * one.chance:.0f} %)" for one in told]
            self._say("A strong bot, with what you have seen, would play " + ", or ".join(best) + ".")

    async def action_again(self) -> None:
        if self.seen.over or not self.sitting.renews:
            self._anew(True)
        else:
            self.push_screen(Question("Leave this game for another one?"), self._anew)

    def _anew(self, yes: bool | None) -> None:
        if yes:
            self._say("")
            self._send(self.sitting.again)

    def action_stop(self) -> None:
        if isinstance(self.screen, Question) or self.seen.over or not self.sitting.mine:
            self.exit()
        else:
            self.push_screen(Question("The game goes on. Stop it?"), self._stop)

    def _stop(self, yes: bool | None) -> None:
        if yes:
            self.exit()

    def action_leave(self) -> None:
        self.exit()


def clean(text: str) -> str:
    """Make a text from outside safe to show: no control characters."""
    return "".join([letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text])


def clock(seconds: float) -> str:
    """Write how much time is left."""
    whole = max(0, int(seconds + 0.999))
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
