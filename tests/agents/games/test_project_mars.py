"""Tests of the bots for Project Mars: the evaluation of positions, and the order of their strength."""

from pathlib import Path

import numpy as np
import pytest

from pocketmars_agents.arena.results_file import read_results
from pocketmars_agents.games.project_mars.evaluation import EVALUATION, value
from pocketmars_agents.games.project_mars.weights import CARD_WORTH
from pocketmars_agents.registry import make_agent
from pocketmars_agents.search.objectives import MARGIN_WORTH
from pocketmars_env.games.project_mars.game import Game
from tests.agents.playing import output_of
from tests.games.project_mars.builders import at, stop
from tests.games.project_mars.modes import MODES

WEIGHTS = (CARD_WORTH,)


def chance(game: Game, seat: int = 0) -> float:
    return float(value(game.states[0], seat, WEIGHTS))


@pytest.mark.parametrize("mode", MODES)
def test_the_chances_of_both_seats_sum_to_1(mode: str) -> None:
    game, rng = Game(seed=1, **MODES[mode]), np.random.default_rng(1)
    while not game.over:
        if game.decision in ("TURN", "MULLIGAN"):
            assert 0 <= chance(game) <= 1
            assert chance(game) + chance(game, 1) == pytest.approx(1)
        game.step(int(rng.choice(game.legal())))
    lead = game.scores()[0] - game.scores()[1]
    assert chance(game) == pytest.approx((np.sign(lead) + 1) / 2 + MARGIN_WORTH * lead)


def test_a_lead_is_better_than_none() -> None:
    assert chance(at({0: "Medic"})) > chance(at()) > chance(at({}, {0: "Medic"}))


def test_cards_in_hand_are_worth_something_until_the_seat_passes() -> None:
    more, fewer = at(hand=["Outpost", "Outpost"]), at(hand=["Outpost"])
    assert chance(more) > chance(fewer)
    assert chance(stop(more)) < chance(at(hand=["Outpost", "Outpost"]))


def test_bots_pass_when_the_enemy_has_passed_behind() -> None:
    game = at({0: "Medic"}, passed=(1,), hand=["Scout", "Outpost"])
    for name in ("greedy", "planner"):
        action = make_agent(name).act(game.view(), np.random.default_rng(1))
        assert game.describe(action) == "pass for this round"


def test_evaluations_weigh_every_card() -> None:
    assert EVALUATION.weights_of(Game(seed=1).states)[0].shape == CARD_WORTH.shape


def test_commands_accept_decks_by_name_and_as_numbers(tmp_path: Path) -> None:
    deck, out = [6] * 15 + [16] * 12 + [22, 26, 26], tmp_path / "games.jsonl"
    given = ["--mode", "constructed", "--deck-0", ",".join(map(str, deck)), "--deck-1", "infantry"]
    line = ["arena", "greedy:1", "random", "--deals", "1", "--jobs", "1", *given, "--out", str(out)]
    output_of("--game", "project_mars", *line)
    assert [game.match.config.as_dict()["deck_0"] for game in read_results(out)[1]] == [deck, deck]
