"""What a terminal shows of a game: the last moves, and the table."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from pocketmars_env.core.game import Game
from pocketmars_env.core.presentation import presentation_of, seat_view_of
from pocketmars_env.replays.moves import Move

MOVES_SHOWN = 3


def scene(
    game: Game,
    moves: Sequence[Move],
    viewpoint: int | None = None,
    footer: str = "",
    is_coloured: bool = True,
) -> RenderableType:
    """The screen at a position.

    Args:
        game: the position.
        moves: the answers that led to it; the last ones are shown.
        viewpoint: whose cards are shown; None shows all.
        footer: a line below the moves.
        is_coloured: whether the table has colours.

    """
    lines = [Text("")] * (MOVES_SHOWN - len(moves)) + [Text(str(move)) for move in moves[-MOVES_SHOWN:]]
    lines[-1].stylize("bold")
    table = presentation_of(game.spec).text(seat_view_of(game, viewpoint), is_coloured=is_coloured)
    shown = Text.from_ansi(table, no_wrap=True, overflow="crop")
    return Group(*lines, Text(footer, style="dim"), Text(""), shown)


def result_text(game: Game, labels: Sequence[str]) -> str:
    """The points of every seat, the winners marked.

    Args:
        game: the position.
        labels: what each seat is called.

    """
    winners = game.winners()
    parts = [
        f"{label} {score}{' wins' if seat in winners else ''}"
        for seat, (label, score) in enumerate(zip(labels, game.scores(), strict=True))
    ]
    return ("Game over: " if game.over else "The game was left here: ") + ", ".join(parts)
