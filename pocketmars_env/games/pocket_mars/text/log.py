"""The log of a game, as seen from a viewpoint."""

from collections.abc import Iterator

import numpy as np

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.presentation.interface import Entry
from pocketmars_env.games.pocket_mars.config import GameConfig, seat_name
from pocketmars_env.games.pocket_mars.kernels import batch
from pocketmars_env.games.pocket_mars.rules.actions import DECISIONS, block_of
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.pocket_mars.rules.constants import (
    BUILDING_NAMES,
    DA_SEAT,
    NO_CARD,
    PLAYER_SEAT,
    Building,
    Decision,
    Stage,
    Termination,
)
from pocketmars_env.games.pocket_mars.rules.solo import SYSTEM_FAILURE_CARDS
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView
from pocketmars_env.games.pocket_mars.seat_view.see import see, seen_card
from pocketmars_env.games.pocket_mars.snapshots.invariants import SETUP
from pocketmars_env.games.pocket_mars.snapshots.notation import snapshot
from pocketmars_env.games.pocket_mars.snapshots.phases import phases_of
from pocketmars_env.games.pocket_mars.text.action_text import CARD_BLOCKS, describe_action, seat_text
from pocketmars_env.games.pocket_mars.text.changes import changes
from pocketmars_env.games.pocket_mars.text.choices import SLOT_BLOCKS, action_text, reason_of
from pocketmars_env.games.pocket_mars.text.seat_view_text import result


def entries_between(before: States, action: int, after: States, viewpoint: int | None) -> tuple[Entry, ...]:
    """Return the log entries for an action and its effects; see `Presentation.entries`."""
    seat_view = see(before, viewpoint)
    entries: list[Entry] = []
    for phase, states in phases_of(before, action):
        next_seat_view = see(states, viewpoint)
        if phase == Stage.TURN:
            entries.append(entry_of_action(before, action, after, seat_view, next_seat_view, viewpoint))
        elif phase == Stage.END_ROUND:
            entries.append(end_of_round(next_seat_view, states))
        else:
            entries += entries_of_phase(phase, seat_view, next_seat_view)
        seat_view = next_seat_view
    return tuple(entries)


def entry_of_action(
    before: States, action: int, after: States, old: SeatView, new: SeatView, viewpoint: int | None
) -> Entry:
    """Return the entry for an action and for what follows, up to the next phase or decision."""
    seat = int(before["to_play"][0])
    if seat == viewpoint or block_of(action)[0].name in SLOT_BLOCKS:
        words = action_text(old, action)  # `old` shows what the viewpoint knows about the slot
    else:
        words = move_text(before, action, after, viewpoint)
    parts = [words, *changes(old, new, seat)]
    return Entry(seat_name(old.mode, seat), "; ".join(parts), reason_of(old, action))


def move_text(before: States, action: int, after: States, viewpoint: int | None) -> str:
    """Return an action as text, such as "put a Habitation card into their prep module".

    If a seat other than the viewpoint chose a card secretly, the text names the card only if the viewpoint
    knows it after the action and the action caused no shuffle; otherwise, the text shows only the suit.
    If the choice is made during the setup or leaves a swap of cards incomplete, not even the suit is shown.
    For the arguments, see `Presentation.move_text`.
    """
    seat, decision = int(before["to_play"][0]), Decision(int(before["decision"][0]))
    is_other = viewpoint not in (None, seat)
    if is_other and (decision.name in SETUP or after["picked"][0] != NO_CARD):
        return "choose a card"
    words = describe_action(action, decision)
    block, argument = block_of(action)
    if block.name in CARD_BLOCKS and DECISIONS[decision].is_hidden and is_other:
        known = set(snapshot(after)["seats"][viewpoint]["knows"])
        if before["shuffles"][0] != after["shuffles"][0]:
            known.clear()  # the viewpoint may know the card only because it was drawn after the shuffle
        words = words.replace(CARDS[argument].name, seen_card(argument, known, False).name)
    config = GameConfig.of_state(before[0])
    for distance in range(1, config.seats):
        name = seat_name(config.mode, (seat + distance) % config.seats)
        words = words.replace(seat_text(distance), name)
    return words.replace("your", "their")


