"""Builders for Project Mars positions in which seat 0 is to play a card in round 1.

A field maps slots to card names. ``!`` before a name marks a trap of the other seat. After a name, ``z``
means zeroed, ``d`` disabled, and ``+2`` a bonus of 2. Slots 0 to 3 are the top row, 4 to 7 the bottom row.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pocketmars_env.core.gate import convert
from pocketmars_env.games.project_mars.game import Game
from pocketmars_env.games.project_mars.rules.actions import CARD, PASS, PLAY, SLOT, UTILITY, encode_play
from pocketmars_env.games.project_mars.rules.cards import CARDS, NUM_FIELD_TYPES
from pocketmars_env.games.project_mars.rules.constants import DECK_SIZE, SLOTS
from pocketmars_env.games.project_mars.snapshots.entry_points import list_legal_at
from pocketmars_env.games.project_mars.snapshots.from_snapshot import DEFAULT_RESUME_STATE, fill
from pocketmars_env.games.project_mars.snapshots.notation import blank_states
from pocketmars_env.games.project_mars.snapshots.schema import ResumeState, TableSnapshot
from pocketmars_env.games.project_mars.spec import SPEC

NUMBER = {card.name: number for number, card in enumerate(CARDS)}
FILLER = "Defense Turret"
Field = Mapping[int, str]
EMPTY: Field = MappingProxyType({})


def entry(text: str, field: int) -> dict[str, Any]:
    """Return the snapshot entry of a placed card; the values derived from the position are not right."""
    words, seat = text.removeprefix("!").split(" "), field ^ text.startswith("!")
    marks = [word for word in words if word in ("z", "d") or word[0] == "+"]
    name = " ".join(word for word in words if word not in marks)
    bonus = sum(int(mark) for mark in marks if mark[0] == "+")
    return {
        "card": NUMBER[name], "seat": seat, "bonus": bonus, "zeroed": "z" in marks, "disabled": "d" in marks,
        "pwr": 0, "works": False,
    }  # fmt: skip


def at(
    own: Field = EMPTY,
    enemy: Field = EMPTY,
    hand: Sequence[str] = (FILLER, FILLER),
    enemy_hand: Sequence[str] = (FILLER, FILLER),
    deck: Sequence[str] = (),
    revealed: Sequence[str] = (),
    **changes: Any,
) -> Game:
    """Return a game in a given position.

    Args:
        own: the field of seat 0, which is to play.
        enemy: the field of seat 1.
        hand: the hand of seat 0.
        enemy_hand: the hand of seat 1.
        deck: cards on top of the deck of seat 0; filler cards follow.
        revealed: revealed cards in the hand of seat 1.
        changes: other keys of the snapshot, and ``passed``: the seats that have passed.

    """
    fields = [
        {slot: entry(text, seat) for slot, text in side.items()} for seat, side in enumerate((own, enemy))
    ]
    lying = [entry for side in fields for entry in side.values()]
    passed, seats = changes.pop("passed", ()), []
    results = changes.get("results", [])
    for seat, cards in enumerate((hand, enemy_hand)):
        held = sorted(NUMBER[name] for name in cards)
        placed = [entry["card"] for entry in lying if entry["seat"] == seat]
        others = [NUMBER[name] for name in deck] if seat == 0 else []
        filler = [NUMBER[FILLER]] * (DECK_SIZE - len(held) - len(placed) - len(others))
        seats.append(
            {
                "decklist": sorted(held + placed + others + filler),
                "hand": held, "revealed": sorted(NUMBER[name] for name in revealed) if seat else [],
                "back_hand": [], "back_revealed": [], "aside": [], "deck": others + filler, "junkyard": [],
                "utility": None, "utility_used": False, "passed": seat in passed, "tpr": 0,
                "wins": sum(result[seat] > result[1 - seat] for result in results),
                "field": [fields[seat].get(slot) for slot in range(SLOTS)],
            }
        )  # fmt: skip
    data = {
        "game": "project_mars", "lanes": [],
        "mode": "constructed", "round": 1, "first_seat": 0, "turn_seat": 0, "asked_seat": 0, "over": False,
        "decision": "TURN", "gas": False, "results": [], "left": 0, "effect": None, "seats": seats, **changes,
    }  # fmt: skip
    states = blank_states(1, SPEC.config())
    fill(states[0], convert(data, TableSnapshot, "position"), ResumeState(**DEFAULT_RESUME_STATE))
    list_legal_at(states, 0)
    return Game.from_state(states)


def play(game: Game, name: str, slot: int | None = None) -> Game:
    """Play a card from hand into a slot, or a UTILITY card without a slot."""
    card = NUMBER[name]
    game.step(UTILITY + card - NUM_FIELD_TYPES if slot is None else PLAY + encode_play(card, slot))
    return game


def choose(game: Game, name: str) -> Game:
    """Choose a card."""
    game.step(CARD + NUMBER[name])
    return game


def pick(game: Game, slot: int, of_enemy: bool = True) -> Game:
    """Choose a slot of the enemy's field, or of the own field."""
    game.step(SLOT + SLOTS * of_enemy + slot)
    return game


def stop(game: Game) -> Game:
    """Pass, or end a choice of several cards."""
    game.step(PASS)
    return game


def names(cards: Sequence[int]) -> list[str]:
    """Return the names of card types."""
    return [CARDS[card].name for card in cards]


def field(game: Game, seat: int) -> dict[int, str]:
    """Return the field of a seat, in the format that `at` accepts."""
    found = {}
    for slot, placed in enumerate(game.snapshot()["seats"][seat]["field"]):
        if placed is not None:
            marks = ["z"] * placed["zeroed"] + ["d"] * placed["disabled"]
            marks += [f"+{placed['bonus']}"] * (placed["bonus"] > 0)
            trap = "" if placed["seat"] == seat else "!"
            found[slot] = trap + " ".join([CARDS[placed["card"]].name, *marks])
    return found


def powers(game: Game, seat: int) -> dict[int, int]:
    """Return the PWR of the cards in a seat's field, by slot."""
    placed = game.snapshot()["seats"][seat]["field"]
    return {slot: card["pwr"] for slot, card in enumerate(placed) if card is not None}


def tpr(game: Game) -> list[int]:
    """Return the TPR that both seats would have if the round were resolved now."""
    return [seat["tpr"] for seat in game.snapshot()["seats"]]


def junkyard(game: Game, seat: int) -> list[str]:
    """Return the names of the cards in a seat's junkyard."""
    return names(game.snapshot()["seats"][seat]["junkyard"])
