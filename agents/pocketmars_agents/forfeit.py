"""How an agent gives up a game."""


class Forfeit(Exception):
    """A seat loses its game because its agent broke the rules of play.

    Attributes:
        reason: what happened, in one line.

    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
