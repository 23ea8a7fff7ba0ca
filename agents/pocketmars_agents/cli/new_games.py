"""The settings of new games on the page of ``pocketmars play --web``."""

import dataclasses
from collections.abc import Mapping

from pocketmars_agents.cli.game_options import config_for_one, for_any_number, numbers_or_text
from pocketmars_agents.cli.seating import seating_of
from pocketmars_agents.game_parts import parts_of
from pocketmars_agents.play.new_games import Field, NewGames, Value
from pocketmars_agents.play.player_names import AUTOMATON_NAME
from pocketmars_agents.play.saved_games import Seating
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.presentation.interface import presentation_of

RIVALS, BOT = "rivals", "bot"
"""The fields that are not settings of the game."""
BOTS = ("random", "greedy", "planner")
MOST_RIVALS = 8


def new_games(spec: GameSpec, settings: Mapping[str, Value | None]) -> NewGames:
    """The games that a person may start from the page; `settings` are those of the command."""
    own = own_fields(spec, settings)

    def seating(values: Mapping[str, Value]) -> Seating:
        chosen = {field.name: numbers_or_text(values[field.name]) for field in own}
        rivals = int(values[RIVALS])
        bots = [str(values[BOT])] * rivals
        return seating_of(spec, {"players": rivals + 1 if rivals else None, **chosen}, bots)

    return NewGames((*opponents(spec), *own), seating, guided_game(spec))


def guided_game(spec: GameSpec) -> Seating | None:
    """The settings and seats of the guided game; None if the game has none."""
    guide = presentation_of(spec).guide()
    bots = [guide.opponent] if guide.opponent else []
    return seating_of(spec, guide.settings, bots) if guide.lessons else None


def opponents(spec: GameSpec) -> list[Field]:
    """The fields for the number of opponents and for their bot."""
    one = config_for_one(spec, {})
    alone = [] if one is None else [(AUTOMATON_NAME if one.seats > 1 else "none", 0)]
    counts = [(f"{n} bot" if n == 1 else f"{n} bots", n) for n in rival_counts(spec)]
    choices = (*alone, *counts)
    names = tuple(dict.fromkeys([*BOTS, parts_of(spec).opponent]))
    bots = tuple((name, name) for name in names)
    return [
        Field(RIVALS, "Opponents", "Who plays against you.", choices[0][1], choices),
        Field(BOT, "Bot", "The player in the other seats.", parts_of(spec).opponent, bots),
    ]


def rival_counts(spec: GameSpec) -> list[int]:
    """The numbers of opponents in games of several players."""
    found = []
    for count in range(1, MOST_RIVALS):
        try:
            config = spec.config(**spec.player_settings(count + 1))
        except ValueError:
            continue
        if config.players == count + 1:
            found.append(count)
    return found


def own_fields(spec: GameSpec, settings: Mapping[str, Value | None]) -> list[Field]:
    """The fields for the game's own settings; those without a default keep it."""
    fields = {one.name: one for one in dataclasses.fields(spec.config)}
    found = []
    for name in for_any_number(spec):
        one, given = fields[name], settings.get(name)
        default = one.default if given is None else given
        choices = tuple((choice.replace("_", " "), choice) for choice in one.metadata.get("choices", ()))
        if isinstance(default, Value) and name != "players":
            label = name.replace("_", " ").capitalize()
            found.append(Field(name, label, one.metadata.get("help", ""), default, choices))
    return found
