"""Names with words of the list are refused, and names that only contain them are not."""

from pathlib import Path

import httpx
import pytest

from sevenhues.core.errors import SevenHuesError
from sevenhues.server.accounts.name_words import NameWords, built_in_lines, load_words
from sevenhues.server.accounts.names import clean_name
from sevenhues.server.table.ids import ADJECTIVES, ANIMALS
from tests.server.process import ServerProcess

REFUSED = [
    "Fuck",
    "FUCK you",
    "f u c k",
    "f.u.c.k",
    "f_u_c_k",
    "F-U-C-K 2",
    "fuuuuck",
    "F\u00fcck",
    "\uff26\uff55\uff43\uff4b",
    "f\u03c5ck",  # Greek upsilon
    "fu\u0441k",  # Cyrillic es
    "fucker99",
    "BigFuck",
    "sh1t",
    "$hit",
    "5hit!",
    "a$$hole",
    "Ass Hole",
    "n1gg3r",
    "NiGGeR",
    "H1tl3r",
    "Heil Hitler",
    "Nazi",
    "kys",
    "Kut Kut",
    "kankerlijer",
    "klootzak1",
    "Arschl\u00f6cher",
    "Arschloch123",
    "Hurensohn",
    "fick dich",
    "\u6b7b\u306d",
    "\u304a\u524d\u6b7b\u306d\u3088",
    "\u30ec\u30a4\u30d7",
    "\u308c\u3044\u3077",  # the same in hiragana
    "\uff77\uff81\uff76\uff9e\uff72",  # in half-width katakana
]
ACCEPTED = [
    "Scunthorpe",
    "Assen",
    "Penistone",
    "Lightwater",
    "Cockburn",
    "Dickens",
    "Hancock",
    "Van Dyke",
    "Essex",
    "Nazir",
    "Nazim",
    "Nigel",
    "Nigeria",
    "Negroni",
    "Pakistan",
    "Matsushita",
    "Shiitake",
    "Kutner",
    "Lulu",
    "Slutsky",
    "Cuntz",
    "Spicy",
    "Fagan",
    "Fickle",
    "Ficker",
    "Hurley",
    "Bastian",
    "Analyst",
    "Cumberland",
    "Rapunzel",
    "Mira",
    "\u306f\u304b\u305f",
    "\u3070\u304b\u3075",
    "\u30b7\u30cd\u30de",
    "\u6b7b\u795e",
    "\u7530\u4e2d",
    "\u0410\u043d\u043d\u0430",
    "\U0001f308 7",
]


@pytest.fixture(scope="module")
def words() -> NameWords:
    return load_words(None)


@pytest.mark.parametrize("name", REFUSED)
def test_abusive_name_is_refused(words: NameWords, name: str) -> None:
    assert clean_name(name) is not None
    assert words.refuses(name)


@pytest.mark.parametrize("name", ACCEPTED)
def test_name_that_only_contains_or_resembles_a_word_is_accepted(words: NameWords, name: str) -> None:
    assert clean_name(name) is not None
    assert not words.refuses(name)


def test_names_of_guests_are_accepted(words: NameWords) -> None:
    names = [f"{one} {other}".title() for one in ADJECTIVES for other in ANIMALS]
    assert [name for name in names if words.refuses(name)] == []


@pytest.mark.parametrize(
    "name",
    [
        "Ada\x07",  # a bell
        "Ada\x1b[31m",  # an escape sequence
        "Ada\x7f",
        "Ada\x85",
        "Ada\u061c",  # Arabic letter mark
        "Ada\u200e",  # left-to-right mark
        "Ada\u200f",
        "Ada\u202a",
        "Ada\u202b",
        "Ada\u202c",
        "Ada\u202d",
        "Ada\u202e",
        "Ada\u2066",
        "Ada\u2067",
        "Ada\u2068",
        "Ada\u2069",
        "Ada\u2028b",  # line separator, which becomes a space unless it is at the end
        "Ada\u206f",
        "Ada\ufeff",
        "Ada\ue000",  # private use
        "Ada\U000e0041",  # a tag
        "Ada\ud800",  # half a pair
        "Ada\uffff",
    ],
)
def test_control_characters_and_bidirectional_overrides_are_refused_or_removed(name: str) -> None:
    clean = clean_name(name)
    assert clean in (None, "Ada", "Ada b")


def test_words_of_the_operator_are_added_to_the_built_in_ones(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("# ours\n\nAdmin*\nsevenhues  # the site\nrude word\n\u7ba1\u7406\u4eba\n", encoding="utf-8")
    words = load_words(file)
    for name in (
        "Admin",
        "4dmin",
        "Administrator",
        "Seven hues",
        "SEVENHUES",
        "Rude Word",
        "\u7ba1\u7406\u4eba\uff01",
        "fuck",
    ):
        assert words.refuses(name), name
    for name in ("Badminton", "sevenhuesfan", "Rude", "Word"):
        assert words.allows(name), name


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "No such file"), (b"\xff", "not UTF-8"), (b"ok\n***\n", "line 2"), (b"x" * 50, "line 1")],
)
def test_unusable_file_of_words_is_refused(tmp_path: Path, content: bytes | None, message: str) -> None:
    file = tmp_path / "words.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SevenHuesError, match=message):
        load_words(file)


def test_every_built_in_word_refuses_itself() -> None:
    words = load_words(None)
    for line in built_in_lines():
        word = line.partition("#")[0].strip()
        assert not word or words.refuses(word.removesuffix("*")), word


@pytest.mark.slow
def test_abusive_name_is_refused_wherever_names_are_chosen(server: ServerProcess) -> None:
    with httpx.Client(base_url=server.url, timeout=60) as http:
        http.get("/api/me")
        seats = [{"kind": "me"}, {"kind": "open"}]
        table = http.post("/api/tables", json={"game": "rainbow", "seats": [{"kind": "open"}] * 2}).json()["id"]
        bad = {"name": "Fuck"}
        answers = [
            http.patch("/api/me", json=bad),
            http.post(f"/api/tables/{table}/join", json=bad),
            http.post("/api/tables", json={"game": "rainbow", "seats": [seats[0] | bad, seats[1]]}),
        ]
        assert [answer.status_code for answer in answers] == [400, 400, 400]
        assert "word that this server refuses" in answers[0].json()["text"]
