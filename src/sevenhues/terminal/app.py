"""The terminal app: the board, the move list beside it and the move log."""

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

from sevenhues.core.errors import SevenHuesError, list_moves
from sevenhues.core.position import WATCHER
from sevenhues.core.resources import ENGLISH, rules_text
from sevenhues.render.ansi import printable
from sevenhues.render.canvas import Canvas, name_label
from sevenhues.terminal.board import Board
from sevenhues.terminal.move_list import MoveList
from sevenhues.terminal.move_picker import MovePicker, correct_case
from sevenhues.terminal.screens import ConfirmScreen, CurtainScreen, RulesScreen
from sevenhues.terminal.session import Session, Snapshot, format_hints

CLOCK_INTERVAL_SECONDS = 0.25
MAX_LOG_LINES = 2000
# Actions that are disabled while another screen covers the table.
TABLE_ACTIONS = ("rules", "hint", "next_seat", "new_game", "switch_focus", "clear_selection")
SAY = "say"  # followed by a phrase
TYPED_COMMANDS = {
    "hint": "hint",
    "rules": "rules",
    "new": "new_game",
    "quit": "confirm_quit",
    "q": "confirm_quit",
    "exit": "confirm_quit",
}


class TerminalApp(App[None]):
    """Shows a session on the whole screen and passes the players' moves to it."""

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-slim"), (70, "-normal"), (100, "-wide")]
    BINDINGS = [
        Binding("f1", "rules", "Rules"),
        Binding("f2", "hint", "Hint"),
        Binding("f3", "next_seat", "Other seat"),
        Binding("f5", "new_game", "New game"),
        Binding("tab", "switch_focus", "Board or list", priority=True),
        Binding("escape", "clear_selection", "Clear selection", show=False),
        Binding("ctrl+q", "confirm_quit", "Quit", priority=True),
        Binding("ctrl+c", "quit_now", "Quit now", show=False, priority=True),
    ]

    def __init__(self, session: Session, language: str = ENGLISH) -> None:
        super().__init__()
        self.title = session.game.title
        self.session = session
        self.language = language
        self.failure: Exception | None = None  # raised by the caller after the app has closed
        self.viewer: int | None = None  # the seat whose view is shown; None behind the curtain
        self.next_viewer: int | None = None  # the seat to which the screen is to be handed over
        self.snapshot = Snapshot(WATCHER, 0)
        self._picker = MovePicker()
        self._logged: list[str] = []
        self._status_text = ""
        self._colour = not os.environ.get("NO_COLOR")

        self.seat_bar = Static(id="seat-bar", markup=False)
        self.board = Board(self._render_canvas)
        self.move_list = MoveList()
        self.move_log = RichLog(id="move-log", wrap=True, min_width=1, max_lines=MAX_LOG_LINES)
        self.move_log.can_focus = False
        self.message = Static(id="message", markup=False)

    def compose(self) -> ComposeResult:
        yield self.seat_bar
        with Container(id="table"):
            yield self.board
            yield self.move_list
            yield self.move_log
        yield self.message
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.session.on_change = self._show_table
        self.session.on_message = self._show_message
        self.set_interval(CLOCK_INTERVAL_SECONDS, self._show_seat_bar)
        self._start_worker(self._run_session)
        self.move_list.input.focus()
        self._show_table()
        if not self.is_headless:
            self._handle_signals()

    def _handle_signals(self) -> None:
        """Restore the terminal and exit on SIGTERM and SIGHUP."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            with suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(getattr(signal, name), self.exit)

    def _start_worker(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run a function in a worker, which calls it: a worker that never starts leaves no coroutine behind."""
        self.run_worker(cast("WorkType[None]", work), exit_on_error=False)

    async def _run_session(self) -> None:
        try:
            await self.session.run()
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """Exit, and let the caller raise the error."""
        self.failure = error
        self.exit()

    # -- Output

    def _show_table(self) -> None:
        """Show the current state of the table to the player at the screen."""
        if not self.is_running:
            return
        self._update_viewer()
        self.snapshot = Snapshot(WATCHER, 0) if self.viewer is None else self.session.snapshot(self.viewer)
        self._picker.set_legal(self.snapshot.legal if self.next_viewer is None else [])
        self._show_selection()
        self._show_log()
        self._show_seat_bar()
        if self.snapshot.result_text:
            self._show_message(self.snapshot.result_text, "result")

    def _update_viewer(self) -> None:
        """Determine whose view is shown, and whether the screen is to be handed over."""
        own_seats = self.session.own_seats
        own_to_act = [seat for seat in self.session.to_act() if seat in own_seats]
        self.next_viewer = None
        if not own_seats:
            self.viewer = WATCHER
        elif len(own_seats) == 1:
            self.viewer = own_seats[0]
        elif not self.session.game.hidden_information:
            candidates = own_to_act or own_seats
            self.viewer = self.viewer if self.viewer in candidates else candidates[0]
        elif self.viewer not in own_seats:
            self._show_curtain(own_to_act[0] if own_to_act else own_seats[0])
        elif own_to_act and self.viewer not in own_to_act:
            self.next_viewer = own_to_act[0]
            self._show_message(f"Press Enter to hand over to {self.session.names[self.next_viewer]}.")

    def _show_curtain(self, next_viewer: int) -> None:
        """Hide the table until the next player is at the screen."""
        self.viewer = None
        if isinstance(self.screen, CurtainScreen):
            return

        def open_curtain(_: None) -> None:
            self.viewer = next_viewer
            self._show_message("")
            self._run_command(self.session.set_viewer, next_viewer)
            self._show_table()

        self.push_screen(CurtainScreen(self.session.names[next_viewer]), open_curtain)

    def _render_canvas(self, width: int, height: int) -> Canvas:
        names = [printable(name) for name in self.session.names]
        canvas = Canvas(width, height, self._colour, names)
        if self.snapshot.view is not None:
            self.session.game.renderer().render(self.snapshot.view, self._picker.legal, canvas)
        elif self.viewer is not None:
            canvas.write_paragraph(0, self.session.status_text())
        return canvas

    def _show_selection(self) -> None:
        self.board.show_selection(self._picker.remaining, self._picker.picked)
        self.move_list.set_moves(self._picker.remaining, auto_submit=self.session.game.simultaneous)

    def _show_log(self) -> None:
        lines = self.snapshot.log
        if lines[: len(self._logged)] != self._logged:
            self.move_log.clear()
            self._logged = []
        for line in lines[len(self._logged) :]:
            self.move_log.write(Text(printable(line)))
        self._logged = list(lines)

    def on_resize(self) -> None:
        """Wrap the log to the new width."""

        def rewrite_log() -> None:
            self.move_log.clear()
            self._logged = []
            self._show_log()

        self.call_after_refresh(rewrite_log)

    def _show_seat_bar(self) -> None:
        """Show the players with their scores and clocks, and what the table is waiting for."""
        clocks, status_text = self.session.clocks_seconds(), self.session.status_text()
        if status_text != self._status_text:
            self._status_text = status_text
            self._show_table()  # moves may be legal now
            return
        bar = Text(f"{self.title}  ", style="bold")
        for seat, name in enumerate(self.session.names):
            is_turn = seat in self.snapshot.to_act and not self.session.game.simultaneous
            label = printable(name_label(name, seat == self.viewer))
            bar.append(f"▶{label}" if is_turn else f" {label}", style="bold #ffd35c" if is_turn else "")
            if self.snapshot.scores:
                bar.append(f" {self.snapshot.scores[seat]}", style="bold")
            if clocks:
                bar.append(f" {format_clock(clocks[seat])}")
            bar.append("  ")
        if status_text:
            bar.append(status_text, style="italic")
        self.seat_bar.update(bar)

    def _show_message(self, text: str, kind: str = "") -> None:
        self.message.update(printable(text))
        self.message.set_classes(kind)

    # -- Input

    def on_board_picked(self, event: Board.Picked) -> None:
        move = self._picker.pick(event.area, self.board.canvas.hit_areas)
        self._show_selection()
        if move is not None:
            self._submit_move(move)
        elif self._picker.picked:
            self._show_message(f"{len(self._picker.remaining)} moves left: pick on the board or from the list.")

    def on_board_hovered(self, event: Board.Hovered) -> None:
        """Show the moves of the hit area, unless a refusal or the result is shown."""
        if self.next_viewer is None and not self.message.classes:
            moves = [text for text in event.area.moves if text in self._picker.remaining]
            self._show_message(f"{event.area.name}: {list_moves(moves, 8)}")

    def on_move_list_submitted(self, event: MoveList.Submitted) -> None:
        typed = event.text
        if self.next_viewer is not None and self.viewer is not None:
            self._run_command(self.session.set_viewer, None)
            self._show_curtain(self.next_viewer)
            self._show_table()
        elif (typed.lower().split() or [""])[0] == SAY:
            self._say("-".join(typed.lower().split()[1:]))
        elif typed in self._picker.legal:
            self._submit_move(typed)
        elif typed.lower() in TYPED_COMMANDS:
            self.call_next(self.run_action, TYPED_COMMANDS[typed.lower()])
        elif typed:
            self._submit_move(correct_case(self.session.game, typed))

    def _say(self, phrase: str) -> None:
        if self.viewer is None or self.viewer == WATCHER:
            self._show_message("You're watching this game.", "refused")
        else:
            self._show_message("")
            self._run_command(self.session.say, self.viewer, phrase)

    def _submit_move(self, text: str) -> None:
        if self.viewer is None or self.viewer == WATCHER:
            self._show_message("You're watching this game.", "refused")
            return
        self._picker.clear()
        self._show_message("")
        self._run_command(self.session.move, self.viewer, self.board.canvas.conditional_texts.get(text, text))

    def _run_command(self, command: Callable[..., Awaitable[None]], *args: object) -> None:
        """Run a command of the session in a worker, and show the reason if it is refused."""

        async def run() -> None:
            try:
                await command(*args)
            except SevenHuesError as error:
                self._show_message(str(error), "refused")
                self._show_table()
            except Exception as error:
                self._fail(error)

        self._start_worker(run)

    def on_key(self, event: Any) -> None:
        """Focus the input line when the player types, whichever widget has the focus."""
        if event.is_printable and len(self.screen_stack) == 1 and not self.move_list.input.has_focus:
            self.move_list.input.focus()
            self.move_list.input.insert_text_at_cursor(event.character)
            event.stop()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "next_seat" and not (self.session.game.simultaneous and len(self.session.own_seats) > 1):
            return False
        return action not in TABLE_ACTIONS or len(self.screen_stack) == 1

    def action_next_seat(self) -> None:
        """Play the next of several own seats in a race."""
        own_seats = self.session.own_seats
        if self.viewer in own_seats:
            self.viewer = own_seats[(own_seats.index(self.viewer) + 1) % len(own_seats)]
            self._show_table()

    def action_move_highlight(self, step: int) -> None:
        self.move_list.move_highlight(step)

    def action_switch_focus(self) -> None:
        (self.move_list.input if self.board.has_focus else self.board).focus()

    def action_clear_selection(self) -> None:
        self._picker.clear()
        self.move_list.clear()
        self._show_selection()

    def action_rules(self) -> None:
        self.push_screen(RulesScreen(rules_text(self.session.game, self.language)))

    def action_hint(self) -> None:
        if self.viewer is not None and self.snapshot.legal and self.next_viewer is None:
            self._show_message("A strong bot is thinking…")
            self._run_command(self._show_hint, self.viewer, self.snapshot.ply)

    async def _show_hint(self, seat: int, ply: int) -> None:
        hints = await self.session.hint(seat)
        if (self.viewer, self.snapshot.ply) == (seat, ply):
            self._show_message(f"From what you've seen, a strong bot would play {format_hints(hints)}.")

    async def action_new_game(self) -> None:
        if self.snapshot.result_text or not self.session.can_restart:
            self._start_new_game(True)
        else:
            self.push_screen(ConfirmScreen("This game isn't over yet. Start a new one?"), self._start_new_game)

    def _start_new_game(self, confirmed: bool | None) -> None:
        if confirmed:
            self._show_message("")
            self._run_command(self.session.new_game)

    def action_confirm_quit(self) -> None:
        if isinstance(self.screen, ConfirmScreen) or self.snapshot.result_text or not self.session.own_seats:
            self.exit()
        else:
            self.push_screen(ConfirmScreen("This game isn't over yet. Quit?"), self._quit)

    def _quit(self, confirmed: bool | None) -> None:
        if confirmed:
            self.exit()

    def action_quit_now(self) -> None:
        self.exit()


def format_clock(seconds: float) -> str:
    """Format the time left as minutes and seconds, and hours if there are any."""
    whole = max(0, int(seconds + 0.999))
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
