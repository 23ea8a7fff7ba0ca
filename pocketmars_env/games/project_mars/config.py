"""The settings of a Project Mars game, and their validation."""

from dataclasses import dataclass
from typing import Annotated, Any, Self, TypeAlias

import numpy as np
from msgspec import Meta

from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game_spec import Config
from pocketmars_env.core.gate import convert
from pocketmars_env.core.settings import check_choices, check_integer, setting
from pocketmars_env.games.project_mars.rules.cards import (
    CARDS,
    NUM_FIELD_TYPES,
    NUM_TYPES,
    STARTER_DECKS,
    STARTERS,
)
from pocketmars_env.games.project_mars.rules.constants import DECK_SIZE, MAX_UTILITIES, SEATS, Mode
from pocketmars_env.games.project_mars.small import NAMES, SMALL_GAMES

TITLE = "Project Mars"
MODES = tuple(mode.name.lower() for mode in Mode)
DECK_SETTINGS = ("deck_0", "deck_1")

Deck = str | tuple[int, ...]
Card: TypeAlias = Annotated[int, Meta(ge=0, lt=NUM_TYPES)]
DeckList: TypeAlias = Annotated[list[Card], Meta(min_length=DECK_SIZE, max_length=DECK_SIZE)]


@dataclass(frozen=True)
class DuelConfig(Config):
    """The settings of a Project Mars game.

    Attributes:
        mode: the source of the decks: ``"starter"`` (a starter deck for each seat), ``"same"`` (one starter
            deck for both seats), ``"random"`` (a random deck for each seat), or ``"constructed"`` (a given
            deck list for each seat).
        deck_0: the deck of seat 0. In the modes ``starter`` and ``same``: the name of a starter deck, or None
            to draw one at random. In the mode ``constructed``: a list of 30 type numbers, at most 3 of them
            for UTILITY cards, or the name of a starter deck; either is stored as a tuple of type numbers in
            ascending order. In the mode ``random``: None.
        deck_1: the deck of seat 1, specified like `deck_0`; must be None in the mode ``same``.
        copies: the maximum number of copies of a card type in each deck, 1..30; used only in the mode
            ``constructed``.
        small: the name of a small game, one of `SMALL_GAMES`, or None for the full game. A small game sets
            the mode ``constructed`` and both decks.

    """

    mode: str = setting("starter", "How the decks are chosen", choices=MODES)
    deck_0: str | tuple[int, ...] | None = setting(
        None,
        f"Deck of the first seat: {', '.join(STARTERS)}, or 30 type numbers separated by commas",
        offered=(None, *STARTERS),
    )
    deck_1: str | tuple[int, ...] | None = setting(None, "Deck of the second seat", offered=(None, *STARTERS))
    copies: int = setting(
        DECK_SIZE, f"Maximum number of copies of a card type in a constructed deck, 1 to {DECK_SIZE}"
    )

    small: str | None = setting(None, "Small game", choices=NAMES, offered=())

    players = seats = seats_to_play = SEATS

    def __post_init__(self) -> None:
        """Check all settings, and convert constructed decks to tuples in ascending order."""
        check_choices(self)
        check_integer("copies", self.copies, 1, DECK_SIZE)
        if self.small is not None:
            self._set_small()
            return
        for name in DECK_SETTINGS:
            object.__setattr__(self, name, self._checked_deck(name))

    def _set_small(self) -> None:
        """Set the mode and the decks of the small game; raise a ValueError for other decks."""
        decks = SMALL_GAMES[str(self.small)].decklists
        for name, deck in zip(DECK_SETTINGS, decks, strict=True):
            given = getattr(self, name)
            if given is not None and (isinstance(given, str) or tuple(given) != deck):
                raise ValueError(f"{name} must be None in a small game, got {quoted(given)}")
            object.__setattr__(self, name, deck)
        if self.mode not in ("starter", "constructed"):
            raise ValueError(f"a small game has mode='constructed', got {self.mode!r}")
        object.__setattr__(self, "mode", "constructed")

    def _checked_deck(self, name: str) -> Deck | None:
        deck = getattr(self, name)
        if self.mode == "constructed":
            return checked_list(name, deck, self.copies)
        if deck is None:
            return None
        if self.mode == "random" or (self.mode == "same" and name == "deck_1"):
            raise ValueError(f"{name} must be None with mode={self.mode!r}, got {quoted(deck)}")
        if deck not in STARTERS:
            raise ValueError(f"{name} must be one of {', '.join(STARTERS)}, got {quoted(deck)}")
        return str(deck)

    @property
    def deals(self) -> int | None:
        return SMALL_GAMES[self.small].deals if self.small else None

    @property
    def starters(self) -> tuple[int, int]:
        """For each seat, the index in `STARTERS` of the named starter deck; -1 for any other deck."""
        names = (self.deck_0, self.deck_0 if self.mode == "same" else self.deck_1)
        first, second = (STARTERS.index(name) if name in STARTERS else -1 for name in names)
        return first, second

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as JSON-serializable data, which the constructor accepts."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in super().as_dict().items()
        }

    @property
    def label(self) -> str:
        """The mode and the names of starter decks, such as ``"same-machines"``; other decks are left out."""
        if self.small:
            return self.small
        decks = [deck for deck in (self.deck_0, self.deck_1) if isinstance(deck, str)]
        return "-".join([self.mode, *decks])

    @classmethod
    def measured(cls) -> dict[str, Self]:
        return {"starter": cls(), "random": cls(mode="random")}

    @classmethod
    def of_state(cls, record: Any) -> "DuelConfig":
        """Return the settings stored in a `STATE` record."""
        if record["small"]:
            return DuelConfig(small=NAMES[int(record["small"]) - 1], copies=int(record["copies"]))
        mode, seats = MODES[int(record["mode"])], record["seats"]
        decks: list[Deck | None] = [None, None]
        for seat in range(SEATS):
            starter = int(seats[seat]["starter"])
            if mode == "constructed":
                decks[seat] = as_list(seats[seat]["decklist"])
            elif starter >= 0 and not (mode == "same" and seat == 1):
                decks[seat] = STARTERS[starter]
        return DuelConfig(mode=mode, deck_0=decks[0], deck_1=decks[1], copies=int(record["copies"]))


def checked_list(name: str, deck: object, copies: int) -> tuple[int, ...]:
    """Validate a deck list, and return it as a tuple in ascending order."""
    if isinstance(deck, str) and deck in STARTER_DECKS:
        deck = STARTER_DECKS[deck]
    cards = convert(deck, DeckList, name)
    utilities = sum(card >= NUM_FIELD_TYPES for card in cards)
    if utilities > MAX_UTILITIES:
        raise ValueError(f"{name} must have at most {MAX_UTILITIES} UTILITY cards, got {utilities}")
    for card in set(cards):
        if cards.count(card) > copies:
            raise ValueError(
                f"{name} must have at most {copies} copies of a type, got {cards.count(card)} of {card} "
                f"({CARDS[card].name})"
            )
    return tuple(sorted(cards))


def as_list(counts: Any) -> tuple[int, ...]:
    """Convert the number of cards of each type to a deck list in ascending order."""
    return tuple(np.repeat(np.arange(NUM_TYPES), counts).tolist())
