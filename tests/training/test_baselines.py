"""Baselines: the runs, their result files, and the page that is generated from them."""

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml
from msgspec.structs import replace
from numpy.typing import NDArray
from typer.testing import CliRunner

from baselines import maskable_ppo
from baselines.__main__ import PAGE, app, locked
from baselines.algorithms import ALGORITHMS, TASKS, Algorithm
from baselines.curves import curve_of
from baselines.full_game import MixedAgent
from baselines.masked_dqn import Buffer
from baselines.page import BEGIN, END, PLOT, plot, tables, write_page
from baselines.policies import policy_path
from baselines.recorder import Recorder
from baselines.results import Point, ResultError, RunResult, read_all, read_file, result_path
from pocketmars_agents import make_agent
from pocketmars_agents.bots.batched import BatchedAgent
from pocketmars_env.core.game import Views
from pocketmars_env.core.games import Games as FullGames
from pocketmars_env.envs.registration import ENVIRONMENTS, vector_env_class
from pocketmars_training.common.evaluation import evaluate

ROOT = Path(__file__).parents[2]
COMMITTED = ROOT / "training" / "baselines"

SMALL: dict[str, dict[str, Any]] = {
    "maskable_ppo": {"n_steps": 2, "batch_size": 64},
    "self_play_ppo": {"n_envs": 8, "train_freq": 200, "batch_size": 64, "net_arch": (16, 16)},
    "masked_dqn": {"n_envs": 8, "buffer_size": 200, "learning_starts": 50, "batch_size": 16},
    "expert_iteration": {
        "n_envs": 8,
        "train_freq": 100,
        "simulations": 4,
        "buffer_size": 200,
        "batch_size": 16,
    },
    "ppo_entropy": {"games": 4, "hidden": 16, "batch_size": 64},
    "mmd": {"games": 4, "hidden": 16, "batch_size": 64},
    "vrpo": {"games": 4, "hidden": 16, "batch_size": 64},
    "rnad": {"games": 4, "hidden": 16, "batch_size": 64},
    "psro": {"games": 4, "hidden": 16, "batch_size": 64, "decisions_per_oracle": 100, "payoff_games": 2},
    "nfsp": {"hidden_layers_sizes": [16], "min_buffer_size_to_learn": 50, "batch_size": 16},
}
"""Changes to the settings with which a run takes seconds."""


def result(**changes: Any) -> RunResult:
    """Create an invented result of a run."""
    points = (Point(0, 0.0, 0.0, 0.1), Point(500, 20.0, 10.0, 0.3), Point(1_000, 50.0, 30.0, 0.5))
    found = RunResult(
        algorithm="maskable_ppo",
        task="two_players",
        seed=1,
        total_steps=1_000,
        unit="decisions",
        command="python -m training.baselines run maskable_ppo two_players 1 --steps 1000",
        revision="abc",
        versions={"python": "3.11.7"},
        threads=1,
        settings={"n_steps": 64},
        curve_games=10,
        curve=points,
        final_games=20,
        final={"greedy": 0.5, "planner": 0.25},
        handicap_rating=None,
    )
    return replace(found, **changes)


