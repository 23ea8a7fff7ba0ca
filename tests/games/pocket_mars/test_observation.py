"""Each piece of the observation, tested on known positions."""

from typing import Any

import numpy as np
import pytest

from pocketmars_env import Game, observation_pieces
from pocketmars_env.games.pocket_mars.observation.layout import (
    BUILDING_FEATURES,
    CARD_PLACES,
    SEAT_FEATURES,
)
from pocketmars_env.games.pocket_mars.rules.actions import first_action
from pocketmars_env.games.pocket_mars.rules.cards import CARD_NUMBER
from pocketmars_env.games.pocket_mars.rules.constants import Decision
from tests.builders import AQUALAB, COMMS_CENTER, ENERGY_BANK, GREENHOUSE, all_but, given, play, seat
from tests.modes import MODES

CARD_ACTION = first_action("CARD")


def pieces_of(game: Game, viewer: int) -> dict[str, Any]:
    return observation_pieces(game.observe(viewer))


def hot(piece: Any) -> list[int]:
    """Return the indices at which a piece of zeros and ones is 1."""
    assert set(np.unique(piece)) <= {0, 1}
    return np.flatnonzero(piece).tolist()


def place(pieces: dict[str, Any], card: str) -> str:
    """Return the place of a card as the viewer's observation shows it."""
    (found,) = hot(pieces["cards"][CARD_NUMBER[card]])
    return CARD_PLACES[found]


def feature(pieces: dict[str, Any], distance: int, name: str) -> float:
    return float(pieces["seats"][distance, SEAT_FEATURES.index(name)])


def building(pieces: dict[str, Any], number: int) -> dict[str, float]:
    return dict(zip(BUILDING_FEATURES, pieces["buildings"][number].tolist(), strict=True))


def table_of_three(**more: Any) -> Game:
    """Return a three-player game in which it is seat 1's turn and most places hold cards or colonists."""
    return given(
        seat(
            hand=["Comms 1", "Greenhouse 2"],
            prep=["Energy 3", "Habitation a"],
            ship=2,
            energy=3,
            star=[1, 0, 0, 0],
        ),
        seat(hand=["Comms 2", "Comms 3"], prep=["Aqualab 1", "Energy 7"], energy=7, star2=[1, 0, 0, 0]),
        seat(
            hand=["Habitation b", "Energy 1"],
            prep=["Aqualab 2", "Greenhouse 3"],
            energy=7,
            star=[0, 0, 0, 2],
            star2=[1, 0, 0, 1],
            knows=["Energy 3", "Comms 3", "Aqualab 5"],
        ),
        deck=["Habitation c"],
        discard=["Energy 6", "Energy 5"],
        piles={
            GREENHOUSE: ["Greenhouse 1", "Greenhouse 7"],
            AQUALAB: ["Aqualab 6", "Aqualab 5"],
            COMMS_CENTER: ["Comms 4"],
        },
        face_down=["Aqualab 5", "Greenhouse 1"],
        starting_seat=2,
        active_seat=1,
        round_=3,
        **more,
    )


# --- the game and its time ------------------------------------------------------------------------


def test_configuration() -> None:
    three = pieces_of(table_of_three(), 0)
    assert hot(three["players"]) == [2]
    assert hot(three["level"]) == hot(three["variants"]) == []
    other = pieces_of(Game(players=4, edition="board_and_dice", draft=True, seed=0), 0)
    assert (hot(other["players"]), hot(other["variants"])) == ([3], [0, 1])
    solo = pieces_of(Game(mode="solo", level="cyborg", da_agent=True, seed=0), 0)
    assert (hot(solo["players"]), hot(solo["level"]), hot(solo["variants"])) == ([0], [2], [2])


def test_time_and_turn_order_are_relative_to_the_viewer() -> None:
    game = table_of_three(round_limit=13)
    for viewer, (starting, active) in enumerate([(2, 1), (1, 0), (0, 2)]):
        pieces = pieces_of(game, viewer)
        assert hot(pieces["starting_seat"]) == [starting]
        assert hot(pieces["active_seat"]) == hot(pieces["to_play"]) == [active]
        assert pieces["round"].tolist() == pytest.approx([3 / 20, 10 / 20, 3 / 10_000, 10 / 10_000])
        assert pieces["to_move"].tolist() == [0]  # seat 2 started, seat 0 has moved
        assert hot(pieces["decision"]) == [Decision.TURN]
        for name in (
            "last_round",
            "resolving",
            "half",
            "owner",
            "left",
            "extra_action",
            "picked",
            "drawn_suits",
        ):
            assert hot(pieces[name]) == []


