"""A game without a presentation of its own is presented on the basis of its specification."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import pytest

from pocketmars_env.core.game import Game
from pocketmars_env.core.presentation.plain import PlainPresentation
from pocketmars_env.core.presentation.presenting import presentation_of, seat_view_of
from pocketmars_env.core.svg.themes import THEMES
from pocketmars_env.core.testing import play_random_game
from tests.fixed_play import play_on
from tests.third_game.pairs import SPEC, PairsGame

SHOWN = presentation_of(SPEC)


def a_game() -> Game:
    return play_on(PairsGame(players=3, seed=2), 5, 4)


def test_the_question_and_the_result_are_told() -> None:
    table = seat_view_of(a_game(), 1)
    assert SHOWN.title(table) == "Pairs · players 3"
    assert SHOWN.headline(table).endswith(": play which card?")
    over = seat_view_of(play_random_game(PairsGame, seed=1, players=2))
    assert SHOWN.headline(over).startswith("Game over: player_")
    points = SHOWN.points(over)
    assert [seat.total for seat in points] == over.scores
    assert [seat.seat for seat in points if seat.wins] == [f"player_{seat}" for seat in over.winners]


def test_the_text_has_the_pieces_of_the_observation() -> None:
    game = a_game()
    text = SHOWN.text(seat_view_of(game, 1))
    assert "player_1" in text
    assert "player_2\n" not in text
    assert all(any(line.startswith(piece.name) for line in text.splitlines()) for piece in SPEC.layout)
    own = next(line for line in text.splitlines() if line.startswith("own"))
    assert np.allclose([float(number) for number in own.split()[1:]], game.observe(1)[:7])
    assert "player_2\n" in SHOWN.text(seat_view_of(game))


@pytest.mark.parametrize("columns", [40, 61, 100])
def test_no_line_of_a_text_is_too_long(columns: int) -> None:
    game = play_random_game(PairsGame, seed=1, players=4)
    text = SHOWN.text(seat_view_of(game), columns=columns)
    assert max(map(len, text.splitlines())) <= columns
    assert [text.count(f"\n{piece.name} ") for piece in SPEC.layout] == [4] * len(SPEC.layout)


@pytest.mark.parametrize("columns", [39, 10, 80.0])
def test_too_few_columns_are_refused(columns: Any) -> None:
    with pytest.raises(ValueError, match="columns"):
        SHOWN.text(seat_view_of(a_game()), columns=columns)


@pytest.mark.parametrize("viewpoint", [None, 0, 2])
def test_all_pictures_of_a_game_have_one_size(viewpoint: int | None) -> None:
    sizes = set[tuple[int, int]]()

    def note(game: Game) -> None:
        picture = SHOWN.picture(seat_view_of(game, viewpoint), THEMES["dark"])
        sizes.add((picture.width, picture.height))

    play_random_game(PairsGame, 3, note, players=3)
    assert len(sizes) == 1
    assert a_game()._repr_svg_().startswith("<svg")


def test_what_a_seat_is_shown_does_not_depend_on_hidden_cards() -> None:
    rng = np.random.default_rng(0)

    def check(game: Game) -> None:
        for seat in range(game.seats):
            world = game.view(seat).sample(rng)
            tables = seat_view_of(game, seat), seat_view_of(world, seat)
            texts, pictures = zip(*[(SHOWN.text(one), SHOWN.picture(one, THEMES["light"])) for one in tables])
            assert texts[0] == texts[1]
            assert pictures[0] == pictures[1]

    play_random_game(PairsGame, 4, check, players=4)


def test_the_log_has_every_move_and_the_end() -> None:
    game, positions = PairsGame(players=3, seed=2), []
    positions.append(game.clone())
    while not game.over:
        game.step(game.legal[0])
        positions.append(game.clone())
    log = [SHOWN.entries(*before.move_to(after), 1) for before, after in pairwise(positions)]
    assert all(len(entries) == 1 for entries in log[:-1])
    assert log[0][0].seat == "player_0"
    assert log[0][0].words.startswith("play(")
    assert log[-1][-1].words.startswith("the game is over: player_")


def test_a_hidden_choice_is_heard_by_its_seat_alone(monkeypatch: pytest.MonkeyPatch) -> None:

    rows = (replace(SPEC.decisions[0], is_hidden=True), SPEC.decisions[1])
    spec = replace(SPEC, decisions=rows)
    before = PairsGame(seed=1)
    after = before.clone()
    after.step(after.legal[0])

    heard = [
        PlainPresentation(spec).move_text(*before.move_to(after), viewpoint) for viewpoint in (None, 0, 1)
    ]
    assert heard[0] == heard[1] == before.describe(after.actions[-1])
    assert heard[2] == "make a hidden choice"


@pytest.mark.parametrize("mode", ["svg", "ansi"])
def test_environments_render_it(mode: str) -> None:
    env: Any = gymnasium.make("pairs/Table-v0", players=3, opponents="random", render_mode=mode)
    env.reset(seed=1)
    assert "player_0" in env.render()
