"""The commands ``pocketmars submit``, ``verify`` and ``ladder``."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from pocketmars_agents.arena.text_table import percent, show
from pocketmars_agents.cli.command_options import errors_of, with_bar
from pocketmars_agents.game_bots import policy_file
from pocketmars_agents.ladder import verify as verification
from pocketmars_agents.ladder.bundle import POLICY, PROGRAM, Card, read_bundle, write_bundle
from pocketmars_agents.ladder.page import tables
from pocketmars_agents.ladder.ranking import ranking
from pocketmars_agents.ladder.rows import (
    FOLDER,
    GAMES,
    Row,
    add_row,
    all_divisions,
    division_named,
    read_rows,
)
from pocketmars_agents.line_protocol.exec_agent import KIND, words_of
from pocketmars_agents.registry import POLICY_SUFFIX, checked_name
from pocketmars_env.core import gate
from pocketmars_env.core.errors import quoted

Folder = Annotated[Path, typer.Option(help="The folder with the results of the ladder.")]


def submit(
    bot: Annotated[str, typer.Argument(help='A policy, such as policy.onnx, or "exec:COMMAND".')],
    name: Annotated[str, typer.Option(help="The name of the entry: small letters, digits and hyphens.")],
    author: Annotated[str, typer.Option(help="Who made the bot.")],
    license: Annotated[str, typer.Option(help="The license of the bundle.")],
    description: Annotated[str, typer.Option(help="How the bot was made, in one line.")],
    division: Annotated[str, typer.Option(help=f"One of: {', '.join(all_divisions())}.")],
    program: Annotated[
        Path | None,
        typer.Option(help="The folder of the program, in which COMMAND is run; hidden files are left out."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The bundle.", show_default="NAME.zip in the current folder")
    ] = None,
) -> None:
    """Make a bundle, with which a bot can enter the ladder.

    Example: `pocketmars submit a.onnx --name ppo --author Me --license MIT --description PPO --division solo`
    """
    with errors_of("submit", None):
        spec = division_named(division).spec
        path = out or Path(f"{name}.zip")
        command = tuple(words_of(bot)) if bot.startswith(f"{KIND}:") else ()
        fields = {"name": name, "author": author, "license": license, "description": description}
        card = gate.convert({**fields, "division": division, "command": command}, Card, "the card")
        files = program_files(program) if command else {POLICY: submitted_policy(bot)}
        if not command:
            checked_name(bot, spec)
        bundle = write_bundle(path, card, files)
        typer.echo(f"{path}: {bundle.digest}\nTry it: {shlex.join(['pocketmars', 'verify', str(path)])}")


def program_files(folder: Path | None) -> dict[str, Path]:
    """Return the files of a program, without hidden ones, by their names in the bundle."""
    if folder is None or not folder.is_dir():
        raise ValueError("a program needs --program with its folder")
    names = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    return {
        f"{PROGRAM}/{name.as_posix()}": path
        for name, path in names.items()
        if not any(part.startswith((".", "__pycache__")) for part in name.parts)
    }


def submitted_policy(bot: str) -> Path:
    """Return the file of a policy, given as a path or as the name of a shipped policy."""
    path = Path(policy_file(bot))
    if path.suffix == POLICY_SUFFIX and not path.is_file():
        raise ValueError(f"there is no file {quoted(bot)}")
    if path.suffix != POLICY_SUFFIX:
        raise ValueError(f"submit a policy ({POLICY_SUFFIX}) or a program (exec:COMMAND), got {quoted(bot)}")
    return path


def verify(
    bundle: Annotated[Path, typer.Argument(help="The bundle.")],
    folder: Folder = FOLDER,
    write: Annotated[bool, typer.Option("--write", help="Add the results to the ladder.")] = False,
    games: Annotated[
        int, typer.Option(min=1, max=GAMES, help="Maximum number of games against each opponent.")
    ] = GAMES,
    again: Annotated[
        bool, typer.Option("--again", help="Play the games of an entry again, and compare the results.")
    ] = False,
) -> None:
    """Play a bundle in a sandbox, on secret deals drawn now.

    The bot has no network, sees only its own folder and the decisions of its seat, and has limits on time
    and memory. A bundle is refused if it breaks a limit, or if it plays the same game in different ways.

    Example: `pocketmars verify my-bot.zip --games 20`
    """
    with errors_of("verify", None):
        content = read_bundle(bundle)
        division = division_named(content.card.division)
        if again:
            pieces = verification.again(content, folder)
        else:
            pieces = verification.verify(content, folder, games)
        for piece in with_bar(pieces, len(division.opponents) + 1):
            if isinstance(piece, Row):
                if write:
                    add_row(folder, division, piece)
                outcome = "as in the ladder" if again else "added" if write else "not added (no --write)"
                typer.echo(f"{piece.name}: {outcome}")
            else:
                rate = percent(piece.wins / piece.games, piece.interval)
                typer.echo(f"{piece.opponent}: {rate} of {piece.games:,} games")


def ladder(
    division: Annotated[str, typer.Option(help=f"Only one of: {', '.join(all_divisions())}.")] = "",
    folder: Folder = FOLDER,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the tables as Markdown.")] = False,
) -> None:
    """Print the ladder: ratings and cross-play results.

    Example: `pocketmars ladder --division solo`
    """
    with errors_of("ladder", None):
        if not folder.is_dir():
            raise ValueError(f"{folder} is not a folder")
        for one in [division_named(division)] if division else all_divisions().values():
            rows = [row for row in read_rows(folder, one) if row.cells]
            typer.echo(f"{'## ' if markdown else ''}{one.title}\n")
            for table in tables(one, rows, ranking(one, rows)) if rows else ():
                show(table, markdown)
                typer.echo()
