"""Pictures, texts, choices and the log of random games."""

from collections.abc import Iterator

import numpy as np
import pytest

from pocketmars_env.core.presentation.presenting import presentation_of, seat_view_of
from pocketmars_env.core.svg.themes import theme_named
from pocketmars_env.games.project_mars.drawing.battlefield import is_in_effect
from pocketmars_env.games.project_mars.game import Game
from pocketmars_env.games.project_mars.rules.cards import CARDS
from pocketmars_env.games.project_mars.spec import SPEC
from pocketmars_env.games.project_mars.text.card_text import card_text
from tests.games.project_mars.builders import at, play
from tests.games.project_mars.modes import MODES

SHOWN = presentation_of(SPEC)


def positions(mode: str, seed: int) -> Iterator[tuple[Game, Game]]:
    """Yield the game before and after each action of a random game."""
    game, rng = Game(seed=seed, **MODES[mode]), np.random.default_rng(seed)
    while not game.over:
        before = game.clone()
        game.step(int(rng.choice(game.legal)))
        yield before, game


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("viewpoint", [0, 1, None])
def test_every_position_is_drawn_and_told(mode: str, viewpoint: int | None) -> None:
    heights = set()
    for _, game in positions(mode, 1):
        view = seat_view_of(game, viewpoint)
        heights.add(SHOWN.picture(view, theme_named("light")).height)
        text = SHOWN.text(view, columns=80, is_coloured=False)
        assert max(map(len, text.splitlines())) <= 80
        assert SHOWN.headline(view) in " ".join(text.split())
        assert len(SHOWN.points(view)) == 2
    assert len(heights) == 1


@pytest.mark.parametrize("mode", MODES)
def test_the_board_reads_derived_numbers_from_observations(mode: str) -> None:
    observed = SHOWN.tables()["observed"]

    def numbers(game: Game, seat: int, name: str, of_viewer: bool) -> list[int]:
        piece, part = observed["pieces"][name], game.observe(seat)[observed["first"] : observed["last"]]
        first = piece["first"] + (0 if of_viewer else piece["size"])
        return list((part[first : first + piece["size"]] * piece["scale"]).round().astype(int))

    for _, game in positions(mode, 1):
        snapshot = game.snapshot()
        for viewer, seat in ((0, 0), (0, 1), (1, 0), (1, 1)):
            side = snapshot["seats"][seat]
            powers = [placed["pwr"] if placed else 0 for placed in side["field"]]
            assert numbers(game, viewer, "field_power", viewer == seat) == powers
            working = [bool(placed and placed["works"]) for placed in side["field"]]
            assert numbers(game, viewer, "field_works", viewer == seat) == working
            sums = [powers[lane] + powers[lane + 4] for lane in range(4)]
            assert numbers(game, viewer, "lane_power", viewer == seat) == sums
            won = [winner == seat for winner in snapshot["lanes"]]
            assert numbers(game, viewer, "lane_won", viewer == seat) == won
            assert numbers(game, viewer, "tpr", viewer == seat) == [side["tpr"]]


@pytest.mark.parametrize("mode", MODES)
def test_the_end_of_a_round_shows_the_final_fields(mode: str) -> None:
    kinds = set()
    for before, game in (pair for seed in range(20) for pair in positions(mode, seed)):
        results = seat_view_of(game, None).results
        end = SHOWN.round_end(*before.move_to(game), 0)
        if results == seat_view_of(before, None).results:
            assert end is None
            continue
        kinds.add(SPEC.action_name(game.actions[-1]).partition("(")[0])
        assert end.results == results
        assert tuple(side.tpr for side in end.sides) == results[-1]
        assert [side.wins for side in end.sides] == [side.wins for side in seat_view_of(game, None).sides]
        assert end.over == game.over
        assert SHOWN.headline(end) in SHOWN.text(end, is_coloured=False)
    assert kinds >= {"PASS", "PLAY"}  # a play ends the round if the rest is forced


@pytest.mark.parametrize("mode", MODES)
def test_views_do_not_depend_on_what_the_seat_does_not_know(mode: str) -> None:
    rng = np.random.default_rng(2)
    for _, game in positions(mode, 2):
        for seat in range(2):
            world = game.view(seat).sample(rng)
            assert seat_view_of(world, seat) == seat_view_of(game, seat)


