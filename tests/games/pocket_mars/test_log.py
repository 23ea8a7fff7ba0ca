"""The log reports everything that a seat may know, and nothing else."""

import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from pocketmars_env import Game
from pocketmars_env.core.errors import IllegalAction
from pocketmars_env.core.presentation.presenting import seat_view_of
from pocketmars_env.games.pocket_mars.rules.actions import block_of
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeenCard
from pocketmars_env.games.pocket_mars.snapshots.invariants import SETUP
from pocketmars_env.games.pocket_mars.snapshots.phases import phases_of
from pocketmars_env.games.pocket_mars.text.changes import pile_changed
from pocketmars_env.games.pocket_mars.text.choices import choices_at
from pocketmars_env.games.pocket_mars.text.log import entries_between
from tests.fixed_play import play_fixed
from tests.games.pocket_mars.test_traces import FILES
from tests.modes import MODES
from tests.recorded_games import games_in

NAMES = {card.name: number for number, card in enumerate(CARDS)}
NAME = re.compile("|".join(rf"{name}\b" for name in NAMES))


def steps(options: dict[str, Any], seed: int, most: int) -> list[tuple[Game, Game]]:
    """Return the positions before and after each action of a game, for at most `most` actions."""
    game = Game(**options, seed=seed)
    positions = [game.clone(), *(after.clone() for after in play_fixed(game, seed, most))]
    return list(pairwise(positions))


@pytest.mark.parametrize("mode", MODES)
def test_phases_lead_to_where_the_engine_goes(mode: str) -> None:
    for before, after in steps(MODES[mode], 4, 150):
        *_, (_, states) = phases_of(before.states_with_chance, after.actions[-1])
        assert states.tobytes() == after.to_bytes()


def test_phases_shuffle_the_deck_into_the_given_order() -> None:
    compared = 0
    header, *lines, _ = next(games_in(FILES[0]))
    game = Game.from_deal(header["deal"], **header["config"], seed=0)
    for line in lines:
        game.stack_shuffles(line.get("shuffles", []))
        before = game.clone()
        game.step(line["action"])
        if "shuffles" in line:
            *_, (_, states) = phases_of(before.states_with_chance, line["action"])
            assert states.tobytes() == game.to_bytes()
            compared += 1
    assert compared > 0


@pytest.mark.parametrize("mode", MODES)
def test_no_card_is_named_that_the_seat_does_not_know(mode: str) -> None:
    named = 0
    for before, after in steps(MODES[mode], 6, 120):
        for seat in range(after.seats):
            known = {card for game in (before, after) for card in game.snapshot()["seats"][seat]["knows"]}
            if (
                before.decision == "TURN"
            ):  # every seat sees a played card, even if it is shuffled away at once
                known.add(block_of(after.actions[-1])[1])
            for entry in entries_between(*before.move_to(after), seat):
                found = {NAMES[name] for name in NAME.findall(f"{entry.words} {entry.why}")}
                assert found <= known
                named += len(found)
    assert named > 0


@pytest.mark.parametrize("mode", ["two", "three_draft", "solo_cyborg"])
def test_the_log_and_the_choices_are_the_same_when_hidden_cards_are_dealt_anew(mode: str) -> None:
    rng, compared = np.random.default_rng(8), 0
    for before, after in steps(MODES[mode], 7, 80):
        for seat in range(after.seats):
            world = before.view(seat).sample(rng)
            if before.to_play == seat:
                tables = [seat_view_of(game, seat) for game in (before, world)]
                assert choices_at(tables[0], before.legal) == choices_at(tables[1], world.legal)
            then = world.clone()
            try:
                then.step(after.actions[-1])
            except IllegalAction:
                continue  # the action is illegal with these cards
            if then.view(seat).states.tobytes() == after.view(seat).states.tobytes():
                states, action, following = world.move_to(then)
                log = entries_between(*before.move_to(after), seat)
                assert log == entries_between(states, action, following, seat)
                compared += 1
    assert compared >= 10


