"""Who plays: the seats of people and bots in ``pocketmars play``."""

from collections.abc import Mapping, Sequence
from typing import Any

from pocketmars_agents.cli.game_options import config_for_one
from pocketmars_agents.game_parts import parts_of
from pocketmars_agents.play.saved_games import Seating
from pocketmars_agents.registry import make_agent
from pocketmars_env.core.game_spec import GameSpec


def seating_of(
    spec: GameSpec,
    settings: Mapping[str, Any],
    bots: Sequence[str] = (),
    humans: int = 1,
    seat: int = 0,
    practice: bool | None = None,
    hint: str | None = None,
) -> Seating:
    """The settings and seats of the game, from the options.

    Args:
        spec: the game.
        settings: its settings by name.
        bots: the names of the opponents.
        humans: the number of people.
        seat: the first person's seat.
        practice: whether actions can be taken back; None: if there is one person.
        hint: the bot that gives hints; None: the game's, if there is one person.

    Raises:
        ValueError: names the invalid option.

    """
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
    seat_names = spec.seat_names(config)
    order = [seat_names[(seat + i) % config.players] for i in range(config.players)]
    people, machines = order[:humans], sorted(order[humans:])
    if len(bots) > len(machines):
        raise ValueError(f"{len(bots)} bots do not fit beside {humans} at a table for {config.players}")
    named = list(bots) or [parts_of(spec).opponent]
    names = named + named[-1:] * (len(machines) - len(named)) if machines else []
    agents = {name: make_agent(bot) for name, bot in zip(machines, names, strict=True)}
    is_alone = humans == 1
    adviser = hint or (parts_of(spec).adviser if is_alone else "")
    return Seating(
        config,
        agents,
        tuple(people),
        is_alone if practice is None else practice,
        make_agent(adviser) if adviser else None,
    )
