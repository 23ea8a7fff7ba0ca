"""The text of a past action, as seen from a viewpoint."""

from pocketmars_env.core.compiled.states import States
from pocketmars_env.games.pocket_mars.config import GameConfig, seat_name
from pocketmars_env.games.pocket_mars.rules.actions import DECISIONS, block_of
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.pocket_mars.rules.constants import NO_CARD, Decision
from pocketmars_env.games.pocket_mars.seat_view.see import seen_card
from pocketmars_env.games.pocket_mars.snapshots.invariants import SETUP
from pocketmars_env.games.pocket_mars.snapshots.notation import snapshot
from pocketmars_env.games.pocket_mars.text.action_text import CARD_BLOCKS, describe_action, seat_text


def move_text(before: States, action: int, after: States, viewpoint: int | None = None) -> str:
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
