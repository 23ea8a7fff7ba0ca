"""Legal and past actions as text, with card texts and explanations."""

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.presentation.interface import Choice
from pocketmars_env.games.project_mars.rules.actions import (
    DECISIONS,
    PASS,
    block_of,
    decode_play,
    decode_slot,
)
from pocketmars_env.games.project_mars.rules.cards import CARDS, NUM_FIELD_TYPES
from pocketmars_env.games.project_mars.rules.constants import LANES, Category, Decision, Kind
from pocketmars_env.games.project_mars.seat_view.seat_view import SeatView
from pocketmars_env.games.project_mars.text.action_text import describe_action
from pocketmars_env.games.project_mars.text.card_text import card_text, type_line

HIDDEN = {"MULLIGAN": "trade a card", "KEEP": "keep a card", "GIVE": "put a card into the deck"}
"""The text that the enemy sees instead of a hidden choice, keyed by decision."""


def choices_at(seat_view: SeatView, legal: list[int]) -> tuple[Choice, ...]:
    return tuple(choice_of(seat_view, action) for action in legal)


def choice_of(seat_view: SeatView, action: int) -> Choice:
    """Return the `Choice` for an action, with the text of the action's card, if any, and a note."""
    card, words = card_of(seat_view, action), action_text(seat_view, action)
    if card is None:
        note = "final for this round" if seat_view.decision == Decision.TURN.name else ""
        return Choice(action, words, None, "", note)
    text = f"{type_line(card)}. {card_text(card)}"
    return Choice(action, words, CARDS[card].name, text, note_of(seat_view, action))


def action_text(seat_view: SeatView, action: int) -> str:
    """Return an action as text for the seat to play, with the card in the slot that it chooses, if any."""
    words = describe_action(action, None if seat_view.decision is None else Decision[seat_view.decision])
    card = card_of(seat_view, action) if block_of(action)[0].name == "SLOT" else None
    return words if card is None else f"{words} ({CARDS[card].name})"


def card_of(seat_view: SeatView, action: int) -> int | None:
    """Return the card that an action plays or chooses, or the card in the chosen slot, or None."""
    block, argument = block_of(action)
    if block.name == "PLAY":
        return decode_play(argument)[0]
    if block.name == "UTILITY":
        return NUM_FIELD_TYPES + argument
    if block.name == "CARD":
        return argument
    if block.name == "SLOT" and seat_view.to_play is not None:
        distance, slot = decode_slot(argument)
        placed = seat_view.sides[seat_view.to_play ^ distance].field[slot]
        return None if placed is None else placed.card
    return None


def note_of(seat_view: SeatView, action: int) -> str:
    """Return a note on PLAY, such as whether the effect works in this row, or on UTILITY; else ""."""
    block, argument = block_of(action)
    if block.name == "UTILITY":
        return card_text(NUM_FIELD_TYPES + argument)
    if block.name != "PLAY" or seat_view.to_play is None:
        return ""
    card, slot = decode_play(argument)
    card_type = CARDS[card]
    if card_type.kind == Kind.TRAP:
        return "triggers when the enemy places a card on it"
    placed = seat_view.sides[seat_view.to_play].field[slot]
    trap = "" if placed is None else f"placed on the trap {CARDS[placed.card].name}; "
    if not card_type.program:
        return trap + f"PWR {card_type.power} in either row"
    works = (card_type.category == Category.OFFENSE) == (slot < LANES)
    return trap + (
        "the card's effect works in this row"
        if works
        else f"PWR {card_type.power} only: no effect in this row"
    )


def move_text(before: States, action: int, after: States, viewpoint: int | None) -> str:
    """Return an action as text; for the arguments, see `Presentation.move_text`.

    At MULLIGAN, KEEP and GIVE, the text for the enemy's viewpoint does not name the card, even if it is
    revealed. Only the text for the acting seat says "your"; in every text, "the enemy" is the enemy of the
    acting seat.
    """
    seat, decision = int(before["to_play"][0]), Decision(int(before["decision"][0]))
    if DECISIONS[decision].is_hidden and action != PASS and viewpoint not in (None, seat):
        return HIDDEN[decision.name]
    words = describe_action(action, decision)
    return words if viewpoint == seat else words.replace("your ", "its own ")


def reason_of(seat_view: SeatView, action: int) -> str:
    """Return the explanation of an action: the effect of a card, or the rule that applies to the decision."""
    if seat_view.effect is not None:
        card = seat_view.effect[0]
        return f"{CARDS[card].name}: {card_text(card)}"
    card_played = card_of(seat_view, action)
    if seat_view.decision == "TURN" and card_played is not None:
        return card_text(card_played)
    if seat_view.decision == "TURN":
        return "passing is final for the round"
    return DECISIONS[Decision[seat_view.decision or ""]].reason
