"""The moves one may make: a line to type in, and below it the list of what that may mean."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from sevenhues.terminal.move_picker import matching, meant


class Typed(Input):
    """The line to type in; arrows walk the list below it."""

    BINDINGS = [Binding("up", "app.walk(-1)", show=False), Binding("down", "app.walk(1)", show=False)]


class Moves(Vertical):
    """A list that one filters by typing; clicks, arrows and Enter choose from it."""

    class Chosen(Message):
        """A move, or whatever else was typed."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self) -> None:
        super().__init__(id="moves")
        self._moves: list[str] = []
        self._fast = False
        self._shown: list[str] = []

    def compose(self) -> ComposeResult:
        yield Typed(placeholder="type a move", id="typed", compact=True)
        found = OptionList(id="list", compact=True)
        found.can_focus = False
        yield found

    @property
    def line(self) -> Typed:
        return self.query_one(Typed)

    @property
    def listing(self) -> OptionList:
        return self.query_one(OptionList)

    def show(self, moves: list[str], fast: bool) -> None:
        """List these; where it has to be `fast`, a move that is typed in full needs no Enter."""
        self._fast = fast
        if moves != self._moves:
            self._moves = moves
            self._list()

    def _list(self) -> None:
        shown = matching(self._moves, self.line.value)
        if shown != self._shown:
            self._shown = shown
            self.listing.clear_options()
            self.listing.add_options([Option(text) for text in shown])

    def walk(self, by: int) -> None:
        """Go up or down the list."""
        count = self.listing.option_count
        if count:
            at = self.listing.highlighted
            self.listing.highlighted = (0 if by > 0 else count - 1) if at is None else (at + by) % count

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._list()
        typed = event.value.strip().lower()
        whole = [text for text in self._moves if text.lower() == typed]
        longer = [text for text in self._moves if text.lower().startswith(typed) and text.lower() != typed]
        if self._fast and typed and len(whole) == 1 and not longer:
            self._choose(whole[0])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        at = self.listing.highlighted
        if at is not None:
            self._choose(self._shown[at])
        else:
            typed = event.value.strip()
            self._choose(meant(self._moves, typed) or typed)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._choose(self._shown[event.option_index])
        self.line.focus()

    def _choose(self, text: str) -> None:
        self.clear()
        self.post_message(self.Chosen(text))

    def clear(self) -> None:
        """Forget what was typed."""
        self.line.value = ""
        self.listing.highlighted = None
