"""Fixed lists of deals, which never change: another list gets another name."""

import hashlib
import json
from dataclasses import dataclass

from pocketmars_env import Game
from pocketmars_env.engine.config import LEVELS, GameConfig


@dataclass(frozen=True)
class Suite:
    """Deals of the solo game, the same for every bot and at every level.

    Deal `i` is the game with the engine seed ``first_seed + i``, without draft.

    Attributes:
        name: under which results are kept.
        first_seed: the engine seed of deal 0.
        deals: how many there are.
        fingerprint: `fingerprint_of` when the suite was made; a test compares them.

    """

    name: str
    first_seed: int
    deals: int
    fingerprint: str

    def config(self, level: str, da_agent: bool = False) -> GameConfig:
        """The settings of the suite's games at a level."""
        return GameConfig(players=1, mode="solo", level=level, da_agent=da_agent)

    def seed(self, deal: int) -> int:
        """The engine seed of a deal.

        Raises:
            ValueError: if the suite has no such deal.

        """
        if not 0 <= deal < self.deals:
            raise ValueError(f"suite {self.name} has the deals 0..{self.deals - 1}, got {deal}")
        return self.first_seed + deal


def fingerprint_of(suite: Suite) -> str:
    """A hash over the first positions, and the seeds, of all deals at all levels (SHA-256, in hex)."""
    digest = hashlib.sha256()
    for level in LEVELS:
        settings = suite.config(level).as_dict()
        for deal in range(suite.deals):
            game = Game(**settings, seed=suite.seed(deal))
            position = {"seed": suite.seed(deal), "settings": settings, "snapshot": game.snapshot()}
            digest.update(json.dumps(position, sort_keys=True).encode())
    return digest.hexdigest()


DA_1 = Suite(
    name="da-1",
    first_seed=0xDA1 << 32,
    deals=10_000,
    fingerprint="89c4c1c2516732e60e0ed412ef75ef24a7ccfdcc33cb316fb3e6c78e052200a6",
)
"""Far away from the small seeds that are used in training."""

SUITES = {suite.name: suite for suite in (DA_1,)}

FIRST_ARENA_SEED = 0xA7E4A << 32
"""Deal `i` of the arena, which needs no end, has this engine seed + i."""
MAX_ARENA_DEAL = 2**32 - 1


def suite_of(name: str) -> Suite:
    """The suite of a name.

    Raises:
        ValueError: names what is accepted.

    """
    if name not in SUITES:
        raise ValueError(f"unknown suite {name!r}; accepted: {', '.join(SUITES)}")
    return SUITES[name]
