"""Texts for legal actions: descriptions, card texts, and the reasons that the log gives."""

from dataclasses import replace

from pocketmars_env.core.presentation.interface import Choice
from pocketmars_env.games.pocket_mars.config import seat_name
from pocketmars_env.games.pocket_mars.rules.actions import (
    DECISIONS,
    PASS,
    block_of,
    decode_slot,
)
from pocketmars_env.games.pocket_mars.rules.cards import CARDS, FIRST_ABILITY, FIRST_BOTTOM, FIRST_TOP
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES, MAX_ENERGY, Decision
from pocketmars_env.games.pocket_mars.rules.plays import ENERGY_FOR_DISCARD
from pocketmars_env.games.pocket_mars.seat_view.seat_view import (
    SeatView,
    SeenCard,
    SeenSeat,
    suit_of,
)
from pocketmars_env.games.pocket_mars.seat_view.see import resolving_text
from pocketmars_env.games.pocket_mars.text.action_text import (
    CARD_BLOCKS,
    argument_text,
    describe_action,
    seat_text,
)
from pocketmars_env.games.pocket_mars.text.card_text import card_text, program_text
from pocketmars_env.games.pocket_mars.text.points import parts_of
from pocketmars_env.games.pocket_mars.text.seat_view_text import building_played, named_building

SLOT_BLOCKS = ("PLAY_OTHER", "SLOT")
"""Action blocks whose argument is a slot in another seat's prep module."""
SIDES = ("left", "right")
"""Names of the slots of a prep module."""


def choices_at(seat_view: SeatView, legal: list[int]) -> tuple[Choice, ...]:
    return tuple(choice_at(seat_view, action) for action in legal)


def choice_at(seat_view: SeatView, action: int) -> Choice:
    card = card_of(seat_view, action)
    return Choice(
        action=action,
        words=action_text(seat_view, action),
        card=None if card is None else CARDS[card].name,
        text=text_of(seat_view, action) if card is None else card_text(card),
        note=note_of(seat_view, action),
    )


def note_of(seat_view: SeatView, action: int) -> str:
    """Return one line on what a turn's main action, or the answer yes, can do; empty for other actions."""
    block, argument = block_of(action)
    if block.name == "ACCEPT":
        return effect_of_yes(seat_view)
    if block.name == "PLAY_HAND":
        return f"top: {program_text(FIRST_TOP + argument)}"
    if block.name == "PLAY_PREP":
        prefix = settle_note(seat_view, suit_of(argument), CARDS[argument].value)
        bottom = program_text(FIRST_BOTTOM + argument)
        return f"{prefix}bottom: {bottom}; {ability_note(suit_of(argument))}"
    if block.name == "PLAY_OTHER":
        owner, _, card = prep_slot(seat_view, argument)
        if card is None:
            return ""
        value = None if card.card is None else CARDS[card.card].value
        prefix = (
            settle_note(seat_view, card.suit, value) if owner.is_da else f"its bottom is for {owner.name}; "
        )
        return f"{prefix}{ability_note(card.suit)}"
    if block.name == "DISCARD_FOR_ENERGY":
        energy = seat_view.seats[to_play(seat_view)].energy
        gained = min(ENERGY_FOR_DISCARD[seat_view.mode == "solo"], MAX_ENERGY - energy)
        return f"energy {energy} → {energy + gained}" if gained else f"no effect: your energy is {energy}"
    if block.name == "LAUNCH":
        return text_of(seat_view, action)
    return ""


def effect_of_yes(seat_view: SeatView) -> str:
    """Return the effect of the answer yes: the text of the bottom or ability, or the points for settling."""
    if seat_view.decision == Decision.BOTTOM.name and seat_view.played is not None:
        return program_text(FIRST_BOTTOM + seat_view.played)
    if seat_view.decision == Decision.ABILITY.name and seat_view.played is not None:
        return program_text(FIRST_ABILITY + suit_of(seat_view.played))
    points = points_for_settling(seat_view)
    return f"+{points} point{'s' if points > 1 else ''}"


def points_for_settling(seat_view: SeatView) -> int:
    """Return the points that the seat to play gains if it settles 1 in the Building of the played card."""
    seat, target = seat_view.seats[to_play(seat_view)], building_played(seat_view)
    star = tuple(number + (building == target) for building, number in enumerate(seat.star))
    settled = replace(seat, ship=seat.ship - 1, star=star)
    before, after = (
        sum(points for _, points in parts_of(seat_view, seen_seat)) for seen_seat in (seat, settled)
    )
    return after - before


def settle_note(seat_view: SeatView, building: int, value: int | None) -> str:
    """Return a note that a card allows, or may allow, a colonist to settle; empty if none can."""
    beaten = seat_view.value_to_beat(building)
    if (
        beaten is None
        or not seat_view.seats[to_play(seat_view)].ship
        or (value is not None and value <= beaten)
    ):
        return ""
    return "settle 1 if you like; " if value is not None else f"settle 1 if its value is above {beaten}; "


