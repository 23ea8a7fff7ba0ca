"""The columns of the decision table, which has one row for every decision."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.recording.plan import Plan
from pocketmars_agents.recording.replay import Replays
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.observation_dtype import observe_all
from pocketmars_env.envs.rewards import final_rewards

NONE = -1
"""The index that marks an empty cell in a text column."""


class Rows:
    """The decisions of several games, from which the columns are computed.

    Episodes, each with one seat's decisions in one game, are counted over the whole recording.
    """

    def __init__(self, plan: Plan, replays: Replays, first_episode: int) -> None:
        self.plan = plan
        self.replays = replays
        self.first_episode = first_episode
        self.states = replays.before.states
        self.actions = replays.actions
        self.seats = replays.seats
        self.games = replays.places

    def of_games(self, values: list[Any]) -> NDArray[Any]:
        """Return each row's value, given one value per game."""
        return np.array(values)[self.games]

    def of_seats(self, values: list[Any]) -> NDArray[Any]:
        """Return each row's value, given ``(games, seats)`` values, one for each game and seat."""
        return np.array(values)[self.games, self.seats]

    def episodes(self) -> NDArray[np.int64]:
        """Return the episode number of each row; episodes are ordered by game and seat."""
        numbers = np.unique(self.games * self.plan.config.seats + self.seats, return_inverse=True)[1]
        episodes: NDArray[np.int64] = self.first_episode + numbers
        return episodes

    def scores(self) -> NDArray[np.int64]:
        """Return the points of each row's seat, as if the game had ended just before the row's action."""
        scores = self.replays.before.standings()[0]
        row_scores: NDArray[np.int64] = scores[np.arange(len(scores)), self.seats]
        return row_scores

    def legal_actions(self) -> NDArray[np.int64]:
        """Return the number of legal actions in each row."""
        masks = np.empty((len(self.states), self.plan.spec.num_actions), dtype=np.int8)
        counts: NDArray[np.int64] = np.count_nonzero(self.replays.before.masks(masks), axis=1)
        return counts


@dataclass(frozen=True)
class Column:
    """A column of the decision table.

    Its type is the name of a NumPy type, ``"text"`` (dictionary-encoded), or ``"list"`` (a 16-bit integer for
    each seat). The cells of a text column are indices into the result of `texts`, or `NONE` for an empty
    cell.
    """

    name: str
    type: str
    meaning: str  # in the documentation
    of: Callable[[Rows], NDArray[Any]]  # computes the cells
    texts: Callable[[Plan], tuple[str, ...]] = lambda plan: ()  # all possible texts of a text column
    after: str = ""  # the name of the column after which a game-specific column is inserted


# --- the columns of all games ---------------------------------------------------------------------


@cache
def kinds(spec: GameSpec) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return the distinct names of the action blocks, and for each action the index of its block's name."""
    blocks = [spec.block_of(action)[0].name for action in range(spec.num_actions)]
    names = tuple(dict.fromkeys(blocks))
    return names, np.array([names.index(name) for name in blocks])


@cache
def sentences(spec: GameSpec) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return the distinct action descriptions, and their indices as a ``(decisions, actions)`` array."""
    actions, decisions = range(spec.num_actions), range(len(spec.decisions))
    descriptions = [[spec.describe_action(action, decision) for action in actions] for decision in decisions]
    numbers = {text: i for i, text in enumerate(dict.fromkeys(text for row in descriptions for text in row))}
    return tuple(numbers), np.array([[numbers[text] for text in row] for row in descriptions])


def bots_of(plan: Plan) -> tuple[str, ...]:
    """Return the names of the bots in a recording, without duplicates."""
    return tuple(dict.fromkeys(plan.bots))


def agents(rows: Rows) -> NDArray[Any]:
    """Return the index of each row's bot in ``bots_of(rows.plan)``."""
    numbers = {bot: number for number, bot in enumerate(bots_of(rows.plan))}
    seats = range(len(rows.plan.bots))
    return rows.of_seats(
        [[numbers[game.match.bot_at(seat)] for seat in seats] for game in rows.replays.games]
    )


def final_reward(rows: Rows) -> NDArray[Any]:
    """Return the final reward of each row's seat."""
    return rows.of_seats(
        [final_rewards(rows.plan.reward, game.scores, game.winners) for game in rows.replays.games]
    )


