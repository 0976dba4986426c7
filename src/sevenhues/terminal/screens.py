"""Screens over the table: the rules, a yes-or-no question, and the curtain between players of one screen."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Footer, Markdown, Static


class RulesScreen(Screen[None]):
    """Shows the rules of the game."""

    BINDINGS = [Binding("escape,f1,q", "dismiss", "Back to the game")]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="rules"):
            yield Markdown(self._text, open_links=False)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#rules").focus()


class ConfirmScreen(ModalScreen[bool]):
    """Asks a yes-or-no question."""

    BINDINGS = [
        Binding("y,enter", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(id="confirm"):
            yield Static(self._question, markup=False)
            yield Static("y  yes      n  no", id="confirm-keys")

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)


class CurtainScreen(Screen[None]):
    """Hides the table until the named player is at the screen."""

    BINDINGS = [Binding("enter", "dismiss", "Show my view")]

    def __init__(self, player: str) -> None:
        super().__init__()
        self._player = player

    def compose(self) -> ComposeResult:
        with Vertical(id="curtain"):
            yield Static(self._player, id="curtain-player", markup=False)
            yield Static("It's your turn at the screen. Press Enter when nobody else is looking.")
        yield Footer()

    def on_click(self) -> None:
        self.dismiss()
