"""The automaton agent makes the same choices as the built-in automaton."""

import numpy as np
import pytest
from numpy.typing import NDArray

from pocketmars_agents.games.pocket_mars.automaton_agent import AutomatonAgent
from pocketmars_env import Game, Games, Views
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT, PLAYER_SEAT, Decision
from pocketmars_env.games.pocket_mars.spec import SPEC

GAMES = 150


def player_actions(games: Games, which: NDArray[np.int64]) -> dict[int, int]:
    """Return an action for each given game, drawn by the game's index and its legal actions alone."""
    masks = games.masks()
    return {
        int(i): int(np.random.default_rng([int(i), *masks[i].nonzero()[0]]).choice(masks[i].nonzero()[0]))
        for i in which
    }


@pytest.mark.parametrize("draft", [False, True])
@pytest.mark.parametrize("level", ["standard", "super_droid", "cyborg"])
def test_games_are_the_same_whoever_makes_the_choices(level: str, draft: bool) -> None:
    built_in = Games(GAMES, mode="solo", level=level, draft=draft, seed=3)
    to_play = Games(GAMES, mode="solo", level=level, draft=draft, seed=3, da_agent=True)
    automaton, seen = AutomatonAgent(), set[str]()
    while not built_in.over.all():
        going = np.flatnonzero(~built_in.over)
        chosen = player_actions(built_in, going)
        actions = np.array([chosen.get(i, 0) for i in range(GAMES)])
        assert (to_play.masks()[going] == built_in.masks()[going]).all()
        built_in.step(actions, ~built_in.over)
        to_play.step(actions, ~to_play.over)
        while (to_play.to_play == DA_SEAT).any():
            da_to_play = np.flatnonzero(to_play.to_play == DA_SEAT)
            seen |= {Decision(number).name for number in to_play.states["decision"][da_to_play]}
            answers = np.zeros(GAMES, dtype=np.int64)
            views = Views(SPEC, to_play.states, da_to_play, np.full(len(da_to_play), DA_SEAT))
            answers[da_to_play] = automaton.act_batch(views, np.zeros(len(da_to_play), dtype=np.uint64))
            to_play.step(answers, to_play.to_play == DA_SEAT)
        assert (to_play.over == built_in.over).all()
        assert (to_play.scores == built_in.scores).all()
    assert seen == {"DA_UPGRADE", "DA_SETTLE"}
    assert (to_play.winners == built_in.winners).all()
    for field in set(SPEC.state.names or ()) - {"da_agent"}:
        assert (to_play.states[field] == built_in.states[field]).all()


def test_one_answer_is_that_of_the_batch() -> None:
    games = Games(GAMES, mode="solo", level="cyborg", da_agent=True, seed=8)
    automaton, compared = AutomatonAgent(), 0
    while not games.over.all():
        actions = games.random_actions()
        for i in np.flatnonzero(games.to_play == DA_SEAT):
            before = games.game(int(i)).to_bytes()
            views = Views(SPEC, games.states, np.array([i]), np.array([DA_SEAT]))
            actions[i] = automaton.act(games.game(int(i)).view(), np.random.default_rng(0))
            assert actions[i] == automaton.act_batch(views, np.zeros(1, dtype=np.uint64))[0]
            assert games.game(int(i)).to_bytes() == before
            compared += 1
        games.step(actions, ~games.over)
    assert compared > 100


def test_it_answers_for_no_other_seat() -> None:
    with pytest.raises(ValueError, match=r"seat 0"):
        AutomatonAgent().act(Game(players=2, seed=1).view(0), np.random.default_rng(0))
    solo = Game(mode="solo", da_agent=True, seed=1)
    with pytest.raises(ValueError, match=r"seat 0"):
        AutomatonAgent().act(solo.view(PLAYER_SEAT), np.random.default_rng(0))
    with pytest.raises(ValueError, match=r"seat 1"):
        AutomatonAgent().act(solo.view(DA_SEAT), np.random.default_rng(0))
