"""The columns of the table of decisions: one row for each decision of each seat."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.recording.plan import Plan
from pocketmars_agents.recording.replay import Replays, observed
from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, action_name
from pocketmars_env.envs.rewards import final_rewards
from pocketmars_env.games.pocket_mars.kernels import batch
from pocketmars_env.games.pocket_mars.rules.actions import block_of
from pocketmars_env.games.pocket_mars.rules.cards import CARDS, FIRST_ABILITY, FIRST_BOTTOM
from pocketmars_env.games.pocket_mars.rules.constants import MAX_SEATS, Decision
from pocketmars_env.games.pocket_mars.text.wording import describe_action

NONE = -1
"""The number of an empty cell in a column of texts."""
BOTTOM, ABILITY = 1, 2
HALVES = ("top", "bottom", "ability")
"""What a card's action may be; `BOTTOM` and `ABILITY` are numbers in this list."""
OFFERS = {Decision.BOTTOM: BOTTOM, Decision.ABILITY: ABILITY}
"""Decisions whether something shall be carried out, and what."""
CARD_NAMES = tuple(card.name for card in CARDS)
DECISION_NAMES = tuple(decision.name for decision in Decision)
BLOCKS = tuple(block_of(action) for action in range(NUM_ACTIONS))
ACTION_NAMES = tuple(action_name(action) for action in range(NUM_ACTIONS))
KINDS = tuple(dict.fromkeys(block.name for block, _ in BLOCKS))
KIND_OF_ACTION = np.array([KINDS.index(block.name) for block, _ in BLOCKS])
CARD_OF_ACTION = np.array([number if block.argument.startswith("card") else NONE for block, number in BLOCKS])
MASK_BYTES = -(-NUM_ACTIONS // 8)


class Rows:
    """What the columns are made from: the decisions of some games.

    Args:
        plan: of the recording.
        replays: the games.
        first_episode: the number of their first episode.

    """

    def __init__(self, plan: Plan, replays: Replays, first_episode: int) -> None:
        self.plan = plan
        self.replays = replays
        self.first_episode = first_episode
        self.states = replays.states
        self.actions = replays.actions
        self.seats = replays.seats
        self.games = replays.places

    def of_games(self, values: list[Any]) -> NDArray[Any]:
        """A value for each game, in each of its rows."""
        return np.array(values)[self.games]

    def of_seats(self, values: list[Any]) -> NDArray[Any]:
        """A value for each game and seat, ``(games, seats)``, in the rows of that game and seat."""
        return np.array(values)[self.games, self.seats]

    def episodes(self) -> NDArray[np.int64]:
        """The episode of each row: they are numbered by game and seat."""
        found = np.unique(self.games * MAX_SEATS + self.seats, return_inverse=True)[1]
        episodes: NDArray[np.int64] = self.first_episode + found
        return episodes

    def scores(self) -> NDArray[np.int64]:
        """The points of each row's seat if the game ended now."""
        scores = np.empty((len(self.states), MAX_SEATS), dtype=np.int64)
        batch.scores_all(self.states, scores, np.empty(len(self.states), dtype=np.int64))
        own: NDArray[np.int64] = scores[np.arange(len(scores)), self.seats]
        return own

    def legal_actions(self) -> NDArray[np.int64]:
        """How many actions each row's seat had."""
        masks = np.empty((len(self.states), NUM_ACTIONS), dtype=np.int8)
        batch.mask_all(self.states, masks)
        counts: NDArray[np.int64] = np.count_nonzero(masks, axis=1)
        return counts

    def halves(self) -> NDArray[np.int64]:
        """Which half of a card, or whether a Building's ability, is carried out or offered."""
        halves: NDArray[np.int64] = np.digitize(self.states["program"], (0, FIRST_BOTTOM, FIRST_ABILITY)) - 1
        for decision, offered in OFFERS.items():
            halves[self.states["decision"] == decision] = offered
        return halves

    def resolving(self) -> NDArray[np.int64]:
        """The card that is carried out: a top says which it is, all else comes from the card played."""
        programs, played = self.states["program"], self.states["played"]
        is_top = (programs >= 0) & (programs < FIRST_BOTTOM)
        cards: NDArray[np.int64] = np.where(is_top, programs, played).astype(np.int64)
        return cards


@dataclass(frozen=True)
class Column:
    """A column of the table.

    Attributes:
        name: its name.
        type: of its cells: a NumPy type; ``"text"``, of which the file keeps every different one
            once; or ``"list"``, of 16-bit integers.
        meaning: what it says.
        of: its cells: an array; of texts, numbers of `texts`, or `NONE` for an empty cell.
        texts: all that may stand in a column of texts.

    """

    name: str
    type: str
    meaning: str
    of: Callable[[Rows], NDArray[Any]]
    texts: Callable[[Plan], tuple[str, ...]] = lambda plan: ()


@cache
def sentences() -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """What actions mean: all sentences, and their numbers by decision and action."""
    found = [[describe_action(action, decision) for action in range(NUM_ACTIONS)] for decision in Decision]
    numbers = {text: i for i, text in enumerate(dict.fromkeys(text for row in found for text in row))}
    return tuple(numbers), np.array([[numbers[text] for text in row] for row in found])


def bots_of(plan: Plan) -> tuple[str, ...]:
    """The different bots."""
    return tuple(dict.fromkeys(plan.bots))


def agents(rows: Rows) -> NDArray[Any]:
    """The bot of each row."""
    numbers = {bot: number for number, bot in enumerate(bots_of(rows.plan))}
    seats = range(len(rows.plan.bots))
    return rows.of_seats(
        [[numbers[game.match.bot_at(seat)] for seat in seats] for game in rows.replays.games]
    )


def final_reward(rows: Rows) -> NDArray[Any]:
    """The reward of each row's seat at the end."""
    return rows.of_seats(
        [final_rewards(rows.plan.reward, game.scores, game.winners) for game in rows.replays.games]
    )


COLUMNS = (
    Column("game", "int32", "the game's number in the recording", lambda r: r.games + r.replays.first),
    Column(
        "seed", "int64", "the seed with which `reset` of an environment begins the game",
        lambda r: r.games + r.replays.first + r.plan.seed,
    ),
    Column(
        "game_seed", "uint64", "the seed with which `Game` begins it",
        lambda r: r.of_games([np.uint64(game.match.seed) for game in r.replays.games]),
    ),
    Column(
        "number", "int32", "the decision's number in the game, from 0",
        lambda r: np.concatenate([np.arange(length) for length in r.replays.lengths]),
    ),
    Column("episode", "int32", "the episode in Minari's data set", Rows.episodes),
    Column("seat", "int8", "the seat that decides; 1 is Devious Automatics in solo games", lambda r: r.seats),
    Column("agent", "text", "the bot in that seat", agents, bots_of),
    Column("round", "int16", "the round of the game, from 1", lambda r: r.states["round_number"]),
    Column(
        "decision", "text", "what is asked", lambda r: r.states["decision"], lambda plan: DECISION_NAMES
    ),
    Column("legal_actions", "int16", "how many actions are legal", Rows.legal_actions),
    Column("action", "int16", "the action's number", lambda r: r.actions),
    Column(
        "action_name", "text", "the action's name, the same for every decision",
        lambda r: r.actions, lambda plan: ACTION_NAMES,
    ),
    Column(
        "action_kind", "text", "the name's first part",
        lambda r: KIND_OF_ACTION[r.actions], lambda plan: KINDS,
    ),
    Column(
        "action_card", "text", "the card that the action names; empty for none",
        lambda r: CARD_OF_ACTION[r.actions], lambda plan: CARD_NAMES,
    ),
    Column(
        "meaning", "text", "the action as an answer to the decision, in words",
        lambda r: sentences()[1][r.states["decision"], r.actions], lambda plan: sentences()[0],
    ),
    Column(
        "card", "text", "the card whose action is carried out; empty for none",
        Rows.resolving, lambda plan: CARD_NAMES,
    ),
    Column(
        "half", "text", "its `top`, its `bottom`, or its Building's `ability`; empty for none",
        Rows.halves, lambda plan: HALVES,
    ),
    Column("score", "int16", "the seat's points if the game ended now", Rows.scores),
    Column(
        "final_score", "int16", "the seat's points at the end",
        lambda r: r.of_seats([game.scores for game in r.replays.games]),
    ),
    Column(
        "final_scores", "list", "the points of all seats at the end",
        lambda r: r.of_games([game.scores for game in r.replays.games]),
    ),
    Column(
        "won", "bool", "whether the seat has won, alone or with others",
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
"""All columns but those of the observation."""

OBSERVATION_COLUMNS = (
    ("observation", f"list of {OBSERVATION_SIZE:,} float32", "what the seat sees"),
    ("action_mask", f"{MASK_BYTES} bytes", "bit `i` is 1 if action `i` is legal, lowest bit first"),
)
"""The columns that ``--observations`` adds: name, type, meaning."""


def observation_cells(rows: Rows) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """The cells of `OBSERVATION_COLUMNS`: ``(n, OBSERVATION_SIZE)`` and ``(n, MASK_BYTES)``."""
    observations, masks = observed(rows.states, rows.seats)
    return observations, np.packbits(masks, axis=1, bitorder="little")


def column_table() -> str:
    """The columns as a Markdown table."""
    lines = ["| column | type | meaning |", "| --- | --- | --- |"]
    types = {"list": "list of int16"}
    lines += [
        f"| `{column.name}` | {types.get(column.type, column.type)} | {column.meaning} |"
        for column in COLUMNS
    ]
    lines += [
        f"| `{name}` | {kind} | {meaning} (`--observations`) |" for name, kind, meaning in OBSERVATION_COLUMNS
    ]
    return "\n".join(lines)
