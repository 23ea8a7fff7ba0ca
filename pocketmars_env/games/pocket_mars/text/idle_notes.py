"""Notes on which parts of a turn's main action (top, bottom, Building ability) would change nothing now."""

from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.games.pocket_mars.kernels import batch
from pocketmars_env.games.pocket_mars.rules.actions import PASS, block_of
from pocketmars_env.games.pocket_mars.rules.constants import Decision
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView
from pocketmars_env.games.pocket_mars.snapshots.phases import idle_tops, legal_actions
from pocketmars_env.games.pocket_mars.text.choices import card_of

PLAYS = ("PLAY_PREP", "PLAY_OTHER")
OPTIONAL = (Decision.SETTLE, Decision.BOTTOM, Decision.ABILITY)
"""The optional decisions that can follow when a card is played from a prep module.

Each of them is skipped if it is not allowed or would change nothing.
"""


def idle_notes(states: States, seat_view: SeatView) -> dict[int, str]:
    """Return notes on a turn's main actions, keyed by action number; see `Presentation.idle_notes`.

    The result is empty at other decisions. An action that plays a card unknown to the seat has no note.
    """
    if states["decision"][0] != Decision.TURN:
        return {}
    notes = dict.fromkeys(idle_tops(states), "no effect now")
    for action in legal_actions(states):
        block = block_of(action)[0].name
        if block in PLAYS and card_of(seat_view, action) is not None:  # an unknown card might allow settling
            note = note_of(offered_after(states, action), is_own=block == "PLAY_PREP")
            notes |= {action: note} if note else {}
    return notes


def note_of(offered: set[Decision], is_own: bool) -> str:
    """Return a note if the bottom, the ability or both would have no effect; otherwise, an empty text."""
    idle = [name for name in ("bottom", "ability") if Decision[name.upper()] not in offered]
    idle = idle if is_own else [name for name in idle if name == "ability"]
    if idle == ["ability"] and is_own:
        return "ability has no effect now without the bottom"
    verb = "has" if len(idle) == 1 else "have"
    return f"{' and '.join(idle)} {verb} no effect now" if idle else ""


def offered_after(states: States, action: int) -> set[Decision]:
    """Return the `OPTIONAL` decisions that can follow an action.

    Both answers to SETTLE are tried; at BOTTOM, the bottom action is always declined.
    """
    ahead, offered = [after(states, action)], set[Decision]()
    while ahead:
        position = ahead.pop()
        decision = int(position["decision"][0])
        if decision not in OPTIONAL:
            continue
        offered.add(Decision(decision))
        if decision == Decision.SETTLE:
            ahead += [after(position, answer) for answer in legal_actions(position)]
        elif decision == Decision.BOTTOM:
            ahead.append(after(position, PASS))
    return offered


def after(states: States, action: int) -> States:
    """Return the position after an action, as a ``(1,)`` `STATE` array."""
    following = copy_states(states)
    batch.step_at(following, 0, action)
    return following