@pytest.mark.parametrize("algorithm", SMALL)
def test_an_algorithm_writes_a_complete_result_and_its_policy(
    algorithm: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if algorithm == "nfsp":
        pytest.importorskip("tree", reason="OpenSpiel's NFSP needs dm-tree")
    module = importlib.import_module(f"baselines.{ALGORITHMS[algorithm].module or algorithm}")
    settings = "CHANGES" if ALGORITHMS[algorithm].module else "SETTINGS"
    monkeypatch.setattr(module, settings, getattr(module, settings) | SMALL[algorithm])
    monkeypatch.setattr(module, "N_ENVS", 32, raising=False)
    task = TASKS["duel"]
    recorder = Recorder(algorithm, task, 3, 300, "decisions", tmp_path, (10, 10, 2), tmp_path / "policies")
    module.train(recorder)
    (found,) = read_all(tmp_path)
    assert (found.algorithm, found.task, found.seed) == (algorithm, "duel", 3)
    assert found.steps >= 300
    assert found.curve[0].steps == 0
    assert [point.steps for point in found.curve] == sorted({point.steps for point in found.curve})
    assert found.final.keys() == {"greedy", "planner"}
    assert found.settings["batch_size"] == SMALL[algorithm]["batch_size"]
    assert {"python", "numpy", "torch"} <= found.versions.keys()
    policy = policy_path(tmp_path / "policies", algorithm, "duel", 300, 3)
    assert policy.exists() == (algorithm not in ("nfsp", "psro"))  # they have several networks
    if policy.exists():
        agent = make_agent(str(policy))
        shares = {matchup.name: evaluate(agent, matchup, 10).win_share for matchup in task.matchups}
        assert shares == pytest.approx(found.final)


def test_the_solo_task_has_a_handicap_rating(tmp_path: Path) -> None:
    recorder = Recorder("greedy", TASKS["solo"], 1, 10, "decisions", tmp_path, games=(20, 20, 20))
    recorder.evaluate(0, make_agent("greedy"))
    recorder.finish(10, make_agent("greedy"), {}, ())
    (found,) = read_all(tmp_path)
    assert found.handicap_rating is not None
    assert 0 < found.final["cyborg"] < 1
    assert -2 < found.handicap_rating < 6


def test_finished_runs_and_runs_of_other_processes_are_skipped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ran: list[int] = []
    monkeypatch.setattr(maskable_ppo, "train", lambda recorder: ran.append(recorder.seed))
    result(seed=1).write(tmp_path)
    words = ["run", "maskable_ppo", "two_players", "1", "2", "3", "--results", str(tmp_path), "--steps"]
    with locked(result_path(tmp_path, "maskable_ppo", "two_players", 1_000, 3).with_suffix(".lock")):
        done = CliRunner().invoke(app, [*words, "1000"])
    assert done.exit_code == 0
    assert ran == [2]
    paths = [result_path(tmp_path, "maskable_ppo", "two_players", 1_000, seed) for seed in (1, 3)]
    assert done.stdout.splitlines() == [
        f"maskable_ppo two_players seed 1: already done, {paths[0]}",
        f"maskable_ppo two_players seed 3: another process works on it, {paths[1]}",
    ]
    assert CliRunner().invoke(app, [*words, "2000"]).exit_code == 0
    assert ran == [2, 1, 2, 3]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["run", "sarsa", "two_players"], "algorithm must be one of maskable_ppo"),
        (["run", "nfsp", "chess"], "task must be one of solo, two_players, duel"),
        (["run", "nfsp", "duel", "1", "4096"], "seed must be in 0..4095, got 4096"),
        (["run", "nfsp", "duel", "1", "--results", "/dev/null"], "/dev/null"),
        (["run", "nfsp", "solo"], "nfsp needs a task for 2 or more players, got solo"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(words: list[str], named: str) -> None:
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 1
    assert named in found.stderr
    assert found.stderr.count("\n") == 1


def test_an_algorithm_that_cannot_run_fails_if_it_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    only = {"maskable_ppo": Algorithm("", module="missing")}
    monkeypatch.setattr("baselines.__main__.ALGORITHMS", only)
    reason = "maskable_ppo cannot run: No module named 'baselines.missing'; "
    named, every = (
        CliRunner().invoke(app, ["run", name, "duel", "1", "--results", str(tmp_path)])
        for name in ("maskable_ppo", "all")
    )
    assert (named.exit_code, every.exit_code) == (1, 0)
    assert named.stderr.startswith(f"baselines: {reason}training/BASELINES.md")
    assert every.stdout.startswith(reason)


# --- result files -----------------------------------------------------------------------------------


def test_a_result_is_read_as_it_was_written(tmp_path: Path) -> None:
    result().write(tmp_path)
    assert read_all(tmp_path) == [result()]


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"algorithm": 1}', "\0"])
def test_other_files_are_refused(content: str, tmp_path: Path) -> None:
    path = result_path(tmp_path, "nfsp", "duel", 1_000, 1)
    path.parent.mkdir(parents=True)
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ResultError, match=r"1\.json is not a result file"):
        read_file(path, RunResult)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        (
            {"curve": ({"steps": "x", "wall_seconds": 0, "cpu_seconds": 0, "win_share": 0},)},
            "curve[0].steps",
        ),
        ({"versions": None}, "versions"),
        ({"final": {"chess": 0.5}}, "is for the matchups chess, not"),
        ({"algorithm": "sarsa"}, "unknown algorithm or task: there is a result for 'sarsa' on 'two_players'"),
    ],
)
def test_results_that_do_not_fit_are_refused_in_one_line(
    changes: dict[str, Any], complaint: str, tmp_path: Path
) -> None:
    replace(result(), **changes).write(tmp_path)
    page = tmp_path / "page.md"
    page.write_text(f"{BEGIN}\n{END}\n", encoding="utf-8")
    found = CliRunner().invoke(app, ["page", "--results", str(tmp_path), "--out", str(page)])
    assert found.exit_code == 1
    assert complaint in found.stderr
    assert found.stderr.count("\n") == 1