def test_seats_still_to_move_and_the_last_round() -> None:
    game = given(seat(), seat(ship=0, star=[2, 2, 2, 1]), seat(), starting_seat=1, active_seat=1)
    for viewer in range(3):
        pieces = pieces_of(game, viewer)
        assert pieces["to_move"].tolist() == pytest.approx([2 / 3])
        assert hot(pieces["last_round"]) == [0]


def test_a_finished_game_asks_nobody() -> None:
    game = Game(players=2, seed=3, round_limit=1)
    while not game.over:
        game.step(game.legal[0])
    pieces = pieces_of(game, 1)
    assert hot(pieces["to_play"]) == hot(pieces["decision"]) == []
    assert pieces["round"].tolist() == pytest.approx([1 / 20, 0, 1 / 10_000, 0])


def test_long_games_stay_in_range() -> None:
    pieces = pieces_of(given(seat(), seat(), round_=25, round_limit=9000), 0)
    assert pieces["round"].tolist() == pytest.approx([1, 1, 25 / 10_000, 8975 / 10_000])


# --- the seats ------------------------------------------------------------------------------------


def test_seats_are_listed_from_the_viewer_on() -> None:
    pieces = pieces_of(table_of_three(), 1)
    assert pieces["seats"][:, SEAT_FEATURES.index("the seat exists")].tolist() == [1, 1, 1, 0]
    assert pieces["seats"][3].tolist() == [0] * len(SEAT_FEATURES)
    own, left, right = 0, 1, 2  # seats 1, 2, 0
    assert [feature(pieces, d, "energy / 7") for d in (own, left, right)] == pytest.approx([1, 1, 3 / 7])
    highest = [feature(pieces, d, "it has the highest energy") for d in (own, left, right)]
    assert highest == [1, 1, 0]
    assert feature(pieces, right, "colonists on Earth / 7") == pytest.approx(4 / 7)
    assert feature(pieces, right, "colonists on the Ship / 7") == pytest.approx(2 / 7)
    assert feature(pieces, left, "colonists in Buildings / 7") == pytest.approx(4 / 7)
    assert feature(pieces, own, "cards in hand / 8") == pytest.approx(2 / 8)
    scores = [feature(pieces, d, "score if the game ended now / 60") for d in (own, left, right)]
    # Ship + ★ + ★★ + energy
    assert scores == pytest.approx([(1 + 4 + 1) / 60, (1 + 4 + 8 + 1) / 60, (2 + 2) / 60])


def test_colonists_in_buildings() -> None:
    pieces = pieces_of(table_of_three(), 2)
    assert pieces["star"][0].tolist() == pytest.approx([0, 0, 0, 2 / 7])
    assert pieces["star"][1].tolist() == pytest.approx([1 / 7, 0, 0, 0])
    assert pieces["star2"].tolist() == [[0.5, 0, 0, 0.5], [0] * 4, [0.5, 0, 0, 0], [0] * 4]
    assert pieces["free_star2"].tolist() == [0, 1, 1, 0.5]


def test_the_da_is_a_seat() -> None:
    game = given(seat(energy=2), seat(prep=["Comms 1", "Comms 2"], ship=5, energy=1), mode="solo")
    pieces = pieces_of(game, 0)
    assert [feature(pieces, d, "it is the DA") for d in range(4)] == [0, 1, 0, 0]
    assert [feature(pieces, d, "the seat exists") for d in range(4)] == [1, 1, 0, 0]
    assert feature(pieces, 1, "cards in hand / 8") == 0
    assert pieces["free_star2"].tolist() == [0.5] * 4
    assert hot(pieces["prep_suits"][1, 0]) == hot(pieces["prep_suits"][1, 1]) == [COMMS_CENTER]
    assert place(pieces, "Comms 1") == place(pieces, "Comms 2") == "unknown"


