"""Notes on which parts of a turn's main action (top, bottom, Building ability) would change nothing now."""

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.game import Game
from pocketmars_env.games.pocket_mars.rules.actions import PASS, block_of
from pocketmars_env.games.pocket_mars.rules.constants import Decision
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView
from pocketmars_env.games.pocket_mars.snapshots.phases import ensure_compiled, idle_tops
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.games.pocket_mars.text.choices import card_of

PLAYS = ("PLAY_PREP", "PLAY_OTHER")
OPTIONAL = (Decision.SETTLE.name, Decision.BOTTOM.name, Decision.ABILITY.name)
"""The optional decisions that can follow when a card is played from a prep module.

Each of them is skipped if it is not allowed or would change nothing.
"""


def idle_notes(states: States, view: SeatView) -> dict[int, str]:
    """Return notes on a turn's main actions, keyed by action number; see `Presentation.idle_notes`.

    The result is empty at decisions other than TURN. An action that plays a card unknown to the seat has no
    note.

    Args:
        states: a ``(1,)`` `STATE` array with any state in the information set of the seat to play.
        view: the seat view of the seat to play.

    """
    game = SPEC.game.from_state(states)
    if game.decision != Decision.TURN.name:
        return {}
    ensure_compiled()
    notes = dict.fromkeys(idle_tops(states), "no effect now")
    for action in game.legal():
        kind = block_of(action)[0].name
        if kind in PLAYS and card_of(view, action) is not None:  # an unknown card might allow settling
            note = note_of(offered_after(game, action), is_own=kind == "PLAY_PREP")
            notes |= {action: note} if note else {}
    return notes


def note_of(offered: set[str], is_own: bool) -> str:
    """Return a note if the bottom, the ability or both would have no effect; otherwise, an empty text.

    Args:
        offered: the result of `offered_after`.
        is_own: whether the card is in the seat's own prep module; if not, the note ignores the bottom.

    """
    idle = [name for name in ("bottom", "ability") if name.upper() not in offered]
    idle = idle if is_own else [name for name in idle if name == "ability"]
    if idle == ["ability"] and is_own:
        return "ability has no effect now without the bottom"
    verb = "has" if len(idle) == 1 else "have"
    return f"{' and '.join(idle)} {verb} no effect now" if idle else ""


def offered_after(game: Game, action: int) -> set[str]:
    """Return the names of the `OPTIONAL` decisions that can follow an action.

    Both answers to SETTLE are tried; at BOTTOM, the bottom action is always declined.
    """
    ahead, found = [after(game, action)], set[str]()
    while ahead:
        now = ahead.pop()
        if now.decision not in OPTIONAL:
            continue
        found.add(now.decision)
        if now.decision == Decision.SETTLE.name:
            ahead += [after(now, one) for one in now.legal()]
        elif now.decision == Decision.BOTTOM.name:
            ahead.append(after(now, PASS))
    return found


def after(game: Game, action: int) -> Game:
    """Return a copy of the game after an action."""
    next_game = game.clone()
    next_game.step(action)
    return next_game
