"""The move list: an input line, and below it the legal moves that match the typed text."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from sevenhues.terminal.move_picker import matching_moves, typed_move


class MoveInput(Input):
    """The input line. The arrow keys move the highlight of the list below it."""

    BINDINGS = [
        Binding("up", "app.move_highlight(-1)", show=False),
        Binding("down", "app.move_highlight(1)", show=False),
    ]


class MoveList(Vertical):
    """A list of moves that typing filters; clicks, arrows and Enter choose from it."""

    class Submitted(Message):
        """A move was chosen, or other text was entered."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self) -> None:
        super().__init__(id="move-list")
        self._moves: list[str] = []
        self._auto_submit = False
        self._matching: list[str] = []

    def compose(self) -> ComposeResult:
        yield MoveInput(placeholder="type a move", id="move-input", compact=True)
        options = OptionList(id="move-options", compact=True)
        options.can_focus = False
        yield options

    @property
    def input(self) -> MoveInput:
        return self.query_one(MoveInput)

    @property
    def options(self) -> OptionList:
        return self.query_one(OptionList)

    def set_moves(self, moves: list[str], auto_submit: bool) -> None:
        """Set the moves of the list. With `auto_submit`, a move that is typed in full needs no Enter."""
        self._auto_submit = auto_submit
        if moves != self._moves:
            self._moves = moves
            self._filter()

    def _filter(self) -> None:
        matching = matching_moves(self._moves, self.input.value)
        if matching != self._matching:
            self._matching = matching
            self.options.clear_options()
            self.options.add_options([Option(text) for text in matching])

    def move_highlight(self, step: int) -> None:
        """Move the highlight up or down the list."""
        count = self.options.option_count
        if count:
            at = self.options.highlighted
            self.options.highlighted = (0 if step > 0 else count - 1) if at is None else (at + step) % count

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._filter()
        typed = event.value.strip().lower()
        exact = [text for text in self._moves if text.lower() == typed]
        longer = [text for text in self._moves if text.lower().startswith(typed) and text.lower() != typed]
        if self._auto_submit and typed and len(exact) == 1 and not longer:
            self._submit(exact[0])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        at = self.options.highlighted
        if at is not None:
            self._submit(self._matching[at])
        else:
            typed = event.value.strip()
            self._submit(typed_move(self._moves, typed) or typed)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._submit(self._matching[event.option_index])
        self.input.focus()

    def _submit(self, text: str) -> None:
        self.clear()
        self.post_message(self.Submitted(text))

    def clear(self) -> None:
        """Clear the input line and the highlight."""
        self.input.value = ""
        self.options.highlighted = None
