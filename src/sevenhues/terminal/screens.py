"""Screens over the table: the rules, a question, and the curtain of a terminal that several people share."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Footer, Markdown, Static


class Rules(Screen[None]):
    """The rules of the game, to scroll through."""

    BINDINGS = [Binding("escape,f1,q", "dismiss", "Back to the table")]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="rules"):
            yield Markdown(self._text, open_links=False)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#rules").focus()


class Question(ModalScreen[bool]):
    """Asks for a yes or a no."""

    BINDINGS = [
        Binding("y,enter", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with Vertical(id="question"):
            yield Static(self._text, markup=False)
            yield Static("y  yes      n  no", id="answers")

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)


class Curtain(Screen[None]):
    """One name, and nothing of the table, until that person is there."""

    BINDINGS = [Binding("enter", "dismiss", "Look")]

    def __init__(self, name: str) -> None:
        super().__init__()
        self._who = name

    def compose(self) -> ComposeResult:
        with Vertical(id="curtain"):
            yield Static(self._who, id="who", markup=False)
            yield Static("What follows is for these eyes alone. Press Enter when nobody else looks.")
        yield Footer()

    def on_click(self) -> None:
        self.dismiss()
