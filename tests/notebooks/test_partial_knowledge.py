"""A determinization with partial knowledge is a valid position that agrees with it and with the view."""

from collections.abc import Iterator

import numpy as np
import pytest

from notebooks.hidden_information import (
    DECK,
    EVERYTHING,
    NOTHING,
    OPPONENTS,
    choose,
    knowing,
    searcher_named,
    state_with,
)
from pocketmars_agents.search.evaluations import search_module
from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.position import Position
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT
from pocketmars_env.games.pocket_mars.spec import SPEC as POCKET_MARS
from pocketmars_env.games.project_mars.spec import SPEC as PROJECT_MARS
from tests.modes import MODES

pytestmark = pytest.mark.slow  # compiles the kernels of a notebook
each_game = pytest.mark.parametrize("spec", [POCKET_MARS, PROJECT_MARS], ids=lambda spec: spec.name)


def sample(game: Game, knowledge: int, seed: int) -> States:
    """Return a determinization for the seat to play, with the usual unused bytes."""
    states = state_with(game.states, knowledge)
    target = copy_states(states)
    write = search_module("search_tree", knowing(game.spec)).write_first_determinization
    write(states, target, game.to_play, np.uint64(seed))
    return state_with(target, 0)


def positions(spec: GameSpec) -> Iterator[Game]:
    """Yield positions of random games in all modes."""
    rng = np.random.default_rng(1)
    modes = MODES.values() if spec is POCKET_MARS else ({"mode": "starter"}, {"mode": "random"})
    for number, mode in enumerate(modes):
        game = Game(spec, **mode, seed=number)
        while not game.over:
            if rng.random() < 0.15:
                yield game
            game.step(rng.choice(game.legal))


def outside_decks(states: States, spec: GameSpec) -> list[bytes]:
    """Return the fields that hold cards outside the decks."""
    seats = states["seats"]
    if spec is POCKET_MARS:
        fields = [seats[name] for name in ("hand", "packet", "prep", "pending")]
        fields += [states[name] for name in ("pile", "face_down", "drawn", "discard", "picked", "in_play")]
    else:
        names = ("hand", "revealed", "back_hand", "back_revealed", "aside", "junkyard", "in_deck")
        fields = [seats[name] for name in names]
    return [field.tobytes() for field in fields]


def deck_of(states: States, seat: int = 0) -> list[int]:
    """Return the deck, in Project Mars that of a seat, from bottom to top."""
    side = states[0] if states.dtype == POCKET_MARS.state else states[0]["seats"][seat]
    cards: list[int] = side["deck"][: side["deck_size"]].tolist()
    return cards


@each_game
@pytest.mark.parametrize("knowledge", [NOTHING, OPPONENTS, DECK, EVERYTHING])
def test_every_card_is_there_once_and_the_seat_cannot_tell_the_position_from_the_true_one(
    spec: GameSpec, knowledge: int
) -> None:
    for number, game in enumerate(positions(spec)):
        states = sample(game, knowledge, number)
        Game.from_state(states, spec)  # checks that the position is valid
        assert (Position(spec, states).observe(game.to_play) == game.observe()).all()
        assert Position(spec, states).legal == game.legal


@each_game
def test_who_knows_the_opponents_cards_sees_everything_but_the_decks(spec: GameSpec) -> None:
    changed = 0
    for number, game in enumerate(positions(spec)):
        states = sample(game, OPPONENTS, number)
        assert outside_decks(states, spec) == outside_decks(game.states, spec)
        changed += deck_of(states) != deck_of(game.states)
    assert changed > 10


@each_game
def test_who_knows_the_deck_sees_its_order_but_other_hands(spec: GameSpec) -> None:
    """The hands are those of an ordinary determinization, so the deck betrays nothing about them."""
    true, places = 0, 0
    for number, game in enumerate(positions(spec)):
        states, ordinary = sample(game, DECK, number), sample(game, NOTHING, number)
        assert outside_decks(states, spec) == outside_decks(ordinary, spec)
        for seat in range(2):
            known, deck = deck_of(game.states, seat), deck_of(states, seat)
            assert sorted(deck) == sorted(deck_of(ordinary, seat))
            if spec is POCKET_MARS:
                kept = [card for card in known if card in deck]
                assert [card for card in deck if card in known] == kept
                assert CARD_SUIT[deck].tolist() == CARD_SUIT[known].tolist()
            true += sum(map(int.__eq__, deck, known))
            places += len(deck)
    assert true > 0.7 * places


@pytest.mark.parametrize("knowledge", [OPPONENTS, DECK])
def test_the_cards_that_change_places_are_equally_likely(knowledge: int) -> None:
    """With `OPPONENTS`, any card of a suit can be on top; with `DECK`, any missing one replaces it."""
    game = Game(POCKET_MARS, players=2, seed=2)
    while game.decision != "TURN":
        game.step(game.legal[0])
    true = deck_of(game.states)
    tops = [deck_of(sample(game, knowledge, seed))[-1] for seed in range(3_000)]
    others = [top for top in tops if top != true[-1]]
    cards, times = np.unique(others, return_counts=True)
    if knowledge == OPPONENTS:
        assert set(cards) == {card for card in true[:-1] if CARD_SUIT[card] == CARD_SUIT[true[-1]]}
    assert times.min() > 0.7 * times.mean()
    assert times.max() < 1.3 * times.mean()


@each_game
def test_a_search_without_more_knowledge_is_that_of_the_bot(spec: GameSpec) -> None:
    searcher = searcher_named("puct:30")
    for number, game in enumerate(positions(spec)):
        if number % 5 == 0:
            rngs = [np.random.default_rng(number) for _ in range(2)]
            assert choose(game, searcher, NOTHING, rngs[0]) == searcher.act(game.view(), rngs[1])
