"""A language model as a player, through an HTTP API that is compatible with OpenAI's.

A model reads the rules, the table as its seat sees it, and its legal moves, and answers with one of them. An answer
that is no legal move is refused with the reason, as it would be at a table, and counted.
"""

import json
import os
import time
from typing import Any, Final

from sevenhues.core.bot_support import Bot
from sevenhues.core.errors import BadNotation, BadOption, IllegalMove
from sevenhues.core.game import Game
from sevenhues.core.moves import legal_texts, parse
from sevenhues.core.position import Position
from sevenhues.core.resources import rules_text
from sevenhues.core.rng import Rng

URL_VARIABLE: Final = "OPENAI_BASE_URL"
KEY_VARIABLE: Final = "OPENAI_API_KEY"
MAX_ANSWERS: Final = 3  # to one position; then a random move is made
MAX_REMEMBERED: Final = 40  # messages of a game that are sent again, besides the rules
MAX_REQUESTS: Final = 4  # for one answer, while the server is busy
FIRST_WAIT_SECONDS: Final = 1.0  # before the second request; doubled for each further one
TIMEOUT_SECONDS: Final = 120.0
MAX_QUOTED: Final = 200  # characters of a response that an error quotes
PUNCTUATION: Final = "`*_\"'.:;!()[]"  # around a move; no move begins or ends with it

Message = dict[str, str]


class ModelFailed(Exception):
    """The server of the model gave no answer."""


class LanguageModelBot(Bot):
    """Plays one game. The positions of the game stay in the conversation, so the model can remember what it saw."""

    def __init__(self, game: Game[Any], model: str) -> None:
        self.game = game
        self.model = model
        self.url = server_url()
        self.refusals = 0  # answers that were no legal move
        self._conversation: list[Message] = []

    def begin_game(self, seat: int) -> None:
        self._conversation = []

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        legal = legal_texts(self.game, position, seat)
        question = _describe(self.game, position, seat, legal)
        for _ in range(MAX_ANSWERS):
            self._remember("user", question)
            answer = self._ask(seat)
            self._remember("assistant", answer)
            try:
                return parse(self.game, position, seat, _move_in(answer, legal))
            except (BadNotation, IllegalMove) as error:
                self.refusals += 1
                question = f"Refused: {error}\nLegal moves: {' '.join(legal)}\nAnswer with one of them."
        return position.pick(seat, rng)

    def _remember(self, role: str, content: str) -> None:
        self._conversation = [*self._conversation, {"role": role, "content": content}][-MAX_REMEMBERED:]

    def _ask(self, seat: int) -> str:
        system = (
            f"You play {self.game.title} in seat {seat}; seats are numbered from 0. These are the rules:\n\n"
            f"{rules_text(self.game)}\n\nAnswer each position with one legal move alone in the last line."
        )
        # A conversation begins with a question, also when its beginning has been forgotten.
        first = 1 if self._conversation[0]["role"] == "assistant" else 0
        messages = [{"role": "system", "content": system}, *self._conversation[first:]]
        return _request(self.url, {"model": self.model, "messages": messages})


def require_httpx() -> None:
    """Raise BadOption if httpx is not installed."""
    try:
        import httpx as _  # noqa: F401
    except ImportError:
        raise BadOption('a language model needs httpx: pip install "sevenhues[client]"') from None


def server_url() -> str:
    """Return the address of the API from the environment."""
    url = os.environ.get(URL_VARIABLE, "")
    if not url.startswith(("http://", "https://")):
        raise BadOption(
            f"a language model needs the address of its API in {URL_VARIABLE}, such as http://localhost:8000/v1"
            + (f", not {url!r}" if url else "")
        )
    return url.rstrip("/")


def _describe(game: Game[Any], position: Position, seat: int, legal: list[str]) -> str:
    view = game.view(position, seat)
    renderer = game.renderer()
    last = renderer.describe_last_move(view)
    table = renderer.draw(view, colour=False)
    return "\n\n".join([*([f"Last move: {last}"] if last else []), table, f"Legal moves: {' '.join(legal)}"])


def _move_in(answer: str, legal: list[str]) -> str:
    """Return the last line of an answer, or its last word if that is a legal move."""
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    if not lines:
        return ""
    word = lines[-1].split()[-1].strip(PUNCTUATION)
    return word if word in legal else lines[-1].strip(PUNCTUATION)


def _request(url: str, body: dict[str, Any]) -> str:
    """Return the answer of a model; repeat the request while the server is busy or fails."""
    import httpx

    key = os.environ.get(KEY_VARIABLE, "")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    wait_seconds = FIRST_WAIT_SECONDS
    cause: httpx.HTTPError | None = None
    for number in range(1, MAX_REQUESTS + 1):
        try:
            response = httpx.post(f"{url}/chat/completions", json=body, headers=headers, timeout=TIMEOUT_SECONDS)
        except httpx.HTTPError as error:
            problem = f"cannot reach {url}: {type(error).__name__}: {error}"
            cause = error
        else:
            cause = None
            if response.status_code == httpx.codes.OK:
                return _content(response.text)
            problem = f"{url} answered with status {response.status_code}: {response.text[:MAX_QUOTED]}"
            if response.status_code != httpx.codes.TOO_MANY_REQUESTS and not response.is_server_error:
                break
        if number < MAX_REQUESTS:
            time.sleep(wait_seconds)
            wait_seconds *= 2
    raise ModelFailed(problem) from cause


def _content(answer: str) -> str:
    try:
        content = json.loads(answer)["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError) as error:
        raise ModelFailed(f"the answer is not a chat completion: {answer[:MAX_QUOTED]}") from error
    return content if isinstance(content, str) else ""
