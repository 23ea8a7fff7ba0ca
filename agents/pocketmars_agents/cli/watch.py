"""The command ``pocketmars watch``, which shows bots playing in the terminal."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from pocketmars_agents.arena.arena import line_up_of
from pocketmars_agents.arena.match_replays import names_of, replay_of
from pocketmars_agents.arena.match_table import MatchTable
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.text_table import plain_console
from pocketmars_agents.cli.command_options import Bots, errors_of
from pocketmars_agents.cli.game_options import Settings, config_for_one
from pocketmars_agents.cli.keys import terminal_keys
from pocketmars_agents.cli.pace import Pace
from pocketmars_agents.cli.replay import result_text, writing
from pocketmars_agents.registry import checked_name
from pocketmars_env.core.errors import one_line
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.presentation.presenting import presentation_of, seat_view_of
from pocketmars_env.core.seeds import check_seed
from pocketmars_env.replays.moves import Move, move_between, seat_labels

DEFAULT_SPEED = 1.0
LINES_SHOWN = 5
"""The number of lines that show the last moves, above the position."""


def watch_command(
    spec: GameSpec,
    bots: Bots,
    settings: Settings,
    seed: Annotated[int | None, typer.Option(help="Seed of the game.", show_default="random")] = None,
    seat: Annotated[
        int | None, typer.Option(help="Show what this seat knows.", show_default="all cards")
    ] = None,
    speed: Annotated[
        float, typer.Option(help="Moves per second; 0 shows them without waiting.")
    ] = DEFAULT_SPEED,
    step: Annotated[
        bool, typer.Option("--step", help="Begin paused: wait for a key after each move.")
    ] = False,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Save the game as this replay.")] = None,
) -> None:
    """Watch bots play a game in the terminal.

    In Pocket Mars, a single bot plays against Devious Automatics. Space pauses and continues, Enter or →
    shows one move, and q quits. If the output is not a terminal, the moves are printed instead.

    Example: `pocketmars watch planner greedy --seed 1 --save game.json`
    """
    with errors_of("watch", None):
        if not 0 <= speed <= 1000:
            raise ValueError(f"speed must be between 0 and 1000, got {speed:g}")
        number = check_seed(seed)
        players = settings.pop("players", None)
        config = config_for_one(spec, settings) if len(bots) == 1 and players is None else None
        if config is not None:
            match = Match((checked_name(bots[0], spec),), config, number)
        else:
            config = spec.config(**spec.player_settings(players or max(2, len(bots))), **settings)
            match = Match(line_up_of(bots, config), config, number)
        if seat is not None and not 0 <= seat < config.seats:
            raise ValueError(f"the seat must be in 0..{config.seats - 1}, got {seat}")
        if save is not None and save.exists():
            raise ValueError(f"{save} exists; choose another file for --save")
        presentation_of(spec).prepare()
        batch, console = MatchTable([match]), plain_console()
        labels = seat_labels(config, names_of(match))
        try:
            if console.is_terminal:
                with terminal_keys() as keys:
                    show(batch, labels, seat, console, Pace(1 / speed if speed else 0.0, step, keys))
            else:
                print_moves(batch, labels, seat)
        finally:  # also after Ctrl-C
            if save is not None:
                with writing(save):
                    replay_of(batch.results()[0]).save(save)


Positions = Iterator[tuple[Game, list[Move]]]


def positions(batch: MatchTable, labels: Sequence[str], seat: int | None) -> Positions:
    """Play the only game of a batch, and yield each position with the list of all earlier moves.

    The texts of the moves name only cards that `seat` knows, or all cards if `seat` is None.
    """
    match = batch.matches[0]
    game = Game(batch.games.spec, **match.config.as_dict(), seed=match.seed)
    moves = list[Move]()
    yield game, moves
    while batch.step():
        for action in batch.actions()[0][len(moves) :]:
            before = game.clone()
            game.step(action)
            moves.append(move_between(before, game, labels, seat))
            yield game, moves


def show(batch: MatchTable, labels: Sequence[str], seat: int | None, console: Console, pace: Pace) -> None:
    """Show the game until it ends or the user quits, then print the last screen and the result."""
    name = f"seed {batch.matches[0].seed}"
    with Live(console=console, screen=True, auto_refresh=False, vertical_overflow="crop") as live:
        for game, moves in positions(batch, labels, seat):

            def draw(game: Game = game, moves: Sequence[Move] = moves) -> None:
                live.update(scene(game, moves, seat, f"{name} · {pace.help}"), refresh=True)

            draw()
            if not pace.wait(draw):
                break
    console.print(scene(game, moves, seat), soft_wrap=True)
    console.print(ending(batch, game, labels, seat), soft_wrap=True, highlight=False)


def scene(game: Game, moves: Sequence[Move], seat: int | None, footer: str = "") -> RenderableType:
    """Return the screen: the last moves, the footer, and the position as `seat` sees it (None: all cards)."""
    texts = "\n".join(map(str, moves[-LINES_SHOWN:])).splitlines()[-LINES_SHOWN:]
    texts = [""] * (LINES_SHOWN - len(texts)) + texts  # keeps the position at the same height
    lines = [Text(line, no_wrap=True, overflow="ellipsis") for line in texts]
    lines[-1].stylize("bold")
    table = presentation_of(game.spec).text(seat_view_of(game, seat), is_coloured=True)
    table_text = Text.from_ansi(table, no_wrap=True, overflow="crop")
    return Group(*lines, Text(footer, style="dim"), Text(""), table_text)


def print_moves(batch: MatchTable, labels: Sequence[str], seat: int | None) -> None:
    """Play the game, then print its moves and its result."""
    *_, (game, moves) = positions(batch, labels, seat)
    for move in moves:
        typer.echo(str(move))
    typer.echo(ending(batch, game, labels, seat))


def ending(batch: MatchTable, game: Game, labels: Sequence[str], seat: int | None) -> str:
    """Return, as text, the result, the seed, and a line for each bot that failed.

    The reason for a failure is included only if `seat` is None, because it can name hidden cards.
    """
    lines = [result_text(game, labels), f"seed {batch.matches[0].seed}"]
    for failure in batch.failures.values():
        reason = f": {one_line(failure.reason)}" if seat is None else ""
        lines.append(f"{labels[failure.seat]} failed{reason}")
    return "\n".join(lines)
