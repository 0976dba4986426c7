"""Random ids of tables, and seeds of puzzles."""

import re
import secrets
from hashlib import sha256

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
OFFLINE_PREFIX = "offline-"  # of the ids of tables on a device
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # without letters that look like others
SUFFIX_LENGTH = 7
SEED_SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's Base32, which is easy to read aloud


def table_id() -> str:
    """Generate an id that cannot be guessed (two words and 34 bits): anybody with the link may enter a table."""
    suffix = "".join(secrets.choice(LETTERS) for _ in range(SUFFIX_LENGTH))
    return f"{secrets.choice(ADJECTIVES)}-{secrets.choice(ANIMALS)}-{suffix}"


def uploaded_id(user_id: str, offline_id: str) -> str:
    """Return the id of the table of an uploaded offline game: the same for each upload, and secret as the user's id."""
    return "uploaded-" + sha256(f"sevenhues upload {user_id} {offline_id}".encode()).hexdigest()[:20]


def new_seed() -> str:
    """Generate the seed of a puzzle, such as 4K7-M2Q."""
    return "-".join("".join(secrets.choice(SEED_SYMBOLS) for _ in range(3)) for _ in range(2))
