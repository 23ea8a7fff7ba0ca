"""A window on the screen that shows one picture after the other."""

import os
from typing import TYPE_CHECKING

from pocketmars_env.core.svg.extra import render_extra
from pocketmars_env.drawing.shared_palette import Frame

if TYPE_CHECKING:
    import pygame


class Window:
    """A window; it opens with the first picture, and waits for nobody.

    Who closes it on the screen sees no more pictures in it; the program goes on. There may be several
    windows, also other parts of the program's.

    Args:
        title: what stands above it.
        pictures_per_second: at most so many are shown; a picture that comes earlier waits.

    Attributes:
        is_closed: whether it has been closed, by `close` or on the screen.

    """

    def __init__(self, title: str, pictures_per_second: float) -> None:
        self.title = title
        self.pictures_per_second = pictures_per_second
        self.is_closed = False
        self._window: pygame.Window | None = None
        self._clock: pygame.Clock

    def show(self, picture: Frame) -> None:
        """Show a picture ``(H, W, 3)`` uint8, RGB; nothing if the window has been closed.

        Raises:
            ModuleNotFoundError: if the extra ``render`` is not installed; says how to install it.
            RuntimeError: if there is no screen; says what works without.

        """
        if self.is_closed:
            return
        with render_extra():
            # pygame greets on the standard output, which belongs to the program.
            os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
            import pygame
        size = picture.shape[1], picture.shape[0]
        if self._window is None:
            self._window = self._open(size)
            self._clock = pygame.Clock()
        for event in pygame.event.get(pygame.WINDOWCLOSE):
            if event.window == self._window:
                self.close()
                return
            pygame.event.post(event)
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
            raise RuntimeError(f'no window: {error}; without a screen use render_mode="rgb_array"') from error

    def close(self) -> None:
        """Close the window for good; again does nothing."""
        self.is_closed = True
        if self._window is not None:
            self._window.destroy()
            self._window = None
