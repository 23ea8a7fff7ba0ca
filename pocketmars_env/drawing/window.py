"""A window that shows a sequence of pictures."""

import os
from typing import TYPE_CHECKING

from pocketmars_env.core.svg.pixels import Pixels, render_extra

if TYPE_CHECKING:
    import pygame


class Window:
    """A window that opens when the first picture is shown.

    After the user has closed the window, further pictures are ignored, and the program continues. Several
    windows can be open at the same time, including pygame windows of other libraries. `show` waits so that no
    more than `pictures_per_second` are shown.
    """

    def __init__(self, title: str, pictures_per_second: float) -> None:
        self.title = title
        self.pictures_per_second = pictures_per_second
        self.is_closed = False
        self._window: pygame.Window | None = None
        self._clock: pygame.Clock

    def show(self, picture: Pixels) -> None:
        """Show an RGB picture ``(H, W, 3)`` uint8, unless the window is closed."""
        if self.is_closed:
            return
        with render_extra():
            # Without this variable, pygame prints a greeting to standard output.
            os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
            import pygame
        size = picture.shape[1], picture.shape[0]
        if self._window is None:
            self._window = self._open(size)
            self._clock = pygame.Clock()
        for event in pygame.event.get(pygame.WINDOWCLOSE):
            if event.window == self._window:
                self.is_closed = True
            else:
                pygame.event.post(event)
        if self.is_closed:
            self.close()
            return
        if self._window.size != size:
            self._window.size = size
        pygame.surfarray.blit_array(self._window.get_surface(), picture.swapaxes(0, 1))
        self._window.flip()
        self._clock.tick(self.pictures_per_second)

    def _open(self, size: tuple[int, int]) -> "pygame.Window":
        import pygame

        try:
            pygame.display.init()
            return pygame.Window(self.title, size)
        except pygame.error as error:
            raise RuntimeError(
                f'cannot open a window: {error}; without a screen, use render_mode="rgb_array"'
            ) from error

    def close(self) -> None:
        """Close the window permanently; further calls to `show` and `close` do nothing."""
        self.is_closed = True
        if self._window is not None:
            self._window.destroy()
            self._window = None
