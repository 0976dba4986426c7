"""SVG pictures as pixels, by resvg and Pillow from the extra `pictures`.

Text is written in the fonts beside this module, so a picture looks the same on every machine, also on one without
fonts. Only a name in letters that these fonts lack is written in the fonts of the machine.
"""

from io import BytesIO
from pathlib import Path
from typing import Any

FONTS = Path(__file__).parent / "fonts"
# The fonts have the letters of European languages. The monospaced one also has arrows, boxes and signs of drawings as
# text.
LETTERS = frozenset(
    [*range(0x20, 0x138), *range(0x139, 0x17F), *map(ord, "\n–—‘’“”…•"), *range(0x2190, 0x2194), *range(0x2500, 0x25A0)]
    + [ord(sign) for sign in "■▪▲▶▼◆○●★☆♠♣♥♦\N{REPLACEMENT CHARACTER}"]
)


class PicturesMissing(ImportError):
    """The packages that draw pixels are not installed."""


def require_rasterizer() -> Any:
    """Return resvg; raise PicturesMissing if it or Pillow is not installed."""
    try:
        import PIL.Image as _  # noqa: F401
        import resvg_py
    except ImportError as error:
        raise PicturesMissing(
            'a picture in pixels needs resvg-py and Pillow: pip install "sevenhues[pictures]"'
        ) from error
    return resvg_py


def png(svg: str, width: int | None = None) -> bytes:
    """Return a picture as PNG; `width` is in pixels and by default that of the picture."""
    resvg = require_rasterizer()
    drawn: bytes = bytes(
        resvg.svg_to_bytes(
            svg_string=svg,
            width=width,
            font_files=[str(path) for path in sorted(FONTS.glob("*.ttf"))],
            skip_system_fonts=LETTERS.issuperset(map(ord, svg)),
            serif_family="Hues Serif",
            sans_serif_family="Hues Sans",
            monospace_family="Hues Mono",
        )
    )
    return drawn


def rgb_array(svg: str, width: int | None = None) -> Any:
    """Return a picture as a NumPy array of red, green and blue: (height, width, 3), uint8."""
    data = png(svg, width)
    # Imported lazily: the command line imports this module and seldom needs pixels.
    import numpy as np
    from PIL import Image

    return np.asarray(Image.open(BytesIO(data)).convert("RGB"), np.uint8).copy()