def test_backs_show_suits() -> None:
    pieces = pieces_of(table_of_three(), 0)
    assert pieces["hand_suits"][0].tolist() == pytest.approx([1 / 7, 0, 0, 1 / 7, 0])
    assert pieces["hand_suits"][1].tolist() == pytest.approx([0, 0, 0, 2 / 7, 0])
    assert pieces["hand_suits"][2].tolist() == pytest.approx([0, 0, 1 / 7, 0, 1 / 7])
    assert [hot(slot) for slot in pieces["prep_suits"][1]] == [[AQUALAB], [ENERGY_BANK]]
    assert [hot(slot) for slot in pieces["prep_suits"][3]] == [[], []]
    assert hot(pieces["deck_suits"][0]) == [4]
    assert hot(pieces["deck_suits"][1:]) == []


# --- the table ------------------------------------------------------------------------------------


def test_buildings() -> None:
    pieces = pieces_of(table_of_three(), 0)
    greenhouse, aqualab, bank = (building(pieces, number) for number in (GREENHOUSE, AQUALAB, ENERGY_BANK))
    assert list(greenhouse.values()) == pytest.approx([1, 1, 0, 2 / 7])
    assert list(aqualab.values()) == pytest.approx([0, 1, 1, 2 / 7])  # face down, so no value
    assert list(bank.values()) == pytest.approx([3 / 7, 0, 0, 0])
    assert list(building(pieces, 4).values()) == [0, 0, 0, 0]


PLACES = {  # card: its place as seats 0, 1 and 2 know it
    "Comms 1": ("own hand", "unknown", "unknown"),
    "Energy 3": ("own prep slot 0", "unknown", "prep slot 0 of seat +1"),
    "Comms 3": ("unknown", "own hand", "hand of seat +2"),
    "Greenhouse 3": ("unknown", "unknown", "own prep slot 1"),
    "Energy 5": ("discard pile",) * 3,
    "Greenhouse 7": ("top of its pile, face up",) * 3,
    "Comms 4": ("top of its pile, face up",) * 3,
    "Aqualab 6": ("covered in its pile, face up",) * 3,
    "Aqualab 5": ("unknown", "unknown", "top of its pile, face down"),
    "Greenhouse 1": ("unknown", "unknown", "unknown"),
}


@pytest.mark.parametrize(("card", "known"), PLACES.items(), ids=PLACES)
def test_cards_lie_where_the_viewer_knows_them(card: str, known: tuple[str, ...]) -> None:
    game = table_of_three()
    assert tuple(place(pieces_of(game, viewer), card) for viewer in range(3)) == known


def test_a_card_turned_face_down_and_covered_is_remembered() -> None:
    game = given(
        seat(), seat(),
        piles={GREENHOUSE: ["Greenhouse 1", "Greenhouse 7"]}, face_down=["Greenhouse 1"],
    )  # fmt: skip
    data = game.snapshot()
    for entry in data["seats"]:
        entry["knows"] = sorted({*entry["knows"], CARD_NUMBER["Greenhouse 1"]})
    assert place(pieces_of(Game.from_snapshot(data), 1), "Greenhouse 1") == "covered in its pile, face down"


def test_packets() -> None:
    game = Game(players=2, draft=True, seed=1)
    packets = [entry["packet"] for entry in game.snapshot()["seats"]]
    own, other = pieces_of(game, 0), pieces_of(game, 1)
    in_own = np.flatnonzero(own["cards"][:, CARD_PLACES.index("own packet (draft)")]).tolist()
    assert in_own == packets[0]
    assert other["cards"][packets[0], CARD_PLACES.index("unknown")].tolist() == [1] * 5
    assert feature(other, 1, "cards in hand / 8") == pytest.approx(5 / 8)
    assert hot(own["decision"]) == [Decision.DRAFT]


# --- what is being resolved -----------------------------------------------------------------------


def test_a_top_action() -> None:
    game = given(seat(hand=["Energy 6", "Comms 1"], energy=3, ship=2), seat())
    play(game, "PLAY_HAND(Energy 6)")
    for viewer in range(2):
        pieces = pieces_of(game, viewer)
        assert hot(pieces["decision"]) == [Decision.SETTLE_MORE]
        assert hot(pieces["resolving"]) == [CARD_NUMBER["Energy 6"]]
        assert hot(pieces["half"]) == [0]
        assert hot(pieces["owner"]) == []
        assert pieces["left"].tolist() == [1]
        assert place(pieces, "Energy 6") == "in play"
    play(game, "ACCEPT")
    assert pieces_of(game, 0)["left"].tolist() == [0.5]


