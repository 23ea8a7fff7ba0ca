"""The log of a game (actions, effects, and results of rounds), as seen from a viewpoint."""

from collections import Counter
from collections.abc import Iterable, Iterator

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.presentation.interface import Entry
from pocketmars_env.games.project_mars.rules.actions import block_of, decode_play
from pocketmars_env.games.project_mars.rules.cards import CARDS, FIRST_OP, KIND
from pocketmars_env.games.project_mars.rules.constants import LANES, SLOTS, Kind, Op
from pocketmars_env.games.project_mars.seat_view.seat_view import PlacedCard, SeatView
from pocketmars_env.games.project_mars.seat_view.see import seat_name, see
from pocketmars_env.games.project_mars.text.choices import move_text, reason_of
from pocketmars_env.games.project_mars.text.seat_view_text import cards_in_words, result, round_result


def entries_between(before: States, action: int, after: States, viewpoint: int | None) -> tuple[Entry, ...]:
    """Return the log entries for an action and its effects; see `Presentation.entries`."""
    old, new = see(before, viewpoint), see(after, viewpoint)
    words = "; ".join([move_text(before, action, after, viewpoint), *counted(effects(old, new, action))])
    entries = [Entry(seat_name(old.to_play or 0), words, reason_of(old, action))]
    if len(new.results) > len(old.results):
        first, second = new.results[-1]
        reason = "" if first == second else "the higher TPR wins the round"
        entries.append(Entry("", round_result(new), reason))
        if new.over:
            entries.append(Entry("", f"the game is over: {result(new)}", END))
        else:
            entries.append(Entry("", f"round {new.round} begins", ""))
    return tuple(entries)


END = "the game ends after round 2 if a player has won more rounds, otherwise after round 3"


def counted(words: Iterable[str]) -> Iterator[str]:
    """Yield each distinct text once, followed by its number of occurrences if it occurs more than once."""
    for text, number in Counter(words).items():
        yield text if number == 1 else f"{text} ({number} times)"


def effects(old: SeatView, new: SeatView, action: int) -> Iterator[str]:
    """Yield texts about changes to fields, revealed cards and TPR; none if the action ended the round."""
    if len(new.results) > len(old.results):
        return
    for side in new.sides:
        was = old.sides[side.seat]
        for slot in range(SLOTS):
            yield from changes_in_slot(was.field[slot], side.field[slot], side.seat, slot, old, action)
        revealed = Counter(side.revealed) - Counter(was.revealed)
        if revealed and old.decision != "KEEP":  # a kept card may have been revealed in an earlier round
            yield f"{side.name} reveals {cards_in_words(revealed.elements())}"
    tpr = [side.tpr for side in new.sides]
    if tpr != [side.tpr for side in old.sides]:
        yield f"TPR {tpr[0]} : {tpr[1]}"


def changes_in_slot(
    was: PlacedCard | None, now: PlacedCard | None, seat: int, slot: int, old: SeatView, action: int
) -> Iterator[str]:
    """Yield texts about the changes in a slot, except for the placement of a card by the action itself."""
    if was is not None and (now is None or (now.card, now.owner) != (was.card, was.owner)):
        is_placed_here = is_placed(old, action, seat, slot)
        is_disarmed = is_placed_here and now is not None and destroys_traps(now.card, slot)
        is_triggered = was.owner != seat and (now is not None or is_placed_here) and not is_disarmed
        name = CARDS[was.card].name
        if not is_triggered:
            yield f"{name} of {seat_name(was.owner)} is destroyed"
        else:
            yield f"the trap {name} is triggered"
            if now is None:
                yield f"the card placed on {name} is destroyed"
    elif was is not None and now is not None:
        for flag, words in (("is_zeroed", "has PWR 0 now"), ("is_disabled", "is disabled")):
            if getattr(now, flag) and not getattr(was, flag):
                yield f"{CARDS[now.card].name} of {seat_name(now.owner)} {words}"
        if now.bonus > was.bonus:
            yield f"{CARDS[now.card].name} of {seat_name(now.owner)} gets +{now.bonus - was.bonus} PWR"
    elif now is not None and not is_placed(old, action, seat, slot):
        yield f"{CARDS[now.card].name} comes back to {seat_name(seat)}"


def destroys_traps(card: int, slot: int) -> bool:
    """Return whether a card in `slot` destroys a trap on which it is placed, instead of triggering it."""
    return bool(FIRST_OP[card] == Op.DISARM) and slot < LANES


def is_placed(old: SeatView, action: int, seat: int, slot: int) -> bool:
    """Return whether an action plays a card into `slot` on the field of `seat`."""
    block, argument = block_of(action)
    if block.name != "PLAY":
        return False
    card, played_slot = decode_play(argument)
    field = 1 - (old.to_play or 0) if KIND[card] == Kind.TRAP else old.to_play
    return (field, played_slot) == (seat, slot)