@pytest.mark.parametrize("mode", MODES)
def test_choices_have_the_texts_of_their_cards(mode: str) -> None:
    for game, _ in positions(mode, 3):
        view = seat_view_of(game, game.to_play)
        choices = SHOWN.choices(view, game.legal)
        assert [choice.action for choice in choices] == game.legal
        assert len({choice.words for choice in choices}) == len(choices)
        for choice in choices:
            assert choice.card is None or SHOWN.card_texts()[choice.card] == choice.text


@pytest.mark.parametrize("mode", MODES)
def test_the_log_names_results_and_hides_choices(mode: str) -> None:
    rounds = 0
    for before, after in positions(mode, 4):
        entries = SHOWN.entries(*before.move_to(after), viewpoint=0)
        assert entries[0].seat == f"player_{before.to_play}"
        rounds += len(after.snapshot()["results"]) - len(before.snapshot()["results"])
        if before.decision in ("MULLIGAN", "KEEP", "GIVE") and before.to_play == 1:
            hidden = SHOWN.move_text(*before.move_to(after), 0)
            assert not any(row.name in hidden for row in CARDS)
    assert rounds == len(after.snapshot()["results"])
    assert entries[-1].words.startswith("the game is over")


@pytest.mark.parametrize("columns", [76, 100, 130])
def test_long_names_leave_room_for_the_power_and_marks(columns: int) -> None:
    game = at({3: "Ballistic Missiles", 4: "Cybernetics Lab", 7: "Research Station"})
    text = SHOWN.text(seat_view_of(game, 0), columns, is_coloured=False)
    rows = [line for line in text.splitlines() if line.startswith(("top", "bottom"))][2:]
    assert [line.split()[-1] for line in rows] == ["1", "1"]
    assert max(map(len, text.splitlines())) <= columns


def test_every_card_has_its_own_text() -> None:
    texts = [card_text(card) for card in range(len(CARDS))]
    assert len(set(texts)) == len(CARDS) - 1  # Cyber Soldier and Humvee share one text
    assert not any("{" in text for text in texts)


def test_a_viewpoint_must_be_a_seat() -> None:
    with pytest.raises(ValueError, match="viewpoint"):
        seat_view_of(Game(seed=0), 2)


@pytest.mark.parametrize(("name", "slot", "is_lost"), [("Medic", 0, True), ("Humvee", 0, False)])
def test_the_log_tells_what_a_trap_does_to_the_placed_card(name: str, slot: int, is_lost: bool) -> None:
    before = at({slot: "!Landmine"}, hand=[name, "Drone"])
    after = play(before.clone(), name, slot)
    told = " ".join(entry.words for entry in SHOWN.entries(*before.move_to(after), None))
    assert "Landmine is triggered" in told
    assert ("the card placed on Landmine is destroyed" in told) == is_lost


def test_the_log_tells_that_an_android_destroys_a_trap() -> None:
    before = at({0: "!Spy"}, hand=["Android", "Drone"])
    after = play(before.clone(), "Android", 0)
    told = " ".join(entry.words for entry in SHOWN.entries(*before.move_to(after), None))
    assert "Spy of player_1 is destroyed" in told
    assert "triggered" not in told


def test_a_kept_card_that_was_revealed_before_is_not_revealed_again() -> None:
    kept = 0
    for before, after in (pair for seed in range(12) for pair in positions("starter", seed)):
        if before.decision == "KEEP" and before.snapshot() != after.snapshot():
            sides = [game.snapshot()["seats"][before.to_play or 0]["revealed"] for game in (before, after)]
            kept += len(sides[1]) > len(sides[0])
            told = " ".join(entry.words for entry in SHOWN.entries(*before.move_to(after), None))
            assert "reveals" not in told
    assert kept > 0


def test_the_card_that_met_a_trap_is_ringed() -> None:
    game = play(at({4: "!Stealth Op"}, {4: "Outpost"}, ["Outpost", "Medic", "Drone"]), "Outpost", 4)
    assert game.decision == "TRAP"
    view = seat_view_of(game)
    assert [(seat, slot) for seat in range(2) for slot in range(8) if is_in_effect(view, seat, slot)] == [
        (0, 4)
    ]
