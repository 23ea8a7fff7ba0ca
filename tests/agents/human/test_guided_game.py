"""The guided game: its lessons can be followed, and what it recommends is good."""

import pytest

from pocketmars_agents.cli.seating import guided_game
from pocketmars_agents.play.session import Session
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.presentation.presenting import presentation_of
from pocketmars_env.games.pocket_mars.spec import SPEC as POCKET_MARS
from pocketmars_env.games.project_mars.spec import SPEC as PROJECT_MARS

SEAT = "player_0"
COSTLY = 0.05
"""The page marks decisions that lose at least this chance to win."""
GAMES = pytest.mark.parametrize("spec", [POCKET_MARS, PROJECT_MARS], ids=lambda spec: spec.name)


def guided_session(spec: GameSpec) -> Session:
    """Return the guided game after its lessons."""
    guide, seating = presentation_of(spec).guide(), guided_game(spec)
    assert seating is not None
    session = Session(seating, guide.seed)
    for lesson in guide.lessons:
        legal = {spec.action_name(action): action for action in session.view(SEAT).legal}
        session.act(SEAT, legal[lesson.action])
    return session


@GAMES
def test_the_lessons_can_be_followed(spec: GameSpec) -> None:
    assert guided_session(spec).to_play == SEAT


@pytest.mark.slow
@GAMES
def test_the_analysis_accepts_all_recommended_moves_and_they_win(spec: GameSpec) -> None:
    session = guided_session(spec)
    while not session.over:
        session.act(SEAT, session.hint(SEAT).action)
    for index in range(1, len(session.game.actions) + 1):
        judgement = session.judge(SEAT, index) if session.moves(SEAT, index)[0].seat == 0 else None
        assert judgement is None or judgement.best_value - judgement.value < COSTLY
    assert session.game.winners == [0]
