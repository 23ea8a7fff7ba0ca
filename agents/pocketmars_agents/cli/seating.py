"""Settings and players of games for ``pocketmars play``, and the browser page's form for new games."""

import dataclasses
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pocketmars_agents.analysis import analyst_for
from pocketmars_agents.cli.game_options import Settings, config_for_one, for_any_number, numbers_or_text
from pocketmars_agents.cli.games import game_commands_of
from pocketmars_agents.play.new_games import BOT, Field, NewGames, Value
from pocketmars_agents.play.player_names import AUTOMATON_NAME
from pocketmars_agents.play.seats import Seating
from pocketmars_agents.registry import make_agent
from pocketmars_env.core.game_spec import Config, GameSpec
from pocketmars_env.core.presentation.presenting import presentation_of
from pocketmars_env.core.settings import metadata_of

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
        rivals = int(values[RIVALS])
        fitting = [field.name for field in fields if not (field.alone and rivals)]
        chosen = {name: numbers_or_text(values[name]) for name in fitting}
        bots = [str(values[BOT])] * rivals
        return seating_of(spec, {"players": rivals + 1 if rivals else None, **chosen}, bots)

    return NewGames((*opponents(spec), *fields), seating, guided_game(spec))


def guided_game(spec: GameSpec) -> Seating | None:
    """Return the settings and players of the guided game; None if the guide of `spec` has no lessons.

    After the lessons, the hints of the analysis guide the player to the end.
    """
    guide = presentation_of(spec).guide()
    bots = [guide.opponent] if guide.opponent else []
    if not guide.lessons:
        return None
    return dataclasses.replace(seating_of(spec, guide.settings, bots), hint=analyst_for(spec))


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
        Field(
            BOT,
            "Bot",
            "The bot that plays the other seats.",
            game_commands_of(spec).opponent,
            bots,
            alone=False,
        ),
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
            alone = True if field.metadata.get("is_for_one") else None
            form.append(Field(name, label, field.metadata.get("help", ""), default, choices, alone))
    return form


# --- without a server -------------------------------------------------------------------------------


def starts_of(spec: GameSpec) -> dict[str, Any]:
    """Return the games that a page without a server can start, as JSON-serializable data.

    Each of the ``starts`` has the values of the settings in ``names``, the name of the most similar
    configuration in ``configs``, and the fields of its record to change. ``labels`` has the label and the
    explanation of each setting, ``for_one`` the settings for one player only, and ``adviser`` is the bot that
    gives hints.
    """
    measured = spec.config.measured()
    blank = {name: spec.codec.blank(1, config)[0] for name, config in measured.items()}
    fields = dataclasses.fields(spec.config)
    names = [field.name for field in fields if "help" in field.metadata and is_offered(spec, field.name)]
    starts: dict[tuple[Any, ...], list[Any]] = {}
    for settings, config in offered_configs(spec):
        values = tuple(plain_value(config, name, settings) for name in names)
        changed = {name: changes(spec.codec.blank(1, config)[0], record) for name, record in blank.items()}
        if values not in starts:
            nearest = min(changed, key=lambda name: len(changed[name] or ()))
            starts[values] = [values, nearest, changed[nearest] or {}]
    default = spec.config()
    return {
        "names": names,
        "labels": {
            name: [name.replace("_", " ").capitalize(), metadata_of(spec.config, name).get("help", "")]
            for name in names
        },
        "default": [getattr(default, name) for name in names],
        "for_one": [name for name in names if metadata_of(spec.config, name).get("is_for_one")],
        "configs": {
            name: {"seats": config.seats, "players": config.seats_to_play}
            for name, config in measured.items()
        },
        "starts": list(starts.values()),
        "adviser": game_commands_of(spec).adviser,
    }


def is_offered(spec: GameSpec, name: str) -> bool:
    """Return whether forms offer a setting; see `setting`."""
    return metadata_of(spec.config, name).get("offered") != ()


def offered_configs(spec: GameSpec) -> Iterable[tuple[Settings, Config]]:
    """Yield all settings whose values forms offer and that fit together, and the configurations."""
    fields = {field.name: field for field in dataclasses.fields(spec.config)}
    names = [name for name in for_any_number(spec) if is_offered(spec, name)]
    offered = list[Sequence[Any]]()
    for name in names:
        data, default = metadata_of(spec.config, name), fields[name].default
        values = data.get("choices") or data.get("offered") or (default,)
        offered.append((False, True) if isinstance(default, bool) else values)
    counts = (1, *spec.player_counts()) if "players" in names else (None,)
    for values in itertools.product(*offered):
        settings = {name: value for name, value in zip(names, values, strict=True) if name != "players"}
        for players in counts:
            try:
                alone = config_for_one(spec, settings) if players == 1 else None
                number = {} if players is None else spec.player_settings(players)
                yield settings, alone or spec.config(**number, **settings)
            except ValueError:  # these values do not fit together
                continue


def plain_value(config: Config, name: str, settings: Settings) -> Any:
    """Return the value of a setting in a configuration; a deck that was given by its name is this name."""
    value = getattr(config, name)
    return settings[name] if isinstance(value, tuple) else value


def changes(record: Any, other: Any) -> Any:
    """Return the fields and entries in which a record differs from another; None if there are none."""
    if record.tobytes() == other.tobytes():
        return None
    keys = range(len(record)) if record.shape else record.dtype.names
    if not keys:
        return record.item()
    found = {key: changes(record[key], other[key]) for key in keys}
    return {key: change for key, change in found.items() if change is not None}
