"""Names that people can say: for tables, as part of their links, and for guests who have not chosen one."""

import re
import secrets
from hashlib import sha256
from unicodedata import category

ADJECTIVES = re.findall(
    r"\w+",
    """
    amber azure brave bright brisk calm clever coral crimson curious dapper dewy eager early fair fleet fond fresh
    gentle glad golden happy hazel honest humble indigo jade jolly keen kind lilac lively lucky lunar mellow merry
    mild misty neat noble olive opal patient plucky plum polite proud quick quiet ready rosy ruby rustic sandy
    scarlet shy silver sleek snowy sunny swift tidy velvet
    """,
)
ANIMALS = re.findall(
    r"\w+",
    """
    badger bear beaver bee bison bunting crane cricket crow deer dolphin dove duck eagle egret falcon finch fox
    gecko goose hare hawk hedgehog heron hound ibex jay kestrel koala lark lemur lion llama lynx magpie marten mole
    moose moth mouse newt otter owl panda parrot penguin pony puffin quail rabbit raven robin seal shrew sparrow
    squirrel stork swallow swan tern tiger toad turtle wren
    """,
)
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another
TAIL = 7
SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's, of seeds that people read aloud


def table_id() -> str:
    """Make an id that nobody guesses (2 words and 34 bits): whoever has the link may come in."""
    tail = "".join(secrets.choice(LETTERS) for _ in range(TAIL))
    return f"{secrets.choice(ADJECTIVES)}-{secrets.choice(ANIMALS)}-{tail}"


def new_seed() -> str:
    """Make the name of a puzzle, such as 4K7-M2Q."""
    return "-".join("".join(secrets.choice(SYMBOLS) for _ in range(3)) for _ in range(2))


def chosen(name: str) -> str | None:
    """Tidy a name that somebody chose; None if it cannot be shown, or would pass for a bot's in a record."""
    tidy = " ".join(name.split())
    seen = any(category(letter)[0] != "M" for letter in tidy)
    return tidy if seen and tidy.isprintable() and not tidy.lower().startswith("bot:") else None


def guest_name(identity: str) -> str:
    """Name a guest, always alike."""
    digest = sha256(identity.encode()).digest()
    return f"{ADJECTIVES[digest[0] % len(ADJECTIVES)]} {ANIMALS[digest[1] % len(ANIMALS)]}".title()
