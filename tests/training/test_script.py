"""The command line of the training scripts."""

import pytest

from pocketmars_training import solo
from pocketmars_training.exploit import ExploitSettings
from pocketmars_training.self_play import SelfPlaySettings
from pocketmars_training.solo import SoloSettings
from tests.training.tiny import given


def test_an_option_takes_several_values() -> None:
    words = "--run runs/x --players 2 3 --seed 5 --players 4 --bots=greedy planner random --net-arch 8 8"
    settings = given(SelfPlaySettings, *words.split())
    assert (settings.players, settings.seed, settings.net_arch) == ((2, 3, 4), 5, (8, 8))
    assert settings.bots == ("greedy", "planner", "random")
    assert given(ExploitSettings, "planner", "--players", "3", "--run", "runs/x").policy == "planner"


def test_a_game_has_its_own_defaults() -> None:
    words = ["--run", "runs/x", "--game", "project_mars"]
    assert given(SelfPlaySettings, *words).players == (2,)


@pytest.mark.parametrize(
    "words",
    [[], ["--run", "x", "--seed"], ["--run", "x", "--seed", "-1"], ["--run", "x", "--level", "hard"]],
    ids=" ".join,
)
def test_a_bad_option_ends_the_script_with_2(words: list[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        given(SoloSettings, *words)
    assert exit.value.code == 2


@pytest.mark.parametrize(("columns", "most"), [(80, 100), (100, 100), (5, 400)])
def test_the_help_fits_on_two_screens(
    columns: int, most: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.argv", ["pocketmars train solo", "--help"])
    with pytest.raises(SystemExit):
        solo.main()
    assert len(capsys.readouterr().out.splitlines()) <= most
