"""Rendering of positions, for the PettingZoo and Gymnasium environments except `DeviceVectorEnv`."""

from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

import gymnasium

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.presentation.presenting import presentation_of
from pocketmars_env.core.settings import check_choice
from pocketmars_env.core.svg.pixels import missing_extra, picture_pixels
from pocketmars_env.core.svg.themes import THEMES
from pocketmars_env.drawing.window import Window

RENDER_MODES: dict[str, tuple[str, ...]] = {
    "ansi": (),
    "rgb_array": ("resvg_py", "PIL"),
    "svg": (),
    "human": ("resvg_py", "PIL", "pygame"),
}
"""The modules of the extra ``render`` that each render mode needs. The modes are colored text,
``(H, 1000, 3)`` uint8 pixels, an SVG document, and a window."""
PICTURES_PER_SECOND = 4
"""The maximum frame rate of windows, and the frame rate of videos (``metadata["render_fps"]``)."""
ALL = "all"


def missing_modules(mode: str) -> list[str]:
    """Return the modules that a render mode needs and that are not installed."""
    return [module for module in RENDER_MODES[mode] if find_spec(module) is None]


def installed_modes(modes: Iterable[str] = RENDER_MODES) -> list[str]:
    """Return the render modes whose modules are installed, for ``metadata["render_modes"]``."""
    return [mode for mode in modes if not missing_modules(mode)]


class Renderer:
    """A renderer of positions in one render mode. Copies of a renderer open their own windows.

    The viewpoint `view` is a seat, ``"all"`` for all hidden information, or the word `own_view`, such as
    ``"learner"``, for the seat that is passed to `render`. `modes` are the accepted render modes.
    """

    def __init__(
        self,
        spec: GameSpec,
        mode: str | None,
        view: int | str,
        theme: str,
        seats: int,
        own_view: str,
        modes: tuple[str, ...] = tuple(RENDER_MODES),
    ) -> None:
        if mode is not None:
            check_choice("render_mode", mode, modes)
            if missing := missing_modules(mode):
                raise missing_extra(missing[0])
        if view not in (ALL, own_view) and not (type(view) is int and 0 <= view < seats):
            raise ValueError(
                f"render_view must be in 0..{seats - 1}, {own_view!r} or {ALL!r}, got {quoted(view)}"
            )
        check_choice("render_theme", theme, tuple(THEMES))
        self.spec = spec
        self.mode = mode
        self.view = view
        self.theme = theme
        self._own_view = own_view
        self._window: Window | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None}

    def render(self, states: States, own_seat: int) -> Any:
        """Render a position, ``(1,)`` state records, in the format of the render mode; None for a window.

        `own_seat` is the viewpoint if `view` equals `own_view`.
        """
        if self.mode is None:
            gymnasium.logger.warn("render() was called, but the environment was made without a render_mode.")
            return None
        presentation = presentation_of(self.spec)
        seat_view = presentation.seat_view(states, self._viewpoint(own_seat))
        if self.mode == "ansi":
            return presentation.text(seat_view)
        picture = presentation.picture(seat_view, THEMES[self.theme])
        if self.mode == "svg":
            return picture.svg()
        pixels = picture_pixels(picture)
        if self.mode == "rgb_array":
            return pixels
        if self._window is None:
            self._window = Window(self.spec.title, PICTURES_PER_SECOND)
        self._window.show(pixels)
        return None

    def _viewpoint(self, own_seat: int) -> int | None:
        """Return the seat whose view is shown, or None to show all hidden information."""
        if self.view == ALL:
            return None
        return own_seat if self.view == self._own_view else int(self.view)

    def close(self) -> None:
        """Close the window, if it is open; the next picture opens a new window."""
        if self._window is not None:
            self._window.close()
            self._window = None
