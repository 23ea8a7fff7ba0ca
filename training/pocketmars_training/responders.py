"""Responders that look for a best response without training, and the result file of all responders.

- ``search`` knows the policy that it plays against: in its rollouts, the policy itself plays the other seats.
  If the policy is not a network, the shipped policy of the game takes its place.
- ``population`` plays many bots against the policy, and measures the best one on other deals. So the measured
  win rate is not biased by the selection.

Both play games of the arena, which are kept in `GAMES_FILE`: a run that is started again continues.
"""

import dataclasses
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pocketmars_agents import make_agent
from pocketmars_agents.arena import text_table
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.results_file import ResultsError
from pocketmars_agents.arena.runner import finished_games
from pocketmars_agents.arena.statistics import wilson_interval
from pocketmars_agents.arena.workers import WorkersError, hire_processes
from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_agents.cli.command_options import with_bar
from pocketmars_agents.game_bots import game_bots_of
from pocketmars_agents.registry import canonical_name, parts_of
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.game_spec import Config, GameSpec
from pocketmars_env.core.version import __version__
from pocketmars_training.common.evaluation import FIRST_SEED
from pocketmars_training.common.run_folder import RunError, begin_folder, plain
from pocketmars_training.common.training_spec import Matchup, SoloSpec

RESPONDERS = ("ppo", "search", "population")
RESULT_FILE, GAMES_FILE = "exploitability.json", "games.jsonl"
SELECTION_SEED = 2**41
"""The seed of the first deal on which a bot of a population is selected."""
POPULATION = ("random", "greedy", "planner", "ismcts:100", "puct:100", "mmd:100")
"""The bots of a population for any game, which decide within 50 ms; the game's own bots are added."""
PLAYED_SETTINGS = (
    "policy", "responder", "game", "players", "small", "start", "n_eval_episodes", "budget", "population",
    "selection_episodes",
)  # fmt: skip
"""The settings that matter to the responders that do not train."""


@dataclass(frozen=True)
class Response:
    """The result of a responder in a matchup."""

    responder: str  # what has played: the name of a bot or of the policy that was trained
    win_share: float
    interval: tuple[float, float]  # the 95 % Wilson interval of the win rate
    games: int
    first_seed: int  # the seed of the first deal
    seconds_per_decision: float | None = None


def search_against(policy: str, budget: str, start: str | None, spec: GameSpec) -> str:
    """Return the name of the search that knows the policy; it improves `start` or the shipped policy."""
    agent = make_agent(policy)
    path, play = parts_of(policy)
    settings = [] if start is None else [f"policy={start}"]
    if isinstance(agent, PolicyAgent) and agent.compact_mlp is not None:
        settings += [f"against={path}"] + ["against_temperature=1"] * (play == "sample")
        if start is None and game_bots_of(spec).network is None:
            settings.append(f"policy={path}")
    return canonical_name(":".join(["mmd", budget, *settings]))


def population_of(spec: GameSpec) -> list[str]:
    """Return the bots of a population for a game: fast searches, its policies and its own agents."""
    bots = game_bots_of(spec)
    return [*POPULATION, *bots.policies, *(agent.name for agent in bots.agents)]


