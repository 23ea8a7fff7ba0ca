"""Exceptions that games and environments raise."""

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pocketmars_env.core.game import Game


class IllegalAction(ValueError):
    """Raised for an illegal action; the game is unchanged. In a finished game, every action is illegal."""

    @classmethod
    def of(cls, game: "Game", action: object) -> Self:
        """Create the exception for an illegal action in a game.

        The message names the decision, the seat and the legal actions, or says that the game is over.
        """
        if game.over:
            return cls(f"the game is over: no action is accepted, got {action!r}")
        return cls(
            f"action {action!r} is illegal in {game.decision} of seat {game.to_play}; "
            f"accepted: {game.spec.names_of(game.legal())}"
        )


def error_text(error: BaseException) -> str:
    """Return the message of an exception from third-party code; empty if the message cannot be created."""
    try:
        return str(error)
    except Exception:  # third-party code may raise anything
        return ""


class NoDevice(RuntimeError):
    """Raised if this machine cannot run games on a GPU; the message names what is missing."""
