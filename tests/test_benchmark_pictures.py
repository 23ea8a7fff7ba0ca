"""The measure of pictures runs and names what it measured; nothing here is timed."""

import pytest

from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.speed import pictures

pytest.importorskip("resvg_py")
pytest.importorskip("PIL")


def test_every_kind_of_picture_is_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "MEASURED_FRAMES", 2)
    pictures.main(["--games", "3"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition("median")[0].strip() for line in lines] == [
        "rgb_array, the first of the process",
        "rgb_array, the first of another game",
        "rgb_array, later ones",
        "SVG",
    ]
    assert {name: len(times) for name, times in pictures.measured(SPEC, 3).items()} == {
        "rgb_array, the first of the process": 1,
        "rgb_array, the first of another game": 2,
        "rgb_array, later ones": 6,
        "SVG": 6,
    }


def test_no_games_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        pictures.main(["--games", "0"])
    assert "--games must be at least 1, got 0" in capsys.readouterr().err
