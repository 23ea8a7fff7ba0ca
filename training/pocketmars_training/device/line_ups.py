"""Line-ups as tensors: in each game, the learner plays all seats, or one seat against a bot."""

import torch

from pocketmars_training.common.self_play_games import LEARNER


class LineUps:
    """The player in each seat of N games; `SelfPlayGames` draws the same kind of line-ups on the CPU.

    Args:
        count: N.
        seats: the number of seats that make decisions.
        num_bots: the number of bots.
        bot_share: the probability that a new game is a game with a bot.
        generator: the random number generator for the line-ups; all tensors are on its device.

    Attributes:
        players: ``(N, seats)`` int64, who plays each seat: `LEARNER`, or the number of a bot.

    """

    def __init__(
        self, count: int, seats: int, num_bots: int, bot_share: float, generator: torch.Generator
    ) -> None:
        self._num_bots, self._bot_share, self._generator = num_bots, bot_share, generator
        self.players = torch.full((count, seats), LEARNER, device=generator.device)
        self.redraw(torch.ones(count, dtype=torch.bool, device=generator.device))

    def redraw(self, which: torch.Tensor) -> None:
        """Draw new line-ups for the games selected by `which`, ``(N,)`` bool."""
        if self._num_bots == 0:
            return
        count, seats = self.players.shape
        device, generator = which.device, self._generator
        has_bot = torch.rand(count, device=device, generator=generator) < self._bot_share
        bots = torch.randint(self._num_bots, (count,), device=device, generator=generator)
        learners = torch.randint(seats, (count,), device=device, generator=generator)
        plays_bot = has_bot[:, None] & (torch.arange(seats, device=device) != learners[:, None])
        drawn = torch.where(plays_bot, bots[:, None], LEARNER)
        self.players = torch.where(which[:, None], drawn, self.players)

    def to_act(self, to_play: torch.Tensor) -> torch.Tensor:
        """Return the player to act in each game, ``(N,)`` int64, given the seats to play ``(N,)``."""
        return self.players.gather(1, to_play[:, None]).squeeze(1)
