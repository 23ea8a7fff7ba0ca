"""The answers of a game in words, as everybody or one seat may hear them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pocketmars_env.games.pocket_mars.config import seat_name
from pocketmars_env.games.pocket_mars.game import Game
from pocketmars_env.games.pocket_mars.rules.actions import block_of
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.pocket_mars.seat_view.seeing import seen_card
from pocketmars_env.games.pocket_mars.snapshots.snapshot_checks import SETUP
from pocketmars_env.games.pocket_mars.text.wording import seat_in_words
from pocketmars_env.replays.replay import Replay

CARD_BLOCKS = ("PLAY_HAND", "PLAY_PREP", "DISCARD_FOR_ENERGY", "CARD")
"""The actions whose argument is a card."""

OPEN_CHOICES = ("TURN", "DISCARD", "DISCARD_SUIT", "TAKE_DISCARD")
"""The decisions whose card is played, discarded or taken before everybody's eyes."""


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
    labels = seat_labels(replay.config.mode, replay.names)
    for before, after in pairwise(replay.games()):
        yield move_between(before, after, labels, viewpoint)


def move_between(before: Game, after: Game, labels: Sequence[str], viewpoint: int | None = None) -> Move:
    """The answer that led from one position of a game to the next.

    Args:
        before: the game before the answer.
        after: the same game after it.
        labels: what each seat is called.
        viewpoint: as of `moves_of`.

    """
    seat = before.asked or 0
    words = answer_in_words(before, after, viewpoint)
    return Move(len(after.actions), before.snapshot()["round"], seat, labels[seat], words)


def seat_labels(mode: str, names: Sequence[str]) -> tuple[str, ...]:
    """The name of each seat, and of who sits there if that is another one."""
    seats = (seat_name(mode, seat) for seat in range(len(names)))
    return tuple(
        seat if seat == name else f"{seat} ({name})" for seat, name in zip(seats, names, strict=True)
    )


def answer_in_words(before: Game, after: Game, viewpoint: int | None = None) -> str:
    """What the asked seat has answered, such as "put a Habitation card into their prep module".

    Args:
        before: the game before the answer.
        after: the same game after it.
        viewpoint: a seat: a card that is chosen in secret is named if the seat knows, after the answer,
            where it is (or has answered itself), and not even its suit is told before the choice is carried
            out; None names every card.

    """
    seat, action = before.asked or 0, after.actions[-1]
    if viewpoint not in (None, seat) and (before.decision in SETUP or after.bookmark()["picked"] >= 0):
        return "choose a card"
    words = before.describe(action)
    block, argument = block_of(action)
    if block.name in CARD_BLOCKS and before.decision not in OPEN_CHOICES and viewpoint not in (None, seat):
        known = set(after.snapshot()["seats"][viewpoint]["knows"])
        if before.bookmark()["shuffles"] != after.bookmark()["shuffles"]:
            known.clear()  # what a seat draws after a shuffle does not tell what went into it
        words = words.replace(CARDS[argument].name, seen_card(argument, known, False).name)
    for distance in range(1, before.seats):
        other = seat_name(before.config.mode, (seat + distance) % before.seats)
        words = words.replace(seat_in_words(distance), other)
    return words.replace("your", "their")
