"""The table as text: narrow enough, readable without colour, complete, and without hidden cards."""

import re
from typing import Any

import numpy as np
import pytest

from pocketmars_env import Game
from pocketmars_env.core.presentation.interface import COLUMNS
from pocketmars_env.core.presentation.presenting import presentation_of, seat_view_of
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES
from pocketmars_env.games.pocket_mars.text.seat_view_text import headline
from tests.builders import COMMS_CENTER, GREENHOUSE, given, seat
from tests.drawing.positions import positions, viewpoints
from tests.modes import MODES

pytestmark = pytest.mark.smoke

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def text_of(game: Game, viewpoint: int | None = None, is_coloured: bool = False, **options: Any) -> str:
    view = seat_view_of(game, viewpoint)
    return presentation_of(game.spec).text(view, is_coloured=is_coloured, **options)


@pytest.mark.parametrize("mode", MODES)
def test_lines_are_at_most_100_columns_wide_and_colour_adds_no_words(mode: str) -> None:
    for number, game in enumerate(positions(mode, every=30)):
        seen_by = viewpoints(game)
        viewpoint = seen_by[number % len(seen_by)]
        plain, coloured = text_of(game, viewpoint), text_of(game, viewpoint, is_coloured=True)
        assert max(len(line) for line in plain.splitlines()) <= COLUMNS
        assert "\x1b" not in plain
        assert "\x1b[" in coloured
        without = "\n".join(line.rstrip() for line in ESCAPE.sub("", coloured).splitlines()) + "\n"
        assert without == plain


@pytest.mark.parametrize("mode", MODES)
def test_facts_are_there(mode: str) -> None:
    for game in positions(mode, every=25):
        data, words = game.snapshot(), " ".join(text_of(game).split())
        table = seat_view_of(game)
        assert headline(table) in words
        assert f"Round {data['round']} ·" in words
        assert f"Deck {len(data['deck'])}, on top" in words
        assert f"Discard {len(data['discard'])}, newest first" in words
        for building, name in enumerate(BUILDING_NAMES[:4]):
            assert f"{name} {table.value_to_beat(building)} " in words
        for entry in table.seats:
            numbers = f"{entry.score} {entry.earth} {entry.ship} {entry.settled}/7 {entry.energy}/7"
            assert f"{entry.name} {numbers}" in words


@pytest.mark.parametrize("mode", MODES)
def test_worlds_that_a_seat_cannot_tell_apart_give_the_same_text(mode: str) -> None:
    rng = np.random.default_rng(6)
    for number, game in enumerate(positions(mode, every=25)):
        viewer = number % game.seats
        assert text_of(game, viewer) == text_of(game.view(viewer).sample(rng), viewer)


def test_cards_are_written_as_they_lie() -> None:
    game = given(
        seat(hand=["Comms 1", "Greenhouse 7"], prep=["Energy 2", "Habitation a"], knows=["Aqualab 3"]),
        seat(hand=["Comms 2", "Greenhouse 1"], prep=["Aqualab 3", "Habitation b"]),
        discard=["Energy 1", "Aqualab 7"],
        piles={COMMS_CENTER: ["Comms 7", "Comms 3"], GREENHOUSE: ["Greenhouse 4"]},
        face_down=["Comms 3"],
    )
    words = " ".join(text_of(game, 0).split())
    assert "Comms Center 0 [C] C7" in words
    assert "Greenhouse 4 G4" in words
    assert "newest first: A7 E1" in words
    assert "player_0 2 6 1 0/7 1/7 [E2] [Ha] G7 C1 starts, to play" in words
    assert "player_1 2 6 1 0/7 1/7 [A3] [H] [G] [C]" in words


def test_known_cards_of_the_deck_are_written_with_their_places() -> None:
    game = given(seat(knows=["Comms 6"]), seat(), under=["Aqualab 2", "Comms 6"])
    size = len(game.snapshot()["deck"])
    assert f", cards {size - 1} to {size} [A] [C6]  Discard" in text_of(game, 0)
    assert f", cards {size - 1} to {size} [A] [C]  Discard" in text_of(game, 1)


def test_a_choice_of_the_setup_is_written_for_its_seat_alone() -> None:
    game = Game(seed=1)
    game.step(game.legal[0])
    assert " chosen " in text_of(game, 0)
    assert "chosen" not in text_of(game, 1)
    assert "starts" not in text_of(game)


def test_the_handicap_is_written_where_the_points_are() -> None:
    game = given(seat(), seat(hand=[]), mode="solo", handicap=3)
    (row,) = (line for line in text_of(game).splitlines() if "da_0" in line)
    assert row.rstrip().endswith("handicap 3")


def test_colonists_are_counted_by_place() -> None:
    game = given(seat(star=[2, 0, 0, 0]), seat(star=[1, 0, 0, 0], star2=[1, 0, 0, 0]))
    row = next(line for line in text_of(game).splitlines() if line.strip().startswith("Greenhouse"))
    assert row.split()[1:] == ["3", "–", "1×1", "0", "free", "0×2", "1×1"]


def test_narrow_lines_lose_no_words() -> None:
    for players in (2, 4):
        game = Game(players=players, seed=1)
        for _ in range(40):
            game.step(game.legal[0])
        narrow = text_of(game, 0, columns=76)
        assert max(map(len, narrow.splitlines())) <= 76
        assert "…" not in narrow
        wide = text_of(game, 0)
        assert sorted(narrow.replace("─", "").split()) == sorted(wide.replace("─", "").split())


def test_the_heading_can_be_left_out() -> None:
    game = Game(seed=1)
    whole = text_of(game, 0)
    without = text_of(game, 0, has_heading=False)
    assert whole.endswith(without)
    assert whole.splitlines()[2:] == without.splitlines()


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="columns"):
        text_of(Game(seed=1), columns=40)
    with pytest.raises(ValueError, match="viewpoint"):
        text_of(Game(seed=1), 2)
