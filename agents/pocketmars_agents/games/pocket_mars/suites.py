"""Suites: fixed lists of deals. A suite never changes; a new list gets a new name."""

import hashlib
import json
from dataclasses import dataclass

from pocketmars_env import Game
from pocketmars_env.core.settings import check_choice
from pocketmars_env.games.pocket_mars.config import LEVELS, GameConfig


@dataclass(frozen=True)
class Suite:
    """Deals of the solo game, the same for every bot, level and handicap.

    Deal `i` is a game with the game seed ``first_seed + i``, without the draft variant.
    """

    name: str  # in commands
    first_seed: int
    deals: int  # their number
    handicaps: tuple[int, ...]  # that ``pocketmars bench`` plays by default, ascending
    fingerprint: str  # the value of `fingerprint_of` when the suite was created, which a test checks

    def config(self, level: str, handicap: int = 0, da_agent: bool = False) -> GameConfig:
        """Return the settings of the suite's games at a level and handicap; see `GameConfig`."""
        return GameConfig(players=1, mode="solo", level=level, da_agent=da_agent, handicap=handicap)

    def seed(self, deal: int) -> int:
        """Return the game seed of a deal."""
        if not 0 <= deal < self.deals:
            raise ValueError(f"suite {self.name} has the deals 0..{self.deals - 1}, got {deal}")
        return self.first_seed + deal


def fingerprint_of(suite: Suite) -> str:
    """Return the SHA-256 hash, in hex, of the handicaps and of every deal's first position at every level.

    The positions are those with handicap 0, because a handicap changes only the score of Devious Automatics.
    """
    digest = hashlib.sha256(json.dumps(suite.handicaps).encode())
    for level in LEVELS:
        settings = suite.config(level).as_dict()
        for deal in range(suite.deals):
            game = Game(**settings, seed=suite.seed(deal))
            position = {"seed": suite.seed(deal), "settings": settings, "snapshot": game.snapshot()}
            digest.update(json.dumps(position, sort_keys=True).encode())
    return digest.hexdigest()


DA_2 = Suite(
    name="da-2",
    first_seed=0xDA2 << 32,
    deals=10_000,
    handicaps=(0, 3, 6, 9, 12),
    fingerprint="3ef0c1098eddfdfa614cfcf322933b5d087dc51b2e40f77f1fb41feabeef84a4",
)
"""The current suite. Its seeds are large, because people often choose small seeds for their own games."""

SUITES = {suite.name: suite for suite in (DA_2,)}


def suite_of(name: str) -> Suite:
    """Return the suite with this name."""
    check_choice("suite", name, SUITES)
    return SUITES[name]
