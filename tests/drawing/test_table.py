"""The SVG picture is well-formed, has no overlaps, and shows exactly what the viewpoint knows."""

import re
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest

from pocketmars_env import Game
from pocketmars_env.core.compiled.card_sets import members
from pocketmars_env.core.presentation.presenting import seat_view_of
from pocketmars_env.core.svg.canvas import Box, Canvas
from pocketmars_env.core.svg.themes import THEMES
from pocketmars_env.games.pocket_mars.drawing.cards import LARGE_HEIGHT, large_card
from pocketmars_env.games.pocket_mars.drawing.table import ROW_OF_CARDS
from pocketmars_env.games.pocket_mars.rules.cards import CARDS, FIRST_BOTTOM, FIRST_TOP, NUM_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES, CARDS_DEALT_IN_DRAFT
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeenCard
from pocketmars_env.games.pocket_mars.text.card_text import program_text
from pocketmars_env.games.pocket_mars.text.seat_view_text import headline
from tests.builders import given, play, seat
from tests.drawing.positions import SVG, check_layout, outer_panels, picture_of, positions, texts, viewpoints
from tests.fixed_play import play_on
from tests.modes import MODES

HEADING, STATUS, FIRST_BUILDING, SUPPLY, FIRST_SEAT = 0, 1, 2, 7, 8
"""Indices of the outer panels; the cards in focus follow the seats."""


def picture(game: Game, viewpoint: int | None = None, theme: str = "light") -> str:
    return picture_of(game, viewpoint, theme).svg()


def cards_text(game: Game, viewpoint: int) -> str:
    """Return all texts below the seats, joined with ``|``."""
    panels = outer_panels(picture(game, viewpoint))[FIRST_SEAT + game.seats :]
    return "|".join(text for panel in panels for text in texts(panel))


# --- layout ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_nothing_overlaps_or_leaves_its_panel(mode: str) -> None:
    looked_at = 0
    for number, game in enumerate(positions(mode, games=2, every=16)):
        seen_by = viewpoints(game)
        looked_at += check_layout(picture(game, seen_by[number % len(seen_by)]))
    assert looked_at > 500


def crowded() -> Game:
    """Return a position with all seats on ★ of each Building, and no free ★★ in two Buildings."""
    return given(
        *(
            seat(star=[1, 2, 1, 1], ship=0, energy=7, star2=[int(number < 2), 0, int(number > 1), 0])
            for number in range(4)
        )
    )


@pytest.mark.parametrize("number", [1, 8, 9, 16, 17, 24])
def test_the_known_cards_of_the_deck_have_room(number: int) -> None:
    cards = [card.name for card in CARDS]
    discarded = cards[: min(7, 27 - number)]
    game = given(
        seat(), seat(), discard=discarded, under=[name for name in cards if name not in discarded][:number]
    )
    found = texts(outer_panels(picture(game))[SUPPLY])
    title = found.index(seat_view_of(game).under_title)
    shown = found[title + 1 : found.index("discarded, by suit")]
    labels = [name.split()[1] for name in cards if name not in discarded][:number]
    assert shown == (labels if number <= 16 else [*labels[:14], f"+ {number - 14}"])
    check_layout(picture(game))


@pytest.mark.parametrize("theme", THEMES)
def test_a_crowded_table_has_room_for_all(theme: str) -> None:
    check_layout(picture(crowded(), None, theme))


def test_there_is_room_for_the_most_cards_that_a_seat_can_have() -> None:
    most = CARDS_DEALT_IN_DRAFT
    assert most <= ROW_OF_CARDS
    game = given(
        seat(hand=[card.name for card in CARDS[: most - 2]], prep=["Habitation a", "Habitation b"]), seat()
    )
    svg = picture(game, 0)
    assert texts(outer_panels(svg)[-1])[0] == CARDS[most - 3].name
    check_layout(svg)


@pytest.mark.parametrize("mode", MODES)
def test_the_size_stays_the_same_for_a_whole_game(mode: str) -> None:
    sizes = {re.findall(r'viewBox="[^"]*"', picture(game))[0] for game in positions(mode, every=9)}
    assert len(sizes) == 1