def test_committed_results_are_in_their_places() -> None:
    for path in COMMITTED.glob("*/*/*/*.json"):
        found = read_file(path, RunResult)
        assert path == result_path(COMMITTED, found.algorithm, found.task, found.total_steps, found.seed)
        assert found.command == (
            f"python -m training.baselines run {found.algorithm} {found.task} {found.seed} "
            f"--steps {found.total_steps}"
        )
        assert found.total_steps <= found.steps <= 1.1 * found.total_steps
        task = TASKS[found.task]
        assert list(found.final) == [matchup.name for matchup in task.matchups]
        assert (found.handicap_rating is None) == (task.rating is None)
        assert found.unit == ALGORITHMS[found.algorithm].unit
        assert "torch" in found.versions


# --- the page ---------------------------------------------------------------------------------------


def test_the_page_is_drawn_from_the_committed_results() -> None:
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    results = read_all(COMMITTED)
    assert text.split(BEGIN)[1].split(END)[0] == f"\n\n{tables(results, TASKS)}\n\n"
    assert (COMMITTED / PLOT).read_text(encoding="utf-8") == plot(results, TASKS)


def test_the_command_redraws_the_page(tmp_path: Path) -> None:
    page, results = tmp_path / "page.md", [result(seed=seed) for seed in (1, 2, 3)]
    for one in results:
        one.write(tmp_path)
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["page", "--results", str(tmp_path), "--out", str(page)])
    assert done.exit_code == 0, done.output
    text = page.read_text(encoding="utf-8")
    assert text == f"before\n{BEGIN}\n\n{tables(results, TASKS)}\n\n{END}\nafter\n"
    assert "<svg " in (tmp_path / PLOT).read_text(encoding="utf-8")


def test_a_page_without_a_generated_part_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("text\n", encoding="utf-8")
    with pytest.raises(ValueError, match="must have the lines"):
        write_page([], TASKS, page, tmp_path)
    assert page.read_text(encoding="utf-8") == "text\n"


def test_rows_tell_medians_and_what_is_missing() -> None:
    shares = {1: 0.5, 2: 0.7, 3: 0.6}
    results = [result(seed=seed, final={"greedy": share, "planner": 0.2}) for seed, share in shares.items()]
    rows = {
        line.split(" | ")[0].strip("| "): line for line in tables(results, TASKS).split("### ")[2].split("\n")
    }
    row = rows[ALGORITHMS["maskable_ppo"].title].strip("| ").split(" | ")
    assert row[1:5] == ["1,000 decisions (short)", "1, 2, 3", "60.0 % [50.0, 70.0]", "20.0 % [20.0, 20.0]"]
    assert row[5:] == ["0.8", "0.5", "33"]
    assert "| not run |" in rows[ALGORITHMS["nfsp"].title]


