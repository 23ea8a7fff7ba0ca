"""The ids of the Pocket Mars environments."""

from pocketmars_env.games.pocket_mars.spec import SOLO, SPEC, TABLE

SOLO_ID = SPEC.id_of(SOLO.name)
"""Gymnasium id of the solo game against Devious Automatics."""
TABLE_ID = SPEC.id_of(TABLE.name)
"""Gymnasium id of the environment in which the learner plays one seat and opponents play the others."""
