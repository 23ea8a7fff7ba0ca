"""The settings of a game and their accepted values."""

from dataclasses import dataclass
from typing import Any, Self

from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game_spec import Config
from pocketmars_env.core.settings import check_choices, check_integer, setting
from pocketmars_env.games.pocket_mars.rules.constants import (
    DA_SEAT,
    MAX_HANDICAP,
    MAX_ROUND_LIMIT,
    MAX_SEATS,
    ROUND_LIMIT_MULTI,
    ROUND_LIMIT_SOLO,
    Edition,
    Level,
)
from pocketmars_env.games.pocket_mars.small import FULL_GAME, NAMES, SMALL_GAMES, SmallGame

TITLE = "Pocket Mars"
MODES = ("multi", "solo")
LEVELS = tuple(level.name.lower() for level in Level)
EDITIONS = tuple(edition.name.lower() for edition in Edition)
DECISIONS_IN_SETUP = 30
"""Upper bound on the decisions in the setup; with 4 players, 4 drafted and 2 prep cards each give 24."""

DECISIONS_IN_TURN = 100
"""Upper bound on the decisions in one turn; a generous estimate gives 66.

- A turn has at most two main actions, because only one card gives an extra action. Each main action can
  require the 5 decisions TURN, DISCARD_DA, SETTLE, BOTTOM and ABILITY: 10 decisions for both. Each main
  action also runs at most three programs (the card's top, its bottom and the Building's ability), with at
  most 3 decisions each, not counting DRAW: 18 decisions for both.
- At the beginning of a turn, no seat has more than 4 cards in hand and prep module together. Each of the
  turn's six programs gives at most 2 cards, all to one seat, so the seats discard at most 12 cards under the
  4-card rule: 12 decisions. Each of 4 seats then fills at most 2 slots: 8 decisions.
- In the solo game, the player may have to choose each drawn card (DRAW): 12 cards drawn by programs and 4
  cards drawn under the 4-card rule, 16 decisions. The DA's agent moves up to two colonists (Greenhouse)
  or settles one: 2 decisions.

In random games, the longest turn had 16 decisions.
"""


