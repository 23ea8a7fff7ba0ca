"""The answers of a game in words, as everybody or one seat may hear them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from pocketmars_env.drawing.seeing import seat_name, seen_card
from pocketmars_env.engine.actions import block_of
from pocketmars_env.engine.cards import CARDS
from pocketmars_env.engine.wording import seat_in_words
from pocketmars_env.game import Game
from pocketmars_env.replays.replay import Replay

CARD_BLOCKS = ("PLAY_HAND", "PLAY_PREP", "DISCARD_FOR_ENERGY", "CARD")
"""The actions whose argument is a card."""


@dataclass(frozen=True)
class Move:
    """One answer.

    Attributes:
        number: 1 for the first answer of the replay.
        round: of the game, when the answer was given.
        seat: who answered.
        label: the seat's name, and who sat there.
        words: what was answered.

    """

    number: int
    round: int
    seat: int
    label: str
    words: str

    def __str__(self) -> str:
        return f"{self.number}. {self.label}: {self.words}"


def moves_of(replay: Replay, viewpoint: int | None = None) -> Iterator[Move]:
    """All answers, in their order.

    Args:
        replay: the game.
        viewpoint: a seat: only cards that it knows are named; None names all.

    """
    for number, (before, after) in enumerate(pairwise(replay.games()), start=1):
        yield move_between(replay, number, before, after, viewpoint)


def move_between(replay: Replay, number: int, before: Game, after: Game, viewpoint: int | None) -> Move:
    """The answer of a number, with the game before and after it; otherwise as `moves_of`."""
    seat = before.asked or 0
    words = answer_in_words(before, replay.actions[number - 1], after, viewpoint)
    return Move(number, before.snapshot()["round"], seat, seat_label(replay, seat), words)


def seat_label(replay: Replay, seat: int) -> str:
    """The name of a seat, and of who sat there if that is another one."""
    at_table, name = seat_name(replay.config.mode, seat), replay.names[seat]
    return at_table if name == at_table else f"{at_table} ({name})"


def answer_in_words(before: Game, action: int, after: Game, viewpoint: int | None = None) -> str:
    """What a seat has answered, such as "put a Habitation card into their prep module".

    Args:
        before: the game before the answer.
        action: the answer.
        after: the game after it.
        viewpoint: a seat: a card is named if it knows, after the answer, where that card is (or if
            the answer is its own); None names every card.

    """
    seat = before.asked or 0
    words = before.describe(action)
    block, argument = block_of(action)
    if block.name in CARD_BLOCKS and viewpoint not in (None, seat):
        known = set(after.snapshot()["seats"][viewpoint]["knows"])
        words = words.replace(CARDS[argument].name, seen_card(argument, known, False).name)
    for distance in range(1, before.seats):
        other = seat_name(before.config.mode, (seat + distance) % before.seats)
        words = words.replace(seat_in_words(distance), other)
    return words.replace("your", "their")
