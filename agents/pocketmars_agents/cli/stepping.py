"""Steps through a replay in a terminal."""

from collections.abc import Iterable

from rich.console import Console
from rich.live import Live

from pocketmars_agents.cli.scene import result_text, scene
from pocketmars_env.replays import Replay
from pocketmars_env.replays.moves import moves_of, seat_labels

KEYS: dict[str, tuple[str, ...]] = {
    "next": ("\x1b[C", "\x1bOC", "\xe0M", "\x00M", " ", "\r", "\n", "n", "l"),
    "back": ("\x1b[D", "\x1bOD", "\xe0K", "\x00K", "\x7f", "\x08", "b", "h"),
    "first": ("\x1b[H", "\x1bOH", "\x1b[1~", "\xe0G", "\x00G", "g"),
    "last": ("\x1b[F", "\x1bOF", "\x1b[4~", "\xe0O", "\x00O", "G"),
    "quit": ("q", "\x1b", "\x04"),
}
"""What a key sends, by what it does; terminals and Windows differ."""
HELP = "→ next · ← back · Home, End · q quits"


def step_through(replay: Replay, viewpoint: int | None, console: Console, keys: Iterable[str]) -> None:
    """Show a replay position by position, as the keys say, until they say quit or end.

    Args:
        replay: the game.
        viewpoint: whose cards are shown; None shows all.
        console: the terminal.
        keys: what the keys send that are pressed, see `pressed_keys`.

    """
    games, moves = list(replay.games()), list(moves_of(replay, viewpoint))
    place = 0
    with Live(console=console, screen=True, auto_refresh=False, vertical_overflow="crop") as live:

        def show() -> None:
            footer = f"{place} of {len(moves)} · {HELP}"
            live.update(scene(games[place], moves[:place], viewpoint, footer), refresh=True)

        show()
        for key in keys:
            does = meaning_of(key)
            if does == "quit":
                return
            steps = {"next": place + 1, "back": place - 1, "first": 0, "last": len(moves)}
            place = max(0, min(len(moves), steps.get(does, place)))
            show()


def meaning_of(key: str) -> str:
    """What a key does, or nothing."""
    return next((does for does, sent in KEYS.items() if key in sent), "")


def listing(replay: Replay, viewpoint: int | None) -> str:
    """The replay without a terminal: all moves, and the result."""
    labels = seat_labels(replay.config, replay.names)
    lines = [str(move) for move in moves_of(replay, viewpoint)]
    return "\n".join([*lines, result_text(replay.final(), labels)]) + "\n"
