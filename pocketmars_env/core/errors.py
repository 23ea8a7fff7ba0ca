"""Errors that games raise."""

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pocketmars_env.core.game import Game


class IllegalAction(ValueError):
    """Raised for an action that is illegal at the current decision; the game is unchanged."""

    @classmethod
    def of(cls, game: "Game", action: object) -> Self:
        """The error for an illegal action, with a message that names the decision and the legal actions."""
        if game.over:
            return cls(f"the game is over: no action is accepted, got {action!r}")
        return cls(
            f"action {action!r} is illegal in {game.decision} of seat {game.to_play}; "
            f"accepted: {game.spec.names_of(game.legal())}"
        )


class NoDevice(RuntimeError):
    """Raised if games cannot run on a GPU on this machine; the message names what is missing."""
