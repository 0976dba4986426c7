"""How a page is displayed: language, size of the window, colours and typeface, switched without reloading it."""

from typing import Any, NamedTuple

from tests.browser.languages import ENGLISH
from tests.browser.typefaces import Typefaces
from tests.browser.user import DESKTOP, PHONE, ZOOMED, User

# Windows that every page and board fits, by name: phones with and without bars, both ways up, tablets, laptops.
WINDOWS = {
    f"{width}×{height}": (width, height)
    for width, height in (
        (360, 560),
        (390, 664),
        (390, 844),
        (740, 360),
        (844, 390),
        (768, 1024),
        (1024, 768),
        (1280, 650),
        (1366, 650),
        (1440, 900),
        (1920, 1080),
    )
}
SIZES: dict[str, dict[str, Any]] = {
    "phone": {**PHONE, "deviceScaleFactor": 1, "mobile": True},
    "desktop": {**DESKTOP, "deviceScaleFactor": 1, "mobile": False},
    **{
        f"zoom {zoom}": {side: ZOOMED[side] // zoom for side in ZOOMED} | {"deviceScaleFactor": zoom, "mobile": False}
        for zoom in (2, 4)
    },
    **{
        name: {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        for name, (width, height) in WINDOWS.items()
    },
}


class View(NamedTuple):
    """A way to display a page."""

    language: str = ENGLISH
    size: str = "desktop"
    theme: str = "auto"
    dark: bool = False  # the device, not the theme
    forced: bool = False  # colours
    face: str = ""  # the client's own, or "wide" or "narrow"

    def __str__(self) -> str:
        device = [self.size, "dark" * self.dark, "forced colours" * self.forced, f"{self.face} face" * bool(self.face)]
        return ", ".join([self.language, *filter(None, device)])


class Display:
    """Switches the view of a user's page. The user must have been made for the desktop."""

    def __init__(self, user: User, typefaces: Typefaces) -> None:
        self._user = user
        self._typefaces = typefaces
        self._device = user.context.new_cdp_session(user.page)
        self._size, self._media, self._face = "desktop", (False, False), ""

    def show(self, view: View) -> None:
        """Switch to a view, and wait until the page is ready in it."""
        page = self._user.page
        if view.size != self._size:
            self._size = view.size
            metrics = SIZES[view.size]
            self._device.send("Emulation.setDeviceMetricsOverride", metrics)
            self._device.send("Emulation.setTouchEmulationEnabled", {"enabled": metrics["mobile"]})
        if (view.dark, view.forced) != self._media:
            self._media = (view.dark, view.forced)
            page.emulate_media(
                color_scheme="dark" if view.dark else "light", forced_colors="active" if view.forced else "none"
            )
        if view.face:
            self._typefaces.show(page, view.face)
        elif self._face:
            self._typefaces.show_own(page)
        self._face = view.face
        self._user.choose(language=view.language, theme=view.theme)
        self._user.ready()
        shown = page.evaluate("[document.documentElement.lang, document.documentElement.clientWidth]")
        assert shown == [view.language, SIZES[view.size]["width"]]
