"""SVG is well-formed whatever it is given, and text fits its place."""

from xml.etree import ElementTree

from sevenhues.render.svg import Svg, escape, fitted, number, text_width, wrapped
from sevenhues.render.text_picture import text_picture


def test_numbers_have_at_most_one_decimal() -> None:
    assert [number(value) for value in (3, 3.0, -0.04, 2.25, 1 / 3)] == ["3", "3", "0", "2.2", "0.3"]


def test_text_is_escaped_and_what_xml_forbids_is_replaced() -> None:
    assert escape('<Ada> & "Bo"\x00\u202e') == "&lt;Ada&gt; &amp; &quot;Bo&quot;\ufffd\ufffd"
    svg = Svg(10, 10, "<title>\ud800")
    svg.text(0, 0, "</text><script>", 10, "#000")
    svg.add("rect", fill='"/><script>')
    root = ElementTree.fromstring(svg.document())
    assert [element.tag.rpartition("}")[2] for element in root.iter()] == ["svg", "title", "text", "rect"]


def test_long_text_is_shortened_to_its_place() -> None:
    assert fitted("Ada", 20, 200) == "Ada"
    short = fitted("Maximiliane von Hohenstein", 20, 120)
    assert short.endswith("…")
    assert text_width(short, 20) <= 120
    assert len(fitted("名前名前名前名前名前", 20, 120)) < len(short)  # each is as wide as the font is high


def test_sentences_are_wrapped_and_end_with_an_ellipsis() -> None:
    lines = wrapped("Mira played card three blind and green came up at the end of the row", 20, 200, 3)
    assert (len(lines), lines[-1][-1]) == (3, "…")
    assert all(text_width(line, 20) <= 200 for line in lines)
    assert wrapped("Short.", 20, 200, 3) == ["Short."]


def test_default_picture_shows_every_line_of_the_text() -> None:
    root = ElementTree.fromstring(text_picture("a  b\n\n" + "x" * 130, ["Ada"]))
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["seat\xa00:\xa0Ada", "a\xa0\xa0b", "x" * 120, "\xa0\xa0\xa0\xa0" + "x" * 10]
