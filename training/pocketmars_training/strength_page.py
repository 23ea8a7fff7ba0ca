"""Tables of the page `docs/strength.md`, from the result files in `training/exploitability`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pocketmars_agents.arena.statistics import Interval
from pocketmars_agents.arena.text_table import TextTable, percent
from pocketmars_env.core.game_spec import default_game, game_named

SELF_CHECK = "selfcheck.json"
"""The name of the file with the results of the self-check."""
REFERENCE, AUTOMATON = "planner", "automaton"
"""The opponents in the column on strength."""
NONE = "–"
Result = dict[str, Any]


@dataclass(frozen=True)
class Certificate:
    """The win rate of a responder against a policy in a matchup."""

    name: str  # the name of the result file, without its suffix
    result: Result
    matchup: str

    @property
    def response(self) -> Result:
        """The entry of the matchup in the result file."""
        response: Result = self.result["best_response"][self.matchup]
        return response

    @property
    def pair(self) -> tuple[str, str, str]:
        """The game, the policy and the matchup."""
        return self.result["settings"]["game"], self.result["policy"], self.matchup

    @property
    def responder(self) -> str:
        """What has played against the policy, in words."""
        responder = self.result.get("responder", "ppo")  # files before version 0.4 have only PPO
        if responder == "ppo":
            return f"PPO, {self.result['decisions'] / 1e6:.1f} million decisions"
        return f"{responder}: `{self.response['responder']}`"

    @property
    def effort(self) -> str:
        """The processor time of the responder, if it was measured."""
        seconds = self.result.get("processor_seconds")
        return NONE if seconds is None else f"{max(1, round(seconds / 60))} min"

    @property
    def command(self) -> str:
        """The command that repeats the measurement."""
        settings, words = self.result["settings"], ["pocketmars"]
        if settings["game"] != default_game().name:
            words += ["--game", settings["game"]]
        words += ["exploit", settings["policy"], "--players", *map(str, settings["players"])]
        for option in OPTIONS.get(settings.get("responder", "ppo"), ()):
            value = settings[option]
            if value:
                values = map(str, value) if isinstance(value, list) else [str(value)]
                words += [f"--{option.replace('_', '-')}", *values]
        return " ".join(words)


OPTIONS = {
    "ppo": ("start", "total_timesteps"),
    "search": ("responder", "budget", "start", "n_eval_episodes"),
    "population": ("responder", "population", "selection_episodes", "n_eval_episodes"),
}
"""The options of each responder that a command shows."""


def certificates(folder: Path) -> Iterator[Certificate]:
    """Yield the results in a folder, by file and matchup."""
    for path in sorted(folder.glob("*.json")):
        if path.name != SELF_CHECK:
            result = json.loads(path.read_text(encoding="utf-8"))
            for matchup in result["best_response"]:
                yield Certificate(path.stem, result, matchup)


def strength_of(pair: tuple[str, str, str], found: Sequence[Certificate]) -> str:
    """Return a policy's win rate against `REFERENCE`, or against the automaton in the solo game."""
    game, policy, matchup = pair
    for other in found:
        selection: Mapping[str, Sequence[float]] = other.result.get("selection", {}).get(matchup, {})
        if other.pair == pair and AUTOMATON in selection and matchup.startswith(f"{policy}_"):
            share, low, high = selection[AUTOMATON]
            return percent(1 - share, (1 - high, 1 - low))
        if other.pair == (game, REFERENCE, matchup) and policy in selection and policy != REFERENCE:
            share, low, high = selection[policy]
            return percent(share, (low, high))
    return NONE


def strength_table(folder: Path) -> str:
    """Return one row for each policy and mode, with the highest win rate that a responder has reached."""
    found = list(certificates(folder))
    best: dict[tuple[str, str, str], Certificate] = {}
    tried: dict[tuple[str, str, str], set[str]] = {}
    for one in found:
        tried.setdefault(one.pair, set()).add(one.result.get("responder", "ppo"))
        if one.pair not in best or one.response["win_share"] > best[one.pair].response["win_share"]:
            best[one.pair] = one
    rows = []
    for pair in sorted(best, key=lambda pair: (pair[0] != default_game().name, pair[1], pair[2])):
        one, (game, policy, matchup) = best[pair], pair
        interval: Interval = tuple(one.response["interval"])
        rows.append(
            (
                f"`{policy}`",
                f"{game_named(game).title}, {matchup}",
                strength_of(pair, found),
                percent(one.response["win_share"], interval),
                f"{one.response['games']:,}",
                one.responder,
                ", ".join(sorted(tried[pair])),
                one.effort,
                f"[`{one.command}`](../training/exploitability/{one.name}.json)",
            )
        )
    columns = (
        "bot", "game and mode", "wins against `planner`", "highest win rate found against it", "games",
        "responder", "tried", "processor time", "command and result",
    )  # fmt: skip
    return TextTable(columns, 2, tuple(rows)).markdown()


def self_check_table(folder: Path) -> str:
    """Return the win rates of the responders against the flawed bots."""
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for row in json.loads((folder / SELF_CHECK).read_text(encoding="utf-8")):
        cells = rows.setdefault(
            (f"`{row['policy']}`", f"{game_named(row['game']).title}, {row['matchup']}"), {}
        )
        cells[row["responder"]] = percent(row["win_share"], row["interval"])
    responders = list(dict.fromkeys(responder for cells in rows.values() for responder in cells))
    lines = [(*key, *(cells.get(responder, NONE) for responder in responders)) for key, cells in rows.items()]
    return TextTable(("bot", "game and mode", *responders), 2, tuple(lines)).markdown()