def ability_note(building: int) -> str:
    return f"then {BUILDING_NAMES[building]}: {program_text(FIRST_ABILITY + building)}"


def action_text(seat_view: SeatView, action: int) -> str:
    """Return an action as text, from the point of view of the seat to play."""
    seat = to_play(seat_view)
    words = describe_action(action, Decision[seat_view.decision] if seat_view.decision else None)
    words = named_building(seat_view, words)
    block, argument = block_of(action)
    if block.name in SLOT_BLOCKS:
        words = words.replace(argument_text(block.name, argument), place_text(seat_view, argument))
    for distance in range(1, len(seat_view.seats)):
        words = words.replace(
            seat_text(distance), seat_name(seat_view.mode, (seat + distance) % len(seat_view.seats))
        )
    return words


def to_play(seat_view: SeatView) -> int:
    return seat_view.active_seat if seat_view.to_play is None else seat_view.to_play


def prep_slot(seat_view: SeatView, argument: int) -> tuple[SeenSeat, int, SeenCard | None]:
    """Return the owner, number and card of the prep slot that a PLAY_OTHER or SLOT argument names."""
    distance, slot = decode_slot(argument)
    owner = seat_view.seats[(to_play(seat_view) + distance) % len(seat_view.seats)]
    return owner, slot, owner.prep[slot]


def place_text(seat_view: SeatView, argument: int) -> str:
    """Return text such as "an Energy Bank card (left in the prep module of player_1)" for a slot."""
    owner, slot, card = prep_slot(seat_view, argument)
    name = "the card" if card is None else card.name
    return f"{name} ({SIDES[slot]} in the prep module of {owner.name})"


def card_of(seat_view: SeatView, action: int) -> int | None:
    """Return the card that an action names, or the played card at BOTTOM; None without a known card."""
    block, argument = block_of(action)
    if block.name in CARD_BLOCKS:
        return argument
    if block.name in SLOT_BLOCKS:
        card = prep_slot(seat_view, argument)[2]
        return None if card is None else card.card
    if seat_view.decision == Decision.BOTTOM.name:
        return seat_view.played
    return None


def text_of(seat_view: SeatView, action: int) -> str:
    """Return an explanation of an action for which `card_of` returns None; may be empty."""
    if action == PASS:
        return ""
    block, argument = block_of(action)
    if seat_view.decision == Decision.ABILITY.name and seat_view.played is not None:
        return ability_of(suit_of(seat_view.played))
    if block.name in SLOT_BLOCKS:
        card = prep_slot(seat_view, argument)[2]
        return "" if card is None or block.name == "SLOT" else ability_of(card.suit)
    if block.name == "LAUNCH":
        cost = "; 1 of the DA's cards is also discarded" if seat_view.mode == "solo" else ""
        return f"1 of your colonists from Earth to your Ship{cost}"
    return seat_view.resolving


def ability_of(building: int) -> str:
    return resolving_text(FIRST_ABILITY + building, -1)


# --- reasons ---------------------------------------------------------------------------------------


def reason_of(seat_view: SeatView, action: int) -> str:
    """Return the reason for an action: a rule, card or ability; for PASS, the prompt of the decision."""
    decision = Decision[seat_view.decision] if seat_view.decision else None
    if decision is not None and DECISIONS[decision].reason:
        return DECISIONS[decision].reason
    if action == PASS and decision is not None:
        return f"decision: {DECISIONS[decision].prompt}"
    if decision == Decision.TURN:
        return reason_of_turn(seat_view, action)
    if decision == Decision.SETTLE and seat_view.played is not None:
        return f"the value of {CARDS[seat_view.played].name} is higher than the value below it"
    if decision == Decision.BOTTOM and seat_view.played is not None:
        return resolving_text(FIRST_BOTTOM + seat_view.played, -1)
    if decision == Decision.ABILITY and seat_view.played is not None:
        return ability_of(suit_of(seat_view.played))
    return seat_view.resolving


def reason_of_turn(seat_view: SeatView, action: int) -> str:
    """Return the text that explains a turn's main action: for PLAY_HAND the card's top, otherwise a rule."""
    block, argument = block_of(action)
    if block.name == "PLAY_HAND":
        return resolving_text(FIRST_TOP + argument, -1)
    if block.name == "DISCARD_FOR_ENERGY":
        return f"a discarded card is worth {ENERGY_FOR_DISCARD[seat_view.mode == 'solo']} energy"
    if block.name == "LAUNCH":
        return "launching 1 is one of the five actions of a turn"
    if block.name == "PLAY_OTHER" and seat_view.mode != "solo":
        return "from another module: first its owner may use the bottom, then the player may use the ability"
    if block.name == "PLAY_OTHER":
        return "from the DA's module: the player may settle 1 for its value, then use the Building's ability"
    building = BUILDING_NAMES[suit_of(argument)]
    return f"played to the {building}: settling for its value, its bottom and the ability are optional"
