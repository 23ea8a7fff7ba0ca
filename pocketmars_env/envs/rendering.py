"""What `render` of all environments does: the table as somebody sees it, in one of several forms."""

from typing import TYPE_CHECKING, Any

import gymnasium

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.presentation import presentation_of
from pocketmars_env.core.settings import check_choice
from pocketmars_env.core.svg.themes import theme_named

if TYPE_CHECKING:
    from pocketmars_env.drawing.window import Window

RENDER_MODES = ("ansi", "rgb_array", "svg", "human")
"""Text in colours; ``(H, 1000, 3)`` uint8; a picture as text; a window on the screen."""
PICTURES_PER_SECOND = 4
"""In a window, and in videos unless said otherwise."""
RENDER_THEMES = ("light", "dark")
ALL = "all"


class Renderer:
    """Shows tables in one form, and from one point of view.

    Copies open windows of their own.

    Args:
        spec: the game that is played.
        mode: one of `RENDER_MODES`, or None: `render` then warns and shows nothing.
        view: who sees the table: a seat, ``"all"``, or `own`.
        theme: one of `RENDER_THEMES`.
        seats: how many there are at the table.
        own: the name of the point of view that shows nothing which the seat that decides may not know.
        modes: those of `RENDER_MODES` that are accepted.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    def __init__(
        self,
        spec: GameSpec,
        mode: str | None,
        view: int | str,
        theme: str,
        seats: int,
        own: str,
        modes: tuple[str, ...] = RENDER_MODES,
    ) -> None:
        if mode is not None:
            check_choice("render_mode", mode, modes)
        if view not in (ALL, own) and not (type(view) is int and 0 <= view < seats):
            raise ValueError(f"render_view must be in 0..{seats - 1}, {own!r} or {ALL!r}, got {view!r}")
        check_choice("render_theme", theme, RENDER_THEMES)
        self.spec = spec
        self.mode = mode
        self.view = view
        self.theme = theme
        self._own = own
        self._window: Window | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None}

    def render(self, states: States, own_seat: int) -> Any:
        """A table in the form of `mode`, by Gymnasium's rules.

        Args:
            states: ``(1,)`` `STATE`.
            own_seat: the seat of the view `own`.

        Returns:
            A string for ``"ansi"`` and ``"svg"``, pixels for ``"rgb_array"``, otherwise None.

        Raises:
            ModuleNotFoundError: if the extra ``render`` is needed and not installed.
            RuntimeError: if there is no screen for the window.

        """
        if self.mode is None:
            gymnasium.logger.warn("render() was called, but the environment was made without a render_mode.")
            return None
        presentation = presentation_of(self.spec)
        table = presentation.table(states, self._viewpoint(own_seat))
        if self.mode == "ansi":
            return presentation.text(table)
        picture = presentation.picture(table, theme_named(self.theme))
        if self.mode == "svg":
            return picture.svg()
        # Environments are made far more often without pictures than with them.
        from pocketmars_env.core.svg.pixels import picture_pixels
        from pocketmars_env.drawing.window import Window

        pixels = picture_pixels(picture)
        if self.mode == "rgb_array":
            return pixels
        if self._window is None:
            self._window = Window(self.spec.title, PICTURES_PER_SECOND)
        self._window.show(pixels)
        return None

    def _viewpoint(self, own_seat: int) -> int | None:
        """The seat whose knowledge is shown, or None for all cards."""
        if self.view == ALL:
            return None
        return own_seat if self.view == self._own else int(self.view)

    def close(self) -> None:
        """Close the window, if one is open; the next picture opens another."""
        if self._window is not None:
            self._window.close()
            self._window = None
