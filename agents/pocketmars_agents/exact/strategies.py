"""Strategies of bots and from files, in the form that `GameTree` evaluates."""

import io
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.bots.random_agent import RandomAgent
from pocketmars_agents.exact.game_tree import Floats, GameTree
from pocketmars_env.core.agent import Agent, choose_actions, prepare
from pocketmars_env.core.compiled.chance import mixed
from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.game import Views
from pocketmars_env.core.game_spec import GAMES, Config, GameSpec
from pocketmars_env.core.settings import check_choice, check_integer, metadata_of

PLAYS = ("probabilities", "actions")
MOST_SAMPLES = 10_000
BATCH = 4096
"""The number of positions in which an agent chooses at once."""
TOLERANCE = 1e-3
"""The most by which the sum of an agent's probabilities may differ from 1."""


def small_configs() -> dict[str, Config]:
    """Return the configurations of the small games of all registered games, by name."""
    return {
        name: spec.config(small=name)
        for spec in GAMES.values()
        for name in metadata_of(spec.config, "small").get("choices", ())
    }


def small_config(name: str) -> Config:
    """Return the configuration of the small game with the given name."""
    configs = small_configs()
    check_choice("small game", name, configs)
    return configs[name]


def play_of(agent: Agent, play: str) -> str:
    """Return which of `PLAYS` an agent plays if `play` is requested; see `strategy_of`."""
    check_choice("play", play, PLAYS)
    if isinstance(agent, RandomAgent):
        return PLAYS[0]
    return play if hasattr(agent, "preferences") else PLAYS[1]


def strategy_of(
    game: GameTree,
    agent: Agent,
    play: str = PLAYS[0],
    samples: int = 1,
    watch: Callable[[range], Iterable[int]] = iter,
) -> Floats:
    """Return the strategy of an agent, which is asked once per view.

    Several information sets can have the same view, because a view does not contain earlier decisions.

    Args:
        game: the small game.
        agent: the agent; its decisions must not depend on earlier ones.
        play: ``"probabilities"`` uses the agent's probabilities (the method `preferences`, which policies and
            searches have) or, without these, its actions; ``"actions"`` uses the actions that it plays.
        samples: the number of times that the agent chooses an action for each view, each with another seed;
            its strategy is the mean. Used only for actions.
        watch: yields the numbers of the deals, for example with a progress bar.

    Raises:
        ValueError: if the agent's probabilities or actions are invalid.

    """
    play = play_of(agent, play)
    check_integer("samples", samples, 1, MOST_SAMPLES)
    if isinstance(agent, RandomAgent):
        return game.uniform()
    prepare(agent, game.spec)
    preferences = getattr(agent, "preferences", None) if play == PLAYS[0] else None
    strategy = np.empty(game.num_slots)
    sources, known = np.arange(game.num_infosets), dict[bytes, int]()
    for numbers, shown in batches(game, watch):
        sources[numbers] = [
            known.setdefault(state, number)
            for number, state in zip(numbers.tolist(), hashes(shown.states), strict=True)
        ]
        is_new = sources[numbers] == numbers
        if not is_new.any():
            continue
        infosets, views = numbers[is_new], views_of(game.spec, shown.states[is_new])
        if preferences is None:
            chosen = np.zeros(views.masks.shape)
            for sample in range(samples):
                actions = choose_actions(agent, views, seeds_of(game.keys[infosets], sample))
                chosen[np.arange(len(views)), actions] += 1 / samples
        else:
            chosen = np.asarray(preferences(views, seeds_of(game.keys[infosets], 0)), dtype=np.float64)
        legal = views.masks != 0
        totals = np.where(legal, chosen, 0).sum(axis=1)
        if not (np.isfinite(chosen).all() and (chosen >= 0).all() and (abs(totals - 1) < TOLERANCE).all()):
            raise ValueError(f"{agent.name} must choose among the legal actions with probabilities of sum 1")
        strategy[game.slots_of(infosets)] = (chosen / totals[:, None])[legal]
    return strategy[game.slots_of(sources)]


def hashes(states: States) -> list[bytes]:
    """Return a hash of each state."""
    content, size = states.tobytes(), states.itemsize
    return [
        blake2b(content[start : start + size], digest_size=16).digest()
        for start in range(0, len(content), size)
    ]


def batches(
    game: GameTree, watch: Callable[[range], Iterable[int]] = iter
) -> Iterator[tuple[NDArray[np.int64], Views]]:
    """Yield all information sets in order, in batches: their numbers, and the views of the seats to play."""
    for infosets, states in game.positions(watch):
        for start in range(0, len(infosets), BATCH):
            yield infosets[start : start + BATCH], views_of(game.spec, states[start : start + BATCH])


def views_of(spec: GameSpec, states: States) -> Views:
    """Return the views of the seats to play."""
    return Views(spec, states, np.arange(len(states)), states["to_play"].astype(np.int64))


def seeds_of(keys: NDArray[np.uint64], sample: int) -> NDArray[np.uint64]:
    """Return the seeds with which an agent chooses in information sets with the given hashes."""
    return np.array([mixed(key, np.uint64(sample)) for key in keys], dtype=np.uint64)


# --- files ------------------------------------------------------------------------------------------


def save(path: Path, game: GameTree, strategy: Floats) -> None:
    """Write a strategy as an ``.npz`` file: the game's name, hashes of information sets, probabilities."""
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer, game=np.array(name_of(game)), keys=game.keys, slots=game.tree.slots, probabilities=strategy
    )
    write_whole(path, buffer.getvalue())


def load(game: GameTree, path: Path) -> Floats:
    """Read a strategy from a file.

    Raises:
        ValueError: if there is no such file, or if it belongs to another game.

    """
    try:
        with np.load(path, allow_pickle=False) as file:
            name, keys, strategy = str(file["game"]), file["keys"], file["probabilities"]
    except (OSError, KeyError, ValueError) as error:
        raise ValueError(f"cannot read the strategy {quoted(str(path))}: {error}") from error
    if name != name_of(game) or not np.array_equal(keys, game.keys) or strategy.shape != (game.num_slots,):
        raise ValueError(f"{quoted(str(path))} is a strategy for {name}, not for {name_of(game)}")
    return game.normalized(strategy.astype(np.float64))


def name_of(game: GameTree) -> str:
    """Return the game and the name of the small game, such as ``"project_mars ambush"``."""
    return f"{game.spec.name} {game.spec.config.of_state(game.blank[0]).small}"
