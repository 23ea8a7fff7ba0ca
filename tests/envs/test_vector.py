"""The native vector environments: agreement with single environments, and errors."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from pocketmars_agents.bots.look_ahead_agent import GreedyAgent
from pocketmars_agents.bots.random_agent import RandomAgent
from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Game, IllegalAction, View, sample_actions
from pocketmars_env.envs.opponents import OpponentError, Opponents
from pocketmars_env.envs.rewards import REWARDS
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.pocketmars_v1 import SoloVectorEnv, TableEnv, TableVectorEnv
from tests.agents.bots import Nameless
from tests.agents.human.bots import ChanceBot
from tests.envs.playing import started
from tests.envs.vectors import SEVERAL_KINDS, SHORT, assert_same, ends_of_equal_play, singles, vector
from tests.fixed_play import play_on

COUNT = 4
AUTORESETS = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP]


def masked_actions(infos: dict[str, Any], seed: int) -> Any:
    return sample_actions(infos["action_mask"], np.random.default_rng(seed))


# --- equal to single environments -----------------------------------------------------------------


@pytest.mark.parametrize("autoreset", AUTORESETS)
@SEVERAL_KINDS
def test_a_vector_environment_equals_single_ones(kind: str, autoreset: AutoresetMode) -> None:
    native, envs = vector(kind, COUNT, autoreset), singles(kind, COUNT, autoreset)
    assert ends_of_equal_play(native, envs, 400) > COUNT  # at least one reached its third episode


def test_episodes_start_from_given_games() -> None:
    games = [play_on(Game(players=2, seed=seed), seed, most=5 + seed) for seed in range(COUNT)]
    native, single = TableVectorEnv(COUNT), TableEnv()
    observations, infos = native.reset(seed=1, options={"games": games})
    actions = masked_actions(infos, 1)
    after = native.step(actions)[0]
    for i, game in enumerate(games):
        assert np.array_equal(observations[i], single.reset(seed=1 + i, options={"game": game})[0])
        assert np.array_equal(after[i], single.step(actions[i])[0])
    for other in (games[:2], [*games[:-1], "a game"], [*games[:-1], Game(players=3)]):
        with pytest.raises(ValueError, match=f"{COUNT} games|unfinished game"):
            native.reset(options={"games": other})


@pytest.mark.parametrize("autoreset", AUTORESETS)
@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("kind", ["three", "solo_standard"])
def test_so_do_truncated_episodes_and_illegal_actions(
    kind: str, reward: str, autoreset: AutoresetMode
) -> None:
    settings: dict[str, Any] = {"reward": reward, **SHORT}
    envs, native = singles(kind, COUNT, autoreset, **settings), vector(kind, COUNT, autoreset, **settings)
    envs.reset(seed=1)
    native.reset(seed=1)
    rng = np.random.default_rng(1)
    infos: dict[str, Any] = envs.reset()[1]
    native.reset()
    truncated, illegal = 0, 0
    for step in range(150):
        actions = masked_actions(infos, step)
        if step % 10 == 9:
            actions[step // 10 % COUNT] = rng.integers(-1, NUM_ACTIONS + 1)
        results = envs.step(actions)
        assert_same(native.step(actions), results)
        infos = results[4]
        truncated += int(results[3].sum())
        shown = infos.get("final_info", infos)["illegal_action"]
        illegal += int(shown.sum())
    assert truncated > COUNT
    assert illegal > 5


@pytest.mark.parametrize("autoreset", AUTORESETS)
@pytest.mark.parametrize("action_mask", ["info", "observation"])
@pytest.mark.parametrize("kind", ["three", "solo_standard"])
def test_so_do_episodes_with_replaced_actions(kind: str, action_mask: str, autoreset: AutoresetMode) -> None:
    settings: dict[str, Any] = {
        "illegal": "random",
        "illegal_penalty": 0.1,
        "action_mask": action_mask,
        **SHORT,
    }
    envs, native = singles(kind, COUNT, autoreset, **settings), vector(kind, COUNT, autoreset, **settings)
    assert_same(native.reset(seed=1), envs.reset(seed=1))
    rng, ended = np.random.default_rng(1), 0
    for _ in range(100):
        actions = rng.integers(0, NUM_ACTIONS, COUNT)
        results = envs.step(actions)
        assert_same(native.step(actions), results)
        ended += int((results[2] | results[3]).sum())
    assert ended > COUNT


@pytest.mark.parametrize("kind", ["two", "solo_cyborg"])
def test_disabled_autoreset_starts_what_the_mask_names(kind: str) -> None:
    envs = singles(kind, COUNT, AutoresetMode.DISABLED)
    native = vector(kind, COUNT, AutoresetMode.DISABLED)
    infos = envs.reset(seed=3)[1]
    native.reset(seed=3)
    for step in range(150):
        actions = masked_actions(infos, step)
        results = envs.step(actions)
        assert_same(native.step(actions), results)
        infos = results[4]
        ended = results[2] | results[3]
        if ended.any():
            kept = infos["action_mask"]
            again = envs.reset(seed=[step] * COUNT, options={"reset_mask": ended})
            assert_same(native.reset(seed=[step] * COUNT, options={"reset_mask": ended}), again)
            infos = {"action_mask": np.where(ended[:, None], again[1]["action_mask"], kept)}


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("three", {"opponents": ["random", "greedy:1"]}),
        ("three", {"opponents": [GreedyAgent(1), "random"]}),
        ("two", {"opponents": ChanceBot(), "seat": 1}),
    ],
)
@pytest.mark.parametrize("autoreset", AUTORESETS)
def test_so_do_other_opponents(kind: str, settings: dict[str, Any], autoreset: AutoresetMode) -> None:
    envs = singles(kind, COUNT, autoreset, **settings)
    ends_of_equal_play(vector(kind, COUNT, autoreset, **settings), envs, 60)


def test_seeds_may_be_given_one_by_one_and_none_goes_on() -> None:
    envs = singles("two", 3, AutoresetMode.NEXT_STEP)
    native = vector("two", 3, AutoresetMode.NEXT_STEP)
    for seed in ([5, 9, 7], [None, 4, None], None, 6):
        assert_same(native.reset(seed=seed), envs.reset(seed=seed))


def test_unseeded_environments_play_different_games() -> None:
    native = started(seed=None, make=SoloVectorEnv, num_envs=8)
    assert len(set(native.games.states["seed"].tolist())) == 8


# --- made by Gymnasium ----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "native"), [(SOLO_ID, SoloVectorEnv), (TABLE_ID, TableVectorEnv)])
@pytest.mark.parametrize("arguments", [{}, {"vectorization_mode": "vector_entry_point"}])
def test_gymnasium_makes_the_native_one(name: str, native: Any, arguments: dict[str, Any]) -> None:
    envs: Any = gymnasium.make_vec(name, 3, **arguments, reward="margin")
    assert type(envs.unwrapped) is native
    assert (envs.num_envs, envs.unwrapped.reward) == (3, "margin")
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = envs.reset(seed=1)
    assert observations in envs.observation_space
    assert envs.single_observation_space.shape == (OBSERVATION_SIZE,)
    assert envs.single_action_space.n == NUM_ACTIONS
    assert masked_actions(infos, 1) in envs.action_space
    envs.close()


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_gymnasium_can_also_stack_single_ones(mode: str) -> None:
    stacked = gymnasium.make_vec(TABLE_ID, 2, vectorization_mode=mode, players=3)
    native = gymnasium.make_vec(TABLE_ID, 2, players=3)
    assert_same(native.reset(seed=1), stacked.reset(seed=1))
    stacked.close()


@pytest.mark.parametrize("name", [SOLO_ID, TABLE_ID])
def test_by_default_every_row_can_be_sampled_from_its_mask(name: str) -> None:
    """Clients sample with ``p=mask / mask.sum()``, which is NaN in a row without legal actions."""
    envs: Any = gymnasium.make_vec(name, COUNT)
    rng = np.random.default_rng(1)
    infos, ended = envs.reset(seed=1)[1], 0
    while ended < 2 * COUNT:
        masks = infos["action_mask"] / infos["action_mask"].sum(axis=1, keepdims=True)
        actions = np.array([rng.choice(NUM_ACTIONS, p=row) for row in masks])
        _, _, terminations, truncations, infos = envs.step(actions)
        assert not infos.get("final_info", infos)["illegal_action"].any()
        ended += int((terminations | truncations).sum())


def test_after_the_last_row_any_action_starts_the_next_episode() -> None:
    envs = SoloVectorEnv(num_envs=1, autoreset_mode="NEXT_STEP")
    infos, over = envs.reset(seed=1)[1], False
    while not over:
        _, _, terminations, _, infos = envs.step(masked_actions(infos, 1))
        over = bool(terminations[0])
    assert not infos["action_mask"].any()
    _, rewards, terminations, _, infos = envs.step(np.array([NUM_ACTIONS - 1]))
    assert (rewards[0], terminations[0], infos["illegal_action"][0]) == (0.0, False, False)
    assert infos["action_mask"].any()


def test_gymnasiums_statistics_count_its_episodes() -> None:
    envs = RecordEpisodeStatistics(SoloVectorEnv(num_envs=COUNT, autoreset_mode="SAME_STEP"))
    infos = envs.reset(seed=1)[1]
    while len(envs.return_queue) < 5:
        infos = envs.step(masked_actions(infos, envs.episode_count))[4]
    assert set(envs.return_queue) <= {-1.0, 1.0}


def test_arrays_are_new_in_every_call() -> None:
    native = SoloVectorEnv(num_envs=2)
    observations, infos = native.reset(seed=1)
    kept = observations.copy()
    actions = masked_actions(infos, 1)
    infos["action_mask"][:] = 0  # a careless user
    results = native.step(actions)
    assert np.array_equal(observations, kept)
    assert not results[4]["illegal_action"].any()


def test_action_masks_are_those_of_the_infos() -> None:
    native = TableVectorEnv(num_envs=3)
    infos = native.reset(seed=1)[1]
    assert native.action_masks().dtype == np.bool_
    assert np.array_equal(native.action_masks(), infos["action_mask"])


# --- errors ---------------------------------------------------------------------------------------


WRONG_SETTINGS: list[dict[str, Any]] = [
    *({"num_envs": number} for number in (0, 2.0)),
    *({"autoreset_mode": mode} for mode in ("later", np.array([0, 1]))),
    *({"opponents": opponents} for opponents in ("nobody", 3, RandomAgent, None, ["random"])),
    *({"seat": seat} for seat in (3, np.array([0, 1]), "first", True)),
    *({"players": 5}, {"reward": "points"}, {"illegal": "ignore"}),
    *({"render_mode": "human"}, {"render_view": "asked"}, {"render_theme": "blue"}),
]


@pytest.mark.parametrize("settings", WRONG_SETTINGS)
def test_wrong_settings_are_named(settings: dict[str, Any]) -> None:
    ((name, value),) = settings.items()
    named = "nobody" if isinstance(value, str) and value == "nobody" else name.removesuffix("s")
    with pytest.raises(ValueError, match=named):
        TableVectorEnv(**{"num_envs": 2, "players": 3, **settings})
    if name not in ("num_envs", "autoreset_mode", "render_mode"):
        with pytest.raises(ValueError, match=named):
            TableEnv(**{"players": 3, **settings})


def test_an_opponent_needs_a_name() -> None:
    with pytest.raises(ValueError, match="name"):
        TableVectorEnv(opponents=Nameless())  # type: ignore[arg-type]


class Stubborn:
    """An opponent that always gives the same answer: it returns it, or raises it if it is an exception.

    If the answer is None, the opponent plays the first legal action.
    """

    name = "stubborn"

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer

    def act(self, view: View, rng: np.random.Generator) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return view.legal[0] if self.answer is None else self.answer


@pytest.mark.parametrize("answer", [-1, 0.5, [3]])
def test_an_opponent_that_answers_illegally_is_named(answer: Any) -> None:
    native = TableVectorEnv(num_envs=2, seat=0, opponents=Stubborn(answer))

    def play() -> None:
        infos = native.reset(seed=1)[1]
        for step in range(20):
            infos = native.step(masked_actions(infos, step))[4]

    with pytest.raises(OpponentError, match="stubborn"):
        play()
    with pytest.raises(ResetNeeded):
        native.step(np.zeros(2, dtype=np.int64))


FAILURES = pytest.mark.parametrize(
    ("answer", "error"), [(-1, OpponentError), (ConnectionError("the bot's server is down"), ConnectionError)]
)


@FAILURES
def test_if_an_opponent_fails_in_reset_all_environments_must_be_reset(
    answer: Any, error: type[Exception]
) -> None:
    opponent = Stubborn()
    native = started(make=TableVectorEnv, num_envs=2, seat=1, opponents=opponent)
    single = started(make=TableEnv, seat=1, opponents=opponent)
    opponent.answer = answer
    with pytest.raises(error):
        native.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(ResetNeeded):
        native.step(np.zeros(2, dtype=np.int64))
    with pytest.raises(error):
        single.reset()
    with pytest.raises(ResetNeeded):
        single.step(single.game.legal[0])
    opponent.answer = None
    native.reset(seed=1)
    native.step(native.action_masks().argmax(axis=1))


@FAILURES
def test_if_an_opponent_fails_in_a_step_all_environments_must_be_reset(
    answer: Any, error: type[Exception]
) -> None:
    opponent = Stubborn()
    native = started(make=TableVectorEnv, num_envs=2, seat=0, opponents=opponent)
    single = started(make=TableEnv, seat=0, opponents=opponent)
    for _ in range(3):
        native.step(native.action_masks().argmax(axis=1))
        single.step(single.game.legal[0])
    opponent.answer = answer
    with pytest.raises(error):
        native.step(native.action_masks().argmax(axis=1))
    with pytest.raises(ResetNeeded, match=r"\[0, 1\]"):
        native.step(native.action_masks().argmax(axis=1))
    with pytest.raises(error):
        single.step(single.game.legal[0])
    with pytest.raises(ResetNeeded):
        single.step(single.game.legal[0])


def test_an_answer_of_another_shape_is_an_error_of_the_opponent() -> None:
    answers = iter([7] * 3 + [np.array([7])])

    class Mixed(Stubborn):
        def act(self, view: View, rng: np.random.Generator) -> Any:
            return next(answers)

    with pytest.raises(OpponentError, match="stubborn"):
        TableVectorEnv(num_envs=4, seat=1, opponents=Mixed()).reset(seed=1)


def test_opponents_for_other_games_are_refused() -> None:
    for seats, count in ((2, 4), (3, 2)):
        with pytest.raises(ValueError, match="opponents"):
            TableVectorEnv(num_envs=4, players=3, opponents=Opponents(SPEC, "random", seats, count))


WRONG_MASKS: list[Any] = [
    [True, False],
    np.array([1, 0]),
    np.array([True]),
    np.array([True, False, True]),
    np.zeros(2, dtype=np.bool_),
]
WRONG_ACTIONS: list[Any] = [
    *(None, 0, "ab", {}, [0], [0, 1, 2], [[0, 1]], [[0], [0, 1]]),
    *([0.0, 1.0], [True, False], [0, None]),
]
WRONG_CALLS: list[tuple[str, dict[str, Any], str]] = [
    *(("reset", {"seed": 2, "options": {"reset_mask": mask}}, "reset_mask") for mask in WRONG_MASKS),
    ("reset", {"seed": [1, 2, 3]}, r"2, got \[1, 2, 3\]"),
    ("reset", {"seed": 1.5}, "1.5"),
    ("reset", {"seed": "ab"}, "'ab'"),
    ("reset", {"seed": {1, 2}}, "{1, 2}"),
    ("reset", {"seed": np.array([1, 2])}, "array"),
    ("reset", {"seed": [1, 2.0]}, "float"),
    ("reset", {"seed": -1}, "-1"),
    ("reset", {"options": 3}, "3"),
    ("reset", {"options": [("reset_mask", 1)]}, "reset_mask"),
    *(("step", {"actions": actions}, "2 integers") for actions in WRONG_ACTIONS),
]


@pytest.mark.parametrize(("method", "arguments", "named"), WRONG_CALLS)
def test_a_wrong_argument_changes_nothing(method: str, arguments: dict[str, Any], named: str) -> None:
    native, twin = (started(make=SoloVectorEnv, num_envs=2) for _ in range(2))
    with pytest.raises((ValueError, gymnasium.error.Error), match=named):
        getattr(native, method)(**arguments)
    assert native.games.states.tobytes() == twin.games.states.tobytes()
    assert_same(native.reset(), twin.reset())  # the random streams have not advanced


def test_the_first_reset_starts_all_environments() -> None:
    native, twin = SoloVectorEnv(num_envs=2), SoloVectorEnv(num_envs=2)
    with pytest.raises(ValueError, match="reset"):
        native.reset(seed=1, options={"reset_mask": np.array([True, False])})
    assert_same(native.reset(seed=2), twin.reset(seed=2))


def test_seeds_may_be_integers_of_numpy() -> None:
    native, twin = SoloVectorEnv(num_envs=2), SoloVectorEnv(num_envs=2)
    assert_same(native.reset(seed=np.int64(5)), twin.reset(seed=5))


@pytest.mark.parametrize("action", [-1, NUM_ACTIONS, 2**62, 2**64 - 1])
def test_numbers_that_are_no_actions_are_illegal(action: int) -> None:
    native = SoloVectorEnv(num_envs=2, autoreset_mode="DISABLED")
    legal = masked_actions(native.reset(seed=1)[1], 1)[0]
    _, rewards, terminations, _, infos = native.step(
        np.array([legal, action], dtype=np.uint64 if action >= 2**63 else np.int64)
    )
    assert (rewards.tolist(), terminations.tolist()) == ([0.0, -1.0], [False, True])
    assert infos["illegal_action"].tolist() == [False, True]


def test_an_illegal_action_can_be_raised_and_changes_nothing() -> None:
    native = SoloVectorEnv(num_envs=2, illegal="raise")
    infos = native.reset(seed=1)[1]
    actions = masked_actions(infos, 1)
    before = native.games.states.tobytes()
    with pytest.raises(IllegalAction, match=r"action 500 in environment 1 "):
        native.step(np.array([actions[0], 500]))
    assert native.games.states.tobytes() == before
    native.step(actions)


def test_no_step_before_the_first_reset() -> None:
    for mode in AutoresetMode:
        with pytest.raises(ResetNeeded, match=r"\[0, 1\]"):
            SoloVectorEnv(num_envs=2, autoreset_mode=mode).step(np.zeros(2, dtype=np.int64))


def test_with_disabled_autoreset_a_game_that_is_over_waits_for_its_reset() -> None:
    native = SoloVectorEnv(num_envs=2, autoreset_mode=AutoresetMode.DISABLED)
    infos = native.reset(seed=1)[1]
    actions = masked_actions(infos, 1)
    infos = native.step(np.array([actions[0], 500]))[4]
    with pytest.raises(ResetNeeded, match=r"\[1\]"):
        native.step(masked_actions(infos, 1))


def test_render_warns_and_shows_nothing() -> None:
    native = SoloVectorEnv(num_envs=2)
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        assert native.render() == ()


@pytest.mark.parametrize("mode", ["sync", "vector_entry_point"])
def test_the_random_streams_have_the_seeds_of_the_reset(mode: str) -> None:
    envs: Any = gymnasium.make_vec(SOLO_ID, 2, mode)
    envs.reset(seed=7)
    assert envs.np_random_seed == (7, 8)
    assert len(envs.np_random) == 2
