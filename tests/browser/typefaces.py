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

# Registers faces that the document does not have yet, and puts them first for all text, or takes them away again.
SWAP = """async ([name, faces]) => {
    const style = document.documentElement.style;
    for (const variable of ["--sans", "--serif"]) style.removeProperty(variable);
    if (!name) return;
    const own = getComputedStyle(document.documentElement);
    const families = new Map(["--sans", "--serif"].map((each) => [each, own.getPropertyValue(each)]));
    window.testFaces ??= new Set();
    for (const { variable, weights, data } of faces) {
        const family = `Test ${name} ${variable.slice(2)}`;
        if (!window.testFaces.has(family + weights)) {
            const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
            document.fonts.add(await new FontFace(family, bytes, { weight: weights }).load());
            window.testFaces.add(family + weights);
        }
        style.setProperty(variable, `"${family}", ${families.get(variable)}`);
    }
}"""


class Typefaces:
    """Makes faces by measuring those of a page, once, and swaps them in."""

    def __init__(self) -> None:
        self._faces: dict[str, list[dict[str, str]]] = {}

    def swap(self, page: Page, name: str) -> None:
        """Show all text in a `wide` or `narrow` face; or, with an empty name, in the client's own."""
        if name and not self._faces:
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
        page.evaluate(SWAP, [name, self._faces.get(name, [])])


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