# --- phases after a turn ----------------------------------------------------------------------------


def entries_of_phase(phase: Stage, old: SeatView, new: SeatView) -> Iterator[Entry]:
    """Yield the entry for a phase if the phase had an effect; android activation always has an entry."""
    effect = "; ".join(changes(old, new, DA_SEAT))
    if phase == Stage.SYSTEM_FAILURE and effect:
        reason = f"after the player's turn, the top {SYSTEM_FAILURE_CARDS} cards of the deck are discarded"
        yield Entry("", f"system failure: {effect}", reason)
    elif phase == Stage.ANDROIDS:
        outcome = "a choice is to be made" if new.decision in ITS_CHOICES else effect or "nothing"
        yield Entry(old.seats[DA_SEAT].name, f"android activation: {outcome}", activation(old, new))
    elif phase == Stage.DA_UPGRADES and effect:
        yield Entry(old.seats[DA_SEAT].name, effect, f"two upgrades, {best_for_da(new)}")
    elif phase == Stage.REFILL and effect:
        yield Entry("", effect, "the DA's prep module is refilled to two cards")


ITS_CHOICES = (Decision.DA_UPGRADE.name, Decision.DA_SETTLE.name)
"""The decisions that an agent can make in the seat of Devious Automatics (DA)."""


def activation(old: SeatView, new: SeatView) -> str:
    """Return the reason for the effect of an android activation, or for the lack of an effect."""
    da = old.seats[DA_SEAT]
    cards = [card for card in da.prep if card is not None]
    if len(cards) != 1:
        return "with two cards in its prep module, it does nothing" if cards else "its prep module is empty"
    suit = cards[0].suit
    name = BUILDING_NAMES[suit]
    cause = f"its only card has the suit {name}"
    if suit == Building.HABITATION and new.decision in ITS_CHOICES:
        return f"{cause}: a colonist settles"
    if suit == Building.HABITATION:
        ending = (
            f" in a Building {best_for_da(new)}" if da.ship else ", but its Ship is empty, so one is launched"
        )
        return f"{cause}: the ability settles a colonist{ending}"
    settles = "a colonist settles there" if da.ship else "its Ship is empty, so one is launched"
    return f"{cause}: {settles}, then the ability: {ABILITIES[Building(suit)]}"


ABILITIES = {
    Building.GREENHOUSE: "twice: upgrade one, or else downgrade one of the player's colonists",
    Building.AQUALAB: "the top two cards of the deck are discarded",
    Building.ENERGY_BANK: "2 energy; with a full track, the top two cards of the deck are discarded instead",
    Building.COMMS_CENTER: "one colonist is launched",
}
"""Texts for the DA's abilities, keyed by suit; for Habitation, the function `activation` creates the text."""


def best_for_da(seat_view: SeatView) -> str:
    """Return the reason for a DA choice, such as "chosen for the DA's highest score (now 9), then ..."."""
    player, da = (seat_view.seats[seat].score for seat in (PLAYER_SEAT, DA_SEAT))
    return f"chosen for the DA's highest score (now {da}), then for the player's lowest (now {player})"


def end_of_round(seat_view: SeatView, states: States) -> Entry:
    """Return the entry for a new round or for the end of the game."""
    if not seat_view.over:
        return Entry("", f"round {seat_view.round} begins", "")
    reason = np.empty(1, dtype=np.int64)
    batch.terminations_all(states, reason)
    return Entry("", f"the game is over: {result(seat_view)}", REASONS[Termination(reason[0])])


REASONS = {
    Termination.ALL_SETTLED: "a seat has all its colonists in Buildings at the end of a round",
    Termination.DA_MODULE_EMPTY: "the deck cannot refill the DA's prep module",
    Termination.ROUND_LIMIT: "the round limit is reached",
}
