"""Errors of the rules."""

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pocketmars_env.core.game import Game


class IllegalAction(ValueError):
    """The action is not legal at the current decision. The game is unchanged."""

    @classmethod
    def of(cls, game: "Game", action: object) -> Self:
        """The error for an illegal action in a game. The message names the decision and the legal actions."""
        if game.over:
            return cls(f"the game is over: no action is accepted, got {action!r}")
        return cls(
            f"action {action!r} is illegal in {game.decision} of seat {game.to_play}; "
            f"accepted: {game.spec.names_of(game.legal())}"
        )


class NoDevice(RuntimeError):
    """Games cannot run on a GPU on this machine; the message names what is missing."""
