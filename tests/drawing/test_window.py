"""Windows show pictures until they are closed."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from pocketmars_env.drawing.window import Window

pygame = pytest.importorskip("pygame")


@pytest.fixture(autouse=True)
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The windows that pygame opens during a test, with a video driver that needs no screen."""
    windows: list[Any] = []

    class RecordedWindow(pygame.Window):  # type: ignore[misc, name-defined]
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            windows.append(self)

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(pygame, "Window", RecordedWindow)
    return windows


def picture(seed: int, height: int = 40) -> Any:
    return np.random.default_rng(seed).integers(0, 256, (height, 60, 3), dtype=np.uint8)


def test_a_window_shows_pictures_of_any_size(opened: list[Any]) -> None:
    window = Window("Test", 1000)
    for seed, height in enumerate((40, 40, 70)):
        window.show(picture(seed, height))
        (shown,) = opened
        pixels = pygame.surfarray.array3d(shown.get_surface()).swapaxes(0, 1)
        assert np.array_equal(pixels, picture(seed, height))
        assert shown.title == "Test"
    window.close()


def test_a_closed_window_stays_closed(opened: list[Any]) -> None:
    window = Window("Test", 1000)
    window.show(picture(1))
    window.close()
    window.close()
    window.show(picture(2))
    assert window.is_closed
    assert len(opened) == 1


def test_the_user_closes_only_one_window(opened: list[Any]) -> None:
    first, second = Window("first", 1000), Window("second", 1000)
    first.show(picture(1))
    second.show(picture(2))
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=opened[1]))
    first.show(picture(3))
    assert not first.is_closed
    second.show(picture(4))
    assert second.is_closed
    first.close()


def test_the_user_closes_two_windows_at_once(opened: list[Any]) -> None:
    windows = Window("first", 1000), Window("second", 1000)
    for window in windows:
        window.show(picture(1))
    for shown in opened:
        pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=shown))
    for window in windows:
        window.show(picture(2))
        assert window.is_closed


def test_a_window_that_was_never_shown_can_be_closed() -> None:
    Window("Test", 4).close()


def test_the_frame_rate_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    class Clock:
        tick = staticmethod(waits.append)

    monkeypatch.setattr(pygame, "Clock", Clock)
    window = Window("Test", 4)
    window.show(picture(1))
    window.show(picture(2))
    window.close()
    assert waits == [4, 4]


def test_without_a_screen_the_error_says_what_works(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise pygame.error("No available video device")

    monkeypatch.setattr(pygame.display, "init", fail)
    with pytest.raises(RuntimeError, match="rgb_array"):
        Window("Test", 4).show(picture(1))


def test_without_the_extra_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(ModuleNotFoundError, match=r"\.\[render\]"):
        Window("Test", 4).show(picture(1))


def test_nothing_is_said_on_the_standard_output() -> None:
    script = (
        "import numpy; from pocketmars_env.drawing.window import Window; "
        "Window('Test', 4).show(numpy.zeros((4, 4, 3), dtype='uint8'))"
    )
    found = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert found.stdout == ""
