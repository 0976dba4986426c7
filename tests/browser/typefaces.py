"""Typefaces that are wider and narrower than the client's own, made from DejaVu, which comes with matplotlib."""

import base64
import io
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
from fontTools.pens.recordingPen import DecomposingRecordingPen  # type: ignore[import-untyped]
from fontTools.pens.transformPen import TransformPen  # type: ignore[import-untyped]
from fontTools.pens.ttGlyphPen import TTGlyphPen  # type: ignore[import-untyped]
from fontTools.subset import Options, Subsetter  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from playwright.sync_api import Page

FOLDER = Path(matplotlib.get_data_path()) / "fonts/ttf"
LATIN = [*range(0x20, 0x17F), *range(0x2010, 0x2040), 0x20AC, 0x2190, 0x2192, 0x2212, 0x2713, 0x25CF]
# Letters about as often as in English, Dutch and German texts.
SAMPLE = "Die zweite Karte liegt offen auf dem Tisch. Speel een kaart of draai er een om. Your turn: play any card."

WIDTHS = {"wide": 1.25, "narrow": 0.75}  # of the client's own


class Face(NamedTuple):
    """A face that stands in for one of the client's, which is named by its CSS variable and weight."""

    variable: str
    file: str
    weights: str
    measured_at: int


FACES = (
    Face("--sans", "DejaVuSans.ttf", "100 500", 400),
    Face("--sans", "DejaVuSans-Bold.ttf", "501 1000", 600),
    Face("--serif", "DejaVuSerif-Bold.ttf", "100 1000", 700),
)

MEASURE = """async ([variable, weight, sample]) => {
    const [family] = getComputedStyle(document.documentElement).getPropertyValue(variable).split(",");
    await document.fonts.load(`${weight} 100px ${family}`, sample);
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.font = `${weight} 100px ${family}`;
    return canvas.measureText(sample).width / 100;
}"""

REGISTER = """async ([name, faces]) => {
    for (const { variable, weights, data } of faces) {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        const face = new FontFace(`Test ${name} ${variable.slice(2)}`, bytes, { weight: weights });
        document.fonts.add(await face.load());
    }
}"""
# Puts the faces first for all text; tells whether the document has them.
SHOW = """(name) => {
    const { style } = document.documentElement;
    for (const variable of ["--sans", "--serif"]) style.removeProperty(variable);
    const own = getComputedStyle(document.documentElement);
    for (const variable of ["--sans", "--serif"])
        style.setProperty(variable, `"Test ${name} ${variable.slice(2)}", ${own.getPropertyValue(variable)}`);
    return [...document.fonts].some(({ family }) => family.includes(`Test ${name} `));
}"""
OWN = "for (const each of ['--sans', '--serif']) document.documentElement.style.removeProperty(each)"


class Typefaces:
    """Makes faces by measuring those of a page, once, and swaps them in."""

    def __init__(self) -> None:
        self._faces: dict[str, list[dict[str, str]]] = {}

    def show_own(self, page: Page) -> None:
        page.evaluate(OWN)

    def show(self, page: Page, name: str) -> None:
        """Show all text in a `wide` or `narrow` face."""
        if not self._faces:
            advances = [page.evaluate(MEASURE, [face.variable, face.measured_at, SAMPLE]) for face in FACES]
            for width, factor in WIDTHS.items():
                self._faces[width] = [
                    {
                        "variable": face.variable,
                        "weights": face.weights,
                        "data": stretched(face.file, factor * advance),
                    }
                    for face, advance in zip(FACES, advances, strict=True)
                ]
        if not page.evaluate(SHOW, name):
            page.evaluate(REGISTER, [name, self._faces[name]])


@cache
def stretched(file: str, advance: float) -> str:
    """Stretch a face across so that the sample is that many ems long; return it in Base64."""
    font: Any = TTFont(FOLDER / file)
    options = Options(layout_features=[], hinting=False, notdef_outline=True)
    options.drop_tables += ["FFTM", "GPOS", "GSUB", "GDEF", "kern"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=LATIN)
    subsetter.subset(font)
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    factor = advance * font["head"].unitsPerEm / sum(font["hmtx"][names[ord(letter)]][0] for letter in SAMPLE)
    drawn = {}
    for name in font.getGlyphOrder():
        recording, pen = DecomposingRecordingPen(glyphs), TTGlyphPen(None)
        glyphs[name].draw(recording)
        recording.replay(TransformPen(pen, (factor, 0, 0, 1, 0, 0)))
        drawn[name] = pen.glyph()
    for name, glyph in drawn.items():
        font["glyf"][name] = glyph
        width, left = font["hmtx"][name]
        font["hmtx"][name] = (round(width * factor), round(left * factor))
    written = io.BytesIO()
    font.save(written)
    return base64.b64encode(written.getvalue()).decode()
