"""`SpielState`, the state of an OpenSpiel game."""

from hashlib import blake2b
from typing import Any, SupportsIndex

import pyspiel

from pocketmars_env.adapters.moments import Moment
from pocketmars_env.adapters.open_spiel.observer import check_player
from pocketmars_env.adapters.open_spiel.parameters import SEED_DIGITS
from pocketmars_env.core.errors import IllegalAction
from pocketmars_env.core.game import Game
from pocketmars_env.core.seeds import check_seed
from pocketmars_env.envs.rewards import final_rewards

CHANCE = int(pyspiel.PlayerId.CHANCE)
TERMINAL = int(pyspiel.PlayerId.TERMINAL)


class IllegalSpielAction(IllegalAction, pyspiel.SpielError):  # type: ignore[misc]  # no types
    """Raised for an illegal action; the state is unchanged.

    The class is also a subclass of `pyspiel.SpielError`, because RLlib's wrapper for OpenSpiel games catches
    `SpielError` and plays a random legal action instead of the illegal one.
    """


class SpielState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel publishes no types
    """The state of an OpenSpiel game, with the position as a `Moment`, or None before the deal."""

    # OpenSpiel copies and saves the instance's attributes one by one, so they are few and small.

    def __init__(self, game: Any, moment: Moment | None) -> None:
        super().__init__(game)
        self._moment = moment
        self._seed_digits = ""  # hexadecimal

    @property
    def moment(self) -> Moment:
        """The `Moment` with the current position."""
        if self._moment is None:
            raise ValueError("the cards have not been dealt: apply the chance actions first")
        return self._moment

    def game(self) -> Game:
        """Return a copy of the position with all hidden information; for analysis, not for agents."""
        return self.moment.game()

    # --- the decision -------------------------------------------------------------------------------

    def current_player(self) -> int:
        """Return the seat to play, or OpenSpiel's constant for a chance node or a terminal state."""
        if self._moment is None:
            return CHANCE
        to_play = self._moment.to_play
        return TERMINAL if to_play is None else to_play

    def is_terminal(self) -> bool:
        """Return whether the game has ended, under the rules or by truncation."""
        return self._moment is not None and self._moment.over

    def _legal_actions(self, player: int) -> list[int]:
        """Return the legal actions of the seat to play, in ascending order."""
        return self.moment.legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the deals of a small game, or else the 16 values of the seed's next digit."""
        number = self.get_game().config.deals or 16
        return [(outcome, 1 / number) for outcome in range(number)]

    def _apply_action(self, action: int) -> None:
        """At a chance node, choose a deal or append a digit to the seed; at a decision, play an action."""
        if self._moment is not None:
            try:
                self._moment = self._moment.after(action)
            except IllegalAction as error:
                raise IllegalSpielAction(str(error)) from error
            return
        config = self.get_game().config
        if config.deals:
            if not 0 <= action < config.deals:
                raise IllegalSpielAction(f"a deal must be in 0..{config.deals - 1}, got {action}")
            self._moment = Moment.dealt(config, action)
            return
        if not 0 <= action < 16:
            raise IllegalSpielAction(f"a digit of the seed must be in 0..15, got {action}")
        self._seed_digits += f"{action:x}"
        if len(self._seed_digits) == SEED_DIGITS:
            self._moment = Moment.dealt(config, int(self._seed_digits, 16))

    def _action_to_string(self, player: int, action: int) -> str:
        """Return a description of an action, such as "keep Comms 1", "seed digit a" or "deal 3"."""
        if player == CHANCE:
            return f"deal {action}" if self.get_game().config.deals else f"seed digit {action:x}"
        if self._moment is None:
            return str(self.get_game().spec.describe_action(action, None))
        return self._moment.describe(action)

    # --- the end ------------------------------------------------------------------------------------

    def returns(self) -> list[float]:
        """Return every player's reward: 0 before the end of the game, then the result of `final_rewards`."""
        rules = self.get_game()
        if not self.is_terminal():
            return [0.0] * rules.num_players()
        return final_rewards(rules.reward, self.moment.scores, self.moment.winners)[: rules.num_players()]

    def __str__(self) -> str:
        """Return the position as text; equal positions have equal strings."""
        if self._moment is None:
            return f"the seed begins with 0x{self._seed_digits}"
        game = self._moment.game()
        record = blake2b(game.to_bytes(), digest_size=8).hexdigest()
        return f"{game!r}, scores {game.scores}, record {record}"

    # --- information --------------------------------------------------------------------------------

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> "SpielState":
        """Return a determinization: a state drawn uniformly from the player's information set.

        After the deal, the returned state has an empty history. Before the deal, its history consists of new
        random seed digits, as many as the original state has.
        """
        rules = self.get_game()
        check_player(player_id, rules.num_players())
        if self._moment is not None:
            halves = [int(probability_sampler() * 2**32) for _ in range(2)]
            return type(self)(rules, self._moment.sampled(player_id, halves[0] << 32 | halves[1]))
        twin = type(self)(rules, None)
        for _ in self._seed_digits:  # all digits are redrawn, because no player sees them
            twin.apply_action(int(probability_sampler() * 16))
        return twin


def seed_actions(seed: SupportsIndex) -> list[int]:
    """Return the chance actions (digits of the seed) that lead to the same game as ``Game(seed=seed)``."""
    return [int(digit, 16) for digit in f"{check_seed(seed):0{SEED_DIGITS}x}"]