@dataclass(frozen=True)
class GameConfig(Config):
    """The settings of a game.

    Attributes:
        players: the number of players, 2 to 4; in the solo game it is 1, and the default 2 becomes 1.
        mode: ``"multi"`` for 2 to 4 players, or ``"solo"`` for one player against Devious Automatics (DA).
        level: the level of the DA in the solo game: ``"standard"``, ``"super_droid"`` or ``"cyborg"``; None
            selects ``"standard"``. In games of 2 to 4 players, ``"standard"`` becomes None.
        draft: whether the cards are drafted (rulebook, "Variant: Drafting Project cards").
        edition: the rulebook edition whose tie-breaks apply, ``"grey_fox"`` or ``"board_and_dice"`` (ruling
            R-TIE).
        da_agent: whether an agent in seat 1 makes the DA's choices (solo game only).
        round_limit: the round after which an unfinished game is truncated, 1..10000; None selects 200, or 60
            in the solo game.
        handicap: points added to the DA's score, 0..20 (solo game only).
        small: the name of a small game for two players, one of `SMALL_GAMES`, or None for the full game;
            the small game also sets the default of `round_limit`.

    """

    players: int = setting(2, "2, 3 or 4")
    mode: str = setting("multi", "Game mode", choices=MODES, is_for_one=True)
    level: str | None = setting(
        "standard", "Level of Devious Automatics (solo)", choices=LEVELS, is_for_one=True
    )
    draft: bool = setting(False, "Draft the cards")
    edition: str = setting("grey_fox", "Edition whose tie-breaks apply", choices=EDITIONS)
    da_agent: bool = False
    round_limit: int | None = None
    handicap: int = setting(
        0,
        f"Points added to Devious Automatics' score, 0 to {MAX_HANDICAP}",
        is_for_one=True,
        offered=range(MAX_HANDICAP + 1),
    )
    small: str | None = setting(None, "Small game", choices=NAMES, offered=())

    def __post_init__(self) -> None:
        """Check every setting, and set `players`, `level` and `round_limit` for the mode."""
        check_choices(self)
        is_solo = self.mode == "solo"
        self._check_players(is_solo)
        if self.da_agent and not is_solo:
            raise ValueError("da_agent is for mode='solo': there is no DA in a game of 2 to 4 players")
        if not is_solo and self.level not in (None, "standard"):  # the default, which becomes None
            raise ValueError("level is for mode='solo': there is no DA in a game of 2 to 4 players")
        self._check_handicap(is_solo)
        if self.small and (is_solo or self.players != 2 or self.draft):
            raise ValueError("a small game is for players=2 without a draft")
        limit = ROUND_LIMIT_SOLO if is_solo else ROUND_LIMIT_MULTI
        if self.small:
            limit = SMALL_GAMES[self.small].rounds
        if self.round_limit is not None:
            limit = self.round_limit
        check_integer("round_limit", limit, 1, MAX_ROUND_LIMIT)
        settled = {
            "players": 1 if is_solo else self.players,
            "level": (self.level or "standard") if is_solo else None,
            "round_limit": limit,
        }
        for name, value in settled.items():
            object.__setattr__(self, name, value)

    def _check_players(self, is_solo: bool) -> None:
        players = self.players
        if type(players) is not int:
            raise ValueError(f"players must be an integer, got {quoted(players)}")
        if is_solo and players not in (1, 2):  # 2 is the default, which becomes 1
            raise ValueError(f"players must be 1 in the solo game, or left out; got {quoted(players)}")
        if not is_solo and not 2 <= players <= MAX_SEATS:
            raise ValueError(
                f"players must be 2, 3 or 4 (or mode='solo' for one player), got {quoted(players)}"
            )

    def _check_handicap(self, is_solo: bool) -> None:
        check_integer("handicap", self.handicap, 0, MAX_HANDICAP)
        if self.handicap and not is_solo:
            raise ValueError("handicap is for mode='solo': it is added to the DA's score")

    @property
    def is_solo(self) -> bool:
        return self.mode == "solo"

    @property
    def seats(self) -> int:
        """The number of seats, including the DA's."""
        return 2 if self.is_solo else self.players

    @property
    def seats_to_play(self) -> int:
        """The number of seats that make decisions; the DA's seat counts only if an agent plays it."""
        return self.players + self.da_agent

    def fields(self) -> dict[str, int]:
        """Return the settings as fields of a `STATE` record."""
        return {
            "players": self.players,
            "solo": int(self.is_solo),
            "level": LEVELS.index(self.level) if self.level else 0,
            "edition": EDITIONS.index(self.edition),
            "draft": int(self.draft),
            "da_agent": int(self.da_agent),
            "handicap": self.handicap,
            "round_limit": self.round_limit or 0,
            "small": 1 + NAMES.index(self.small) if self.small else 0,
        }

    @property
    def small_game(self) -> SmallGame:
        """The numbers of cards, colonists and deals; those of the full game if `small` is None."""
        return SMALL_GAMES[self.small] if self.small else FULL_GAME

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The names of all seats, including the seat of Devious Automatics (DA)."""
        return tuple(seat_name(self.mode, seat) for seat in range(self.seats))

    @property
    def label(self) -> str:
        """A short label, such as "solo-cyborg-handicap-6" or "3-players-draft"."""
        kind = f"solo-{self.level}" if self.is_solo else f"{self.players}-players"
        handicap = f"-handicap-{self.handicap}" if self.handicap else ""
        small = f"-{self.small}" if self.small else ""
        return f"{kind}{handicap}{'-draft' if self.draft else ''}{small}"

    @property
    def deals(self) -> int | None:
        return self.small_game.deals if self.small else None

    @property
    def largest_count(self) -> int:
        """The largest count in observations above 255, the round number."""
        return self.round_limit or MAX_ROUND_LIMIT

    @property
    def most_decisions(self) -> int:
        """An upper bound on the number of decisions in a game, summed over all seats."""
        rounds = self.round_limit or MAX_ROUND_LIMIT
        return DECISIONS_IN_SETUP + rounds * self.players * DECISIONS_IN_TURN

    @classmethod
    def measured(cls) -> dict[str, Self]:
        return {"2p": cls(2), "3p": cls(3), "4p": cls(4), "solo": cls(mode="solo")}

    @classmethod
    def of_state(cls, record: Any) -> "GameConfig":
        """Return the settings stored in a `STATE` record."""
        is_solo = bool(record["solo"])
        return GameConfig(
            players=int(record["players"]),
            mode="solo" if is_solo else "multi",
            level=LEVELS[int(record["level"])] if is_solo else None,
            draft=bool(record["draft"]),
            edition=EDITIONS[int(record["edition"])],
            da_agent=bool(record["da_agent"]),
            handicap=int(record["handicap"]),
            round_limit=int(record["round_limit"]),
            small=NAMES[record["small"] - 1] if record["small"] else None,
        )


def seat_name(mode: str, number: int) -> str:
    """Return the agent name of a seat, such as ``player_0``; ``da_0`` for Devious Automatics."""
    return "da_0" if mode == "solo" and number == DA_SEAT else f"player_{number}"


MAX_EPISODE_STEPS = GameConfig(players=MAX_SEATS, round_limit=MAX_ROUND_LIMIT).most_decisions
"""An upper bound on the number of steps in an episode, for all settings."""
