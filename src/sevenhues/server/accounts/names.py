"""Names of users: validation of chosen names, names that look alike, and default names of guests."""

import re
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from itertools import count
from unicodedata import category, normalize

from sevenhues.server.table.errors import Refused
from sevenhues.server.table.ids import ADJECTIVES, ANIMALS

MAX_NAME = 40  # characters
MAX_CACHED = 20_000
VARIATION_SELECTORS = re.compile("[\ufe0e\ufe0f]")  # text or emoji style, which keyboards add to emoji
# Characters that Python calls printable although nothing is shown for them.
INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc\U0001d159\U000e0100-\U000e01ef]"
)
MANY_MARKS = re.compile(r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{3}")
# Marks of any script that are piled up: one again and again, or more than any language has on a letter.
PILED_UP = re.compile(r"(.)\1|.{5}")
# Letters, digits and signs that look like another one; capitals first, since some look like another letter than theirs.
CAPITALS = str.maketrans("АВЕЅІЈКМНОРСТУХԚԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABESIJKMHOPCTYXQWABEZHIKMNOPTYX")
LOOKALIKES = str.maketrans(
    "015!|авекмнорстухіјѕһӏьԁԛԝαβγεηικνορτυχωɑɡıłøđ։ː∶꞉",
    "oisiiabekmhopctyxijshibdqwabyenikvoptuxwagiiod::::",
)


def clean_name(name: str) -> str | None:
    """Return a name in its plainest form; None if a part of it is not visible, or it looks like a bot in a record.

    Compatible characters (NFKC) and spaces are normalized.
    """
    clean = " ".join(VARIATION_SELECTORS.sub("", normalize("NFKC", name)).split())
    visible = any(category(letter)[0] != "M" for letter in clean) and clean.isprintable()
    if not visible or len(clean) > MAX_NAME or INVISIBLE.search(clean) or MANY_MARKS.search(normalize("NFD", clean)):
        return None
    if any(PILED_UP.search(marks) for marks in _runs_of_marks(clean)):
        return None
    return None if skeleton(clean).startswith(skeleton("bot:")) else clean


def check_name(text: str) -> str:
    """Return a chosen name in its plainest form; raise Refused if it cannot be shown."""
    name = clean_name(text)
    if name is None:
        what = "name: use at most 40 visible characters, and no bot: at the beginning"
        raise Refused("bad-request", what=what)
    return name


def _runs_of_marks(name: str) -> list[str]:
    """Return the marks without a width of their own that follow each other on a letter."""
    return "".join(letter if category(letter) in ("Mn", "Me") else " " for letter in normalize("NFD", name)).split()


@lru_cache(MAX_CACHED)
def skeleton(name: str) -> str:
    """Return what names that look alike have in common: letters without case, accents, spaces and alphabet."""
    letters = normalize("NFKD", normalize("NFKC", name).translate(CAPITALS).casefold())
    bare = "".join(letter for letter in letters if category(letter)[0] != "M" and letter != " ")
    return bare.translate(LOOKALIKES).replace("l", "i").replace("rn", "m").replace("vv", "w")


def distinct_name(name: str, others: Iterable[str]) -> str:
    """Return a name with a number added if it looks like one of the others: `Ada 2`."""
    taken = {skeleton(other) for other in others}
    if skeleton(name) not in taken:
        return name
    numbered = (f"{name[: MAX_NAME - 4]} {number}" for number in count(2))
    return next(one for one in numbered if skeleton(one) not in taken)


def guest_name(user_id: str) -> str:
    """Return the name of a guest who has not chosen one; it is always the same for a user."""
    digest = sha256(user_id.encode()).digest()
    return f"{ADJECTIVES[digest[0] % len(ADJECTIVES)]} {ANIMALS[digest[1] % len(ANIMALS)]}".title()
