"""The phrases and reactions that players can say at a table, with their English texts."""

from typing import Final, Literal

Phrase = Literal[
    "hello",
    "good-luck",
    "well-played",
    "good-game",
    "thanks",
    "one-moment",
    "back",
    "sorry",
    "close-one",
    "smile",
    "applause",
    "wow",
    "thinking",
]
PHRASE_TEXTS: Final[dict[Phrase, str]] = {
    "hello": "Hello!",
    "good-luck": "Good luck!",
    "well-played": "Well played!",
    "good-game": "Good game!",
    "thanks": "Thanks!",
    "one-moment": "One moment, please.",
    "back": "I'm back.",
    "sorry": "Sorry!",
    "close-one": "That was close!",
    "smile": "(smiles)",
    "applause": "(applauds)",
    "wow": "(amazed)",
    "thinking": "(thinking)",
}
