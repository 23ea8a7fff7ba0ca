"""The draft: the order of picks, the passing of packets, and the cards that are not kept."""

import pytest

from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.rules.cards import CARD_NUMBER, CARDS
from tests.builders import at, choices, play, table

NAMES = [card.name for card in CARDS]


def packets_of(players: int) -> list[list[str]]:
    """Return packets of five cards in numeric order: the first five for seat 0, the next five for seat 1."""
    return [NAMES[5 * number : 5 * number + 5] for number in range(players)]


def draft(
    players: int, starting_seat: int = 0, shuffle: list[str] | None = None, mode: str = "multi", seed: int = 1
) -> Game:
    """Return a game in its draft. The next shuffle gives the order `shuffle`, or a random one."""
    deal = {
        "hands": [[CARD_NUMBER[card] for card in packet] for packet in packets_of(players)],
        "deck": list(range(5 * players, 35)),
        "starting_seat": starting_seat,
    }
    shuffles = [[CARD_NUMBER[card] for card in shuffle]] if shuffle else []
    return Game.from_deal(deal, draft=True, mode=mode, seed=seed, shuffles=shuffles)


def pick_lowest(game: Game) -> list[tuple[int | None, list[str]]]:
    """Let every seat keep the first card of each packet. Returns the seat and the packet of each pick."""
    to_play = []
    while game.decision == "DRAFT":
        to_play.append((game.to_play, at(game, game.to_play or 0)["packet"]))
        play(game, choices(game)[0])
    return to_play


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_is_dealt_a_packet_of_five(players: int) -> None:
    game = Game(players=players, draft=True, seed=2)
    data = table(game)
    assert game.decision == "DRAFT"
    assert [len(entry["packet"]) for entry in data["seats"]] == [5] * players
    assert [entry["hand"] for entry in data["seats"]] == [[]] * players
    assert len(data["deck"]) == 35 - 5 * players
    assert game.to_play == data["active_seat"] == 0


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("starting_seat", [0, 1])
def test_r_secret_four_picks_each_from_seat_0_on(players: int, starting_seat: int) -> None:
    game = draft(players, starting_seat)
    assert [seat for seat, _ in pick_lowest(game)] == list(range(players)) * 4
    assert (game.to_play, game.decision) == (0, "PREP")
    assert [len(entry["hand"]) for entry in table(game)["seats"]] == [4] * players


def test_a_pick_is_any_card_of_the_packet_and_only_of_it() -> None:
    game = draft(3)
    assert choices(game) == [f"CARD({card})" for card in packets_of(3)[0]]
    play(game, "CARD(Greenhouse 2)")
    assert choices(game) == [f"CARD({card})" for card in packets_of(3)[1]]


def test_r_secret_a_pick_is_pending_until_all_have_picked() -> None:
    game = draft(2)
    play(game, "CARD(Greenhouse 2)")
    assert at(game, 0)["pending"] == ["Greenhouse 2"]
    assert at(game, 0)["packet"] == packets_of(2)[0]
    assert at(game, 0)["hand"] == []
    play(game, "CARD(Aqualab 1)")
    assert [entry["pending"] for entry in table(game)["seats"]] == [[], []]
    assert [entry["hand"] for entry in table(game)["seats"]] == [["Greenhouse 2"], ["Aqualab 1"]]


def test_all_pick_before_any_packet_is_passed() -> None:
    game = draft(3, starting_seat=1)
    first = packets_of(3)
    for seat in (0, 1):
        play(game, f"CARD({first[seat][0]})")
    assert [at(game, seat)["packet"] for seat in range(3)] == first
    play(game, f"CARD({first[2][0]})")
    assert [at(game, seat)["packet"] for seat in range(3)] == [first[2][1:], first[0][1:], first[1][1:]]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_packets_are_passed_to_the_left(players: int) -> None:
    packets = packets_of(players)
    for turn, (seat, packet) in enumerate(pick_lowest(draft(players))):
        passed = turn // players
        assert seat is not None
        assert packet == packets[(seat - passed) % players][passed:]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_cards_not_kept_are_shuffled_back_into_the_deck(players: int) -> None:
    left = [packet[4] for packet in packets_of(players)]
    new_deck = [*left, *NAMES[5 * players :][::-1]]
    game = draft(players, shuffle=new_deck)
    pick_lowest(game)
    assert table(game)["deck"] == new_deck
    assert table(game)["discard"] == []


def test_the_deck_is_shuffled_at_random_after_the_draft() -> None:
    decks = []
    for seed in range(5):
        game = draft(2, seed=seed)
        pick_lowest(game)
        decks.append(tuple(table(game)["deck"]))
    assert len(set(decks)) == 5
    assert {frozenset(deck) for deck in decks} == {frozenset([*NAMES[10:], "Greenhouse 5", "Aqualab 3"])}


def test_two_of_the_four_cards_kept_go_to_the_prep_module() -> None:
    game = draft(2)
    pick_lowest(game)
    kept = at(game, 0)["hand"]
    assert choices(game) == [f"CARD({card})" for card in kept]
    play(game, f"CARD({kept[2]})", f"CARD({kept[0]})")
    assert (game.to_play, game.decision) == (1, "PREP")
    play(game, choices(game)[0])
    play(game, choices(game)[0])
    assert (at(game, 0)["prep"], at(game, 0)["hand"]) == ([kept[2], kept[0]], [kept[1], kept[3]])


def test_alone_a_player_keeps_four_of_five() -> None:
    new_deck = ["Greenhouse 3", *NAMES[5:]]
    game = draft(1, shuffle=new_deck, mode="solo")
    play(game, "CARD(Greenhouse 5)", "CARD(Greenhouse 1)", "CARD(Greenhouse 4)")
    assert choices(game) == ["CARD(Greenhouse 2)", "CARD(Greenhouse 3)"]
    assert "packet" in at(game, 0)
    play(game, "CARD(Greenhouse 2)")
    assert (game.to_play, game.decision) == (0, "PREP")
    assert at(game, 0)["hand"] == ["Greenhouse 1", "Greenhouse 2", "Greenhouse 4", "Greenhouse 5"]
    assert table(game)["deck"] == new_deck
    play(game, "CARD(Greenhouse 1)", "CARD(Greenhouse 2)")
    assert at(game, 1)["prep"] == new_deck[:2]  # the DA is dealt its cards last
    assert table(game)["deck"] == new_deck[2:]
