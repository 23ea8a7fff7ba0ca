"""Prompts for language models."""

import re

import numpy as np
import pytest

import pocketmars_env
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import game_named
from pocketmars_env.core.presentation.presenting import presentation_of
from pocketmars_env.games.pocket_mars.rules import scoring
from pocketmars_env.games.pocket_mars.rules.constants import COLONISTS, DA_START_ON_SHIP, MAX_ENERGY
from pocketmars_env.text_interface import decision_prompt, system_prompt
from tests.text_interface.games import KINDS, positions

GAMES = ("pocket_mars", "project_mars")


@pytest.mark.parametrize("name", GAMES)
def test_a_system_prompt_has_all_cards_in_at_most_1500_words(name: str) -> None:
    spec = game_named(name)
    prompt = system_prompt(spec)
    assert len(prompt.split()) <= 1_500
    for card in presentation_of(spec).card_texts():
        assert re.search(rf"^{re.escape(card)}: ", prompt, re.MULTILINE)


def test_numbers_in_the_rules_are_those_of_the_code() -> None:
    rules = presentation_of(game_named("pocket_mars")).rules()
    points = scoring.POINTS_SHIP, scoring.POINTS_STAR, scoring.POINTS_STAR2, scoring.POINTS_ENERGY[0]
    bonuses = scoring.POINTS_ALL_BUILDINGS, scoring.POINTS_ONE_BUILDING
    ships = DA_START_ON_SHIP
    for words in (
        f"Each player brings {COLONISTS} colonists",
        f"at most {MAX_ENERGY}",
        "{} per colonist on the Ship, {} on ★, {} on ★★; {} for the highest energy".format(*points),
        f"{bonuses[0][0]} for colonists in all four Buildings; {bonuses[1][0]} for at least 4 colonists",
        f"{scoring.POINTS_ENERGY[1]} for the highest energy, {bonuses[0][1]} for all four Buildings, "
        f"{bonuses[1][1]} for four in one Building",
        f"{ships[0]} colonists on its Ship (super_droid {ships[1]}, cyborg {ships[2]})",
    ):
        assert words in rules


@pytest.mark.parametrize("kind", KINDS)
def test_a_decision_lists_every_legal_action_once(kind: str) -> None:
    for game in positions(kind):
        view = game.view(has_events=True)
        _, _, listed = decision_prompt(view).rpartition("Your legal actions:\n")
        lines = listed.split("\n")
        assert [int(line.partition(":")[0]) for line in lines] == view.legal
        assert view.describe(view.legal[-1]) in lines[-1]


@pytest.mark.parametrize(
    "kind", ["pocket_mars-three_draft", "pocket_mars-solo_da_agent", "project_mars-random"]
)
def test_games_that_look_alike_have_the_same_prompt(kind: str) -> None:
    for game in positions(kind):
        other = game.view().sample(np.random.default_rng(5))
        assert decision_prompt(other.view()) == decision_prompt(game.view())


def test_events_are_those_since_the_seats_last_decision() -> None:
    game: Game = Game(game_named("project_mars"), seed=3)
    while game.decision != "TURN":
        game.step(game.legal[-1])
    first, second = game.to_play or 0, 1 - (game.to_play or 0)
    passed = game.legal[-1]
    game.step(game.legal[0])
    view = game.view(has_events=True)
    assert (view.seat, [entry.seat for entry in view.events][-1]) == (second, f"player_{first}")
    assert f"- player_{first}: play " in view.describe()
    game.step(passed)
    events = game.view(has_events=True).events
    assert [entry.seat for entry in events] == [f"player_{first}", f"player_{second}"]
    assert game.view().events == ()
    assert "Since your last decision" not in game.view().describe()


def test_events_survive_a_saved_game() -> None:
    for game in positions("pocket_mars-two"):
        assert pocketmars_env.Game.from_text(game.to_text()).events() == game.events()
        start = {"snapshot": game.snapshot(), "resume_state": game.resume_state()}
        assert pocketmars_env.Game.from_origin({}, start).events() == ()


def test_no_prompt_for_a_seat_that_is_not_to_play() -> None:
    game: Game = Game(game_named("pocket_mars"), seed=1)
    with pytest.raises(ValueError, match="seat 1"):
        decision_prompt(game.view(1))
    assert "You are player_1." in game.view(1).describe()


def test_an_action_that_does_not_exist_is_not_described() -> None:
    view = Game(game_named("pocket_mars"), seed=1).view()
    with pytest.raises(ValueError, match="-1"):
        view.describe(-1)
