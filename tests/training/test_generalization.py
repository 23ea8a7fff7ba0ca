"""Test of generalization: its fixed deals and opponents, tests of agents, result file and tables."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from pocketmars_agents import make_agent
from pocketmars_agents.games.project_mars.bots import DUEL
from pocketmars_env.core.games import Games
from pocketmars_training.generalization import __main__ as command
from pocketmars_training.generalization import runs
from pocketmars_training.generalization.results import (
    BEST_RESPONSE,
    RESULT_FILE,
    PolicyResult,
    TrialResult,
    interval_of,
    read_results,
    study_table,
    write_result,
)
from pocketmars_training.generalization.studies import (
    NUMBERS,
    RANDOM_DECKS,
    SEEN_BOT,
    STUDIES,
    TRAINING_DEALS,
    UNSEEN_DEALS,
    UNSEEN_OPPONENTS,
    Trial,
)
from pocketmars_training.generalization.trials import agent_named, result_of, shares_of

ROOT = Path(__file__).parents[2]
DEALS = STUDIES["deals"]
FEW = Trial(RANDOM_DECKS, UNSEEN_DEALS[:6])


def result(case: str, seed: int, share: float) -> PolicyResult:
    """Create an invented result of a policy."""
    trials = {name: TrialResult({}, [share] * 4) for name in (*DEALS.trials, BEST_RESPONSE)}
    return PolicyResult("deals", case, seed, 2_000_000, "", {}, trials)


def hash_of(deals: range) -> str:
    """Return the SHA-256 hash of the first hands and decks of all seats."""
    games = Games(len(deals), DEALS.spec, **RANDOM_DECKS, seed=0)
    games.reset(seeds=np.array(deals, dtype=np.uint64))
    seats: Any = games.states["seats"]
    content = np.concatenate([seats["decklist"], seats["hand"], seats["deck"]], axis=2)
    return hashlib.sha256(content.astype(np.int8).tobytes()).hexdigest()


def test_the_deals_are_those_of_the_published_hashes() -> None:
    assert hash_of(TRAINING_DEALS) == "3aaee86b06135f6121d2556c7976b53de7ba512b44246fead9f775c8cdc18591"
    assert hash_of(UNSEEN_DEALS) == "54fe96cb294ff457d7fbb962c4b8a315e28519c273bb3a1c365975d7bf8e488c"
    policy = hashlib.sha256(DUEL.read_bytes()).hexdigest()
    assert policy == "48bab77b9b8249d9775950da4189b153df4539f1a439ce3368e523a002a91891"


def test_training_and_tests_share_no_deals_and_no_opponents() -> None:
    assert not set(TRAINING_DEALS) & set(UNSEEN_DEALS)
    assert max(NUMBERS) == len(TRAINING_DEALS)
    assert len(set(UNSEEN_OPPONENTS)) == 20
    assert SEEN_BOT not in UNSEEN_OPPONENTS
    for name in UNSEEN_OPPONENTS:
        assert agent_named(name).name == name


def test_equal_agents_share_each_deal() -> None:
    duel = make_agent("duel")
    assert shares_of(duel, duel, DEALS.spec, FEW).tolist() == [0.5] * 6


@pytest.mark.parametrize(
    ("study", "name"), [("deals", "10 deals"), ("players", "4 players"), ("levels", "cyborg")]
)
def test_an_agent_plays_every_deal_from_every_seat(study: str, name: str) -> None:
    test = STUDIES[study].trials[name]
    few = test._replace(deals=test.deals[:3], opponents=test.opponents and ("random", "greedy:1"))
    found = result_of(make_agent("greedy:1"), STUDIES[study].spec, few)
    assert list(found.opponents) == list(few.opponents)
    assert len(found.deals) == 3
    assert all(0 <= share <= 1 for share in found.deals)
    if found.opponents:
        assert np.mean(found.deals) == pytest.approx(np.mean(list(found.opponents.values())), abs=1e-3)


def test_a_mixture_is_between_its_agents() -> None:
    test = Trial(RANDOM_DECKS, UNSEEN_DEALS[:100])
    shares = [
        shares_of(agent_named(name), agent_named("random"), DEALS.spec, test).mean()
        for name in ("random", "duel+70%random", "duel")
    ]
    assert shares == sorted(shares)
    assert shares[0] == pytest.approx(0.5, abs=0.1)


def test_intervals_resample_seeds_and_deals() -> None:
    assert interval_of(np.full((3, 5), 0.25)) == (0.25, 0.25)
    seeds = np.repeat([[0.2], [0.4], [0.6]], 50, axis=1)
    assert interval_of(seeds) == pytest.approx((0.2, 0.6))
    deals = np.repeat([[0.0, 1.0] * 50], 3, axis=0)
    assert interval_of(deals) == pytest.approx((0.4, 0.6), abs=0.02)


def test_a_result_replaces_the_earlier_one_of_the_same_policy(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    short = replace(result("1 deal", 2, 0.1), decisions=5_000)
    for one in (result("new deals", 1, 0.5), result("1 deal", 2, 0.2), result("1 deal", 2, 0.3), short):
        write_result(one, path)
    assert read_results(path) == [short, result("1 deal", 2, 0.3), result("new deals", 1, 0.5)]
    assert len(path.read_text().splitlines()) == 5


def test_the_table_compares_policies_on_the_same_deals() -> None:
    results = [result("10 deals", seed, 0.25) for seed in (1, 2)]
    unfinished = result("100 deals", 1, 0.5)
    del unfinished.trials[BEST_RESPONSE]
    row, unfinished_row = study_table("deals", [*results, unfinished]).rows[1:3]
    assert unfinished_row[:2] == ("100 deals", "not run")
    assert row[:4] == ("10 deals", "1, 2", "25.0 % [25.0, 25.0]", "–")
    _, first, *_, last = study_table("deals", [*results, result("new deals", 1, 0.5)]).rows
    assert first[3] == first[7] == "-25.0 [-25.0, -25.0]"
    assert first[5] == "+0.0 [+0.0, +0.0]"
    assert last[2] == last[3] == last[5] == last[7] == "–"


def test_only_work_with_equal_budgets_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def trained(*_: object) -> Path:
        raise AssertionError("trains")

    monkeypatch.setattr(command, "trained", trained)
    (written,) = [one for one in read_results(ROOT / RESULT_FILE) if (one.case, one.seed) == ("10 deals", 1)]
    write_result(written, path := tmp_path / "results.json")
    content = json.loads(path.read_text())
    del content[0]["response_decisions"], content[0]["revision"]  # as in files of earlier versions
    path.write_text(json.dumps(content))
    arguments = ["run", "1", "--case", "10 deals", "--results", str(path)]
    assert "already done" in CliRunner().invoke(command.app, arguments).output
    for option in ("--decisions", "--response-decisions"):
        assert str(CliRunner().invoke(command.app, [*arguments, option, "5000"]).exception) == "trains"


@pytest.mark.slow
@pytest.mark.parametrize(("study", "case"), [("deals", "10 deals"), ("levels", "cyborg")])
def test_a_run_skips_what_is_finished(
    study: str, case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("onnx")
    small = {"n_envs": 8, "train_freq": 64, "batch_size": 32, "save_freq": 100}
    monkeypatch.setattr(runs, "SETTINGS", runs.SETTINGS | small)
    trials = {
        name: test._replace(deals=test.deals[:2], opponents=test.opponents[:1])
        for name, test in STUDIES[study].trials.items()
    }
    monkeypatch.setitem(STUDIES, study, STUDIES[study]._replace(trials=trials))
    path = tmp_path / "results.json"
    arguments = ["run", "3", "--study", study, "--case", case, "--decisions", "200"]
    arguments += ["--response-decisions", "200", "--runs", str(tmp_path), "--results", str(path)]
    output = CliRunner().invoke(command.app, arguments)
    assert output.exit_code == 0, output.output
    (found,) = read_results(path)
    assert (found.case, found.seed) == (case, 3)
    assert {row[:2] for row in study_table(study, [found], 200, 200).rows} >= {(case, "3")}
    content = json.loads(path.read_text())
    del content[0]["trials"][next(iter(trials))]
    path.write_text(json.dumps(content))
    again = CliRunner().invoke(command.app, arguments)
    assert "training" not in again.output
    assert read_results(path)[0].trials == found.trials


@pytest.mark.parametrize(
    "arguments", [("run", "1", "--study", "deal"), ("run", "1", "--case", "2 deals"), ("table", "deal")]
)
def test_unknown_names_are_refused(arguments: tuple[str, ...]) -> None:
    output = CliRunner().invoke(command.app, arguments)
    assert output.exit_code == 1
    assert "levels" in output.stderr or "cyborg" in output.stderr


def test_the_committed_results_are_of_the_trials() -> None:
    for one in read_results(ROOT / RESULT_FILE):
        study = STUDIES[one.study]
        trials = {**study.trials, BEST_RESPONSE: study.best_response}
        assert one.case in study.cases
        for name, found in one.trials.items():
            trial = trials[name]
            assert trial is not None
            assert len(found.deals) == len(trial.deals)
            assert name == BEST_RESPONSE or list(found.opponents) == list(trial.opponents)