COLUMNS = (
    Column(
        "game", "int32", "the game's number in the recording, from 0",
        lambda r: r.games + r.replays.first,
    ),
    Column(
        "seed", "int64", "the seed for a Gymnasium environment's `reset` that starts the game",
        lambda r: r.games + r.replays.first + r.plan.seed,
    ),
    Column(
        "game_seed", "uint64", "the seed for `Game` that starts the game",
        lambda r: r.of_games([np.uint64(game.match.seed) for game in r.replays.games]),
    ),
    Column(
        "number", "int32", "the decision's number in the game, from 0",
        lambda r: np.concatenate([np.arange(length) for length in r.replays.lengths]),
    ),
    Column("episode", "int32", "the episode's number in the Minari dataset, from 0", Rows.episodes),
    Column("seat", "int8", "the seat to play", lambda r: r.seats),
    Column("agent", "text", "the bot in the seat to play", agents, bots_of),
    Column(
        "decision", "text", "the name of the decision", lambda r: r.states["decision"],
        lambda plan: tuple(row.name for row in plan.spec.decisions),
    ),
    Column("legal_actions", "int16", "the number of legal actions", Rows.legal_actions),
    Column("action", "int16", "the action's number", lambda r: r.actions),
    Column(
        "action_name", "text", "the action's name, which does not depend on the decision",
        lambda r: r.actions, lambda plan: tuple(map(plan.spec.action_name, range(plan.spec.num_actions))),
    ),
    Column(
        "action_kind", "text", "the first part of the action's name",
        lambda r: kinds(r.plan.spec)[1][r.actions], lambda plan: kinds(plan.spec)[0],
    ),
    Column(
        "meaning", "text", "the action in words, as described for this decision",
        lambda r: sentences(r.plan.spec)[1][r.states["decision"], r.actions],
        lambda plan: sentences(plan.spec)[0],
    ),
    Column("score", "int16", "the seat's points if the game had ended just before this action", Rows.scores),
    Column(
        "final_score", "int16", "the seat's points at the end",
        lambda r: r.of_seats([game.scores for game in r.replays.games]),
    ),
    Column(
        "final_scores", "list", "the points of all seats at the end",
        lambda r: r.of_games([game.scores for game in r.replays.games]),
    ),
    Column(
        "won", "bool", "whether the seat won, alone or with others",
        lambda r: r.of_seats(
            [[seat in game.winners for seat in range(len(game.scores))] for game in r.replays.games]
        ),
    ),
    Column("reward", "float32", "the seat's reward at the end", final_reward),
    Column(
        "truncated", "bool", "whether the round limit ended the game",
        lambda r: r.of_games([game.truncated for game in r.replays.games]),
    ),
)  # fmt: skip
"""The columns that the decision tables of all card games share, except `OBSERVATION_COLUMNS`."""

OBSERVATION_COLUMNS = {
    "observation": ("list of {size:,} float32 or uint8", "the seat's observation"),
    "action_mask": ("{bytes} bytes", "bit `i` is 1 if action `i` is legal, lowest bit first"),
}
"""The type and meaning of each column that ``--observations`` adds, by name."""


def columns_with(own_columns: Sequence[Column]) -> tuple[Column, ...]:
    """Return all columns of the decision table except `OBSERVATION_COLUMNS`, given the game's own columns."""
    columns = list(COLUMNS)
    for column in own_columns:
        columns.insert([other.name for other in columns].index(column.after) + 1, column)
    return tuple(columns)


def mask_bytes(spec: GameSpec) -> int:
    """Return the size in bytes of an action mask packed into one bit per action."""
    return -(-spec.num_actions // 8)


def observation_cells(rows: Rows) -> tuple[NDArray[Any], NDArray[np.uint8]]:
    """Return ``(n, OBSERVATION_SIZE)`` observations and ``(n, mask_bytes)`` packed action masks of n rows."""
    before = rows.replays.before
    observations, masks = observe_all(before.spec, before.states, rows.seats, rows.plan.dtype, num_threads=1)
    return observations, np.packbits(masks, axis=1, bitorder="little")


def column_table(spec: GameSpec, own_columns: Sequence[Column]) -> str:
    """Return a Markdown table with the name, type and meaning of every column, for the documentation."""
    lines = ["| column | type | meaning |", "| --- | --- | --- |"]
    types = {"list": "list of int16"}
    lines += [
        f"| `{column.name}` | {types.get(column.type, column.type)} | {column.meaning} |"
        for column in columns_with(own_columns)
    ]
    sizes = {"size": spec.observation_size, "bytes": mask_bytes(spec)}
    lines += [
        f"| `{name}` | {kind.format(**sizes)} | {meaning} (`--observations`) |"
        for name, (kind, meaning) in OBSERVATION_COLUMNS.items()
    ]
    return "\n".join(lines)
