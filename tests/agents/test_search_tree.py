"""Tests of the tree of information-set MCTS: its nodes, its edge table, and the selection of edges."""

from typing import Any

import numpy as np

from pocketmars_agents.search.arrays import Edges, new_edges
from pocketmars_agents.search.evaluations import search_module
from pocketmars_agents.search.search_tree import ROOT
from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT
from pocketmars_env.games.pocket_mars.spec import SPEC

TREE = search_module("search_tree", SPEC)
HIDDEN = {row.name for row in SPEC.decisions if row.is_hidden}


def node_after(game: Game, action: int, viewer: int) -> int:
    """Return the viewer's child node after an action at the root."""
    label = TREE.label_at(game.states, action, viewer)
    after = game.clone()
    after.step(action)
    return int(TREE.child_at(ROOT, label, after.view(viewer).states, viewer))


def positions(count: int) -> list[Game]:
    """Return three-player positions in which the seat to play chooses a card hidden from the others."""
    found, rng = list[Game](), np.random.default_rng(1)
    while len(found) < count:
        game = Game(players=3, draft=True, seed=int(rng.integers(1000)))
        while not game.over:
            if game.decision in HIDDEN and game.decision not in ("DRAFT", "PREP"):
                found.append(game.clone())
            game.step(int(rng.choice(game.legal)))
    return found[:count]


def test_others_come_to_one_node_by_cards_of_one_suit_and_the_chooser_does_not() -> None:
    compared = set()
    for game in positions(60):
        seat = game.to_play or 0
        cards = [action for action in game.legal if SPEC.block_of(action)[0].name == "CARD"]
        nodes = {action: node_after(game, action, (seat + 1) % 3) for action in cards}
        own = {action: node_after(game, action, seat) for action in cards}
        assert len(set(own.values())) == len(cards)
        for one in cards:
            for other in cards:
                is_alike = CARD_SUIT[SPEC.block_of(one)[1]] == CARD_SUIT[SPEC.block_of(other)[1]]
                to_play = [after_asks(game, action) for action in (one, other)]
                if one < other and to_play[0] == to_play[1] and to_play[0][0] != (seat + 1) % 3:
                    assert (nodes[one] == nodes[other]) == is_alike
                    compared.add(is_alike)
    assert compared == {True, False}


def test_each_card_in_the_hand_of_the_searching_seat_makes_another_node() -> None:
    game = Game(players=2, seed=1)
    states, seat = game.view(game.to_play).states.copy(), game.to_play
    nodes = set()
    for card in range(len(CARD_SUIT)):
        states["seats"]["hand"][:, seat] = 1 << card
        nodes.add(int(TREE.child_at(ROOT, 0, states, seat)))
    assert len(nodes) == len(CARD_SUIT)


def after_asks(game: Game, action: int) -> tuple[int | None, str | None]:
    """Return the seat to play and its decision after an action."""
    after = game.clone()
    after.step(action)
    return after.to_play, after.decision


# --- the table --------------------------------------------------------------------------------------


def add(edges: Edges, key: int, prior: float = 0.0) -> int:
    place = int(TREE.place_of(edges, np.uint64(key)))
    TREE.add_edge(edges, place, np.uint64(key), prior)
    return place


def test_edges_with_the_same_place_are_all_found_again() -> None:
    edges = new_edges(8)
    keys = [3, 11, 19, 7, 15]  # two groups of keys that are equal modulo 8
    places = [add(edges, key) for key in keys]
    assert len(set(places)) == len(keys)
    assert [int(TREE.place_of(edges, np.uint64(key))) for key in keys] == places
    assert edges["key"][TREE.place_of(edges, np.uint64(27))] == 0  # a missing key leads to a free place
    edges["visits"][places] = 1
    TREE.clear(edges, np.array(places), len(places))
    assert not any(edges[field].any() for field in ("key", "visits", "total", "prior", "available"))


def selected(edges: Edges, places: list[int], prior_weight: float, exploration: float) -> int:
    return int(TREE.select(edges, np.array(places), len(places), prior_weight, exploration))


def test_what_was_never_tried_comes_first_and_then_what_is_best() -> None:
    edges: Any = new_edges(8)
    places = [add(edges, key) for key in (1, 2, 3)]
    edges["visits"][places], edges["total"][places] = (4, 4, 0), (3.0, 1.0, 0.0)
    assert selected(edges, places, prior_weight=0.0, exploration=0.1) == 2
    edges["visits"][places[2]] = 4
    assert selected(edges, places, prior_weight=0.0, exploration=0.1) == 0
    assert edges["available"][places].tolist() == [2, 2, 2]


def test_exploration_prefers_what_was_tried_less_often() -> None:
    edges: Any = new_edges(8)
    places = [add(edges, key) for key in (1, 2)]
    edges["visits"][places], edges["total"][places] = (100, 10), (60.0, 5.0)
    edges["available"][places] = 110
    assert selected(edges, places, prior_weight=0.0, exploration=0.0) == 0
    assert selected(edges, places, prior_weight=0.0, exploration=1.0) == 1


def test_a_prior_counts_as_simulations() -> None:
    edges: Any = new_edges(8)
    places = [add(edges, key, prior) for key, prior in ((1, 0.75), (2, 0.4))]
    edges["visits"][places], edges["total"][places] = 4, (1.0, 1.6)
    assert selected(edges, places, prior_weight=0.0, exploration=0.0) == 1  # mean values of 0.25 and 0.4
    assert selected(edges, places, prior_weight=4.0, exploration=0.0) == 0  # mean values of 0.5 and 0.4