def test_a_bottom_action_of_another_seat() -> None:
    game = given(seat(), seat(prep=["Comms 6", "Energy 1"], star=[1, 1, 0, 0], energy=0), seat())
    play(game, "PLAY_OTHER(seat +1, slot 0)")
    pieces = pieces_of(game, 0)
    assert hot(pieces["to_play"]) == hot(pieces["owner"]) == [1]
    assert hot(pieces["active_seat"]) == [0]
    assert (hot(pieces["resolving"]), hot(pieces["half"])) == ([CARD_NUMBER["Comms 6"]], [])
    play(game, "ACCEPT")
    pieces = pieces_of(game, 1)
    assert hot(pieces["decision"]) == [Decision.RECALL]
    assert hot(pieces["owner"]) == [0]
    assert hot(pieces["half"]) == [1]


def test_an_ability() -> None:
    game = given(seat(prep=["Greenhouse 3", "Comms 1"], star=[1, 0, 0, 1], ship=0, energy=0), seat())
    play(game, "PLAY_PREP(Greenhouse 3)", "ACCEPT")
    pieces = pieces_of(game, 0)
    assert hot(pieces["decision"]) == [Decision.SHIFT]
    assert hot(pieces["half"]) == [2]
    assert hot(pieces["resolving"]) == [CARD_NUMBER["Greenhouse 3"]]


def test_the_extra_action() -> None:
    game = given(seat(hand=["Energy 7", "Comms 1"]), seat())
    play(game, "PLAY_HAND(Energy 7)")
    for viewer in range(2):
        pieces = pieces_of(game, viewer)
        assert hot(pieces["decision"]) == [Decision.TURN]
        assert hot(pieces["extra_action"]) == [0]
        assert place(pieces, "Energy 7") == "in play"


def test_two_drawn_cards_are_seen_by_their_owner_alone() -> None:
    game = given(seat(hand=["Comms 2", "Energy 1"]), seat(), deck=["Aqualab 1", "Habitation g"])
    play(game, "PLAY_HAND(Comms 2)")
    own, other = pieces_of(game, 0), pieces_of(game, 1)
    for pieces in (own, other):
        assert hot(pieces["decision"]) == [Decision.KEEP]
        assert pieces["drawn_suits"].tolist() == [0, 0.5, 0, 0, 0.5]
    for card in ("Aqualab 1", "Habitation g"):
        assert place(own, card) == "drawn, held apart from the hand"
        assert place(other, card) == "unknown"
    assert feature(other, 1, "cards in hand / 8") == pytest.approx(1 / 8)


def test_the_card_picked_for_a_swap_is_shown_to_the_seat_itself() -> None:
    knowing = seat(knows=["Comms 1", "Comms 2"])
    game = given(seat(hand=["Aqualab 3", "Energy 1"], prep=["Comms 1", "Comms 2"]), knowing)
    play(game, "PLAY_HAND(Aqualab 3)", "CARD(Comms 2)")
    assert hot(pieces_of(game, 0)["decision"]) == [Decision.SWAP_OTHER]
    assert hot(pieces_of(game, 0)["picked"]) == [CARD_NUMBER["Comms 2"]]
    assert hot(pieces_of(game, 1)["picked"]) == []


# --- what is known of the deck ---------------------------------------------------------------------


def deck_of_three() -> Game:
    """Return a game with three cards in the deck: seat 0 knows the lower two, seat 1 only the lowest."""
    deck, under = ["Energy 5"], ["Aqualab 1", "Habitation a"]
    own = seat(hand=["Comms 1", "Comms 2"], prep=["Comms 3", "Comms 4"], knows=under)
    other = seat(hand=["Energy 1", "Energy 2"], prep=["Energy 3", "Energy 4"], knows=under[1:])
    held = [*own["hand"], *own["prep"], *other["hand"], *other["prep"]]
    return given(own, other, deck=deck, under=under, discard=all_but(*held, *deck, *under))


