"""Every environment renders in every mode and shows no card that is hidden from its viewpoint."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.save_video import save_video
from gymnasium.wrappers import AddRenderObservation, HumanRendering, RecordVideo
from gymnasium.wrappers.vector import RecordVideo as RecordVideos
from pettingzoo.test import render_test

from pocketmars_env import Game
from pocketmars_env.core.presentation.presenting import presentation_of, seat_view_of
from pocketmars_env.core.svg.pixels import picture_pixels
from pocketmars_env.core.svg.themes import THEMES
from pocketmars_env.envs import rendering
from pocketmars_env.pocketmars_v1 import SoloEnv, SoloVectorEnv, TableEnv, TableVectorEnv, env, raw_env
from tests.drawing.positions import picture_of
from tests.envs.playing import pickled, play, play_learner, started
from tests.modes import MODES

pytest.importorskip("resvg_py")
pytest.importorskip("PIL")
pytest.importorskip("pygame")
ROUNDS = 2
"""Round limit of the recorded games: drawing each frame takes time."""


@pytest.fixture(autouse=True)
def _no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(rendering, "PICTURES_PER_SECOND", 1000)  # nobody is watching


def pictures(game: Game, viewpoint: int | None, theme: str = "light") -> dict[str, Any]:
    """Return the expected output of each render mode."""
    picture = picture_of(game, viewpoint, theme)
    return {
        "ansi": presentation_of(game.spec).text(seat_view_of(game, viewpoint)),
        "svg": picture.svg(),
        "rgb_array": picture_pixels(picture),
    }


# --- PettingZoo -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["two", "four", "solo_da_agent"])
@pytest.mark.parametrize("make", [pytest.param(raw_env, marks=pytest.mark.slow), env])
def test_pettingzoo_is_content(make: Callable[..., Any], mode: str) -> None:
    def made(render_mode: str) -> Any:
        return make(**MODES[mode], render_mode=render_mode)

    render_test(made, custom_tests={"svg": lambda picture: picture.startswith("<svg ")})


@pytest.mark.parametrize("mode", ["ansi", "svg", "rgb_array"])
def test_by_default_only_what_the_asked_agent_knows_is_shown(mode: str) -> None:
    aec = started(5, players=3, render_mode=mode)
    seen = set()
    for _ in range(30):
        to_play = aec.game.to_play
        assert to_play is not None
        seen.add(to_play)
        assert np.array_equal(aec.render(), pictures(aec.game, to_play)[mode])
        aec.step(aec.game.legal[-1])
    assert len(seen) == 3


@pytest.mark.parametrize(("view", "viewpoint"), [("all", None), (2, 2)])
@pytest.mark.parametrize("theme", THEMES)
def test_another_view_and_theme_can_be_chosen(view: str | int, viewpoint: int | None, theme: str) -> None:
    aec = started(5, env, players=3, render_mode="svg", render_view=view, render_theme=theme)
    assert aec.render() == pictures(aec.unwrapped.game, viewpoint, theme)["svg"]


def test_the_end_is_shown_as_seat_0_knows_it() -> None:
    aec = started(2, round_limit=1, render_mode="svg")
    play(aec)
    assert aec.render() == pictures(aec.game, 0)["svg"]
    assert "Game over" in aec.render()


# --- Gymnasium ------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["ansi", "svg", "rgb_array"])
@pytest.mark.parametrize(("view", "is_open"), [("learner", False), ("all", True), (0, False)])
def test_a_learner_is_shown_what_it_knows_unless_all_is_asked_for(
    mode: str, view: Any, is_open: bool
) -> None:
    seat = 0 if view == 0 else 1
    single = started(3, TableEnv, players=3, seat=seat, render_mode=mode, render_view=view)
    play_learner(single, 5)
    viewpoint = None if is_open else single.seat
    assert np.array_equal(single.render(), pictures(single.game, viewpoint)[mode])


@pytest.mark.parametrize("name", ["Solo-v1", "Table-v1"])
@pytest.mark.parametrize("mode", ["ansi", "rgb_array", "human", "svg"])
def test_gymnasiums_checks_are_content(name: str, mode: str) -> None:
    checked = started(make=gymnasium.make, id=f"pocketmars/{name}", render_mode=mode, round_limit=ROUNDS)
    play_learner(checked, 3)
    result = checked.render()
    assert (result is None) == (mode == "human")
    checked.close()


def test_pixels_as_observations_do_not_show_hidden_cards() -> None:
    game = TableEnv(players=2, seat=0, render_mode="rgb_array")
    observing = AddRenderObservation(game, render_only=True)
    observation, _ = observing.reset(seed=4)
    for seed in range(3):
        world = game.game.view(0).sample(np.random.default_rng(seed))
        assert np.array_equal(observation, pictures(world, 0)["rgb_array"])
    assert observing.observation_space.contains(observation)


def test_all_frames_of_an_episode() -> None:
    listing = gymnasium.make("pocketmars/Solo-v1", render_mode="rgb_array_list", round_limit=ROUNDS)
    listing.reset(seed=1)
    play_learner(listing, 4)
    frames: Any = listing.render()
    assert len(frames) == 5
    assert len({frame.shape for frame in frames}) == 1


# --- windows --------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [env, SoloEnv])
def test_a_window_follows_the_game_by_itself(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr("pocketmars_env.drawing.window.Window.show", lambda _, pixels: shown.append(pixels))
    made = started(make=make, render_mode="human")
    assert len(shown) == 1
    game = made.unwrapped.game
    for number in range(3):
        made.step(game.legal[0])
        assert len(shown) == 2 + number
        assert np.array_equal(shown[-1], pictures(game, game.to_play)["rgb_array"])
    made.close()
    made.close()


def test_copies_have_windows_of_their_own() -> None:
    first = started(render_mode="human")
    for second in (first.clone(), copy.deepcopy(first), pickled(first)):
        second.step(second.game.legal[0])
        second.close()
        first.render()
    first.close()


def test_gymnasiums_own_window_works_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SoloEnv.metadata, "render_fps", 1000)
    watched = HumanRendering(SoloEnv(render_mode="rgb_array"))
    watched.reset(seed=1)
    play_learner(watched, 2)
    watched.close()


# --- many tables ----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["ansi", "svg", "rgb_array"])
def test_many_tables_are_shown_each_as_its_learner_sees_it(mode: str) -> None:
    many = started(make=TableVectorEnv, num_envs=3, players=4, render_mode=mode)
    found = many.render()
    assert len(found) == 3
    for number, picture in enumerate(found):
        game = Game.from_state(many.games.states[number : number + 1])
        assert np.array_equal(picture, pictures(game, int(many.seats[number]))[mode])


# --- recorders ------------------------------------------------------------------------------------


@pytest.fixture
def films(tmp_path: Path) -> Path:
    pytest.importorskip("moviepy", reason="the recorders of Gymnasium and PettingZoo write with moviepy")
    return tmp_path / "films"


def check_film(path: Path, frames: int, tables: int = 1) -> None:
    """Check that a film has `frames` frames, each with `tables` tables side by side."""
    from moviepy import VideoFileClip

    with VideoFileClip(str(path)) as film:
        assert film.n_frames == frames
        assert film.fps == 4
        assert film.size[0] == 1000 * tables
        assert np.std(film.get_frame(0)) > 20, "a picture, not a blank"


def test_gymnasium_records_episodes(films: Path) -> None:
    made = gymnasium.make("pocketmars/Solo-v1", render_mode="rgb_array", round_limit=ROUNDS)
    recording = RecordVideo(made, str(films), episode_trigger=lambda _: True)
    recording.reset(seed=1)
    steps = len(play_learner(recording))
    recording.close()
    check_film(films / "rl-video-episode-0.mp4", steps + 1)


def test_gymnasium_saves_lists_of_frames(films: Path) -> None:
    game = Game(mode="solo", seed=1)
    frames = [pictures(game, 0)["rgb_array"] for _ in range(3)]
    save_video(frames, str(films), fps=4)
    check_film(films / "rl-video-episode-0.mp4", 3)


def test_gymnasium_records_many_tables(films: Path) -> None:
    # the recorder needs the last frame of an episode, which SAME_STEP would replace
    many = SoloVectorEnv(2, render_mode="rgb_array", autoreset_mode="NEXT_STEP")
    recording = RecordVideos(many, str(films), episode_trigger=lambda _: True, video_length=3)
    _, infos = recording.reset(seed=1)
    for _ in range(3):
        actions = infos["action_mask"].argmax(axis=1)
        _, _, _, _, infos = recording.step(actions)
    recording.close()
    (path,) = films.glob("*.mp4")
    check_film(path, 4, tables=2)  # the first frame, and three steps


def test_pettingzoo_records_episodes(films: Path) -> None:
    recorders = pytest.importorskip(
        "pettingzoo.utils.wrappers.record_video", reason="PettingZoo has a recorder from 1.27 on"
    )
    recording = recorders.RecordVideo(
        env(players=2, round_limit=1, render_mode="rgb_array"), str(films), episode_trigger=lambda _: True
    )
    recording.reset(seed=1)
    play(recording)
    recording.close()
    check_film(films / "rl-video-episode-0.mp4", len(recording.unwrapped.game.actions) + 1)