# --- games ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seating:
    """The games of a matchup: the responder plays one seat, and the policy the others."""

    name: str
    config: Config
    policy: str
    is_automaton: bool  # whether the responder makes the automaton's choices

    def matches(self, responder: str, first_seed: int, games: int) -> list[Match]:
        """Return matches on the first deals from `first_seed`, each deal in all rotations of the seats."""
        others, rotations = self.config.seats_to_play - 1, self.config.players
        bots = [responder, *[self.policy] * others]
        if self.is_automaton:
            bots.reverse()
        return [
            Match(tuple(bots), self.config, first_seed + number // rotations, number % rotations)
            for number in range(games)
        ]

    def seat_of_responder(self, match: Match) -> int:
        """Return the seat that the responder plays in a match."""
        return match.seat_of(len(match.bots) - 1 if self.is_automaton else 0)


def seating_of(matchup: Matchup, policy: str, spec: GameSpec, automaton: SoloSpec | None) -> Seating:
    """Return the games of a matchup of the environments."""
    settings = {name: value for name, value in matchup.settings.items() if name not in ("opponents", "seat")}
    settings |= automaton.automaton_settings if automaton else {}
    return Seating(matchup.name, spec.config(**settings), canonical_name(policy), automaton is not None)


class PlayedRun:
    """A run of the responder ``search`` or ``population``."""

    def __init__(self, settings: Any, matchups: Sequence[Matchup]) -> None:
        self.settings, spec = settings, settings.spec
        self.seatings = [
            seating_of(matchup, settings.policy, spec, settings.automaton) for matchup in matchups
        ]
        if settings.responder == "search":
            start = None if settings.start is None else str(settings.start)
            self.bots = [search_against(settings.policy, settings.budget, start, spec)]
        else:
            self.bots = list(dict.fromkeys(map(canonical_name, settings.population or population_of(spec))))
        self.console = text_table.plain_console(text_table.PLAIN_WIDTH)
        self.started = sum(os.times()[:4])
        self._lock = begin_folder(settings)
        self.is_continued = (settings.run / GAMES_FILE).exists()

    def close(self) -> None:
        """Unlock the folder."""
        self._lock.close()

    def train(self) -> None:
        """Find the strongest response in each matchup, and write the result file."""
        responses: dict[str, Response] = {}
        selection: dict[str, dict[str, list[float]]] = {}
        for seating in self.seatings:
            best = self.bots[0]
            if len(self.bots) > 1:
                rates = self.play(seating, self.bots, SELECTION_SEED, self.settings.selection_episodes)
                best = max(rates, key=lambda bot: rates[bot].win_share)
                selection[seating.name] = {
                    bot: [rate.win_share, *rate.interval]
                    for bot, rate in sorted(rates.items(), key=lambda item: -item[1].win_share)
                }
            measured = self.play(seating, [best], FIRST_SEED, self.settings.n_eval_episodes)
            responses[seating.name] = measured[best]
        more = {"selection": selection} if selection else {}
        seconds = None if self.is_continued else sum(os.times()[:4]) - self.started  # also of the workers
        write_result(self.settings, responses, seconds, **more)
        show_responses(self.console, self.settings, responses)

    def play(self, seating: Seating, bots: Sequence[str], first_seed: int, games: int) -> dict[str, Response]:
        """Play games of each bot against the policy, and return the results by bot.

        A bot that fails, for example because it cannot play this mode, loses. The policy must not fail.
        """
        matches = {match: bot for bot in bots for match in seating.matches(bot, first_seed, games)}
        results: dict[str, list[GameResult]] = {bot: [] for bot in bots}
        try:
            hire = hire_processes(self.settings.threads)
            played = finished_games(list(matches), hire, self.settings.run / GAMES_FILE)
            for result in with_bar(played, len(matches)):
                results[matches[result.match]].append(result)
        except (ResultsError, WorkersError) as error:
            raise RunError(str(error)) from error
        return {bot: response_of(bot, seating, first_seed, results[bot]) for bot in bots}


def response_of(bot: str, seating: Seating, first_seed: int, results: Sequence[GameResult]) -> Response:
    """Return a bot's result in games against the policy; raise a RunError if the policy has failed."""
    seats = [seating.seat_of_responder(result.match) for result in results]
    for result, seat in zip(results, seats):
        if result.failure is not None and result.failure.seat != seat:
            raise RunError(f"{seating.policy} failed: {result.failure.reason}")
    total = sum(result.win_share(seat) for result, seat in zip(results, seats))
    seconds = sum(result.seconds[seat] for result, seat in zip(results, seats))
    decisions = sum(result.decisions[seat] for result, seat in zip(results, seats))
    return Response(
        bot,
        total / len(results),
        wilson_interval(round(total), len(results)),
        len(results),
        first_seed,
        float(f"{seconds / max(1, decisions):.3g}"),
    )


# --- the result file ------------------------------------------------------------------------------


def write_result(
    settings: Any, responses: Mapping[str, Response], processor_seconds: float | None, **more: Any
) -> None:
    """Write the result file of a run: versions, settings, win rates, seeds and processor time."""
    names: Iterable[str] = plain(settings) if settings.responder == "ppo" else PLAYED_SETTINGS
    content = {
        "pocketmars_env": __version__,
        "rules_version": settings.spec.rules_version,
        "policy": settings.policy,
        "responder": settings.responder,
        "settings": {name: plain(settings)[name] for name in names},
        "best_response": {name: dataclasses.asdict(response) for name, response in responses.items()},
        "processor_seconds": None if processor_seconds is None else round(processor_seconds, 1),
        **more,
    }
    path = settings.run / RESULT_FILE
    try:
        write_whole(path, json.dumps(content, indent=1).encode())
    except OSError as error:
        raise RunError(f"cannot write {path}: {error}; run again with --resume {settings.run}") from error


def show_responses(console: Any, settings: Any, responses: Mapping[str, Response]) -> None:
    """Print the win rate in each matchup and the path of the result file."""
    for name, response in responses.items():
        low, high = response.interval
        console.print(
            f"A best response wins at least {response.win_share:.1%} [{low:.1%}, {high:.1%}] against "
            f"{settings.policy} in {name}; {response.games:,} games of {response.responder}"
        )
    console.print(f"result: {settings.run / RESULT_FILE}", soft_wrap=True)