def test_each_length_has_a_row_and_the_longest_runs_are_drawn() -> None:
    longer = result(total_steps=2_000, curve=(*result().curve, Point(2_000, 90.0, 60.0, 0.9)))
    text, title = tables([longer, result()], TASKS), ALGORITHMS["maskable_ppo"].title
    rows = [line.split(" | ")[1] for line in text.split("\n") if line.startswith(f"| {title}")]
    assert rows == ["not run", "1,000 decisions (short)", "2,000 decisions (short)", "not run"]
    assert plot([longer, result()], TASKS) == plot([longer], TASKS)


def test_curves_are_medians_over_seeds() -> None:
    others = [Point(0, 0.0, 0.0, 0.3), Point(500, 1.0, 20.0, 0.5), Point(1_100, 2.0, 40.0, 0.9)]
    curve = curve_of([result(), result(seed=2, curve=tuple(others))])
    assert curve.steps == [0, 500, 1_000]
    np.testing.assert_allclose(curve.median[:2], [0.2, 0.4])
    np.testing.assert_allclose(curve.low, [0.1, 0.3, 0.5])
    np.testing.assert_allclose(curve.minutes[:2], [0, 0.25])


# --- parts of the algorithms ------------------------------------------------------------------------


def test_the_replay_buffer_pairs_each_decision_with_the_next_of_its_game() -> None:
    env = vector_env_class("projectmars/Duel-v0")(3, observation_dtype="uint8")
    buffer, spec = Buffer(4 * 3, env), env.game_spec
    for number in range(6):  # the ring buffer has only four rows
        observations = (
            np.full((3, spec.observation_size), 10 * number, dtype=np.uint8) + np.arange(3)[:, None]
        )
        masks = np.zeros((3, spec.num_actions), dtype=np.int8)
        masks[:, number] = 1
        buffer.add(observations, masks, np.full(3, number), np.full(3, number), np.zeros(3, dtype=np.bool_))
    batch = buffer.sample(200, np.random.default_rng(1))
    assert set(batch.actions.tolist()) == {2, 3, 4}
    assert torch.equal(batch.next_masks.int().argmax(dim=1), batch.actions + 1)
    scales = torch.tensor(spec.scales)
    steps = batch.next_observations / scales - batch.observations / scales
    torch.testing.assert_close(steps, torch.full_like(steps, 10.0))


def test_a_mixture_draws_one_agent_for_a_whole_game() -> None:
    class Picks(BatchedAgent):
        """Plays the first or the last legal action."""

        def __init__(self, name: str, step: int) -> None:
            self.name, self.step = name, step

        def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
            actions: NDArray[np.int64] = np.arange(views.masks.shape[1])[:: self.step][
                (views.masks[:, :: self.step] != 0).argmax(axis=1)
            ]
            return actions

    task, count = TASKS["duel"], 400
    games = FullGames(count, task.game, seed=1, **task.kind)
    both = [Picks("first", 1), Picks("last", -1)]
    mixture, drawn = MixedAgent(both, np.array([0.25, 0.75])), np.zeros((2, count), dtype=np.int64)
    seeds = np.zeros(count, dtype=np.uint64)
    for _ in range(8):
        views = games.views(np.arange(count), games.to_play)
        first, last = (agent.act_batch(views, seeds) for agent in both)
        actions = mixture.act_batch(views, seeds)
        drawn += (first != last) & np.stack([actions == first, actions == last])
        games.step(actions)
    assert (drawn.min(axis=0) == 0).all()
    assert (drawn[0] > 0).mean() == pytest.approx(0.25, abs=0.06)


def test_the_zoo_has_the_settings_of_the_baseline() -> None:
    path = Path(maskable_ppo.__file__).with_name("ppo_mask.yml")
    settings = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert settings.keys() == ENVIRONMENTS.keys()
    for one in settings.values():
        given = {name: one[name] for name in maskable_ppo.SETTINGS if name != "policy_kwargs"}
        assert given | {"policy_kwargs": eval(one["policy_kwargs"])} == maskable_ppo.SETTINGS
        assert (one["n_envs"], eval(one["normalize"])) == (maskable_ppo.N_ENVS, maskable_ppo.NORMALIZE)
        assert one["n_timesteps"] == ALGORITHMS["maskable_ppo"].steps