def test_what_devious_automatics_does_is_told_with_its_reason() -> None:
    told = " ".join(
        f"{entry.words} ({entry.why})"
        for seed in range(6)
        for before, after in steps(MODES["solo_cyborg"], seed, 60)
        for entry in entries_between(*before.move_to(after), 0)
    )
    for words in (
        "system failure: ",
        "its only card has the suit Energy Bank: a colonist settles there, then the ability: 2 energy",
        "chosen for the DA's highest score (now ",
        "refilled to two cards",
        "round 2 begins",
        "the game is over: da_0 wins with",
        "4-card rule",
    ):
        assert words in told


def test_an_own_card_is_named_and_the_same_card_of_another_seat_is_not() -> None:
    before, after = steps(MODES["two"], 1, 1)[0]
    assert before.decision == "PREP"
    to_play = before.to_play or 0
    card = CARDS[after.actions[-1] - 114].name
    (own,), (other,) = (entries_between(*before.move_to(after), seat)[:1] for seat in (to_play, 1 - to_play))
    assert own.words == f"put {card} into your prep module"
    assert other.words == "choose a card"
    assert own.seat == other.seat == f"player_{to_play}"


@pytest.mark.parametrize("mode", ["three", "four_draft_board_and_dice"])
def test_the_setup_tells_nothing_of_another_seat_before_all_have_chosen(mode: str) -> None:
    carried_out = 0
    for before, after in steps(MODES[mode], 2, 24):
        if before.decision not in SETUP:
            break
        is_pending = any(seat.get("pending") for seat in after.snapshot()["seats"])
        for seat in range(after.seats):
            (entry,) = entries_between(*before.move_to(after), seat)
            assert "draws" not in entry.words
            if seat != before.to_play:
                assert entry.words.startswith("choose a card")
                assert (entry.words == "choose a card") or not is_pending
        carried_out += not is_pending
    assert carried_out >= 1


OPEN_1, OPEN_2 = SeenCard(0, 0, True), SeenCard(0, 1, True)
DOWN_1, DOWN_2, UNKNOWN = SeenCard(0, 0, False), SeenCard(0, 1, False), SeenCard(0, None, False)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ([OPEN_1], [OPEN_1, OPEN_2], "{} now lies on the Aqualab"),
        ([OPEN_1], [OPEN_1, UNKNOWN], f"{UNKNOWN.name} now lies on the Aqualab, face down"),
        ([OPEN_1, OPEN_2], [OPEN_1, DOWN_2], "{} on the Aqualab is turned face down"),
        ([OPEN_1, OPEN_2], [OPEN_1], None),
        # the deck is rebuilt, which leaves only the top card
        ([OPEN_1], [OPEN_2], "{} now lies on the Aqualab"),
        ([OPEN_1], [DOWN_2], "{} now lies on the Aqualab, face down"),
        ([DOWN_1, OPEN_2], [OPEN_2], None),
        # the seat looks at a card
        ([UNKNOWN], [DOWN_1], None),
    ],
)
def test_the_log_tells_what_lies_on_a_pile(
    old: list[SeenCard], new: list[SeenCard], words: str | None
) -> None:
    told = [] if words is None else [words.format(CARDS[new[-1].card or 0].name)]
    assert list(pile_changed("Aqualab", tuple(old), tuple(new))) == told


def test_every_new_deck_is_told() -> None:
    rebuilt = 0
    for before, after in (pair for seed in range(8) for pair in steps({"players": 4}, seed, 400)):
        number = after.resume_state()["shuffles"] - before.resume_state()["shuffles"]
        told = " ".join(entry.words for entry in entries_between(*before.move_to(after), None))
        assert ("the deck is reshuffled" in told) == (number > 0)
        rebuilt += number
    assert rebuilt > 10