def test_the_suits_of_the_deck_are_shown_where_they_were_seen() -> None:
    game = deck_of_three()
    for viewer in range(2):
        pieces = pieces_of(game, viewer)
        assert pieces["deck"].tolist() == pytest.approx([3 / 35, (35 - 11) / 35, 2 / 35])
        assert [hot(row) for row in pieces["deck_suits"][:4]] == [[ENERGY_BANK], [AQUALAB], [4], []]


def test_known_cards_of_the_deck_are_shown_by_depth() -> None:
    game = deck_of_three()
    depth = {name: [pieces_of(game, viewer)["depth"][CARD_NUMBER[name]] for viewer in range(2)]
             for name in ("Energy 5", "Aqualab 1", "Habitation a")}  # fmt: skip
    assert depth["Energy 5"] == [0, 0]
    assert depth["Aqualab 1"] == pytest.approx([34 / 35, 0])
    assert depth["Habitation a"] == pytest.approx([33 / 35, 33 / 35])
    assert [place(pieces_of(game, viewer), "Aqualab 1") for viewer in range(2)] == ["deck", "unknown"]


def test_piles_and_discard_pile_are_shown_by_depth() -> None:
    pieces = pieces_of(table_of_three(), 0)
    depths = {name: pieces["depth"][CARD_NUMBER[name]] for name in PLACES}
    assert depths["Energy 5"] == depths["Greenhouse 7"] == depths["Comms 4"] == 1
    assert depths["Aqualab 6"] == pytest.approx(34 / 35)
    assert depths["Greenhouse 1"] == depths["Comms 1"] == 0


# --- the setup ------------------------------------------------------------------------------------


def test_r_secret_own_choices_of_the_setup_are_shown_and_nobody_elses() -> None:
    game = Game(players=3, seed=4)
    first, second = game.legal[0] - CARD_ACTION, game.legal[1] - CARD_ACTION
    before = [game.observe(viewer) for viewer in range(3)]
    game.step(CARD_ACTION + second)
    assert np.array_equal(game.observe(1), before[1])
    assert hot(pieces_of(game, 0)["pending"] == 0.5) == [second]
    game.step(CARD_ACTION + first)
    assert hot(pieces_of(game, 0)["pending"] == 1) == [first]
    for viewer in (1, 2):
        assert hot(pieces_of(game, viewer)["pending"]) == []
        assert pieces_of(game, viewer)["prep_suits"].sum() == 0


@pytest.mark.parametrize("mode", MODES)
def test_r_secret_nothing_shows_who_begins_before_the_first_turn(mode: str) -> None:
    game = Game(**MODES[mode], seed=1)
    while game.decision != "TURN":
        for viewer in range(game.config.seats):
            pieces = pieces_of(game, viewer)
            for name in ("starting_seat", "active_seat", "to_move"):
                assert pieces[name].sum() == 0
        game.step(game.legal[0])
    assert hot(pieces_of(game, game.to_play or 0)["active_seat"]) == [0]


def test_packets_are_told_from_hands() -> None:
    game = Game(players=2, draft=True, seed=1)
    for _ in range(4):
        game.step(game.legal[0])
    data = game.snapshot()["seats"]
    pieces = pieces_of(game, 0)
    assert hot(pieces["in_packet"]) == sorted(
        {*data[0]["packet"], *data[1]["packet"]} & set(data[0]["knows"])
    )
    assert pieces["packet_suits"].sum(axis=1).tolist() == pytest.approx([3 / 7, 3 / 7, 0, 0])


# --- the handicap ---------------------------------------------------------------------------------


def test_the_handicap_is_shown_and_part_of_the_score() -> None:
    sides = seat(ship=0, energy=2), seat(prep=["Comms 1", "Comms 2"], ship=5, energy=1)
    plain, harder = (pieces_of(given(*sides, mode="solo", handicap=points), 0) for points in (0, 20))
    assert (plain["handicap"].tolist(), harder["handicap"].tolist()) == ([0], [1])
    name = "score if the game ended now / 60"
    assert feature(harder, 1, name) - feature(plain, 1, name) == pytest.approx(20 / 60)
    assert feature(harder, 0, name) == feature(plain, 0, name)
