"""Helpers for readable tests: `given` builds a position, and `play` plays actions by name."""

from typing import Any

from pocketmars_env import Game, GameConfig, action_name
from pocketmars_env.core.precompile import ensure_compiled
from pocketmars_env.games.pocket_mars.rules.actions import NUM_ACTIONS
from pocketmars_env.games.pocket_mars.rules.cards import CARD_NUMBER, CARD_SUIT, CARDS
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES, COLONISTS, Stage
from pocketmars_env.games.pocket_mars.snapshots.from_snapshot import before
from pocketmars_env.games.pocket_mars.snapshots.invariants import (
    check_cards,
    check_colonists,
    check_knowledge,
)
from pocketmars_env.games.pocket_mars.spec import SPEC

ACTION_NUMBER = {action_name(action): action for action in range(NUM_ACTIONS)}
GREENHOUSE, AQUALAB, ENERGY_BANK, COMMS_CENTER, HABITATION = range(5)


def seat(**changes: Any) -> dict[str, Any]:
    """Return the description of a seat of a position as a dict.

    The arguments are hand and prep (card names; by default two each from the unused cards), ship, energy,
    star and star2 (lists by Building), and knows (names of other cards whose place the seat knows).
    All other colonists of the seat are on Earth.
    """
    accepted = {"hand", "prep", "ship", "energy", "star", "star2", "knows"}
    assert set(changes) <= accepted, f"accepted: {accepted}"
    return changes


def given(
    *seats: dict[str, Any],
    mode: str = "multi",
    level: str = "standard",
    edition: str = "grey_fox",
    deck: list[str] | None = None,
    under: list[str] | None = None,
    discard: list[str] | None = None,
    piles: dict[int, list[str]] | None = None,
    face_down: list[str] | None = None,
    starting_seat: int = 0,
    active_seat: int = 0,
    round_: int = 1,
    da_agent: bool = False,
    round_limit: int | None = None,
    handicap: int = 0,
    seed: int = 0,
) -> Game:
    """Build a game in which the active seat has to choose its TURN action.

    Args:
        seats: one `seat(...)` per seat; in solo mode the player, then the DA (by default with an empty hand).
        deck: the cards on top of the deck, top first; all unused cards follow.
        under: the cards at the bottom of the deck that were put there, top first.
        discard: the discard pile, oldest first.
        piles: the cards of each Building's pile, bottom first.
        face_down: the cards on piles that lie face down.
        seed: the seed of all later random events.
    """
    deck, under, discard, face_down = deck or [], under or [], discard or [], face_down or []
    piles = piles or {}
    piled = [card for pile in piles.values() for card in pile]
    used = [*deck, *under, *discard, *piled]
    for entry in seats:
        used += entry.get("hand", []) + [card for card in entry.get("prep", []) if card]
    assert len(used) == len(set(used)), f"a card is used twice: {used}"
    rest = all_but(*used)
    public = set(numbers([*discard, *(card for card in piled if card not in face_down)]))
    entries = []
    for number, data in enumerate(seats):
        is_da = mode == "solo" and number == 1
        hand = data.get("hand")
        if hand is None:
            hand = [] if is_da else [rest.pop() for _ in range(2)]
        prep = data.get("prep")
        if prep is None:
            prep = [rest.pop() for _ in range(2)]
        star, star2 = data.get("star", [0] * 4), data.get("star2", [0] * 4)
        ship = data.get("ship", 1)
        own = set() if is_da else set(numbers(hand)) | {CARD_NUMBER[card] for card in prep if card}
        entries.append(
            {
                "hand": sorted(numbers(hand)),
                "prep": [CARD_NUMBER[card] if card else None for card in prep],
                "earth": COLONISTS - ship - sum(star) - sum(star2),
                "ship": ship,
                "energy": data.get("energy", 1),
                "star": list(star),
                "star2": list(star2),
                "knows": sorted(own | public | set(numbers(data.get("knows", [])))),
            }
        )
    snapshot: dict[str, Any] = {
        "players": 1 if mode == "solo" else len(seats),
        "mode": mode,
        "edition": edition,
        "level": level if mode == "solo" else None,
        "round": round_,
        "starting_seat": starting_seat,
        "active_seat": active_seat,
        "asked_seat": active_seat,
        "decision": "TURN",
        "over": False,
        "deck": numbers([*deck, *rest, *under]),
        "under": len(under),
        "discard": numbers(discard),
        "in_play": [],
        "piles": [
            [[CARD_NUMBER[card], card not in face_down] for card in piles.get(building, [])]
            for building in range(len(BUILDING_NAMES))
        ],
        "seats": entries,
    }
    for pile, building in zip(snapshot["piles"], range(5), strict=True):
        assert all(CARD_SUIT[card] == building for card, _ in pile), "a card of another suit"
    if handicap:
        snapshot["handicap"] = handicap
    config = GameConfig(
        snapshot["players"],
        mode,
        level,
        edition=edition,
        da_agent=da_agent,
        round_limit=round_limit,
        handicap=handicap,
    )
    return turn_of(snapshot, config, seed)


def turn_of(snapshot: dict[str, Any], config: GameConfig, seed: int) -> Game:
    """Return the game at a snapshot's TURN decision, even if real games cannot reach it.

    Rules are easiest to test with few cards, but `Game.from_snapshot` rejects such positions.
    """
    for check in (check_cards, check_colonists, check_knowledge):
        check(snapshot)
    ensure_compiled(SPEC)
    return Game.of(SPEC, before(snapshot, config, {"stage": Stage.TURN, "seed": seed}))


def play(game: Game, *actions: str) -> Game:
    """Play actions by name, one after the other, and return the game."""
    for name in actions:
        game.step(ACTION_NUMBER[name])
    return game


def choices(game: Game) -> list[str]:
    """Return the names of the legal actions."""
    return [action_name(action) for action in game.legal]


def decision_of(game: Game) -> tuple[int | None, str | None, list[str]]:
    """Return the seat to play, its decision and the names of its legal actions."""
    return game.to_play, game.decision, choices(game)


def numbers(cards: list[str]) -> list[int]:
    """Convert card names to card numbers."""
    return [CARD_NUMBER[card] for card in cards]


def cards(numbers: list[int]) -> list[str]:
    """Convert card numbers to card names."""
    return [CARDS[number].name for number in numbers]


def all_but(*names: str) -> list[str]:
    """Return the names of all other cards, in order of card number."""
    return [card.name for card in CARDS if card.name not in names]


def table(game: Game) -> dict[str, Any]:
    """Return the snapshot with card names instead of card numbers.

    A pile is a list of names, bottom first; "face_down" lists the cards that lie face down on piles.
    """
    data = game.snapshot()
    data["face_down"] = cards([card for pile in data["piles"] for card, is_up in pile if not is_up])
    data["piles"] = [cards([card for card, _ in pile]) for pile in data["piles"]]
    for zone in ("deck", "discard", "in_play"):
        data[zone] = cards(data[zone])
    for entry in data["seats"]:
        entry["prep"] = [None if card is None else CARDS[card].name for card in entry["prep"]]
        for zone in {"hand", "packet", "pending", "knows"} & set(entry):
            entry[zone] = cards(entry[zone])
    return data


def at(game: Game, number: int) -> dict[str, Any]:
    """Return a seat's entry in the result of `table`."""
    entry: dict[str, Any] = table(game)["seats"][number]
    return entry


def knows(game: Game, number: int, *names: str) -> list[bool]:
    """Return whether the seat knows the place of each named card."""
    known = at(game, number)["knows"]
    return [name in known for name in names]
