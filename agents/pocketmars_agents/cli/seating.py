"""Settings and players of games for ``pocketmars play``, and the browser page's form for new games."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from pocketmars_agents.cli.game_options import config_for_one, for_any_number, numbers_or_text
from pocketmars_agents.cli.games import game_commands_of
from pocketmars_agents.play.new_games import BOT, Field, NewGames, Value
from pocketmars_agents.play.player_names import AUTOMATON_NAME
from pocketmars_agents.play.seats import Seating
from pocketmars_agents.registry import make_agent
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.presentation.presenting import presentation_of

RIVALS = "rivals"
"""The name of the form field with the number of opponents."""
BOTS = ("random", "greedy", "planner")


def seating_of(
    spec: GameSpec,
    settings: Mapping[str, Any],
    bots: Sequence[str] = (),
    humans: int = 1,
    seat: int = 0,
    practice: bool | None = None,
    hint: str | None = None,
) -> Seating:
    """Return the settings and players of a game, given the options of ``pocketmars play``."""
    if humans < 1:
        raise ValueError(f"humans must be 1 or more, got {humans}")
    players = settings.get("players")
    others = {name: value for name, value in settings.items() if name != "players"}
    config: Any = config_for_one(spec, others) if not bots and players is None and humans == 1 else None
    if config is None:
        config = spec.config(**spec.player_settings(players or max(2, len(bots) + humans)), **others)
    if humans > config.players:
        raise ValueError(f"{humans} people do not fit at a table for {config.players}")
    if not 0 <= seat < config.players:
        raise ValueError(f"seat must be in 0..{config.players - 1}, got {seat}")
    seat_names = config.seat_names
    order = [seat_names[(seat + i) % config.players] for i in range(config.players)]
    people, machines = order[:humans], sorted(order[humans:])
    if len(bots) > len(machines):
        raise ValueError(
            f"{len(bots)} bots do not fit at a table for {config.players} with --humans {humans}"
        )
    named = list(bots) or [game_commands_of(spec).opponent]
    names = named + named[-1:] * (len(machines) - len(named)) if machines else []
    agents = {name: make_agent(bot) for name, bot in zip(machines, names, strict=True)}
    is_alone = humans == 1
    adviser = hint or (game_commands_of(spec).adviser if is_alone else "")
    return Seating(
        config,
        agents,
        tuple(people),
        is_alone if practice is None else practice,
        make_agent(adviser) if adviser else None,
    )


def new_games(spec: GameSpec, settings: Mapping[str, Value | None]) -> NewGames:
    """Return the `NewGames` object for the browser page, from which a person may start new games."""
    fields = own_fields(spec, settings)

    def seating(values: Mapping[str, Any]) -> Seating:
        chosen = {field.name: numbers_or_text(values[field.name]) for field in fields}
        rivals = int(values[RIVALS])
        bots = [str(values[BOT])] * rivals
        return seating_of(spec, {"players": rivals + 1 if rivals else None, **chosen}, bots)

    return NewGames((*opponents(spec), *fields), seating, guided_game(spec))


def guided_game(spec: GameSpec) -> Seating | None:
    """Return the settings and players of the guided game; None if the guide of `spec` has no lessons."""
    guide = presentation_of(spec).guide()
    bots = [guide.opponent] if guide.opponent else []
    return seating_of(spec, guide.settings, bots) if guide.lessons else None


def opponents(spec: GameSpec) -> list[Field]:
    """Return two form fields: the number of opponents, and the bot that plays all of them."""
    config = config_for_one(spec, {})
    alone = [] if config is None else [(AUTOMATON_NAME if config.seats > 1 else "none", 0)]
    rivals = [players - 1 for players in spec.player_counts() if players > 1]
    counts = [(f"{n} bot" if n == 1 else f"{n} bots", n) for n in rivals]
    choices = (*alone, *counts)
    names = tuple(dict.fromkeys([*BOTS, game_commands_of(spec).opponent]))
    bots = tuple((name, name) for name in names)
    return [
        Field(RIVALS, "Opponents", "Who plays against you.", choices[0][1], choices),
        Field(BOT, "Bot", "The bot that plays the other seats.", game_commands_of(spec).opponent, bots),
    ]


def own_fields(spec: GameSpec, settings: Mapping[str, Value | None]) -> list[Field]:
    """Return the form fields for the settings selected by `for_any_number`, except ``players``.

    The default value of a field is the value in `settings` or, if there is none, the default of the setting.
    A setting has no field if this default value is not a string, an integer or a boolean.
    """
    fields = {field.name: field for field in dataclasses.fields(spec.config)}
    form = []
    for name in for_any_number(spec):
        field, value = fields[name], settings.get(name)
        default = field.default if value is None else value
        choices = tuple((choice.replace("_", " "), choice) for choice in field.metadata.get("choices", ()))
        if isinstance(default, Value) and name != "players":
            label = name.replace("_", " ").capitalize()
            form.append(Field(name, label, field.metadata.get("help", ""), default, choices))
    return form
