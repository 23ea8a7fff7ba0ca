"""The ids of the environments."""

from pocketmars_env.games.pocket_mars.spec import SOLO, SPEC, TABLE

SOLO_ID = SPEC.id_of(SOLO.name)
"""For `gymnasium.make` and `gymnasium.make_vec`: alone against the DA."""
TABLE_ID = SPEC.id_of(TABLE.name)
"""The same: one seat among opponents."""
AEC_ID = SPEC.id_of(SPEC.namespace)
"""For `pettingzoo.make`, with PettingZoo 1.27 or later."""
