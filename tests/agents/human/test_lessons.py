import pytest

from pocketmars_agents.analysis import analysis_of, analyst_for
from pocketmars_agents.cli.seating import guided_game
from pocketmars_agents.play.lessons import LEFT, lesson_at
from pocketmars_agents.play.session import Session
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.presentation.presenting import presentation_of
from pocketmars_env.games.pocket_mars.spec import SPEC as POCKET_MARS
from pocketmars_env.games.project_mars.spec import SPEC as PROJECT_MARS

GAMES = pytest.mark.parametrize("spec", [POCKET_MARS, PROJECT_MARS], ids=lambda spec: spec.name)


@GAMES
def test_every_recommended_action_of_the_guided_game_is_legal(spec: GameSpec) -> None:
    guide, seating = presentation_of(spec).guide(), guided_game(spec)
    assert seating is not None
    session = Session(seating, guide.seed)
    for lesson in guide.lessons:
        text, action = lesson_at(session, "player_0")
        assert text.endswith(lesson.text)
        assert action is not None
        assert spec.action_name(action) == lesson.action
        session.act("player_0", action)
    assert lesson_at(session, "player_0") == (guide.farewell, None)
    session.act("player_0", session.view("player_0").legal[0])
    assert lesson_at(session, "player_0") == ("", None)


@GAMES
def test_another_action_ends_the_lessons_and_undo_brings_them_back(spec: GameSpec) -> None:
    guide, seating = presentation_of(spec).guide(), guided_game(spec)
    assert seating is not None
    session = Session(seating, guide.seed)
    advised = lesson_at(session, "player_0").action
    session.act("player_0", next(one for one in session.view("player_0").legal if one != advised))
    assert lesson_at(session, "player_0") == (LEFT, None)
    session.undo("player_0")
    assert lesson_at(session, "player_0").action == advised


@pytest.mark.slow
@GAMES
def test_the_analysis_accepts_every_recommended_action(spec: GameSpec) -> None:
    guide, seating = presentation_of(spec).guide(), guided_game(spec)
    assert seating is not None
    session = Session(seating, guide.seed)
    for _ in guide.lessons:
        session.act("player_0", lesson_at(session, "player_0").action or 0)
    analysis = analysis_of(session.replay(), analyst_for(spec))
    assert len(analysis.moves) == len(guide.lessons)
    assert analysis.most_costly() == ()


def test_other_games_have_no_lessons() -> None:
    seating = guided_game(POCKET_MARS)
    assert seating is not None
    assert lesson_at(Session(seating, presentation_of(POCKET_MARS).guide().seed + 1), "player_0").text == ""
