"""Words that no name may contain: a built-in list of slurs and insults, which an operator extends."""

import re
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final
from unicodedata import normalize

from sevenhues.core.errors import SevenHuesError
from sevenhues.server.accounts.names import skeleton

BUILT_IN: Final = Path(__file__).with_name("name_words.txt")
MAX_WORD: Final = 40  # characters
# Digits and signs that stand for letters in words, beside those that look alike in every name.
SIGNS: Final = str.maketrans("34789@$+€", "eatbgaste")
# A word is a run of letters, digits and signs. A capital after a small letter begins another one.
WORD: Final = re.compile(r"[^\W_@$!|+€]+|[^\W_]*[@$!|+€][\w@$!|+€]*")
HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
REPEATED: Final = re.compile(r"(.)\1{2,}")
# Kana and Chinese characters, whose words match anywhere.
UNSPACED: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
KATAKANA: Final = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}  # to hiragana


class NameWords:
    """Recognises names with words of a list."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._words: set[str] = set()
        self._beginnings: set[str] = set()
        self._anywhere: set[str] = set()
        for line in lines:
            text = " ".join(line.partition("#")[0].split())
            if not text:
                continue
            if UNSPACED.search(text):
                self._anywhere.add(_kana(text))
            else:
                (self._beginnings if text.endswith("*") else self._words).add(_plain(text.removesuffix("*")))

    def refuses(self, name: str) -> bool:
        """Tell whether a name contains a word of the list."""
        text = _kana(name)
        return any(word in text for word in self._anywhere) or any(map(self._has, _words_of(name)))

    def allows(self, name: str) -> bool:
        """Tell whether a name contains no word of the list."""
        return not self.refuses(name)

    def _has(self, word: str) -> bool:
        return word in self._words or any(word.startswith(beginning) for beginning in self._beginnings)


@cache
def built_in_lines() -> tuple[str, ...]:
    return tuple(BUILT_IN.read_text(encoding="utf-8").splitlines())


def load_words(path: Path | None) -> NameWords:
    """Return the built-in words and those of a file; raise SevenHuesError if the file cannot be used."""
    if path is None:
        return NameWords(built_in_lines())
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SevenHuesError(f"cannot read the name words in {path}: {reason}") from None
    for number, line in enumerate(lines, 1):
        word = line.partition("#")[0].strip()
        if word and (len(word) > MAX_WORD or not any(letter.isalnum() for letter in word)):
            raise SevenHuesError(f"{path}, line {number}: write one word of at most {MAX_WORD} letters, or word*")
    return NameWords((*built_in_lines(), *lines))


def _words_of(name: str) -> set[str]:
    """Return the words of a name in their plain form, also pairs of words and letters that stand alone, joined."""
    parts = WORD.findall(normalize("NFKC", name))
    parts = [part for whole in parts for part in (HUMP.split(whole) if not whole.isupper() else [whole])]
    plain = [_plain(part) for part in parts]
    joined = {first + second for first, second in pairwise(plain)}
    letters = "".join(part if len(part) == 1 else " " for part in plain).split()
    bare = [_plain(part.strip("!|+")) for part in parts]
    return {*plain, *bare, *joined, *letters, *(_plain(part) for part in WORD.findall(name))}


def _plain(text: str) -> str:
    """Return a word as it is compared: by what names that look alike have in common, without repeated letters."""
    return REPEATED.sub(r"\1", skeleton(text.casefold().translate(SIGNS)))


def _kana(text: str) -> str:
    return normalize("NFKC", text).translate(KATAKANA).casefold().replace(" ", "")
