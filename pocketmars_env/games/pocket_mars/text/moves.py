"""The text of a past action, as seen from a viewpoint."""

from pocketmars_env.core.game import Game
from pocketmars_env.games.pocket_mars.config import seat_name
from pocketmars_env.games.pocket_mars.rules.actions import DECISIONS, block_of
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.pocket_mars.rules.constants import Decision
from pocketmars_env.games.pocket_mars.seat_view.see import seen_card
from pocketmars_env.games.pocket_mars.snapshots.snapshot_checks import SETUP
from pocketmars_env.games.pocket_mars.text.action_text import CARD_BLOCKS, seat_text


def move_text(before: Game, after: Game, viewpoint: int | None = None) -> str:
    """Return the last action as text, such as "put a Habitation card into their prep module".

    If a seat other than the viewpoint chose a card secretly, the text names the card only if the viewpoint
    knows it after the action and the action caused no shuffle; otherwise, the text shows only the suit.
    If the choice is made during the setup or leaves a swap of cards incomplete, not even the suit is shown.

    Args:
        before: the game before the action.
        after: the game after the action.
        viewpoint: the seat that reads the text; if None, nothing is hidden.

    """
    seat, action = before.to_play or 0, after.actions[-1]
    if viewpoint not in (None, seat) and (before.decision in SETUP or after.resume_state()["picked"] >= 0):
        return "choose a card"
    words = before.describe(action)
    block, argument = block_of(action)
    is_hidden = DECISIONS[Decision[before.decision or ""]].is_hidden
    if block.name in CARD_BLOCKS and is_hidden and viewpoint not in (None, seat):
        known = set(after.snapshot()["seats"][viewpoint]["knows"])
        if before.resume_state()["shuffles"] != after.resume_state()["shuffles"]:
            known.clear()  # the viewpoint may know the card only because it was drawn after the shuffle
        words = words.replace(CARDS[argument].name, seen_card(argument, known, False).name)
    for distance in range(1, before.seats):
        other = seat_name(before.config.mode, (seat + distance) % before.seats)
        words = words.replace(seat_text(distance), other)
    return words.replace("your", "their")
