"""Tests of game analysis: values of all decisions, the most costly ones, and the page that shows them."""

from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from playwright.sync_api import Browser

from pocketmars_agents.analysis import analysis_of, analyst_for, analyst_named
from pocketmars_agents.registry import make_agent
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.games.pocket_mars.spec import SPEC as POCKET_MARS
from pocketmars_env.games.project_mars.spec import SPEC as PROJECT_MARS
from pocketmars_env.replays import Replay
from pocketmars_env.replays.page import replay_page
from tests.browser import browser, needs_chromium, violations

__all__ = ["browser"]

GAMES = pytest.mark.parametrize(
    ("spec", "settings"),
    [(POCKET_MARS, {"mode": "solo"}), (POCKET_MARS, {"players": 3}), (PROJECT_MARS, {})],
    ids=["solo", "three", "project_mars"],
)
ANALYST = "planner:2"


@cache
def played(spec: GameSpec, blunder_at: int | None = None, **settings: object) -> Replay:
    """Play a game of planners in which seat 0 may play one blunder, the worst action by `ANALYST`."""
    game, bot, judge = Game(spec, seed=2, **settings), make_agent("planner"), analyst_named(ANALYST)
    rng, decisions = np.random.default_rng(1), 0
    while not game.over:
        view = game.view()
        action = bot.act(view, rng)
        if game.to_play == 0 and len(view.legal) > 5:
            decisions += 1
            if decisions == blunder_at:
                action = min(
                    view.legal, key=lambda one: judge.judge(view, one, np.random.default_rng(5)).value
                )
        game.step(action)
    return Replay.of(game, ("planner",) * game.config.seats, "a game")


@GAMES
def test_every_decision_with_a_choice_is_judged(spec: GameSpec, settings: dict[str, Any]) -> None:
    replay = played(spec, **settings)
    analysis = analysis_of(replay, make_agent(ANALYST))
    games = list(replay.games())
    choices = [number for number, game in enumerate(games[:-1], start=1) if len(game.legal) > 1]
    assert [move.number for move in analysis.moves] == choices
    for move in analysis.moves:
        assert (move.seat, move.played) == (games[move.index].to_play, replay.actions[move.index])
        assert move.best in games[move.index].legal
        assert 0 <= move.value <= move.best_value <= 1
    assert analysis == analysis_of(replay, make_agent(ANALYST))
    assert {move.seat for move in analysis_of(replay, make_agent(ANALYST), [0]).moves} == {0}


def test_a_blunder_is_among_the_most_costly_decisions() -> None:
    replay = played(POCKET_MARS, 8, mode="solo", level="cyborg")
    fair = played(POCKET_MARS, mode="solo", level="cyborg")
    first_change = next(
        i for i, (one, other) in enumerate(zip(replay.actions, fair.actions, strict=False)) if one != other
    )
    costly = analysis_of(replay, make_agent("planner")).most_costly()
    assert first_change in [move.index for move in costly]
    assert all(move.loss >= 0.005 for move in costly)


def test_people_are_judged_and_bots_beside_them_are_not() -> None:
    replay = played(POCKET_MARS, players=3)
    named = Replay.of(list(replay.games())[-1], ("planner", "human", "planner"), "")
    assert {move.seat for move in analysis_of(named, make_agent(ANALYST)).moves} == {1}


def test_the_page_has_a_curve_and_leads_to_the_costly_decisions() -> None:
    replay = played(PROJECT_MARS)
    analysis = analysis_of(replay, make_agent(ANALYST))
    page, plain = replay_page(replay, analysis=analysis), replay_page(replay)
    assert "<figure>" in page
    assert "<figure>" not in plain
    assert page == replay_page(replay, analysis=analysis)


def test_bots_without_values_are_refused() -> None:
    with pytest.raises(ValueError, match="random"):
        analyst_named("random")
    for spec in (POCKET_MARS, PROJECT_MARS):
        assert analyst_for(spec).name.startswith("puct")


@pytest.mark.slow
@needs_chromium
@GAMES
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault_on_the_page(
    spec: GameSpec,
    settings: dict[str, Any],
    scheme: Literal["light", "dark"],
    browser: Browser,
    tmp_path: Path,
) -> None:
    replay = played(spec, **settings)
    path = tmp_path / "replay.html"
    path.write_text(replay_page(replay, analysis=analysis_of(replay, make_agent(ANALYST))), encoding="utf-8")
    page = browser.new_page(color_scheme=scheme)
    page.goto(f"{path.as_uri()}#10")
    for details in page.locator("summary").all():
        details.click()
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert violations(page) == []
    page.close()
