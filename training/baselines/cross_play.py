"""Cross-play: the final policies of the baselines and the bots play a round robin on the same deals."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Annotated

import numpy as np
from msgspec import Meta

from pocketmars_agents.arena.arena import Deals
from pocketmars_agents.arena.rating import (
    Bots,
    WinShares,
    plot_standings,
    ranking_table,
    round_robin,
    standings,
)
from pocketmars_agents.arena.runner import run
from pocketmars_agents.arena.workers import Hire
from pocketmars_env.core import gate
from pocketmars_training.common.revision import revision, versions_of
from pocketmars_training.common.training_spec import Task, training_of

from .algorithms import ALGORITHMS, TASKS
from .policies import policy_path
from .results import read_file, write_file

BOTS = ("random", "greedy", "planner", "ismcts:100", "puct:100", "mmd:100")
"""The bots that play every task; the shipped policy plays too."""
SAMPLED = ("ppo_entropy", "mmd", "vrpo", "rnad")
"""Algorithms that learn mixed strategies; their policies play twice, once with sampled actions."""
SAMPLE = ":sample"
SEED = 1
"""The seed of the runs whose policies play."""
FILE, PLOT = "cross_play.json", "cross_play.svg"
"""The files with the result and its plot, in the folder of a task's results."""
PAIR_TASKS = tuple(name for name, task in TASKS.items() if task.players == 2)
"""The names of the tasks for two players; the solo game has no pairs."""
HALVES = 2
"""The wins in the file are whole numbers of half wins."""


class CrossPlay(gate.Record):
    """The result of a round robin of two-player games, and the format of its file.

    Each pair plays a deal twice, the second time with the seats swapped. `wins` has one text for each pair,
    in the order of `itertools.combinations`, with one digit per deal: twice the first one's wins in the two
    games. A shared win counts as half a win.
    """

    task: str
    deals: Annotated[int, Meta(ge=1)]
    bots: tuple[str, ...]  # bots, and algorithms, with ``:sample`` if actions are sampled
    wins: tuple[Annotated[str, Meta(pattern="^[0-4]+$")], ...]
    command: str  # this and the following fields as in `RunResult`
    revision: str
    versions: dict[str, str]

    def standings(self) -> tuple[Bots, WinShares]:
        """Return the result as the arguments `line_ups` and `win_shares` of `ratings`."""
        wins = np.array([[int(digit) for digit in pair] for pair in self.wins]).T / HALVES
        pairs = np.array(list(combinations(range(len(self.bots)), 2)))
        return pairs, np.stack([wins, 2 - wins], axis=2)

    @property
    def titles(self) -> list[str]:
        """The names of the players in the plot and the table."""
        return [title_of(bot) for bot in self.bots]

    def table(self) -> str:
        """Return the table of ratings as Markdown."""
        names = [f"`{bot}`" if bot == title else title for bot, title in zip(self.bots, self.titles)]
        return ranking_table(names, *self.standings()).markdown()

    def plot(self, folder: Path) -> None:
        """Write the plot with the ratings and the win rates."""
        plot_standings(folder / self.task / PLOT, self.titles, *self.standings())

    def write(self, folder: Path) -> None:
        write_file(folder / self.task / FILE, self)


def read_cross_plays(folder: Path) -> list[CrossPlay]:
    """Read the result files of the tasks that have one."""
    paths = [folder / task / FILE for task in PAIR_TASKS]
    return [read_file(path, CrossPlay) for path in paths if path.exists()]


def sections(cross_plays: Sequence[CrossPlay]) -> str:
    """Return the generated part of the page: a plot and a table for each task, and the commands."""
    parts = [
        f"### Cross-play: {TASKS[result.task].title}\n\n"
        f"![Ratings and win rates of policies and bots](baselines/{result.task}/{PLOT})\n\n{result.table()}"
        for result in cross_plays
    ]
    commands = [f"`{result.command}` (revision {result.revision})" for result in cross_plays]
    return "\n\n".join([*parts, f"Commands: {', '.join(commands)}."])


def title_of(bot: str) -> str:
    name, _, play = bot.partition(":")
    if name not in ALGORITHMS or (play and f":{play}" != SAMPLE):
        return bot
    return ALGORITHMS[name].title + (", sampled" if play else "")


def players_of(task: Task, policies: Path) -> dict[str, str]:
    """Return the bots that play a task, with the names in the result as keys."""
    files = {
        name: policy_path(policies, name, task.name, algorithm.steps, SEED)
        for name, algorithm in ALGORITHMS.items()
    }
    players = {name: str(file) for name, file in files.items() if file.exists()}
    if not players:
        raise ValueError(f"there are no policies for {task.name} with seed {SEED} in {policies}")
    players |= {name + SAMPLE: players[name] + SAMPLE for name in SAMPLED if name in players}
    return players | {bot: bot for bot in (*BOTS, training_of(task.game).policy_name)}


def cross_play(task: Task, policies: Path, deals: int, hire: Hire, games: Path | None) -> CrossPlay:
    """Play a round robin of a task's policies and bots; finished games in the file `games` are reused."""
    code, players = revision(), players_of(task, policies)
    bots = list(players.values())
    of_config = Deals(task.game.config(**task.kind), deals)
    line_ups, win_shares = standings(run(round_robin(bots, of_config), hire, games), bots)
    assert line_ups.tolist() == [list(pair) for pair in combinations(range(len(bots)), 2)]
    wins = (win_shares[:, :, 0].T * HALVES).round().astype(int)
    return CrossPlay(
        task=task.name,
        deals=deals,
        bots=tuple(players),
        wins=tuple("".join(map(str, pair)) for pair in wins.tolist()),
        command=f"python -m training.baselines cross-play {task.name} --policies policies --deals {deals}",
        revision=code,
        versions=versions_of(("numpy", "numba")),
    )
