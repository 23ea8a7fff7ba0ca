"""The result file of the test of generalization, and the tables that are generated from it."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.arena.statistics import BOOTSTRAP_SEED, RESAMPLES, TAILS, Interval
from pocketmars_agents.arena.text_table import TextTable, percent
from pocketmars_env.core import gate
from pocketmars_env.core.files.writing import write_whole
from pocketmars_training.generalization.studies import (
    DECISIONS,
    RESPONSE_DECISIONS,
    SEEN_BOT,
    STUDIES,
    UNSEEN_OPPONENTS,
    deals_text,
)

RESULT_FILE = Path("training/generalization.json")
MAX_BYTES = 2**24
BEST_RESPONSE = "best response"
NEW_DEALS = deals_text(0)
NONE = "–"
DEALS_COLUMNS = (
    f"`{SEEN_BOT}`, seen deals",
    "points gained by seeing them",
    f"`{SEEN_BOT}`, unseen deals",
    "points, seen − unseen",
    f"{len(UNSEEN_OPPONENTS)} unseen opponents, unseen deals",
    "points against new deals",
    "best response wins",
)


class TrialResult(gate.Record):
    """The result of an agent in a trial."""

    opponents: dict[str, float]  # the win rate against each opponent
    deals: list[float]  # the mean win share in each deal, over all opponents and seats


class PolicyResult(gate.Record):
    """The results of a policy."""

    study: str  # this and the case are what the policy was trained on; see `STUDIES`
    case: str
    seed: int
    decisions: int
    command: str  # repeats the training and the trials
    versions: dict[str, str]  # of the packages, by name
    trials: dict[str, TrialResult]  # that of `BEST_RESPONSE` is a best response against the policy
    response_decisions: int = RESPONSE_DECISIONS
    revision: str = ""  # of Git; empty in results of earlier versions

    @property
    def policy(self) -> tuple[str, str, int, int, int]:
        """What the policy was trained on, and its budgets; a file has one result of each policy."""
        return self.study, self.case, self.seed, self.decisions, self.response_decisions


def read_results(path: Path) -> list[PolicyResult]:
    """Read a result file; without a file, there are no results."""
    if not path.exists():
        return []
    return gate.decode(gate.read_file(path, MAX_BYTES), list[PolicyResult], str(path))


def write_result(result: PolicyResult, path: Path) -> None:
    """Add a policy's result to a result file, or replace it."""
    by_policy = {one.policy: one for one in [*read_results(path), result]}
    cases = [(study, case) for study in STUDIES for case in STUDIES[study].cases]
    keys = sorted(by_policy, key=lambda key: (cases.index(key[:2]), key[2:]))
    lines = [msgspec.json.encode(by_policy[key]) for key in keys]
    write_whole(path, b"[\n" + b",\n".join(lines) + b"\n]\n")


# --- tables ---------------------------------------------------------------------------------------


def deal_shares(results: Sequence[PolicyResult], case: str, trial: str) -> dict[int, NDArray[np.float64]]:
    """Return the win shares in each deal of a trial, by the seed of the policy."""
    return {one.seed: np.array(one.trials[trial].deals) for one in results if one.case == case}


def interval_of(shares: NDArray[np.float64]) -> Interval:
    """Return the 95 % bootstrap interval of the mean of ``(seeds, deals)`` shares; both are resampled."""
    rng, (seeds, deals) = np.random.default_rng(BOOTSTRAP_SEED), shares.shape
    means = shares[rng.integers(seeds, size=(RESAMPLES, seeds))].mean(axis=1)
    means = np.take_along_axis(means, rng.integers(deals, size=(RESAMPLES, deals)), axis=1).mean(axis=1)
    low, high = np.percentile(means, TAILS)
    return float(low), float(high)


def cell(shares: dict[int, NDArray[np.float64]]) -> str:
    matrix = np.array(list(shares.values()))
    return percent(float(matrix.mean()), interval_of(matrix))


def difference(shares: dict[int, NDArray[np.float64]], others: dict[int, NDArray[np.float64]]) -> str:
    """Return the cell for the difference in points between two policies or sets of deals."""
    matrix = 100 * np.array([shares[seed] - others[seed] for seed in shares if seed in others])
    if not len(matrix):
        return NONE
    low, high = interval_of(matrix)
    return f"{matrix.mean():+.1f} [{low:+.1f}, {high:+.1f}]"


def study_table(
    study: str,
    results: Sequence[PolicyResult],
    decisions: int = DECISIONS,
    response_decisions: int = RESPONSE_DECISIONS,
) -> TextTable:
    """Return the table of a study; policies with other budgets or without all results do not count."""
    cases, trials = STUDIES[study].cases, list(STUDIES[study].trials)
    needed = {*trials, BEST_RESPONSE} if STUDIES[study].best_response else set(trials)
    complete = [
        one
        for one in results
        if one.policy == (study, one.case, one.seed, decisions, response_decisions)
        and needed <= set(one.trials)
    ]
    columns = DEALS_COLUMNS if study == "deals" else tuple(trials)
    rows = []
    for case in cases:
        seeds = [str(one.seed) for one in complete if one.case == case]
        if not seeds:
            cells = [NONE] * len(columns)
        elif study == "deals":
            cells = deals_cells(case, complete)
        else:
            cells = [cell(deal_shares(complete, case, trial)) for trial in trials]
        rows.append((case, ", ".join(seeds) or "not run", *cells))
    return TextTable(("trained on", "seeds", *columns), 1, tuple(rows))


def deals_cells(case: str, results: Sequence[PolicyResult]) -> list[str]:
    """Return the cells of a row below `DEALS_COLUMNS`."""
    seen, gained, gap, against_new = [NONE] * 4
    unseen, opponents = (deal_shares(results, case, f"unseen {kind}") for kind in ("deals", "opponents"))
    if case != NEW_DEALS:
        shares = deal_shares(results, case, case)
        seen, gained = cell(shares), difference(shares, deal_shares(results, NEW_DEALS, case))
        gap = difference(shares, unseen)
        against_new = difference(opponents, deal_shares(results, NEW_DEALS, "unseen opponents"))
    response = cell(deal_shares(results, case, BEST_RESPONSE))
    return [seen, gained, cell(unseen), gap, cell(opponents), against_new, response]
