"""Invariants of positions: they keep kernels within their arrays, and let every game end.

Play preserves them: every position reached from a position that satisfies them satisfies them too. They hold
in every position of a game, but also in many harmless positions that no game reaches.
"""

from collections import Counter
from itertools import chain

from pocketmars_env.core.position_codec import require
from pocketmars_env.games.project_mars.rules.cards import NUM_FIELD_TYPES
from pocketmars_env.games.project_mars.rules.constants import Decision
from pocketmars_env.games.project_mars.snapshots.schema import TableSnapshot

OF_TRAPS = (Decision.TRAP.name, Decision.COME_BACK.name)
OF_EFFECTS = (*OF_TRAPS, *(Decision(number).name for number in range(Decision.TARGET, len(Decision))))
COUNTED = (Decision.MULLIGAN.name, Decision.TARGET.name, Decision.DISCARD.name)
"""The decisions at which `left` counts something; a later effect would use what is left elsewhere."""


def check_invariants(data: TableSnapshot) -> None:
    """Raise a ValueError unless the position is safe for all kernels, apart from the number of actions."""
    decision = data.decision
    require(
        data.over == (decision is None) == (data.asked_seat is None),
        "decision and asked_seat must be None exactly when the game is over",
    )
    wins, finished = sum(seat.wins for seat in data.seats), data.round - 1 + data.over
    require(wins <= finished, f"{wins} wins in {finished} rounds")  # tables of bots depend on the lead
    if decision == Decision.TURN.name or decision in OF_EFFECTS:
        is_turn = data.turn_seat is not None and data.first_seat is not None
        require(is_turn, f"turn_seat and first_seat must be seats at {decision}")
    require(decision in COUNTED or not data.left, f"left must be 0 at {decision}, got {data.left}")
    require(decision != Decision.DISCARD.name or data.left, "left must be positive at DISCARD")
    check_effect(data)
    check_cards(data)


def check_effect(data: TableSnapshot) -> None:
    """Check the card whose effect causes the decision: kernels read its slot and move it."""
    effect, decision = data.effect, data.decision
    if effect is None:
        require(decision not in OF_EFFECTS, f"effect must be a card at {decision}")
        return
    require(
        (effect.slot is None) == (effect.card >= NUM_FIELD_TYPES),
        f"slot of effect must be None for a UTILITY only, got {effect.slot}",
    )
    if decision in OF_TRAPS:
        require(effect.slot is not None, f"effect must be a trap at {decision}")
    if decision == Decision.TRAP.name:  # LOSE destroys the placed card
        placed = data.seats[data.asked_seat or 0].field[effect.slot or 0]
        require(placed, f"slot {effect.slot} of seat {data.asked_seat} must have a card at TRAP")
    if decision == Decision.COME_BACK.name:
        require(data.asked_seat == effect.seat, f"asked_seat must be the trap's owner, {effect.seat}")


def check_cards(data: TableSnapshot) -> None:
    """Check each seat's cards: decks would overflow with additional cards, and reveals need hidden ones."""
    effect, lifted = data.effect, data.decision in OF_TRAPS
    for number, seat in enumerate(data.seats):
        zones = chain(seat.hand, seat.back_hand, seat.aside, seat.deck, seat.junkyard)
        fields = chain(*(side.field for side in data.seats))
        placed = [entry.card for entry in fields if entry is not None and entry.seat == number]
        others = [] if seat.utility is None else [seat.utility]
        if lifted and effect is not None and effect.seat == number:
            others.append(effect.card)
        extra = Counter(chain(zones, placed, others)) - Counter(seat.decklist)
        require(not extra, f"seat {number} has cards beyond its deck list: {sorted(extra.elements())}")
        for name in ("hand", "back_hand"):
            revealed = getattr(seat, name.replace("hand", "revealed"))
            missing = Counter(revealed) - Counter(getattr(seat, name))
            require(not missing, f"{name} of seat {number} lacks revealed cards: {sorted(missing)}")


def check_actions(data: TableSnapshot, number: int) -> None:
    """Check that an unfinished position has legal actions, also after the next ones; `number` of them."""
    require(data.over or number > 0, f"{data.decision} has no legal action")
    if data.decision == Decision.TARGET.name:
        require(data.left <= number, f"left must be at most the number of targets, {number}")
    if data.decision == Decision.GIVE.name:
        deck = data.seats[data.asked_seat or 0].deck
        require(any(card >= NUM_FIELD_TYPES for card in deck), "GIVE needs a UTILITY card in the deck")
