"""The environment ids."""

from pocketmars_env.games.pocket_mars.spec import SOLO, SPEC, TABLE

SOLO_ID = SPEC.id_of(SOLO.name)
"""For `gymnasium.make` and `gymnasium.make_vec`: the solo game against the DA."""
TABLE_ID = SPEC.id_of(TABLE.name)
"""For `gymnasium.make` and `gymnasium.make_vec`: one seat, with opponents in the others."""
AEC_ID = SPEC.id_of(SPEC.namespace)
"""For `pettingzoo.make`, with PettingZoo 1.27 or later."""