def test_the_texts_of_every_card_fit() -> None:
    for card in range(NUM_CARDS):
        canvas = Canvas(THEMES["light"])
        with canvas.panel(Box(0, 0, 200, 200), "none"):
            large_card(canvas, Box(10, 10, 153, LARGE_HEIGHT), SeenCard(card // 7, card, True))
        svg = canvas.picture(200, 200, "").svg()
        check_layout(svg)
        written = " ".join(texts(outer_panels(svg)[0]))
        for program in (FIRST_TOP + card, FIRST_BOTTOM + card):
            assert program_text(program) in written


# --- what is shown --------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_pictures_of_worlds_that_a_seat_cannot_tell_apart_are_identical(mode: str) -> None:
    rng = np.random.default_rng(2)
    differing = 0
    for number, game in enumerate(positions(mode, every=6)):
        viewer = number % game.seats
        world = game.view(viewer).sample(rng)
        assert picture(game, viewer) == picture(world, viewer)
        differing += picture(game) != picture(world)
    assert differing > 2, "the worlds were hardly different"


@pytest.mark.parametrize("mode", MODES)
def test_every_number_of_the_snapshot_is_shown(mode: str) -> None:
    for game in positions(mode, games=2, every=15):
        data = game.snapshot()
        panels = outer_panels(picture(game))
        assert f"Round {data['round']}" in texts(panels[HEADING])[1]
        check_supply(texts(panels[SUPPLY]), data)
        for building in range(5):
            check_building(texts(panels[FIRST_BUILDING + building]), data, building)
        drawn = members(game.resume_state()["drawn"])
        for number, entry in enumerate(data["seats"]):
            check_seat(panels[FIRST_SEAT + number], entry, drawn)


def check_supply(found: list[str], data: dict[str, Any]) -> None:
    assert str(len(data["deck"])) in found[found.index("Deck") :][1:4]
    assert str(len(data["discard"])) in found[found.index("Discard") :][1:4]
    labels = sorted(CARDS[card].name.split()[1] for card in data["discard"])
    assert sorted(found[found.index("discarded, by suit") + 1 :]) == labels


def check_building(found: list[str], data: dict[str, Any], building: int) -> None:
    pile = data["piles"][building]
    assert found[0] == BUILDING_NAMES[building]
    assert {0: "no card", 1: "1 card"}.get(len(pile), f"{len(pile)} cards") in found
    labels = [CARDS[card].name.split()[1] for card, _ in pile]
    if len(pile) > 1:
        assert found[found.index("under") + 1 :] == labels[:-1]
    if building == 4:
        return
    top_value = CARDS[pile[-1][0]].value * pile[-1][1] if pile else 3
    assert found[found.index("to beat") + 1] == str(top_value)
    marks = ["0", "1", "2", "3"] if data["mode"] == "multi" else ["0", "DA"]
    expected = [marks[n] for n, entry in enumerate(data["seats"]) for _ in range(entry["star2"][building])]
    for mark, entry in zip(marks, data["seats"], strict=False):
        if entry["star"][building]:
            expected += [mark, str(entry["star"][building])]
    stop = found.index("to beat") - (1 if pile else 0)
    assert found[stop - len(expected) : stop] == expected


def check_seat(panel: ET.Element, entry: dict[str, Any], drawn: list[int]) -> None:
    found = texts(panel)
    settled = sum(entry["star"]) + sum(entry["star2"])
    assert found[found.index("points") + 1] == str(entry["score"])
    assert f"settled {settled} of 7" in found
    for place in ("earth", "ship"):
        assert found[found.index(place.capitalize()) + 1] == str(entry[place])
    track = [
        element.text
        for element in panel.iter(f"{SVG}text")
        if element.get("font-size") == "14" and element.get("font-weight") == "bold"
    ]
    assert track == [str(entry["energy"])]
    chosen = entry.get("pending", [])
    apart = [*chosen, *drawn]
    hand, packet = ([c for c in entry.get(name, []) if c not in apart] for name in ("hand", "packet"))
    groups = {"chosen": chosen} if chosen else {"prep module": entry["prep"]}
    groups = {"kept": hand, "chosen": chosen, "packet": packet} if packet else {**groups, "hand": hand}
    expected = []
    for place, cards in groups.items():
        is_titled = bool(cards) and not (place == "hand" and "da_0" in found)
        labels = [CARDS[card].name.split()[1] for card in cards if card is not None]
        expected += [place, *labels] if is_titled else labels
    assert found[len(found) - len(expected) :] == expected


@pytest.mark.parametrize("mode", MODES)
def test_the_question_or_the_result_is_in_words(mode: str) -> None:
    for game in positions(mode, every=11):
        written = " ".join(texts(outer_panels(picture(game))[STATUS]))
        if game.over:
            names = [seat_view_of(game).seats[winner].name for winner in game.winners]
            assert all(name in written.split("points")[0] for name in names)
        else:
            assert headline(seat_view_of(game)) in written


def test_a_card_in_play_and_the_drawn_ones_are_shown_with_what_is_resolved() -> None:
    game = given(seat(hand=["Comms 2", "Energy 7"]), seat(), deck=["Aqualab 5", "Energy 6"])
    play(game, "PLAY_HAND(Comms 2)")
    panels = outer_panels(picture(game, 0))
    status = texts(panels[STATUS])
    assert any("player_0" in text for text in status)
    assert any("Comms 2" in text for text in status)
    assert {"in play", "2", "drawn", "5", "6"} <= set(status)
    assert {"Aqualab 5", "Energy 6"} <= set(cards_text(game, 0).split("|"))
    others = texts(outer_panels(picture(game, 1))[STATUS])
    assert "drawn" in others
    assert not {"5", "6"} & set(others)


def test_own_cards_stand_there_in_words() -> None:
    game = given(seat(hand=["Comms 1", "Energy 7"], prep=["Aqualab 2", "Habitation c"]), seat())
    written = cards_text(game, 0)
    for name in ("Comms 1", "Energy 7", "Aqualab 2", "Habitation c"):
        assert name in written


def test_starting_seat_turn_and_seat_to_play_are_marked() -> None:
    game = given(seat(), seat(), seat(), starting_seat=2, active_seat=1)
    marked = [
        set(texts(panel)) & {"starts", "turn", "to play"} for panel in outer_panels(picture(game))[8:11]
    ]
    assert marked == [set(), {"turn", "to play"}, {"starts"}]


def test_the_handicap_stands_beside_the_points() -> None:
    game = given(seat(), seat(hand=[]), mode="solo", handicap=3)
    player, da = (texts(panel) for panel in outer_panels(picture(game))[FIRST_SEAT : FIRST_SEAT + 2])
    assert not any("3)" in text for text in player)
    assert any("3)" in text for text in da)


def test_a_game_cut_off_by_the_round_limit_says_so() -> None:
    game = Game(seed=1, round_limit=1)
    while not game.over:
        game.step(game.legal[0])
    assert any("round limit" in text for text in texts(outer_panels(picture(game))[STATUS]))


# --- form -----------------------------------------------------------------------------------------


def test_themes_differ_in_colours_alone() -> None:
    game = crowded()
    light, dark = picture(game, 0, "light"), picture(game, 0, "dark")
    assert light != dark
    assert re.sub("#[0-9a-f]{6}", "", light) == re.sub("#[0-9a-f]{6}", "", dark)


def test_the_picture_stands_alone() -> None:
    root = ET.fromstring(picture(crowded()))
    assert root.find(f"{SVG}title") is not None
    names = {name for element in root.iter() for name in element.attrib}
    assert not {name for name in names if "href" in name or name in ("id", "class", "style")}


def test_the_same_snapshot_gives_the_same_picture() -> None:
    game = Game(players=4, seed=3)
    assert picture(game, 1) == picture(Game.from_text(game.to_text()), 1)


# --- tooltips -------------------------------------------------------------------------------------


def hints_in(svg: str) -> list[str]:
    """Return the tooltips of a picture; the first belongs to the whole picture."""
    return [title.text or "" for title in ET.fromstring(svg).iter(f"{SVG}title")]


def test_resting_on_a_known_card_shows_its_text() -> None:
    game = Game(players=2, seed=3)
    play_on(game, 1, 20)
    known = [CARDS[card].name for card in game.snapshot()["seats"][0]["prep"] if card is not None]
    hints = hints_in(picture(game, 0))
    assert known
    for name in known:
        assert any(hint.startswith(f"{name}\ntop: ") and "\nbottom: " in hint for hint in hints)


def test_resting_on_an_unknown_card_shows_its_suit_alone() -> None:
    game = Game(players=2, seed=3)
    play_on(game, 1, 20)
    hidden = set(range(NUM_CARDS)) - set(game.snapshot()["seats"][0]["knows"])
    shown = "\n".join(hints_in(picture(game, 0)))
    assert hidden
    assert not [card for card in hidden if CARDS[card].name in shown]
    assert re.search(r"^an? \w+ card$", shown, flags=re.MULTILINE)
